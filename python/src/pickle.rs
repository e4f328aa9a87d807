//! Results of searches as tuples of plain values, for pickle.

use std::sync::Arc;
use std::time::Duration;

use emtee::research::{Counts, Cuts, ParallelStats, Window};
use emtee::{Bounds, Value};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::found::PyFound;
use crate::report::{self, FoundData, IterationData, Mv, PassData, RankedData, Root, Verdict};

/// A move that may be missing: `None` is a possible move of a game in Python.
type Optional = Option<(Py<PyAny>,)>;

type Line = Vec<Py<PyAny>>;

/// A move, its bounds, its depth and its line.
type RankedTuple = (Py<PyAny>, i32, i32, u8, Line);

/// Depth, value, bounds, best move, line, ranked moves, counts, nanoseconds.
type VerdictTuple = (u8, Option<i32>, (i32, i32), Optional, Line, Vec<RankedTuple>, Vec<u64>, u64);

/// Depth, window, g, bounds, the move searched, the best move, counts.
type PassTuple = (u8, (i32, i32), i32, (i32, i32), Optional, Optional, Vec<u64>);

/// The verdict, the passes, crossings, whether the first candidate was confirmed, whether it is exact, the share of the table.
type IterationTuple = (VerdictTuple, Vec<PassTuple>, u32, Option<bool>, bool, Option<u32>);

/// The verdict, whether it is complete, the iterations, the unfinished one, cut nodes by height, threads and their idle time.
type FoundTuple =
    (VerdictTuple, bool, Vec<IterationTuple>, Option<IterationTuple>, Vec<(u64, u64, u64)>, Option<(usize, u64)>);

/// A result as a tuple.
pub(crate) fn found<'py>(py: Python<'py>, data: &FoundData, root: &Root) -> PyResult<Bound<'py, PyTuple>> {
    let from = Pickler { py, root };
    let heights = data.heights.iter().map(|cuts| (cuts.cut_nodes, cuts.first_move_cuts, cuts.moves_tried)).collect();
    let tuple: FoundTuple = (
        from.verdict(&data.verdict)?,
        data.complete,
        data.iterations.iter().map(|iteration| from.iteration(iteration)).collect::<PyResult<_>>()?,
        data.unfinished.as_ref().map(|iteration| from.iteration(iteration)).transpose()?,
        heights,
        data.parallel.map(|parallel| (parallel.threads, parallel.idle.as_nanos() as u64)),
    );
    tuple.into_pyobject(py)
}

struct Pickler<'r, 'py> {
    py: Python<'py>,
    root: &'r Root,
}

impl Pickler<'_, '_> {
    fn optional(&self, m: Option<&Mv>) -> PyResult<Optional> {
        m.map(|m| Ok((report::mv(self.py, self.root, Some(m))?,))).transpose()
    }

    fn line(&self, line: &[Mv]) -> PyResult<Line> {
        report::line(self.py, self.root, line)?.extract(self.py)
    }

    fn verdict(&self, verdict: &Verdict) -> PyResult<VerdictTuple> {
        let ranked = |ranked: &RankedData| {
            let m = report::mv(self.py, self.root, Some(&ranked.m))?;
            Ok((m, ranked.f.lower.get(), ranked.f.upper.get(), ranked.depth, self.line(&ranked.pv)?))
        };
        Ok((
            verdict.depth,
            verdict.value.map(Value::get),
            pair(verdict.f),
            self.optional(verdict.best_move.as_ref())?,
            self.line(&verdict.pv)?,
            verdict.ranked.iter().map(ranked).collect::<PyResult<_>>()?,
            counts(verdict.counts),
            verdict.time.as_nanos() as u64,
        ))
    }

    fn pass(&self, pass: &PassData) -> PyResult<PassTuple> {
        let window = (pass.window.alpha().get(), pass.window.beta().get());
        let (about, best) = (self.optional(pass.about.as_ref())?, self.optional(pass.best_move.as_ref())?);
        Ok((pass.depth, window, pass.g.get(), pair(pass.f), about, best, counts(pass.counts)))
    }

    fn iteration(&self, iteration: &IterationData) -> PyResult<IterationTuple> {
        let passes = iteration.passes.iter().map(|pass| self.pass(pass)).collect::<PyResult<_>>()?;
        let IterationData { crossings, first_candidate_confirmed, exact, table_used, .. } = *iteration;
        Ok((self.verdict(&iteration.verdict)?, passes, crossings, first_candidate_confirmed, exact, table_used))
    }
}

fn pair(f: Bounds) -> (i32, i32) {
    (f.lower.get(), f.upper.get())
}

fn counts(counts: Counts) -> Vec<u64> {
    counts.named().map(|(_, count)| count).to_vec()
}

/// The result of a pickled tuple.
#[pyfunction]
#[pyo3(name = "_restore_found")]
pub(crate) fn restore_found(py: Python<'_>, state: FoundTuple) -> PyResult<Py<PyFound>> {
    let (verdict, complete, iterations, unfinished, heights, parallel) = state;
    let heights = heights.into_iter().map(|(cut_nodes, first_move_cuts, moves_tried)| Cuts {
        cut_nodes,
        first_move_cuts,
        moves_tried,
    });
    let parallel = parallel.map(|(threads, idle)| {
        let mut stats = ParallelStats::default();
        (stats.threads, stats.idle) = (threads, Duration::from_nanos(idle));
        stats
    });
    let data = FoundData {
        verdict: Arc::new(restored_verdict(verdict)),
        complete,
        iterations: iterations.into_iter().map(restored_iteration).collect(),
        unfinished: unfinished.map(restored_iteration),
        heights: heights.collect(),
        parallel,
    };
    data.into_python(py, Root::default())
}

fn value(number: i32) -> Value {
    Value::default() + number
}

fn restored_bounds((lower, upper): (i32, i32)) -> Bounds {
    Bounds { lower: value(lower), upper: value(upper) }
}

fn restored_counts(counts: Vec<u64>) -> Counts {
    let mut counts = counts.into_iter();
    Counts::from_named(|_| counts.next())
}

fn restored_move(m: Py<PyAny>) -> Mv {
    Mv::Object(Arc::new(m))
}

fn restored_line(line: Line) -> Vec<Mv> {
    line.into_iter().map(restored_move).collect()
}

fn restored_verdict((depth, found, f, best_move, pv, ranked, counts, time): VerdictTuple) -> Verdict {
    let ranked = ranked.into_iter().map(|(m, lower, upper, depth, pv)| RankedData {
        m: restored_move(m),
        f: restored_bounds((lower, upper)),
        depth,
        pv: restored_line(pv),
    });
    Verdict {
        depth,
        value: found.map(value),
        f: restored_bounds(f),
        best_move: best_move.map(|(m,)| restored_move(m)),
        pv: restored_line(pv),
        ranked: ranked.collect(),
        counts: restored_counts(counts),
        time: Duration::from_nanos(time),
    }
}

fn restored_pass((depth, (alpha, beta), g, f, about, best_move, counts): PassTuple) -> PassData {
    PassData {
        depth,
        window: Window::new(value(alpha), value(beta)),
        g: value(g),
        f: restored_bounds(f),
        about: about.map(|(m,)| restored_move(m)),
        best_move: best_move.map(|(m,)| restored_move(m)),
        counts: restored_counts(counts),
    }
}

fn restored_iteration(tuple: IterationTuple) -> Arc<IterationData> {
    let (verdict, passes, crossings, first_candidate_confirmed, exact, table_used) = tuple;
    Arc::new(IterationData {
        verdict: Arc::new(restored_verdict(verdict)),
        passes: passes.into_iter().map(restored_pass).collect(),
        crossings,
        first_candidate_confirmed,
        exact,
        table_used,
    })
}
