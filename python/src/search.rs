//! Searches of any game, behind one face.

use std::any::Any;
use std::fmt::Display;
use std::sync::Arc;

use emtee::research::{Deepening, Gamma, Iteration, Observer, Options, Pass, Visit, Window};
use emtee::{Alarm, Algorithm, Budget, Evaluate, Game, Grain, Level, MoveOrdering, Poll, Search, player};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::ask::asked;
use crate::boards::{At, Board};
use crate::driver::PyDriver;
use crate::error::{raise, refused};
use crate::face::read_score;
use crate::game::{PyPosition, place};
use crate::interrupt;
use crate::position::Position;
use crate::report::{self, ChosenData, FoundData, IterationData, Mv, PassData, PolledData};
use crate::shown;

/// How a search is to be made.
pub(crate) struct Setup {
    pub(crate) options: Options,
    pub(crate) driver: Option<Arc<Py<PyAny>>>,
    pub(crate) evaluate: Option<Arc<Py<PyAny>>>,
    pub(crate) grain: Option<i32>,
    pub(crate) as_game_selects: bool,
    /// Whether the user said by which algorithm, and how moves are sorted.
    pub(crate) algorithm_is_chosen: bool,
    pub(crate) order_is_chosen: bool,
    pub(crate) alarm: Arc<Alarm>,
}

/// What evaluates positions: the game itself, or a function of the user's.
#[derive(Clone)]
pub(crate) enum Judge {
    Own,
    Python(Arc<Py<PyAny>>),
}

/// A game whose positions and moves can be shown to Python.
pub(crate) trait Shown: Game + 'static {
    /// The position as the user's code sees it.
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// A move, kept until somebody asks for it.
    fn mv(m: Self::Move) -> Mv;

    /// The search is about to look so many plies further.
    #[inline(always)]
    fn entered(&self, depth: u8) {
        let _ = depth;
    }

    /// How to get to this depth.
    fn way(&self, depth: u8, worth: impl Fn(&Self) -> i32) -> Way {
        let _ = (depth, worth);
        Way::USUAL
    }

    /// Whether moves are to have codes that name them in other positions too.
    fn want_codes(&self, wanted: bool) {
        let _ = wanted;
    }
}

/// How a search gets to its depth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    /// How many plies iterations deepen by.
    deepening: Deepening,
    /// Whether moves are tried as they come, since none is better than another.
    as_they_come: bool,
    /// Whether there is no table for passes to build on one another.
    in_one_pass: bool,
}

impl Way {
    const USUAL: Way = Way { deepening: Deepening::Auto, as_they_come: false, in_one_pass: false };
}

impl<B: Board> Shown for B
where
    B::Move: Display,
{
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Position(crate::boards::alone(self.clone())))?.into_any())
    }

    fn mv(m: B::Move) -> Mv {
        Mv::Text(m.to_string().into())
    }
}

impl Shown for PyPosition {
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.shown(py)
    }

    fn mv(m: u32) -> Mv {
        Mv::Place(place(m))
    }

    #[inline(always)]
    fn entered(&self, depth: u8) {
        self.entered(depth);
    }

    fn way(&self, depth: u8, worth: impl Fn(&PyPosition) -> i32) -> Way {
        // What is learned of moves is worth more than it costs, where positions are kept.
        let as_they_come = !self.is_kept() && self.is_worth_the_same(depth, worth);
        let deepening = match (self.has_keys(), as_they_come) {
            (false, _) => Deepening::Fixed, // Nothing is remembered of earlier iterations.
            // Where what positions say is not kept, every iteration asks all of it again.
            (true, true) => Deepening::By(depth.div_ceil(2)),
            (true, _) => Deepening::Auto,
        };
        Way { deepening, as_they_come, in_one_pass: !self.has_keys() }
    }

    fn want_codes(&self, wanted: bool) {
        self.want_codes(wanted);
    }
}

impl<G: Shown> Evaluate<G> for Judge {
    #[inline(always)]
    fn evaluate(&self, n: &G) -> i32 {
        match self {
            Judge::Own => n.evaluate(),
            Judge::Python(function) => judged(function, n),
        }
    }
}

#[cold]
fn judged<G: Shown>(function: &Py<PyAny>, n: &G) -> i32 {
    Python::attach(|py| {
        asked(py, || read_score(&function.bind(py).call1((n.to_python(py)?,))?, "evaluate"))
            .unwrap_or_else(|error| raise(error))
    })
}

/// Who watches a search from Python.
#[derive(Default)]
pub(crate) struct Watchers {
    pub(crate) on_iteration: Option<Py<PyAny>>,
    pub(crate) on_pass: Option<Py<PyAny>>,
    pub(crate) observer: Option<Py<PyAny>>,
    /// Turns moves into what the user wrote.
    pub(crate) root: Option<PyPosition>,
}

impl Watchers {
    fn tell(&self, watcher: Option<&Py<PyAny>>, what: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>) {
        if let Some(watcher) = watcher {
            Python::attach(|py| match what(py).and_then(|what| watcher.call1(py, (what,))) {
                Ok(_) => {}
                // The search stops of itself, and keeps what it has found.
                Err(error) if interrupt::is_interrupt(py, &error) => {}
                Err(error) => raise(error),
            });
        }
    }
}

/// Shows passes and iterations to whoever wants to see them, and nodes to an observer. One kind of observer, so that a search is
/// compiled once for each game.
struct Watched<'w> {
    watchers: &'w Watchers,
    nodes: bool,
}

impl<'w> Watched<'w> {
    fn by(watchers: &'w Watchers) -> Watched<'w> {
        Watched { watchers, nodes: watchers.observer.is_some() }
    }

    /// Calls a method of the observer's, if it has it.
    #[cold]
    fn call(&self, name: &str, arguments: impl FnOnce(Python<'_>) -> PyResult<Vec<Py<PyAny>>>) {
        let Some(observer) = &self.watchers.observer else { return };
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

impl<G: Shown> Observer<G> for Watched<'_> {
    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        let shown = |py: Python<'_>| PassData::new(depth, pass, G::mv).into_python(py, self.watchers.root.clone());
        self.watchers.tell(self.watchers.on_pass.as_ref(), shown);
        if self.nodes {
            self.call("passed", |py| Ok(vec![shown(py)?]));
        }
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        let data = || Arc::new(IterationData::new(iteration.clone(), G::mv));
        let shown = |py: Python<'_>| report::iteration(py, &data(), &self.watchers.root);
        self.watchers.tell(self.watchers.on_iteration.as_ref(), shown);
        if self.nodes {
            self.call("iteration", |py| Ok(vec![shown(py)?]));
        }
    }

    #[inline(always)]
    fn enter(&mut self, position: &G, depth: u8, window: Window) {
        position.entered(depth);
        if self.nodes {
            self.call("enter", |py| {
                let position = position.to_python(py)?;
                Ok(vec![position, depth.into_pyobject(py)?.into_any().unbind(), shown::window(py, window)?])
            });
        }
    }

    #[inline(always)]
    fn leave(&mut self, position: &G, visit: &Visit) {
        if self.nodes {
            self.call("leave", |py| Ok(vec![position.to_python(py)?, shown::visit(py, visit)?]));
        }
    }
}

/// A search of some game. Positions are those of its game.
pub(crate) trait AnySearch: Send {
    fn think(
        &mut self,
        at: &dyn Any,
        among: &[u32],
        lines: usize,
        budget: Budget,
        watchers: &Watchers,
        in_play: bool,
    ) -> PyResult<FoundData>;
    fn choose(
        &mut self,
        at: &dyn Any,
        level: Level,
        seed: u64,
        budget: Budget,
        watchers: &Watchers,
        in_play: bool,
    ) -> PyResult<ChosenData>;
    fn start(&mut self, at: &dyn Any, budget: Budget, in_play: bool) -> PyResult<()>;
    fn poll(&mut self, slice: Budget) -> PyResult<PolledData>;
    fn stop(&mut self) -> Option<FoundData>;
    fn pass(&mut self, at: &dyn Any, depth: u8, gamma: Gamma, watchers: &Watchers) -> PyResult<PassData>;
    fn window(&mut self, at: &dyn Any, depth: u8, window: Window) -> PyResult<PassData>;
    fn clear(&mut self) -> PyResult<()>;
    fn forget_bounds(&mut self);
    fn table_entries(&self) -> usize;
}

/// A search, and where its positions come from.
struct Of<G: Game> {
    search: Search<G, Grain<Judge>>,
    positions: Positions<G>,
    judge: Judge,
    /// The options, where nobody has said how iterations deepen and moves are sorted: each search decides.
    unsaid: Option<Options>,
    algorithm_is_chosen: bool,
    /// How it gets to a depth as it is.
    way: Way,
}

/// Finds in something the position of a game and those before it.
type Positions<G> = for<'a> fn(&'a dyn Any) -> Option<(&'a G, &'a [G])>;

fn of_board<B: Board>(at: &dyn Any) -> Option<(&B, &[B])> {
    at.downcast_ref::<At<B>>().map(|at| (&at.board, &at.before[..]))
}

fn of_python(at: &dyn Any) -> Option<(&PyPosition, &[PyPosition])> {
    at.downcast_ref::<Played>().map(|played| (&played.position, &played.before[..]))
}

/// A position of a game in Python, and those before it.
pub(crate) struct Played {
    pub(crate) position: PyPosition,
    pub(crate) before: Vec<PyPosition>,
}

/// A search of a game of ours.
pub(crate) fn build<B: Board>(setup: Setup) -> PyResult<Box<dyn AnySearch>> {
    Ok(Box::new(built::<B>(setup, of_board::<B>)?))
}

/// A search of a game in Python.
pub(crate) fn build_python(setup: Setup) -> PyResult<Box<dyn AnySearch>> {
    let unsaid = !setup.order_is_chosen && setup.driver.is_none() && setup.options.deepening == Deepening::Auto;
    let unsaid = unsaid.then_some(setup.options);
    Ok(Box::new(Of { unsaid, ..built(setup, of_python)? }))
}

fn built<G: Shown>(setup: Setup, positions: Positions<G>) -> PyResult<Of<G>> {
    // What the user's own function says is not rounded unless the user says so.
    let usual = if setup.evaluate.is_some() { 1 } else { G::TUNING.grain };
    let evaluator = setup.evaluate.map_or(Judge::Own, Judge::Python);
    let mut options = setup.options;
    if setup.as_game_selects {
        options.mode = G::TUNING.selective.into();
    }
    let judge = Grain { grain: setup.grain.unwrap_or(usual), evaluator: evaluator.clone() };
    let mut builder = player(judge).options(options).clock(interrupt::clock);
    if let Some(function) = setup.driver {
        builder = builder.driver(PyDriver(function));
    }
    let mut search = builder.build::<G>().map_err(refused)?;
    search.set_alarm(Some(setup.alarm));
    let (judge, algorithm_is_chosen) = (evaluator, setup.algorithm_is_chosen);
    Ok(Of { search, positions, judge, unsaid: None, algorithm_is_chosen, way: Way::USUAL })
}

impl<G: Shown> Of<G> {
    fn at<'a>(&mut self, at: &'a dyn Any, in_play: bool) -> PyResult<&'a G> {
        let (position, before) = (self.positions)(at).ok_or_else(|| refused("this is a position of another game"))?;
        if in_play {
            self.search.set_game(before).map_err(refused)?;
        } else {
            self.search.forget_game();
        }
        Ok(position)
    }

    /// Decides how to get to a depth, where nobody has said so.
    fn choose_way(&mut self, position: &G, lines: usize, budget: Budget) -> PyResult<()> {
        let Some(mut options) = self.unsaid else { return Ok(()) };
        let way = match budget {
            Budget { depth: Some(depth), nodes: None, time: None } if lines == 1 => {
                position.way(depth, |n| self.judge.evaluate(n))
            }
            _ => Way::USUAL,
        };
        position.want_codes(!way.as_they_come);
        if way != self.way {
            options.deepening = way.deepening;
            if way.as_they_come {
                options.ordering = Some(MoveOrdering::HINTS);
            }
            if way.in_one_pass && !self.algorithm_is_chosen {
                options.algorithm = Algorithm::NegaScout;
            }
            self.search.reconfigure(options).map_err(refused)?;
            self.way = way;
        }
        Ok(())
    }

    fn moves(&self, position: &G, among: &[u32]) -> Vec<G::Move> {
        let moves = if among.is_empty() { Vec::new() } else { emtee::legal_moves(position) };
        among.iter().filter_map(|&place| moves.get(place as usize).copied()).collect()
    }
}

impl<G: Shown> AnySearch for Of<G> {
    fn think(
        &mut self,
        at: &dyn Any,
        among: &[u32],
        lines: usize,
        budget: Budget,
        watchers: &Watchers,
        in_play: bool,
    ) -> PyResult<FoundData> {
        let position = self.at(at, in_play)?;
        self.choose_way(position, lines, budget)?;
        let among = self.moves(position, among);
        let found = self.search.think_of(position, &among, lines, budget, &mut Watched::by(watchers));
        Ok(FoundData::new(found.map_err(refused)?, G::mv))
    }

    fn choose(
        &mut self,
        at: &dyn Any,
        level: Level,
        seed: u64,
        budget: Budget,
        watchers: &Watchers,
        in_play: bool,
    ) -> PyResult<ChosenData> {
        let position = self.at(at, in_play)?;
        self.choose_way(position, 0, budget)?;
        let chosen = self.search.choose_observed(position, level, seed, budget, &mut Watched::by(watchers));
        Ok(ChosenData::new(chosen.map_err(refused)?, G::mv))
    }

    fn start(&mut self, at: &dyn Any, budget: Budget, in_play: bool) -> PyResult<()> {
        let position = self.at(at, in_play)?;
        self.choose_way(position, 0, budget)?;
        self.search.start(position, budget).map_err(refused)
    }

    fn poll(&mut self, slice: Budget) -> PyResult<PolledData> {
        Ok(match self.search.poll(slice).map_err(refused)? {
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

    fn pass(&mut self, at: &dyn Any, depth: u8, gamma: Gamma, watchers: &Watchers) -> PyResult<PassData> {
        let position = self.at(at, false)?;
        let watched = &mut Watched::by(watchers);
        let pass = self.search.research().pass_observed(position, depth, gamma, watched).map_err(refused)?;
        Ok(PassData::new(depth, &pass, G::mv))
    }

    fn window(&mut self, at: &dyn Any, depth: u8, window: Window) -> PyResult<PassData> {
        let position = self.at(at, false)?;
        let pass = self.search.research().window(position, depth, window).map_err(refused)?;
        Ok(PassData::new(depth, &pass, G::mv))
    }

    fn clear(&mut self) -> PyResult<()> {
        self.search.clear().map_err(refused)
    }

    fn forget_bounds(&mut self) {
        self.search.research().forget_bounds();
    }

    fn table_entries(&self) -> usize {
        self.search.table_entries()
    }
}
