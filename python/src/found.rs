//! The Python classes of search results.

use std::sync::Arc;

use emtee::research::Counts;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::convert::{bounds, heights, parallel, value, window};
use crate::pickle;
use crate::report::{FoundData, IterationData, PassData, RankedData, Root, Verdict, iteration, line, mv};

/// The numbers of nodes visited, by kind. Every visit ends in exactly one way: the node is expanded, evaluated, or answered by
/// the table.
///
/// >>> import emtee
/// >>> counts = emtee.Player().think(emtee.tictactoe(), depth=3).counts
/// >>> counts.nodes == counts.interior + counts.nbp + counts.table_answers
/// True
#[pyclass(name = "Counts", module = "emtee", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyCounts(Counts);

#[pymethods]
impl PyCounts {
    /// All visits: interior, leaves and table answers.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    /// Interior nodes: nodes that were expanded.
    #[getter]
    fn interior(&self) -> u64 {
        self.0.interior
    }

    /// Number of bottom positions: leaf evaluations, repeated ones included.
    #[getter]
    fn nbp(&self) -> u64 {
        self.0.nbp
    }

    /// Visits answered by the table.
    #[getter]
    fn table_answers(&self) -> u64 {
        self.0.table_answers
    }

    /// Positions visited by quiescence search, below the horizon; not included in `nodes`.
    #[getter]
    fn quiet_nodes(&self) -> u64 {
        self.0.quiet_nodes
    }

    /// Interior nodes that failed high and had at least two moves.
    #[getter]
    fn cut_nodes(&self) -> u64 {
        self.0.cut_nodes
    }

    /// Cut nodes at which the first move tried was the cutoff.
    #[getter]
    fn first_move_cuts(&self) -> u64 {
        self.0.first_move_cuts
    }

    /// The total number of moves tried at cut nodes.
    #[getter]
    fn moves_at_cuts(&self) -> u64 {
        self.0.moves_at_cuts
    }

    /// Interior nodes cut off by a table entry of a child (enhanced transposition cutoffs).
    #[getter]
    fn enhanced_cuts(&self) -> u64 {
        self.0.enhanced_cuts
    }

    /// The counts by name, including `nodes`.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, count) in self.0.named().into_iter().chain([("nodes", self.0.nodes())]) {
            dict.set_item(name, count)?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let counts: Vec<String> = self.0.named().into_iter().map(|(name, count)| format!("{name}={count}")).collect();
        format!("Counts(nodes={}, {})", self.0.nodes(), counts.join(", "))
    }
}

/// One call of MT by its driver, or one search of a window by a baseline.
#[pyclass(name = "Pass", module = "emtee", frozen, generic)]
pub(crate) struct PyPass {
    pub(crate) data: PassData,
    pub(crate) root: Root,
}

#[pymethods]
impl PyPass {
    /// The depth of the iteration it belongs to.
    #[getter]
    fn depth(&self) -> u8 {
        self.data.depth
    }

    /// The window searched: (α, β). In a pass of MT it is a null window around γ.
    #[getter]
    fn window(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        window(py, self.data.window)
    }

    /// γ, such as 40.5; None for a wide window.
    #[getter]
    fn gamma(&self) -> Option<f64> {
        self.data.window.is_null().then(|| self.data.window.low.as_f64())
    }

    /// The result g: the pass fails low if g < γ and high if g > γ.
    #[getter]
    fn g(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        value(py, self.data.g)
    }

    /// The bounds on the value after the pass.
    #[getter]
    fn f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.data.f)
    }

    /// The root move that was searched, if a driver searches one at a time (MTD-best).
    #[getter]
    fn about(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mv(py, &self.root, self.data.about.as_ref())
    }

    /// The move that failed high.
    #[getter]
    fn best_move(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mv(py, &self.root, self.data.best_move.as_ref())
    }

    /// The node counts of the pass.
    #[getter]
    fn counts(&self) -> PyCounts {
        PyCounts(self.data.counts)
    }

    fn __repr__(&self) -> String {
        let window = match self.gamma() {
            Some(gamma) => format!("gamma={gamma}"),
            None => format!("window=({}, {})", self.data.window.alpha(), self.data.window.beta()),
        };
        format!("Pass({window}, g={}, f={})", self.data.g, self.data.f)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.root.traverse(&visit)
    }
}

/// A move and the bounds proved for it.
#[pyclass(name = "RankedMove", module = "emtee", frozen, generic)]
pub(crate) struct PyRankedMove {
    pub(crate) data: RankedData,
    pub(crate) root: Root,
}

#[pymethods]
impl PyRankedMove {
    /// The move.
    #[getter]
    fn m(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mv(py, &self.root, Some(&self.data.m))
    }

    /// The bounds on the value of the position if this move is played.
    #[getter]
    fn f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.data.f)
    }

    /// The value, if the bounds have met.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.data.f.exact().map(|exact| value(py, exact)).transpose()
    }

    /// The depth of that search.
    #[getter]
    fn depth(&self) -> u8 {
        self.data.depth
    }

    /// The principal variation that begins with the move.
    #[getter]
    fn pv(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        line(py, &self.root, &self.data.pv)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("RankedMove({}, {})", self.m(py)?.bind(py).repr()?, self.data.f))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.root.traverse(&visit)
    }
}

/// The results that an `Iteration` and a `Found` have in common.
#[pyclass(name = "Verdict", module = "emtee", frozen, subclass, generic)]
pub(crate) struct PyVerdict {
    pub(crate) verdict: Arc<Verdict>,
    pub(crate) root: Root,
}

#[pymethods]
impl PyVerdict {
    /// The depth, in plies; for a search, that of the last finished iteration.
    #[getter]
    fn depth(&self) -> u8 {
        self.verdict.depth
    }

    /// The value for the side to move, from the last finished iteration: an int that prints as `win in 5` if it is a win.
    /// None before the first iteration is finished, and from MTD-best, which finds only the move.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.verdict.value.map(|found| value(py, found)).transpose()
    }

    /// The bounds proved for the value at `depth`.
    #[getter]
    fn f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.verdict.f)
    }

    /// The best move: that of the last finished iteration, or one that failed high in the unfinished iteration and so is proved
    /// better. None if the game is over, or if the search was stopped before it had a move.
    #[getter]
    fn best_move(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mv(py, &self.root, self.verdict.best_move.as_ref())
    }

    /// The principal variation. Every move in it is proved to keep the value.
    #[getter]
    fn pv(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        line(py, &self.root, &self.verdict.pv)
    }

    /// The best moves, best first: at most as many as were requested.
    #[getter]
    fn ranked(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        RankedData::list(py, &self.root, &self.verdict.ranked)
    }

    /// The node counts; for a search, the sum over all iterations.
    #[getter]
    fn counts(&self) -> PyCounts {
        PyCounts(self.verdict.counts)
    }

    /// The time, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.verdict.time.as_secs_f64()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.root.traverse(&visit)
    }
}

/// One depth of iterative deepening.
#[pyclass(name = "Iteration", module = "emtee", frozen, generic, extends = PyVerdict)]
pub(crate) struct PyIteration {
    pub(crate) data: Arc<IterationData>,
    pub(crate) root: Root,
}

#[pymethods]
impl PyIteration {
    /// The passes of the iteration.
    #[getter]
    fn passes(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        let passes = self.data.passes.iter().map(|pass| pass.clone().into_python(py, self.root.clone_ref(py)));
        Ok(PyList::new(py, passes.collect::<PyResult<Vec<_>>>()?)?.unbind())
    }

    /// The number of passes that contradicted an earlier one: 0 unless values depend on the path.
    #[getter]
    fn crossings(&self) -> u32 {
        self.data.crossings
    }

    /// MTD-best: whether the first candidate was proved to be the best move.
    #[getter]
    fn first_candidate_confirmed(&self) -> Option<bool> {
        self.data.first_candidate_confirmed
    }

    /// Whether a deeper search would have the same result: all lines end, or one is a proven win.
    #[getter]
    fn exact(&self) -> bool {
        self.data.exact
    }

    /// The share of the table filled by the iteration, in thousandths; only in play.
    #[getter]
    fn table_used(&self) -> Option<u32> {
        self.data.table_used
    }

    fn __repr__(&self) -> String {
        let Verdict { depth, f, counts, .. } = &*self.data.verdict;
        format!("Iteration(depth={depth}, f={f}, passes={}, nodes={})", self.data.passes.len(), counts.nodes())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.root.traverse(&visit)
    }
}

/// The result of a search.
///
/// >>> import emtee
/// >>> found = emtee.Player().think(emtee.connect4("4455"))
/// >>> found.value, found.best_move, found.pv
/// (win in 3, '3', ['3', '3', '2'])
/// >>> found.complete, found.depth
/// (True, 3)
#[pyclass(name = "Found", module = "emtee", frozen, generic, extends = PyVerdict)]
pub(crate) struct PyFound {
    pub(crate) data: FoundData,
    pub(crate) root: Root,
}

#[pymethods]
impl PyFound {
    /// Whether the search finished, instead of being stopped by a limit.
    #[getter]
    fn complete(&self) -> bool {
        self.data.complete
    }

    /// The finished iterations.
    #[getter]
    fn iterations(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        let iterations = self.data.iterations.iter().map(|data| iteration(py, data, &self.root));
        Ok(PyList::new(py, iterations.collect::<PyResult<Vec<_>>>()?)?.unbind())
    }

    /// The iteration that was stopped, if any.
    #[getter]
    fn unfinished(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.data.unfinished.as_ref().map(|data| iteration(py, data, &self.root)).transpose()
    }

    /// The quality of the move ordering by height, from the horizon up.
    #[getter]
    fn heights(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        heights(py, &self.data.heights)
    }

    /// Statistics of a search on several threads; None for a search on one thread.
    #[getter]
    fn parallel(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.data.parallel.map(|done| parallel(py, done)).transpose()
    }

    /// The number of passes of all finished iterations.
    #[getter]
    fn passes(&self) -> usize {
        self.data.iterations.iter().map(|iteration| iteration.passes.len()).sum()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Verdict { depth, value, f, best_move, .. } = &*self.data.verdict;
        let best = mv(py, &self.root, best_move.as_ref())?;
        let value = value.map_or_else(|| format!("f={f}"), |value| format!("value={value}"));
        let stopped = if self.data.complete { "" } else { ", complete=False" };
        Ok(format!("Found(best_move={}, {value}, depth={depth}{stopped})", best.bind(py).repr()?))
    }

    /// For pickle. Moves of a game in Python are pickled as they are.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        let restore = py.import("emtee._emtee")?.getattr("_restore_found")?;
        Ok((restore, (pickle::found(py, &self.data, &self.root)?,)))
    }

    /// The passes of the last iteration, for a notebook.
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.py().import("emtee.draw")?.call_method1("passes", (slf,))?.unbind())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.root.traverse(&visit)
    }
}

/// A move chosen at a playing level.
#[pyclass(name = "Chosen", module = "emtee", frozen, generic)]
pub(crate) struct PyChosen {
    /// The move; None if the game is over.
    #[pyo3(get)]
    pub(crate) m: Py<PyAny>,
    /// The candidate moves, in the order of the game.
    #[pyo3(get)]
    pub(crate) among: Py<PyList>,
    /// A lower bound on the values of the candidate moves.
    #[pyo3(get)]
    pub(crate) at_least: Py<PyAny>,
    /// The search for the best move.
    #[pyo3(get)]
    pub(crate) found: Py<PyFound>,
}

#[pymethods]
impl PyChosen {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Chosen({}, among={})", self.m.bind(py).repr()?, self.among.bind(py).repr()?))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.m)?;
        visit.call(&self.among)?;
        visit.call(&self.found)
    }
}

/// The state of a search in slices.
#[pyclass(name = "Poll", module = "emtee", frozen, generic)]
pub(crate) struct PyPoll {
    /// "idle" if no search was started, "thinking" if the search needs more slices, "done" if it is finished.
    #[pyo3(get)]
    pub(crate) state: &'static str,
    /// The best move so far.
    #[pyo3(get)]
    pub(crate) best_move: Py<PyAny>,
    /// The depth of the last finished iteration.
    #[pyo3(get)]
    pub(crate) depth: u8,
    /// The number of nodes so far.
    #[pyo3(get)]
    pub(crate) nodes: u64,
    /// The result, if the search is done.
    #[pyo3(get)]
    pub(crate) found: Option<Py<PyFound>>,
}

#[pymethods]
impl PyPoll {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let best = self.best_move.bind(py).repr()?;
        Ok(format!("Poll({}, best_move={best}, depth={}, nodes={})", self.state, self.depth, self.nodes))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.best_move)?;
        visit.call(&self.found)
    }
}
