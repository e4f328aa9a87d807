//! The limits of a slice, and how far a thread has come.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::time::Duration;

use crate::game::{Evaluate, Game};
use crate::limits::{Alarm, Clock, Stopped};
use crate::node::Worker;
use crate::observer::Observer;

/// What may end a search from outside, and the clock that it goes by.
pub(crate) struct Stops {
    pub(crate) clock: Option<Clock>,
    pub(crate) flag: Option<Arc<AtomicBool>>,
    pub(crate) alarm: Option<Arc<Alarm>>,
}

impl Stops {
    pub(crate) const NONE: Stops = Stops { clock: None, flag: None, alarm: None };

    /// Whether somebody wants the search to end now, or it is due.
    pub(crate) fn stop(&self, due: Option<Duration>) -> bool {
        self.flag.as_ref().is_some_and(|flag| flag.load(Relaxed))
            || self.clock.zip(due).is_some_and(|(clock, due)| clock() >= due)
            || self.alarm.as_ref().is_some_and(|alarm| alarm.rings(self.clock))
    }
}

/// When a slice of a search ends.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'s> {
    pub(crate) nodes: u64,
    pub(crate) due: Option<Duration>,
    pub(crate) stops: &'s Stops,
}

/// How many visits pass between two looks at the clock.
const INTERVAL: u64 = 512;

/// The visits of a thread.
#[derive(Default)]
pub(crate) struct Visits {
    /// How many may be made before the next look at the limits, and how many will have been made then.
    left: i64,
    next_look: u64,
    quiet: u64,
    /// Those that the team has been told of.
    #[cfg(feature = "std")]
    pub(crate) told: u64,
}

impl Visits {
    /// How many have been made, without the quiet ones.
    pub(crate) fn nodes(&self) -> u64 {
        self.next_look.wrapping_sub_signed(self.left)
    }

    /// So many have been made; there is a look at the limits before the next.
    #[cfg(feature = "std")]
    pub(crate) fn after(nodes: u64) -> Visits {
        Visits { next_look: nodes, told: nodes, ..Visits::default() }
    }

    /// The next look comes after so many at most.
    #[cfg(feature = "std")]
    pub(crate) fn look_again_after(&mut self, visits: u64) {
        let spared = self.left.saturating_sub_unsigned(visits).max(0);
        self.left -= spared;
        self.next_look -= spared as u64;
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// A node is about to be visited.
    #[inline(always)]
    pub(crate) fn visit(&mut self) -> Result<(), Stopped> {
        self.own.visits.left -= 1;
        if self.own.visits.left < 0 { self.look_and_go_on() } else { Ok(()) }
    }

    /// A position below the horizon is about to be visited, which takes time too.
    #[inline(always)]
    pub(crate) fn visit_quiet(&mut self) -> Result<(), Stopped> {
        self.own.visits.quiet += 1;
        if self.own.visits.quiet.is_multiple_of(INTERVAL) { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look_and_go_on(&mut self) -> Result<(), Stopped> {
        self.own.visits.left = 0; // The visit is not made yet.
        self.look()?;
        self.own.visits.left -= 1;
        Ok(())
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        let visits = &mut self.own.visits;
        let made = visits.nodes();
        visits.next_look = self.setup.limits.nodes.clamp(made, made + INTERVAL);
        visits.left = (visits.next_look - made) as i64;
        #[cfg(feature = "std")]
        if let Some(team) = self.setup.team {
            team.look(self.own.number, visits, self.setup.table)?;
        }
        let Limits { nodes, due, stops } = self.setup.limits;
        if made >= nodes || stops.stop(due) { Err(Stopped) } else { Ok(()) }
    }
}
