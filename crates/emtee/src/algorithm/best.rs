//! MTD-best: not how good, only which move.
//!
//! Berliner's stop: as soon as the lower bound of one move is at least the upper bound of every other, it is the best move.
//! No upper bound on its own value is needed, so the tree can be smaller than the minimal one.

use alloc::vec::Vec;

use crate::value::{Bounds, Value};

/// Which side of the proof comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Strategy {
    /// A lower bound for the best move, then upper bounds for the others.
    #[default]
    ProveBest,
    /// Upper bounds for the others, then a lower bound for the best move.
    DisproveRest,
    /// Best Node Search: the same bound for all moves, until one alone reaches it.
    Separate,
}

/// The proof so far: [l, u] for each root move, the candidate m, and the guess h that separates it from the others.
pub(crate) struct Proof {
    f: Vec<Bounds>,
    pub(crate) candidate: usize,
    guess: Value,
    strategy: Strategy,
    /// Answers that contradicted an earlier one.
    pub(crate) crossings: u32,
}

impl Proof {
    /// Nothing proved yet of so many moves, the first of which is the candidate.
    pub(crate) fn new(moves: usize, guess: Value, strategy: Strategy) -> Proof {
        Proof { f: alloc::vec![Bounds::UNKNOWN; moves], candidate: 0, guess, strategy, crossings: 0 }
    }

    /// Which move to ask about next, and with which bound; nothing once a move is proved best. Every question has two open
    /// answers, so each narrows some [l, u], and there is a last one.
    pub(crate) fn question(&self) -> Option<(usize, Value)> {
        let m = self.candidate;
        let proved = self.f[m].lower;
        let others = (0..self.f.len()).filter(|&other| other != m);
        let rival = others.rev().max_by_key(|&other| self.f[other].upper).filter(|&rival| self.f[rival].upper > proved);
        let Some(rival) = rival else {
            // Proved best. An only move is, before anything is known of it; so ask until something is.
            return (proved == Value::NEG_INFINITY).then(|| self.about(m, self.guess));
        };
        let rest = self.f[rival].upper;
        let line = self.guess.max(proved + 1);
        Some(match self.strategy {
            Strategy::ProveBest if proved < self.guess => self.about(m, self.guess),
            Strategy::ProveBest => self.about(rival, proved + 1),
            Strategy::DisproveRest if rest < line => self.about(m, rest),
            Strategy::DisproveRest => self.about(rival, line),
            Strategy::Separate => self.about(self.unasked().unwrap_or(rival), self.guess),
        })
    }

    /// A question about a move that has two open answers.
    fn about(&self, which: usize, bound: Value) -> (usize, Value) {
        (which, bound.clamp(self.f[which].lower + 1, self.f[which].upper))
    }

    /// MT's answer. Bounds only ever narrow, whatever it is.
    pub(crate) fn answer(&mut self, which: usize, bound: Value, g: Value) {
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

    /// The first move of which it is not known whether it reaches the guess.
    fn unasked(&self) -> Option<usize> {
        self.f.iter().position(|f| f.lower < self.guess && self.guess <= f.upper)
    }

    /// When every move has answered and not one alone has reached the guess, another guess: the more moves are left, the
    /// nearer to the top of what is open. Until that has two ends, the guess is moved to what the answers say.
    fn separate(&mut self, which: usize) {
        if self.f[which].lower > self.f[self.candidate].lower {
            self.candidate = which;
        }
        if self.unasked().is_some() {
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

    /// What is proved of the position's value.
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

    /// Asks until a move is proved best, with answers that are off by `soft` in the direction they fail. Returns the candidate
    /// and how many questions it took.
    fn proved(values: &[i32], guess: i32, strategy: Strategy, soft: i32) -> (usize, u32) {
        let mut proof = Proof::new(values.len(), value(guess), strategy);
        let mut questions = 0;
        while let Some((which, bound)) = proof.question() {
            let f = proof.f[which];
            assert!(f.lower < bound && bound <= f.upper, "the answer is known");
            let v = value(values[which]);
            let g = if v >= bound { (bound + soft).min(v) } else { (bound - 1 - soft).max(v) };
            proof.answer(which, bound, g);
            questions += 1;
            assert!(questions < 10_000, "{strategy:?} of {values:?} from {guess}");
        }
        assert_eq!(proof.crossings, 0);
        (proof.candidate, questions)
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
    fn nothing_is_asked_that_is_known() {
        // One question to each move, if the guess lies between the best and the others.
        for strategy in ALL {
            assert_eq!(proved(&[9, 2, 3], 6, strategy, 1_000), (0, 3), "{strategy:?}");
        }
        // All answer, then the one that is left alone does: 5 is too low for the first and the last.
        assert_eq!(proved(&[9, 2, 7], 5, Strategy::Separate, 1_000), (0, 4));
        assert_eq!(proved(&[9, 2, 7], 12, Strategy::Separate, 1_000), (0, 4));
    }

    #[test]
    fn every_question_has_two_open_answers_whatever_the_guess() {
        for strategy in ALL {
            for guess in [Value::NEG_INFINITY, Value::INFINITY] {
                let asked = Proof::new(3, guess, strategy).question();
                assert!(asked.is_some_and(|(_, bound)| bound > Value::NEG_INFINITY), "{strategy:?} from {guess}");
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
        proof.answer(0, value(5), value(7));
        proof.answer(0, value(9), value(3));
        assert_eq!((proof.crossings, proof.f[0]), (1, Bounds::exactly(value(7))));
    }
}
