//! Boards, moves and games as text.
//!
//! * A board is 64 characters, a1 b1 … h8, of `X` (Black), `O` (White) and `-`, then the side to move: the text form of
//!   [`Board`].
//! * A move is `f5`, or `pass`.
//! * A game is a list of moves like `f5d6c3`: [`read_moves`], [`write_moves`].
//! * An OBF line is a board and the scores of its moves: [`Obf`].
//! * GGF is the format of servers and NBoard: [`Ggf`](super::Ggf).

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Side};

use super::{Board, Move};
use crate::drawing::{Cell, Drawing, Drawn, Ground, Ink};

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A board has too few or too many squares.
    Squares {
        /// Their number.
        found: usize,
    },
    /// An unknown character for a square.
    Square {
        /// The square, 0 to 63.
        at: u8,
        /// The character.
        found: char,
    },
    /// The side to move is missing or unknown.
    Turn {
        /// The text found.
        found: String,
    },
    /// A move cannot be read.
    Move {
        /// The text found.
        found: String,
    },
    /// A move of a game cannot be read.
    MoveOfGame {
        /// The text found.
        found: String,
        /// The number of the move, from 1.
        at: usize,
    },
    /// A move is not legal.
    Illegal {
        /// The move.
        m: Move,
        /// The number of the move, from 1.
        at: usize,
    },
    /// A move has no score.
    NoScore {
        /// The text found.
        found: String,
    },
    /// The score of a move cannot be read.
    Score {
        /// The text found.
        found: String,
    },
    /// A GGF game cannot be read.
    Ggf {
        /// The reason.
        why: &'static str,
        /// The byte offset in the text.
        at: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Squares { found } => write!(f, "a board has 64 squares of X, O and -, this one has {found}"),
            Error::Square { at, found } => {
                write!(f, "square {} holds {found:?}, which is none of X, O and -", Move::to(*at).unwrap_or(Move::PASS))
            }
            Error::Turn { found } if found.is_empty() => {
                write!(f, "after the 64 squares the side to move is missing: X or O")
            }
            Error::Turn { found } => write!(f, "the side to move is X or O, not {found:?}"),
            Error::Move { found } => {
                write!(f, "{found:?} is not a move: a column from a to h and a row from 1 to 8, or pass")
            }
            Error::MoveOfGame { found, at } => {
                write!(f, "move {at}, {found:?}, is not a move: a column from a to h and a row from 1 to 8, or pass")
            }
            Error::Illegal { m, at } => write!(f, "move {at}, {m}, is not legal"),
            Error::NoScore { found } => write!(f, "{found:?} has no score: write it like d3:+2"),
            Error::Score { found } => write!(f, "{found:?} is not a score between -64 and +64"),
            Error::Ggf { why, at } => write!(f, "the GGF game is wrong at byte {at}: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// The beginning of a text, for error messages.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(20).collect()
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.pad("pass");
        }
        let name = [b'a' + self.index() % 8, b'1' + self.index() / 8];
        f.pad(std::str::from_utf8(&name).unwrap_or_default())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Reads `f5` or `F5`, or a pass as `pass`, `pa`, `ps` or `--`.
impl FromStr for Move {
    type Err = Error;
    fn from_str(text: &str) -> Result<Move, Error> {
        let unknown = || Error::Move { found: excerpt(text) };
        match text.as_bytes() {
            &[column, row] if column.is_ascii_alphabetic() && row.is_ascii_digit() => {
                let (column, row) = (column.to_ascii_lowercase().wrapping_sub(b'a'), row.wrapping_sub(b'1'));
                if column < 8 && row < 8 { Move::to(8 * row + column).ok_or_else(unknown) } else { Err(unknown()) }
            }
            _ if ["pass", "pa", "ps", "--"].iter().any(|pass| pass.eq_ignore_ascii_case(text)) => Ok(Move::PASS),
            _ => Err(unknown()),
        }
    }
}

/// The letter of a side: Black is X.
pub(super) const fn letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

fn disc(board: &Board, square: u8) -> char {
    match (board.black() >> square & 1, board.white() >> square & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '-',
    }
}

/// `{}` is the one line that [`FromStr`] reads, `{:#}` a drawing with coordinates.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            for square in 0..64 {
                write!(f, "{}", disc(self, square))?;
            }
            return write!(f, " {}", letter(self.turn()));
        }
        writeln!(f, "  a b c d e f g h")?;
        for row in 0..8 {
            write!(f, "{}", row + 1)?;
            for column in 0..8 {
                write!(f, " {}", disc(self, 8 * row + column))?;
            }
            writeln!(f, " {}", row + 1)?;
        }
        writeln!(f, "  a b c d e f g h")?;
        let (black, white) = (self.black().count_ones(), self.white().count_ones());
        writeln!(f, "{} to move, X {black}, O {white}", letter(self.turn()))
    }
}

impl Drawn for Board {
    fn drawing(&self) -> Drawing {
        let cell = |row: usize, column: usize| match disc(self, (8 * row + column) as u8) {
            'X' => Cell::new('●', Ink::Black, Ground::Green),
            'O' => Cell::new('●', Ink::White, Ground::Green),
            _ => Cell::new('·', Ink::Faint, Ground::Green),
        };
        let name = if self.turn() == Side::First { "Black" } else { "White" };
        let (black, white) = (self.black().count_ones(), self.white().count_ones());
        Drawing::board(8, 8, cell)
            .rows_named(|row| (row + 1).to_string())
            .columns_named("abcdefgh")
            .captioned(format!("{name} ({}) to move, X {black}, O {white}", letter(self.turn())))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The side of a symbol: Black is `X`, `x`, `*`, `B` or `b`; White is `O`, `o`, `W` or `w`.
fn side(symbol: char) -> Option<Side> {
    match symbol {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Side::First),
        'O' | 'o' | 'W' | 'w' => Some(Side::Second),
        _ => None,
    }
}

/// Reads the 64 squares and the side to move, with optional spaces between them. `.` is an empty square too. A `;` can
/// follow, as in OBF.
impl FromStr for Board {
    type Err = Error;
    fn from_str(text: &str) -> Result<Board, Error> {
        let text = text.trim().trim_end_matches(';');
        let (mut discs, mut count) = ([0u64; 2], 0u8);
        let mut rest = text;
        while let Some(symbol) = rest.chars().next() {
            if symbol.is_whitespace() {
                rest = rest.trim_start();
                continue;
            }
            if count == 64 {
                break;
            }
            match side(symbol) {
                Some(side) => discs[side.index()] |= 1 << count,
                None if symbol == '-' || symbol == '.' => {}
                None => return Err(Error::Square { at: count, found: symbol }),
            }
            count += 1;
            rest = &rest[symbol.len_utf8()..];
        }
        if count < 64 {
            return Err(Error::Squares { found: count.into() });
        }
        let mut symbols = rest.trim().chars();
        let turn = match (symbols.next().and_then(side), symbols.next()) {
            (Some(turn), None) => turn,
            _ => return Err(Error::Turn { found: excerpt(rest.trim()) }),
        };
        Board::new(discs[0], discs[1], turn).ok_or(Error::Squares { found: 64 })
    }
}

/// Reads a game such as `f5d6c3` or `F5 d6 c3 pass`, played from `start`. Passes in the text are optional; the returned
/// list has all of them.
///
/// ```
/// use emtee_games::othello::{Board, notation::read_moves};
/// let moves = read_moves(&Board::default(), "f5d6c3")?;
/// assert_eq!(moves.len(), 3);
/// let error = read_moves(&Board::default(), "f5d6h8").unwrap_err();
/// assert_eq!(error.to_string(), "move 3, h8, is not legal");
/// # Ok::<(), emtee_games::othello::notation::Error>(())
/// ```
pub fn read_moves(start: &Board, text: &str) -> Result<Vec<Move>, Error> {
    let mut board = *start;
    let mut moves = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',') {
        let mut rest = word;
        while !rest.is_empty() {
            let length = match rest {
                _ if rest.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("pass")) => 4,
                _ => rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end),
            };
            let unread = |_| Error::MoveOfGame { found: excerpt(&rest[..length]), at: moves.len() + 1 };
            let m: Move = rest[..length].parse().map_err(unread)?;
            rest = &rest[length..];
            play(&mut board, &mut moves, m)?;
        }
    }
    Ok(moves)
}

/// Plays a move, preceded by a pass if the side to move has to pass.
pub(super) fn play(board: &mut Board, moves: &mut Vec<Move>, m: Move) -> Result<(), Error> {
    if !m.is_pass() && board.is_legal(Move::PASS) {
        *board = board.play(Move::PASS);
        moves.push(Move::PASS);
    }
    moves.push(m);
    *board = board.play_legal(m).ok_or(Error::Illegal { m, at: moves.len() })?;
    Ok(())
}

/// Writes a game as [`read_moves`] reads it, passes as `--`.
pub fn write_moves(moves: &[Move]) -> String {
    moves.iter().map(|m| if m.is_pass() { String::from("--") } else { m.to_string() }).collect()
}

/// A line of an OBF file: a board, then moves with their scores, `board side; f5:+2; c3:-4;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obf {
    /// The position.
    pub board: Board,
    /// Moves and their exact scores for the side to move, in discs.
    pub scores: Vec<(Move, i8)>,
}

/// Text after `%` is a comment.
impl FromStr for Obf {
    type Err = Error;
    fn from_str(text: &str) -> Result<Obf, Error> {
        let text = text.split('%').next().unwrap_or_default();
        let mut parts = text.split(';');
        let board: Board = parts.next().unwrap_or_default().parse()?;
        let mut scores = Vec::new();
        for (index, part) in parts.map(str::trim).enumerate().filter(|(_, part)| !part.is_empty()) {
            let (m, score) = part.split_once(':').ok_or(Error::NoScore { found: excerpt(part) })?;
            let m: Move = m.trim().parse()?;
            if !board.is_legal(m) {
                return Err(Error::Illegal { m, at: index + 1 });
            }
            let score = score.trim();
            match score.parse() {
                Ok(points @ -64..=64) => scores.push((m, points)),
                _ => return Err(Error::Score { found: excerpt(score) }),
            }
        }
        Ok(Obf { board, scores })
    }
}

impl fmt::Display for Obf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.board)?;
        self.scores.iter().try_for_each(|(m, score)| write!(f, " {m}:{score:+};"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn boards_are_drawn() {
        assert_eq!(Board::default().to_string(), START);
        let drawn = "  a b c d e f g h
1 - - - - - - - - 1
2 - - - - - - - - 2
3 - - - - - - - - 3
4 - - - O X - - - 4
5 - - - X O - - - 5
6 - - - - - - - - 6
7 - - - - - - - - 7
8 - - - - - - - - 8
  a b c d e f g h
X to move, X 2, O 2
";
        assert_eq!(format!("{:#}", Board::default()), drawn);
    }

    #[test]
    fn boards_are_read() {
        for text in
            [START.to_string(), START.replace('-', ".").to_lowercase(), format!(" {START};\n"), START.replace('X', "*")]
        {
            assert_eq!(text.parse(), Ok(Board::default()), "{text}");
        }
        let white = START.replace(" X", " O").parse::<Board>().unwrap();
        assert_eq!(white.turn(), Side::Second);
        assert_eq!(white.black(), Board::default().black());
    }

    #[track_caller]
    fn check_error<T: FromStr<Err = Error> + fmt::Debug>(text: &str, error: &str) {
        assert_eq!(text.parse::<T>().unwrap_err().to_string(), error);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        check_error::<Board>("", "a board has 64 squares of X, O and -, this one has 0");
        check_error::<Board>("XO-", "a board has 64 squares of X, O and -, this one has 3");
        check_error::<Board>("XOé", "square c1 holds 'é', which is none of X, O and -");
        check_error::<Board>(&START[..64], "after the 64 squares the side to move is missing: X or O");
        check_error::<Board>(&format!("{START}X"), "the side to move is X or O, not \"XX\"");
        check_error::<Board>(&START.replace(" X", " ?"), "the side to move is X or O, not \"?\"");
        check_error::<Move>("i9", "\"i9\" is not a move: a column from a to h and a row from 1 to 8, or pass");
        check_error::<Move>("f0", "\"f0\" is not a move: a column from a to h and a row from 1 to 8, or pass");
        check_error::<Obf>(&format!("{START}; a1:3"), "move 1, a1, is not legal");
        check_error::<Obf>(&format!("{START}; d3:+99;"), "\"+99\" is not a score between -64 and +64");
        check_error::<Obf>(&format!("{START}; d3"), "\"d3\" has no score: write it like d3:+2");
        let unread = read_moves(&Board::default(), "f5d6i9").unwrap_err().to_string();
        assert_eq!(unread, "move 3, \"i9\", is not a move: a column from a to h and a row from 1 to 8, or pass");
    }

    #[test]
    fn moves_are_read_and_written() {
        for square in 0..64 {
            let m = Move::to(square).unwrap();
            assert_eq!(m.to_string().parse(), Ok(m));
            assert_eq!(m.to_string().to_uppercase().parse(), Ok(m));
        }
        for pass in ["pass", "PA", "--", "ps", "Pass"] {
            assert_eq!(pass.parse(), Ok(Move::PASS));
        }
        assert_eq!(Move::PASS.to_string(), "pass");
    }

    #[test]
    fn passes_are_filled_in() {
        let mut passes = 0;
        for game in 0..50 {
            let (mut board, mut played) = (Board::default(), Vec::new());
            while let moves = emtee::legal_moves(&board)
                && !moves.is_empty()
            {
                let m = moves[(emtee::mix(game * 128 + played.len() as u64) % moves.len() as u64) as usize];
                board = board.play(m);
                played.push(m);
            }
            let placed: Vec<Move> = played.iter().copied().filter(|m| !m.is_pass()).collect();
            passes += played.len() - placed.len();
            assert_eq!(read_moves(&Board::default(), &write_moves(&placed)).as_ref(), Ok(&played));
            assert_eq!(read_moves(&Board::default(), &write_moves(&played)).as_ref(), Ok(&played));
        }
        assert!(passes > 20);
        let line = read_moves(&Board::default(), "f5 d6,c3 D3c4").unwrap();
        assert_eq!(write_moves(&line), "f5d6c3d3c4");
        assert_eq!(read_moves(&Board::default(), "pass").unwrap_err().to_string(), "move 1, pass, is not legal");
    }

    #[test]
    fn obf_is_read_and_written() {
        let text = format!("{START}; d3:+2; c4:-4;");
        let obf: Obf = format!("{text} % from nowhere").parse().unwrap();
        assert_eq!(obf.scores.len(), 2);
        assert_eq!(obf.to_string(), text);
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(text in ".*", bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            for text in [text.as_str(), &String::from_utf8_lossy(&bytes), &format!("{START}{text}")] {
                let _ = text.parse::<Board>();
                let _ = text.parse::<Move>();
                let _ = text.parse::<Obf>();
                let _ = text.parse::<super::super::Ggf>();
                let _ = read_moves(&Board::default(), text);
            }
        }

        #[test]
        fn random_moves_and_boards_are_read_or_refused(text in "[a-hA-H1-8pPsSaA -]{0,80}", board in "[XO-]{60,66} ?[XO;]{0,3}") {
            let _ = read_moves(&Board::default(), &text);
            if let Ok(board) = board.parse::<Board>() {
                prop_assert_eq!(board.to_string().parse(), Ok(board));
            }
        }
    }
}
