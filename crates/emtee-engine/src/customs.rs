//! What is particular to a game, beyond its rules.

use std::sync::Arc;

use emtee::{Bounds, Evaluate, Game};
use emtee_games::checkers::endings::{Endings, Judge};
use emtee_games::drawing::Drawing;
use emtee_games::othello::notation::read_moves;
use emtee_games::{checkers, chess, othello};

use crate::error::Error;

/// Reads a word as the moves that players mean by it.
pub(crate) type ReadMoves<G> = fn(&G, &str) -> Result<Vec<<G as Game>::Move>, String>;

/// The customs of a game.
pub(crate) struct Customs<G: Game> {
    /// What a line counts that ends before its time.
    pub(crate) ended: u64,
    /// How its boards are drawn, if they are more than text.
    pub(crate) draw: Option<fn(&G) -> Drawing>,
    /// How players write moves, if not only as the game itself does.
    pub(crate) read: Option<ReadMoves<G>>,
    /// How an endings database judges its positions, if there are any.
    pub(crate) judge: Option<fn(&Arc<Endings>) -> Judged<G>>,
}

/// An evaluator of a game that is chosen when the program runs.
pub(crate) struct Judged<G>(Arc<dyn Evaluate<G> + Send + Sync>);

impl<G> Evaluate<G> for Judged<G> {
    fn evaluate(&self, position: &G) -> i32 {
        self.0.evaluate(position)
    }

    fn known(&self, position: &G) -> Option<Bounds> {
        self.0.known(position)
    }
}

/// By a database of checkers endings.
pub(crate) fn checkers_judge(endings: &Arc<Endings>) -> Judged<checkers::Board> {
    Judged(Arc::new(Judge::new(endings.clone())))
}

impl<G: Game> Clone for Customs<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Customs<G> {}

impl<G: Game> Customs<G> {
    /// Those of a game that has no more than its text.
    pub(crate) const PLAIN: Customs<G> = Customs { ended: 0, draw: None, read: None, judge: None };
}

impl<G: Game> Customs<G> {
    /// The evaluator that goes with a database, if there is one.
    pub(crate) fn judged(&self, game: &str, endings: Option<&Arc<Endings>>) -> Result<Option<Judged<G>>, Error> {
        match (endings, self.judge) {
            (None, _) => Ok(None),
            (Some(endings), Some(judge)) => Ok(Some(judge(endings))),
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
