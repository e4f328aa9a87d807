//! Stopping an engine that thinks, and telling it that its guess was right.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use emtee::Alarm;

use crate::now::now;

/// What others may do to an engine that thinks. Made anew for every move, or for several that one stop ends; copies are of
/// one and the same.
#[derive(Clone, Debug, Default)]
pub struct Control {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    alarm: Arc<Alarm>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    /// The opponent has played what was expected.
    hit: bool,
    /// Nothing is timed while this lasts.
    pondering: bool,
    /// The thinking has no end of its own.
    endless: bool,
    /// Nobody is left to end it.
    alone: bool,
    /// When the clock started.
    started: Duration,
    /// When the engine stops by itself, after the clock's start.
    allowed: Option<Duration>,
    /// It would have answered already.
    ready: bool,
}

impl State {
    /// Sets the alarm to what is allowed.
    fn wind(&self, alarm: &Alarm) {
        match self.allowed {
            _ if self.stopped => alarm.ring(),
            _ if self.pondering => alarm.clear(),
            _ if self.ready => alarm.ring(),
            Some(allowed) => alarm.set(self.started + allowed),
            None => alarm.clear(),
        }
    }
}

impl Control {
    /// Ends the thinking: the engine answers within a few milliseconds.
    pub fn stop(&self) {
        self.change(|state| state.stopped = true);
    }

    /// The opponent has played the move that was pondered on: the clock starts now.
    pub fn ponder_hit(&self) {
        self.change(|state| {
            state.hit = true;
            if std::mem::take(&mut state.pondering) {
                state.started = now();
            }
        });
    }

    /// Lets the thinking come to its own end, and stops it where it has none: nobody is left to do it later. Also holds for
    /// what begins after this.
    pub fn finish(&self) {
        self.change(|state| state.alone = true);
    }

    /// Whether it has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    /// What the search listens to.
    pub(crate) fn alarm(&self) -> Arc<Alarm> {
        self.shared.alarm.clone()
    }

    /// Whether it is time to answer.
    pub(crate) fn is_due(&self) -> bool {
        let state = self.state();
        let late = state.allowed.is_some_and(|allowed| now() >= state.started + allowed);
        state.stopped || !state.pondering && (state.ready || late)
    }

    /// The engine begins to think.
    pub(crate) fn begin(&self, ponder: bool, endless: bool, allowed: Option<Duration>) {
        self.change(|state| {
            state.started = now();
            state.pondering = ponder && !state.hit;
            state.endless = endless;
            state.allowed = allowed;
            state.ready = false;
        });
    }

    /// So long may it think, from the clock's start.
    pub(crate) fn allow(&self, allowed: Option<Duration>) {
        self.change(|state| state.allowed = allowed);
    }

    /// The engine would answer now: it does, unless the opponent still thinks. Or it no longer would.
    pub(crate) fn ready(&self, ready: bool) {
        self.change(|state| state.ready = ready);
    }

    /// Waits for a stop, or for the opponent's move where that is enough.
    pub(crate) fn wait(&self, infinite: bool) {
        let mut state = self.state();
        while !state.stopped && (infinite || state.pondering) {
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change(&self, how: impl FnOnce(&mut State)) {
        let mut state = self.state();
        how(&mut state);
        state.stopped |= state.alone && (state.pondering || state.endless);
        state.wind(&self.shared.alarm);
        self.shared.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
