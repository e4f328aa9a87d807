//! Players that are searches of ours.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{Fault, Limits, Played, Player, Reply};
use crate::error::Error;
use crate::registry::Entry;
use crate::row::Row;
use crate::session::{Clock, Control, Engine, Play};

/// An engine of ours.
pub(crate) struct Ours {
    engine: Box<dyn Engine>,
    stop: Arc<AtomicBool>,
}

impl Ours {
    pub(crate) fn new(game: &dyn Entry, play: &Play, stop: Arc<AtomicBool>) -> Result<Ours, Fault> {
        let engine = game.engine(play).map_err(|error| Fault::CannotStart(error.to_string()))?;
        Ok(Ours { engine, stop })
    }
}

fn failed(error: Error) -> Fault {
    Fault::Failed(error.to_string())
}

impl Player for Ours {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.engine.new_game().map_err(failed)
    }

    fn choose(&mut self, game: &Played<'_>, limits: &Limits) -> Result<Reply, Fault> {
        let turn = game.now.turn().index();
        let clock = Clock {
            move_time: limits.move_time,
            left: limits.clocks.as_ref().map(|clocks| clocks.left[turn]),
            increment: limits.clocks.as_ref().map(|clocks| clocks.increment).unwrap_or_default(),
            depth: limits.depth,
            nodes: limits.nodes,
            ..Clock::default()
        };
        let control = Control::default();
        let mut glance = |_: &Row| {
            if self.stop.load(Relaxed) {
                control.stop();
            }
        };
        let choice = self.engine.think(game.now, &clock, &control, &mut glance).map_err(failed)?;
        if self.stop.load(Relaxed) {
            return Err(Fault::Stopped);
        }
        Ok(Reply {
            m: choice.best_move.ok_or_else(|| Fault::Failed(String::from("it found no move")))?,
            value: choice.row.value,
            depth: Some(u32::from(choice.row.depth)),
            nodes: Some(choice.row.counts.nodes()),
        })
    }
}
