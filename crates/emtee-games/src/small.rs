//! Connect Four, Kalah and tic-tac-toe as one type.
//!
//! A search is compiled once for each game type. With this type one search serves all three games: a third of the code, for
//! programs where size matters more than speed, like a web page. Each game has the same search as on its own, node for node.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side, Tuning};

use crate::drawing::{Drawing, Drawn};
use crate::error::Error;
use crate::{connect4, kalah, tictactoe};

/// A position of one of the small games.
///
/// Moves are listed in the order of the game. [`Tuning::ordering`] is a constant of the type: use that of the game's own board.
///
/// ```
/// use emtee::Game;
/// use emtee_games::{connect4, small::Board};
///
/// let board = Board::Connect4(connect4::Board::default());
/// assert_eq!(board.turn(), connect4::Board::default().turn());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// A position of Connect Four.
    Connect4(connect4::Board),
    /// A position of Kalah.
    Kalah(kalah::Board),
    /// A position of tic-tac-toe.
    TicTacToe(tictactoe::Board),
}

use Board::{Connect4, Kalah, TicTacToe};

/// A column, a pit or a square, displayed from 1 as in its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// The same expression for all three boards.
macro_rules! delegate {
    ($value:expr, $board:ident => $result:expr) => {
        match $value {
            Connect4($board) => $result,
            Kalah($board) => $result,
            TicTacToe($board) => $result,
        }
    };
}

impl Game for Board {
    type Move = Move;

    const TUNING: Tuning = Tuning {
        // As in each of the three games.
        etc: None,
        ..Tuning::DEFAULT
    };

    #[inline]
    fn turn(&self) -> Side {
        delegate!(self, board => board.turn())
    }

    fn moves(&self, moves: &mut Moves<Move>) {
        match self {
            Connect4(board) => board.list(moves, |m| Move(m.0)),
            Kalah(board) => board.list(moves, |m| Move(m.0)),
            TicTacToe(board) => board.list(moves, |m| Move(m.0)),
        }
    }

    #[inline]
    fn play(&self, m: Move) -> Board {
        match self {
            Connect4(board) => Connect4(board.play(connect4::Column(m.0))),
            Kalah(board) => Kalah(board.play(kalah::Pit(m.0))),
            TicTacToe(board) => TicTacToe(board.play(tictactoe::Square(m.0))),
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        delegate!(self, board => board.outcome())
    }

    #[inline]
    fn evaluate(&self) -> i32 {
        delegate!(self, board => board.evaluate())
    }

    #[inline]
    fn key(&self) -> u64 {
        delegate!(self, board => board.key())
    }

    #[inline]
    fn key_after(&self, m: Move) -> Option<u64> {
        match self {
            Connect4(board) => board.key_after(connect4::Column(m.0)),
            Kalah(board) => board.key_after(kalah::Pit(m.0)),
            TicTacToe(board) => board.key_after(tictactoe::Square(m.0)),
        }
    }

    #[inline]
    fn code(&self, m: Move, index: usize) -> u16 {
        match self {
            Connect4(board) => board.code(connect4::Column(m.0), index),
            Kalah(board) => board.code(kalah::Pit(m.0), index),
            TicTacToe(board) => board.code(tictactoe::Square(m.0), index),
        }
    }

    #[inline]
    fn move_from_code(&self, code: u16) -> Option<Move> {
        match self {
            Connect4(board) => board.move_from_code(code).map(|m| Move(m.0)),
            Kalah(board) => board.move_from_code(code).map(|m| Move(m.0)),
            TicTacToe(board) => board.move_from_code(code).map(|m| Move(m.0)),
        }
    }

    #[inline]
    fn has_choice(&self) -> bool {
        delegate!(self, board => board.has_choice())
    }
}

/// The start position of Connect Four.
impl Default for Board {
    fn default() -> Board {
        Connect4(connect4::Board::default())
    }
}

/// The position of the first game that can read the text: Connect Four, Kalah, then tic-tac-toe.
impl FromStr for Board {
    type Err = Error;

    fn from_str(text: &str) -> Result<Board, Error> {
        let connect4 = text.parse().map(Connect4);
        connect4
            .or_else(|error| text.parse().map(Kalah).or_else(|_| text.parse().map(TicTacToe)).map_err(|_: Error| error))
    }
}

impl Drawn for Board {
    fn drawing(&self) -> Drawing {
        delegate!(self, board => board.drawing())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        delegate!(self, board => board.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_game;

    #[test]
    fn laws_texts_and_keys() {
        for start in [Board::default(), Kalah(kalah::Board::default()), TicTacToe(tictactoe::Board::default())] {
            // Mirror images of Connect Four share a key, as in the game itself.
            check_game(&start, |a, b| a == b || matches!((a, b), (Connect4(a), Connect4(b)) if a.key() == b.key()));
        }
    }
}
