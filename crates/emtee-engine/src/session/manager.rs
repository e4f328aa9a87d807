//! When to answer, from what the passes say.
//!
//! A pass that fails high proves a move, so an engine that has thought long enough may play it at once. A pass that fails
//! low, well below the last value, proves that the move it would play is worse than it seemed, so it goes on looking for
//! another. Between the two, a move that stays the best through many iterations is answered sooner, and one that has just
//! changed later.

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
    began: Duration,
    /// The best move so far, and through how many iterations it has been.
    best: Option<M>,
    stable: u32,
    /// The value of the last iteration.
    value: Option<Value>,
    /// By how much values have changed from one iteration to the next, all together, and how often.
    changes: u32,
    changed: u32,
    /// What the passes have said of the iteration under way.
    said: Said,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    /// A move is proved as good as was asked.
    High,
    /// No move is nearly as good as the last value.
    Low,
}

impl<'c, M: Copy + PartialEq> Manager<'c, M> {
    /// Begins to think. The clock runs, unless the opponent's does.
    pub(crate) fn new(control: &'c Control, allowance: Option<Allowance>, clock: &Clock) -> Manager<'c, M> {
        let manager = Manager {
            control,
            allowance,
            began: now(),
            best: None,
            stable: 0,
            value: None,
            changes: 0,
            changed: 0,
            said: Said::Nothing,
        };
        control.begin(clock.ponder, clock.is_endless(), manager.allowed());
        manager
    }

    /// How long it has thought, the opponent's time included.
    pub(crate) fn thought(&self) -> Duration {
        now().saturating_sub(self.began)
    }

    /// A pass is finished.
    pub(crate) fn passed(&mut self, pass: &Pass<M>) {
        if let Some(best) = pass.best_move {
            self.said = Said::High;
            self.prefer(best);
            // The move is proved: there is no better time to play it.
            if self.target().is_some_and(|target| self.thought() >= target) {
                self.control.ready(true);
            }
        } else if self.said != Said::High && self.value.is_some_and(|value| self.is_a_blow(value, pass.g)) {
            self.said = Said::Low;
            self.control.ready(false);
        }
        self.control.allow(self.allowed());
    }

    /// An iteration is finished.
    pub(crate) fn finished(&mut self, best: Option<M>, value: Option<Value>) {
        self.said = Said::Nothing;
        if let (Some(was), Some(is)) = (self.value, value) {
            self.changes += is.get().abs_diff(was.get());
            self.changed += 1;
        }
        self.value = value;
        if let Some(best) = best {
            self.prefer(best);
            self.stable += 1;
        }
        // An iteration that cannot be finished is not begun: it takes longer than all before it together.
        let enough = self.target().is_some_and(|target| self.thought() >= target * 11 / 20);
        self.control.ready(enough);
        self.control.allow(self.allowed());
    }

    /// Whether a value of at most `g` is more of a change than the ups and downs of the iterations so far, whatever the
    /// unit of the evaluation is.
    fn is_a_blow(&self, value: Value, g: Value) -> bool {
        let usual = self.changes / self.changed.max(1);
        g < value && value.get().abs_diff(g.get()) > 2 * usual + 1
    }

    fn prefer(&mut self, m: M) {
        if self.best != Some(m) {
            self.best = Some(m);
            self.stable = 0;
        }
    }

    /// What the move is to take, as things stand.
    fn target(&self) -> Option<Duration> {
        let Allowance { target, most } = self.allowance?;
        let percent = match self.stable {
            0 | 1 => 140,
            2 | 3 => 110,
            4..8 => 90,
            _ => 60,
        };
        Some((target? * percent / 100).min(most))
    }

    /// When thinking ends by itself, whatever pass is under way.
    fn allowed(&self) -> Option<Duration> {
        let most = self.allowance?.most;
        match (self.target(), self.said) {
            (None, _) | (_, Said::Low) => Some(most),
            (Some(target), _) => Some((target * 3 / 2).min(most)),
        }
    }
}

#[cfg(test)]
mod tests {
    use emtee::{Budget, OwnEvaluation, player};
    use emtee_games::connect4::{Board, Column};

    use super::*;

    const TARGET: Duration = Duration::from_secs(1_000);
    const MOST: Duration = Duration::from_secs(4_000);

    /// A pass that was really made, with another answer.
    fn pass(g: i32, best_move: Option<Column>) -> Pass<Column> {
        let mut search = player(OwnEvaluation).hash("64KB").build().unwrap();
        let found = search.think(&Board::default(), Budget::depth(1)).unwrap();
        let mut pass = found.iterations[0].passes[0];
        pass.g = Value::score(g).unwrap();
        pass.best_move = best_move;
        pass
    }

    #[test]
    fn passes_decide_how_long_to_think() {
        let [a, b] = [0, 1].map(|at| emtee::legal_moves(&Board::default())[at]);
        let control = Control::default();
        let allowance = Some(Allowance { target: Some(TARGET), most: MOST });
        let mut manager = Manager::new(&control, allowance, &Clock::default());
        for value in [10, 12, 10, 12, 10, 12, 10, 12, 10] {
            manager.finished(Some(a), Value::score(value));
        }
        let calm = manager.allowed().unwrap();
        assert_eq!(calm, TARGET * 60 / 100 * 3 / 2, "a move that stays the best");
        manager.passed(&pass(8, None));
        assert_eq!(manager.allowed().unwrap(), calm, "an ordinary fail low");
        manager.passed(&pass(-30, None));
        assert_eq!(manager.allowed().unwrap(), MOST, "a blow");
        manager.passed(&pass(-40, Some(b)));
        assert_eq!(manager.allowed().unwrap(), TARGET * 140 / 100 * 3 / 2, "another move is proved");
        manager.passed(&pass(-60, None));
        assert_eq!(manager.allowed().unwrap(), TARGET * 140 / 100 * 3 / 2, "and its value is being narrowed");
    }

    #[test]
    fn a_move_time_is_used_to_the_end() {
        let control = Control::default();
        let mut manager = Manager::new(&control, Some(Allowance { target: None, most: MOST }), &Clock::default());
        for _ in 0..20 {
            manager.finished(Some(1), Value::score(0));
            assert_eq!(manager.allowed(), Some(MOST));
        }
    }
}
