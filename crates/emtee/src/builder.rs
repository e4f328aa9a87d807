//! How a search is to be made: the options, and which of them go together.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::AtomicBool;
use core::time::Duration;

use crate::algorithm::{Algorithm, Guess};
use crate::deepening::Plan;
use crate::driver::Driver;
use crate::error::Error;
use crate::game::{Evaluate, Game, Moves};
use crate::limits::Clock;
use crate::ordering::{Memory, Ordering};
use crate::search::Search;
use crate::selective::{Selective, Sieve};
use crate::table::{Keep, Reuse, Size, Table};
use crate::threads::{Hand, MAX_THREADS, Sharing, Team};
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
    Builder {
        evaluator: evaluate,
        plan: Plan::Named(Algorithm::default()),
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
        pv: true,
        clock: None,
        stop: None,
        threads: 1,
        sharing: Sharing::default(),
        share_from: SHARE_FROM,
        visit: None,
    }
}

/// After an iteration of so many nodes the next one is worth more than one thread.
const SHARE_FROM: u64 = 1_000;

/// How many moves fit on the lists of all the nodes under way before their room has to grow.
const ROOM_FOR_MOVES: usize = 1 << 14;

/// How a search is to be made. Each option has a default that is meant to be kept.
pub struct Builder<E> {
    evaluator: E,
    plan: Plan,
    size: Option<Result<Size, Error>>,
    keep: Option<Keep>,
    reuse: Option<Reuse>,
    store_leaves: Option<bool>,
    etc: Option<u8>,
    ordering: Option<Ordering>,
    selective: Selective,
    step: Option<u8>,
    guess: Guess,
    first_guess: Option<Value>,
    range: Bounds,
    pv: bool,
    clock: Option<Clock>,
    stop: Option<Arc<AtomicBool>>,
    threads: usize,
    sharing: Sharing,
    share_from: u64,
    visit: Option<Duration>,
}

impl<E> Builder<E> {
    /// The algorithm. Default: MTD-f.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.plan = Plan::Named(algorithm);
        self
    }

    /// A driver of your own; see [`Driver`].
    pub fn driver(mut self, driver: impl Driver + Send + 'static) -> Self {
        self.plan = Plan::Driven(Box::new(driver));
        self
    }

    /// The size of the table as text, like `"64MB"`. Default: 2^20 entries, 16 MB.
    pub fn hash(mut self, size: &str) -> Self {
        self.size = Some(size.parse());
        self
    }

    /// The size of the table.
    pub fn table(mut self, size: Size) -> Self {
        self.size = Some(Ok(size));
        self
    }

    /// One bound an entry, or both. Default: both.
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = Some(keep);
        self
    }

    /// Which entries may answer. Default: those of equal depth.
    pub fn reuse(mut self, reuse: Reuse) -> Self {
        self.reuse = Some(reuse);
        self
    }

    /// Whether leaves go through the table too, as the paper's programs have it. Where evaluating is cheaper than a look
    /// into memory, leaving them out saves time and costs leaf evaluations; values are the same. Default: yes.
    pub fn store_leaves(mut self, store: bool) -> Self {
        self.store_leaves = Some(store);
        self
    }

    /// Enhanced transposition cutoffs at nodes with at least `depth` plies below them; 0 for none. Default: what the game
    /// says ([`Game::ETC`]).
    pub fn etc(mut self, depth: u8) -> Self {
        self.etc = Some(depth);
        self
    }

    /// What sorts the moves. Default: what the game says.
    pub fn ordering(mut self, ordering: Ordering) -> Self {
        self.ordering = Some(ordering);
        self
    }

    /// What to leave out: stronger play, at values that are no longer a function of position and depth. Where anything is
    /// left out, entries of at least the depth answer ([`Reuse::AtLeastDepth`]) unless [`reuse`](Builder::reuse) says otherwise.
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
    pub fn selective(mut self, selective: Selective) -> Self {
        self.selective = selective;
        self
    }

    /// How many plies each iteration is deeper than the one before (at least 1). Default: 1.
    pub fn deepen_by(mut self, plies: u8) -> Self {
        self.step = Some(plies.max(1));
        self
    }

    /// One iteration, at the full depth of the budget.
    pub fn fixed_depth(mut self) -> Self {
        self.step = None;
        self
    }

    /// Where each iteration's first guess comes from. Default: the iteration before or the one before that, whichever has
    /// guessed better so far.
    pub fn guess(mut self, guess: Guess) -> Self {
        self.guess = guess;
        self
    }

    /// The guess for the first iteration. Default: the evaluation of the position.
    pub fn first_guess(mut self, value: Value) -> Self {
        self.first_guess = Some(value);
        self
    }

    /// The paper's −∞ and +∞: numbers known to lie below and above every value. Default: ±∞.
    pub fn range(mut self, range: Bounds) -> Self {
        self.range = range;
        self
    }

    /// Whether iterations end with a principal variation, which costs a few visits that are not counted. Default: yes.
    pub fn principal_variation(mut self, wanted: bool) -> Self {
        self.pv = wanted;
        self
    }

    /// The clock for time limits. Default: the system's.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// A flag that ends any search while it is up.
    pub fn stop_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.stop = Some(flag);
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
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// How threads keep out of each other's way. Default: [`Sharing::Deferring`], which was the faster in all three games.
    pub fn sharing(mut self, sharing: Sharing) -> Self {
        self.sharing = sharing;
        self
    }

    /// After an iteration of so many nodes the next one is shared by all threads. Default: 1,000, less than that takes one
    /// thread no longer than it takes to call the others.
    pub fn share_from(mut self, nodes: u64) -> Self {
        self.share_from = nodes;
        self
    }

    /// Threads take turns by a virtual clock on which each visit takes `visit`: slow, the same on every run, and
    /// [`Teamwork::virtual_time`](crate::Teamwork::virtual_time) tells how long a machine with a core for each of them would take.
    pub fn virtual_time(mut self, visit: Duration) -> Self {
        self.visit = Some(visit);
        self
    }

    /// Makes the search, or says in a sentence why it cannot be made.
    pub fn build<G: Game>(self) -> Result<Search<G, E>, Error>
    where
        E: Evaluate<G>,
    {
        if let Plan::Named(algorithm) = self.plan
            && algorithm.is_oracle()
        {
            let refuse = |option| Err(Error::Unsupported { algorithm: algorithm.to_string(), option });
            if self.size.is_some() || self.keep.is_some() || self.reuse.is_some() || self.store_leaves.is_some() {
                return refuse("uses no table, so there is nothing to choose about it");
            }
            if self.etc.is_some_and(|etc| etc > 0) {
                return refuse("uses no table, so there are no enhanced transposition cutoffs");
            }
        }
        let selective = self.selective.is_on();
        if let Plan::Named(algorithm) = self.plan
            && selective
            && !algorithm.shares_work()
        {
            let option = "searches everything; choose an MT driver or NegaScout for selective search";
            return Err(Error::Unsupported { algorithm: algorithm.to_string(), option });
        }
        let threads = resolve(self.threads)?;
        if let Plan::Named(algorithm) = self.plan
            && (threads > 1 || self.visit.is_some())
            && !algorithm.shares_work()
        {
            let option = "searches on one thread; choose an MT driver or NegaScout for more";
            return Err(Error::Unsupported { algorithm: algorithm.to_string(), option });
        }
        let team = (threads > 1 || self.visit.is_some()).then(|| {
            let mut team = Team::new(threads, self.sharing);
            team.rehearse(self.visit);
            team
        });
        let helpers = (1..threads).map(|_| Hand::new(self.selective, ROOM_FOR_MOVES));
        let reuse = self.reuse.unwrap_or(if selective { Reuse::AtLeastDepth } else { Reuse::EqualDepth });
        let size = match self.plan {
            Plan::Named(algorithm) if algorithm.is_oracle() => Size::of_entries(1),
            _ => self.size.transpose()?.unwrap_or_default(),
        };
        #[cfg(feature = "std")]
        let clock = self.clock.or(Some(crate::limits::system_clock));
        #[cfg(not(feature = "std"))]
        let clock = self.clock;
        Ok(Search {
            evaluator: self.evaluator,
            plan: self.plan,
            table: Table::new(size, self.keep.unwrap_or_default(), reuse)?,
            store_leaves: self.store_leaves.unwrap_or(true),
            etc: self.etc.or(G::ETC).filter(|&etc| etc > 0),
            ordering: self.ordering.unwrap_or(G::ORDERING),
            step: self.step,
            guess: self.guess,
            first_guess: self.first_guess,
            range: self.range,
            pv: self.pv,
            clock,
            stop: self.stop,
            alarm: None,
            moves: Moves { list: Vec::with_capacity(ROOM_FOR_MOVES) },
            memory: Memory::new(),
            sieve: Sieve::new(self.selective),
            game: None,
            promise: None,
            session: None,
            hands: helpers.collect(),
            share_from: self.share_from,
            team,
        })
    }
}

/// A number of threads, 0 being all that the machine runs at once.
fn resolve(threads: usize) -> Result<usize, Error> {
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
