//! Games in PGN. Tags, moves and results are read and written; comments, variations and annotations are skipped.

use std::fmt;

use emtee::{Game as _, Side};

use super::board::Board;
use super::moves::Move;
use crate::error::{Error, ErrorKind};

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// The tags, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The starting position: the standard one, or that of the tag `FEN`.
    pub start: Board,
    /// The moves of the game itself, without variations.
    pub moves: Vec<Move>,
    /// The result.
    pub result: Result,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    /// `1-0`
    WhiteWon,
    /// `0-1`
    BlackWon,
    /// `1/2-1/2`
    Drawn,
    /// `*`, or no result.
    Unknown,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The positions of the game, the first and the last included.
    pub fn positions(&self) -> impl Iterator<Item = Board> + '_ {
        let mut board = self.start.clone();
        std::iter::once(board.clone()).chain(self.moves.iter().map(move |&m| {
            board = board.play(m);
            board.clone()
        }))
    }
}

impl fmt::Display for Result {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Result::WhiteWon => "1-0",
            Result::BlackWon => "0-1",
            Result::Drawn => "1/2-1/2",
            Result::Unknown => "*",
        })
    }
}

/// Tags, then the moves in lines of up to 80 characters.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (tag, value) in &self.tags {
            writeln!(f, "[{tag} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))?;
        }
        if self.start.to_string() != Board::default().to_string() && self.tag("FEN").is_none() {
            writeln!(f, "[SetUp \"1\"]\n[FEN \"{}\"]", self.start)?;
        }
        writeln!(f)?;
        let mut board = self.start.clone();
        let mut words = Vec::new();
        for &m in &self.moves {
            match board.turn() {
                Side::First => words.push(format!("{}.", board.move_number())),
                Side::Second if words.is_empty() => words.push(format!("{}...", board.move_number())),
                Side::Second => {}
            }
            words.push(board.san(m));
            board = board.play(m);
        }
        words.push(self.result.to_string());
        let mut length = 0;
        for word in words {
            if length > 0 {
                let fits = length + 1 + word.len() <= 80;
                f.write_str(if fits { " " } else { "\n" })?;
                length = if fits { length + 1 } else { 0 };
            }
            length += word.len();
            f.write_str(&word)?;
        }
        writeln!(f)
    }
}

/// The games of a PGN text, in order. A game that cannot be read is an error; the following games are still read.
///
/// ```
/// use emtee_games::chess::pgn;
/// let text = "[White \"Fischer\"]\n\n1. c4 {His first!} e6 2. Nf3 (2. Nc3 d5) d5 $1 3. d4 1-0";
/// let game = pgn::games(text).next().unwrap()?;
/// assert_eq!(game.tag("White"), Some("Fischer"));
/// assert_eq!(game.moves.len(), 5);
/// # Ok::<(), emtee_games::Error>(())
/// ```
pub fn games(text: &str) -> impl Iterator<Item = std::result::Result<PgnGame, Error>> + '_ {
    let mut reader = Reader { tokens: Tokens { text, line: 1, at_line_start: true }, peeked: None };
    std::iter::from_fn(move || reader.game())
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    /// A token of the next game.
    peeked: Option<(usize, Token<'t>)>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Option<(usize, Token<'t>)> {
        self.peeked.take().or_else(|| self.tokens.next())
    }

    /// The next game, if there is one. After an error the rest of the game is skipped.
    fn game(&mut self) -> Option<std::result::Result<PgnGame, Error>> {
        let mut game =
            PgnGame { tags: Vec::new(), start: Board::default(), moves: Vec::new(), result: Result::Unknown };
        let mut error: Option<Error> = None;
        let mut board = Board::default();
        let (mut started, mut in_moves, mut depth) = (false, false, 0usize);
        while let Some((line, token)) = self.next() {
            let mut fail = |kind: ErrorKind, problem: String| {
                error.get_or_insert(Error::new(kind, format!("line {line}: {problem}")));
            };
            match token {
                Token::Tag(..) if in_moves => {
                    self.peeked = Some((line, token));
                    break;
                }
                Token::Tag(name, value) => {
                    started = true;
                    if name == "FEN" {
                        match value.parse::<Board>() {
                            Ok(start) => (board, game.start) = (start.clone(), start),
                            Err(problem) => fail(problem.kind(), format!("in the FEN, {problem}")),
                        }
                    }
                    game.tags.push((name.to_owned(), value));
                }
                Token::Open => depth += 1,
                Token::Close if depth == 0 => {
                    fail(ErrorKind::Syntax, String::from("a variation is closed that was not opened"))
                }
                Token::Close => depth -= 1,
                Token::Word(_) if depth > 0 => {}
                Token::Bad(problem) => {
                    (started, in_moves) = (true, true);
                    fail(ErrorKind::Syntax, String::from(problem));
                }
                Token::Word(word) => {
                    (started, in_moves) = (true, true);
                    if let Some(result) = read_result(word) {
                        game.result = result;
                        return Some(error.map_or(Ok(game), Err));
                    }
                    let word = word.trim_start_matches(|c: char| c.is_ascii_digit());
                    let word = word.trim_start_matches(['.', '…']);
                    if word.is_empty() || error.is_some() {
                        continue;
                    }
                    match board.read_move(word) {
                        Ok(m) => {
                            game.moves.push(m);
                            board = board.play(m);
                        }
                        Err(problem) => {
                            error = Some(Error::new(
                                problem.kind(),
                                format!("line {line}: move {}: {problem}", board.move_number()),
                            ))
                        }
                    }
                }
            }
        }
        started.then(|| error.map_or(Ok(game), Err))
    }
}

fn read_result(word: &str) -> Option<Result> {
    Some(match word {
        "1-0" => Result::WhiteWon,
        "0-1" => Result::BlackWon,
        "1/2-1/2" | "1/2" | "½-½" => Result::Drawn,
        "*" => Result::Unknown,
        _ => return None,
    })
}

enum Token<'t> {
    Tag(&'t str, String),
    Word(&'t str),
    Open,
    Close,
    Bad(&'static str),
}

/// Splits a text into tokens, without comments, annotations and whitespace.
struct Tokens<'t> {
    text: &'t str,
    line: usize,
    at_line_start: bool,
}

impl<'t> Tokens<'t> {
    /// Skips this many bytes and counts their lines.
    fn skip(&mut self, bytes: usize) -> &'t str {
        let (skipped, rest) = self.text.split_at(bytes);
        let lines = skipped.bytes().filter(|&byte| byte == b'\n').count();
        self.line += lines;
        if !skipped.is_empty() {
            self.at_line_start = skipped.ends_with('\n');
        }
        self.text = rest;
        skipped
    }

    fn skip_line(&mut self) {
        self.skip(self.text.find('\n').map_or(self.text.len(), |end| end + 1));
    }

    fn next(&mut self) -> Option<(usize, Token<'t>)> {
        loop {
            let whitespace =
                self.text.len() - self.text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.skip(whitespace);
            let line = self.line;
            let first = self.text.chars().next()?;
            match first {
                '%' if self.at_line_start => self.skip_line(),
                ';' => self.skip_line(),
                '{' => match self.text.find('}') {
                    Some(end) => {
                        self.skip(end + 1);
                    }
                    None => {
                        self.skip(self.text.len());
                        return Some((line, Token::Bad("a comment is opened that is never closed")));
                    }
                },
                '$' => {
                    let end = self.text[1..].find(|c: char| !c.is_ascii_digit()).map_or(self.text.len(), |end| end + 1);
                    self.skip(end);
                }
                '(' => {
                    self.skip(1);
                    return Some((line, Token::Open));
                }
                ')' => {
                    self.skip(1);
                    return Some((line, Token::Close));
                }
                '[' => return Some((line, self.tag())),
                _ => {
                    let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
                    // At least one character, so that the reader makes progress.
                    let end =
                        self.text[first.len_utf8()..].find(ends).map_or(self.text.len(), |end| end + first.len_utf8());
                    let word = self.skip(end);
                    if word.chars().all(|c| matches!(c, '!' | '?')) {
                        continue;
                    }
                    return Some((
                        line,
                        if ends(first) {
                            Token::Bad("a bracket is closed that was not opened")
                        } else {
                            Token::Word(word)
                        },
                    ));
                }
            }
        }
    }

    /// `[Name "value"]`, with `\"` and `\\` in the value.
    fn tag(&mut self) -> Token<'t> {
        const BAD: Token<'static> = Token::Bad("a tag looks like [Name \"value\"]");
        let rest = &self.text[1..];
        let name_end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | ']')).unwrap_or(rest.len());
        let name = &rest[..name_end];
        let Some(quoted) = rest[name_end..].trim_start_matches([' ', '\t']).strip_prefix('"') else {
            self.skip_line();
            return BAD;
        };
        let mut value = String::new();
        let mut escaped = false;
        for (index, c) in quoted.char_indices() {
            match c {
                '\n' => break,
                '\\' if !escaped => escaped = true,
                '"' if !escaped => {
                    let after = quoted[index + 1..].trim_start_matches([' ', '\t']);
                    let Some(after) = after.strip_prefix(']') else { break };
                    self.skip(self.text.len() - after.len());
                    return Token::Tag(name, value);
                }
                c => {
                    escaped = false;
                    value.push(c);
                }
            }
        }
        self.skip_line();
        BAD
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TWO: &str = r#"
% an escaped line
[Event "A \"quoted\" event"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]

1.a8=Q+ {a queen} Kd7 $14 2.Qb7+! (2.Qa7+ Kc6 (2...Kc8 3.Qa8+)) Kd6 ; the rest of the line
3.Qb6+ 1/2-1/2

[Event "Second"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O 0-1
"#;

    #[test]
    fn games_are_read() {
        let games: Vec<PgnGame> = games(TWO).map(std::result::Result::unwrap).collect();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].tag("Event"), Some("A \"quoted\" event"));
        assert_eq!((games[0].moves.len(), games[0].result), (5, Result::Drawn));
        assert_eq!((games[1].moves.len(), games[1].result), (7, Result::BlackWon));
        let last = games[1].positions().last().unwrap();
        assert_eq!(last.to_string(), "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4");
        assert_eq!(games[1].positions().count(), 8);
    }

    #[test]
    fn games_round_trip() {
        for game in games(TWO) {
            let game = game.unwrap();
            let text = game.to_string();
            assert_eq!(games(&text).next().unwrap().unwrap(), game, "{text}");
            assert!(text.lines().all(|line| line.len() <= 80));
        }
        let start: Board = "4k3/8/8/8/8/8/7p/4K3 b - - 0 9".parse().unwrap();
        let moves = vec![start.read_move("h1=Q").unwrap()];
        let game = PgnGame { tags: vec![("White".into(), "A \\ B".into())], start, moves, result: Result::BlackWon };
        let text = "[White \"A \\\\ B\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/7p/4K3 b - - 0 9\"]\n\n9... h1=Q+ 0-1\n";
        assert_eq!(game.to_string(), text);
    }

    #[test]
    fn errors_name_the_line_and_the_move_and_the_next_game_is_read() {
        for (text, error) in [
            ("1. e4 e5\n2. Ke3 *", "line 2: move 2: 'Ke3' is not a legal move here"),
            ("[Event x]\n1. e4 *", "line 1: a tag looks like [Name \"value\"]"),
            ("[FEN \"8/8\"]\n1. e4 *", "line 1: in the FEN, the board has 8 ranks, and 2 are given"),
            ("1. e4\n{what", "line 2: a comment is opened that is never closed"),
            ("1. e4 ) *", "line 1: a variation is closed that was not opened"),
            ("1. e4 ] *", "line 1: a bracket is closed that was not opened"),
        ] {
            let together = format!("{text}\n\n[Event \"next\"]\n\n1. d4 *");
            let mut both = games(if text.contains("{what") { text } else { &together });
            assert_eq!(both.next().unwrap().unwrap_err().to_string(), error);
            if !text.contains("{what") {
                assert_eq!(both.next().unwrap().unwrap().moves.len(), 1, "{text}");
            }
            assert!(both.next().is_none());
        }
        assert_eq!(games("").count(), 0);
        assert_eq!(games("[White \"nobody\"]").count(), 1);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(.|\n){0,200}") {
            let _ = games(&text).count();
        }

        #[test]
        fn no_text_like_a_game_panics(text in r#"([\[\](){}$;%"\\.!? \n]|[1-9]\.|e4|Nf3|O-O|1-0|FEN|é){0,60}"#) {
            let _ = games(&text).count();
        }
    }
}
