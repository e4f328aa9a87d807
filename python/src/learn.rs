//! `emtee.learn`: evaluations from self-play, of built-in games and of games in Python.

use std::any::Any;
use std::sync::{Arc, Mutex};

use cpu_time::ProcessTime;
use emtee::{Budget, Game, Side, Size, Stop};
use emtee_engine::emtee_learn::{BadModel, FeaturesOf, Learner, Model, Searcher, Thought};
use emtee_engine::{
    Error as EngineError, EvaluateAny, Features, Generation, Learning, ObservedSearch, Task, checked_model,
    evaluate_any, features_of_drawing, work_of,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::boards::REGISTRY;
use crate::calls::retry_interrupted;
use crate::error::{catch_exception, emtee_error, raise};
use crate::game::{PyPosition, root};
use crate::interrupt::{is_interrupt, is_stopped, with_signals};
use crate::position::Position;
use crate::rules::{Caching, Rules, RulesOptions};
use crate::search::{Evaluator, learning_search};
use crate::state::GameKind;

/// What `features(f)` of a game fills in: what is on each cell, and counters. Call `board` first.
///
/// >>> import emtee
/// >>> f = emtee.Features(turn=0)
/// >>> f.board(3, 3)
/// >>> f.piece(4, 1)
/// >>> f.cells()  # A piece of the side that is not to move.
/// [0, 0, 0, 0, 2, 0, 0, 0, 0]
#[pyclass(name = "Features", module = "emtee")]
pub(crate) struct PyFeatures(Features);

fn side(side: i64) -> PyResult<Side> {
    match side {
        0 => Ok(Side::First),
        1 => Ok(Side::Second),
        other => Err(PyValueError::new_err(format!("{other} is not a side: the sides are 0 and 1"))),
    }
}

#[pymethods]
impl PyFeatures {
    #[new]
    fn new(turn: i64) -> PyResult<PyFeatures> {
        Ok(PyFeatures(Features::new(side(turn)?)))
    }

    /// The size of the board: at most 256 cells, numbered row by row.
    fn board(&mut self, rows: usize, columns: usize) {
        self.0.board(rows.min(1_000), columns.min(1_000));
    }

    /// A piece of a side, 0 or 1, on a cell. `kind` is the number of the kind of piece, from 0 to 11.
    #[pyo3(signature = (cell, side, kind=0))]
    fn piece(&mut self, cell: usize, side: i64, kind: u8) -> PyResult<()> {
        self.0.piece(cell, self::side(side)?, kind);
        Ok(())
    }

    /// Something on a cell that belongs to no side, such as a wall. `kind` is its number, from 0 to 11.
    #[pyo3(signature = (cell, kind=0))]
    fn mark(&mut self, cell: usize, kind: u8) {
        self.0.mark(cell, kind);
    }

    /// Adds `n` to a counter of a side, such as its pieces in hand. Counters are numbered from 0 to 15; what counts is the
    /// difference between the sides.
    #[pyo3(signature = (counter, side, n=1))]
    fn count(&mut self, counter: usize, side: i64, n: i32) -> PyResult<()> {
        self.0.count(counter, self::side(side)?, n);
        Ok(())
    }

    /// The content of the cells: 0 is empty, 1 + 3·kind a piece of the side to move, 2 + 3·kind one of the other side, 3 + 3·kind
    /// a mark.
    fn cells(&self) -> Vec<u32> {
        self.0.cells().iter().map(|&cell| cell.into()).collect()
    }

    /// The counters: for each the difference between the side to move and the other side.
    fn counters(&self) -> Vec<i32> {
        self.0.counters().to_vec()
    }
}

/// A learned evaluation of a game: `emtee.learn` makes it, and `Learned(file, position)` reads it from a file. `position` is a
/// position of the game, such as the start. Use it as `Player(evaluate=…)`, or call it with a position.
#[pyclass(module = "emtee", frozen)]
pub(crate) struct Learned {
    kind: GameKind,
    game: String,
    file: Vec<u8>,
    evaluate: EvaluateAny,
    generations: Vec<Py<PyAny>>,
}

#[pymethods]
impl Learned {
    #[new]
    fn new(py: Python<'_>, file: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>) -> PyResult<Learned> {
        let bytes = match file.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => {
                let path = py.import("pathlib")?.getattr("Path")?.call1((file,))?;
                path.call_method0("read_bytes")?.extract()?
            }
        };
        Learned::of(&Subject::of(position)?, bytes, Vec::new())
    }

    /// The evaluation of a position, for the side to move.
    fn __call__(&self, position: &Bound<'_, PyAny>) -> PyResult<i32> {
        let py = position.py();
        let subject = Subject::of(position)?;
        self.check(&subject.kind, py)?;
        let found = match &subject.board {
            Board::BuiltIn(position) => (self.evaluate)(position.0.board()),
            Board::Python(start, _) => catch_exception(|| (self.evaluate)(start as &dyn Any))?,
        };
        found.ok_or_else(|| emtee_error("the position belongs to another game"))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &str {
        &self.game
    }

    /// The generations of `emtee.learn`; none if the evaluation was read from a file.
    #[getter]
    fn generations(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.generations.iter().map(|row| row.clone_ref(py)).collect()
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.file)
    }

    /// Writes its file, which the program reads too: `--evaluator learned:FILE`.
    fn save(&self, py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<()> {
        let path = py.import("pathlib")?.getattr("Path")?.call1((path,))?;
        path.call_method1("write_bytes", (self.to_bytes(py),)).map(|_| ())
    }

    fn __repr__(&self) -> String {
        format!("Learned({}, {} bytes)", self.game, self.file.len())
    }
}

impl Learned {
    fn of(subject: &Subject, file: Vec<u8>, generations: Vec<Py<PyAny>>) -> PyResult<Learned> {
        let why = |why: String| emtee_error(format!("this evaluation cannot be used: {why}"));
        let evaluate = match &subject.board {
            Board::BuiltIn(_) => REGISTRY.get(&subject.game).map_err(emtee_error)?.learned(&file).map_err(why)?,
            Board::Python(start, features) => {
                let read = || checked_model(&file, &subject.game, start, features);
                evaluate_any(catch_exception(read)?.map_err(why)?, features.clone())
            }
        };
        let kind = Python::attach(|py| subject.kind.clone_ref(py));
        Ok(Learned { kind, game: subject.game.clone(), file, evaluate, generations })
    }

    /// An error if it is for another game.
    pub(crate) fn check(&self, kind: &GameKind, py: Python<'_>) -> PyResult<()> {
        if self.kind.same_as(kind, py)? {
            return Ok(());
        }
        Err(emtee_error(format!("this evaluation was learned for another game, {}", self.game)))
    }

    pub(crate) fn evaluator(&self) -> Evaluator {
        Evaluator::Learned(self.evaluate.clone())
    }
}

/// A game to learn, and one of its positions.
struct Subject {
    kind: GameKind,
    game: String,
    board: Board,
}

enum Board {
    BuiltIn(Position),
    Python(PyPosition, FeaturesOf<PyPosition>),
}

/// Positions of games are not cached: each search has a cache of its own.
const NO_CHILDREN: RulesOptions =
    RulesOptions { caching: Caching::Positions(0), own_evaluation: false, in_play: false };

impl Subject {
    fn of(position: &Bound<'_, PyAny>) -> PyResult<Subject> {
        if let Ok(built_in) = position.cast::<Position>() {
            let board = built_in.get().0.clone();
            let game = board.game().to_owned();
            return Ok(Subject { kind: GameKind::BuiltIn(game.clone()), game, board: Board::BuiltIn(Position(board)) });
        }
        let (rules, object) = Rules::of(position, NO_CHILDREN)?;
        let kind = GameKind::of(position, rules.has_keys())?;
        let class = object.get_type();
        let game = class.name()?.to_string();
        let start = root(&object, &rules, 0)?;
        let features: FeaturesOf<PyPosition> = if object.hasattr("features")? {
            Arc::new(list_features)
        } else if has_drawing(&class)? {
            // The whole text is the board: there is no line after it.
            let draw = |n: &PyPosition| called(n, |object| Ok(format!("{}\n ", object.str()?.to_cow()?)));
            catch_exception(|| features_of_drawing(&start, draw))?
        } else {
            return Err(PyTypeError::new_err(format!(
                "{game} does not show its positions: give it a method features(f), or __str__ that draws the board"
            )));
        };
        Ok(Subject { kind, game, board: Board::Python(start, features) })
    }
}

/// Whether a class has a `__str__` of its own.
fn has_drawing(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let plain = class.py().get_type::<PyAny>().getattr("__str__")?;
    Ok(!class.getattr("__str__")?.is(&plain))
}

/// Calls the user's code for a position. An exception unwinds the search.
fn called<T>(n: &PyPosition, call: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
    Python::attach(|py| {
        let call = || call(&n.object(py)?);
        retry_interrupted(py, call).unwrap_or_else(|error| raise(error))
    })
}

/// The features that `features(f)` lists.
fn list_features(n: &PyPosition, f: &mut Features) {
    *f = called(n, |object| {
        let listed = Py::new(object.py(), PyFeatures(Features::new(n.turn())))?;
        object.call_method1("features", (&listed,))?;
        Ok(listed.borrow(object.py()).0.clone())
    });
}

/// The learning of a game in Python.
struct PythonLearning {
    learner: Learner<PyPosition>,
    features: FeaturesOf<PyPosition>,
    game: String,
}

impl PythonLearning {
    fn new(task: Task, start: &PyPosition, features: &FeaturesOf<PyPosition>) -> Result<PythonLearning, EngineError> {
        let (game, features) = (task.game.clone(), features.clone());
        match Learner::new(task, start.clone(), features.clone()) {
            Ok(learner) => Ok(PythonLearning { learner, features, game }),
            Err(why) => Err(EngineError::CannotLearn { game, why }),
        }
    }
}

impl Learning for PythonLearning {
    fn generation(&mut self, stop: &dyn Fn() -> bool) -> Result<Option<Generation>, EngineError> {
        let features = &self.features;
        let make = &mut |model: &Arc<Model>| {
            let evaluate = evaluate_any(model.clone(), features.clone());
            Ok(Box::new(Thinking { evaluate, search: None, number: 0 }) as Box<dyn Searcher<PyPosition>>)
        };
        let found = self.learner.generation(make, stop);
        found.map_err(|why| EngineError::CannotLearn { game: self.game.clone(), why })
    }

    fn generations(&self) -> &[Generation] {
        self.learner.generations()
    }

    fn is_done(&self) -> bool {
        self.learner.is_done()
    }

    fn spent(&self) -> u64 {
        self.learner.spent()
    }

    fn model(&self) -> Option<Vec<u8>> {
        self.learner.model().map(|model| model.to_bytes())
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.learner.to_bytes()
    }

    fn resume(&mut self, bytes: &[u8]) -> Result<bool, EngineError> {
        let damaged = |error: BadModel| EngineError::CannotLearn { game: self.game.clone(), why: error.to_string() };
        self.learner.resume(bytes).map_err(damaged)
    }
}

/// The table of the searches of self-play.
const TABLE: Size = Size::of_entries(1 << 16);

/// A search of self-play of a game in Python.
struct Thinking {
    evaluate: EvaluateAny,
    search: Option<Box<dyn ObservedSearch<PyPosition>>>,
    /// The number of searches since the last clear: without keys it keeps their positions apart.
    number: u64,
}

impl Searcher<PyPosition> for Thinking {
    fn search(&mut self, position: &PyPosition, nodes: u64) -> Result<Thought<u32>, String> {
        self.number += 1;
        let root = Python::attach(|py| {
            let object = position.to_owned_object(py)?;
            // A cache of its own, which ends with the search.
            let (rules, object) = Rules::of(object.bind(py), RulesOptions::CACHED)?;
            if self.search.is_none() {
                self.search = Some(learning_search(&rules, TABLE, Evaluator::Learned(self.evaluate.clone()))?);
            }
            root(&object, &rules, self.number)
        });
        let root = root.unwrap_or_else(|error| raise(error));
        let search = self.search.as_mut().ok_or("there is no search")?;
        let found = search.think(&root, &[], 1, Budget::nodes(nodes), &mut ()).map_err(|error| error.to_string())?;
        Ok(Thought { best_move: found.best_move, value: found.value, nodes: found.counts.nodes() })
    }

    fn clear(&mut self) -> Result<(), String> {
        self.number = 0;
        self.search.as_mut().map_or(Ok(()), |search| search.clear()).map_err(|error| error.to_string())
    }
}

/// Runs all generations, until a signal stops them. The best model.
fn run(
    begin: &mut dyn FnMut(u64) -> Result<Box<dyn Learning>, EngineError>,
    minutes: f64,
    work: Option<u64>,
    report: &mut dyn FnMut(&Generation),
) -> Result<Option<Vec<u8>>, EngineError> {
    let clock = || ProcessTime::now().as_duration();
    let work = match work {
        Some(work) => Some(work),
        None => work_of(minutes, &clock, begin, &is_stopped)?,
    };
    let Some(work) = work else { return Ok(None) };
    let mut learning = begin(work)?;
    while !learning.is_done() {
        match learning.generation(&is_stopped)? {
            Some(row) => report(&row),
            None => break,
        }
    }
    Ok(learning.model())
}

/// Learns an evaluation; see `emtee.learn`.
#[pyfunction]
#[pyo3(signature = (position, minutes, work, seed, progress, return_on_interrupt))]
pub(crate) fn learn_evaluation(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    minutes: f64,
    work: Option<u64>,
    seed: u64,
    progress: Option<Py<PyAny>>,
    return_on_interrupt: bool,
) -> PyResult<Learned> {
    if !(minutes > 0.0 && minutes.is_finite()) || work == Some(0) {
        return Err(emtee_error("learning takes more than 0 minutes, or a work of 1 or more"));
    }
    let subject = Subject::of(position)?;
    let game = subject.game.clone();
    let task = |work| Task { game: game.clone(), seed, work };
    let (stop, rows) = (Stop::default(), Mutex::new(Vec::new()));
    let mut report = |row: &Generation| {
        Python::attach(|py| {
            let reported = generation(py, row).and_then(|shown| {
                rows.lock().expect("no panic").push(shown.clone_ref(py));
                progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (shown,)).map(|_| ()))
            });
            match reported {
                Err(error) if !is_interrupt(py, &error) => raise(error),
                _ => {}
            }
        });
    };
    let (found, raised) = match &subject.board {
        Board::BuiltIn(position) => {
            let entry = REGISTRY.get(&game).map_err(emtee_error)?;
            if position.0.text() != entry.start().text() {
                return Err(emtee_error(format!("learning begins at the start of the game: emtee.{game}()")));
            }
            let begin = &mut |work| entry.learning(task(work));
            with_signals(py, &stop, || py.detach(|| catch_exception(|| run(begin, minutes, work, &mut report))))
        }
        Board::Python(start, features) => {
            let begin = &mut |work| {
                let learning = PythonLearning::new(task(work), start, features)?;
                Ok(Box::new(learning) as Box<dyn Learning>)
            };
            with_signals(py, &stop, || catch_exception(|| run(begin, minutes, work, &mut report)))
        }
    };
    let model = found?.map_err(emtee_error)?;
    match (model, raised) {
        (_, Some(error)) if !return_on_interrupt => Err(error),
        (Some(model), _) => Learned::of(&subject, model, rows.into_inner().expect("no panic")),
        (None, Some(error)) => Err(error),
        (None, None) => Err(emtee_error("nothing was learned")),
    }
}

/// A generation as an `emtee.Generation`.
fn generation(py: Python<'_>, row: &Generation) -> PyResult<Py<PyAny>> {
    let Generation { number, games, positions, error, elo, accepted, total_elo, done, .. } = row;
    let elo = elo.map(|[low, elo, high]| (low, elo, high));
    let class = py.import("emtee._types")?.getattr("Generation")?;
    Ok(class.call1((number, games, positions, error, elo, accepted, total_elo, done))?.unbind())
}
