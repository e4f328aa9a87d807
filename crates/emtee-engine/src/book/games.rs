//! Which positions occur in games on paper, and how often.

use std::collections::{BTreeMap, HashMap};

use crate::position::Position;
use crate::record::Record;
use crate::registry::Entry;

/// The moves of many games, as a tree.
#[derive(Default)]
pub(crate) struct Played {
    games: u32,
    next: BTreeMap<String, Played>,
}

/// A position that occurs less often says nothing.
const LEAST: u32 = 2;

impl Played {
    /// Adds the first moves of the games of a collection. How many games there were, and how many could not be read.
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

    /// How often positions occur after this one, by key, if they do more than once.
    pub(crate) fn count(&self, position: &dyn Position, counts: &mut HashMap<u64, u32>) {
        for (m, after) in self.next.iter().filter(|(_, after)| after.games >= LEAST) {
            // What is no move is left out, with all that follows.
            let Ok(position) = position.after(m) else { continue };
            *counts.entry(position.book_key()).or_default() += after.games;
            after.count(&*position, counts);
        }
    }
}
