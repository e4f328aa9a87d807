//! The limits of a search, and the visit counter that checks them.

use core::time::Duration;

use crate::game::{Evaluate, Game};
use crate::limits::{Clock, Stop, Stopped};
use crate::node::Worker;
use crate::observer::Observer;

/// The clock, and what stops the search from outside.
pub(crate) struct Stops {
    pub(crate) clock: Option<Clock>,
    pub(crate) stop: Option<Stop>,
}

impl Stops {
    pub(crate) const NONE: Stops = Stops { clock: None, stop: None };

    /// Whether the search is to stop now: from outside, or because its time is over.
    pub(crate) fn is_due(&self, due: Option<Duration>) -> bool {
        self.clock.zip(due).is_some_and(|(clock, due)| clock() >= due)
            || self.stop.as_ref().is_some_and(|stop| stop.is_due(self.clock))
    }
}

/// The limits of a slice of a search.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'s> {
    pub(crate) nodes: u64,
    pub(crate) due: Option<Duration>,
    pub(crate) stops: &'s Stops,
}

/// The number of visits between two checks of the limits.
const CHECK_INTERVAL: u64 = 512;

/// The visit counter of a thread.
#[derive(Default)]
pub(crate) struct Visits {
    /// The visits left before the next check of the limits, and the number of visits at that check.
    left: i64,
    next_check: u64,
    quiet: u64,
    /// Visits that are added to the team's count already.
    #[cfg(feature = "std")]
    pub(crate) reported: u64,
}

impl Visits {
    /// The number of visits, without those of quiescence search.
    pub(crate) fn nodes(&self) -> u64 {
        self.next_check.wrapping_sub_signed(self.left)
    }

    /// A counter that starts at `nodes` visits and checks the limits before the next.
    #[cfg(feature = "std")]
    pub(crate) fn after(nodes: u64) -> Visits {
        Visits { next_check: nodes, reported: nodes, ..Visits::default() }
    }

    /// Makes the next check at most `visits` visits from now.
    #[cfg(feature = "std")]
    pub(crate) fn check_within(&mut self, visits: u64) {
        let skipped = self.left.saturating_sub_unsigned(visits).max(0);
        self.left -= skipped;
        self.next_check -= skipped as u64;
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Counts a visit that begins, and checks the limits if it is time to.
    #[inline(always)]
    pub(crate) fn count_visit(&mut self) -> Result<(), Stopped> {
        self.own.visits.left -= 1;
        if self.own.visits.left < 0 { self.check_then_count_visit() } else { Ok(()) }
    }

    /// Counts a visit below the horizon; it has its own check, because quiescence search takes time too.
    #[inline(always)]
    pub(crate) fn count_quiet_visit(&mut self) -> Result<(), Stopped> {
        self.own.visits.quiet += 1;
        if self.own.visits.quiet.is_multiple_of(CHECK_INTERVAL) { self.check_limits() } else { Ok(()) }
    }

    #[cold]
    fn check_then_count_visit(&mut self) -> Result<(), Stopped> {
        self.own.visits.left = 0; // This visit is counted only if the search continues.
        self.check_limits()?;
        self.own.visits.left -= 1;
        Ok(())
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        let visits = &mut self.own.visits;
        let made = visits.nodes();
        visits.next_check = self.setup.limits.nodes.clamp(made, made + CHECK_INTERVAL);
        visits.left = (visits.next_check - made) as i64;
        #[cfg(feature = "std")]
        if let Some(team) = self.setup.team {
            team.check_limits(self.own.number, visits, self.setup.table)?;
        }
        let Limits { nodes, due, stops } = self.setup.limits;
        if made >= nodes || stops.is_due(due) { Err(Stopped) } else { Ok(()) }
    }
}
