//! Time management: when to answer, given the results of the passes.
//!
//! A pass that fails high proves a move, so an engine that has thought long enough may play it at once. A pass that
//! fails low, well below the last value, proves that the current best move is worse than expected, so the search
//! continues for another one. Otherwise, a move that stays the best through many iterations is answered sooner, and one
//! that has just changed later.

use std::time::Duration;

use emtee::Value;
use emtee::research::Pass;

use super::clock::{Allowance, Clock};
use super::control::Control;
use crate::now::now;

/// The time management of one move.
pub(crate) struct Manager<'c, M> {
    control: &'c Control,
    allowance: Option<Allowance>,
    started: Duration,
    /// The best move so far, and for how many iterations it has been the best.
    best: Option<M>,
    stable: u32,
    /// The value of the last iteration.
    value: Option<Value>,
    /// The sum of the changes in value between iterations, and their number.
    changes: u32,
    changed: u32,
    /// The result of the passes of the current iteration.
    bound: PassBound,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PassBound {
    None,
    /// A move is proved to be as good as γ.
    FailedHigh,
    /// Every move is clearly worse than the last value.
    FailedLow,
}

impl<'c, M: Copy + PartialEq> Manager<'c, M> {
    /// Starts the search. The clock runs unless the engine is pondering.
    pub(crate) fn new(control: &'c Control, allowance: Option<Allowance>, clock: &Clock) -> Manager<'c, M> {
        let manager = Manager {
            control,
            allowance,
            started: now(),
            best: None,
            stable: 0,
            value: None,
            changes: 0,
            changed: 0,
            bound: PassBound::None,
        };
        control.start_clock(clock.ponder, clock.is_unlimited(), manager.allowed());
        manager
    }

    /// The time since the start, pondering included.
    pub(crate) fn elapsed(&self) -> Duration {
        now().saturating_sub(self.started)
    }

    /// A pass is finished.
    pub(crate) fn passed(&mut self, pass: &Pass<M>) {
        if let Some(best) = pass.best_move {
            self.bound = PassBound::FailedHigh;
            self.set_best(best);
            // The move is proved: this is the best time to play it.
            if self.target().is_some_and(|target| self.elapsed() >= target) {
                self.control.set_ready(true);
            }
        } else if self.bound != PassBound::FailedHigh
            && self.value.is_some_and(|value| self.is_large_drop(value, pass.g))
        {
            self.bound = PassBound::FailedLow;
            self.control.set_ready(false);
        }
        self.control.set_allowed(self.allowed());
    }

    /// An iteration is finished.
    pub(crate) fn finished(&mut self, best: Option<M>, value: Option<Value>) {
        self.bound = PassBound::None;
        if let (Some(was), Some(is)) = (self.value, value) {
            self.changes += is.get().abs_diff(was.get());
            self.changed += 1;
        }
        self.value = value;
        if let Some(best) = best {
            self.set_best(best);
            self.stable += 1;
        }
        // Do not start an iteration that cannot be finished: it takes longer than all before it together.
        let enough = self.target().is_some_and(|target| self.elapsed() >= target * 11 / 20);
        self.control.set_ready(enough);
        self.control.set_allowed(self.allowed());
    }

    /// Whether a drop to at most `g` is larger than the usual change in value between iterations. This does not depend
    /// on the unit of the evaluation.
    fn is_large_drop(&self, value: Value, g: Value) -> bool {
        let usual = self.changes / self.changed.max(1);
        g < value && value.get().abs_diff(g.get()) > 2 * usual + 1
    }

    fn set_best(&mut self, m: M) {
        if self.best != Some(m) {
            self.best = Some(m);
            self.stable = 0;
        }
    }

    /// The target time of the move, as things stand.
    fn target(&self) -> Option<Duration> {
        let Allowance { target, max } = self.allowance?;
        let percent = match self.stable {
            0 | 1 => 140,
            2 | 3 => 110,
            4..8 => 90,
            _ => 60,
        };
        Some((target? * percent / 100).min(max))
    }

    /// When the search stops by itself, in the middle of a pass if necessary.
    fn allowed(&self) -> Option<Duration> {
        let max = self.allowance?.max;
        match (self.target(), self.bound) {
            (None, _) | (_, PassBound::FailedLow) => Some(max),
            (Some(target), _) => Some((target * 3 / 2).min(max)),
        }
    }
}

#[cfg(test)]
mod tests {
    use emtee::{Budget, OwnEvaluation, player};
    use emtee_games::connect4::{Board, Column};

    use super::*;

    const TARGET: Duration = Duration::from_secs(1_000);
    const MAX: Duration = Duration::from_secs(4_000);

    /// A real pass with another result.
    fn pass(g: i32, best_move: Option<Column>) -> Pass<Column> {
        let mut search = player(OwnEvaluation).hash("64KB").build().unwrap();
        let found = search.think(&Board::default(), Budget::depth(1)).unwrap();
        let mut pass = found.iterations[0].passes[0];
        pass.g = Value::score(g).unwrap();
        pass.best_move = best_move;
        pass
    }

    #[test]
    fn passes_change_the_allowed_time() {
        let [a, b] = [0, 1].map(|index| emtee::legal_moves(&Board::default())[index]);
        let control = Control::default();
        let allowance = Some(Allowance { target: Some(TARGET), max: MAX });
        let mut manager = Manager::new(&control, allowance, &Clock::default());
        for value in [10, 12, 10, 12, 10, 12, 10, 12, 10] {
            manager.finished(Some(a), Value::score(value));
        }
        let stable = manager.allowed().unwrap();
        assert_eq!(stable, TARGET * 60 / 100 * 3 / 2, "a move that stays the best");
        manager.passed(&pass(8, None));
        assert_eq!(manager.allowed().unwrap(), stable, "an ordinary fail low");
        manager.passed(&pass(-30, None));
        assert_eq!(manager.allowed().unwrap(), MAX, "a large drop");
        manager.passed(&pass(-40, Some(b)));
        assert_eq!(manager.allowed().unwrap(), TARGET * 140 / 100 * 3 / 2, "another move is proved");
        manager.passed(&pass(-60, None));
        assert_eq!(manager.allowed().unwrap(), TARGET * 140 / 100 * 3 / 2, "its value is being narrowed");
    }

    #[test]
    fn a_move_time_is_used_fully() {
        let control = Control::default();
        let mut manager = Manager::new(&control, Some(Allowance { target: None, max: MAX }), &Clock::default());
        for _ in 0..20 {
            manager.finished(Some(1), Value::score(0));
            assert_eq!(manager.allowed(), Some(MAX));
        }
    }
}
