//! When to answer, from what the passes say.
//!
//! A pass that fails high proves a move, so an engine that has thought long enough may play it at once. A pass that fails
//! low proves that the move it would play is worse than it seemed, so it goes on looking for another. Between the two, a
//! move that stays the best through many iterations is answered sooner, and one that has just changed later.

use std::time::Duration;

use emtee::{Pass, Value, system_clock};

use super::clock::Allowance;
use super::control::Control;

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
    /// What a pass has said of the iteration under way.
    said: Said,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    /// A move is proved as good as the guess.
    High,
    /// No move is.
    Low,
}

impl<'c, M: Copy + PartialEq> Manager<'c, M> {
    /// Begins to think. The clock runs, unless the opponent's does.
    pub(crate) fn new(control: &'c Control, allowance: Option<Allowance>, ponder: bool) -> Manager<'c, M> {
        let manager = Manager {
            control,
            allowance,
            began: system_clock(),
            best: None,
            stable: 0,
            value: None,
            said: Said::Nothing,
        };
        control.begin(ponder, manager.allowed());
        manager
    }

    /// How long it has thought, the opponent's time included.
    pub(crate) fn thought(&self) -> Duration {
        system_clock().saturating_sub(self.began)
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
        } else if self.said == Said::Nothing && self.value.is_some_and(|value| pass.g < value) {
            self.said = Said::Low;
            self.control.ready(false);
        }
        self.control.allow(self.allowed());
    }

    /// An iteration is finished.
    pub(crate) fn finished(&mut self, best: Option<M>, value: Option<Value>) {
        self.said = Said::Nothing;
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
