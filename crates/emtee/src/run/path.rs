//! The game so far, for searches in play: positions that recur, and moves that are counted.
//!
//! Both make a value depend on the path, and the table holds facts about positions alone. So a draw by recurrence is stored
//! nowhere, and neither is any bound that rests on one.

use alloc::vec::Vec;

use crate::game::{Game, Outcome};
use crate::node::Keyed;

/// The keys of the positions from the first of the game to the node being visited.
#[derive(Clone)]
pub(crate) struct Path {
    keys: Vec<u64>,
    /// How many positions the game has before the one to be searched.
    before: usize,
    /// Where the root of the search stands: further on while a principal variation is proved.
    root: usize,
    /// Whether the last value found rests on the path.
    pub(crate) decided: bool,
}

/// Room for the deepest search.
const ROOM: usize = 257;

impl Path {
    /// After a game through these positions, the root comes next.
    pub(crate) fn after<G: Game>(positions: &[G]) -> Path {
        let mut keys: Vec<u64> = positions.iter().map(G::key).collect();
        keys.resize(positions.len() + ROOM, 0);
        Path { keys, before: positions.len(), root: positions.len(), decided: false }
    }

    /// Takes the next position of a variation for the root.
    pub(crate) fn go_on_from<G: Game>(&mut self, n: &G) {
        self.keys[self.root] = n.key();
        self.root += 1;
    }

    /// The root is the position after the game again.
    pub(crate) fn return_to_root(&mut self) {
        self.root = self.before;
    }

    /// A position is visited, so many plies from the root. How the game ends, if what came before ends it.
    pub(crate) fn visit<G: Game>(&mut self, n: &Keyed<G>, halfmove_clock: u32, ply: u8) -> Option<Outcome> {
        let place = self.root + usize::from(ply);
        self.keys[place] = n.key;
        if ply == 0 {
            return None; // The root must return a move even if the position is a repetition.
        }
        let first = place.saturating_sub(halfmove_clock as usize);
        if self.keys[first..place].contains(&n.key) {
            return Some(n.position.repeated());
        }
        G::DRAWN_AFTER.filter(|&most| halfmove_clock >= most).map(|_| Outcome::Drawn)
    }
}
