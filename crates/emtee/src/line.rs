//! The game so far, for searches in play: positions that recur, and moves that are counted.
//!
//! Both make a value depend on the path, and the table holds facts about positions alone. So a draw by recurrence is stored
//! nowhere, and neither is any bound that rests on one.

use alloc::vec::Vec;

use crate::game::{Game, Outcome};

/// The keys of the positions from the first of the game to the node being visited.
pub(crate) struct Line<'s> {
    keys: &'s mut [u64],
    /// Where the root stands.
    root: usize,
    /// Whether the last value found rests on the path.
    pub(crate) decided: bool,
}

/// Room for the deepest search.
const ROOM: usize = 257;

/// What a search remembers of a game: the keys, and room for the positions to come.
pub(crate) fn game_of<G: Game>(positions: &[G]) -> Vec<u64> {
    let mut keys: Vec<u64> = positions.iter().map(G::key).collect();
    keys.resize(positions.len() + ROOM, 0);
    keys
}

impl<'s> Line<'s> {
    pub(crate) fn new(keys: &'s mut [u64]) -> Line<'s> {
        let root = keys.len() - ROOM;
        Line { keys, root, decided: false }
    }

    /// What another thread needs to go on from the root.
    #[cfg(feature = "std")]
    pub(crate) fn so_far(&self) -> Vec<u64> {
        self.keys.to_vec()
    }

    /// Takes the next position of a variation for the root.
    pub(crate) fn go_on_from<G: Game>(&mut self, n: &G) {
        self.keys[self.root] = n.key();
        self.root += 1;
    }

    /// A position is visited, so many plies from the root. How the game ends, if what came before ends it.
    pub(crate) fn visit<G: Game>(&mut self, n: &G, reversible: u32, ply: u8) -> Option<Outcome> {
        let (key, place) = (n.key(), self.root + usize::from(ply));
        self.keys[place] = key;
        if ply == 0 {
            return None; // Somebody wants a move.
        }
        let first = place.saturating_sub(reversible as usize);
        if self.keys[first..place].contains(&key) {
            return Some(n.repeated());
        }
        G::DRAWN_AFTER.filter(|&most| reversible >= most).map(|_| Outcome::Drawn)
    }
}
