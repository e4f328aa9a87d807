//! Search results as Rust data, converted to Python only on access. Moves of games in Python are indices until then.

use std::sync::Arc;
use std::time::Duration;

use emtee::research::{Counts, Cuts, Iteration, ParallelStats, Pass, Window};
use emtee::{Bounds, Chosen, Found, RankedMove, Value};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::convert::value;
use crate::found::{PyChosen, PyFound, PyIteration, PyPass, PyPoll, PyRankedMove, PyVerdict};
use crate::game::PyPosition;

/// A move of any game.
#[derive(Clone)]
pub(crate) enum Mv {
    /// The text of a move of a built-in game.
    Text(Box<str>),
    /// The index in the move list, for a game in Python.
    Index(u32),
    /// The move itself, in a result that was pickled.
    Object(Arc<Py<PyAny>>),
}

/// The root of a search of a game in Python, as an object that the garbage collector knows. It alone has its node.
#[pyclass(frozen)]
pub(crate) struct PyRoot(PyPosition);

#[pymethods]
impl PyRoot {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.traverse(&visit)
    }
}

/// The root, which converts move indices to the user's objects; none for built-in games, whose moves are text.
#[derive(Default)]
pub(crate) struct Root(Option<Py<PyRoot>>);

impl Root {
    pub(crate) fn new(py: Python<'_>, position: Option<PyPosition>) -> PyResult<Root> {
        Ok(Root(position.map(|position| Py::new(py, PyRoot(position))).transpose()?))
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Root {
        Root(self.0.as_ref().map(|root| root.clone_ref(py)))
    }

    fn position(&self) -> Option<&PyPosition> {
        self.0.as_ref().map(|root| &root.get().0)
    }

    /// For the garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }
}

/// A move as a Python object.
pub(crate) fn mv(py: Python<'_>, root: &Root, m: Option<&Mv>) -> PyResult<Py<PyAny>> {
    match (m, root.position()) {
        (None, _) | (Some(Mv::Index(_)), None) => Ok(py.None()),
        (Some(Mv::Text(text)), _) => Ok(text.into_pyobject(py)?.into_any().unbind()),
        (Some(Mv::Index(index)), Some(root)) => Ok(root.move_at(py, *index)?.unbind()),
        (Some(Mv::Object(object)), _) => Ok(object.clone_ref(py)),
    }
}

/// A line of moves as Python objects.
pub(crate) fn line(py: Python<'_>, root: &Root, moves: &[Mv]) -> PyResult<Py<PyList>> {
    let indices: Vec<u32> =
        moves.iter().filter_map(|m| if let Mv::Index(index) = m { Some(*index) } else { None }).collect();
    let list = match root.position() {
        Some(root) => PyList::new(py, root.line(py, &indices)?)?,
        None => PyList::new(py, moves.iter().map(|m| mv(py, root, Some(m))).collect::<PyResult<Vec<_>>>()?)?,
    };
    Ok(list.unbind())
}

/// The data of a `Pass`.
#[derive(Clone)]
pub(crate) struct PassData {
    pub(crate) depth: u8,
    pub(crate) window: Window,
    pub(crate) g: Value,
    pub(crate) f: Bounds,
    pub(crate) about: Option<Mv>,
    pub(crate) best_move: Option<Mv>,
    pub(crate) counts: Counts,
}

impl PassData {
    pub(crate) fn new<M: Copy>(depth: u8, pass: &Pass<M>, mv: fn(M) -> Mv) -> PassData {
        let &Pass { window, g, f, about, best_move, counts, .. } = pass;
        PassData { depth, window, g, f, about: about.map(mv), best_move: best_move.map(mv), counts }
    }

    pub(crate) fn into_python(self, py: Python<'_>, root: Root) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, PyPass { data: self, root })?.into_any())
    }
}

/// The data of a `RankedMove`.
#[derive(Clone)]
pub(crate) struct RankedData {
    pub(crate) m: Mv,
    pub(crate) f: Bounds,
    pub(crate) depth: u8,
    pub(crate) pv: Vec<Mv>,
}

impl RankedData {
    fn new<M>(ranked: RankedMove<M>, mv: fn(M) -> Mv) -> RankedData {
        let RankedMove { m, f, depth, pv, .. } = ranked;
        RankedData { m: mv(m), f, depth, pv: pv.into_iter().map(mv).collect() }
    }

    pub(crate) fn list(py: Python<'_>, root: &Root, ranked: &[RankedData]) -> PyResult<Py<PyList>> {
        let moves =
            ranked.iter().map(|data| Py::new(py, PyRankedMove { data: data.clone(), root: root.clone_ref(py) }));
        Ok(PyList::new(py, moves.collect::<PyResult<Vec<_>>>()?)?.unbind())
    }
}

/// The data that an iteration and a whole search have in common.
#[derive(Clone)]
pub(crate) struct Verdict {
    pub(crate) depth: u8,
    pub(crate) value: Option<Value>,
    pub(crate) f: Bounds,
    pub(crate) best_move: Option<Mv>,
    pub(crate) pv: Vec<Mv>,
    pub(crate) ranked: Vec<RankedData>,
    pub(crate) counts: Counts,
    pub(crate) time: Duration,
}

/// The data of an `Iteration`.
#[derive(Clone)]
pub(crate) struct IterationData {
    pub(crate) verdict: Arc<Verdict>,
    pub(crate) passes: Vec<PassData>,
    pub(crate) crossings: u32,
    pub(crate) first_candidate_confirmed: Option<bool>,
    pub(crate) exact: bool,
    pub(crate) table_used: Option<u32>,
}

impl IterationData {
    pub(crate) fn new<M: Copy>(iteration: Iteration<M>, mv: fn(M) -> Mv) -> IterationData {
        let depth = iteration.depth;
        let verdict = Verdict {
            depth,
            value: iteration.value,
            f: iteration.f,
            best_move: iteration.best_move.map(mv),
            pv: iteration.pv.into_iter().map(mv).collect(),
            ranked: iteration.ranked.into_iter().map(|ranked| RankedData::new(ranked, mv)).collect(),
            counts: iteration.counts,
            time: iteration.time,
        };
        IterationData {
            verdict: Arc::new(verdict),
            passes: iteration.passes.iter().map(|pass| PassData::new(depth, pass, mv)).collect(),
            crossings: iteration.crossings,
            first_candidate_confirmed: iteration.first_candidate_confirmed,
            exact: iteration.exact,
            table_used: iteration.table_used,
        }
    }
}

/// An iteration as a Python object.
pub(crate) fn iteration(py: Python<'_>, data: &Arc<IterationData>, root: &Root) -> PyResult<Py<PyAny>> {
    let base = PyVerdict { verdict: data.verdict.clone(), root: root.clone_ref(py) };
    let whole =
        PyClassInitializer::from(base).add_subclass(PyIteration { data: data.clone(), root: root.clone_ref(py) });
    Ok(Py::new(py, whole)?.into_any())
}

/// The data of a `Found`.
pub(crate) struct FoundData {
    pub(crate) verdict: Arc<Verdict>,
    pub(crate) complete: bool,
    pub(crate) iterations: Vec<Arc<IterationData>>,
    pub(crate) unfinished: Option<Arc<IterationData>>,
    pub(crate) heights: Vec<Cuts>,
    pub(crate) parallel: Option<ParallelStats>,
}

impl FoundData {
    pub(crate) fn new<M: Copy>(found: Found<M>, mv: fn(M) -> Mv) -> FoundData {
        let iteration = |iteration| Arc::new(IterationData::new(iteration, mv));
        let verdict = Verdict {
            depth: found.depth,
            value: found.value,
            f: found.f,
            best_move: found.best_move.map(mv),
            pv: found.pv.into_iter().map(mv).collect(),
            ranked: found.ranked.into_iter().map(|ranked| RankedData::new(ranked, mv)).collect(),
            counts: found.counts,
            time: found.time,
        };
        FoundData {
            verdict: Arc::new(verdict),
            complete: found.complete,
            iterations: found.iterations.into_iter().map(iteration).collect(),
            unfinished: found.unfinished.map(iteration),
            heights: found.heights,
            parallel: found.parallel,
        }
    }

    pub(crate) fn into_python(self, py: Python<'_>, root: Root) -> PyResult<Py<PyFound>> {
        let base = PyVerdict { verdict: self.verdict.clone(), root: root.clone_ref(py) };
        Py::new(py, PyClassInitializer::from(base).add_subclass(PyFound { data: self, root }))
    }
}

/// The data of a `Chosen`.
pub(crate) struct ChosenData {
    m: Option<Mv>,
    among: Vec<Mv>,
    at_least: Value,
    found: FoundData,
}

impl ChosenData {
    pub(crate) fn new<M: Copy>(chosen: Chosen<M>, mv: fn(M) -> Mv) -> ChosenData {
        ChosenData {
            m: chosen.m.map(mv),
            among: chosen.among.into_iter().map(mv).collect(),
            at_least: chosen.at_least,
            found: FoundData::new(chosen.found, mv),
        }
    }

    pub(crate) fn into_python(self, py: Python<'_>, root: Root) -> PyResult<Py<PyChosen>> {
        let among = self.among.iter().map(|m| mv(py, &root, Some(m))).collect::<PyResult<Vec<_>>>()?;
        let chosen = PyChosen {
            m: mv(py, &root, self.m.as_ref())?,
            among: PyList::new(py, among)?.unbind(),
            at_least: value(py, self.at_least)?,
            found: self.found.into_python(py, root)?,
        };
        Py::new(py, chosen)
    }
}

/// The data of a `Poll`.
pub(crate) enum PolledData {
    Idle,
    Thinking { best_move: Option<Mv>, depth: u8, nodes: u64 },
    Done(Box<FoundData>),
}

impl PolledData {
    pub(crate) fn into_python(self, py: Python<'_>, root: Root) -> PyResult<Py<PyPoll>> {
        let poll = match self {
            PolledData::Idle => PyPoll { state: "idle", best_move: py.None(), depth: 0, nodes: 0, found: None },
            PolledData::Thinking { best_move, depth, nodes } => {
                PyPoll { state: "thinking", best_move: mv(py, &root, best_move.as_ref())?, depth, nodes, found: None }
            }
            PolledData::Done(found) => PyPoll {
                state: "done",
                best_move: mv(py, &root, found.verdict.best_move.as_ref())?,
                depth: found.verdict.depth,
                nodes: found.verdict.counts.nodes(),
                found: Some(found.into_python(py, root)?),
            },
        };
        Py::new(py, poll)
    }
}
