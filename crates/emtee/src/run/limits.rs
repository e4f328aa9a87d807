//! The limits of a slice, and how far a thread has come.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::time::Duration;

use crate::game::{Evaluate, Game};
use crate::limits::{Alarm, Clock, Stopped};
use crate::node::Worker;
use crate::observer::Observer;

/// When a slice of a search ends.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'s> {
    pub(crate) nodes: u64,
    pub(crate) deadline: Option<(Clock, Duration)>,
    pub(crate) stop: Option<&'s AtomicBool>,
    pub(crate) alarm: Option<&'s Alarm>,
    /// What the alarm goes by.
    pub(crate) clock: Option<Clock>,
}

impl<'s> Limits<'s> {
    pub(crate) const NONE: Limits<'static> = Limits::new(u64::MAX, None, None, None, None);

    /// So many nodes, until a moment of the clock, a stop flag or an alarm.
    pub(crate) const fn new(
        nodes: u64,
        deadline: Option<(Clock, Duration)>,
        stop: Option<&'s AtomicBool>,
        alarm: Option<&'s Alarm>,
        clock: Option<Clock>,
    ) -> Limits<'s> {
        Limits { nodes, deadline, stop, alarm, clock }
    }

    /// Whether somebody wants the search to end now.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
            || self.deadline.is_some_and(|(clock, deadline)| clock() >= deadline)
            || self.alarm.is_some_and(|alarm| alarm.rings(self.clock))
    }
}

/// How many visits pass between two looks at the clock.
const INTERVAL: u64 = 512;

/// The visits of a thread.
#[derive(Default)]
pub(crate) struct Visits {
    /// So far, without the quiet ones.
    pub(crate) nodes: u64,
    /// How many there may be before the next look at the limits.
    pub(crate) next_look: u64,
    quiet: u64,
    /// Those that the team has been told of.
    #[cfg(feature = "std")]
    pub(crate) told: u64,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// A node is about to be visited.
    #[inline(always)]
    pub(crate) fn visit(&mut self) -> Result<(), Stopped> {
        if self.own.visits.nodes >= self.own.visits.next_look {
            self.look()?;
        }
        self.own.visits.nodes += 1;
        Ok(())
    }

    /// A position below the horizon is about to be visited, which takes time too.
    #[inline(always)]
    pub(crate) fn visit_quiet(&mut self) -> Result<(), Stopped> {
        self.own.visits.quiet += 1;
        if self.own.visits.quiet.is_multiple_of(INTERVAL) { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        let visits = &mut self.own.visits;
        visits.next_look = self.setup.limits.nodes.min(visits.nodes + INTERVAL);
        #[cfg(feature = "std")]
        if let Some(team) = self.setup.team {
            team.look(self.own.number, visits)?;
        }
        let spent = self.own.visits.nodes >= self.setup.limits.nodes;
        if spent || self.setup.limits.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}
