//! MTD-best: finds the best move, not its value.
//!
//! Berliner's stopping rule: a move is best as soon as its lower bound is at least the upper bound of every other move.
//! No upper bound on its own value is needed, so the tree can be smaller than the minimal one.

use alloc::vec::Vec;

use crate::value::{Bounds, Value};

/// Which half of the proof is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Strategy {
    /// A lower bound for the best move, then upper bounds for the others.
    #[default]
    ProveBest,
    /// Upper bounds for the others, then a lower bound for the best move.
    DisproveRest,
    /// Best Node Search: tests all moves with the same bound, until exactly one reaches it.
    Separate,
}

/// The proof so far: the bounds [l, u] of each root move, the candidate m, and the guess h that separates it from the others.
pub(crate) struct Proof {
    f: Vec<Bounds>,
    pub(crate) candidate: usize,
    guess: Value,
    strategy: Strategy,
    /// How many passes contradicted an earlier one.
    pub(crate) crossings: u32,
}

impl Proof {
    /// An empty proof for `moves` root moves; the first is the candidate.
    pub(crate) fn new(moves: usize, guess: Value, strategy: Strategy) -> Proof {
        Proof { f: alloc::vec![Bounds::UNKNOWN; moves], candidate: 0, guess, strategy, crossings: 0 }
    }

    /// The root move and the bound of the next pass; `None` once a move is proved best. The bound always lies in [l + 1, u] of
    /// its move, so each pass narrows some [l, u] and the proof ends.
    pub(crate) fn next_pass(&self) -> Option<(usize, Value)> {
        let m = self.candidate;
        let proved = self.f[m].lower;
        let others = (0..self.f.len()).filter(|&other| other != m);
        let rival = others.rev().max_by_key(|&other| self.f[other].upper).filter(|&rival| self.f[rival].upper > proved);
        let Some(rival) = rival else {
            // Proved best. An only move is so from the start: search it until it has a lower bound.
            return (proved == Value::NEG_INFINITY).then(|| self.pass_on(m, self.guess));
        };
        let rest = self.f[rival].upper;
        let line = self.guess.max(proved + 1);
        Some(match self.strategy {
            Strategy::ProveBest if proved < self.guess => self.pass_on(m, self.guess),
            Strategy::ProveBest => self.pass_on(rival, proved + 1),
            Strategy::DisproveRest if rest < line => self.pass_on(m, rest),
            Strategy::DisproveRest => self.pass_on(rival, line),
            Strategy::Separate => self.pass_on(self.undecided().unwrap_or(rival), self.guess),
        })
    }

    /// A pass on this move, with the bound clamped to [l + 1, u].
    fn pass_on(&self, which: usize, bound: Value) -> (usize, Value) {
        (which, bound.clamp(self.f[which].lower + 1, self.f[which].upper))
    }

    /// Records the g of a pass. Bounds only ever narrow, even if g contradicts them.
    pub(crate) fn record(&mut self, which: usize, bound: Value, g: Value) {
        let f = &mut self.f[which];
        self.crossings += u32::from(!f.contains(g));
        if g >= bound {
            f.lower = g.min(f.upper);
        } else {
            f.upper = g.max(f.lower);
        }
        let f = *f;
        if self.strategy == Strategy::Separate {
            self.separate(which);
        } else if g >= bound && which != self.candidate {
            (self.candidate, self.guess) = (which, f.lower);
        } else if g < bound && which == self.candidate {
            self.guess = f.upper;
        }
    }

    /// The first move whose bounds do not yet decide whether it reaches the guess.
    fn undecided(&self) -> Option<usize> {
        self.f.iter().position(|f| f.lower < self.guess && self.guess <= f.upper)
    }

    /// Once the guess is decided for every move, and not exactly one has reached it, chooses another guess between the bounds
    /// of the root: the more moves are left, the nearer to the upper bound. While one bound is infinite, the guess follows
    /// the other.
    fn separate(&mut self, which: usize) {
        if self.f[which].lower > self.f[self.candidate].lower {
            self.candidate = which;
        }
        if self.undecided().is_some() {
            return;
        }
        let Bounds { lower, upper } = self.root_bounds();
        let left = self.f.iter().filter(|f| f.upper > lower).count().max(2) as i32;
        self.guess = if lower == Value::NEG_INFINITY {
            upper
        } else if upper == Value::INFINITY {
            lower + i32::from(self.f.iter().filter(|f| f.lower == lower).count() > 1)
        } else {
            lower + ((upper.get() - lower.get()) * (left - 1) / left).max(1)
        };
    }

    /// The bounds proved for the root's value.
    pub(crate) fn root_bounds(&self) -> Bounds {
        let most = |of: fn(&Bounds) -> Value| self.f.iter().map(of).max().unwrap_or(Value::NEG_INFINITY);
        Bounds { lower: most(|f| f.lower), upper: most(|f| f.upper) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Strategy; 3] = [Strategy::ProveBest, Strategy::DisproveRest, Strategy::Separate];

    fn value(points: i32) -> Value {
        Value::score(points).unwrap()
    }

    /// Runs passes until a move is proved best; each fails softly by up to `soft`. Returns the candidate and the number of
    /// passes.
    fn proved(values: &[i32], guess: i32, strategy: Strategy, soft: i32) -> (usize, u32) {
        let mut proof = Proof::new(values.len(), value(guess), strategy);
        let mut passes = 0;
        while let Some((which, bound)) = proof.next_pass() {
            let f = proof.f[which];
            assert!(f.lower < bound && bound <= f.upper, "the result is known already");
            let v = value(values[which]);
            let g = if v >= bound { (bound + soft).min(v) } else { (bound - 1 - soft).max(v) };
            proof.record(which, bound, g);
            passes += 1;
            assert!(passes < 10_000, "{strategy:?} of {values:?} from {guess}");
        }
        assert_eq!(proof.crossings, 0);
        (proof.candidate, passes)
    }

    #[test]
    fn every_strategy_proves_a_best_move() {
        for seed in 0..3_000u64 {
            let random = |n: u64| (crate::mix(seed * 31 + n) % 41) as i32 - 20;
            let values: Vec<i32> = (0..1 + seed % 5).map(random).collect();
            for strategy in ALL {
                for soft in [0, 3, 1_000] {
                    let (best, _) = proved(&values, random(99), strategy, soft);
                    assert_eq!(values[best], *values.iter().max().unwrap(), "{strategy:?} of {values:?}");
                }
            }
        }
    }

    #[test]
    fn no_pass_has_a_known_result() {
        // One pass on each move, if the guess lies between the best and the others.
        for strategy in ALL {
            assert_eq!(proved(&[9, 2, 3], 6, strategy, 1_000), (0, 3), "{strategy:?}");
        }
        // One pass on each move, then one more: 5 is too low to separate the first from the last.
        assert_eq!(proved(&[9, 2, 7], 5, Strategy::Separate, 1_000), (0, 4));
        assert_eq!(proved(&[9, 2, 7], 12, Strategy::Separate, 1_000), (0, 4));
    }

    #[test]
    fn every_pass_can_fail_both_ways_whatever_the_guess() {
        for strategy in ALL {
            for guess in [Value::NEG_INFINITY, Value::INFINITY] {
                let next = Proof::new(3, guess, strategy).next_pass();
                assert!(next.is_some_and(|(_, bound)| bound > Value::NEG_INFINITY), "{strategy:?} from {guess}");
            }
        }
    }

    #[test]
    fn the_more_moves_are_left_the_higher_the_guess() {
        let f = Bounds { lower: value(0), upper: value(12) };
        let guess = |moves: usize| {
            let mut proof = Proof { f: alloc::vec![f; moves], ..Proof::new(moves, value(0), Strategy::Separate) };
            proof.separate(0);
            proof.guess
        };
        assert_eq!([2, 3, 4].map(guess), [6, 8, 9].map(value));
    }

    #[test]
    fn contradictions_are_counted_and_widen_nothing() {
        let mut proof = Proof::new(2, value(5), Strategy::ProveBest);
        proof.record(0, value(5), value(7));
        proof.record(0, value(9), value(3));
        assert_eq!((proof.crossings, proof.f[0]), (1, Bounds::exactly(value(7))));
    }
}
