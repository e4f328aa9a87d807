//! Searches, in three layers.
//!
//! [`emtee::Search`] is compiled for a game and an evaluator, so that evaluation costs no indirect call. [`GameSearch`] hides
//! the evaluator: the code built on it is compiled once per game. [`Search`] also hides the game: it takes positions and
//! reports [events](Event), and all programs use it. [`build`] is the only place that constructs any of them.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use emtee::research::{Driver, Gamma, Iteration, Mtd, Observer, Options, Pass, Passes, SpareTable, Visit, Window};
use emtee::{Algorithm, Bounds, Budget, Chosen, Evaluate, Found, Game, Grain, Level, Poll, Stop, Value};

use crate::error::Error;
use crate::event::Event;
use crate::kit::Kit;
use crate::mcts::MctsSearch;
use crate::position::{GamePosition, Playable, Position, find};
use crate::row::{Row, RowMaker};
use crate::settings::Settings;

/// A search of one game. It keeps its memory between searches. Made by [`Entry::search`](crate::Entry::search).
///
/// ```
/// use emtee::Budget;
/// use emtee_engine::{Event, Registry, Settings};
///
/// let registry = Registry::standard();
/// let game = registry.get("connect4")?;
/// let mut search = game.search(&Settings::default())?;
/// let mut depths = Vec::new();
/// let row = search.think(&*game.start(), Budget::depth(5), &mut |event| {
///     if let Event::Iteration(row) = event {
///         depths.push(row.depth);
///     }
/// })?;
/// assert_eq!((row.depth, depths), (5, vec![1, 2, 3, 4, 5]));
/// # Ok::<(), emtee_engine::Error>(())
/// ```
pub trait Search: Send {
    /// Searches a position until the budget is used up. `event` gets each finished iteration, and the result.
    fn think(
        &mut self,
        position: &dyn Position,
        budget: Budget,
        event: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Row, Error>;

    /// The value of a move for the side to move, with a total depth of `depth`.
    fn worth(&mut self, position: &dyn Position, m: &str, depth: u8) -> Result<i32, Error>;

    /// Clears the memory of the search: the next one is like the first.
    fn clear(&mut self) -> Result<(), Error>;
}

/// Tables up to this size are touched before the clock starts.
const TOUCH_LIMIT: usize = 64 << 20;

/// Tables of finished searches, for the next searches of the same game: the system takes longer to provide new memory than a
/// short search takes.
#[derive(Debug, Default)]
pub(crate) struct SpareTables(Mutex<Vec<SpareTable>>);

/// The number of spare tables of a game.
const MAX_SPARE_TABLES: usize = 16;

impl SpareTables {
    fn take(&self) -> Option<SpareTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn put(&self, spare: SpareTable) {
        let mut spares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if spares.len() < MAX_SPARE_TABLES {
            spares.push(spare);
        }
    }
}

/// The [`Search`] of a game.
pub(crate) struct PositionSearch<G: Playable> {
    game: String,
    kit: Arc<Kit<G>>,
    settings: Settings,
    search: Box<dyn GameSearch<G>>,
}

impl<G: Playable> PositionSearch<G> {
    pub(crate) fn new(game: &str, kit: &Arc<Kit<G>>, settings: &Settings) -> Result<PositionSearch<G>, Error> {
        let mut search = kit.search(game, settings)?;
        if touches(settings) {
            let reused = match kit.spare_tables.take() {
                Some(spare) => search.reuse_table(spare)?,
                None => false,
            };
            // Page faults on first access to the table would be charged to the first search.
            if !reused {
                search.touch_table();
            }
        }
        Ok(PositionSearch { game: game.to_owned(), kit: kit.clone(), settings: settings.clone(), search })
    }

    /// The position, as one of this game. In play the search gets the game history.
    fn begin<'p>(&mut self, position: &'p dyn Position) -> Result<&'p GamePosition<G>, Error> {
        let position = downcast(position, &self.game)?;
        if self.settings.in_play {
            self.search.set_game(&position.history.positions())?;
        }
        Ok(position)
    }
}

/// Whether the search has a table that is touched before the clock starts.
fn touches(settings: &Settings) -> bool {
    let algorithm = settings.options.algorithm;
    let size = settings.options.size.filter(|_| !algorithm.is_oracle() && algorithm != Algorithm::Mcts);
    size.is_some_and(|size| size.bytes() <= TOUCH_LIMIT)
}

impl<G: Playable> Drop for PositionSearch<G> {
    fn drop(&mut self) {
        if touches(&self.settings)
            && let Ok(spare) = self.search.release_table()
        {
            self.kit.spare_tables.put(spare);
        }
    }
}

/// The position, as one of the game G.
pub(crate) fn downcast<'p, G: Playable>(position: &'p dyn Position, game: &str) -> Result<&'p GamePosition<G>, Error> {
    let any: &dyn Any = position;
    let other = || Error::OtherGame { game: game.to_owned(), position: position.game().to_owned() };
    any.downcast_ref().ok_or_else(other)
}

impl<G: Playable> Search for PositionSearch<G> {
    fn think(
        &mut self,
        position: &dyn Position,
        budget: Budget,
        event: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Row, Error> {
        let position = self.begin(position)?;
        // What a game builds on its first evaluation would be charged to the first search: Othello unpacks its patterns.
        position.board.evaluate();
        let Settings { options, lines, .. } = &self.settings;
        let maker = RowMaker::new(&self.game, position.text(), options.algorithm).with_lines(*lines);
        let mut observer = IterationObserver { maker, iterations: Vec::new(), event };
        let found = self.search.think(&position.board, &[], *lines, budget, &mut observer)?;
        let row = observer.maker.result(&found);
        (observer.event)(&Event::Result(&row));
        Ok(row)
    }

    fn worth(&mut self, position: &dyn Position, m: &str, depth: u8) -> Result<i32, Error> {
        let position = self.begin(position)?;
        let m = find(&position.board, m)?;
        let value = self.search.worth(&position.board, m, Budget::depth(depth))?;
        Ok(value.unwrap_or_default().get())
    }

    fn clear(&mut self) -> Result<(), Error> {
        self.search.clear()
    }
}

/// Reports finished iterations.
struct IterationObserver<'s, M> {
    maker: RowMaker,
    iterations: Vec<Iteration<M>>,
    event: &'s mut dyn FnMut(&Event<'_>),
}

impl<G: Playable> Observer<G> for IterationObserver<'_, G::Move> {
    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.iterations.push(iteration.clone());
        (self.event)(&Event::Iteration(&self.maker.iterations(&self.iterations)));
    }
}

/// A search of the game G with any evaluator. Its methods are those of [`emtee::Search`]. Observers see passes and iterations,
/// but no nodes.
pub trait GameSearch<G: Game>: Send {
    /// See [`emtee::Search::think_of`].
    fn think(
        &mut self,
        position: &G,
        among: &[G::Move],
        lines: usize,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Found<G::Move>, Error>;

    /// See [`emtee::Search::choose_observed`].
    fn choose(
        &mut self,
        position: &G,
        level: Level,
        seed: u64,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Chosen<G::Move>, Error>;

    /// See [`emtee::Search::worth`].
    fn worth(&mut self, position: &G, m: G::Move, budget: Budget) -> Result<Option<Value>, Error>;

    /// See [`emtee::Search::set_game`].
    fn set_game(&mut self, before: &[G]) -> Result<(), Error>;

    /// See [`emtee::Search::set_stop`].
    fn set_stop(&mut self, stop: Stop);

    /// See [`emtee::Search::reconfigure`].
    fn reconfigure(&mut self, options: Options) -> Result<(), Error>;

    /// See [`emtee::research::Research::forget_bounds`].
    fn forget_bounds(&mut self);

    /// See [`emtee::Search::renew`].
    fn renew(&mut self);

    /// See [`emtee::Search::clear`].
    fn clear(&mut self) -> Result<(), Error>;

    /// See [`emtee::Search::touch_table`].
    fn touch_table(&mut self);

    /// See [`emtee::research::Research::release_table`].
    fn release_table(&mut self) -> Result<SpareTable, Error>;

    /// See [`emtee::research::Research::reuse_table`].
    fn reuse_table(&mut self, spare: SpareTable) -> Result<bool, Error>;
}

/// A search whose observers can see every node, with single passes and searches in slices.
pub trait ObservedSearch<G: Game>: GameSearch<G> {
    /// Whether observers see nodes, not only passes and iterations.
    fn observe_nodes(&mut self, nodes: bool);

    /// See [`emtee::Search::start`].
    fn start(&mut self, position: &G, budget: Budget) -> Result<(), Error>;

    /// See [`emtee::Search::poll`].
    fn poll(&mut self, slice: Budget) -> Result<Poll<G::Move>, Error>;

    /// See [`emtee::Search::stop`].
    fn stop(&mut self) -> Option<Found<G::Move>>;

    /// See [`emtee::research::Research::pass_observed`].
    fn pass(
        &mut self,
        position: &G,
        depth: u8,
        gamma: Gamma,
        observer: &mut dyn Observer<G>,
    ) -> Result<Pass<G::Move>, Error>;

    /// See [`emtee::research::Research::window`].
    fn window(&mut self, position: &G, depth: u8, window: Window) -> Result<Pass<G::Move>, Error>;

    /// See [`emtee::Search::forget_game`].
    fn forget_game(&mut self);

    /// See [`emtee::Search::table_entries`].
    fn table_entries(&self) -> usize;
}

/// A search with these settings and this evaluator.
pub(crate) fn build<G: Game + 'static, E: Evaluate<G> + Send + 'static>(
    settings: &Settings,
    evaluator: E,
) -> Result<Box<dyn GameSearch<G>>, Error> {
    if settings.options.algorithm == Algorithm::Mcts {
        return Ok(Box::new(MctsSearch::new(settings, evaluator)?));
    }
    Ok(Box::new(typed::<G, E, OnlyPasses>(settings, evaluator, None::<Mtd>)?))
}

/// A search with these settings and this evaluator, and a user's driver if there is one, whose observers see every node.
///
/// ```
/// use emtee::research::Mtd;
/// use emtee::{Budget, OwnEvaluation};
/// use emtee_engine::{Settings, build_observed};
/// use emtee_games::kalah::Board;
///
/// let mut search = build_observed(&Settings::default(), OwnEvaluation, None::<Mtd>)?;
/// let found = search.think(&Board::default(), &[], 1, Budget::depth(4), &mut ())?;
/// assert_eq!(found.depth, 4);
/// # Ok::<(), emtee_engine::Error>(())
/// ```
pub fn build_observed<G: Game + 'static, E: Evaluate<G> + Send + 'static>(
    settings: &Settings,
    evaluator: E,
    driver: Option<impl Driver + Send + 'static>,
) -> Result<Box<dyn ObservedSearch<G>>, Error> {
    if settings.options.algorithm == Algorithm::Mcts && driver.is_none() {
        return Ok(Box::new(MctsSearch::new(settings, evaluator)?));
    }
    Ok(Box::new(typed::<G, E, Nodes>(settings, evaluator, driver)?))
}

fn typed<G: Game, E: Evaluate<G>, O: Observed>(
    settings: &Settings,
    evaluator: E,
    driver: Option<impl Driver + Send + 'static>,
) -> Result<TypedSearch<G, E, O>, Error> {
    let builder = settings.builder::<G, E>(evaluator);
    let builder = match driver {
        Some(driver) => builder.driver(driver),
        None => builder,
    };
    let mut search = builder.build::<G>()?;
    if let Some(peers) = &settings.peers {
        search.research().set_peers(Some(peers.clone()))?;
    }
    Ok(TypedSearch { search, nodes: true, observed: PhantomData })
}

/// What observers see: each choice compiles a search of its own.
trait Observed: Send {
    type Observer<'o, G: Game + 'o>: Observer<G>;

    fn observer<'o, G: Game>(observer: &'o mut dyn Observer<G>, nodes: bool) -> Self::Observer<'o, G>;
}

/// Passes and iterations. Nodes cost nothing.
struct OnlyPasses;

impl Observed for OnlyPasses {
    type Observer<'o, G: Game + 'o> = Passes<'o, G>;

    fn observer<'o, G: Game>(observer: &'o mut dyn Observer<G>, _: bool) -> Passes<'o, G> {
        Passes(observer)
    }
}

/// Nodes too.
struct Nodes;

impl Observed for Nodes {
    type Observer<'o, G: Game + 'o> = NodeObserver<'o, G>;

    fn observer<'o, G: Game>(observer: &'o mut dyn Observer<G>, nodes: bool) -> NodeObserver<'o, G> {
        NodeObserver { observer, nodes }
    }
}

/// Forwards everything to an observer, nodes only if they are wanted.
struct NodeObserver<'o, G> {
    observer: &'o mut dyn Observer<G>,
    nodes: bool,
}

impl<G: Game> Observer<G> for NodeObserver<'_, G> {
    fn enabled(&self) -> bool {
        self.observer.enabled()
    }

    fn pass(&mut self, window: Window) {
        self.observer.pass(window);
    }

    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        self.observer.passed(depth, pass);
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.observer.iteration(iteration);
    }

    fn root_move(&mut self, depth: u8, m: G::Move, number: usize) {
        self.observer.root_move(depth, m, number);
    }

    #[inline(always)]
    fn enter(&mut self, position: &G, depth: u8, window: Window) {
        if self.nodes {
            self.observer.enter(position, depth, window);
        }
    }

    #[inline(always)]
    fn leave(&mut self, position: &G, visit: &Visit) {
        if self.nodes {
            self.observer.leave(position, visit);
        }
    }
}

/// A search compiled for a game, an evaluator and what observers see.
struct TypedSearch<G: Game, E, O> {
    search: emtee::Search<G, Grain<E>>,
    nodes: bool,
    observed: PhantomData<O>,
}

impl<G: Game, E: Evaluate<G> + Send, O: Observed> GameSearch<G> for TypedSearch<G, E, O> {
    fn think(
        &mut self,
        position: &G,
        among: &[G::Move],
        lines: usize,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        Ok(self.search.think_of(position, among, lines, budget, &mut O::observer(observer, self.nodes))?)
    }

    fn choose(
        &mut self,
        position: &G,
        level: Level,
        seed: u64,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Chosen<G::Move>, Error> {
        Ok(self.search.choose_observed(position, level, seed, budget, &mut O::observer(observer, self.nodes))?)
    }

    fn worth(&mut self, position: &G, m: G::Move, budget: Budget) -> Result<Option<Value>, Error> {
        Ok(self.search.worth(position, m, budget)?)
    }

    fn set_game(&mut self, before: &[G]) -> Result<(), Error> {
        Ok(self.search.set_game(before)?)
    }

    fn set_stop(&mut self, stop: Stop) {
        self.search.set_stop(Some(stop));
    }

    fn reconfigure(&mut self, options: Options) -> Result<(), Error> {
        Ok(self.search.reconfigure(options)?)
    }

    fn forget_bounds(&mut self) {
        self.search.research().forget_bounds();
    }

    fn renew(&mut self) {
        self.search.renew();
    }

    fn clear(&mut self) -> Result<(), Error> {
        Ok(self.search.clear()?)
    }

    fn touch_table(&mut self) {
        self.search.touch_table();
    }

    fn release_table(&mut self) -> Result<SpareTable, Error> {
        Ok(self.search.research().release_table()?)
    }

    fn reuse_table(&mut self, spare: SpareTable) -> Result<bool, Error> {
        Ok(self.search.research().reuse_table(spare)?)
    }
}

impl<G: Game, E: Evaluate<G> + Send> ObservedSearch<G> for TypedSearch<G, E, Nodes> {
    fn observe_nodes(&mut self, nodes: bool) {
        self.nodes = nodes;
    }

    fn start(&mut self, position: &G, budget: Budget) -> Result<(), Error> {
        Ok(self.search.start(position, budget)?)
    }

    fn poll(&mut self, slice: Budget) -> Result<Poll<G::Move>, Error> {
        Ok(self.search.poll(slice)?)
    }

    fn stop(&mut self) -> Option<Found<G::Move>> {
        self.search.stop()
    }

    fn pass(
        &mut self,
        position: &G,
        depth: u8,
        gamma: Gamma,
        observer: &mut dyn Observer<G>,
    ) -> Result<Pass<G::Move>, Error> {
        let observer = &mut Nodes::observer(observer, self.nodes);
        Ok(self.search.research().pass_observed(position, depth, gamma, observer)?)
    }

    fn window(&mut self, position: &G, depth: u8, window: Window) -> Result<Pass<G::Move>, Error> {
        Ok(self.search.research().window(position, depth, window)?)
    }

    fn forget_game(&mut self) {
        self.search.forget_game();
    }

    fn table_entries(&self) -> usize {
        self.search.table_entries()
    }
}

/// Any evaluator of a game, behind an indirect call.
pub(crate) struct SharedEvaluator<G>(pub(crate) Box<dyn Evaluate<G> + Send>);

impl<G: Game> Evaluate<G> for SharedEvaluator<G> {
    fn evaluate(&self, position: &G) -> i32 {
        self.0.evaluate(position)
    }

    fn known(&self, position: &G) -> Option<Bounds> {
        self.0.known(position)
    }

    fn grain(&self) -> i32 {
        self.0.grain()
    }

    fn renew(&mut self) -> bool {
        self.0.renew()
    }
}
