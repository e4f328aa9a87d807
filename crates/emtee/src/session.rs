//! A position being thought about: it can be left after any slice and taken up again.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use crate::deepening::{Underway, guess};
use crate::error::Error;
use crate::game::{Evaluate, Game, legal_moves};
use crate::limits::{Budget, Limits, MAX_DEPTH, Stopped};
use crate::observer::Observer;
use crate::search::{Found, Search, check_depth};
use crate::stats::{Iteration, Tally};
use crate::threads::{Team, Teamwork};
use crate::value::{Bounds, Value};
use crate::worker::RootMove;

/// What is known between two slices.
pub(crate) struct Session<G: Game> {
    root: G,
    budget: Budget,
    /// The depth of the iteration under way.
    depth: u8,
    underway: Underway<G::Move>,
    pub(crate) iterations: Vec<Iteration<G::Move>>,
    tally: Tally,
    /// Root moves left out, by code.
    pub(crate) excluded: Vec<u16>,
    /// The best move of the last finished iteration.
    pub(crate) best: Option<RootMove<G::Move>>,
    pub(crate) nodes: u64,
    started: Duration,
    time: Duration,
    /// Slices in a row that finished no pass.
    stalls: u32,
    pub(crate) ended: Option<Ended>,
    teamwork: Option<Teamwork>,
}

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ended {
    /// There was nothing to search: the value of a finished game.
    GameOver(Value),
    /// Everything asked was done.
    Complete,
    /// A limit was met.
    Stopped,
}

/// A slice that finished no pass this often in a row is made longer, so that every search in slices comes to an end.
const PATIENCE: u32 = 8;

/// A slice of time is made at most four times as long: someone waits for it, and in a table of this many entries or more
/// the next slice soon comes to where the last one stopped.
const MOST_DOUBLINGS_OF_TIME: u32 = 2;
const LARGE_TABLE: usize = 1 << 12;

/// The least number of visits allowed for proving a principal variation.
const PV_ALLOWANCE: u64 = 10_000;

impl<G: Game> Session<G> {
    /// The best move so far: one that failed high in the iteration under way is proved better than the last one's.
    pub(crate) fn best_move(&self) -> Option<G::Move> {
        self.underway.best.or(self.best).map(|best| best.m)
    }

    /// The depth of the last finished iteration.
    pub(crate) fn finished_depth(&self) -> u8 {
        self.iterations.last().map_or(0, |iteration| iteration.depth)
    }

    /// Once more at the same depth, without a move.
    pub(crate) fn without(&mut self, best: RootMove<G::Move>, range: Bounds) {
        self.excluded.push(best.code);
        self.depth = self.finished_depth();
        self.budget.depth = Some(self.depth);
        self.underway = Underway::new(range);
        self.ended = None;
    }

    /// Leaves out every root move but these.
    pub(crate) fn consider_only(&mut self, position: &G, moves: &[G::Move], only: &[G::Move]) {
        let others = moves.iter().enumerate().filter(|(_, m)| !only.contains(m));
        self.excluded = others.map(|(index, &m)| position.code(m, index)).collect();
    }

    /// What was found.
    pub(crate) fn found(self) -> Found<G::Move> {
        let best_move = self.best_move();
        let depth = self.finished_depth();
        let last = self.iterations.last();
        let (value, f) = match (self.ended, last) {
            (Some(Ended::GameOver(value)), _) => (Some(value), Bounds::exactly(value)),
            (_, Some(last)) => (last.value, last.f),
            (_, None) => (None, Bounds::UNKNOWN),
        };
        let pv = match (last, best_move) {
            (Some(last), Some(best)) if last.best_move == Some(best) => last.pv.clone(),
            (_, best) => best.into_iter().collect(),
        };
        let unfinished = (!self.underway.passes.is_empty()).then(|| {
            let line = self.underway.best.map(|best| vec![best.m]).unwrap_or_default();
            self.underway.report(self.depth, None, line)
        });
        Found {
            best_move,
            value,
            f,
            pv,
            depth,
            complete: self.ended != Some(Ended::Stopped),
            iterations: self.iterations,
            unfinished,
            counts: self.tally.counts,
            heights: self.tally.heights(),
            time: self.time,
            teamwork: self.teamwork,
        }
    }
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// Makes ready to think about a position.
    pub(crate) fn open(&mut self, root: &G, budget: Budget) -> Result<Session<G>, Error> {
        if let Some(depth) = budget.depth {
            check_depth(depth)?;
        }
        if budget.time.is_some() && self.clock.is_none() {
            return Err(Error::NoClock);
        }
        let depth = match (self.step, budget.depth) {
            (Some(step), Some(depth)) => (depth - 1) % step + 1,
            (Some(_), None) => 1,
            (None, Some(depth)) => depth,
            (None, None) => return Err(Error::NoDepth),
        };
        if let Some(team) = &mut self.team {
            team.reset();
        }
        let mut tally = Tally::new();
        let over = match root.outcome() {
            Some(outcome) => Some(outcome),
            None => legal_moves(root).is_empty().then(|| root.stuck()),
        };
        let mut ended = None;
        if let Some(outcome) = over {
            let mut unobserved = ();
            let (mut worker, _) = self.worker(&mut tally, Limits::new(None, None, None), &mut unobserved, &[]);
            ended = Some(Ended::GameOver(worker.value_of(outcome)));
            worker.fault.map_or(Ok(()), Err)?;
        }
        Ok(Session {
            root: root.clone(),
            budget,
            depth,
            underway: Underway::new(self.range),
            iterations: Vec::with_capacity(64),
            tally,
            excluded: Vec::new(),
            best: None,
            nodes: 0,
            started: self.now(),
            time: Duration::ZERO,
            stalls: 0,
            ended,
            teamwork: None,
        })
    }

    fn now(&self) -> Duration {
        self.clock.map_or(Duration::ZERO, |clock| clock())
    }

    /// Thinks on until the slice is used up, or the session ended.
    pub(crate) fn advance(
        &mut self,
        session: &mut Session<G>,
        slice: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<(), Error> {
        let doublings = session.stalls.saturating_sub(PATIENCE).min(20);
        let most = if self.table.entries() >= LARGE_TABLE { MOST_DOUBLINGS_OF_TIME } else { 20 };
        let slice_end = slice.time.map(|time| self.now() + time * (1 << doublings.min(most)));
        let mut slice_nodes = slice.nodes.map(|nodes| nodes.max(1).saturating_mul(1 << doublings));
        while session.ended.is_none() {
            let nodes = session.nodes;
            let finished = self.iteration(session, slice_nodes, slice_end, observer)?;
            if !finished {
                break;
            }
            slice_nodes = slice_nodes.map(|left| left.saturating_sub(session.nodes - nodes));
            if slice_nodes == Some(0) || slice_end.is_some_and(|end| self.now() >= end) {
                break;
            }
        }
        session.time = self.now().saturating_sub(session.started);
        session.teamwork = self.team.as_ref().map(Team::report);
        Ok(())
    }

    /// Works on the iteration under way. Whether it was finished.
    fn iteration(
        &mut self,
        session: &mut Session<G>,
        slice_nodes: Option<u64>,
        slice_end: Option<Duration>,
        observer: &mut impl Observer<G>,
    ) -> Result<bool, Error> {
        let (stop, alarm) = (self.stop.clone(), self.alarm.clone());
        let (clock, began) = (self.clock, self.now());
        // The first iteration is exempt from the clock, so that there is a move.
        let due = session.budget.time.map(|time| session.started + time).filter(|_| !session.iterations.is_empty());
        let nodes_left = session.budget.nodes.map(|nodes| nodes.saturating_sub(session.nodes));
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        let deadline = clock.zip(due.into_iter().chain(slice_end).min());
        let limits =
            Limits::new(least(nodes_left, slice_nodes), deadline, stop.as_deref()).and(alarm.as_deref(), clock);

        let at = &mut session.underway;
        if !mem::replace(&mut at.begun, true) {
            self.table.next_generation();
        }
        let before = session.tally.counts;
        let large = session.iterations.last().is_some_and(|last| last.counts.nodes() >= self.share_from);
        let passes = at.passes.len();
        let first_guess = self.first_guess;
        let last = guess(self.guess, self.step.unwrap_or(1), &session.iterations);
        let (mut worker, plan) = self.worker(&mut session.tally, limits, observer, &session.excluded);
        worker.estimated = at.estimated;
        worker.large = large;
        let approximation = last.or(first_guess).unwrap_or_else(|| worker.static_value(&session.root));
        let result = worker.iterate(plan, &session.root, session.depth, approximation, at);
        at.estimated = worker.estimated;
        session.nodes += worker.limits.nodes();
        worker.fault.take().map_or(Ok(()), Err)?;
        at.counts += session.tally.counts - before;
        at.time += self.now().saturating_sub(began);

        match result {
            Ok(value) => {
                self.finish_iteration(session, value);
                if let Some(done) = session.iterations.last() {
                    observer.iteration(done);
                }
                session.stalls = 0;
                Ok(true)
            }
            Err(Stopped) => {
                let spent = session.budget.nodes.is_some_and(|nodes| session.nodes >= nodes)
                    || due.is_some_and(|due| self.now() >= due)
                    || stop.is_some_and(|stop| stop.load(core::sync::atomic::Ordering::Relaxed))
                    || alarm.is_some_and(|alarm| alarm.rings(clock));
                if spent {
                    session.ended = Some(Ended::Stopped);
                }
                session.stalls = if at.passes.len() > passes { 0 } else { session.stalls + 1 };
                Ok(false)
            }
        }
    }

    /// Files the iteration under way, and moves on to the next if there is one.
    fn finish_iteration(&mut self, session: &mut Session<G>, value: Option<Value>) {
        let done = mem::replace(&mut session.underway, Underway::new(self.range));
        session.best = done.best;
        let pv = match (value, done.best) {
            (Some(value), Some(best)) if self.pv => self.prove_line(session, value, best),
            (_, best) => best.map(|best| vec![best.m]).unwrap_or_default(),
        };
        // Without a depth to reach, a search ends when deeper ones would say the same: all lines end, or one wins for sure.
        let certain = value.is_some_and(|value| {
            value.wins_in().or(value.loses_in()).is_some_and(|plies| plies <= u32::from(session.depth))
        });
        let exact = certain || !done.estimated;
        let complete = match session.budget.depth {
            Some(depth) => session.depth >= depth,
            None => exact,
        };
        let mut report = done.report(session.depth, value, pv);
        report.exact = exact;
        // Whoever plays wants to know; whoever measures is not charged for it.
        report.table_used = self.game.as_ref().map(|_| self.table.permille_used());
        session.iterations.push(report);
        match self.step.and_then(|step| session.depth.checked_add(step)).filter(|&next| next <= MAX_DEPTH) {
            Some(next) if !complete => session.depth = next,
            _ => session.ended = Some(Ended::Complete),
        }
    }

    /// The principal variation, at a cost that is bounded and not counted.
    fn prove_line(&mut self, session: &Session<G>, value: Value, best: RootMove<G::Move>) -> Vec<G::Move> {
        let (stop, alarm) = (self.stop.clone(), self.alarm.clone());
        let due = session.budget.time.map(|time| session.started + time);
        let allowance = session.tally.counts.nodes().max(PV_ALLOWANCE);
        let limits =
            Limits::new(Some(allowance), self.clock.zip(due), stop.as_deref()).and(alarm.as_deref(), self.clock);
        let mut uncounted = Tally::new();
        let mut unobserved = ();
        let (mut worker, _) = self.worker(&mut uncounted, limits, &mut unobserved, &[]);
        worker.learning = false; // The search goes on as if nothing had been asked.
        worker.principal_variation(&session.root, session.depth, value, best)
    }
}
