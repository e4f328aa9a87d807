//! When to stop.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::time::Duration;

/// A search was stopped: nothing it was still doing counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

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

/// How many visits pass between two looks at the clock.
const INTERVAL: u64 = 512;

/// The limits of one slice of a search, and how far it has come.
pub(crate) struct Limits<'s> {
    /// Visits so far, without the quiet ones.
    nodes: u64,
    /// How many visits there may be before the next look at the limits.
    next_look: u64,
    /// Quiet visits so far.
    quiet: u64,
    max_nodes: u64,
    deadline: Option<(Clock, Duration)>,
    stop: Option<&'s AtomicBool>,
}

impl<'s> Limits<'s> {
    pub(crate) fn new(
        max_nodes: Option<u64>,
        deadline: Option<(Clock, Duration)>,
        stop: Option<&'s AtomicBool>,
    ) -> Limits<'s> {
        Limits { nodes: 0, next_look: 0, quiet: 0, max_nodes: max_nodes.unwrap_or(u64::MAX), deadline, stop }
    }

    /// Visits so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A node is about to be visited.
    #[inline(always)]
    pub(crate) fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// A position below the horizon is about to be visited, which takes time too.
    #[inline(always)]
    pub(crate) fn visit_quiet(&mut self) -> Result<(), Stopped> {
        self.quiet += 1;
        if self.quiet.is_multiple_of(INTERVAL) { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        self.next_look = self.max_nodes.min(self.nodes + INTERVAL);
        let spent = self.nodes >= self.max_nodes;
        let stopped = self.stop.is_some_and(|stop| stop.load(Relaxed));
        let late = self.deadline.is_some_and(|(clock, deadline)| clock() >= deadline);
        if spent || stopped || late { Err(Stopped) } else { Ok(()) }
    }
}
