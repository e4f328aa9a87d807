//! A position being thought about: it can be left after any slice and taken up again.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use super::iteration::{OpenIteration, guess};
use super::thread::Thread;
use crate::builder::Deepening;
use crate::error::Error;
use crate::game::{Evaluate, Game, Ranked, legal_moves};
use crate::limits::{Budget, MAX_DEPTH, Stopped};
use crate::node::Keyed;
use crate::observer::{Observer, Passes};
use crate::parallel::{ParallelStats, Team};
use crate::search::{Found, Search, check_depth};
use crate::stats::{Iteration, RankedMove, Tally};
use crate::value::{Bounds, Value};

/// What is known between two slices.
pub(crate) struct Session<G: Game> {
    root: Keyed<G>,
    budget: Budget,
    /// How many of the best moves are wanted.
    lines: usize,
    /// How many plies each iteration is deeper than the one before.
    step: Option<u8>,
    /// The guess for the first iteration, if not the evaluation.
    first_guess: Option<Value>,
    /// Whether all iterations prove their principal variations, or the last alone.
    all_prove: bool,
    /// The depth of the iteration that has begun, and how far that has come.
    depth: u8,
    open: OpenIteration<G::Move>,
    pub(crate) iterations: Vec<Iteration<G::Move>>,
    tally: Tally,
    /// Root moves left out from the start, by code; then those that are ranked already in this iteration.
    excluded: Vec<u16>,
    always_excluded: usize,
    pub(crate) nodes: u64,
    started: Duration,
    time: Duration,
    /// Slices in a row that finished no pass.
    stalls: u32,
    pub(crate) ended: Option<Ended>,
    parallel: Option<ParallelStats>,
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
    /// The best move so far: one that failed high in the iteration that has begun is proved better than the last one's. Where
    /// several are ranked, that of the last iteration that ranked them all.
    pub(crate) fn best_move(&self) -> Option<G::Move> {
        let finished = self.iterations.last().and_then(|last| last.best_move);
        let begun = self.open.ranked.first().map(|first| first.m).or(self.open.best.map(|best| best.m));
        if self.lines > 1 { finished.or(begun) } else { begun.or(finished) }
    }

    /// The depth of the last finished iteration.
    pub(crate) fn finished_depth(&self) -> u8 {
        self.iterations.last().map_or(0, |iteration| iteration.depth)
    }

    /// Finds so many of the best moves, each of them at every depth.
    pub(crate) fn rank(&mut self, lines: usize) {
        let moves = legal_moves(&self.root.position).len() - self.always_excluded;
        self.lines = lines.clamp(1, moves.max(1));
    }

    /// Leaves out every root move but these.
    pub(crate) fn consider_only(&mut self, moves: &[G::Move], only: &[G::Move]) {
        let others = moves.iter().enumerate().filter(|(_, m)| !only.contains(m));
        self.excluded = others.map(|(index, &m)| self.root.position.code(m, index)).collect();
        self.always_excluded = self.excluded.len();
    }

    /// Makes one iteration alone, at the depth of the budget, beginning with a guess if there is one.
    pub(crate) fn iterate_once(&mut self, guess: Option<Value>) -> Result<(), Error> {
        (self.step, self.first_guess) = (None, guess.or(self.first_guess));
        self.depth = self.budget.depth.ok_or(Error::NoDepth)?;
        Ok(())
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
        let ranked = last.map_or(&self.open.ranked, |last| &last.ranked).clone();
        let unfinished = (!self.open.passes.is_empty()).then(|| self.open.report(self.depth, None));
        Found {
            best_move,
            value,
            f,
            pv,
            ranked,
            depth,
            complete: self.ended != Some(Ended::Stopped),
            iterations: self.iterations,
            unfinished,
            counts: self.tally.counts,
            heights: self.tally.heights(),
            time: self.time,
            parallel: self.parallel,
        }
    }
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// Makes ready to think about a position.
    pub(crate) fn open(&mut self, root: &G, budget: Budget) -> Result<Session<G>, Error> {
        if let Some(depth) = budget.depth {
            check_depth(depth)?;
        }
        if budget.time.is_some() && self.stops.clock.is_none() {
            return Err(Error::NoClock);
        }
        let step = match self.options.deepening {
            Deepening::Auto if budget.is_depth_alone() => Some(2),
            Deepening::Auto => Some(1),
            Deepening::By(plies) => Some(plies),
            Deepening::Fixed => None,
        };
        let depth = match (step, budget.depth) {
            (Some(step), Some(depth)) => (depth - 1) % step + 1,
            (Some(_), None) => 1,
            (None, Some(depth)) => depth,
            (None, None) => return Err(Error::NoDepth),
        };
        if let Some(team) = &mut self.team {
            team.reset();
        }
        self.threads.iter_mut().for_each(Thread::set_out);
        let mut tally = Tally::new();
        let over = root.outcome().or_else(|| legal_moves(root).is_empty().then(|| root.stuck()));
        let mut ended = None;
        if let Some(outcome) = over {
            let no_limit = (u64::MAX, None);
            let value =
                self.run(&mut tally, no_limit, &mut Passes(&mut ()), &[], |run, _| run.worker().value_of(outcome))?;
            ended = Some(Ended::GameOver(value));
        }
        Ok(Session {
            root: Keyed::new(root),
            budget,
            lines: 1,
            step,
            first_guess: self.options.first_guess,
            all_prove: true,
            depth,
            open: OpenIteration::new(self.options.range),
            iterations: Vec::with_capacity(64),
            tally,
            excluded: Vec::new(),
            always_excluded: 0,
            nodes: 0,
            started: self.now(),
            time: Duration::ZERO,
            stalls: 0,
            ended,
            parallel: None,
        })
    }

    fn now(&self) -> Duration {
        self.stops.clock.map_or(Duration::ZERO, |clock| clock())
    }

    /// Thinks on until the session has ended.
    pub(crate) fn complete(
        &mut self,
        mut session: Session<G>,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let until_done = session.budget.is_depth_alone() && self.stops.flag.is_none() && self.stops.alarm.is_none();
        session.all_prove = observer.looks() || !until_done;
        while session.ended.is_none() {
            self.advance(&mut session, Budget::UNLIMITED, observer)?;
        }
        Ok(session.found())
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
        let slice_end = slice.time.map(|time| self.now().saturating_add(time.saturating_mul(1 << doublings.min(most))));
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
        session.parallel = self.team.as_ref().map(Team::report);
        Ok(())
    }

    /// Works on the iteration that has begun. Whether it was finished, or one of the moves that it ranks.
    fn iteration(
        &mut self,
        session: &mut Session<G>,
        slice_nodes: Option<u64>,
        slice_end: Option<Duration>,
        observer: &mut impl Observer<G>,
    ) -> Result<bool, Error> {
        let began = self.now();
        // The first iteration is exempt from the clock, so that there is a move.
        let due = session
            .budget
            .time
            .map(|time| session.started.saturating_add(time))
            .filter(|_| !session.iterations.is_empty());
        let nodes_left = session.budget.nodes.map(|nodes| nodes.saturating_sub(session.nodes));
        let nodes = nodes_left.into_iter().chain(slice_nodes).min().unwrap_or(u64::MAX);
        let limits = (nodes, due.into_iter().chain(slice_end).min());
        let at = &mut session.open;
        if !mem::replace(&mut at.begun, true) {
            self.table.next_generation(session.tally.counts.nodes());
        }
        let before = session.tally.counts;
        // Once it has begun it goes on: what machines do alone they count alike, and later no more.
        let parallel = session.iterations.iter().any(|done| done.counts.nodes() >= self.options.share_from);
        let passes = at.passes.len();
        let told = self.guesses.get(session.iterations.len()).copied();
        let last = match at.ranked.len() {
            0 => told.or_else(|| guess(self.options.guess, session.step.unwrap_or(1), &session.iterations)),
            // The move that came so far down the list before, or as good as the one above it.
            line => {
                let before = session.iterations.last().and_then(|last| last.ranked.get(line));
                before.or(at.ranked.last()).map(|ranked| ranked.f.lower)
            }
        };
        let approximation = last.or(session.first_guess);
        let (root, depth) = (&session.root, session.depth);
        let (result, nodes) = self.run(&mut session.tally, limits, observer, &session.excluded, |run, plan| {
            run.parallel = parallel;
            let guess = approximation.unwrap_or_else(|| run.worker().static_value(&root.position));
            (run.iterate(plan, root, depth, guess, at), run.nodes())
        })?;
        session.nodes += nodes;
        at.counts += session.tally.counts - before;
        at.time += self.now().saturating_sub(began);

        match result {
            Ok(value) => {
                self.check_range(value)?;
                if self.finish_iteration(session, value)
                    && let Some(done) = session.iterations.last()
                {
                    observer.iteration(done);
                }
                session.stalls = 0;
                Ok(true)
            }
            Err(Stopped) => {
                if session.budget.nodes.is_some_and(|nodes| session.nodes >= nodes) || self.stops.stop(due) {
                    session.ended = Some(Ended::Stopped);
                }
                session.stalls = if at.passes.len() > passes { 0 } else { session.stalls + 1 };
                Ok(false)
            }
        }
    }

    /// Whether the value lies within the range that the user has promised. The ends themselves are no values: what is equal to
    /// one may lie beyond it.
    fn check_range(&self, value: Option<Value>) -> Result<(), Error> {
        let range = self.options.range;
        let kept = range == Bounds::UNKNOWN || value.is_none_or(|value| range.lower < value && value < range.upper);
        if kept { Ok(()) } else { Err(Error::BadRange { range, value }) }
    }

    /// Reports the iteration that has begun, and moves on to the next if there is one; where more moves are to be ranked, goes
    /// on with those that are left. Whether the iteration is finished.
    fn finish_iteration(&mut self, session: &mut Session<G>, value: Option<Value>) -> bool {
        let last = session.budget.depth == Some(session.depth);
        let wanted = self.options.principal_variation && (last || session.all_prove);
        let pv = match (value, session.open.best) {
            (Some(value), Some(best)) if wanted => self.prove_line(session, value, best),
            (_, best) => best.map(|best| vec![best.m]).unwrap_or_default(),
        };
        let at = &mut session.open;
        if let Some(best) = at.best {
            at.ranked.push(RankedMove { m: best.m, f: at.f, depth: session.depth, pv });
            if at.ranked.len() < session.lines {
                session.excluded.push(best.code);
                (at.f, at.best) = (self.options.range, None);
                return false;
            }
        }
        session.excluded.truncate(session.always_excluded);
        let done = mem::replace(&mut session.open, OpenIteration::new(self.options.range));
        // Without a depth to reach, a search ends when deeper ones would say the same: all lines end, or each wins for sure.
        let certain = |ranked: &RankedMove<G::Move>| {
            let value = ranked.f.exact();
            let plies = value.and_then(|value| value.wins_in().or(value.loses_in()));
            plies.is_some_and(|plies| plies <= u32::from(session.depth))
        };
        let exact = !done.estimated || !done.ranked.is_empty() && done.ranked.iter().all(certain);
        let complete = session.budget.depth.map_or(exact, |depth| session.depth >= depth);
        let mut report = done.report(session.depth, value);
        report.exact = exact;
        // Whoever plays wants to know; whoever measures is not charged for it.
        report.table_used = self.threads[0].path.as_ref().map(|_| self.table.permille_used());
        report.deepest = self.threads.iter().map(Thread::deepest).fold(report.deepest, u8::max);
        session.iterations.push(report);
        match session.step.and_then(|step| session.depth.checked_add(step)).filter(|&next| next <= MAX_DEPTH) {
            Some(next) if !complete => session.depth = next,
            _ => session.ended = Some(Ended::Complete),
        }
        true
    }

    /// The principal variation, at a cost that is bounded and not counted.
    fn prove_line(&mut self, session: &Session<G>, value: Value, best: Ranked<G::Move>) -> Vec<G::Move> {
        let due = session.budget.time.map(|time| session.started.saturating_add(time));
        let nodes = session.tally.counts.nodes().max(PV_ALLOWANCE);
        let mut uncounted = Tally::new();
        let line = self.run(&mut uncounted, (nodes, due), &mut Passes(&mut ()), &[], |run, _| {
            run.setup.learning = false; // The search goes on as if nothing had been asked.
            run.worker().pv(&session.root.position, session.depth, value, best)
        });
        line.unwrap_or_else(|_| vec![best.m])
    }
}
