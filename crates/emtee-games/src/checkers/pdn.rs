//! Reading and writing games in Portable Draughts Notation (PDN).

use std::fmt;
use std::str::FromStr;

use emtee::{Game as _, Side};

use super::{Board, Move};
use crate::error::{Error, ErrorKind, quoted};

/// A game in PDN.
///
/// ```
/// use emtee_games::checkers::{PdnGame, PdnResult, read_pdn};
///
/// let text = "[Event \"A test\"]\n1. 11-15 {the Old Faithful} 23-19 (23-18 8-11) 2. 8-11 22-17 *";
/// let games = read_pdn(text)?;
/// let game: &PdnGame = &games[0];
/// assert_eq!(game.tag("Event"), Some("A test"));
/// assert_eq!(game.moves.len(), 4);
/// assert_eq!(game.comments, [(1, "the Old Faithful".to_string())]);
/// assert_eq!(game.result, PdnResult::Unknown);
/// assert_eq!(game.to_string(), "[Event \"A test\"]\n1. 11-15 {the Old Faithful} 23-19 2. 8-11 22-17 *\n");
/// # Ok::<(), emtee_games::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PdnGame {
    /// The tags and their values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The starting position: that of the `FEN` tag, or the standard one.
    pub start: Board,
    /// The moves of the game. Variations are skipped.
    pub moves: Vec<Move>,
    /// Comments, each with the number of moves played before it.
    pub comments: Vec<(usize, String)>,
    /// The result as written in the file.
    pub result: PdnResult,
}

/// A result as written in a file. Which side wins with `1-0` depends on the file: see [`PdnGame::winner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PdnResult {
    /// `1-0`, or `2-0`.
    OneZero,
    /// `0-1`, or `0-2`.
    ZeroOne,
    /// `1/2-1/2`, or `1-1`.
    Drawn,
    /// `*`: not finished, or not known.
    #[default]
    Unknown,
}

impl PdnResult {
    fn read(token: &str) -> Option<PdnResult> {
        match token {
            "1-0" | "2-0" => Some(PdnResult::OneZero),
            "0-1" | "0-2" => Some(PdnResult::ZeroOne),
            "1/2-1/2" | "1-1" => Some(PdnResult::Drawn),
            "*" | "0-0" => Some(PdnResult::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for PdnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PdnResult::OneZero => "1-0",
            PdnResult::ZeroOne => "0-1",
            PdnResult::Drawn => "1/2-1/2",
            PdnResult::Unknown => "*",
        })
    }
}

impl PdnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The winner, if there is one. `1-0` means that `one_zero` won: Black ([`Side::First`]) in most files of English
    /// draughts, because Black moves first, and White in some newer files.
    pub fn winner(&self, one_zero: Side) -> Option<Side> {
        match self.result {
            PdnResult::OneZero => Some(one_zero),
            PdnResult::ZeroOne => Some(!one_zero),
            _ => None,
        }
    }

    /// The number of the move that a ply belongs to.
    fn number(&self, ply: usize) -> usize {
        (ply + self.start.turn().index()) / 2 + 1
    }

    /// The positions of the game, the first and the last included.
    pub fn positions(&self) -> impl Iterator<Item = Board> + '_ {
        let after = self.moves.iter().scan(self.start, |board, &m| {
            *board = board.play(m);
            Some(*board)
        });
        std::iter::once(self.start).chain(after)
    }
}

/// Reads one game.
impl FromStr for PdnGame {
    type Err = Error;
    fn from_str(text: &str) -> Result<PdnGame, Error> {
        match <[PdnGame; 1]>::try_from(read_pdn(text)?) {
            Ok([game]) => Ok(game),
            Err(games) => Err(Error::new(ErrorKind::Length, format!("expected one game and found {}", games.len()))),
        }
    }
}

/// Tags, then the moves in lines of up to 80 characters.
impl fmt::Display for PdnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (tag, value) in &self.tags {
            // PDN has no way to write a quote inside a value.
            writeln!(f, "[{tag} \"{}\"]", value.replace('"', "'"))?;
        }
        let standard = self.start == Board::default();
        if !standard && self.tag("FEN").is_none() {
            writeln!(f, "[FEN \"{}\"]", self.start)?;
        }
        let mut line = Line { length: 0, f };
        let mut comments = self.comments.iter().peekable();
        for (ply, m) in self.moves.iter().enumerate() {
            while let Some((_, text)) = comments.next_if(|(before, _)| *before <= ply) {
                line.comment(text)?;
            }
            let number = self.number(ply);
            if ply == 0 && self.start.turn() == Side::Second {
                line.word(&format!("{number}..."))?;
            } else if ply == 0 || number > self.number(ply - 1) {
                line.word(&format!("{number}."))?;
            }
            line.word(&m.to_string())?;
        }
        for (_, text) in comments {
            line.comment(text)?;
        }
        line.word(&self.result.to_string())?;
        writeln!(line.f)
    }
}

/// Writes words into lines of up to 80 characters.
struct Line<'a, 'f> {
    length: usize,
    f: &'a mut fmt::Formatter<'f>,
}

impl Line<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.length > 0 && self.length + 1 + length > 80 {
            writeln!(self.f)?;
            self.length = 0;
        } else if self.length > 0 {
            write!(self.f, " ")?;
            self.length += 1;
        }
        self.length += length;
        write!(self.f, "{word}")
    }

    fn comment(&mut self, text: &str) -> fmt::Result {
        let whole = format!("{{{}}}", text.replace('}', ")"));
        whole.split_whitespace().try_for_each(|word| self.word(word))
    }
}

/// Reads all games of a file. An error names the line, the column and the fault.
pub fn read_pdn(text: &str) -> Result<Vec<PdnGame>, Error> {
    let mut reader = Reader { text, offset: 0 };
    let mut games = Vec::new();
    let mut game = PartialGame::default();
    while let Some((start, token)) = reader.next()? {
        let wrong = |error: Error| Error::at(error.kind(), text, start, error);
        match token {
            Token::Tag(name, value) => {
                // A tag after moves starts the next game, even if the result is missing.
                if !game.game.moves.is_empty() {
                    games.push(std::mem::take(&mut game).finish());
                }
                game.tag(name, value).map_err(wrong)?;
            }
            Token::Comment(comment) => game.game.comments.push((game.game.moves.len(), comment)),
            Token::Word(word) => {
                if let Some(result) = PdnResult::read(word) {
                    game.game.result = result;
                    games.push(std::mem::take(&mut game).finish());
                } else {
                    game.word(word).map_err(wrong)?;
                }
            }
        }
    }
    if game != PartialGame::default() {
        games.push(game.finish());
    }
    Ok(games)
}

/// The most interpretations of a game that are tracked at a time.
///
/// Old files write `2x27` even if two paths lead from 2 to 27; only the following moves decide which was played. The
/// reader therefore tracks every game that the text can still mean. Only a file constructed for it exceeds this limit.
const MAX_INTERPRETATIONS: usize = 32;

/// A game that is being read.
#[derive(Default, PartialEq)]
struct PartialGame {
    /// Its moves are those of the first interpretation.
    game: PdnGame,
    /// The other interpretations of the text so far. Almost always empty.
    others: Vec<Interpretation>,
    board: Board,
}

#[derive(Clone, PartialEq)]
struct Interpretation {
    moves: Vec<Move>,
    board: Board,
}

impl PartialGame {
    fn tag(&mut self, name: &str, value: &str) -> Result<(), Error> {
        if name == "FEN" {
            self.game.start = value.parse()?;
            self.board = self.game.start;
        }
        if name == "Result"
            && let Some(result) = PdnResult::read(value)
        {
            self.game.result = result;
        }
        self.game.tags.push((name.into(), value.into()));
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), Error> {
        // A move number can be joined to its move: 1.11-15
        let plain = match word.rsplit_once('.') {
            Some((number, rest)) if number.chars().all(|c| c.is_ascii_digit() || c == '.') => rest,
            _ => word,
        };
        let plain = plain.trim_end_matches(['!', '?']);
        if plain.is_empty() || word.starts_with('$') {
            return Ok(());
        }
        let number = self.game.number(self.game.moves.len());
        let fitting = self.board.fitting_moves(plain);
        if let (Ok([m]), true) = (fitting.as_deref(), self.others.is_empty()) {
            self.game.moves.push(*m);
            self.board = self.board.play(*m);
            return Ok(());
        }
        self.extend_all(plain, fitting).map_err(|error| Error::new(error.kind(), format!("move {number}: {error}")))
    }

    /// Extends every interpretation that the move fits, and drops the others.
    fn extend_all(&mut self, text: &str, fitting: Result<Vec<Move>, Error>) -> Result<(), Error> {
        let first = Interpretation { moves: std::mem::take(&mut self.game.moves), board: self.board };
        let mut extended: Vec<Interpretation> = Vec::new();
        for known in std::iter::once(&first).chain(&self.others) {
            for m in known.board.fitting_moves(text).unwrap_or_default() {
                let board = known.board.play(m);
                if extended.len() < MAX_INTERPRETATIONS && extended.iter().all(|other| other.board != board) {
                    let moves = known.moves.iter().copied().chain([m]).collect();
                    extended.push(Interpretation { moves, board });
                }
            }
        }
        let mut extended = extended.into_iter();
        match (extended.next(), fitting) {
            (Some(best), _) => {
                (self.game.moves, self.board) = (best.moves, best.board);
                self.others = extended.collect();
                Ok(())
            }
            (None, Err(error)) => Err(error),
            (None, Ok(_)) => Ok(()),
        }
    }

    fn finish(self) -> PdnGame {
        self.game
    }
}

enum Token<'t> {
    Tag(&'t str, &'t str),
    Comment(String),
    Word(&'t str),
}

struct Reader<'t> {
    text: &'t str,
    offset: usize,
}

impl<'t> Reader<'t> {
    /// The next token outside variations, and its offset.
    fn next(&mut self) -> Result<Option<(usize, Token<'t>)>, Error> {
        loop {
            let rest = &self.text[self.offset..];
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.offset += rest.len() - trimmed.len();
            let start = self.offset;
            let token = match trimmed.chars().next() {
                None => return Ok(None),
                Some('[') => self.tag()?,
                Some('{') => Token::Comment(tidy(self.until('}', "comment")?)),
                Some(';' | '%') => {
                    let line = trimmed.lines().next().unwrap_or_default();
                    self.offset += line.len();
                    Token::Comment(tidy(&line[1..]))
                }
                Some('(') => {
                    self.variation()?;
                    continue;
                }
                Some(c @ (')' | '}' | ']')) => {
                    return Err(Error::at(
                        ErrorKind::Syntax,
                        self.text,
                        start,
                        format!("{} closes nothing", quoted(&c.to_string())),
                    ));
                }
                Some(_) => {
                    let ends = |c: char| c.is_whitespace() || "[](){};".contains(c);
                    let length = trimmed.find(ends).unwrap_or(trimmed.len());
                    self.offset += length;
                    Token::Word(&trimmed[..length])
                }
            };
            return Ok(Some((start, token)));
        }
    }

    /// Skips a bracketed text and returns the text between the brackets.
    fn until(&mut self, close: char, what: &str) -> Result<&'t str, Error> {
        let inside = &self.text[self.offset + 1..];
        let Some(length) = inside.find(close) else {
            return Err(Error::at(ErrorKind::Syntax, self.text, self.offset, format!("this {what} is never closed")));
        };
        self.offset += 1 + length + close.len_utf8();
        Ok(&inside[..length])
    }

    fn tag(&mut self) -> Result<Token<'t>, Error> {
        let start = self.offset;
        let wrong = || Error::at(ErrorKind::Syntax, self.text, start, "a tag looks like [Event \"London 1992\"]");
        let rest = &self.text[start + 1..];
        let (name, rest) = rest.split_once('"').ok_or_else(wrong)?;
        let (value, rest) = rest.split_once('"').ok_or_else(wrong)?;
        let after = rest.trim_start();
        if name.trim().is_empty() || name.contains(['[', ']', '\n']) || value.contains('\n') || !after.starts_with(']')
        {
            return Err(wrong());
        }
        self.offset = self.text.len() - after.len() + 1;
        Ok(Token::Tag(name.trim(), value))
    }

    /// Skips a variation, with nested variations and comments.
    fn variation(&mut self) -> Result<(), Error> {
        let start = self.offset;
        let mut depth = 0usize;
        while let Some(c) = self.text[self.offset..].chars().next() {
            match c {
                '{' => {
                    self.until('}', "comment")?;
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.offset += c.len_utf8();
            if depth == 0 {
                return Ok(());
            }
        }
        Err(Error::at(ErrorKind::Syntax, self.text, start, "this variation is never closed"))
    }
}

/// Collapses whitespace.
fn tidy(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TWO_GAMES: &str = "\u{feff}[Event \"One\"]\n[Result \"1-0\"]\n1. 9-14 $1 23-18! 2. 14x23 { shot } 27x18 (26x19 {)} (1. 2-3)) \
        3.5-9 ; to the end of the line\n 1-0\n\n[FEN \"W:W31,K4:B1,K9\"]\n1... 31-27 2. 9x7 *";

    #[test]
    fn games_are_read_and_written() {
        // 9x7 is illegal, and the error names its place. With a legal move, both games are read.
        let error = read_pdn(TWO_GAMES).unwrap_err().to_string();
        let reason =
            "line 7, column 15: move 2: '9x7' is not a legal move here; from 9 one can play 9-6, 9-5, 9-13, 9-14";
        assert_eq!(error, reason);
        let games = read_pdn(&TWO_GAMES.replace("9x7", "9-6")).unwrap();
        let [first, second] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!(first.tag("Event"), Some("One"));
        assert_eq!(first.moves.len(), 5);
        assert_eq!(first.comments, [(3, "shot".into()), (5, "to the end of the line".into())]);
        assert_eq!(first.winner(Side::First), Some(Side::First));
        assert_eq!(first.winner(Side::Second), Some(Side::Second));
        assert_eq!(second.to_string(), "[FEN \"W:W31,K4:B1,K9\"]\n1... 31-27 2. 9-6 *\n");
        for game in &games {
            assert_eq!(game.to_string().parse().as_ref(), Ok(game));
        }
    }

    #[test]
    fn later_moves_decide_between_two_paths() {
        let text = |reply: &str| format!("[FEN \"B:W7,15,16,23,24:B2\"]\n1. 2x27 {reply} *");
        let path = |reply: &str| read_pdn(&text(reply)).unwrap()[0].moves[0].to_string();
        assert_eq!(path("24-19"), "2x11x18x27");
        assert_eq!(path("23-19"), "2x11x20x27");
        assert_eq!(path(""), "2x11x18x27");
        let error = read_pdn(&text("3-8")).unwrap_err().to_string();
        assert_eq!(error, "line 2, column 9: move 1: '3-8' is not a legal move here; 3 is empty");
    }

    #[test]
    fn invalid_files_are_refused_with_a_place() {
        for (text, reason) in [
            ("[Event]", "line 1, column 1: a tag looks like [Event \"London 1992\"]"),
            ("1. 11-15 {oh", "line 1, column 10: this comment is never closed"),
            ("1. 11-15\n(23-19", "line 2, column 1: this variation is never closed"),
            ("1. 11-15 )", "line 1, column 10: ')' closes nothing"),
            (
                "[FEN \"B:W\"]",
                "line 1, column 1: 'B:W' is not a checkers position: write one like B:W21,22,K30:B1,2,3 (B is to move)",
            ),
            ("1. e4", "line 1, column 4: move 1: 'e4' in the move 'e4' is not a square: squares are numbered 1 to 32"),
        ] {
            assert_eq!(read_pdn(text).unwrap_err().to_string(), reason);
        }
        assert_eq!("".parse::<PdnGame>().unwrap_err().to_string(), "expected one game and found 0");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>(), near in "(1\\. 11-15|22x18|[({})\\[\\];\" ]|1-0|FEN|\\*|\n){0,30}") {
            for text in [text, near] {
                for game in read_pdn(&text).unwrap_or_default() {
                    let written = game.to_string();
                    prop_assert!(read_pdn(&written).is_ok(), "{written}");
                }
            }
        }
    }
}
