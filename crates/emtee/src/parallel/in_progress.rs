//! The in-progress table, as in ABDADA: marks the positions that threads are searching, so that other threads defer them.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::key::mix;

/// The size of the table, and the number of slots that a mark may use.
const SLOTS: usize = 1 << 12;
const WAYS: usize = 4;

/// The set of marks of the positions being searched. When a bucket is full, a mark replaces another. A lost or late mark costs
/// time, never correctness.
pub(crate) struct InProgress {
    slots: Box<[AtomicU64]>,
}

/// The hash of a position, a depth and the γ of the pass.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark(pub(super) u64);

impl Mark {
    #[inline(always)]
    pub(crate) fn new(key: u64, depth: u8) -> Mark {
        Mark(mix(key ^ u64::from(depth) << 56) | 1) // 0 is an empty slot.
    }
}

impl InProgress {
    pub(crate) fn new() -> InProgress {
        InProgress { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline(always)]
    fn slots(&self, mark: Mark) -> &[AtomicU64] {
        let first = (mark.0 >> 40) as usize % (SLOTS / WAYS) * WAYS;
        &self.slots[first..first + WAYS]
    }

    /// Whether a thread is searching the position.
    #[inline(always)]
    pub(crate) fn contains(&self, mark: Mark) -> bool {
        self.slots(mark).iter().any(|slot| slot.load(Relaxed) == mark.0)
    }

    /// Marks a position when a thread begins to search it.
    #[inline(always)]
    pub(crate) fn insert(&self, mark: Mark) {
        let slots = self.slots(mark);
        let free = slots.iter().find(|slot| slot.load(Relaxed) == 0).unwrap_or(&slots[0]);
        free.store(mark.0, Relaxed);
    }

    /// Removes the mark when a thread has searched the position.
    #[inline(always)]
    pub(crate) fn remove(&self, mark: Mark) {
        for slot in self.slots(mark) {
            if slot.load(Relaxed) == mark.0 {
                slot.store(0, Relaxed);
            }
        }
    }

    /// Removes all marks.
    #[cfg(any(feature = "std", test))]
    pub(crate) fn clear(&self) {
        for slot in &self.slots {
            slot.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_marked_until_its_search_ends() {
        let in_progress = InProgress::new();
        let marks: [Mark; 3] = core::array::from_fn(|n| Mark::new(n as u64, 5));
        for mark in marks {
            assert!(!in_progress.contains(mark));
            in_progress.insert(mark);
            assert!(in_progress.contains(mark));
        }
        in_progress.remove(marks[1]);
        assert_eq!(marks.map(|mark| in_progress.contains(mark)), [true, false, true]);
        assert!(!in_progress.contains(Mark::new(0, 6)));
        in_progress.clear();
        assert!(!in_progress.contains(marks[0]));
    }

    #[test]
    fn two_thousand_marks_fit() {
        let in_progress = InProgress::new();
        let marks = (0..2_000).map(|n| Mark::new(n, 5));
        marks.clone().for_each(|mark| in_progress.insert(mark));
        let held = marks.filter(|&mark| in_progress.contains(mark)).count();
        assert!(held > 1_800, "{held}");
    }
}
