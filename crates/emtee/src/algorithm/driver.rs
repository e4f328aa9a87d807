//! Drivers: which γ the next pass of MT tests.
//!
//! A driver is a first bound and a rule for the next one. It never sees a position.
//!
//! ```
//! use emtee::research::Progress;
//! use emtee::{Budget, Game, player};
//! use emtee_games::connect4::Board;
//!
//! // Move the bound by ten points in the direction in which the last pass failed:
//! let by_tens = |s: &Progress| if s.failed_low() { s.g - 9 } else { s.g + 10 };
//! let mut ai = player(Board::evaluate).driver(by_tens).build()?;
//! let mut mtd_f = player(Board::evaluate).build()?;
//! let board: Board = "4455".parse().unwrap();
//! let depth = Budget::depth(7);
//! assert_eq!(ai.think(&board, depth)?.value, mtd_f.think(&board, depth)?.value);
//! # Ok::<(), emtee::Error>(())
//! ```

use crate::limits::Stopped;
use crate::value::{Bounds, Gamma, Value};

/// The two parameters of figure 8.
///
/// Any closure from a [`Progress`] to the next bound is a driver that starts from the approximation. Every bound is clamped to
/// [f⁻ + 1, f⁺], so every driver terminates.
pub trait Driver {
    /// *first*: the starting bound, given an approximation of the value and the range it lies in.
    fn first(&self, approximation: Value, range: Bounds) -> Value {
        let _ = range;
        approximation
    }

    /// *next*: the bound of the next pass, which proves the value less than it, or not less.
    fn next(&mut self, progress: &Progress) -> Value;
}

impl<F: FnMut(&Progress) -> Value> Driver for F {
    fn next(&mut self, progress: &Progress) -> Value {
        self(progress)
    }
}

/// The state of a driver after its last pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What the last pass returned; before the first pass, *first*.
    pub g: Value,
    /// The bound of the last pass; before the first pass, *first*.
    pub bound: Value,
    /// The bounds proved so far: f⁻ and f⁺.
    pub f: Bounds,
    /// The bounds known before the first pass: the paper's −∞ and +∞.
    pub range: Bounds,
    /// The number of passes so far.
    pub passes: u32,
    /// How many passes in a row, up to the last one, failed the same way.
    pub run: u32,
    /// How many passes contradicted an earlier one.
    pub crossings: u32,
}

impl Progress {
    /// Whether the last pass failed low: g < γ.
    pub fn failed_low(&self) -> bool {
        self.g < self.bound
    }

    /// Whether passes have failed both ways, so that both bounds of f come from passes.
    pub fn is_bracketed(&self) -> bool {
        self.f.lower > self.range.lower && self.f.upper < self.range.upper
    }
}

/// Figure 8. `range` holds the bounds known before; `pass` runs MT with one γ, and returns the γ that was tested and its g.
///
/// Deviation: each bound is clamped to [f⁻ + 1, f⁺], f⁻ only rises, f⁺ only falls, and the loop ends when they meet or
/// cross, not only when they are equal. So every pass narrows the bounds, and the loop ends whatever bounds the driver
/// chooses and however badly values depend on the path.
///
/// Deviation: `pass` may test another γ between the bounds than the one it was given. Of several ranks, half begin with the
/// other γ that a proof needs, and all use the result of the first rank to finish.
pub(crate) fn mtd(
    driver: &mut dyn Driver,
    approximation: Value,
    range: Bounds,
    mut pass: impl FnMut(&Progress, Gamma) -> Result<(Gamma, Value), Stopped>,
) -> Result<Progress, Stopped> {
    let first = driver.first(approximation, range);
    let mut s = Progress { g: first, bound: first, f: range, range, passes: 0, run: 0, crossings: 0 };
    while s.f.lower < s.f.upper {
        let bound = driver.next(&s).clamp(s.f.lower + 1, s.f.upper);
        let (gamma, g) = pass(&s, Gamma::below(bound))?;
        let failed_low_before = s.failed_low();
        (s.bound, s.g) = (gamma.bound(), g);
        if s.g < s.bound {
            s.f.upper = s.g;
        } else {
            s.f.lower = s.g;
        }
        s.passes += 1;
        s.run = if s.failed_low() == failed_low_before { s.run + 1 } else { 1 };
        if s.f.crossed() {
            s.crossings += 1;
            s.f = Bounds::exactly(s.g);
        }
    }
    Ok(s)
}

/// A driver written as in the paper: MTD(first, next).
#[derive(Clone, Copy, Debug)]
pub struct Mtd {
    first: fn(Value, Bounds) -> Value,
    next: fn(&Progress, i32) -> Value,
    step: i32,
}

impl Driver for Mtd {
    fn first(&self, approximation: Value, range: Bounds) -> Value {
        (self.first)(approximation, range)
    }
    fn next(&mut self, progress: &Progress) -> Value {
        (self.next)(progress, self.step)
    }
}

/// MTD+∞, which is SSS*: starts at f⁺, and each bound is the g of the pass before.
pub const SSS: Mtd = Mtd { first: |_, range| range.upper, next: |s, _| s.g, step: 0 };

/// MTD−∞, which is DUAL*: starts at f⁻, and each bound is one above the g of the pass before.
pub const DUAL: Mtd = Mtd { first: |_, range| range.lower, next: |s, _| s.g + 1, step: 0 };

/// MTD-bi, which is C*: bisection. Deviation: rounds up, because it would not terminate otherwise.
pub const MTD_BI: Mtd = Mtd { first: |_, range| middle(range), next: |s, _| middle(s.f), step: 0 };

/// MTD-f as figure 8 prints it: *next* is applied before the first pass too, so the first bound is one above the approximation.
pub const MTD_F_FIGURE_8: Mtd =
    Mtd { first: |approximation, _| approximation, next: |s, _| if s.failed_low() { s.g } else { s.g + 1 }, step: 0 };

/// MTD-f as its authors published it later: the first bound is the approximation itself.
pub const MTD_F: Mtd = Mtd {
    first: |approximation, _| approximation,
    next: |s, _| if s.passes == 0 || s.failed_low() { s.g } else { s.g + 1 },
    step: 0,
};

/// MTD-step: starts at f⁺, and each bound is `step` points below the g of the pass before.
pub const fn mtd_step(step: i32) -> Mtd {
    Mtd {
        first: |_, range| range.upper,
        next: |s, step| if s.passes == 0 { s.g } else { (s.g - step).max(s.f.lower + 1) },
        step,
    }
}

/// Not in the paper: MTD-f whose step doubles while passes fail the same way; once passes have failed both ways, it bisects.
/// A fine-grained evaluation then costs a few passes, not dozens.
pub const fn mtd_gallop(step: i32) -> Mtd {
    Mtd {
        first: |approximation, _| approximation,
        next: |s, step| {
            if s.passes == 0 {
                return s.g;
            }
            if s.is_bracketed() {
                return middle(s.f);
            }
            // After the first pass the bound follows g, as in MTD-f; after that, steps double.
            let stride = if s.run <= 1 { 0 } else { step.clamp(1, Value::MAX_SCORE) << (s.run - 2).min(14) };
            if s.failed_low() { s.g - stride } else { s.g + 1 + stride }
        },
        step,
    }
}

/// The middle of the bounds, rounded up: always in [f⁻ + 1, f⁺].
fn middle(f: Bounds) -> Value {
    f.lower + (f.upper.get() - f.lower.get() + 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The g of an MT that fails by one point.
    fn one_point_g(value: Value, gamma: Gamma) -> Value {
        if value > gamma { gamma.bound() } else { gamma.bound() - 1 }
    }

    /// Runs a driver on a value without a tree, with an MT that fails by one point. Returns the bounds of its passes.
    fn bounds(mut driver: impl Driver, approximation: i32, value: i32) -> Vec<i32> {
        let value = Value::score(value).unwrap();
        let mut tested = Vec::new();
        let s = mtd(&mut driver, Value::score(approximation).unwrap(), Bounds::UNKNOWN, |_, gamma| {
            tested.push(gamma.bound().get());
            Ok((gamma, one_point_g(value, gamma)))
        });
        assert_eq!(s.unwrap().f, Bounds::exactly(value));
        tested
    }

    #[test]
    fn the_first_two_bounds_of_mtd_f() {
        assert_eq!(bounds(MTD_F_FIGURE_8, 35, 35), [36, 35]);
        assert_eq!(bounds(MTD_F, 35, 35), [35, 36]);
        assert_eq!(bounds(MTD_F, 30, 33), [30, 31, 32, 33, 34]);
    }

    #[test]
    fn a_pass_may_test_another_gamma() {
        // A right guess takes two passes, in either order; a wrong one is corrected by either pass.
        for (value, bounds) in [(35, &[35, 35][..]), (34, &[35, 35, 34]), (36, &[35, 37])] {
            let (f, mut tested) = (Value::score(value).unwrap(), Vec::new());
            let s = mtd(&mut { MTD_F }, Value::score(35).unwrap(), Bounds::UNKNOWN, |s, gamma| {
                tested.push(gamma.bound().get());
                let tested = if s.passes == 0 { Gamma::below(Value::score(36).unwrap()) } else { gamma };
                Ok((tested, one_point_g(f, tested)))
            });
            assert_eq!((s.unwrap().f, &tested[..]), (Bounds::exactly(f), bounds), "{value}");
        }
    }

    #[test]
    fn the_bounds_of_a_closure_are_used() {
        let ten_up = |s: &Progress| s.g + 10;
        assert_eq!(bounds(ten_up, 30, 33)[..3], [40, 39, 38]);
        assert_eq!(bounds(ten_up, 30, 55)[..3], [40, 50, 60]);
    }

    #[test]
    fn steps_go_down_from_above() {
        assert_eq!(bounds(mtd_step(10_000), 0, 0)[..4], [32_767, 22_766, 12_765, 2_764]);
    }

    #[test]
    fn bisecting_and_galloping_take_few_passes() {
        assert!(bounds(MTD_BI, 0, 12_345).len() <= 17);
        assert!(bounds(mtd_gallop(4), 0, 1_000).len() <= 22);
        assert!(bounds(mtd_gallop(4), 0, -1_000).len() <= 22);
        assert_eq!(bounds(mtd_gallop(4), 10, 10), [10, 11]);
        // Steps of 4, 8, 16 and so on beyond g, in either direction.
        assert_eq!(bounds(mtd_gallop(4), 0, 100)[..7], [0, 1, 6, 15, 32, 65, 130]);
        assert_eq!(bounds(mtd_gallop(4), 0, -100)[..7], [0, -1, -6, -15, -32, -65, -130]);
    }

    #[test]
    fn every_driver_terminates() {
        let wild = |s: &Progress| if s.passes.is_multiple_of(2) { Value::INFINITY } else { Value::NEG_INFINITY };
        assert!(bounds(wild, 0, 100).len() <= 65_536);
        assert!(bounds(mtd_step(50), 0, -3).len() <= 65_536);
    }

    #[test]
    fn contradictions_end_the_loop_and_are_counted() {
        // An MT that contradicts itself: it fails high by 100 and low by 100 in turn, whatever γ is.
        let mut high = false;
        let s = mtd(&mut { MTD_F }, Value::default(), Bounds::UNKNOWN, |_, gamma| {
            high = !high;
            Ok((gamma, if high { gamma.bound() + 100 } else { gamma.bound() - 100 }))
        });
        assert_eq!(s.unwrap().crossings, 1);
    }
}
