//! Limits of a search: budgets, clocks, and stops from outside.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
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
    /// No limit: the search ends when the game is solved, or by a [`Stop`].
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

/// Stops a search from outside: now, at a time, or as long as a flag is true. Clones share one state, so that the observer
/// or another thread can stop a search that runs.
///
/// Unlike a time limit of a [`Budget`], it can stop the first iteration. A time in the past stops the search at once.
///
/// ```
/// use emtee::{Budget, Game, Stop, player};
/// use emtee_games::connect4::Board;
/// use std::time::Duration;
///
/// let stop = Stop::default();
/// let mut ai = player(Board::evaluate).stop(stop.clone()).build()?;
/// stop.at(emtee::system_clock() + Duration::from_millis(20));
/// let found = ai.think(&Board::default(), Budget::UNLIMITED)?;
/// assert!(!found.complete);
/// # Ok::<(), emtee::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stop {
    /// The time in nanoseconds.
    time: Arc<AtomicU64>,
    flag: Option<Arc<AtomicBool>>,
}

impl Default for Stop {
    fn default() -> Stop {
        Stop { time: Arc::new(AtomicU64::new(u64::MAX)), flag: None }
    }
}

/// A flag that stops searches as long as it is true, for example one that Ctrl-C sets. One flag may stop many searches.
impl From<Arc<AtomicBool>> for Stop {
    fn from(flag: Arc<AtomicBool>) -> Stop {
        Stop { flag: Some(flag), ..Stop::default() }
    }
}

impl Stop {
    /// Stops the search at this time of its clock.
    pub fn at(&self, time: Duration) {
        self.time.store(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// Stops the search now, with or without a clock.
    pub fn now(&self) {
        self.time.store(0, Relaxed);
    }

    /// Removes the time. The flag still stops the search.
    pub fn clear(&self) {
        self.time.store(u64::MAX, Relaxed);
    }

    /// Whether a search with this clock is to stop.
    pub fn is_due(&self, clock: Option<Clock>) -> bool {
        self.flag.as_ref().is_some_and(|flag| flag.load(Relaxed))
            || match self.time.load(Relaxed) {
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
    fn a_search_stops_at_the_time_or_by_the_flag() {
        let clock: Clock = || Duration::from_secs(5);
        let flag = Arc::new(AtomicBool::new(false));
        let stop = Stop::from(flag.clone());
        let is_due = || [stop.is_due(Some(clock)), stop.is_due(None)];
        assert_eq!(is_due(), [false, false]);
        for (seconds, due) in [(6, false), (5, true), (4, true)] {
            stop.at(Duration::from_secs(seconds));
            assert_eq!(is_due(), [due, false], "{seconds} seconds");
        }
        stop.clear();
        assert_eq!(is_due(), [false, false]);
        stop.clone().now();
        assert_eq!(is_due(), [true, true]);
        stop.clear();
        flag.store(true, Relaxed);
        assert_eq!(is_due(), [true, true]);
    }
}
