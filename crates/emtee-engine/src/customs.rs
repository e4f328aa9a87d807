//! What is particular to a game, beyond its rules.

use std::sync::Arc;

use emtee::Game;
use emtee_games::checkers::endings::Endings;
use emtee_games::drawing::Drawing;
use emtee_games::othello::notation::read_moves;
use emtee_games::{checkers, chess, othello};

use crate::endings::Probing;
use crate::error::Error;
use crate::position::Playable;
use crate::session::Finisher;
use crate::solve::{Halt, Proof, Solve, Watch, plain};

/// Reads a word as the moves that players mean by it.
pub(crate) type ReadMoves<G> = fn(&G, &str) -> Result<Vec<<G as Game>::Move>, String>;

/// Solves a position.
pub(crate) type SolveBy<G> = fn(&G, &Solve, &mut Watch<'_>) -> Result<Proof<<G as Game>::Move>, Halt>;

/// A database, and how to ask it.
pub(crate) type Asked<'e, G> = Option<(&'static dyn Probing<G>, &'e Arc<Endings>)>;

/// Writes a legal move as players do.
pub(crate) type WriteMove<G> = fn(&G, <G as Game>::Move) -> String;

/// The customs of a game.
pub(crate) struct Customs<G: Playable> {
    /// What a line counts that ends before its time.
    pub(crate) ended: u64,
    /// How its boards are drawn, if they are more than text.
    pub(crate) draw: Option<fn(&G) -> Drawing>,
    /// How players write moves, if not only as the game itself does.
    pub(crate) read: Option<ReadMoves<G>>,
    /// How it is solved.
    pub(crate) solve: SolveBy<G>,
    /// Who plays its end.
    pub(crate) end: Option<Finisher<G>>,
    /// How it asks an endings database, if it has such.
    pub(crate) endings: Option<&'static dyn Probing<G>>,
    /// How players write a move, if not as the game itself does.
    pub(crate) write: Option<WriteMove<G>>,
    /// Whether nobody can win any more, if that ends the game.
    pub(crate) dead: Option<fn(&G) -> bool>,
}

impl<G: Playable> Clone for Customs<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Playable> Copy for Customs<G> {}

impl<G: Playable> Customs<G> {
    /// Those of a game that has no more than its text.
    pub(crate) const PLAIN: Customs<G> =
        Customs { ended: 0, draw: None, read: None, write: None, dead: None, solve: plain, end: None, endings: None };

    /// The same, with a solver of its own.
    pub(crate) fn solved_by(self, solve: SolveBy<G>) -> Customs<G> {
        Customs { solve, ..self }
    }

    /// The same, with someone who plays its end.
    pub(crate) fn finished_by(self, end: Finisher<G>) -> Customs<G> {
        Customs { end: Some(end), ..self }
    }

    /// The same, with endings databases.
    pub(crate) fn asking(self, endings: &'static dyn Probing<G>) -> Customs<G> {
        Customs { endings: Some(endings), ..self }
    }

    /// How to ask a database, if there is one to be asked.
    pub(crate) fn probing<'e>(&self, game: &str, endings: &'e Option<Arc<Endings>>) -> Result<Asked<'e, G>, Error> {
        match (endings, self.endings) {
            (None, _) => Ok(None),
            (Some(endings), Some(probing)) => Ok(Some((probing, endings))),
            (Some(_), None) => Err(Error::NoEndings { game: game.to_owned() }),
        }
    }
}

/// UCI and SAN.
pub(crate) fn chess_moves(board: &chess::Board, text: &str) -> Result<Vec<chess::Move>, String> {
    board.read_move(text).map(|m| vec![m]).map_err(|error| error.to_string())
}

/// Moves run together, `f5d6c3`, and passes left out.
pub(crate) fn othello_moves(board: &othello::Board, text: &str) -> Result<Vec<othello::Move>, String> {
    read_moves(board, text).map_err(|error| error.to_string())
}

/// Jumps by their ends.
pub(crate) fn checkers_moves(board: &checkers::Board, text: &str) -> Result<Vec<checkers::Move>, String> {
    board.parse_move(text).map(|m| vec![m]).map_err(|error| error.to_string())
}
