//! What the endgame solver remembers.

use emtee::mix;

/// What is known of a position, which is kept whole: a hash clash may cost time, never a wrong score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    own: u64,
    opponent: u64,
    /// The score is at least this,
    pub(crate) lower: i8,
    /// and at most this.
    pub(crate) upper: i8,
    /// The best move found, 64 for none.
    pub(crate) best: u8,
    empties: u8,
}

const EMPTY: Entry = Entry { own: 0, opponent: 0, lower: -64, upper: 64, best: 64, empties: 0 };

/// Pairs of entries; a position may be in either of its pair.
#[derive(Debug)]
pub(crate) struct EndgameTable {
    entries: Box<[Entry]>,
}

impl EndgameTable {
    /// About so many entries.
    pub(crate) fn new(entries: usize) -> EndgameTable {
        let entries = entries.clamp(2, 1 << 30).next_power_of_two();
        EndgameTable { entries: vec![EMPTY; entries].into() }
    }

    #[inline(always)]
    fn slot(&self, own: u64, opponent: u64) -> usize {
        mix(own ^ mix(opponent)) as usize & (self.entries.len() - 1)
    }

    /// What is known of a position.
    #[inline(always)]
    pub(crate) fn retrieve(&self, own: u64, opponent: u64) -> Option<&Entry> {
        let slot = self.slot(own, opponent);
        [&self.entries[slot], &self.entries[slot ^ 1]].into_iter().find(|e| e.own == own && e.opponent == opponent)
    }

    /// Keeps what a null-window search at `alpha` has found.
    #[inline(always)]
    pub(crate) fn store(&mut self, own: u64, opponent: u64, alpha: i32, g: i32, best: u8, empties: u32) {
        let slot = self.slot(own, opponent);
        let same = |e: &Entry| e.own == own && e.opponent == opponent;
        // Of the two places, the one that has this position, else the one with the smaller tree below it.
        let at = if same(&self.entries[slot]) {
            slot
        } else if same(&self.entries[slot ^ 1]) || self.entries[slot ^ 1].empties < self.entries[slot].empties {
            slot ^ 1
        } else {
            slot
        };
        let entry = &mut self.entries[at];
        if !same(entry) {
            *entry = Entry { own, opponent, empties: empties as u8, ..EMPTY };
        }
        if g > alpha {
            entry.lower = entry.lower.max(g as i8);
            entry.best = best;
        } else {
            entry.upper = entry.upper.min(g as i8);
            if entry.best == 64 {
                entry.best = best;
            }
        }
    }
}
