//! Connect Four, Kalah and tic-tac-toe as one type.
//!
//! A search is compiled for each type of game. Where bytes count more than speed, as in a page, one search for all three
//! is a third of the code; each game is searched as it is by itself, node for node.

use std::fmt;
use std::str::FromStr;

use emtee::{Game, Moves, Outcome, Side, Tuning};

use crate::drawing::{Drawing, Drawn};
use crate::error::Error;
use crate::{connect4, kalah, tictactoe};

/// A position of one of the small games.
///
/// Its order of moves is that of the game, but [`Tuning::ordering`] belongs to a type: use that of the game instead.
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
    /// Of Connect Four.
    Connect4(connect4::Board),
    /// Of Kalah.
    Kalah(kalah::Board),
    /// Of tic-tac-toe.
    TicTacToe(tictactoe::Board),
}

use Board::{Connect4, Kalah, TicTacToe};

/// A column, a pit or a square, shown as the game shows it: from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// The same of whichever board it is.
macro_rules! of {
    ($board:expr, $it:ident => $what:expr) => {
        match $board {
            Connect4($it) => $what,
            Kalah($it) => $what,
            TicTacToe($it) => $what,
        }
    };
}

impl Game for Board {
    type Move = Move;

    const TUNING: Tuning = Tuning {
        // As each of them has it.
        etc: None,
        ..Tuning::DEFAULT
    };

    #[inline]
    fn turn(&self) -> Side {
        of!(self, board => board.turn())
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
        of!(self, board => board.outcome())
    }

    #[inline]
    fn evaluate(&self) -> i32 {
        of!(self, board => board.evaluate())
    }

    #[inline]
    fn key(&self) -> u64 {
        of!(self, board => board.key())
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
        of!(self, board => board.has_choice())
    }
}

/// Connect Four's start.
impl Default for Board {
    fn default() -> Board {
        Connect4(connect4::Board::default())
    }
}

/// Of the first game that can read the text.
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
        of!(self, board => board.drawing())
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        of!(self, board => board.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_game;

    #[test]
    fn laws_texts_and_keys() {
        for start in [Board::default(), Kalah(kalah::Board::default()), TicTacToe(tictactoe::Board::default())] {
            // Mirror images of Connect Four share a key, as they do there: the keys are those of the game.
            check_game(&start, |a, b| a == b || matches!((a, b), (Connect4(a), Connect4(b)) if a.key() == b.key()));
        }
    }
}
