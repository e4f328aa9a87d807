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
            if which != self.candidate {
                (self.candidate, self.guess) = (which, f.lower);
            }
        } else {
            f.upper = g.max(f.lower);
            if which == self.candidate {
                self.guess = f.upper;
            }
        }
    }

    /// What is proved of the position's value.
    pub(crate) fn root_bounds(&self) -> Bounds {
        let most = |of: fn(&Bounds) -> Value| self.f.iter().map(of).max().unwrap_or(Value::NEG_INFINITY);
        Bounds { lower: most(|f| f.lower), upper: most(|f| f.upper) }
    }
}
