//! Solvers that play the end of a game under a clock.

use std::fmt::Display;
use std::time::Duration;

use emtee::{Game, Value};

use super::control::Control;
use crate::row::{Row, RowMaker};

/// Solves the end of a game instead of searching it.
pub trait EndgameSolver<G: Game>: Send {
    /// Whether this many nodes are probably enough to solve the position.
    fn is_solvable(&self, board: &G, nodes: u64) -> bool;

    /// The result proved within the node limit and before a stop. `None` if it is not enough to choose a move.
    fn solve(&mut self, board: &G, nodes: u64, control: &Control) -> Option<EndgameSolution<G::Move>>;

    /// Clears the table.
    fn clear(&mut self);
}

/// Makes an endgame solver.
pub type MakeEndgameSolver<G> = fn() -> Box<dyn EndgameSolver<G>>;

/// A solved position.
#[derive(Clone, Debug)]
pub struct EndgameSolution<M> {
    /// The value, or a lower bound on it that the best move proves.
    pub value: i32,
    /// Whether the value is exact. If not, only the winner is known.
    pub exact: bool,
    /// The best move and the line that follows.
    pub line: Vec<M>,
    /// Plies to the end of the game.
    pub plies: u8,
    /// The nodes it took.
    pub nodes: u64,
}

impl<M> EndgameSolution<M> {
    /// Replaces the result in the row of a preliminary search by the solved one.
    pub(crate) fn apply_to(&self, mut row: Row, maker: &RowMaker, time: Duration) -> Row
    where
        M: Display,
    {
        row.depth = self.plies;
        row.value = Some(self.value);
        row.value_text = Value::score(self.value).unwrap_or_default().to_string();
        (row.win_in, row.loss_in) = (None, None);
        (row.lower, row.upper) = (self.value, if self.exact { self.value } else { row.upper.max(self.value) });
        row.pv = maker.all_written(&self.line);
        row.best_move = row.pv.first().cloned();
        row.counts.interior += self.nodes;
        row.seconds = time.as_secs_f64();
        row.exact = self.exact;
        row.complete = true;
        row
    }
}

/// The solver's speed on a slow machine.
const NODES_PER_SECOND: f64 = 10e6;

/// The number of nodes for this time. Without a limit, the number that may be needed at most.
pub(crate) fn nodes_in(time: Option<Duration>) -> u64 {
    time.map_or(200_000_000, |time| (time.as_secs_f64() * NODES_PER_SECOND) as u64)
}
