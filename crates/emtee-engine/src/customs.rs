//! What is particular to a game, beyond its rules.

use emtee::Game;
use emtee_games::drawing::Drawing;
use emtee_games::othello::notation::read_moves;
use emtee_games::{checkers, chess, othello};

/// Reads a word as the moves that players mean by it.
pub(crate) type ReadMoves<G> = fn(&G, &str) -> Result<Vec<<G as Game>::Move>, String>;

/// Writes a legal move as players do.
pub(crate) type WriteMove<G> = fn(&G, <G as Game>::Move) -> String;

/// The customs of a game.
pub(crate) struct Customs<G: Game> {
    /// What a line counts that ends before its time.
    pub(crate) ended: u64,
    /// How its boards are drawn, if they are more than text.
    pub(crate) draw: Option<fn(&G) -> Drawing>,
    /// How players write moves, if not only as the game itself does.
    pub(crate) read: Option<ReadMoves<G>>,
    /// How players write a move, if not as the game itself does.
    pub(crate) write: Option<WriteMove<G>>,
    /// Whether nobody can win any more, if that ends the game.
    pub(crate) dead: Option<fn(&G) -> bool>,
}

impl<G: Game> Clone for Customs<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Customs<G> {}

impl<G: Game> Customs<G> {
    /// Those of a game that has no more than its text.
    pub(crate) const PLAIN: Customs<G> = Customs { ended: 0, draw: None, read: None, write: None, dead: None };
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
