//! Limits of a search: budgets, clocks and alarms.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::time::Duration;

use crate::value::Value;

/// The search was stopped: the results of unfinished nodes are discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The value that a search of a node returns, unless it was stopped.
pub(crate) type Answer = Result<Value, Stopped>;

/// The greatest depth of a search, in plies.
pub const MAX_DEPTH: u8 = 250;

/// The limits of a search. It ends at the first limit it reaches.
///
/// ```
/// use emtee::Budget;
/// use std::time::Duration;
/// let budget = Budget::ms(500).and_depth(12);
/// assert_eq!(budget.time, Some(Duration::from_millis(500)));
/// assert_eq!(budget.depth, Some(12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Budget {
    /// The depth, in plies.
    pub depth: Option<u8>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The time. The first iteration is always finished, so that there is a move.
    pub time: Option<Duration>,
}

impl Budget {
    /// No limit: the search ends when the game is solved, or by a stop flag or an alarm.
    pub const UNLIMITED: Budget = Budget { depth: None, nodes: None, time: None };

    /// A fixed depth. The search finishes it, so the value is the minimax value at that depth.
    pub const fn depth(depth: u8) -> Budget {
        Budget { depth: Some(depth), ..Budget::UNLIMITED }
    }

    /// A number of nodes.
    pub const fn nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::UNLIMITED }
    }

    /// A time limit.
    pub const fn time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::UNLIMITED }
    }

    /// Whether a depth is the only limit, so that the last iteration is known in advance.
    pub(crate) const fn is_depth_alone(&self) -> bool {
        self.depth.is_some() && self.nodes.is_none() && self.time.is_none()
    }

    /// A time in milliseconds.
    pub const fn ms(ms: u64) -> Budget {
        Budget::time(Duration::from_millis(ms))
    }

    /// This budget, with a depth limit.
    pub const fn and_depth(self, depth: u8) -> Budget {
        Budget { depth: Some(depth), ..self }
    }

    /// This budget, with a node limit.
    pub const fn and_nodes(self, nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..self }
    }

    /// This budget, with a time limit.
    pub const fn and_time(self, time: Duration) -> Budget {
        Budget { time: Some(time), ..self }
    }
}

/// A function that returns the time since some fixed moment. It is injected, so that the library needs no clock of its own.
pub type Clock = fn() -> Duration;

/// The system clock.
#[cfg(feature = "std")]
pub fn system_clock() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// A time at which a search is stopped. The observer or another thread can change it during the search.
///
/// Unlike a time limit of a [`Budget`], it can stop the first iteration. A time in the past stops the search at once.
///
/// ```
/// use emtee::{Alarm, Budget, Game, player};
/// use emtee_games::connect4::Board;
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// let alarm = Arc::new(Alarm::default());
/// let mut ai = player(Board::evaluate).build()?;
/// ai.set_alarm(Some(alarm.clone()));
/// alarm.set(emtee::system_clock() + Duration::from_millis(20));
/// let found = ai.think(&Board::default(), Budget::UNLIMITED)?;
/// assert!(!found.complete);
/// # Ok::<(), emtee::Error>(())
/// ```
#[derive(Debug)]
pub struct Alarm(AtomicU64);

impl Default for Alarm {
    fn default() -> Alarm {
        Alarm(AtomicU64::new(u64::MAX))
    }
}

impl Alarm {
    /// Stops the search at this time of its clock.
    pub fn set(&self, time: Duration) {
        self.0.store(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// Stops the search now, with or without a clock.
    pub fn ring(&self) {
        self.0.store(0, Relaxed);
    }

    /// Removes the time: the search is not stopped.
    pub fn clear(&self) {
        self.0.store(u64::MAX, Relaxed);
    }

    /// Whether the time has been reached.
    pub fn rings(&self, clock: Option<Clock>) -> bool {
        match self.0.load(Relaxed) {
            0 => true,
            u64::MAX => false,
            time => clock.is_some_and(|clock| clock().as_nanos() >= u128::from(time)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_rings_at_its_time() {
        let clock: Clock = || Duration::from_secs(5);
        let alarm = Alarm::default();
        let rings = || [alarm.rings(Some(clock)), alarm.rings(None)];
        assert_eq!(rings(), [false, false]);
        for (seconds, rung) in [(6, false), (5, true), (4, true)] {
            alarm.set(Duration::from_secs(seconds));
            assert_eq!(rings(), [rung, false], "{seconds} seconds");
        }
        alarm.clear();
        assert_eq!(rings(), [false, false]);
        alarm.ring();
        assert_eq!(rings(), [true, true]);
    }
}
