//! The class `Player`.

use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use emtee::research::{Gamma, Window};
use emtee::{Budget, Level, Stop, Value};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::error::{catch_exception, emtee_error};
use crate::found::{PyChosen, PyFound, PyPoll};
use crate::game::PyPosition;
use crate::interrupt::with_signals;
use crate::options::PlayerArguments;
use crate::report::{PassData, PolledData, Root};
use crate::search::{AnySearch, Callbacks};
use crate::state::{GameKind, PlayerState};

/// Reads a number of seconds.
pub(crate) fn seconds(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        emtee_error(format!("{seconds} seconds is not a valid time limit; choose a finite number, 0 or more"))
    })
}

/// A player: an algorithm, its options, and the table that it keeps from one search to the next.
///
/// >>> import emtee
/// >>> player = emtee.Player(algorithm="mtd-f", hash="4MB")
/// >>> player.think(emtee.connect4("4455"), depth=6)
/// Found(best_move='3', value=win in 3, depth=6)
///
/// The options are those of the Rust builder, by the same names; None is the default everywhere:
///
/// * algorithm: "mtd-f" (the default; for a search to a given depth without key(), and so without a table, the default is
///   "negascout"), "sss", "dual", "mtd-bi", "mtd-step", "mtd-best", "aspiration-negascout", "negascout", "alpha-beta", "minimax" …
///   `emtee.algorithms()` lists them. "mcts" is Monte-Carlo tree search: it needs no evaluation, a node is a simulation, and its value
///   is the expected result in thousandths unless a win, a loss, a draw or points are proved.
/// * driver: a function from a `Progress` to the bound of the next pass. It replaces the algorithm.
/// * evaluate: a function from a position to an int for the side to move, or a `Learned` evaluation. It replaces the game's own.
/// * hash, entries: the size of the table, like "64MB", or in entries of 16 bytes. By default it grows with the search, up to
///   64 MB. A game without key() is searched without a table.
/// * keep: "two" bounds per entry (the default) or "one". reuse: "equal-depth" (the default) or "at-least-depth".
/// * store_leaves: whether leaves are stored in the table too. etc: enhanced transposition cutoffs from this height up, 0 for none.
/// * ordering: "full", "as-given", or some of "table-move,hints,killers,history".
/// * selective: the techniques of selective search, like "all" or "null-move,late-move-reductions", or "game" for the settings of the
///   game; none by default.
/// * deepen_by: plies from one iteration to the next. The default is 2 if a depth is the only limit, else 1. For a game in Python
///   it is half the depth if positions are not cached and all have the same evaluation, and the whole depth without key().
///   fixed_depth: True for one iteration at the full depth.
/// * guess: the first guess of an iteration, "previous", "two-back", "better" (the default) or "average". first_guess: that of the first
///   iteration.
/// * range: two numbers known to lie below and above every value, the paper's −∞ and +∞.
/// * principal_variation: False saves the few visits that proving the principal variation costs.
/// * threads: the number of threads, 0 for all cores; games in Python are searched on one thread.
///   share_from: an iteration is shared among the threads if the previous one had at least this many nodes.
/// * grain: evaluations are rounded to multiples of it, instead of the game's own grain.
/// * in_play: whether repetitions and move-count rules end the game, counting the moves before the position too.
/// * keep_positions: the number of positions of a game in Python whose method results are cached during a search, so that no method
///   is called twice; 65536 by default, 0 for OpenSpiel, whose states are created quickly.
/// * interrupt: "raise" (the default): Ctrl-C stops a search and raises KeyboardInterrupt; the result so far is in
///   `Player.found`. "return": Ctrl-C stops a search, and `think` returns the result so far.
///
/// The table of a player is for one game at a time, and only one thread may use a player at a time.
#[pyclass(name = "Player", module = "emtee", frozen, weakref)]
pub(crate) struct Player {
    arguments: PlayerArguments,
    stop: Stop,
    state: Mutex<PlayerState>,
    found: Mutex<Option<Py<PyFound>>>,
}

/// Reads the limits of a search.
fn budget(depth: Option<i64>, nodes: Option<u64>, time: Option<f64>) -> PyResult<Budget> {
    // The library checks the range of a depth that fits into a byte.
    let depth = depth.map(|depth| u8::try_from(depth).map_err(|_| no_depth(depth))).transpose()?;
    Ok(Budget { depth, nodes, time: time.map(seconds).transpose()? })
}

fn no_depth(depth: i64) -> PyErr {
    emtee_error(format!("a depth of {depth} cannot be searched; choose one from 1 to {}", emtee::MAX_DEPTH))
}

fn level(level: &Bound<'_, PyAny>) -> PyResult<Level> {
    level.str()?.to_cow()?.parse().map_err(emtee_error)
}

fn gamma(gamma: f64) -> PyResult<Gamma> {
    let bound = (gamma + 0.5).round();
    // Also false for NaN.
    let valid = (bound - 0.5 - gamma).abs() <= 1e-9 && bound.abs() <= 33_000.0;
    if !valid {
        return Err(PyValueError::new_err(format!("gamma lies between two integers, like 40.5; {gamma} does not")));
    }
    Ok(Gamma::below(Value::default() + bound as i32))
}

/// The position of a search request, its root moves, and the callbacks.
struct Request<'a, 'py> {
    position: &'a Bound<'py, PyAny>,
    before: Option<&'a Bound<'py, PyAny>>,
    among: Option<&'a Bound<'py, PyAny>>,
    callbacks: Callbacks,
}

impl<'a, 'py> Request<'a, 'py> {
    fn new(position: &'a Bound<'py, PyAny>) -> Request<'a, 'py> {
        Request { position, before: None, among: None, callbacks: Callbacks::default() }
    }
}

/// The result of a request, the root for converting its moves to Python, and the exception of a signal handler.
struct Response<T> {
    result: T,
    root: Option<PyPosition>,
    raised: Option<PyErr>,
}

impl Player {
    fn lock(&self) -> PyResult<MutexGuard<'_, PlayerState>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "this player is already in use by another search; use one player per thread",
            )),
        }
    }

    /// Runs a request on the search. With `drop_on_error`, the search is dropped after an exception, and the next request builds
    /// a new one.
    fn with_search<T: Send>(
        &self,
        py: Python<'_>,
        request: Request<'_, '_>,
        drop_on_error: bool,
        work: impl FnOnce(&mut dyn AnySearch, &dyn Any, &[u32], &Callbacks) -> PyResult<T> + Send,
    ) -> PyResult<Response<T>> {
        let mut state = self.lock()?;
        let position = state.prepare(&self.arguments, &self.stop, request.position, request.before)?;
        let among = position.indices(py, request.among)?;
        let root = position.root();
        let callbacks = request.callbacks;
        let shown = root.as_ref().filter(|_| callbacks.are_any()).map(|root| root.alone(py)).transpose()?;
        let callbacks = Callbacks { root: Root::new(py, shown)?, ..callbacks };
        let work = |search: &mut dyn AnySearch| work(search, position.as_any(), &among, &callbacks);
        let (result, raised) = self.run(py, &mut state, root.is_some(), work);
        if result.is_err() && drop_on_error {
            state.search = None;
        }
        drop(state);
        match (result, raised) {
            (Ok(result), raised) => Ok(Response { result, root, raised }),
            // A single pass that a signal stopped has no result.
            (Err(error), raised) => Err(raised.unwrap_or(error)),
        }
    }

    /// Runs the search, which Ctrl-C can stop. It is detached from the interpreter unless the game is `in_python`. Returns the
    /// result, and the exception that a signal handler raised, if any.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        state: &mut PlayerState,
        in_python: bool,
        work: impl FnOnce(&mut dyn AnySearch) -> PyResult<T> + Send,
    ) -> (PyResult<T>, Option<PyErr>) {
        let Some((_, search)) = &mut state.search else {
            return (Err(PyRuntimeError::new_err("there is no search")), None);
        };
        with_signals(py, &self.stop, || {
            let work = || catch_exception(|| work(&mut **search)).and_then(|result| result);
            if in_python { work() } else { py.detach(work) }
        })
    }

    /// The root without its cached subtree: what a result needs to convert its moves to Python.
    fn result_root(py: Python<'_>, root: Option<PyPosition>) -> PyResult<Root> {
        Root::new(py, root.map(|position| position.without_children(py)).transpose()?)
    }

    /// Stores the result as `Player.found`, and returns it or the exception of a signal handler.
    fn keep_found(&self, py: Python<'_>, found: Py<PyFound>, raised: Option<PyErr>) -> PyResult<Py<PyFound>> {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(found.clone_ref(py));
        match raised {
            Some(error) if !(self.arguments.return_on_interrupt && error.is_instance_of::<PyKeyboardInterrupt>(py)) => {
                Err(error)
            }
            _ => Ok(found),
        }
    }

    fn clear_found(&self) -> PyResult<()> {
        let _lock = self.lock()?; // An error if a search is running.
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    /// One pass of some kind, as a `Pass`.
    fn pass(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        depth: i64,
        observer: Option<Py<PyAny>>,
        run: impl FnOnce(&mut dyn AnySearch, &dyn Any, u8, &Callbacks) -> PyResult<PassData> + Send,
    ) -> PyResult<Py<PyAny>> {
        let depth = u8::try_from(depth).map_err(|_| no_depth(depth))?;
        let callbacks = Callbacks { observer, ..Callbacks::default() };
        let request = Request { callbacks, ..Request::new(position) };
        let Response { result, root, raised } =
            self.with_search(py, request, false, |search, at, _, callbacks| run(search, at, depth, callbacks))?;
        raised.map_or(Ok(()), Err)?;
        result.into_python(py, Player::result_root(py, root)?)
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (**options))]
    fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<Player> {
        let player = Player {
            arguments: PlayerArguments::new(options)?,
            stop: Stop::default(),
            state: Mutex::default(),
            found: Mutex::default(),
        };
        // Building a search of the smallest game reports options that exclude each other now, instead of at the first search.
        if !player.arguments.in_play {
            let mut setup = player.arguments.setup(Stop::default());
            (setup.evaluate, setup.selective_from_game) = (None, false);
            setup.options.size = setup.options.size.map(|_| emtee::Size::of_entries(1));
            crate::boards::position_of("tictactoe", None)?.search(setup)?;
        }
        Ok(player)
    }

    /// Searches a position within limits: a depth, a number of nodes, a number of seconds, or any combination of them. Without a
    /// depth the search also ends when the game is solved.
    ///
    /// position: a built-in one, a `chess.Board`, or any object with the methods of `emtee.Game`.
    /// among: search only these root moves. lines: the number of best moves to rank.
    /// progress: called with each finished `Iteration`. on_pass: called with each `Pass`.
    /// observer: an object with any of the methods enter(position, depth, window), leave(position, visit), passed(pass) and
    /// iteration(iteration), which sees every node.
    /// before: with in_play, the earlier positions of the game, for games in Python; built-in positions contain them.
    #[pyo3(signature = (position, *, depth=None, nodes=None, seconds=None, among=None, lines=1, progress=None, on_pass=None, observer=None, before=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn think(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        depth: Option<i64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        among: Option<&Bound<'_, PyAny>>,
        lines: usize,
        progress: Option<Py<PyAny>>,
        on_pass: Option<Py<PyAny>>,
        observer: Option<Py<PyAny>>,
        before: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyFound>> {
        let budget = budget(depth, nodes, seconds)?;
        self.clear_found()?;
        let in_play = self.arguments.in_play;
        let callbacks = Callbacks { on_iteration: progress, on_pass, observer, root: Root::default() };
        let request = Request { position, before, among, callbacks };
        let Response { result: found, root, raised } =
            self.with_search(py, request, false, |search, at, among, callbacks| {
                search.think(at, among, lines, budget, callbacks, in_play)
            })?;
        self.keep_found(py, found.into_python(py, Player::result_root(py, root)?)?, raised)
    }

    /// An awaitable `think`, on another thread. Cancelling it stops the search.
    ///
    /// >>> import asyncio, emtee
    /// >>> found = asyncio.run(emtee.Player().think_async(emtee.kalah(), depth=4))
    /// >>> found.depth
    /// 4
    #[pyo3(signature = (*args, **kwargs))]
    fn think_async<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let kwargs = kwargs.map_or_else(|| PyDict::new(py), Bound::clone);
        py.import("emtee._async")?.call_method1("think", (slf, args, kwargs))
    }

    /// The result of the last search, also of one that Ctrl-C stopped.
    #[getter]
    fn found(&self, py: Python<'_>) -> Option<Py<PyFound>> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.as_ref().map(|found| found.clone_ref(py))
    }

    /// The best `count` moves with the bounds proved for each, best first.
    ///
    /// >>> import emtee
    /// >>> emtee.Player().rank(emtee.connect4("4455"), 2, depth=5)
    /// [RankedMove('3', win in 3), RankedMove('6', win in 3)]
    #[pyo3(signature = (position, count, *, depth=None, nodes=None, seconds=None))]
    fn rank(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        count: usize,
        depth: Option<i64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        if count == 0 {
            return Ok(PyList::empty(py).into_any().unbind());
        }
        let found = self.think(py, position, depth, nodes, seconds, None, count, None, None, None, None)?;
        Ok(found.bind(py).getattr("ranked")?.unbind())
    }

    /// The value of the position if `m` is played; None if a limit stopped the search.
    #[pyo3(signature = (position, m, *, depth=None, nodes=None, seconds=None))]
    fn worth(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        m: &Bound<'_, PyAny>,
        depth: Option<i64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let among = PyList::new(py, [m])?.into_any();
        let found = self.think(py, position, depth, nodes, seconds, Some(&among), 1, None, None, None, None)?;
        let found = found.bind(py);
        if found.getattr("complete")?.is_truthy()? { Ok(found.getattr("value")?.unbind()) } else { Ok(py.None()) }
    }

    /// Chooses a move at a playing level, 1 to 10: at random, by the seed, among the best move and those with nearly its value.
    ///
    /// >>> import emtee
    /// >>> chosen = emtee.Player().choose(emtee.connect4(), level=4, seed=1)
    /// >>> chosen.m in chosen.among
    /// True
    #[pyo3(signature = (position, level, *, seed=0, depth=None, nodes=None, seconds=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        level: &Bound<'_, PyAny>,
        seed: u64,
        depth: Option<i64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyChosen>> {
        let (level, budget) = (self::level(level)?, budget(depth, nodes, seconds)?);
        self.clear_found()?;
        let in_play = self.arguments.in_play;
        let callbacks = Callbacks { on_iteration: progress, ..Callbacks::default() };
        let request = Request { callbacks, ..Request::new(position) };
        // A choice runs single iterations, and an exception may leave the search inside one.
        let Response { result: chosen, root, raised } =
            self.with_search(py, request, true, |search, at, _, callbacks| {
                search.choose(at, level, seed, budget, callbacks, in_play)
            })?;
        let chosen = chosen.into_python(py, Player::result_root(py, root)?)?;
        let found: Py<PyFound> = chosen.bind(py).getattr("found")?.extract()?;
        self.keep_found(py, found, raised)?;
        Ok(chosen)
    }

    /// Starts a search in slices. The search itself runs in the calls of `poll`.
    #[pyo3(signature = (position, *, depth=None, nodes=None, seconds=None))]
    fn start(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        depth: Option<i64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<()> {
        let budget = budget(depth, nodes, seconds)?;
        let in_play = self.arguments.in_play;
        self.lock()?.sliced_root = None;
        let request = Request::new(position);
        let Response { root, raised, .. } =
            self.with_search(py, request, false, |search, at, _, _| search.start(at, budget, in_play))?;
        self.lock()?.sliced_root = Some(root);
        raised.map_or(Ok(()), Err)
    }

    /// Searches for one slice, limited by nodes or seconds, and returns the state of the search. Made for frame loops.
    ///
    /// >>> import emtee
    /// >>> player = emtee.Player()
    /// >>> player.start(emtee.connect4(), depth=6)
    /// >>> while (poll := player.poll(nodes=1000)).state == "thinking":
    /// ...     pass  # Draw a frame.
    /// >>> poll.found.depth
    /// 6
    #[pyo3(signature = (*, nodes=None, seconds=None))]
    fn poll(&self, py: Python<'_>, nodes: Option<u64>, seconds: Option<f64>) -> PyResult<Py<PyPoll>> {
        let slice = budget(None, nodes, seconds)?;
        let mut state = self.lock()?;
        let Some(root) = state.sliced_root.clone() else {
            return PolledData::Idle.into_python(py, Root::default());
        };
        let (polled, raised) = self.run(py, &mut state, root.is_some(), |search| search.poll(slice));
        raised.map_or(Ok(()), Err)?;
        let polled = polled?;
        if let PolledData::Done(_) = polled {
            state.sliced_root = None;
        }
        drop(state);
        let poll = polled.into_python(py, Player::result_root(py, root)?)?;
        if let Some(found) = poll.bind(py).getattr("found")?.extract::<Option<Py<PyFound>>>()? {
            self.keep_found(py, found, None)?;
        }
        Ok(poll)
    }

    /// Stops the search. A search on another thread ends soon, with its result so far. A search in slices ends at once, and its
    /// result so far is returned.
    fn stop(&self, py: Python<'_>) -> PyResult<Option<Py<PyFound>>> {
        self.stop.now();
        let Ok(mut state) = self.lock() else { return Ok(None) };
        let Some(root) = state.sliced_root.take() else { return Ok(None) };
        let found = state.search.as_mut().and_then(|(_, search)| search.stop());
        drop(state);
        let Some(found) = found else { return Ok(None) };
        let found = found.into_python(py, Player::result_root(py, root)?)?;
        self.keep_found(py, found, None).map(Some)
    }

    /// One call of MT: tests whether the value of the position at this depth is greater than gamma. Returns g, fail-soft: if
    /// g < gamma the value is at most g, else at least g. gamma lies between two integers.
    ///
    /// >>> import emtee
    /// >>> emtee.Player().mt(emtee.tree("((41 5) (12 90))"), 2, 10.5)
    /// 12
    #[pyo3(signature = (position, depth, gamma, *, observer=None))]
    fn mt(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        depth: i64,
        gamma: f64,
        observer: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        Ok(self.run_pass(py, position, depth, gamma, observer)?.bind(py).getattr("g")?.unbind())
    }

    /// The same as `mt`, but returns a `Pass`, which has the node counts too.
    #[pyo3(name = "one_pass", signature = (position, depth, gamma, *, observer=None))]
    fn run_pass(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        depth: i64,
        gamma: f64,
        observer: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let gamma = self::gamma(gamma)?;
        self.pass(py, position, depth, observer, |search, at, depth, callbacks| {
            search.pass(at, depth, gamma, callbacks)
        })
    }

    /// A fail-soft search of the window (alpha, beta) by the recursion of NegaScout. Returns a `Pass`.
    fn window(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        depth: i64,
        alpha: i32,
        beta: i32,
    ) -> PyResult<Py<PyAny>> {
        if alpha >= beta {
            return Err(emtee_error(format!("a window from {alpha} to {beta} is empty; alpha must be less than beta")));
        }
        let window = Window::new(Value::default() + alpha, Value::default() + beta);
        self.pass(py, position, depth, None, |search, at, depth, _| search.window(at, depth, window))
    }

    /// Clears all bounds in the table and keeps the best moves: positions are searched again, with the best move first.
    fn forget_bounds(&self) -> PyResult<()> {
        if let Some((_, search)) = &mut self.lock()?.search {
            search.forget_bounds();
        }
        Ok(())
    }

    /// Clears the table and everything else learned from searches.
    fn clear(&self) -> PyResult<()> {
        let mut state = self.lock()?;
        state.sliced_root = None;
        match &mut state.search {
            Some((_, search)) => search.clear(),
            None => Ok(()),
        }
    }

    /// The current number of table entries.
    #[getter]
    fn table_entries(&self) -> PyResult<usize> {
        Ok(self.lock()?.search.as_ref().map_or(0, |(kind, search)| {
            if matches!(kind, GameKind::Python { keyed: false, .. }) { 0 } else { search.table_entries() }
        }))
    }

    /// The name of the algorithm; "driver" for a driver in Python.
    #[getter]
    fn algorithm(&self) -> String {
        if self.arguments.driver.is_some() { "driver".to_owned() } else { self.arguments.options.algorithm.to_string() }
    }

    /// For the garbage collector: the user's functions and the last result, which may refer to this player, and the class of the
    /// game.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let functions = self.arguments.driver.iter().chain(&self.arguments.evaluate);
        functions.into_iter().try_for_each(|function| visit.call(&**function))?;
        if let Ok(found) = self.found.try_lock() {
            visit.call(&*found)?;
        }
        self.state.try_lock().map_or(Ok(()), |state| state.traverse(&visit))
    }

    fn __repr__(&self) -> String {
        format!("Player(algorithm=\"{}\")", self.algorithm())
    }
}
