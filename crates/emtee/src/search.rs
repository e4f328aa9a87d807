//! The search object that users hold: built once, then called for each position.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use crate::algorithm::Wide;
use crate::builder::{Mode, Options};
use crate::error::Error;
use crate::game::{Evaluate, Game, legal_moves};
use crate::level::Guarantee;
use crate::limits::{Budget, MAX_DEPTH, Stop};
use crate::memory::table::Table;
use crate::observer::{Observer, Passes};
use crate::parallel::{ParallelStats, Team};
use crate::run::{Ended, Limits, Path, Plan, Run, Session, Setup, Stops, Thread};
use crate::selective::{Reductions, Selective};
use crate::stats::{Counts, Cuts, Iteration, RankedMove, Tally};
use crate::value::{Bounds, Value, Window};

/// A search and its memory: the transposition table, and the killers and history of its threads. It searches one position at
/// a time and keeps its memory between searches. [`player`](crate::player) makes one.
pub struct Search<G: Game, E> {
    pub(crate) evaluator: E,
    pub(crate) plan: Plan,
    /// First guesses for the iterations, given by the user.
    pub(crate) guesses: Vec<Value>,
    /// The options, with every default filled in.
    pub(crate) options: Options,
    pub(crate) table: Table,
    pub(crate) reductions: Reductions,
    /// The first is the caller's thread; the others are helper threads.
    pub(crate) threads: Box<[Thread<G::Move>]>,
    pub(crate) team: Option<Team>,
    pub(crate) stops: Stops,
    /// What the last chosen move was proved to keep.
    pub(crate) guarantee: Option<Guarantee>,
    pub(crate) session: Option<Session<G>>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Found<M> {
    /// The best move of the last finished iteration, or a move that failed high in the unfinished iteration and is thereby
    /// proved better. `None` if the game is over, or if the search was stopped before it found a move.
    pub best_move: Option<M>,
    /// The value, from the last finished iteration. `None` before the first, and from MTD-best, which finds only the move.
    pub value: Option<Value>,
    /// The proven bounds on the value at [`depth`](Found::depth).
    pub f: Bounds,
    /// The principal variation. Every move is proved to keep the value.
    #[doc(alias = "principal variation")]
    pub pv: Vec<M>,
    /// The best moves, best first: as many as were requested and found. All were searched to [`depth`](Found::depth), or to
    /// depth 1 if no iteration was finished.
    pub ranked: Vec<RankedMove<M>>,
    /// The depth of the last finished iteration.
    pub depth: u8,
    /// Whether the search finished. False if a limit stopped it.
    pub complete: bool,
    /// The finished iterations.
    pub iterations: Vec<Iteration<M>>,
    /// The iteration that was stopped, if any.
    pub unfinished: Option<Iteration<M>>,
    /// The counts, over all iterations.
    pub counts: Counts,
    /// The quality of the move ordering by height, from the horizon up.
    pub heights: Vec<Cuts>,
    /// The time it took, if there is a clock.
    pub time: Duration,
    /// Statistics of a search by several threads.
    pub parallel: Option<ParallelStats>,
}

/// A result without a move.
impl<M> Default for Found<M> {
    fn default() -> Found<M> {
        Found {
            best_move: None,
            value: None,
            f: Bounds::UNKNOWN,
            pv: Vec::new(),
            ranked: Vec::new(),
            depth: 0,
            complete: false,
            iterations: Vec::new(),
            unfinished: None,
            counts: Counts::default(),
            heights: Vec::new(),
            time: Duration::ZERO,
            parallel: None,
        }
    }
}

impl<M> Found<M> {
    /// The number of passes of the finished iterations.
    pub fn passes(&self) -> usize {
        self.iterations.iter().map(|iteration| iteration.passes.len()).sum()
    }
}

/// The state of a search in slices.
#[derive(Clone, Debug, PartialEq)]
pub enum Poll<M> {
    /// No search is in progress.
    Idle,
    /// The search is not finished; these are its results so far.
    Thinking {
        /// The best move so far.
        best_move: Option<M>,
        /// The depth of the last finished iteration.
        depth: u8,
        /// The nodes visited so far.
        nodes: u64,
    },
    /// The search is finished.
    Done(Box<Found<M>>),
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// Searches a position until the budget is used up.
    pub fn think(&mut self, position: &G, budget: Budget) -> Result<Found<G::Move>, Error> {
        self.think_observed(position, budget, &mut Passes(&mut ()))
    }

    /// The same as [`think`](Search::think), with an observer of every node.
    pub fn think_observed(
        &mut self,
        position: &G,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        self.think_of(position, &[], 1, budget, observer)
    }

    /// Searches only the moves in `among`, as if there were no others, and finds the best `lines` of them at every depth. If
    /// `among` is empty, all moves are searched. Illegal moves are ignored; it is an error if none is legal.
    pub fn think_of(
        &mut self,
        position: &G,
        among: &[G::Move],
        lines: usize,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let mut session = self.new_session_among(position, among, budget)?;
        session.rank(lines);
        self.complete(session, observer)
    }

    /// A single iteration to the depth of the budget, of the moves in `among`, with a first guess.
    pub fn iterate_among(
        &mut self,
        position: &G,
        among: &[G::Move],
        guess: Option<Value>,
        budget: Budget,
        observer: &mut impl Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        let mut session = self.new_session_among(position, among, budget)?;
        session.iterate_once(guess)?;
        if self.options.size.is_some() {
            self.table.use_all();
        }
        self.complete(session, observer)
    }

    /// A new session that searches only the moves in `among`.
    fn new_session_among(&mut self, position: &G, among: &[G::Move], budget: Budget) -> Result<Session<G>, Error> {
        let mut session = self.new_session(position, budget)?;
        if !among.is_empty() {
            let legal = legal_moves(position);
            if !legal.is_empty() && !legal.iter().any(|m| among.contains(m)) {
                return Err(Error::NoLegalMove);
            }
            session.consider_only(&legal, among);
        }
        Ok(session)
    }

    /// Starts a search in slices. [`poll`](Search::poll) does the searching. Any search in progress is dropped.
    #[doc(alias("non-blocking", "background search", "frame loop"))]
    pub fn start(&mut self, position: &G, budget: Budget) -> Result<(), Error> {
        self.session = Some(self.new_session(position, budget)?);
        Ok(())
    }

    /// Searches for one slice and returns the state of the search. For frame loops, and for targets without threads.
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
    ///         _ => { /* Draw a frame. */ }
    ///     }
    /// };
    /// assert_eq!(found.depth, 6);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    #[doc(alias("time slice", "frame loop"))]
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

    /// Stops the search in progress and returns its result.
    #[doc(alias = "cancel")]
    pub fn stop(&mut self) -> Option<Found<G::Move>> {
        let mut session = self.session.take()?;
        session.ended.get_or_insert(Ended::Stopped);
        Some(session.found())
    }

    /// The best `count` moves, best first (multi-PV), each with its exact value at the depth reported. MTD-best proves bounds
    /// instead of values.
    ///
    /// Every iteration ranks all of them. Each move after the first takes one more search without the moves before it, which
    /// the table makes cheap. After a limit the result is therefore the complete ranking of the last finished depth.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::connect4::Board;
    /// let best = player(Board::evaluate).build()?.rank(&Board::default(), Budget::depth(8), 3)?;
    /// assert_eq!(best.len(), 3);
    /// assert!(best.iter().all(|ranked| ranked.depth == 8 && ranked.f.exact().is_some()));
    /// # Ok::<(), emtee::Error>(())
    /// ```
    #[doc(alias("MultiPV", "analysis"))]
    pub fn rank(&mut self, position: &G, budget: Budget, count: usize) -> Result<Vec<RankedMove<G::Move>>, Error> {
        if count == 0 {
            return Ok(Vec::new());
        }
        Ok(self.think_of(position, &[], count, budget, &mut Passes(&mut ()))?.ranked)
    }

    /// The value of the position if `m` is played. `None` if `m` is not a legal move or a limit stopped the search.
    pub fn worth(&mut self, position: &G, m: G::Move, budget: Budget) -> Result<Option<Value>, Error> {
        if !legal_moves(position).contains(&m) {
            return Ok(None);
        }
        let found = self.think_of(position, &[m], 1, budget, &mut Passes(&mut ()))?;
        Ok(found.value.filter(|_| found.complete))
    }

    /// Makes the following searches searches *in play*. `before` is the game history: the positions before the one to be
    /// searched, oldest first.
    ///
    /// In play a repeated position has the outcome [`Game::repeated`], and the game is drawn when the
    /// [`halfmove_clock`](Game::halfmove_clock) reaches [`Game::DRAWN_AFTER`]. Such values depend on the path: neither they nor
    /// bounds that depend on them are stored in the table.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::chess::Board;
    /// // Black is a rook ahead and about to mate, but White has perpetual check.
    /// let board: Board = "6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1".parse()?;
    /// let mut ai = player(Board::evaluate).build()?;
    /// ai.set_game(&[])?;
    /// let found = ai.think(&board, Budget::depth(6))?;
    /// assert_eq!(found.value.unwrap().get(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// It is an error if the algorithm is an oracle: oracles do not support game history.
    pub fn set_game(&mut self, before: &[G]) -> Result<(), Error> {
        if let Plan::Named(algorithm) = self.plan {
            algorithm.check_in_play()?;
        }
        self.threads[0].path = Some(Box::new(Path::after(before)));
        Ok(())
    }

    /// Sets or removes what stops the following searches from outside, like [`Builder::stop`](crate::Builder::stop).
    pub fn set_stop(&mut self, stop: Option<Stop>) {
        self.stops.stop = stop;
    }

    /// Ends play: the following searches ignore the game history.
    pub fn forget_game(&mut self) {
        self.threads[0].path = None;
    }

    /// Updates the evaluator ([`Evaluate::renew`]). If its values may have changed, all bounds in the table are cleared, the
    /// best moves are kept, and any search in progress is dropped.
    pub fn renew(&mut self) {
        if self.evaluator.renew() {
            (self.session, self.guarantee) = (None, None);
            self.threads.iter_mut().for_each(|thread| thread.eval_cache.clear());
            self.table.forget_bounds();
        }
    }

    /// Clears the memory of the search. This is immediate even for a large table, unless
    /// [`touch_table`](Search::touch_table) was called.
    pub fn clear(&mut self) -> Result<(), Error> {
        self.guarantee = None;
        for thread in &mut self.threads {
            thread.clear();
        }
        self.table.clear()
    }

    /// Touches every page of the table now, instead of page by page during the first search.
    pub fn touch_table(&mut self) {
        self.table.touch();
    }

    /// The number of entries of the table.
    pub fn table_entries(&self) -> usize {
        self.table.entries()
    }

    /// How full the table is with entries of the last iteration, in thousandths.
    pub fn permille_used(&self) -> u32 {
        self.table.permille_used()
    }

    /// Assembles a [`Run`] from the search and calls `work` with it. The run ends after `nodes` nodes or at the time `due`. Its
    /// counts are added to `tally`.
    pub(crate) fn run<O, T>(
        &mut self,
        tally: &mut Tally,
        (nodes, due): (u64, Option<Duration>),
        observer: &mut O,
        excluded: &[u16],
        work: impl FnOnce(&mut Run<'_, G, E, O>, &mut Plan) -> T,
    ) -> Result<T, Error> {
        let own = &mut self.threads[0];
        own.begin_slice();
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
