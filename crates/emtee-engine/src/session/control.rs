//! Stopping a search and ponder hits, from another thread.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use emtee::Stop;

use crate::now::now;

/// Controls an engine while it thinks. A new one is made for each move, or for several moves that one stop ends. Clones
/// share one state.
#[derive(Clone, Debug, Default)]
pub struct Control {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Stops the search from outside, for example with Ctrl-C.
    flag: Arc<AtomicBool>,
    /// What the search checks: the flag and the time of the state.
    stop: Stop,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    /// The opponent has played the expected move.
    ponder_hit: bool,
    /// The clock does not run yet.
    pondering: bool,
    /// Only a stop ends the search.
    unlimited: bool,
    /// No more commands will follow, so there will be no stop.
    no_more_input: bool,
    /// When the clock started.
    started: Duration,
    /// The time after which the engine stops by itself.
    allowed: Option<Duration>,
    /// The engine would have answered already.
    ready: bool,
}

impl State {
    /// Sets the time at which the search stops.
    fn update(&self, stop: &Stop) {
        match self.allowed {
            _ if self.stopped => stop.now(),
            _ if self.pondering => stop.clear(),
            _ if self.ready => stop.now(),
            Some(allowed) => stop.at(self.started + allowed),
            None => stop.clear(),
        }
    }
}

/// How often a wait polls the flag.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl Control {
    /// A control whose search this flag stops too. One flag may stop many searches.
    pub fn with_flag(flag: Arc<AtomicBool>) -> Control {
        Control { shared: Arc::new(Shared { stop: flag.clone().into(), flag, ..Shared::default() }) }
    }

    /// Stops the search. The engine answers within a few milliseconds.
    pub fn stop(&self) {
        self.update(|state| state.stopped = true);
    }

    /// The opponent has played the expected move: the clock starts now.
    pub fn ponder_hit(&self) {
        self.update(|state| {
            state.ponder_hit = true;
            if std::mem::take(&mut state.pondering) {
                state.started = now();
            }
        });
    }

    /// No more commands will follow. A limited search runs to its end; one that only a later command would end is
    /// stopped. This also applies to searches that start later.
    pub fn finish(&self) {
        self.update(|state| state.no_more_input = true);
    }

    /// Whether it has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.shared.flag.load(Relaxed) || self.state().stopped
    }

    /// What stops the search.
    pub(crate) fn stops(&self) -> Stop {
        self.shared.stop.clone()
    }

    /// Whether the engine has to answer now.
    pub fn is_due(&self) -> bool {
        self.shared.stop.is_due(Some(now))
    }

    /// Starts the clock of a search.
    pub(crate) fn start_clock(&self, ponder: bool, unlimited: bool, allowed: Option<Duration>) {
        self.update(|state| {
            state.started = now();
            state.pondering = ponder && !state.ponder_hit;
            state.unlimited = unlimited;
            state.allowed = allowed;
            state.ready = false;
        });
    }

    /// Sets the allowed time, counted from the clock's start.
    pub(crate) fn set_allowed(&self, allowed: Option<Duration>) {
        self.update(|state| state.allowed = allowed);
    }

    /// Sets whether the engine would answer now. It does unless it is pondering.
    pub(crate) fn set_ready(&self, ready: bool) {
        self.update(|state| state.ready = ready);
    }

    /// Waits for a stop or, unless `infinite`, for a ponder hit.
    pub(crate) fn wait(&self, infinite: bool) {
        let mut state = self.state();
        while !state.stopped && !self.shared.flag.load(Relaxed) && (infinite || state.pondering) {
            let waited = self.shared.changed.wait_timeout(state, POLL_INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn update(&self, update: impl FnOnce(&mut State)) {
        let mut state = self.state();
        update(&mut state);
        state.stopped |= state.no_more_input && (state.pondering || state.unlimited);
        state.update(&self.shared.stop);
        self.shared.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
