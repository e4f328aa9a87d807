//! How a search is to be made: the options, and which of them go together.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::AtomicBool;
use core::time::Duration;

use crate::algorithm::{Algorithm, Driver, Guess};
use crate::error::Error;
use crate::game::{Evaluate, Game};
use crate::limits::Clock;
use crate::memory::history::Ordering;
use crate::memory::table::{Keep, Reuse, Size, Table};
use crate::run::{MAX_THREADS, Plan, Sharing, Stops, Team, Thread};
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
    let options = Options { step: Some(0), ..Options::default() };
    Builder { evaluator: evaluate, options, driver: None, guesses: Vec::new(), bad_size: None, stops: Stops::NONE }
}

/// All options of a search, as data. Those that are `None` are what the game and the algorithm make of them.
///
/// ```
/// use emtee::research::Options;
/// use emtee::{Budget, Game, player};
/// use emtee_games::connect4::Board;
///
/// let mut options = Options::default();
/// options.step = Some(2);
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
    /// Which entries may answer. `None`: those of equal depth, and where anything is left out also deeper ones.
    pub reuse: Option<Reuse>,
    /// Whether leaves go through the table too. `None`: what the game says ([`Game::STORE_LEAVES`]).
    pub store_leaves: Option<bool>,
    /// Enhanced transposition cutoffs from this depth up, 0 for none. `None`: what the game says ([`Game::ETC`]), and none where
    /// anything is left out.
    pub etc: Option<u8>,
    /// What sorts the moves. `None`: what the game says ([`Game::ORDERING`]).
    pub ordering: Option<Ordering>,
    /// What to leave out: nothing, unless values need not be a function of position and depth.
    pub selective: Selective,
    /// How many plies each iteration is deeper than the one before. 0: two where a depth is the only limit, else one. `None`: one
    /// iteration, at the full depth of the budget.
    pub step: Option<u8>,
    /// Where each iteration's first guess comes from.
    pub guess: Guess,
    /// The guess for the first iteration. `None`: the evaluation of the position.
    pub first_guess: Option<Value>,
    /// The paper's −∞ and +∞: numbers known to lie below and above every value.
    pub range: Bounds,
    /// Whether iterations end with a principal variation, which costs a few visits that are not counted.
    pub principal_variation: bool,
    /// How many threads search; 0 for as many as the machine runs at once.
    pub threads: usize,
    /// How threads keep out of each other's way. Deferring was the faster in all three games.
    pub sharing: Sharing,
    /// After an iteration of so many nodes the next one is shared by all threads.
    pub share_from: u64,
    /// Threads take turns by a virtual clock on which each visit takes so long: slow, the same on every run, and
    /// [`Teamwork::virtual_time`](crate::research::Teamwork::virtual_time) tells how long a machine with a core for each of them
    /// would take.
    pub virtual_visit: Option<Duration>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            algorithm: Algorithm::default(),
            size: None,
            keep: None,
            reuse: None,
            store_leaves: None,
            etc: None,
            ordering: None,
            selective: Selective::NONE,
            step: Some(1),
            guess: Guess::default(),
            first_guess: None,
            range: Bounds::UNKNOWN,
            principal_variation: true,
            threads: 1,
            sharing: Sharing::default(),
            share_from: SHARE_FROM,
            virtual_visit: None,
        }
    }
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
        if algorithm.is_oracle() && self.etc.is_some_and(|etc| etc > 0) {
            return refuse("uses no table, so there are no enhanced transposition cutoffs");
        }
        let selective = self.selective.is_on();
        if selective && !algorithm.shares_work() {
            return refuse("searches everything; choose an MT driver or NegaScout for selective search");
        }
        self.threads = resolve_threads(self.threads)?;
        if (self.threads > 1 || self.virtual_visit.is_some()) && !algorithm.shares_work() {
            return refuse("searches on one thread; choose an MT driver or NegaScout for more");
        }
        self.algorithm = algorithm;
        self.reuse = self.reuse.or(Some(if selective { Reuse::AtLeastDepth } else { Reuse::EqualDepth }));
        self.store_leaves = self.store_leaves.or(Some(G::STORE_LEAVES));
        self.etc = self.etc.or(if selective { None } else { G::ETC });
        self.ordering = self.ordering.or(Some(G::ORDERING));
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

    fn team(&self) -> Option<Team> {
        let wanted = self.threads > 1 || self.virtual_visit.is_some();
        wanted.then(|| Team::new(self.threads, self.sharing, self.virtual_visit))
    }

    fn threads<M>(&self) -> Box<[Thread<M>]> {
        (0..self.threads).map(|number| Thread::new(number, self.selective.is_on())).collect()
    }
}

/// How a search is to be made. Each option has a default that is meant to be kept.
pub struct Builder<E> {
    evaluator: E,
    options: Options,
    driver: Option<Box<dyn Driver + Send>>,
    guesses: Vec<Value>,
    bad_size: Option<Error>,
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
    /// use emtee::research::Sharing;
    /// # use emtee::{Game, player};
    /// # use emtee_games::connect4::Board;
    /// let ai = player(Board::evaluate).threads(2).with(|options| options.sharing = Sharing::TableOnly).build::<Board>()?;
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
            Err(error) => self.bad_size = Some(error),
        }
        self
    }

    /// The size of the table.
    pub fn table(self, size: Size) -> Self {
        self.with(|options| options.size = Some(size))
    }

    /// Whether leaves go through the table too, as the paper's programs have it. Where evaluating is cheaper than a look
    /// into memory, leaving them out saves time and costs leaf evaluations; values are the same. Default: what the game says
    /// ([`Game::STORE_LEAVES`]).
    pub fn store_leaves(self, store: bool) -> Self {
        self.with(|options| options.store_leaves = Some(store))
    }

    /// Enhanced transposition cutoffs at nodes with at least `depth` plies below them; 0 for none. Default: what the game
    /// says ([`Game::ETC`]).
    pub fn etc(self, depth: u8) -> Self {
        self.with(|options| options.etc = Some(depth))
    }

    /// What to leave out: stronger play, at values that are no longer a function of position and depth. Where anything is
    /// left out, entries of at least the depth answer ([`Reuse::AtLeastDepth`](crate::research::Reuse::AtLeastDepth)) unless [`Options::reuse`] says otherwise.
    /// Default: nothing.
    ///
    /// ```
    /// use emtee::{Budget, Game, player};
    /// use emtee_games::chess::Board;
    /// let mut ai = player(Board::evaluate).selective(Board::SELECTIVE).build()?;
    /// ai.set_game(&[])?; // Draws by repetition count.
    /// let found = ai.think(&Board::default(), Budget::nodes(20_000))?;
    /// assert!(found.depth >= 6);
    /// # Ok::<(), emtee::Error>(())
    /// ```
    pub fn selective(self, selective: Selective) -> Self {
        self.with(|options| options.selective = selective)
    }

    /// How many plies each iteration is deeper than the one before (at least 1). Default: 2 where a depth is the only limit, which
    /// takes a half to nine tenths of the nodes in our games, else 1, which leaves a move at every depth.
    pub fn deepen_by(self, plies: u8) -> Self {
        self.with(|options| options.step = Some(plies.max(1)))
    }

    /// One iteration, at the full depth of the budget.
    pub fn fixed_depth(mut self) -> Self {
        self.options.step = None;
        self
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
        if let Some(error) = self.bad_size {
            return Err(error);
        }
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
            reductions: Reductions::new(options.selective.is_on()),
            threads: options.threads(),
            team: options.team(),
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
        if (old.size, old.keep, old.reuse) != (new.size, new.keep, new.reuse)
            || old.algorithm.is_oracle() != new.algorithm.is_oracle()
        {
            self.table = new.table()?;
        } else if old.selective != new.selective {
            // Bounds of a search that leaves things out must not answer another.
            self.table.forget_bounds();
        }
        if (old.threads, old.selective.is_on()) != (new.threads, new.selective.is_on()) {
            let path = self.threads[0].path.take();
            self.threads = new.threads();
            self.threads[0].path = path;
            self.reductions = Reductions::new(new.selective.is_on());
        }
        self.team = new.team();
        self.plan = Plan::Named(new.algorithm);
        self.options = new;
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
