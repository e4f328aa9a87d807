//! Searches of any game, behind one trait object.

use std::any::Any;
use std::sync::Arc;

use emtee::research::{Deepening, Gamma, Iteration, Observer, Options, Pass, Visit, Window};
use emtee::{Algorithm, Budget, Evaluate, Game, Level, MoveOrdering, Poll, Size, Stop};
use emtee_engine::{EvaluateAny, ObservedSearch, Settings, build_observed};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::boards::Board;
use crate::calls::retry_interrupted;
use crate::convert;
use crate::driver::PyDriver;
use crate::error::{emtee_error, raise};
use crate::game::{PyPosition, move_index};
use crate::interface::read_score;
use crate::interrupt;
use crate::learn::Learned;
use crate::options::PlayerArguments;
use crate::position::Position;
use crate::report::{self, ChosenData, FoundData, IterationData, Mv, PassData, PolledData, Root};
use crate::rules::Rules;
use crate::state::python_setup;

/// The settings for building a search.
pub(crate) struct Setup {
    pub(crate) options: Options,
    pub(crate) driver: Option<Arc<Py<PyAny>>>,
    pub(crate) evaluate: Option<Arc<Py<PyAny>>>,
    pub(crate) grain: Option<i32>,
    pub(crate) selective_from_game: bool,
    /// Whether the user chose the algorithm, and the move ordering.
    pub(crate) algorithm_is_chosen: bool,
    pub(crate) ordering_is_chosen: bool,
    pub(crate) stop: Stop,
}

/// The evaluation: the game's own, or a function in Python.
#[derive(Clone)]
pub(crate) enum Evaluator {
    Own,
    Python(Arc<Py<PyAny>>),
    Learned(EvaluateAny),
}

impl Evaluator {
    /// The evaluation by a function in Python, or by a `Learned`.
    fn of(function: Arc<Py<PyAny>>) -> Evaluator {
        Python::attach(|py| match function.bind(py).cast::<Learned>() {
            Ok(learned) => learned.get().evaluator(),
            Err(_) => Evaluator::Python(function.clone()),
        })
    }
}

/// A game whose positions and moves can be converted to Python.
pub(crate) trait ConvertibleGame: Game + 'static {
    /// The position as a Python object.
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// A move, to be converted to Python on access.
    fn mv(m: Self::Move) -> Mv;

    /// Whether it is a game in Python, which has to know the [height](ConvertibleGame::set_height) of its positions.
    const IN_PYTHON: bool = false;

    /// Called before the position is searched to this depth.
    #[inline(always)]
    fn set_height(&self, depth: u8) {
        let _ = depth;
    }

    /// The plan for a search to this depth.
    fn plan(&self, depth: u8, evaluate: impl Fn(&Self) -> i32) -> Plan {
        let _ = (depth, evaluate);
        Plan::DEFAULT
    }

    /// Sets whether moves have codes, which mean the same move in all positions.
    fn set_use_codes(&self, wanted: bool) {
        let _ = wanted;
    }
}

/// The deepening, move ordering and algorithm of a search to a given depth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The plies from one iteration to the next.
    deepening: Deepening,
    /// Whether moves are not ordered, since evaluations are all equal.
    unordered: bool,
    /// Whether there is no table, so that a further pass would repeat the work of earlier ones.
    single_pass: bool,
}

impl Plan {
    const DEFAULT: Plan = Plan { deepening: Deepening::Auto, unordered: false, single_pass: false };
}

impl<B: Board> ConvertibleGame for B {
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let position = self.position().ok_or_else(|| emtee_error("the game is not available in Python"))?;
        Ok(Py::new(py, Position(position))?.into_any())
    }

    fn mv(m: B::Move) -> Mv {
        Mv::Text(m.to_string().into())
    }
}

impl ConvertibleGame for PyPosition {
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.to_owned_object(py)
    }

    fn mv(m: u32) -> Mv {
        Mv::Index(move_index(m))
    }

    const IN_PYTHON: bool = true;

    #[inline(always)]
    fn set_height(&self, depth: u8) {
        self.set_height(depth);
    }

    fn plan(&self, depth: u8, evaluate: impl Fn(&PyPosition) -> i32) -> Plan {
        // If positions are cached, ordering moves saves more than it costs.
        let unordered = !self.has_cache_room() && self.evaluations_are_equal(depth, evaluate);
        let deepening = match (self.has_keys(), unordered) {
            (false, _) => Deepening::Fixed, // Without a table, earlier iterations do not help.
            // Without cached results, every iteration calls all methods again.
            (true, true) => Deepening::By(depth.div_ceil(2)),
            (true, _) => Deepening::Auto,
        };
        Plan { deepening, unordered, single_pass: !self.has_keys() }
    }

    fn set_use_codes(&self, wanted: bool) {
        self.set_use_codes(wanted);
    }
}

impl<G: ConvertibleGame> Evaluate<G> for Evaluator {
    #[inline(always)]
    fn evaluate(&self, n: &G) -> i32 {
        match self {
            Evaluator::Own => n.evaluate(),
            Evaluator::Python(function) => evaluate_in_python(function, n),
            // `PlayerState::ensure_search` has checked that it is for this game.
            Evaluator::Learned(evaluate) => evaluate(n).unwrap_or_default(),
        }
    }
}

#[cold]
fn evaluate_in_python<G: ConvertibleGame>(function: &Py<PyAny>, n: &G) -> i32 {
    Python::attach(|py| {
        retry_interrupted(py, || read_score(&function.bind(py).call1((n.to_python(py)?,))?, "evaluate"))
            .unwrap_or_else(|error| raise(error))
    })
}

/// The Python callbacks of a search.
#[derive(Default)]
pub(crate) struct Callbacks {
    pub(crate) on_iteration: Option<Py<PyAny>>,
    pub(crate) on_pass: Option<Py<PyAny>>,
    pub(crate) observer: Option<Py<PyAny>>,
    /// The root, which converts move indices to the user's objects.
    pub(crate) root: Root,
}

impl Callbacks {
    pub(crate) fn are_any(&self) -> bool {
        self.on_iteration.is_some() || self.on_pass.is_some() || self.observer.is_some()
    }

    fn call_back(&self, callback: Option<&Py<PyAny>>, what: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>) {
        if let Some(callback) = callback {
            Python::attach(|py| match what(py).and_then(|what| callback.call1(py, (what,))) {
                Ok(_) => {}
                // The search is stopped, and keeps its result so far.
                Err(error) if interrupt::is_interrupt(py, &error) => {}
                Err(error) => raise(error),
            });
        }
    }
}

/// The observer that calls the callbacks of passes and iterations, and the user's observer of nodes. It is a single type, so that
/// a search is compiled only once for each game.
struct CallbackObserver<'w> {
    callbacks: &'w Callbacks,
    nodes: bool,
}

impl<'w> CallbackObserver<'w> {
    fn new(callbacks: &'w Callbacks) -> CallbackObserver<'w> {
        CallbackObserver { callbacks, nodes: callbacks.observer.is_some() }
    }

    /// Calls a method of the user's observer, if it has it.
    #[cold]
    fn call(&self, name: &str, arguments: impl FnOnce(Python<'_>) -> PyResult<Vec<Py<PyAny>>>) {
        let Some(observer) = &self.callbacks.observer else { return };
        Python::attach(|py| {
            let call = || {
                let observer = observer.bind(py);
                if observer.hasattr(name)? {
                    observer.call_method1(name, PyTuple::new(py, arguments(py)?)?)?;
                }
                Ok(())
            };
            match call() {
                Ok(()) => {}
                Err(error) if interrupt::is_interrupt(py, &error) => {}
                Err(error) => raise(error),
            }
        });
    }
}

impl<G: ConvertibleGame> Observer<G> for CallbackObserver<'_> {
    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        let shown =
            |py: Python<'_>| PassData::new(depth, pass, G::mv).into_python(py, self.callbacks.root.clone_ref(py));
        self.callbacks.call_back(self.callbacks.on_pass.as_ref(), shown);
        if self.nodes {
            self.call("passed", |py| Ok(vec![shown(py)?]));
        }
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        let data = || Arc::new(IterationData::new(iteration.clone(), G::mv));
        let shown = |py: Python<'_>| report::iteration(py, &data(), &self.callbacks.root);
        self.callbacks.call_back(self.callbacks.on_iteration.as_ref(), shown);
        if self.nodes {
            self.call("iteration", |py| Ok(vec![shown(py)?]));
        }
    }

    #[inline(always)]
    fn enter(&mut self, position: &G, depth: u8, window: Window) {
        position.set_height(depth);
        if self.nodes {
            self.call("enter", |py| {
                let position = position.to_python(py)?;
                Ok(vec![position, depth.into_pyobject(py)?.into_any().unbind(), convert::window(py, window)?])
            });
        }
    }

    #[inline(always)]
    fn leave(&mut self, position: &G, visit: &Visit) {
        if self.nodes {
            self.call("leave", |py| Ok(vec![position.to_python(py)?, convert::visit(py, visit)?]));
        }
    }
}

/// A search of some game. Positions passed to it as `dyn Any` must be of that game.
pub(crate) trait AnySearch: Send {
    fn think(
        &mut self,
        at: &dyn Any,
        among: &[u32],
        lines: usize,
        budget: Budget,
        callbacks: &Callbacks,
        in_play: bool,
    ) -> PyResult<FoundData>;
    fn choose(
        &mut self,
        at: &dyn Any,
        level: Level,
        seed: u64,
        budget: Budget,
        callbacks: &Callbacks,
        in_play: bool,
    ) -> PyResult<ChosenData>;
    fn start(&mut self, at: &dyn Any, budget: Budget, in_play: bool) -> PyResult<()>;
    fn poll(&mut self, slice: Budget) -> PyResult<PolledData>;
    fn stop(&mut self) -> Option<FoundData>;
    fn pass(&mut self, at: &dyn Any, depth: u8, gamma: Gamma, callbacks: &Callbacks) -> PyResult<PassData>;
    fn window(&mut self, at: &dyn Any, depth: u8, window: Window) -> PyResult<PassData>;
    fn clear(&mut self) -> PyResult<()>;
    fn forget_bounds(&mut self);
    fn table_entries(&self) -> usize;
}

/// A search of the game `G`: one of the engine, and what Python needs beside it.
struct TypedSearch<G: Game> {
    search: Box<dyn ObservedSearch<G>>,
    board: BoardOf<G>,
    before: BoardsBefore<G>,
    evaluator: Evaluator,
    /// The options, if the user chose neither deepening nor move ordering: then each search sets them by its plan.
    adaptive: Option<Options>,
    algorithm_is_chosen: bool,
    is_mcts: bool,
    /// The plan that the search is configured for.
    plan: Plan,
}

/// Downcasts to a position of a game.
pub(crate) type BoardOf<G> = for<'a> fn(&'a dyn Any) -> Option<&'a G>;

/// The positions before it.
pub(crate) type BoardsBefore<G> = fn(&dyn Any) -> Vec<G>;

/// A position of a game in Python, and the positions before it.
pub(crate) struct PyPositionWithHistory {
    pub(crate) position: PyPosition,
    pub(crate) before: Vec<PyPosition>,
}

/// Builds a search of a built-in game.
pub(crate) fn build<B: Board>(
    setup: Setup,
    board: BoardOf<B>,
    before: BoardsBefore<B>,
) -> PyResult<Box<dyn AnySearch>> {
    Ok(Box::new(built::<B>(setup, board, before)?))
}

/// Builds a search of a game in Python.
pub(crate) fn build_python(setup: Setup) -> PyResult<Box<dyn AnySearch>> {
    let adaptive = !setup.ordering_is_chosen && setup.driver.is_none() && setup.options.deepening == Deepening::Auto;
    let adaptive = adaptive.then_some(setup.options);
    let board: BoardOf<PyPosition> = |at| at.downcast_ref::<PyPositionWithHistory>().map(|at| &at.position);
    let before =
        |at: &dyn Any| at.downcast_ref::<PyPositionWithHistory>().map(|at| at.before.clone()).unwrap_or_default();
    Ok(Box::new(TypedSearch { adaptive, ..built(setup, board, before)? }))
}

fn built<G: ConvertibleGame>(setup: Setup, board: BoardOf<G>, before: BoardsBefore<G>) -> PyResult<TypedSearch<G>> {
    // The results of an evaluation in Python are not rounded by default.
    let default_grain = if setup.evaluate.is_some() { 1 } else { G::TUNING.grain };
    let evaluator = setup.evaluate.map_or(Evaluator::Own, Evaluator::of);
    let mut settings = Settings::default();
    settings.options = setup.options;
    if setup.selective_from_game {
        settings.options.mode = G::TUNING.selective.into();
    }
    settings.grain = Some(setup.grain.unwrap_or(default_grain));
    settings.clock = Some(interrupt::clock);
    let is_mcts = setup.options.algorithm == Algorithm::Mcts && setup.driver.is_none();
    let driver = setup.driver.map(PyDriver);
    let mut search = build_observed::<G, Evaluator>(&settings, evaluator.clone(), driver).map_err(emtee_error)?;
    search.set_stop(setup.stop);
    let algorithm_is_chosen = setup.algorithm_is_chosen;
    let plan = Plan::DEFAULT;
    Ok(TypedSearch { search, board, before, evaluator, adaptive: None, algorithm_is_chosen, is_mcts, plan })
}

/// A search of self-play of a game in Python.
pub(crate) fn learning_search(
    rules: &Rules,
    size: Size,
    evaluator: Evaluator,
) -> PyResult<Box<dyn ObservedSearch<PyPosition>>> {
    let setup = PlayerArguments::new(None)?.setup(Stop::default());
    let mut settings = Settings::default();
    settings.options = python_setup(setup, rules)?.options;
    if rules.has_keys() {
        settings.options.size = Some(size);
    } else {
        settings.options.algorithm = Algorithm::NegaScout;
    }
    settings.grain = Some(1);
    settings.clock = Some(interrupt::clock);
    let mut search =
        build_observed::<PyPosition, Evaluator>(&settings, evaluator, None::<PyDriver>).map_err(emtee_error)?;
    search.observe_nodes(false);
    Ok(search)
}

impl<G: ConvertibleGame> TypedSearch<G> {
    /// The position, after preparing the search for it: nodes are observed if that is needed, and the search gets the positions
    /// before it `in_play`.
    fn at<'a>(&mut self, at: &'a dyn Any, in_play: bool, callbacks: &Callbacks) -> PyResult<&'a G> {
        self.search.observe_nodes(G::IN_PYTHON || callbacks.observer.is_some());
        let position = (self.board)(at).ok_or_else(|| emtee_error("the position belongs to another game"))?;
        if in_play {
            self.search.set_game(&(self.before)(at)).map_err(emtee_error)?;
        } else {
            self.search.forget_game();
        }
        Ok(position)
    }

    /// Drops the earlier positions of a game in Python: its objects may refer to the player.
    fn forget_objects(&mut self) {
        if G::IN_PYTHON {
            self.search.forget_game();
            if self.is_mcts {
                // The tree has its root position.
                let _ = self.search.clear();
            }
        }
    }

    /// Chooses and applies the plan for a search, if the user left it open.
    fn choose_plan(&mut self, position: &G, lines: usize, budget: Budget) -> PyResult<()> {
        let Some(mut options) = self.adaptive else { return Ok(()) };
        let plan = match budget {
            Budget { depth: Some(depth), nodes: None, time: None } if lines == 1 => {
                position.plan(depth, |n| self.evaluator.evaluate(n))
            }
            _ => Plan::DEFAULT,
        };
        position.set_use_codes(!plan.unordered);
        if plan != self.plan {
            options.deepening = plan.deepening;
            if plan.unordered {
                options.ordering = Some(MoveOrdering::HINTS);
            }
            if plan.single_pass && !self.algorithm_is_chosen {
                options.algorithm = Algorithm::NegaScout;
            }
            self.search.reconfigure(options).map_err(emtee_error)?;
            self.plan = plan;
        }
        Ok(())
    }

    fn moves(&self, position: &G, among: &[u32]) -> Vec<G::Move> {
        let moves = if among.is_empty() { Vec::new() } else { emtee::legal_moves(position) };
        among.iter().filter_map(|&index| moves.get(index as usize).copied()).collect()
    }
}

impl<G: ConvertibleGame> AnySearch for TypedSearch<G> {
    fn think(
        &mut self,
        at: &dyn Any,
        among: &[u32],
        lines: usize,
        budget: Budget,
        callbacks: &Callbacks,
        in_play: bool,
    ) -> PyResult<FoundData> {
        let position = self.at(at, in_play, callbacks)?;
        self.choose_plan(position, lines, budget)?;
        let among = self.moves(position, among);
        let found = self.search.think(position, &among, lines, budget, &mut CallbackObserver::new(callbacks));
        self.forget_objects();
        Ok(FoundData::new(found.map_err(emtee_error)?, G::mv))
    }

    fn choose(
        &mut self,
        at: &dyn Any,
        level: Level,
        seed: u64,
        budget: Budget,
        callbacks: &Callbacks,
        in_play: bool,
    ) -> PyResult<ChosenData> {
        let position = self.at(at, in_play, callbacks)?;
        self.choose_plan(position, 0, budget)?;
        let chosen = self.search.choose(position, level, seed, budget, &mut CallbackObserver::new(callbacks));
        self.forget_objects();
        Ok(ChosenData::new(chosen.map_err(emtee_error)?, G::mv))
    }

    fn start(&mut self, at: &dyn Any, budget: Budget, in_play: bool) -> PyResult<()> {
        let position = self.at(at, in_play, &Callbacks::default())?;
        self.choose_plan(position, 0, budget)?;
        self.search.start(position, budget).map_err(emtee_error)
    }

    fn poll(&mut self, slice: Budget) -> PyResult<PolledData> {
        Ok(match self.search.poll(slice).map_err(emtee_error)? {
            Poll::Idle => PolledData::Idle,
            Poll::Thinking { best_move, depth, nodes } => {
                PolledData::Thinking { best_move: best_move.map(G::mv), depth, nodes }
            }
            Poll::Done(found) => PolledData::Done(Box::new(FoundData::new(*found, G::mv))),
        })
    }

    fn stop(&mut self) -> Option<FoundData> {
        self.search.stop().map(|found| FoundData::new(found, G::mv))
    }

    fn pass(&mut self, at: &dyn Any, depth: u8, gamma: Gamma, callbacks: &Callbacks) -> PyResult<PassData> {
        let position = self.at(at, false, callbacks)?;
        let observer = &mut CallbackObserver::new(callbacks);
        let pass = self.search.pass(position, depth, gamma, observer).map_err(emtee_error)?;
        Ok(PassData::new(depth, &pass, G::mv))
    }

    fn window(&mut self, at: &dyn Any, depth: u8, window: Window) -> PyResult<PassData> {
        let position = self.at(at, false, &Callbacks::default())?;
        let pass = self.search.window(position, depth, window).map_err(emtee_error)?;
        Ok(PassData::new(depth, &pass, G::mv))
    }

    fn clear(&mut self) -> PyResult<()> {
        self.search.clear().map_err(emtee_error)
    }

    fn forget_bounds(&mut self) {
        self.search.forget_bounds();
    }

    fn table_entries(&self) -> usize {
        self.search.table_entries()
    }
}
