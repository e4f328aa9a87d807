//! When to stop.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::time::Duration;

use crate::value::Value;

/// A search was stopped: nothing it was still doing counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// What a question comes to, unless it is stopped.
pub(crate) type Answer = Result<Value, Stopped>;

/// The deepest a search goes, in plies.
pub const MAX_DEPTH: u8 = 250;

/// How far a search may go. It ends at the first limit it meets.
///
/// ```
/// use emtee::Budget;
/// use std::time::Duration;
/// let budget = Budget::ms(500).and_depth(12);
/// assert_eq!(budget.time, Some(Duration::from_millis(500)));
/// assert_eq!(budget.depth, Some(12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Budget {
    /// How deep, in plies.
    pub depth: Option<u8>,
    /// How many nodes.
    pub nodes: Option<u64>,
    /// How long. The first iteration is always finished, so that there is a move.
    pub time: Option<Duration>,
}

impl Budget {
    /// No limit but the end of the game, or a stop from outside.
    pub const UNLIMITED: Budget = Budget { depth: None, nodes: None, time: None };

    /// To a fixed depth: the whole of it, so that the value is the minimax value at that depth.
    pub const fn depth(depth: u8) -> Budget {
        Budget { depth: Some(depth), ..Budget::UNLIMITED }
    }

    /// So many nodes.
    pub const fn nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::UNLIMITED }
    }

    /// So long.
    pub const fn time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::UNLIMITED }
    }

    /// Whether a depth is the only limit: then it is known when the search ends.
    pub(crate) const fn is_depth_alone(&self) -> bool {
        self.depth.is_some() && self.nodes.is_none() && self.time.is_none()
    }

    /// So many milliseconds.
    pub const fn ms(ms: u64) -> Budget {
        Budget::time(Duration::from_millis(ms))
    }

    /// And no deeper than this.
    pub const fn and_depth(self, depth: u8) -> Budget {
        Budget { depth: Some(depth), ..self }
    }

    /// And no more nodes than these.
    pub const fn and_nodes(self, nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..self }
    }

    /// And no longer than this.
    pub const fn and_time(self, time: Duration) -> Budget {
        Budget { time: Some(time), ..self }
    }
}

/// Tells the time since some fixed moment. Injected, so that the library needs none of its own.
pub type Clock = fn() -> Duration;

/// The system's clock.
#[cfg(feature = "std")]
pub fn system_clock() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// A moment that ends a search, and that may be moved while it runs, by its observer or from another thread.
///
/// Unlike a [`Budget`], it does not wait for the first iteration. It can always be moved to the past, which stops at once.
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
    /// Ends the search at this moment of its clock.
    pub fn set(&self, moment: Duration) {
        self.0.store(u64::try_from(moment.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// Ends the search now, clock or no clock.
    pub fn ring(&self) {
        self.0.store(0, Relaxed);
    }

    /// Never ends the search.
    pub fn clear(&self) {
        self.0.store(u64::MAX, Relaxed);
    }

    /// Whether the moment has come.
    pub(crate) fn rings(&self, clock: Option<Clock>) -> bool {
        match self.0.load(Relaxed) {
            0 => true,
            u64::MAX => false,
            moment => clock.is_some_and(|clock| clock().as_nanos() >= u128::from(moment)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_rings_when_its_moment_has_come() {
        let clock: Clock = || Duration::from_secs(5);
        let alarm = Alarm::default();
        let rings = || [alarm.rings(Some(clock)), alarm.rings(None)];
        assert_eq!(rings(), [false, false]);
        for (moment, rung) in [(6, false), (5, true), (4, true)] {
            alarm.set(Duration::from_secs(moment));
            assert_eq!(rings(), [rung, false], "{moment} seconds");
        }
        alarm.clear();
        assert_eq!(rings(), [false, false]);
        alarm.ring();
        assert_eq!(rings(), [true, true]);
    }
}
