//! Why a text, a set of parameters or a file was refused.

use std::fmt;

/// Why a text, a set of parameters or a file was refused.
///
/// It displays as one sentence that names the offending part. [`kind`](Error::kind) is for programs:
///
/// ```
/// use emtee_games::{ErrorKind, connect4::Board};
///
/// let error = "4444444".parse::<Board>().unwrap_err();
/// assert_eq!(error.to_string(), "move 7: column 4 is full");
/// match error.kind() {
///     ErrorKind::IllegalMove => println!("the notation is right, but the rules forbid the move"),
///     ErrorKind::Syntax => println!("the text is not a list of columns"),
///     other => println!("{other:?}"),
/// }
/// # assert_eq!(error.kind(), ErrorKind::IllegalMove);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// What kind of error an [`Error`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not follow the notation: an unknown character or word, a missing part, an unclosed bracket.
    Syntax,
    /// Too few or too many parts: squares, rows, fields, children, games.
    Length,
    /// A number is missing, malformed or out of range.
    Number,
    /// No setting has this name.
    UnknownName,
    /// Something is given twice.
    Duplicate,
    /// The rules of the game do not allow the position.
    IllegalPosition,
    /// The move is written correctly, but it is not legal.
    IllegalMove,
    /// Several legal moves fit the text.
    AmbiguousMove,
    /// The format is recognised, but this version or build cannot read it.
    Unsupported,
    /// A file does not have the expected format, is damaged, or contradicts the rules.
    InvalidFile,
    /// Reading failed.
    Io,
    /// There is not enough memory.
    OutOfMemory,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into() }
    }

    /// An error at a byte offset of a text, reported as a line and a column.
    pub(crate) fn at(kind: ErrorKind, text: &str, offset: usize, message: impl fmt::Display) -> Error {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Error::new(kind, format!("line {line}, column {column}: {message}"))
    }

    /// The kind of error.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// A text in quotes, cut to a length that fits into a message.
pub(crate) fn quoted(found: &str) -> String {
    const MAX_CHARS: usize = 24;
    let mut shown = String::new();
    for c in found.chars().take(MAX_CHARS) {
        // A message is one line.
        if c.is_control() { shown.extend(c.escape_debug()) } else { shown.push(c) }
    }
    if found.chars().nth(MAX_CHARS).is_some() { format!("'{shown}…'") } else { format!("'{shown}'") }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;
    use crate::{checkers, connect4, kalah, synthetic, tictactoe, tree};

    #[test]
    fn positions_are_reported_as_lines_and_columns() {
        for (text, offset, place) in
            [("", 0, "line 1, column 1: x"), ("a\nbc", 3, "line 2, column 2: x"), ("ä\n", 3, "line 2, column 1: x")]
        {
            assert_eq!(Error::at(ErrorKind::Syntax, text, offset, "x").to_string(), place);
        }
    }

    #[test]
    fn quotes_stay_short() {
        assert_eq!(quoted("x"), "'x'");
        assert_eq!(quoted("\n"), "'\\n'");
        assert_eq!(quoted(&"y".repeat(1000)), format!("'{}…'", "y".repeat(24)));
    }

    #[test]
    fn errors_have_kinds() {
        fn kind<T: FromStr<Err = Error> + fmt::Debug>(text: &str) -> ErrorKind {
            text.parse::<T>().unwrap_err().kind()
        }
        assert_eq!(kind::<connect4::Board>("48"), ErrorKind::Syntax);
        assert_eq!(kind::<connect4::Board>("4444444"), ErrorKind::IllegalMove);
        assert_eq!(kind::<tictactoe::Board>("XO"), ErrorKind::Length);
        assert_eq!(kind::<tictactoe::Board>("XX-------"), ErrorKind::IllegalPosition);
        assert_eq!(kind::<kalah::Board>("4,4,x,4,4,4,0/4,4,4,4,4,4,0 S"), ErrorKind::Number);
        assert_eq!(kind::<kalah::Board>("4,4,4,4,4,4,0/4,4,4,4,4,4,0"), ErrorKind::Syntax);
        assert_eq!(kind::<synthetic::Position>("breadth=3"), ErrorKind::UnknownName);
        assert_eq!(kind::<synthetic::Position>("width=3 width=3"), ErrorKind::Duplicate);
        assert_eq!(kind::<synthetic::Position>("width=0"), ErrorKind::Number);
        assert_eq!(kind::<tree::Tree>("(1 x)"), ErrorKind::Syntax);
        assert_eq!(kind::<tree::Tree>("(31001)"), ErrorKind::Number);
        assert_eq!(kind::<tree::Tree>("(1 ())"), ErrorKind::Length);
        #[cfg(not(feature = "json"))]
        assert_eq!(kind::<tree::Tree>("[1]"), ErrorKind::Unsupported);
        assert_eq!(kind::<checkers::Board>("B:W33:B1"), ErrorKind::Number);
        assert_eq!(kind::<checkers::Board>("B:W21,21:B1"), ErrorKind::Duplicate);
        // An error inside a game keeps its kind.
        let game = checkers::read_pdn("1. 11-14 *").unwrap_err();
        assert_eq!(game.kind(), ErrorKind::IllegalMove, "{game}");
        let file = checkers::endings::Endings::from_bytes(b"no database").unwrap_err();
        assert_eq!(file.kind(), ErrorKind::InvalidFile, "{file}");
    }

    #[cfg(feature = "chess")]
    #[test]
    fn chess_errors_have_kinds() {
        use crate::chess::{Board, pgn};
        let fen = |text: &str| text.parse::<Board>().unwrap_err().kind();
        assert_eq!(fen("8/8/8/8/8/8/8/K1k5 x"), ErrorKind::Syntax);
        assert_eq!(fen("8/8/K1k5 w"), ErrorKind::Length);
        assert_eq!(fen("8/8/8/8/8/8/8/K7 w"), ErrorKind::IllegalPosition);
        let read = |text: &str| Board::default().read_move(text).unwrap_err().kind();
        assert_eq!(read("hello"), ErrorKind::Syntax);
        assert_eq!(read("Nf6"), ErrorKind::IllegalMove);
        let rooks: Board = "r3k3/8/8/8/8/8/4K3/R6R w q - 0 1".parse().unwrap();
        assert_eq!(rooks.read_move("Rd1").unwrap_err().kind(), ErrorKind::AmbiguousMove);
        assert_eq!(pgn::games("1. Nf6 *").next().unwrap().unwrap_err().kind(), ErrorKind::IllegalMove);
    }
}
