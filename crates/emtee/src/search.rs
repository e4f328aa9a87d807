//! The search a user holds: build it once, then let it think.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use crate::algorithm::Wide;
use crate::builder::{Mode, Options};
use crate::error::Error;
use crate::game::{Evaluate, Game, legal_moves};
use crate::level::Guarantee;
use crate::limits::{Alarm, Budget, MAX_DEPTH};
use crate::memory::table::Table;
use crate::observer::{Observer, Passes};
use crate::parallel::{ParallelStats, Team};
use crate::run::{Ended, Limits, Path, Plan, Run, Session, Setup, Stops, Thread};
use crate::selective::{Reductions, Selective};
use crate::stats::{Counts, Cuts, Iteration, RankedMove, Tally};
use crate::value::{Bounds, Value, Window};

/// A search, with its memory. One thinks about one position at a time, and remembers what it found.
pub struct Search<G: Game, E> {
    pub(crate) evaluator: E,
    pub(crate) plan: Plan,
    /// What the iterations are told, where somebody knows better.
    pub(crate) guesses: Vec<Value>,
    /// With every default filled in.
    pub(crate) options: Options,
    pub(crate) table: Table,
    pub(crate) reductions: Reductions,
    /// The first is the caller's; the others help.
    pub(crate) threads: Box<[Thread<G::Move>]>,
    pub(crate) team: Option<Team>,
    pub(crate) stops: Stops,
    /// What the last choice has proved of the game.
    pub(crate) guarantee: Option<Guarantee>,
    pub(crate) session: Option<Session<G>>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found<M> {
    /// The best move: of the last finished iteration, or one that failed high in the unfinished one, and so is proved
    /// better. Nothing if the game is over, or if the search was stopped before it knew anything.
    pub best_move: Option<M>,
    /// The value, from the last finished iteration. Nothing before the first, or from MTD-best, which finds the move alone.
    pub value: Option<Value>,
    /// What is proved of the value at [`depth`](Found::depth).
    pub f: Bounds,
    /// The line both sides would play, every move of it proved.
    pub pv: Vec<M>,
    /// The best moves, best first, as many as were asked for and found; all at [`depth`](Found::depth), or at depth 1 if not even
    /// that was finished.
    pub ranked: Vec<RankedMove<M>>,
    /// The depth of the last finished iteration.
    pub depth: u8,
    /// Whether the search came to its end, rather than being stopped by a limit.
    pub complete: bool,
    /// The finished iterations.
    pub iterations: Vec<Iteration<M>>,
    /// The one that was stopped.
    pub unfinished: Option<Iteration<M>>,
    /// Everything counted, over all iterations.
    pub counts: Counts,
    /// The quality of the move ordering by height, from the horizon up.
    pub heights: Vec<Cuts>,
    /// How long it took, where there is a clock.
    pub time: Duration,
    /// How several threads worked together.
    pub parallel: Option<ParallelStats>,
}

impl<M> Found<M> {
    /// How many passes the finished iterations took.
    pub fn passes(&self) -> usize {
        self.iterations.iter().map(|iteration| iteration.passes.len()).sum()
    }
}

/// How a search in slices stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Poll<M> {
    /// No search was started.
    Idle,
    /// It needs more slices. This is the best move so far, and how deep it has been proved.
    Thinking {
        /// The best move so far.
        best_move: Option<M>,
        /// The depth of the last finished iteration.
        depth: u8,
        /// How many nodes it took so far.
        nodes: u64,
    },
    /// It is done.
    Done(Box<Found<M>>),
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// Thinks about a position until the budget is spent.
    pub fn think(&mut self, position: &G, budget: Budget) -> Result<Found<G::Move>, Error> {
        self.think_observed(position, budget, &mut Passes(&mut ()))
    }

    /// Thinks, and shows every node to an observer.
    pub fn think_observed(
        &mut self,
        position: &G,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        self.think_of(position, &[], 1, budget, observer)
    }

    /// Thinks about some of the moves, as if there were no others, or about all of them if none is named, and finds the best `lines` of
    /// them, each at every depth. Moves that are not legal are passed over; if none is legal, that is an error.
    pub fn think_of(
        &mut self,
        position: &G,
        among: &[G::Move],
        lines: usize,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let mut session = self.open_among(position, among, budget)?;
        session.rank(lines);
        self.complete(session, observer)
    }

    /// One iteration alone, at the depth of the budget, about some of the moves, beginning with a guess.
    pub fn iterate_among(
        &mut self,
        position: &G,
        among: &[G::Move],
        guess: Option<Value>,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let mut session = self.open_among(position, among, budget)?;
        session.iterate_once(guess)?;
        self.complete(session, observer)
    }

    /// Makes ready to think about some of the moves.
    fn open_among(&mut self, position: &G, among: &[G::Move], budget: Budget) -> Result<Session<G>, Error> {
        let mut session = self.open(position, budget)?;
        if !among.is_empty() {
            let legal = legal_moves(position);
            if !legal.is_empty() && !legal.iter().any(|m| among.contains(m)) {
                return Err(Error::NoLegalMove);
            }
            session.consider_only(&legal, among);
        }
        Ok(session)
    }

    /// Begins to think, without doing anything yet: [`poll`](Search::poll) does. Ends any thinking under way.
    pub fn start(&mut self, position: &G, budget: Budget) -> Result<(), Error> {
        self.session = Some(self.open(position, budget)?);
        Ok(())
    }

    /// Thinks for one slice, and says how things stand. Made for frame loops, and for places without threads.
    ///
    /// ```
    /// use emtee::{Budget, Game, Poll, player};
    /// use emtee_games::connect4::Board;
    ///
    /// let mut ai = player(Board::evaluate).build()?;
    /// ai.start(&Board::default(), Budget::depth(6))?;
    /// let found = loop {
    ///     match ai.poll(Budget::nodes(100))? {
    ///         Poll::Done(found) => break found,
    ///         _ => { /* draw a frame */ }
    ///     }
    /// };
    /// assert_eq!(found.depth, 6);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn poll(&mut self, slice: Budget) -> Result<Poll<G::Move>, Error> {
        let Some(mut session) = self.session.take() else { return Ok(Poll::Idle) };
        self.advance(&mut session, slice, &mut Passes(&mut ()))?;
        if session.ended.is_some() {
            return Ok(Poll::Done(Box::new(session.found())));
        }
        let (best_move, depth) = (session.best_move(), session.finished_depth());
        let poll = Poll::Thinking { best_move, depth, nodes: session.nodes };
        self.session = Some(session);
        Ok(poll)
    }

    /// Ends the thinking under way, and says what it has found.
    pub fn stop(&mut self) -> Option<Found<G::Move>> {
        let mut session = self.session.take()?;
        session.ended.get_or_insert(Ended::Stopped);
        Some(session.found())
    }

    /// The best `count` moves with what is proved of each, best first: exact values at the depth that is reported, but for
    /// MTD-best, which proves bounds.
    ///
    /// Each iteration ranks them all, each move after the first by one more search without those before it, which the table
    /// makes cheap. So a limit leaves all of them, at the last depth that was finished.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::connect4::Board;
    /// let best = player(Board::evaluate).build()?.rank(&Board::default(), Budget::depth(8), 3)?;
    /// assert_eq!(best.len(), 3);
    /// assert!(best.iter().all(|ranked| ranked.depth == 8 && ranked.f.exact().is_some()));
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn rank(&mut self, position: &G, budget: Budget, count: usize) -> Result<Vec<RankedMove<G::Move>>, Error> {
        if count == 0 {
            return Ok(Vec::new());
        }
        Ok(self.think_of(position, &[], count, budget, &mut Passes(&mut ()))?.ranked)
    }

    /// The value of the position if `m` is played, or nothing if that is no legal move or a limit cut the search short.
    pub fn worth(&mut self, position: &G, m: G::Move, budget: Budget) -> Result<Option<Value>, Error> {
        if !legal_moves(position).contains(&m) {
            return Ok(None);
        }
        let found = self.think_of(position, &[m], 1, budget, &mut Passes(&mut ()))?;
        Ok(found.value.filter(|_| found.complete))
    }

    /// Searches in play from now on: the positions of the game before the one to be searched, oldest first.
    ///
    /// In play a position that has occurred before means what the game says ([`Game::repeated`]), and so does a long run of
    /// [`halfmove_clock`](Game::halfmove_clock) moves. Such values depend on the path: none of them, and no bound that rests on
    /// one, is stored.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::chess::Board;
    /// // Black is a rook ahead and about to mate, but White can check for ever.
    /// let board: Board = "6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1".parse()?;
    /// let mut ai = player(Board::evaluate).build()?;
    /// ai.set_game(&[])?;
    /// let found = ai.think(&board, Budget::depth(6))?;
    /// assert_eq!(found.value.unwrap().get(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The oracles know position and depth alone, and refuse.
    pub fn set_game(&mut self, before: &[G]) -> Result<(), Error> {
        if let Plan::Named(algorithm) = self.plan {
            algorithm.check_in_play()?;
        }
        self.threads[0].path = Some(Box::new(Path::after(before)));
        Ok(())
    }

    /// Lets an alarm end what is searched from now on, or none.
    pub fn set_alarm(&mut self, alarm: Option<Arc<Alarm>>) {
        self.stops.alarm = alarm;
    }

    /// Searches positions alone again.
    pub fn forget_game(&mut self) {
        self.threads[0].path = None;
    }

    /// Lets the evaluator take up what it knows by now ([`Evaluate::renew`]). If its values may be others, every bound is
    /// forgotten and the best moves are kept; thinking under way ends.
    pub fn renew(&mut self) {
        if self.evaluator.renew() {
            (self.session, self.guarantee) = (None, None);
            self.threads.iter_mut().for_each(Thread::clear_eval_cache);
            self.table.forget_bounds();
        }
    }

    /// Forgets everything learned: at once, however large the table, unless it was touched.
    pub fn clear(&mut self) -> Result<(), Error> {
        self.guarantee = None;
        for thread in &mut self.threads {
            thread.clear();
        }
        self.table.clear()
    }

    /// Takes the table's memory from the system now, rather than page by page during the first search.
    pub fn touch_table(&mut self) {
        self.table.touch();
    }

    /// How many entries the table has.
    pub fn table_entries(&self) -> usize {
        self.table.entries()
    }

    /// How full the table is with what the last iteration needed, in thousandths.
    pub fn permille_used(&self) -> u32 {
        self.table.permille_used()
    }

    /// Puts the search to work: all there is to know, on all its threads, for so many nodes and until this moment. What is
    /// counted goes to `tally`.
    pub(crate) fn run<O, T>(
        &mut self,
        tally: &mut Tally,
        (nodes, due): (u64, Option<Duration>),
        observer: &mut O,
        excluded: &[u16],
        work: impl FnOnce(&mut Run<'_, G, E, O>, &mut Plan) -> T,
    ) -> Result<T, Error> {
        let own = &mut self.threads[0];
        own.begin();
        mem::swap(&mut own.tally, tally);
        let options = &self.options;
        let store_leaves = options.store_leaves == Some(true);
        let ordering = options.ordering.unwrap_or(G::TUNING.ordering);
        let (etc, selective) = match options.mode {
            Mode::Exact { etc } => (etc.filter(|&etc| etc > 0).unwrap_or(u8::MAX), None),
            Mode::Selective(selective) => (u8::MAX, Some(selective)),
        };
        let setup = Setup {
            evaluator: &self.evaluator,
            table: &self.table,
            limits: Limits { nodes, due, stops: &self.stops },
            ordering,
            store_leaves,
            leaf_keys: store_leaves || own.path.is_some() || selective.is_some(),
            etc,
            wide: Wide::NegaScout,
            is_selective: selective.is_some(),
            selective: selective.unwrap_or(Selective::NONE),
            reductions: &self.reductions,
            horizon: 0,
            excluded,
            learning: ordering.killers || ordering.history,
            team: None,
        };
        let team = self.team.as_ref();
        let mut run =
            Run { setup, threads: &mut self.threads, team, parallel: false, answered: Window::FULL, observer };
        let result = work(&mut run, &mut self.plan);
        let own = &mut self.threads[0];
        mem::swap(&mut own.tally, tally);
        own.fault.take().map_or(Ok(result), Err)
    }
}

pub(crate) fn check_depth(depth: u8) -> Result<(), Error> {
    if (1..=MAX_DEPTH).contains(&depth) { Ok(()) } else { Err(Error::BadDepth { depth }) }
}
