//! What searches found, as Python sees it. Moves of games in Python stay numbers until somebody asks for them.

use std::sync::Arc;
use std::time::Duration;

use emtee::research::{Counts, Cuts, End, Iteration, Pass, Teamwork, Visit, Window};
use emtee::{Bounds, Chosen, Found, RankedMove, Value};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyType};

use crate::game::PyPosition;

/// A move of any game.
#[derive(Clone)]
pub(crate) enum Mv {
    /// As the game writes it.
    Text(Box<str>),
    /// Its place in the list of a game in Python.
    Place(u32),
}

/// Turns moves into what the user sees. Nothing is needed for moves that are text.
pub(crate) type Root = Option<PyPosition>;

fn mv(py: Python<'_>, root: &Root, m: Option<&Mv>) -> PyResult<Py<PyAny>> {
    match (m, root) {
        (None, _) | (Some(Mv::Place(_)), None) => Ok(py.None()),
        (Some(Mv::Text(text)), _) => Ok(text.into_pyobject(py)?.into_any().unbind()),
        (Some(Mv::Place(place)), Some(root)) => Ok(root.node().move_at(py, *place)?.unbind()),
    }
}

fn line(py: Python<'_>, root: &Root, moves: &[Mv]) -> PyResult<Py<PyAny>> {
    let places: Vec<u32> =
        moves.iter().filter_map(|m| if let Mv::Place(place) = m { Some(*place) } else { None }).collect();
    let list = match root {
        Some(root) => PyList::new(py, root.line(py, &places)?)?,
        None => PyList::new(py, moves.iter().map(|m| mv(py, root, Some(m))).collect::<PyResult<Vec<_>>>()?)?,
    };
    Ok(list.into_any().unbind())
}

macro_rules! classes {
    ($($function:ident $name:literal),*) => {$(
        fn $function(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
            static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
            CLASS.import(py, "emtee._types", $name)
        }
    )*};
}

classes!(value_class "Value", bounds_class "Bounds", window_class "Window", visit_class "Visit", cuts_class "Cuts", teamwork_class "Teamwork");

/// An int that knows wins and losses.
pub(crate) fn value(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    Ok(value_class(py)?.call1((value.get(),))?.unbind())
}

/// f⁻ and f⁺.
pub(crate) fn bounds(py: Python<'_>, f: Bounds) -> PyResult<Py<PyAny>> {
    Ok(bounds_class(py)?.call1((value(py, f.lower)?, value(py, f.upper)?))?.unbind())
}

/// What a pass asks.
pub(crate) fn window(py: Python<'_>, window: Window) -> PyResult<Py<PyAny>> {
    let (alpha, beta) = (value(py, window.alpha())?, value(py, window.beta())?);
    Ok(window_class(py)?.call1((alpha, beta))?.unbind())
}

/// How a visit went.
pub(crate) fn visit(py: Python<'_>, visit: &Visit) -> PyResult<Py<PyAny>> {
    let end = match visit.end {
        End::Expanded => "expanded",
        End::Evaluated => "evaluated",
        End::Answered => "answered",
    };
    let (g, f) = (value(py, visit.g)?, bounds(py, visit.f)?);
    Ok(visit_class(py)?.call1((visit.depth, window(py, visit.window)?, g, f, end))?.unbind())
}

fn heights(py: Python<'_>, heights: &[Cuts]) -> PyResult<Py<PyAny>> {
    let class = cuts_class(py)?;
    let rows = heights.iter().map(|cuts| class.call1((cuts.cut_nodes, cuts.first_move_cuts, cuts.moves_tried)));
    Ok(PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind())
}

/// A pass.
#[derive(Clone)]
pub(crate) struct PassData {
    depth: u8,
    window: Window,
    g: Value,
    f: Bounds,
    about: Option<Mv>,
    best_move: Option<Mv>,
    counts: Counts,
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

/// A move and what is proved of it.
#[derive(Clone)]
pub(crate) struct RankedData {
    m: Mv,
    f: Bounds,
    depth: u8,
    pv: Vec<Mv>,
}

impl RankedData {
    fn new<M>(ranked: RankedMove<M>, mv: fn(M) -> Mv) -> RankedData {
        let RankedMove { m, f, depth, pv, .. } = ranked;
        RankedData { m: mv(m), f, depth, pv: pv.into_iter().map(mv).collect() }
    }
}

/// An iteration.
#[derive(Clone)]
pub(crate) struct IterationData {
    depth: u8,
    value: Option<Value>,
    f: Bounds,
    best_move: Option<Mv>,
    pv: Vec<Mv>,
    ranked: Vec<RankedData>,
    passes: Vec<PassData>,
    crossings: u32,
    counts: Counts,
    time: Duration,
    first_candidate_confirmed: Option<bool>,
    exact: bool,
    table_used: Option<u32>,
}

impl IterationData {
    pub(crate) fn new<M: Copy>(iteration: Iteration<M>, mv: fn(M) -> Mv) -> IterationData {
        let depth = iteration.depth;
        IterationData {
            depth,
            value: iteration.value,
            f: iteration.f,
            best_move: iteration.best_move.map(mv),
            pv: iteration.pv.into_iter().map(mv).collect(),
            ranked: iteration.ranked.into_iter().map(|ranked| RankedData::new(ranked, mv)).collect(),
            passes: iteration.passes.iter().map(|pass| PassData::new(depth, pass, mv)).collect(),
            crossings: iteration.crossings,
            counts: iteration.counts,
            time: iteration.time,
            first_candidate_confirmed: iteration.first_candidate_confirmed,
            exact: iteration.exact,
            table_used: iteration.table_used,
        }
    }

    pub(crate) fn into_python(self, py: Python<'_>, root: Root) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, PyIteration { data: Arc::new(self), root })?.into_any())
    }
}

/// A result.
pub(crate) struct FoundData {
    best_move: Option<Mv>,
    value: Option<Value>,
    f: Bounds,
    pv: Vec<Mv>,
    ranked: Vec<RankedData>,
    depth: u8,
    pub(crate) complete: bool,
    iterations: Vec<Arc<IterationData>>,
    unfinished: Option<Arc<IterationData>>,
    counts: Counts,
    heights: Vec<Cuts>,
    time: Duration,
    teamwork: Option<Teamwork>,
}

impl FoundData {
    pub(crate) fn new<M: Copy>(found: Found<M>, mv: fn(M) -> Mv) -> FoundData {
        let iteration = |iteration| Arc::new(IterationData::new(iteration, mv));
        FoundData {
            best_move: found.best_move.map(mv),
            value: found.value,
            f: found.f,
            pv: found.pv.into_iter().map(mv).collect(),
            ranked: found.ranked.into_iter().map(|ranked| RankedData::new(ranked, mv)).collect(),
            depth: found.depth,
            complete: found.complete,
            iterations: found.iterations.into_iter().map(iteration).collect(),
            unfinished: found.unfinished.map(iteration),
            counts: found.counts,
            heights: found.heights,
            time: found.time,
            teamwork: found.teamwork,
        }
    }

    pub(crate) fn into_python(self, py: Python<'_>, root: Root) -> PyResult<Py<PyFound>> {
        Py::new(py, PyFound { data: self, root })
    }

    /// The moves that were ranked.
    pub(crate) fn ranked(&self, py: Python<'_>, root: &Root) -> PyResult<Py<PyAny>> {
        ranked_list(py, root, &self.ranked)
    }
}

fn ranked_list(py: Python<'_>, root: &Root, ranked: &[RankedData]) -> PyResult<Py<PyAny>> {
    let moves = ranked.iter().map(|data| Py::new(py, PyRankedMove { data: data.clone(), root: root.clone() }));
    Ok(PyList::new(py, moves.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind())
}

/// A choice.
pub(crate) struct ChosenData {
    m: Option<Mv>,
    among: Vec<Mv>,
    at_least: Value,
    pub(crate) found: FoundData,
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

/// How a search in slices stands.
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
                best_move: mv(py, &root, found.best_move.as_ref())?,
                depth: found.depth,
                nodes: found.counts.nodes(),
                found: Some(found.into_python(py, root)?),
            },
        };
        Py::new(py, poll)
    }
}

/// How many nodes of each kind were visited. Every visit ends in exactly one way: expanded, evaluated, or answered by the
/// table.
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

    /// Nodes whose moves were looked at.
    #[getter]
    fn interior(&self) -> u64 {
        self.0.interior
    }

    /// Number of bottom positions: leaf values asked of the game, each time one is asked.
    #[getter]
    fn nbp(&self) -> u64 {
        self.0.nbp
    }

    /// Visits that the table answered.
    #[getter]
    fn table_answers(&self) -> u64 {
        self.0.table_answers
    }

    /// Positions visited below the horizon until all was quiet; no part of `nodes`.
    #[getter]
    fn quiet_nodes(&self) -> u64 {
        self.0.quiet_nodes
    }

    /// Interior nodes that failed high and had at least two moves.
    #[getter]
    fn cut_nodes(&self) -> u64 {
        self.0.cut_nodes
    }

    /// Those cut off by the first move tried.
    #[getter]
    fn first_move_cuts(&self) -> u64 {
        self.0.first_move_cuts
    }

    /// The moves tried at all cut nodes together.
    #[getter]
    fn moves_at_cuts(&self) -> u64 {
        self.0.moves_at_cuts
    }

    /// Interior nodes cut off by what the table knew of a child (enhanced transposition cutoffs).
    #[getter]
    fn enhanced_cuts(&self) -> u64 {
        self.0.enhanced_cuts
    }

    /// The counts by name, `nodes` among them.
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
    data: PassData,
    root: Root,
}

#[pymethods]
impl PyPass {
    /// The depth of the iteration it belongs to.
    #[getter]
    fn depth(&self) -> u8 {
        self.data.depth
    }

    /// What was asked: (α, β). A pass of MT asks one question, γ.
    #[getter]
    fn window(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        window(py, self.data.window)
    }

    /// γ, such as 40.5; None for a wide window.
    #[getter]
    fn gamma(&self) -> Option<f64> {
        self.data.window.is_null().then(|| self.data.window.low.as_f64())
    }

    /// What was answered: less than γ fails low, greater fails high.
    #[getter]
    fn g(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        value(py, self.data.g)
    }

    /// What is known of the value after the pass.
    #[getter]
    fn f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.data.f)
    }

    /// The root move asked about, where a driver asks about one at a time (MTD-best).
    #[getter]
    fn about(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mv(py, &self.root, self.data.about.as_ref())
    }

    /// The move that failed high.
    #[getter]
    fn best_move(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mv(py, &self.root, self.data.best_move.as_ref())
    }

    /// What the pass cost.
    #[getter]
    fn counts(&self) -> PyCounts {
        PyCounts(self.data.counts)
    }

    fn __repr__(&self) -> String {
        let asked = match self.gamma() {
            Some(gamma) => format!("gamma={gamma}"),
            None => format!("window=({}, {})", self.data.window.alpha(), self.data.window.beta()),
        };
        format!("Pass({asked}, g={}, f={})", self.data.g, self.data.f)
    }
}

/// A move and what is proved of it.
#[pyclass(name = "RankedMove", module = "emtee", frozen, generic)]
pub(crate) struct PyRankedMove {
    data: RankedData,
    root: Root,
}

#[pymethods]
impl PyRankedMove {
    /// The move.
    #[getter]
    fn m(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mv(py, &self.root, Some(&self.data.m))
    }

    /// What the position is worth if it is played.
    #[getter]
    fn f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.data.f)
    }

    /// The value, if the bounds have met.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.data.f.exact().map(|exact| value(py, exact)).transpose()
    }

    /// How deep that was searched.
    #[getter]
    fn depth(&self) -> u8 {
        self.data.depth
    }

    /// The line that begins with it.
    #[getter]
    fn pv(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        line(py, &self.root, &self.data.pv)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("RankedMove({}, {})", self.m(py)?.bind(py).repr()?, self.data.f))
    }
}

/// One depth of iterative deepening.
#[pyclass(name = "Iteration", module = "emtee", frozen, generic)]
pub(crate) struct PyIteration {
    data: Arc<IterationData>,
    root: Root,
}

#[pymethods]
impl PyIteration {
    /// The depth, in plies.
    #[getter]
    fn depth(&self) -> u8 {
        self.data.depth
    }

    /// The value, or None from a driver that only proves which move is best (MTD-best).
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.data.value.map(|found| value(py, found)).transpose()
    }

    /// What was proved of the value.
    #[getter]
    fn f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.data.f)
    }

    /// The best move.
    #[getter]
    fn best_move(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mv(py, &self.root, self.data.best_move.as_ref())
    }

    /// The line both sides would play, every move of it proved to keep the value.
    #[getter]
    fn pv(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        line(py, &self.root, &self.data.pv)
    }

    /// The best moves, as many as were asked for.
    #[getter]
    fn ranked(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        ranked_list(py, &self.root, &self.data.ranked)
    }

    /// The passes it took.
    #[getter]
    fn passes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let passes = self.data.passes.iter().map(|pass| pass.clone().into_python(py, self.root.clone()));
        Ok(PyList::new(py, passes.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind())
    }

    /// Passes whose answer contradicted an earlier one: none unless values depend on the path.
    #[getter]
    fn crossings(&self) -> u32 {
        self.data.crossings
    }

    /// What the iteration cost.
    #[getter]
    fn counts(&self) -> PyCounts {
        PyCounts(self.data.counts)
    }

    /// How long it took, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.data.time.as_secs_f64()
    }

    /// MTD-best: whether the first candidate was proved to be the best move.
    #[getter]
    fn first_candidate_confirmed(&self) -> Option<bool> {
        self.data.first_candidate_confirmed
    }

    /// Whether a deeper search would say the same: all lines end, or one wins for sure.
    #[getter]
    fn exact(&self) -> bool {
        self.data.exact
    }

    /// How full the table is with what the iteration needed, in thousandths; known in play.
    #[getter]
    fn table_used(&self) -> Option<u32> {
        self.data.table_used
    }

    fn __repr__(&self) -> String {
        let IterationData { depth, f, passes, counts, .. } = &*self.data;
        format!("Iteration(depth={depth}, f={f}, passes={}, nodes={})", passes.len(), counts.nodes())
    }
}

/// What a search found.
///
/// >>> import emtee
/// >>> found = emtee.Player().think(emtee.connect4("4455"))
/// >>> found.value, found.best_move, found.pv
/// (win in 3, '3', ['3', '3', '2'])
/// >>> found.complete, found.depth
/// (True, 3)
#[pyclass(name = "Found", module = "emtee", frozen, generic)]
pub(crate) struct PyFound {
    data: FoundData,
    root: Root,
}

#[pymethods]
impl PyFound {
    /// The best move: of the last finished iteration, or one that failed high in the unfinished one, and so is proved better.
    /// None if the game is over, or if the search was stopped before it knew anything.
    #[getter]
    fn best_move(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mv(py, &self.root, self.data.best_move.as_ref())
    }

    /// The value for the side to move, from the last finished iteration: an int that prints as `win in 5` where it is one.
    /// None before the first iteration, or from MTD-best, which finds the move alone.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.data.value.map(|found| value(py, found)).transpose()
    }

    /// What is proved of the value at `depth`.
    #[getter]
    fn f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.data.f)
    }

    /// The line both sides would play, every move of it proved.
    #[getter]
    fn pv(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        line(py, &self.root, &self.data.pv)
    }

    /// The best moves, best first, as many as were asked for and found.
    #[getter]
    fn ranked(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.data.ranked(py, &self.root)
    }

    /// The depth of the last finished iteration.
    #[getter]
    fn depth(&self) -> u8 {
        self.data.depth
    }

    /// Whether the search came to its end, rather than being stopped by a limit.
    #[getter]
    fn complete(&self) -> bool {
        self.data.complete
    }

    /// The finished iterations.
    #[getter]
    fn iterations(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let shown =
            |data: &Arc<IterationData>| Py::new(py, PyIteration { data: data.clone(), root: self.root.clone() });
        let iterations = self.data.iterations.iter().map(shown).collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, iterations)?.into_any().unbind())
    }

    /// The iteration that was stopped.
    #[getter]
    fn unfinished(&self) -> Option<PyIteration> {
        self.data.unfinished.as_ref().map(|data| PyIteration { data: data.clone(), root: self.root.clone() })
    }

    /// Everything counted, over all iterations.
    #[getter]
    fn counts(&self) -> PyCounts {
        PyCounts(self.data.counts)
    }

    /// The quality of the move ordering by height, from the horizon up.
    #[getter]
    fn heights(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        heights(py, &self.data.heights)
    }

    /// How long it took, in seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.data.time.as_secs_f64()
    }

    /// How several threads worked together; None where one searched alone.
    #[getter]
    fn teamwork(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let shown = |teamwork: Teamwork| {
            let times = (teamwork.idle.as_secs_f64(), teamwork.virtual_time.map(|time| time.as_secs_f64()));
            Ok(teamwork_class(py)?.call1((teamwork.threads, times.0, times.1))?.unbind())
        };
        self.data.teamwork.map(shown).transpose()
    }

    /// How many passes the finished iterations took.
    #[getter]
    fn passes(&self) -> usize {
        self.data.iterations.iter().map(|iteration| iteration.passes.len()).sum()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let best = self.best_move(py)?;
        let value = self.data.value.map_or_else(|| format!("f={}", self.data.f), |value| format!("value={value}"));
        let stopped = if self.data.complete { "" } else { ", complete=False" };
        Ok(format!("Found(best_move={}, {value}, depth={}{stopped})", best.bind(py).repr()?, self.data.depth))
    }

    /// The passes of the last iteration, in a notebook.
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.py().import("emtee.draw")?.call_method1("passes", (slf,))?.unbind())
    }
}

/// A move chosen at a level.
#[pyclass(name = "Chosen", module = "emtee", frozen, generic)]
pub(crate) struct PyChosen {
    /// The move; None if the game is over.
    #[pyo3(get)]
    m: Py<PyAny>,
    /// The moves it was chosen from, in the game's order.
    #[pyo3(get)]
    among: Py<PyList>,
    /// What they are worth at least.
    #[pyo3(get)]
    at_least: Py<PyAny>,
    /// The search for the best move.
    #[pyo3(get)]
    found: Py<PyFound>,
}

#[pymethods]
impl PyChosen {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Chosen({}, among={})", self.m.bind(py).repr()?, self.among.bind(py).repr()?))
    }
}

/// How a search in slices stands.
#[pyclass(name = "Poll", module = "emtee", frozen, generic)]
pub(crate) struct PyPoll {
    /// "idle" if no search was started, "thinking" if it needs more slices, "done".
    #[pyo3(get)]
    state: &'static str,
    /// The best move so far.
    #[pyo3(get)]
    best_move: Py<PyAny>,
    /// The depth of the last finished iteration.
    #[pyo3(get)]
    depth: u8,
    /// How many nodes it took so far.
    #[pyo3(get)]
    nodes: u64,
    /// What was found, once it is done.
    #[pyo3(get)]
    found: Option<Py<PyFound>>,
}

#[pymethods]
impl PyPoll {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let best = self.best_move.bind(py).repr()?;
        Ok(format!("Poll({}, best_move={best}, depth={}, nodes={})", self.state, self.depth, self.nodes))
    }
}
