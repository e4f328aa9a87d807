//! The game history and the current line, for searches in play: draws by repetition and by the halfmove clock.
//!
//! Both make a value depend on the path, but a table entry is a fact about a position. So neither such a draw nor any bound
//! that depends on one is stored.

use alloc::vec::Vec;

use crate::game::{Game, Outcome};
use crate::node::Keyed;

/// The keys of the positions from the start of the game to the current node.
#[derive(Clone)]
pub(crate) struct Path {
    keys: Vec<u64>,
    /// The number of positions in the game before the root.
    before: usize,
    /// The index of the root; further on while a principal variation is proved.
    root: usize,
    /// Whether the last value depends on the path.
    pub(crate) decided: bool,
}

/// The longest line of a search, in positions.
const MAX_LINE: usize = 257;

impl Path {
    /// The path of a game through these positions; the root follows them.
    pub(crate) fn after<G: Game>(positions: &[G]) -> Path {
        let mut keys: Vec<u64> = positions.iter().map(G::key).collect();
        keys.resize(positions.len() + MAX_LINE, 0);
        Path { keys, before: positions.len(), root: positions.len(), decided: false }
    }

    /// Adds the root, `n`, to the path: its child becomes the root.
    pub(crate) fn advance_root<G: Game>(&mut self, n: &G) {
        self.keys[self.root] = n.key();
        self.root += 1;
    }

    /// Makes the position after the game the root again.
    pub(crate) fn return_to_root(&mut self) {
        self.root = self.before;
    }

    /// Adds the position `ply` plies from the root. Returns the outcome, if a repetition or the halfmove clock ends the game.
    pub(crate) fn visit<G: Game>(&mut self, n: &Keyed<G>, halfmove_clock: u32, ply: u8) -> Option<Outcome> {
        let index = self.root + usize::from(ply);
        self.keys[index] = n.key;
        if ply == 0 {
            return None; // The root must return a move even if the position is a repetition.
        }
        let first = index.saturating_sub(halfmove_clock as usize);
        if self.keys[first..index].contains(&n.key) {
            return Some(n.position.repeated());
        }
        G::DRAWN_AFTER.filter(|&most| halfmove_clock >= most).map(|_| Outcome::Drawn)
    }
}
