//! The positions of recorded games and how often they occur.

use std::collections::{BTreeMap, HashMap};

use crate::position::Position;
use crate::record::Record;
use crate::registry::Entry;

/// The moves of many games, as a tree.
#[derive(Default)]
pub(crate) struct GameTree {
    games: u32,
    next: BTreeMap<String, GameTree>,
}

/// Positions that occur in fewer games are ignored.
const MIN_GAMES: u32 = 2;

impl GameTree {
    /// Adds the first moves of the games of a collection. Returns the number of games read and the number that could
    /// not be read.
    pub(crate) fn add(&mut self, bytes: &[u8], game: &dyn Entry, plies: usize) -> Result<(usize, usize), String> {
        let mut games = 0;
        let unread = Record::each_line(bytes, game, plies, &mut |moves| {
            games += 1;
            let mut now = &mut *self;
            for m in moves {
                now = now.next.entry(m).or_default();
                now.games += 1;
            }
        })?;
        Ok((games, unread))
    }

    /// Counts how often positions occur after this one, by key, if they occur more than once.
    pub(crate) fn count(&self, position: &dyn Position, counts: &mut HashMap<u64, u32>) {
        for (m, after) in self.next.iter().filter(|(_, after)| after.games >= MIN_GAMES) {
            // An illegal move is skipped, with everything after it.
            let Ok(position) = position.after(m) else { continue };
            *counts.entry(position.book_key()).or_default() += after.games;
            after.count(&*position, counts);
        }
    }
}
