//! Options of a search, the builder, and which options can be combined.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::algorithm::{Algorithm, Driver, Guess};
use crate::error::Error;
use crate::game::{Evaluate, Game};
use crate::limits::{Clock, MAX_DEPTH, Stop};
use crate::memory::history::MoveOrdering;
use crate::memory::table::{FIRST_ENTRIES, Keep, Reuse, Size, Table};
use crate::parallel::{MAX_THREADS, Peers, Team};
use crate::run::{Plan, Stops, Thread};
use crate::search::Search;
use crate::selective::{Reductions, Selective};
use crate::value::{Bounds, Value};

/// A [`Builder`] of a search that evaluates positions with `evaluate`: any function from a position to a score for the side
/// to move, or another [`Evaluate`].
///
/// ```
/// use emtee::{Budget, Game, player};
/// use emtee_games::connect4::Board;
///
/// let mut ai = player(Board::evaluate).hash("4MB").build()?;
/// let found = ai.think(&Board::default(), Budget::ms(50))?;
/// println!("{} is worth {}", found.best_move.unwrap(), found.value.unwrap());
/// # Ok::<(), emtee::Error>(())
/// ```
pub fn player<E>(evaluate: E) -> Builder<E> {
    let options = Options::default();
    Builder { evaluator: evaluate, options, driver: None, guesses: Vec::new(), error: None, stops: Stops::NONE }
}

/// Exact search, in which every line is searched to the same depth, or selective search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// Exact: the value is the minimax value, a function of position and depth.
    Exact {
        /// Enhanced transposition cutoffs (ETC) at nodes of this depth and more; 0 for none. `None`: the game's default,
        /// [`Tuning::etc`](crate::Tuning::etc).
        etc: Option<u8>,
    },
    /// Selective, for play: lines are pruned, reduced and extended. With every switch off it visits the nodes of the exact
    /// search.
    Selective(Selective),
}

impl Mode {
    /// Exact, with the game's default for enhanced transposition cutoffs.
    pub const EXACT: Mode = Mode::Exact { etc: None };

    /// The switches of a selective search. `None`: the search is exact.
    pub const fn selective(self) -> Option<Selective> {
        match self {
            Mode::Exact { .. } => None,
            Mode::Selective(selective) => Some(selective),
        }
    }
}

/// Exact if every switch is off.
impl From<Selective> for Mode {
    fn from(selective: Selective) -> Mode {
        if selective.is_on() { Mode::Selective(selective) } else { Mode::EXACT }
    }
}

/// How the depth grows from iteration to iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Deepening {
    /// By two plies if a depth is the only limit, which takes a half to nine tenths of the nodes in our games. Otherwise by
    /// one ply, so that a stopped search has the result of every depth.
    #[default]
    Auto,
    /// By this many plies, at least one.
    By(u8),
    /// One iteration, at the full depth of the budget.
    Fixed,
}

/// All options of a search, as data. For an option that is `None`, the game or the algorithm chooses.
///
/// ```
/// use emtee::research::{Deepening, Options};
/// use emtee::{Budget, Game, player};
/// use emtee_games::connect4::Board;
///
/// let mut options = Options::default();
/// options.deepening = Deepening::By(2);
/// options.principal_variation = false;
/// let found = player(Board::evaluate).options(options).build()?.think(&Board::default(), Budget::depth(8))?;
/// assert_eq!(found.iterations.len(), 4);
/// # Ok::<(), emtee::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// The algorithm. A driver given to [`Builder::driver`] takes precedence.
    pub algorithm: Algorithm,
    /// The size of the table. `None`: it grows with the search, up to 64 MB.
    pub size: Option<Size>,
    /// Whether an entry keeps one bound or both. `None`: both.
    pub keep: Option<Keep>,
    /// The depths of entries whose bounds can be used. `None`: equal depth, and in selective search also greater depths.
    pub reuse: Option<Reuse>,
    /// Whether leaves are stored in the table. `None`: the game's default,
    /// [`Tuning::store_leaves`](crate::Tuning::store_leaves).
    pub store_leaves: Option<bool>,
    /// The move ordering. `None`: the game's default, [`Tuning::ordering`](crate::Tuning::ordering).
    pub ordering: Option<MoveOrdering>,
    /// Exact or selective.
    pub mode: Mode,
    /// How the depth grows from iteration to iteration.
    pub deepening: Deepening,
    /// The source of each iteration's first guess.
    pub guess: Guess,
    /// The guess for the first iteration. `None`: the evaluation of the position.
    pub first_guess: Option<Value>,
    /// The paper's −∞ and +∞: all values are known to lie strictly between these bounds. A search that finds another value
    /// returns an error.
    pub range: Bounds,
    /// Whether iterations prove a principal variation, which costs a few visits that are not counted.
    pub principal_variation: bool,
    /// The number of threads; 0 for as many as the machine runs at once.
    pub threads: usize,
    /// All threads search an iteration if the one before it visited at least this many nodes.
    pub share_from: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            algorithm: Algorithm::default(),
            size: None,
            keep: None,
            reuse: None,
            store_leaves: None,
            ordering: None,
            mode: Mode::EXACT,
            deepening: Deepening::Auto,
            guess: Guess::default(),
            first_guess: None,
            range: Bounds::UNKNOWN,
            principal_variation: true,
            threads: 1,
            share_from: SHARE_FROM,
        }
    }
}

/// Enhanced transposition cutoffs are for exact search only.
fn etc_in_selective_search() -> Error {
    let option = "has no enhanced transposition cutoffs; leave out `etc` or `selective`";
    Error::Unsupported { algorithm: "selective search".to_string(), option }
}

/// In smaller iterations, starting the helper threads takes longer than searching with one thread.
const SHARE_FROM: u64 = 1_000;

/// The greatest size of a growing table, for searches without a table size. Larger tables grow too: most searches need only a
/// part of them, and the system takes long to provide the rest. They start with the paper's 2^20 entries.
const MAX_GROWN_SIZE: Size = Size::of_bytes(64 << 20);
const FIRST_ENTRIES_OF_LARGE: usize = 1 << 20;

impl Options {
    /// These options with the game's defaults filled in, or an error if they cannot be combined. If `driven` by a user's
    /// driver, the algorithm is ignored.
    fn resolved<G: Game>(mut self, driven: bool) -> Result<Options, Error> {
        let algorithm = if driven { Algorithm::default() } else { self.algorithm };
        algorithm.check_is_minimax()?;
        let refuse = |option| Err(Error::Unsupported { algorithm: algorithm.to_string(), option });
        let table = self.size.is_some() || self.keep.is_some() || self.reuse.is_some() || self.store_leaves.is_some();
        if algorithm.is_oracle() && table {
            return refuse("uses no table; leave out the options of the table");
        }
        if algorithm.is_oracle() && matches!(self.mode, Mode::Exact { etc: Some(1..) }) {
            return refuse("uses no table, so there are no enhanced transposition cutoffs");
        }
        let selective = self.mode.selective();
        if selective.is_some() && !algorithm.shares_work() {
            return refuse("does not support selective search; choose an MT driver or NegaScout");
        }
        if self.range != Bounds::UNKNOWN && !algorithm.uses_range() {
            return refuse("does not support a range; leave it out");
        }
        if self.range != Bounds::UNKNOWN && selective.is_some() {
            return refuse("does not support a range in selective search; leave out the range or the switches");
        }
        if self.range.lower >= self.range.upper {
            return Err(Error::BadRange { range: self.range, value: None });
        }
        if self.deepening == Deepening::By(0) {
            return Err(Error::BadNumber { what: "step of deepening", number: 0, range: (1, i32::from(MAX_DEPTH)) });
        }
        if let Some(step) = { algorithm }.step() {
            check_number("step", *step, (1, Value::MAX_SCORE))?;
        }
        if let Some(Selective { margin_unit, probcut_threshold, .. }) = selective {
            check_number("margin unit", margin_unit, (1, Value::MAX_SCORE))?;
            check_number("ProbCut threshold", probcut_threshold, (0, 10_000))?;
        }
        self.threads = resolve_threads(self.threads)?;
        if self.threads > 1 {
            algorithm.check_shares_work()?;
        }
        self.algorithm = algorithm;
        self.reuse = self.reuse.or(Some(if selective.is_some() { Reuse::AtLeastDepth } else { Reuse::EqualDepth }));
        self.store_leaves = self.store_leaves.or(Some(G::TUNING.store_leaves));
        if let Mode::Exact { etc } = &mut self.mode {
            *etc = etc.or(G::TUNING.etc);
        }
        self.ordering = self.ordering.or(Some(G::TUNING.ordering));
        Ok(self)
    }

    fn table(&self) -> Result<Table, Error> {
        let (keep, reuse) = (self.keep.unwrap_or_default(), self.reuse.unwrap_or_default());
        match self.size {
            _ if self.algorithm.is_oracle() => Table::new(Size::of_entries(1), keep, reuse),
            Some(size) if size.bytes() <= MAX_GROWN_SIZE.bytes() => Table::new(size, keep, reuse),
            Some(size) => Ok(Table::new(size, keep, reuse)?.growing(FIRST_ENTRIES_OF_LARGE)),
            None => Ok(Table::new(MAX_GROWN_SIZE, keep, reuse)?.growing(FIRST_ENTRIES)),
        }
    }

    pub(crate) fn team(&self, peers: Option<Arc<dyn Peers>>) -> Option<Team> {
        (self.threads > 1 || peers.is_some()).then(|| Team::new(self.threads, peers))
    }

    fn threads<M>(&self) -> Box<[Thread<M>]> {
        (0..self.threads).map(|number| Thread::new(number, self.mode.selective().is_some())).collect()
    }

    fn reductions(&self) -> Reductions {
        Reductions::new(self.mode.selective().is_some_and(|selective| selective.late_move_reductions))
    }
}

fn check_number(what: &'static str, number: i32, range: (i32, i32)) -> Result<(), Error> {
    let allowed = (range.0..=range.1).contains(&number);
    if allowed { Ok(()) } else { Err(Error::BadNumber { what, number, range }) }
}

/// A builder of a [`Search`]. Every option has a good default.
pub struct Builder<E> {
    evaluator: E,
    options: Options,
    driver: Option<Box<dyn Driver + Send>>,
    guesses: Vec<Value>,
    /// The first error of a call that cannot return it; [`build`](Builder::build) does.
    error: Option<Error>,
    stops: Stops,
}

impl<E> Builder<E> {
    /// The algorithm. Default: MTD-f.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        self.with(|options| options.algorithm = algorithm)
    }

    /// A driver of your own; see [`Driver`](crate::research::Driver).
    pub fn driver(mut self, driver: impl Driver + Send + 'static) -> Self {
        self.driver = Some(Box::new(driver));
        self
    }

    /// The first guesses of the iterations, in order, instead of the values of earlier iterations. For experiments in which
    /// the value is known in advance.
    pub fn guesses(mut self, guesses: Vec<Value>) -> Self {
        self.guesses = guesses;
        self
    }

    /// Sets all options at once.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Changes any of the options, including those without a method of their own.
    ///
    /// ```
    /// # use emtee::{Game, player};
    /// # use emtee_games::connect4::Board;
    /// let ai = player(Board::evaluate).threads(2).with(|options| options.share_from = 500).build::<Board>()?;
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn with(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    /// The size of the transposition table as text, such as `"64MB"`. Default: it grows with the search, up to 64 MB.
    #[doc(alias("memory limit", "table size"))]
    pub fn hash(mut self, size: &str) -> Self {
        match size.parse() {
            Ok(size) => self.options.size = Some(size),
            Err(error) => self = self.refuse(error),
        }
        self
    }

    fn refuse(mut self, error: Error) -> Self {
        self.error.get_or_insert(error);
        self
    }

    /// The size of the transposition table.
    pub fn table(self, size: Size) -> Self {
        self.with(|options| options.size = Some(size))
    }

    /// Whether leaves are stored in the table, as in the paper's programs. If an evaluation is cheaper than a table lookup,
    /// not storing them saves time and costs leaf evaluations. Values are the same. Default: that of the game,
    /// [`Tuning::store_leaves`](crate::Tuning::store_leaves).
    pub fn store_leaves(self, store: bool) -> Self {
        self.with(|options| options.store_leaves = Some(store))
    }

    /// Enhanced transposition cutoffs (ETC) at nodes of depth `depth` and more; 0 for none. Only exact search has them.
    /// Default: that of the game, [`Tuning::etc`](crate::Tuning::etc).
    #[doc(alias("ETC", "enhanced transposition cutoff"))]
    pub fn etc(self, depth: u8) -> Self {
        match self.options.mode {
            Mode::Selective(_) if depth > 0 => self.refuse(etc_in_selective_search()),
            Mode::Selective(_) => self,
            Mode::Exact { .. } => self.with(|options| options.mode = Mode::Exact { etc: Some(depth) }),
        }
    }

    /// Selective search: pruning, reductions and extensions for stronger play. Values are then no longer a function of
    /// position and depth. It uses table entries of at least the depth searched,
    /// [`Reuse::AtLeastDepth`](crate::research::Reuse::AtLeastDepth), unless [`Options::reuse`] is set. Default: none, which
    /// is exact search.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::chess::Board;
    /// let mut ai = player(Board::evaluate).selective(Board::TUNING.selective).build()?;
    /// ai.set_game(&[])?; // In play: repetitions are draws.
    /// let found = ai.think(&Board::default(), Budget::nodes(20_000))?;
    /// assert!(found.depth >= 6);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn selective(self, selective: Selective) -> Self {
        match self.options.mode {
            Mode::Exact { etc: Some(1..) } if selective.is_on() => self.refuse(etc_in_selective_search()),
            Mode::Exact { .. } if !selective.is_on() => self,
            _ => self.with(|options| options.mode = selective.into()),
        }
    }

    /// The plies by which each iteration is deeper than the one before, at least 1. Default: [`Deepening::Auto`].
    pub fn deepen_by(self, plies: u8) -> Self {
        self.with(|options| options.deepening = Deepening::By(plies))
    }

    /// A single iteration, to the full depth of the budget.
    pub fn fixed_depth(self) -> Self {
        self.with(|options| options.deepening = Deepening::Fixed)
    }

    /// Whether iterations prove a principal variation, which costs a few visits that are not counted. Default: yes.
    pub fn principal_variation(self, prove: bool) -> Self {
        self.with(|options| options.principal_variation = prove)
    }

    /// The clock for time limits. Default: the system clock, if there is a standard library.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.stops.clock = Some(clock);
        self
    }

    /// What stops the search from outside: a [`Stop`](crate::Stop), or a flag that stops it as long as it is true.
    #[doc(alias("cancel", "abort", "stop_flag"))]
    pub fn stop(mut self, stop: impl Into<Stop>) -> Self {
        self.stops.stop = Some(stop.into());
        self
    }

    /// The number of threads; 0 for as many as the machine runs at once. Default: 1, with which every run visits the same
    /// nodes. The value of an exact search is the same with any number of threads.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::connect4::Board;
    /// let mut one = player(Board::evaluate).build()?;
    /// let mut all = player(Board::evaluate).threads(0).build()?;
    /// let (board, depth) = (Board::default(), Budget::depth(10));
    /// assert_eq!(one.think(&board, depth)?.value, all.think(&board, depth)?.value);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    #[doc(alias("ABDADA", "Lazy SMP", "SMP", "parallel search", "multithreading", "deterministic"))]
    pub fn threads(self, threads: usize) -> Self {
        self.with(|options| options.threads = threads)
    }

    /// Builds the search, or returns an error if its options cannot be combined.
    pub fn build<G: Game>(self) -> Result<Search<G, E>, Error>
    where
        E: Evaluate<G>,
    {
        if let Some(error) = self.error {
            return Err(error);
        }
        check_number("grain", self.evaluator.grain(), (1, Value::MAX_SCORE))?;
        let options = self.options.resolved::<G>(self.driver.is_some())?;
        #[cfg(feature = "std")]
        let stops = Stops { clock: self.stops.clock.or(Some(crate::limits::system_clock)), ..self.stops };
        #[cfg(not(feature = "std"))]
        let stops = self.stops;
        Ok(Search {
            evaluator: self.evaluator,
            plan: self.driver.map_or(Plan::Named(options.algorithm), Plan::Driven),
            guesses: self.guesses,
            options,
            table: options.table()?,
            reductions: options.reductions(),
            threads: options.threads(),
            team: options.team(None),
            stops,
            guarantee: None,
            session: None,
        })
    }
}

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// Changes the options of the following searches and keeps the memory of the search if possible. The table is replaced
    /// if an option of the table changes. A user's driver is replaced by the algorithm of the options.
    ///
    /// ```
    /// use emtee::research::Options;
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::connect4::Board;
    ///
    /// let mut ai = player(Board::evaluate).deepen_by(1).build()?;
    /// let first = ai.think(&Board::default(), Budget::depth(8))?;
    /// let mut options = Options::default();
    /// options.threads = 2;
    /// ai.reconfigure(options)?;
    /// assert!(ai.think(&Board::default(), Budget::depth(8))?.counts.nbp < first.counts.nbp);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn reconfigure(&mut self, options: Options) -> Result<(), Error> {
        let (old, new) = (self.options, options.resolved::<G>(false)?);
        if self.threads[0].path.is_some() {
            new.algorithm.check_in_play()?;
        }
        let peers = self.team.as_ref().and_then(|team| team.peers.clone());
        if peers.is_some() {
            new.algorithm.check_shares_work()?;
        }
        if (old.size, old.keep, old.reuse) != (new.size, new.keep, new.reuse)
            || old.algorithm.is_oracle() != new.algorithm.is_oracle()
        {
            self.table = new.table()?;
        } else if old.mode.selective() != new.mode.selective() {
            // A search must not use bounds of a search with other switches.
            self.table.forget_bounds();
        }
        if (old.threads, old.mode.selective().is_some()) != (new.threads, new.mode.selective().is_some()) {
            let path = self.threads[0].path.take();
            self.threads = new.threads();
            self.threads[0].path = path;
        }
        self.reductions = new.reductions();
        (self.team, self.options) = (new.team(peers), new);
        self.plan = Plan::Named(new.algorithm);
        self.session = None;
        Ok(())
    }
}

/// The number of threads; 0 is replaced by the number that the machine runs at once.
fn resolve_threads(threads: usize) -> Result<usize, Error> {
    // The system reads several files to count the cores, so this is done only if it is needed.
    #[cfg(feature = "std")]
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(not(feature = "std"))]
    let all = || 1;
    let most = if cfg!(feature = "std") { MAX_THREADS } else { 1 };
    match threads {
        0 => Ok(all().min(most)),
        _ if threads > most => Err(Error::TooManyThreads { threads, most }),
        _ => Ok(threads),
    }
}
