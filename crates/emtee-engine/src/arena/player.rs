//! What a match asks of a player, whoever it is.

use std::time::Duration;

use crate::arena::Fault;
use crate::position::Position;

/// Somebody who plays.
pub trait Player: Send {
    /// Makes ready for another game. After a fault, begins anew.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// Chooses a move.
    fn choose(&mut self, game: &Played<'_>, limits: &Limits) -> Result<Reply, Fault>;
}

/// A game so far.
#[derive(Clone, Copy)]
pub struct Played<'g> {
    /// Where it began.
    pub start: &'g dyn Position,
    /// Whether that is where all games begin.
    pub from_start: bool,
    /// The moves since, the opening included.
    pub moves: &'g [String],
    /// Where it stands.
    pub now: &'g dyn Position,
}

/// How long a player may think about one move. It ends at the first limit it meets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The clocks.
    pub clocks: Option<Clocks>,
    /// How deep, in plies.
    pub depth: Option<u8>,
    /// How many nodes.
    pub nodes: Option<u64>,
    /// When nobody waits any longer.
    pub patience: Duration,
}

/// The clocks of both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// What is left to each side.
    pub left: [Duration; 2],
    /// What a side gets for each move.
    pub increment: Duration,
}

/// A player's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The move, as the game writes it.
    pub m: String,
    /// What it thinks of its position.
    pub value: Option<i32>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// How many nodes it visited.
    pub nodes: Option<u64>,
}
