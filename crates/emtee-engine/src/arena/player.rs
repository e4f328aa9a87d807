//! The interface between a match and its players.

use std::time::Duration;

use crate::arena::PlayerError;
use crate::position::Position;

/// A player.
pub trait Player: Send {
    /// Prepares for another game. After an error, it restarts the player.
    fn new_game(&mut self) -> Result<(), PlayerError>;

    /// Chooses a move.
    fn choose(&mut self, game: &GameSoFar<'_>, limits: &Limits) -> Result<Reply, PlayerError>;
}

/// A game in progress.
#[derive(Clone, Copy)]
pub struct GameSoFar<'g> {
    /// The initial position.
    pub start: &'g dyn Position,
    /// Whether this is the game's start position.
    pub from_start: bool,
    /// The moves since then, the opening included.
    pub moves: &'g [String],
    /// The current position.
    pub current: &'g dyn Position,
}

/// The limits of one move. The search ends at the first limit that it reaches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The clocks.
    pub clocks: Option<Clocks>,
    /// The depth in plies.
    pub depth: Option<u8>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The time after which the player counts as hanging.
    pub patience: Duration,
}

/// The clocks of both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// The time left for each side.
    pub left: [Duration; 2],
    /// The increment per move.
    pub increment: Duration,
}

/// A player's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The move, in the game's notation.
    pub m: String,
    /// The player's evaluation of the position.
    pub value: Option<i32>,
    /// The depth of its search.
    pub depth: Option<u32>,
    /// The nodes of its search.
    pub nodes: Option<u64>,
}
