//! A search of one position, in slices: it can be interrupted after any slice and continued.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use super::iteration::{UnfinishedIteration, guess};
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

/// The state of a search between two slices.
pub(crate) struct Session<G: Game> {
    root: Keyed<G>,
    budget: Budget,
    /// How many of the best moves to rank.
    lines: usize,
    /// How many plies deeper each iteration is than the one before; `None`: one iteration alone.
    step: Option<u8>,
    /// The guess for the first iteration. `None`: the static evaluation.
    first_guess: Option<Value>,
    /// Whether every iteration proves its principal variation, or only the last.
    prove_every_pv: bool,
    /// The depth of the unfinished iteration, and its state.
    depth: u8,
    unfinished: UnfinishedIteration<G::Move>,
    pub(crate) iterations: Vec<Iteration<G::Move>>,
    tally: Tally,
    /// The codes of excluded root moves: those excluded from the start, then those ranked already in this iteration.
    excluded: Vec<u16>,
    excluded_from_start: usize,
    pub(crate) nodes: u64,
    started: Duration,
    time: Duration,
    /// How many slices in a row finished no pass.
    stalls: u32,
    pub(crate) ended: Option<Ended>,
    parallel: Option<ParallelStats>,
}

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ended {
    /// The game is over, with this value: there was nothing to search.
    GameOver(Value),
    /// The search is complete.
    Complete,
    /// A limit was met.
    Stopped,
}

/// After this many slices in a row that finished no pass, slices are doubled, so that every search in slices ends.
const STALLS_BEFORE_DOUBLING: u32 = 8;

/// With a table of at least `LARGE_TABLE` entries a slice of time becomes at most four times as long: the caller waits for it,
/// and the next slice soon reaches the point where the last one stopped.
const MAX_TIME_DOUBLINGS: u32 = 2;
const LARGE_TABLE: usize = 1 << 12;

/// The least number of visits allowed for proving a principal variation.
const PV_ALLOWANCE: u64 = 10_000;

impl<G: Game> Session<G> {
    /// The best move so far. A move that failed high in the unfinished iteration is proved better than the last iteration's. If
    /// several moves are ranked, the best move of the last iteration that ranked them all.
    pub(crate) fn best_move(&self) -> Option<G::Move> {
        let finished = self.iterations.last().and_then(|last| last.best_move);
        let current = self.unfinished.ranked.first().map(|first| first.m).or(self.unfinished.best.map(|best| best.m));
        if self.lines > 1 { finished.or(current) } else { current.or(finished) }
    }

    /// The depth of the last finished iteration.
    pub(crate) fn finished_depth(&self) -> u8 {
        self.iterations.last().map_or(0, |iteration| iteration.depth)
    }

    /// Ranks this many of the best moves at every depth.
    pub(crate) fn rank(&mut self, lines: usize) {
        let moves = legal_moves(&self.root.position).len() - self.excluded_from_start;
        self.lines = lines.clamp(1, moves.max(1));
    }

    /// Excludes every root move except these.
    pub(crate) fn consider_only(&mut self, moves: &[G::Move], only: &[G::Move]) {
        let others = moves.iter().enumerate().filter(|(_, m)| !only.contains(m));
        self.excluded = others.map(|(index, &m)| self.root.position.code(m, index)).collect();
        self.excluded_from_start = self.excluded.len();
    }

    /// Limits the search to one iteration, at the depth of the budget, with this first guess if there is one.
    pub(crate) fn iterate_once(&mut self, guess: Option<Value>) -> Result<(), Error> {
        (self.step, self.first_guess) = (None, guess.or(self.first_guess));
        self.depth = self.budget.depth.ok_or(Error::NoDepth)?;
        Ok(())
    }

    /// The result.
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
        let ranked = last.map_or(&self.unfinished.ranked, |last| &last.ranked).clone();
        let unfinished = (!self.unfinished.passes.is_empty()).then(|| self.unfinished.report(self.depth, None));
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
    /// Begins a search of a position.
    pub(crate) fn new_session(&mut self, root: &G, budget: Budget) -> Result<Session<G>, Error> {
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
        self.threads.iter_mut().for_each(Thread::begin_position);
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
            prove_every_pv: true,
            depth,
            unfinished: UnfinishedIteration::new(self.options.range),
            iterations: Vec::with_capacity(64),
            tally,
            excluded: Vec::new(),
            excluded_from_start: 0,
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

    /// Runs a session to its end.
    pub(crate) fn complete(
        &mut self,
        mut session: Session<G>,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let depth_alone = session.budget.is_depth_alone() && self.stops.stop.is_none();
        session.prove_every_pv = observer.enabled() || !depth_alone;
        while session.ended.is_none() {
            self.advance(&mut session, Budget::UNLIMITED, observer)?;
        }
        Ok(session.found())
    }

    /// Runs a session until the slice is used up or the session has ended.
    pub(crate) fn advance(
        &mut self,
        session: &mut Session<G>,
        slice: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<(), Error> {
        let doublings = session.stalls.saturating_sub(STALLS_BEFORE_DOUBLING).min(20);
        let most = if self.table.entries() >= LARGE_TABLE { MAX_TIME_DOUBLINGS } else { 20 };
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

    /// Continues the unfinished iteration. Returns whether it finished, or finished one of the moves that it ranks.
    fn iteration(
        &mut self,
        session: &mut Session<G>,
        slice_nodes: Option<u64>,
        slice_end: Option<Duration>,
        observer: &mut impl Observer<G>,
    ) -> Result<bool, Error> {
        let began = self.now();
        // The time limit does not apply to the first iteration, so that there is a move.
        let due = session
            .budget
            .time
            .map(|time| session.started.saturating_add(time))
            .filter(|_| !session.iterations.is_empty());
        let nodes_left = session.budget.nodes.map(|nodes| nodes.saturating_sub(session.nodes));
        let nodes = nodes_left.into_iter().chain(slice_nodes).min().unwrap_or(u64::MAX);
        let limits = (nodes, due.into_iter().chain(slice_end).min());
        let unfinished = &mut session.unfinished;
        if !mem::replace(&mut unfinished.begun, true) {
            self.table.next_generation(session.tally.counts.nodes());
        }
        let before = session.tally.counts;
        // Once one iteration is parallel, all later ones are: only while all passes are serial do all ranks have the same
        // counts.
        let parallel = session.iterations.iter().any(|done| done.counts.nodes() >= self.options.share_from);
        let passes = unfinished.passes.len();
        let given = self.guesses.get(session.iterations.len()).copied();
        let last = match unfinished.ranked.len() {
            0 => given.or_else(|| guess(self.options.guess, session.step.unwrap_or(1), &session.iterations)),
            // The value of the move ranked here in the last iteration, or of the move ranked before it.
            line => {
                let before = session.iterations.last().and_then(|last| last.ranked.get(line));
                before.or(unfinished.ranked.last()).map(|ranked| ranked.f.lower)
            }
        };
        let approximation = last.or(session.first_guess);
        let (root, depth) = (&session.root, session.depth);
        let (result, nodes) = self.run(&mut session.tally, limits, observer, &session.excluded, |run, plan| {
            run.parallel = parallel;
            let guess = approximation.unwrap_or_else(|| run.worker().static_value(&root.position));
            (run.iterate(plan, root, depth, guess, unfinished), run.nodes())
        })?;
        session.nodes += nodes;
        unfinished.counts += session.tally.counts - before;
        unfinished.time += self.now().saturating_sub(began);

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
                if session.budget.nodes.is_some_and(|nodes| session.nodes >= nodes) || self.stops.is_due(due) {
                    session.ended = Some(Ended::Stopped);
                }
                session.stalls = if unfinished.passes.len() > passes { 0 } else { session.stalls + 1 };
                Ok(false)
            }
        }
    }

    /// An error if the value is not strictly inside the user's range. A value equal to an end of the range may be only a
    /// bound: the true value may lie beyond it.
    fn check_range(&self, value: Option<Value>) -> Result<(), Error> {
        let range = self.options.range;
        let inside = range == Bounds::UNKNOWN || value.is_none_or(|value| range.lower < value && value < range.upper);
        if inside { Ok(()) } else { Err(Error::BadRange { range, value }) }
    }

    /// Records the iteration and prepares the next, if there is one. If more moves are to be ranked, prepares the search of the
    /// remaining moves instead. Returns whether the iteration is finished.
    fn finish_iteration(&mut self, session: &mut Session<G>, value: Option<Value>) -> bool {
        let last = session.budget.depth == Some(session.depth);
        let prove_pv = self.options.principal_variation && (last || session.prove_every_pv);
        let pv = match (value, session.unfinished.best) {
            (Some(value), Some(best)) if prove_pv => self.prove_pv(session, value, best),
            (_, best) => best.map(|best| vec![best.m]).unwrap_or_default(),
        };
        let unfinished = &mut session.unfinished;
        if let Some(best) = unfinished.best {
            unfinished.ranked.push(RankedMove { m: best.m, f: unfinished.f, depth: session.depth, pv });
            if unfinished.ranked.len() < session.lines {
                session.excluded.push(best.code);
                (unfinished.f, unfinished.best) = (self.options.range, None);
                return false;
            }
        }
        session.excluded.truncate(session.excluded_from_start);
        let done = mem::replace(&mut session.unfinished, UnfinishedIteration::new(self.options.range));
        // Without a depth limit, a search ends when a deeper one would find the same: all lines end, or each ranked move is a
        // win or loss proven within the depth.
        let certain = |ranked: &RankedMove<G::Move>| {
            let value = ranked.f.exact();
            let plies = value.and_then(|value| value.wins_in().or(value.loses_in()));
            plies.is_some_and(|plies| plies <= u32::from(session.depth))
        };
        let exact = !done.estimated || !done.ranked.is_empty() && done.ranked.iter().all(certain);
        let complete = session.budget.depth.map_or(exact, |depth| session.depth >= depth);
        let mut report = done.report(session.depth, value);
        report.exact = exact;
        // Reported in play only: sampling the table would cost measurements time.
        report.table_used = self.threads[0].path.as_ref().map(|_| self.table.permille_used());
        report.deepest = self.threads.iter().map(Thread::deepest).fold(report.deepest, u8::max);
        session.iterations.push(report);
        match session.step.and_then(|step| session.depth.checked_add(step)).filter(|&next| next <= MAX_DEPTH) {
            Some(next) if !complete => session.depth = next,
            _ => session.ended = Some(Ended::Complete),
        }
        true
    }

    /// Proves the principal variation, within a limit. Its nodes are not counted.
    fn prove_pv(&mut self, session: &Session<G>, value: Value, best: Ranked<G::Move>) -> Vec<G::Move> {
        let due = session.budget.time.map(|time| session.started.saturating_add(time));
        let nodes = session.tally.counts.nodes().max(PV_ALLOWANCE);
        let mut uncounted = Tally::new();
        let line = self.run(&mut uncounted, (nodes, due), &mut Passes(&mut ()), &[], |run, _| {
            run.setup.learning = false; // Proving the line does not change the search that follows.
            run.worker().pv(&session.root.position, session.depth, value, best)
        });
        line.unwrap_or_else(|_| vec![best.m])
    }
}
