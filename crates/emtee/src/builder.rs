//! How a search is to be made: the options, and which of them go together.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::AtomicBool;

use crate::algorithm::{Algorithm, Driver, Guess};
use crate::error::Error;
use crate::game::{Evaluate, Game};
use crate::limits::{Clock, MAX_DEPTH};
use crate::memory::history::MoveOrdering;
use crate::memory::table::{Keep, Reuse, Size, Table};
use crate::parallel::{MAX_THREADS, Peers, Team};
use crate::run::{Plan, Stops, Thread};
use crate::search::Search;
use crate::selective::{Reductions, Selective};
use crate::value::{Bounds, Value};

/// Begins a search that judges positions with `evaluate`, any function from a position to a score for the side to move.
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

/// Whether every line is searched to the same depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// Exact: the value is the minimax value, a function of position and depth.
    Exact {
        /// Enhanced transposition cutoffs from this depth up, 0 for none. `None`: what the game says ([`Tuning::etc`](crate::Tuning::etc)).
        etc: Option<u8>,
    },
    /// Selective, for play: lines are pruned, reduced and extended. With every switch off it visits the nodes of the exact
    /// search.
    Selective(Selective),
}

impl Mode {
    /// Exact, as the game prefers it.
    pub const EXACT: Mode = Mode::Exact { etc: None };

    /// The switches, where the search is selective.
    pub const fn selective(self) -> Option<Selective> {
        match self {
            Mode::Exact { .. } => None,
            Mode::Selective(selective) => Some(selective),
        }
    }
}

impl Default for Mode {
    fn default() -> Mode {
        Mode::EXACT
    }
}

/// Exact where every switch is off.
impl From<Selective> for Mode {
    fn from(selective: Selective) -> Mode {
        if selective.is_on() { Mode::Selective(selective) } else { Mode::EXACT }
    }
}

/// How the depth grows from iteration to iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Deepening {
    /// By two plies where a depth is the only limit, which takes a half to nine tenths of the nodes in our games; else by one,
    /// which leaves a move at every depth.
    #[default]
    Auto,
    /// By so many plies, at least one.
    By(u8),
    /// One iteration, at the full depth of the budget.
    Fixed,
}

/// All options of a search, as data. Those that are `None` are what the game and the algorithm make of them.
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
pub struct Options {
    /// The algorithm; a driver of your own goes before it.
    pub algorithm: Algorithm,
    /// The size of the table. `None`: it grows with the search, up to 64 MB.
    pub size: Option<Size>,
    /// One bound an entry, or both. `None`: both.
    pub keep: Option<Keep>,
    /// Which entries may answer. `None`: those of equal depth, and in selective search also deeper ones.
    pub reuse: Option<Reuse>,
    /// Whether leaves go through the table too. `None`: what the game says ([`Tuning::store_leaves`](crate::Tuning::store_leaves)).
    pub store_leaves: Option<bool>,
    /// What sorts the moves. `None`: what the game says ([`Tuning::ordering`](crate::Tuning::ordering)).
    pub ordering: Option<MoveOrdering>,
    /// Exact or selective.
    pub mode: Mode,
    /// How the depth grows from iteration to iteration.
    pub deepening: Deepening,
    /// Where each iteration's first guess comes from.
    pub guess: Guess,
    /// The guess for the first iteration. `None`: the evaluation of the position.
    pub first_guess: Option<Value>,
    /// The paper's −∞ and +∞: every value is known to be greater than the one and less than the other. A search that finds another
    /// value returns an error.
    pub range: Bounds,
    /// Whether iterations end with a principal variation, which costs a few visits that are not counted.
    pub principal_variation: bool,
    /// How many threads search; 0 for as many as the machine runs at once.
    pub threads: usize,
    /// After an iteration of so many nodes the next one is shared by all threads.
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

/// The two modes exclude each other's options.
fn etc_is_exact() -> Error {
    let option = "has no enhanced transposition cutoffs; leave out `etc` or `selective`";
    Error::Unsupported { algorithm: "selective search".to_string(), option }
}

/// Less than that takes one thread no longer than it takes to call the others.
const SHARE_FROM: u64 = 1_000;

/// How far a table grows whose size nobody has chosen.
const MOST_GROWN: Size = Size::of_bytes(64 << 20);

impl Options {
    /// These options with everything filled in that a game chooses, or why they do not go together. `driven` by a user's driver,
    /// the algorithm does not matter.
    fn resolved<G: Game>(mut self, driven: bool) -> Result<Options, Error> {
        let algorithm = if driven { Algorithm::default() } else { self.algorithm };
        let refuse = |option| Err(Error::Unsupported { algorithm: algorithm.to_string(), option });
        let table = self.size.is_some() || self.keep.is_some() || self.reuse.is_some() || self.store_leaves.is_some();
        if algorithm.is_oracle() && table {
            return refuse("uses no table, so there is nothing to choose about it");
        }
        if algorithm.is_oracle() && matches!(self.mode, Mode::Exact { etc: Some(1..) }) {
            return refuse("uses no table, so there are no enhanced transposition cutoffs");
        }
        let selective = self.mode.selective();
        if selective.is_some() && !algorithm.shares_work() {
            return refuse("searches everything; choose an MT driver or NegaScout for selective search");
        }
        if self.range != Bounds::UNKNOWN && !algorithm.uses_range() {
            return refuse("begins with no range; leave it out");
        }
        if self.range != Bounds::UNKNOWN && selective.is_some() {
            return refuse("knows no range in selective search; leave out the range or the switches");
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
            Some(size) => Table::new(size, keep, reuse),
            None => Ok(Table::new(MOST_GROWN, keep, reuse)?.growing()),
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

/// How a search is to be made. Each option has a default that is meant to be kept.
pub struct Builder<E> {
    evaluator: E,
    options: Options,
    driver: Option<Box<dyn Driver + Send>>,
    guesses: Vec<Value>,
    /// The first mistake in a call that cannot return it.
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

    /// The first guesses of the iterations, one after the other, instead of what those before found: for experiments that tell
    /// a search the value.
    pub fn guesses(mut self, guesses: Vec<Value>) -> Self {
        self.guesses = guesses;
        self
    }

    /// All options at once.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Changes any of the options, those for researchers among them.
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

    /// The size of the table as text, like `"64MB"`. Default: it grows with the search, up to 64 MB.
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

    /// The size of the table.
    pub fn table(self, size: Size) -> Self {
        self.with(|options| options.size = Some(size))
    }

    /// Whether leaves go through the table too, as the paper's programs have it. Where evaluating is cheaper than a look
    /// into memory, leaving them out saves time and costs leaf evaluations; values are the same. Default: what the game says
    /// ([`Tuning::store_leaves`](crate::Tuning::store_leaves)).
    pub fn store_leaves(self, store: bool) -> Self {
        self.with(|options| options.store_leaves = Some(store))
    }

    /// Enhanced transposition cutoffs at nodes with at least `depth` plies below them; 0 for none. Exact search alone has them.
    /// Default: what the game says ([`Tuning::etc`](crate::Tuning::etc)).
    pub fn etc(self, depth: u8) -> Self {
        match self.options.mode {
            Mode::Selective(_) if depth > 0 => self.refuse(etc_is_exact()),
            Mode::Selective(_) => self,
            Mode::Exact { .. } => self.with(|options| options.mode = Mode::Exact { etc: Some(depth) }),
        }
    }

    /// What to leave out: stronger play, at values that are no longer a function of position and depth. Where anything is
    /// left out, entries of at least the depth answer ([`Reuse::AtLeastDepth`](crate::research::Reuse::AtLeastDepth)) unless [`Options::reuse`] says otherwise.
    /// Default: nothing.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::chess::Board;
    /// let mut ai = player(Board::evaluate).selective(Board::TUNING.selective).build()?;
    /// ai.set_game(&[])?; // Draws by repetition count.
    /// let found = ai.think(&Board::default(), Budget::nodes(20_000))?;
    /// assert!(found.depth >= 6);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn selective(self, selective: Selective) -> Self {
        match self.options.mode {
            Mode::Exact { etc: Some(1..) } if selective.is_on() => self.refuse(etc_is_exact()),
            Mode::Exact { .. } if !selective.is_on() => self,
            _ => self.with(|options| options.mode = selective.into()),
        }
    }

    /// How many plies each iteration is deeper than the one before (at least 1). Default: [`Deepening::Auto`].
    pub fn deepen_by(self, plies: u8) -> Self {
        self.with(|options| options.deepening = Deepening::By(plies))
    }

    /// One iteration, at the full depth of the budget.
    pub fn fixed_depth(self) -> Self {
        self.with(|options| options.deepening = Deepening::Fixed)
    }

    /// Whether iterations end with a principal variation, which costs a few visits that are not counted. Default: yes.
    pub fn principal_variation(self, wanted: bool) -> Self {
        self.with(|options| options.principal_variation = wanted)
    }

    /// The clock for time limits. Default: the system's.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.stops.clock = Some(clock);
        self
    }

    /// A flag that ends any search while it is up.
    pub fn stop_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.stops.flag = Some(flag);
        self
    }

    /// How many threads search; 0 for as many as the machine runs at once. Default: 1, which is the same to the node on
    /// every run. The value is the same with any number.
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
    pub fn threads(self, threads: usize) -> Self {
        self.with(|options| options.threads = threads)
    }

    /// Makes the search, or says in a sentence why it cannot be made.
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
    /// Searches with other options from now on. What was learned stays wherever they leave it its place: the table unless they
    /// are about the table itself. A driver of the user's is replaced by the algorithm they name.
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
            // Bounds of a selective search must not answer another.
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

/// A number of threads, 0 being all that the machine runs at once.
fn resolve_threads(threads: usize) -> Result<usize, Error> {
    #[cfg(feature = "std")]
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(not(feature = "std"))]
    let all = 1;
    let most = if cfg!(feature = "std") { MAX_THREADS } else { 1 };
    match threads {
        0 => Ok(all.min(most)),
        _ if threads > most => Err(Error::TooManyThreads { threads, most }),
        _ => Ok(threads),
    }
}
