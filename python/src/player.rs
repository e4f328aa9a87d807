//! The player that Python holds.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use emtee::research::{Gamma, Window};
use emtee::{Alarm, Budget, Level, Value};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::error::{guarded, refused};
use crate::found::{PyChosen, PyFound, PyPoll};
use crate::interrupt::watched;
use crate::options::Given;
use crate::report::{PassData, PolledData, Root};
use crate::search::{AnySearch, Watchers};
use crate::subject::{Kind, Thinking};

/// Seconds as a span of time.
pub(crate) fn seconds(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| refused(format!("{seconds} seconds cannot be waited for")))
}

/// A player: an algorithm, its options, and what it remembers from one search to the next.
///
/// >>> import emtee
/// >>> player = emtee.Player(algorithm="mtd-f", hash="4MB")
/// >>> player.think(emtee.connect4("4455"), depth=6)
/// Found(best_move='3', value=win in 3, depth=6)
///
/// The options are those of the Rust builder, by the same names; None is the default everywhere:
///
/// * algorithm: "mtd-f" (the default; "negascout" to a given depth without key(), and so without a table), "sss", "dual", "mtd-bi",
///   "mtd-step", "mtd-best", "aspiration-negascout", "negascout", "alpha-beta", "minimax" … `emtee.algorithms()` lists them.
/// * driver: a function from a `Progress` to the bound of the next pass, in place of an algorithm.
/// * evaluate: a function from a position to an int for the side to move, in place of the game's own evaluation.
/// * hash, entries: the size of the table, like "64MB", or in entries of 16 bytes. By default it grows with the search, up to
///   64 MB. A game without key() is searched without a table.
/// * keep: "two" bounds an entry (the default) or "one". reuse: "equal-depth" (the default) or "at-least-depth".
/// * store_leaves: whether leaves go through the table too. etc: enhanced transposition cutoffs from this height up, 0 for none.
/// * ordering: "full", "as-given", or some of "table-move,hints,killers,history".
/// * selective: what to leave out, like "all" or "null-move,late-move-reductions", or "game" for what pays in the game; nothing by default.
/// * deepen_by: plies from one iteration to the next; by default 2 where a depth is the only limit, else 1; half the depth where
///   positions of a game in Python are not kept and all worth the same, and all of it without key(). fixed_depth: True for one
///   iteration at the full depth.
/// * guess: "previous", "two-back" or "better" (the default). first_guess: that of the first iteration.
/// * range: two numbers known to lie below and above every value, the paper's −∞ and +∞.
/// * principal_variation: False saves the few visits that a proved line costs.
/// * threads: how many search, 0 for all cores; games in Python are searched on one.
///   share_from: the nodes of an iteration from which the next is shared.
/// * grain: what evaluations are rounded to, instead of the game's own grain.
/// * in_play: whether repetitions and counted moves end the game, the moves before the position included.
/// * keep_positions: of how many positions of a game in Python what they said is kept while it is searched, so that nothing is
///   asked twice; 65536 by default, none of OpenSpiel's, which are quickly made.
/// * interrupt: "raise" (the default): Ctrl-C stops a search and raises KeyboardInterrupt, and what it has found is in
///   `Player.found`; "return": Ctrl-C stops a search, and `think` returns what it has found.
///
/// A player remembers one game at a time, and one thread may use it at a time.
#[pyclass(name = "Player", module = "emtee", frozen, weakref)]
pub(crate) struct Player {
    given: Given,
    alarm: Arc<Alarm>,
    thinking: Mutex<Thinking>,
    found: Mutex<Option<Py<PyFound>>>,
}

/// How far to go.
fn budget(depth: Option<i64>, nodes: Option<u64>, time: Option<f64>) -> PyResult<Budget> {
    // What is no depth at all is left to the library to refuse.
    let depth = depth.map(|depth| u8::try_from(depth).map_err(|_| no_depth(depth))).transpose()?;
    Ok(Budget { depth, nodes, time: time.map(seconds).transpose()? })
}

fn no_depth(depth: i64) -> PyErr {
    refused(format!("a depth of {depth} cannot be searched; choose one from 1 to {}", emtee::MAX_DEPTH))
}

fn level(level: &Bound<'_, PyAny>) -> PyResult<Level> {
    level.str()?.to_cow()?.parse().map_err(refused)
}

fn gamma(gamma: f64) -> PyResult<Gamma> {
    let bound = (gamma + 0.5).round();
    if (bound - 0.5 - gamma).abs() > 1e-9 || bound.abs() > 33_000.0 {
        return Err(PyValueError::new_err(format!("gamma lies between two integers, like 40.5, and {gamma} does not")));
    }
    Ok(Gamma::below(Value::default() + bound as i32))
}

/// What is asked about a position, and who watches.
struct Question<'a, 'py> {
    position: &'a Bound<'py, PyAny>,
    before: Option<&'a Bound<'py, PyAny>>,
    among: Option<&'a Bound<'py, PyAny>>,
    watchers: Watchers,
}

impl<'a, 'py> Question<'a, 'py> {
    fn about(position: &'a Bound<'py, PyAny>) -> Question<'a, 'py> {
        Question { position, before: None, among: None, watchers: Watchers::default() }
    }
}

/// What came of it: the answer, what turns its moves into Python, and what a signal handler raised.
struct Answer<T> {
    answer: T,
    root: Root,
    raised: Option<PyErr>,
}

impl Player {
    fn lock(&self) -> PyResult<MutexGuard<'_, Thinking>> {
        match self.thinking.try_lock() {
            Ok(thinking) => Ok(thinking),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "this player is thinking already; a thread that searches needs a player of its own",
            )),
        }
    }

    /// Lets the search do something about a position. One that cannot be left in the middle is made anew after an exception.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: Question<'_, '_>,
        all_or_nothing: bool,
        work: impl FnOnce(&mut dyn AnySearch, &dyn Any, &[u32], &Watchers) -> PyResult<T> + Send,
    ) -> PyResult<Answer<T>> {
        let mut thinking = self.lock()?;
        let subject = thinking.subject(&self.given, &self.alarm, question.position, question.before)?;
        let among = subject.places(py, question.among)?;
        let root = subject.root();
        let watchers = Watchers { root: root.clone(), ..question.watchers };
        let work = |search: &mut dyn AnySearch| work(search, subject.as_any(), &among, &watchers);
        let (answer, raised) = self.work(py, &mut thinking, root.is_some(), work);
        if answer.is_err() && all_or_nothing {
            thinking.search = None;
        }
        drop(thinking);
        Ok(Answer { answer: answer?, root, raised })
    }

    /// Runs the search: without the interpreter unless the game is `in_python`, and so that Ctrl-C stops it. What a signal
    /// handler raised comes back beside the result.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        thinking: &mut Thinking,
        in_python: bool,
        work: impl FnOnce(&mut dyn AnySearch) -> PyResult<T> + Send,
    ) -> (PyResult<T>, Option<PyErr>) {
        let Some((_, search)) = &mut thinking.search else {
            return (Err(PyRuntimeError::new_err("there is no search")), None);
        };
        watched(py, &self.alarm, || {
            let work = || guarded(|| work(&mut **search)).and_then(|result| result);
            if in_python { work() } else { py.detach(work) }
        })
    }

    /// What is left of a position of the user's when the search is over: enough to turn moves into Python.
    fn bare(py: Python<'_>, root: Root) -> PyResult<Root> {
        root.map(|position| position.without_children(py)).transpose()
    }

    /// Keeps what was found, and says what Ctrl-C makes of it.
    fn keep(&self, py: Python<'_>, found: Py<PyFound>, raised: Option<PyErr>) -> PyResult<Py<PyFound>> {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(found.clone_ref(py));
        match raised {
            Some(error) if !(self.given.return_on_interrupt && error.is_instance_of::<PyKeyboardInterrupt>(py)) => {
                Err(error)
            }
            _ => Ok(found),
        }
    }

    fn forget_found(&self) -> PyResult<()> {
        let _nobody_thinks = self.lock()?;
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
        ask: impl FnOnce(&mut dyn AnySearch, &dyn Any, u8, &Watchers) -> PyResult<PassData> + Send,
    ) -> PyResult<Py<PyAny>> {
        let depth = u8::try_from(depth).map_err(|_| no_depth(depth))?;
        let watchers = Watchers { observer, ..Watchers::default() };
        let question = Question { watchers, ..Question::about(position) };
        let Answer { answer, root, raised } =
            self.ask(py, question, false, |search, at, _, watchers| ask(search, at, depth, watchers))?;
        raised.map_or(Ok(()), Err)?;
        answer.into_python(py, Player::bare(py, root)?)
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (**options))]
    fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<Player> {
        let player = Player {
            given: Given::new(options)?,
            alarm: Arc::default(),
            thinking: Mutex::default(),
            found: Mutex::default(),
        };
        // Options that do not go together are an error now, not later: the smallest game says so.
        if !player.given.in_play {
            let mut setup = player.given.setup(Arc::default());
            (setup.evaluate, setup.as_game_selects) = (None, false);
            setup.options.size = setup.options.size.map(|_| emtee::Size::of_entries(1));
            crate::boards::named("tictactoe", None)?.search(setup)?;
        }
        Ok(player)
    }

    /// Thinks about a position until the budget is spent: a depth, a number of nodes, a number of seconds, or any of them
    /// together. Without a depth it also ends when the game is solved.
    ///
    /// position: one of ours, a `chess.Board`, or any object with the methods of `emtee.Game`.
    /// among: think about these moves as if there were no others. lines: how many of the best moves to rank.
    /// progress: called with each finished `Iteration`. on_pass: called with each `Pass`.
    /// observer: an object with any of the methods enter(position, depth, window), leave(position, visit), passed(pass) and
    /// iteration(iteration), which sees every node.
    /// before: with in_play, the positions of the game before this one, for games in Python; ours know them.
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
        self.forget_found()?;
        let in_play = self.given.in_play;
        let watchers = Watchers { on_iteration: progress, on_pass, observer, root: None };
        let question = Question { position, before, among, watchers };
        let Answer { answer: found, root, raised } = self.ask(py, question, false, |search, at, among, watchers| {
            search.think(at, among, lines, budget, watchers, in_play)
        })?;
        self.keep(py, found.into_python(py, Player::bare(py, root)?)?, raised)
    }

    /// The same on another thread, to be awaited. Cancelling it stops the search.
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

    /// What the last search found, one that Ctrl-C stopped too.
    #[getter]
    fn found(&self, py: Python<'_>) -> Option<Py<PyFound>> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.as_ref().map(|found| found.clone_ref(py))
    }

    /// The best `count` moves with what is proved of each, best first.
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

    /// The value of the position if `m` is played; None if a limit cut the search short.
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

    /// Chooses a move as a player of some level, 1 to 10, would: any move that is as good as the best, or nearly, by the seed.
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
        self.forget_found()?;
        let in_play = self.given.in_play;
        let watchers = Watchers { on_iteration: progress, ..Watchers::default() };
        let question = Question { watchers, ..Question::about(position) };
        // A choice makes single iterations: an exception may leave the search in the middle of one.
        let Answer { answer: chosen, root, raised } = self.ask(py, question, true, |search, at, _, watchers| {
            search.choose(at, level, seed, budget, watchers, in_play)
        })?;
        let chosen = chosen.into_python(py, Player::bare(py, root)?)?;
        let found: Py<PyFound> = chosen.bind(py).getattr("found")?.extract()?;
        self.keep(py, found, raised)?;
        Ok(chosen)
    }

    /// Begins to think, without doing anything yet: `poll` does.
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
        let in_play = self.given.in_play;
        self.lock()?.sliced = None;
        let question = Question::about(position);
        let Answer { root, raised, .. } =
            self.ask(py, question, false, |search, at, _, _| search.start(at, budget, in_play))?;
        self.lock()?.sliced = Some(root);
        raised.map_or(Ok(()), Err)
    }

    /// Thinks for one slice, so many nodes or seconds, and says how things stand. Made for frame loops.
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
        let mut thinking = self.lock()?;
        let Some(root) = thinking.sliced.clone() else {
            return PolledData::Idle.into_python(py, None);
        };
        let (polled, raised) = self.work(py, &mut thinking, root.is_some(), |search| search.poll(slice));
        raised.map_or(Ok(()), Err)?;
        let polled = polled?;
        if let PolledData::Done(_) = polled {
            thinking.sliced = None;
        }
        drop(thinking);
        let poll = polled.into_python(py, Player::bare(py, root)?)?;
        if let Some(found) = poll.bind(py).getattr("found")?.extract::<Option<Py<PyFound>>>()? {
            self.keep(py, found, None)?;
        }
        Ok(poll)
    }

    /// Stops. A search that another thread is making ends soon, with what it has found; one in slices ends here, and what it has
    /// found is returned.
    fn stop(&self, py: Python<'_>) -> PyResult<Option<Py<PyFound>>> {
        self.alarm.ring();
        let Ok(mut thinking) = self.lock() else { return Ok(None) };
        let Some(root) = thinking.sliced.take() else { return Ok(None) };
        let found = thinking.search.as_mut().and_then(|(_, search)| search.stop());
        drop(thinking);
        let Some(found) = found else { return Ok(None) };
        let found = found.into_python(py, Player::bare(py, root)?)?;
        self.keep(py, found, None).map(Some)
    }

    /// One call of MT: is the value of the position greater than gamma, searched to this depth? Returns g, fail-soft: if
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

    /// The same as `mt`, with what it cost: a `Pass`.
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
        self.pass(py, position, depth, observer, |search, at, depth, watchers| search.pass(at, depth, gamma, watchers))
    }

    /// A search of the window (alpha, beta), fail-soft, by the recursion that serves NegaScout: a `Pass`.
    fn window(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        depth: i64,
        alpha: i32,
        beta: i32,
    ) -> PyResult<Py<PyAny>> {
        if alpha >= beta {
            return Err(refused(format!("a window from {alpha} to {beta} has no room")));
        }
        let window = Window::new(Value::default() + alpha, Value::default() + beta);
        self.pass(py, position, depth, None, |search, at, depth, _| search.window(at, depth, window))
    }

    /// Forgets every bound and keeps the best moves: what follows is searched anew, in the best order known.
    fn forget_bounds(&self) -> PyResult<()> {
        if let Some((_, search)) = &mut self.lock()?.search {
            search.forget_bounds();
        }
        Ok(())
    }

    /// Forgets everything learned.
    fn clear(&self) -> PyResult<()> {
        let mut thinking = self.lock()?;
        thinking.sliced = None;
        match &mut thinking.search {
            Some((_, search)) => search.clear(),
            None => Ok(()),
        }
    }

    /// How many entries the table has by now.
    #[getter]
    fn table_entries(&self) -> PyResult<usize> {
        Ok(self.lock()?.search.as_ref().map_or(0, |(kind, search)| {
            if matches!(kind, Kind::Theirs { keyed: false, .. }) { 0 } else { search.table_entries() }
        }))
    }

    /// The algorithm; "driver" where the user wrote one.
    #[getter]
    fn algorithm(&self) -> String {
        if self.given.driver.is_some() { "driver".to_owned() } else { self.given.options.algorithm.to_string() }
    }

    /// What the garbage collector has to know: functions of the user's that may hold this player.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let functions = self.given.driver.iter().chain(&self.given.evaluate);
        functions.into_iter().try_for_each(|function| visit.call(&**function))
    }

    fn __repr__(&self) -> String {
        format!("Player(algorithm=\"{}\")", self.algorithm())
    }
}
