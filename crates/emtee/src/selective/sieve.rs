//! What selective search remembers, to choose by.

use alloc::boxed::Box;
use alloc::vec;

use super::Selective;
use crate::table::{NO_MOVE, spread};
use crate::value::Value;

/// The furthest from the root that a line is followed.
pub(crate) const MOST_PLIES: u8 = 240;

/// How many static evaluations are remembered.
const ESTIMATES: usize = 1 << 16;

/// The depths and places in the list that reductions are told apart for.
const DEPTHS: usize = 32;
const PLACES: usize = 64;

/// The switches, and everything that outlives a visit.
pub(crate) struct Sieve {
    pub(crate) by: Selective,
    on: bool,
    /// The line being looked at, by distance from the root.
    pub(crate) plies: Box<[Ply]>,
    /// Static evaluations: 48 bits of a key, 16 of the score.
    estimates: Box<[u64]>,
    /// Plies to take off, by depth and place in the list.
    reductions: Box<[[u8; PLACES]]>,
    /// The move that last cut off the reply to a move, by side and code of that move.
    replies: Box<[u16]>,
}

/// What is known of a position of the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ply {
    /// Its static evaluation, where that means anything.
    pub(crate) estimate: Option<Value>,
    /// The code of the move that led here; none after a pass, and at the root.
    pub(crate) played: u16,
    /// Whether a pass led here.
    pub(crate) passed: bool,
    /// The move that is left out here, to see how good the others are.
    pub(crate) excluded: u16,
}

impl Ply {
    const NONE: Ply = Ply { estimate: None, played: NO_MOVE, passed: false, excluded: NO_MOVE };
}

impl Sieve {
    pub(crate) fn new(by: Selective) -> Sieve {
        let on = by.is_on();
        let room = |size: usize| if on { size } else { 0 };
        Sieve {
            by,
            on,
            plies: vec![Ply::NONE; room(usize::from(MOST_PLIES) + 2)].into(),
            estimates: vec![0; room(ESTIMATES)].into(),
            reductions: (0..room(DEPTHS)).map(|depth| core::array::from_fn(|place| reduction(depth, place))).collect(),
            replies: vec![NO_MOVE; room(2 << 16)].into(),
        }
    }

    /// Whether the search is selective at all.
    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// Forgets what was learned.
    pub(crate) fn clear(&mut self) {
        self.plies.fill(Ply::NONE);
        self.estimates.fill(0);
        self.replies.fill(NO_MOVE);
    }

    /// The static evaluation of the position with this key, if it is remembered.
    #[inline(always)]
    pub(crate) fn recall(&self, key: u64) -> Option<Value> {
        let key = spread(key);
        let word = self.estimates[(key & 0xffff) as usize];
        (word >> 16 == key >> 16 && word != 0).then(|| Value::from_bits(word as u16))
    }

    #[inline(always)]
    pub(crate) fn remember(&mut self, key: u64, estimate: Value) {
        let key = spread(key);
        self.estimates[(key & 0xffff) as usize] = key & !0xffff | u64::from(estimate.to_bits());
    }

    /// How many plies less deeply the move at this place of the list is searched, in a node of this depth.
    #[inline(always)]
    pub(crate) fn reduction(&self, depth: u8, place: usize) -> u8 {
        self.reductions[usize::from(depth).min(DEPTHS - 1)][place.min(PLACES - 1)]
    }

    /// The reply that was best to a move of the other side's.
    #[inline(always)]
    pub(crate) fn reply(&self, side: usize, to: u16) -> u16 {
        self.replies[side << 16 | usize::from(to)]
    }

    #[inline(always)]
    pub(crate) fn learn_reply(&mut self, side: usize, to: u16, reply: u16) {
        self.replies[side << 16 | usize::from(to)] = reply;
    }
}

/// 0.75 + ln depth · ln place / 2.25.
fn reduction(depth: usize, place: usize) -> u8 {
    if depth == 0 || place == 0 {
        return 0;
    }
    ((192 + log2_32(depth) * log2_32(place) * 55 / 1024) / 256) as u8
}

/// 32 · log₂, to the accuracy that taking off plies needs.
fn log2_32(n: usize) -> usize {
    let whole = n.ilog2() as usize;
    32 * whole + 32 * (n - (1 << whole)) / (1 << whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_place() {
        for depth in 1..DEPTHS {
            for place in 1..PLACES {
                let formula = 0.75 + (depth as f64).ln() * (place as f64).ln() / 2.25;
                assert!((f64::from(reduction(depth, place)) - formula.floor()).abs() <= 1.0, "{depth} {place}");
                assert!(reduction(depth, place) >= reduction(depth - 1, place).max(reduction(depth, place - 1)));
            }
        }
        assert_eq!(reduction(3, 1), 0);
    }

    #[test]
    fn estimates_are_remembered_by_key() {
        let mut sieve = Sieve::new(Selective::ALL);
        let value = Value::score(-321).unwrap();
        assert_eq!(sieve.recall(12_345 << 20), None);
        sieve.remember(12_345 << 20, value);
        assert_eq!(sieve.recall(12_345 << 20), Some(value));
        assert_eq!(sieve.recall(12_346 << 20), None);
        sieve.clear();
        assert_eq!(sieve.recall(12_345 << 20), None);
    }
}
