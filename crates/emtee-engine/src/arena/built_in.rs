//! Built-in players: our own engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{GameSoFar, Limits, Player, PlayerError, Reply};
use crate::error::Error;
use crate::registry::Entry;
use crate::session::{Clock, Control, Engine, Play};

/// A built-in player.
pub(crate) struct BuiltIn {
    engine: Box<dyn Engine>,
    stop: Arc<AtomicBool>,
}

impl BuiltIn {
    pub(crate) fn new(game: &dyn Entry, play: &Play, stop: Arc<AtomicBool>) -> Result<BuiltIn, PlayerError> {
        let engine = game.engine(play).map_err(|error| PlayerError::CannotStart(error.to_string()))?;
        Ok(BuiltIn { engine, stop })
    }
}

fn failed(error: Error) -> PlayerError {
    PlayerError::Failed(error.to_string())
}

impl Player for BuiltIn {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.engine.new_game().map_err(failed)
    }

    fn choose(&mut self, game: &GameSoFar<'_>, limits: &Limits) -> Result<Reply, PlayerError> {
        let turn = game.current.turn().index();
        let clock = Clock {
            move_time: limits.move_time,
            left: limits.clocks.as_ref().map(|clocks| clocks.left[turn]),
            increment: limits.clocks.as_ref().map(|clocks| clocks.increment).unwrap_or_default(),
            depth: limits.depth,
            nodes: limits.nodes,
            ..Clock::default()
        };
        let control = Control::with_flag(self.stop.clone());
        let choice = self.engine.think(game.current, &clock, &control, &mut |_| ()).map_err(failed)?;
        if self.stop.load(Relaxed) {
            return Err(PlayerError::Stopped);
        }
        Ok(Reply {
            m: choice.best_move.ok_or_else(|| PlayerError::Failed(String::from("it found no move")))?,
            value: choice.row.value,
            depth: Some(u32::from(choice.row.depth)),
            nodes: Some(choice.row.counts.nodes()),
        })
    }
}
