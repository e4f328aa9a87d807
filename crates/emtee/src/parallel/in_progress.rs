//! The positions that threads are searching at the moment, as in ABDADA, so that other threads can defer them.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::key::mix;

/// The size of the table, and how many slots a position may use.
const PLACES: usize = 1 << 12;
const WAYS: usize = 4;

/// A table of marks, one for each position being searched, as far as there is room. A mark that is lost or late costs time,
/// never correctness.
pub(crate) struct InProgress {
    places: Box<[AtomicU64]>,
}

/// A position at a depth, in one pass.
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
        InProgress { places: (0..PLACES).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline(always)]
    fn places(&self, mark: Mark) -> &[AtomicU64] {
        let first = (mark.0 >> 40) as usize % (PLACES / WAYS) * WAYS;
        &self.places[first..first + WAYS]
    }

    /// Whether a thread is searching it.
    #[inline(always)]
    pub(crate) fn holds(&self, mark: Mark) -> bool {
        self.places(mark).iter().any(|place| place.load(Relaxed) == mark.0)
    }

    /// A thread begins to search it.
    #[inline(always)]
    pub(crate) fn enter(&self, mark: Mark) {
        let places = self.places(mark);
        let free = places.iter().find(|place| place.load(Relaxed) == 0).unwrap_or(&places[0]);
        free.store(mark.0, Relaxed);
    }

    /// A thread has searched it.
    #[inline(always)]
    pub(crate) fn leave(&self, mark: Mark) {
        for place in self.places(mark) {
            if place.load(Relaxed) == mark.0 {
                place.store(0, Relaxed);
            }
        }
    }

    /// Removes all marks.
    #[cfg(any(feature = "std", test))]
    pub(crate) fn clear(&self) {
        for place in &self.places {
            place.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_marked_until_its_search_ends() {
        let marks_held = InProgress::new();
        let marks: [Mark; 3] = core::array::from_fn(|n| Mark::new(n as u64, 5));
        for mark in marks {
            assert!(!marks_held.holds(mark));
            marks_held.enter(mark);
            assert!(marks_held.holds(mark));
        }
        marks_held.leave(marks[1]);
        assert_eq!(marks.map(|mark| marks_held.holds(mark)), [true, false, true]);
        assert!(!marks_held.holds(Mark::new(0, 6)));
        marks_held.clear();
        assert!(!marks_held.holds(marks[0]));
    }

    #[test]
    fn two_thousand_marks_fit() {
        let marks_held = InProgress::new();
        let marks = (0..2_000).map(|n| Mark::new(n, 5));
        marks.clone().for_each(|mark| marks_held.enter(mark));
        let held = marks.filter(|&mark| marks_held.holds(mark)).count();
        assert!(held > 1_800, "{held}");
    }
}
