//! When to stop.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use core::time::Duration;

use crate::threads::Team;

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

/// How many visits pass between two looks at the clock.
const INTERVAL: u64 = 512;

/// And how many while others wait for the end of the same pass.
const TEAM_INTERVAL: u64 = 64;

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
    alarm: Option<(&'s Alarm, Option<Clock>)>,
    /// The others at work on the same pass, and which one this is.
    team: Option<(&'s Team, usize)>,
    /// Whether they are at work.
    shared: bool,
    /// Visits that the team has been told of.
    told: u64,
}

impl<'s> Limits<'s> {
    pub(crate) fn new(
        max_nodes: Option<u64>,
        deadline: Option<(Clock, Duration)>,
        stop: Option<&'s AtomicBool>,
    ) -> Limits<'s> {
        Limits {
            nodes: 0,
            next_look: 0,
            quiet: 0,
            max_nodes: max_nodes.unwrap_or(u64::MAX),
            deadline,
            stop,
            alarm: None,
            team: None,
            shared: false,
            told: 0,
        }
    }

    /// And with a team, for the thread that the limits are meant for.
    pub(crate) fn with(self, team: Option<&'s Team>) -> Limits<'s> {
        Limits { team: team.map(|team| (team, 0)), ..self }
    }

    /// The limits of a helper: none but the end of the pass.
    #[cfg(feature = "std")]
    pub(crate) fn of_helper(team: &'s Team, number: usize) -> Limits<'s> {
        Limits { team: Some((team, number)), shared: true, ..Limits::new(None, None, None) }
    }

    /// A pass of the whole team begins, or ends.
    #[cfg(feature = "std")]
    pub(crate) fn share(&mut self, shared: bool) {
        let Some((team, _)) = self.team else { return };
        if shared {
            team.nodes.store(0, Relaxed);
            team.most_nodes.store(self.max_nodes.saturating_sub(self.nodes), Relaxed);
            self.told = self.nodes;
        }
        self.shared = shared;
        self.next_look = self.nodes;
    }

    /// Tells the team of the last visits.
    #[cfg(feature = "std")]
    pub(crate) fn sign_off(&mut self) {
        if let Some((team, _)) = self.team {
            team.nodes.fetch_add(self.nodes - self.told, Relaxed);
            self.told = self.nodes;
        }
    }

    /// Visits of others.
    #[cfg(feature = "std")]
    pub(crate) fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.next_look = self.nodes;
    }

    /// And until the alarm rings.
    pub(crate) fn and(self, alarm: Option<&'s Alarm>, clock: Option<Clock>) -> Limits<'s> {
        Limits { alarm: alarm.map(|alarm| (alarm, clock)), ..self }
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
        if let Some((team, number)) = self.team.filter(|_| self.shared) {
            self.next_look = self.max_nodes.min(self.nodes + TEAM_INTERVAL);
            #[cfg(not(feature = "std"))]
            let _ = number;
            #[cfg(feature = "std")]
            if let Some(conductor) = &team.conductor {
                self.next_look = self.nodes + 1;
                conductor.step(number);
            }
            let news = self.nodes - core::mem::replace(&mut self.told, self.nodes);
            if team.nodes.fetch_add(news, Relaxed) + news >= team.most_nodes.load(Relaxed) {
                team.done.store(true, Relaxed);
            }
            if team.done.load(Relaxed) {
                return Err(Stopped);
            }
        }
        let stopped = self.stop.is_some_and(|stop| stop.load(Relaxed));
        let late = self.deadline.is_some_and(|(clock, deadline)| clock() >= deadline);
        let rings = self.alarm.is_some_and(|(alarm, clock)| alarm.rings(clock));
        if spent || stopped || late || rings { Err(Stopped) } else { Ok(()) }
    }
}
