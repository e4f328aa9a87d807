//! Conversions of values, bounds and visits to the classes of `emtee/_types.py`.

use emtee::research::{Cuts, End, ParallelStats, Visit, Window};
use emtee::{Bounds, Value};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};

macro_rules! classes {
    ($($function:ident $name:literal),*) => {$(
        fn $function(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
            static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
            CLASS.import(py, "emtee._types", $name)
        }
    )*};
}

classes!(value_class "Value", bounds_class "Bounds", window_class "Window", visit_class "Visit", cuts_class "Cuts", parallel_class "ParallelStats");

/// A value.
pub(crate) fn value(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    Ok(value_class(py)?.call1((value.get(),))?.unbind())
}

/// The bounds f⁻ and f⁺.
pub(crate) fn bounds(py: Python<'_>, f: Bounds) -> PyResult<Py<PyAny>> {
    Ok(bounds_class(py)?.call1((value(py, f.lower)?, value(py, f.upper)?))?.unbind())
}

/// The window of a pass.
pub(crate) fn window(py: Python<'_>, window: Window) -> PyResult<Py<PyAny>> {
    let (alpha, beta) = (value(py, window.alpha())?, value(py, window.beta())?);
    Ok(window_class(py)?.call1((alpha, beta))?.unbind())
}

/// A visit to a node.
pub(crate) fn visit(py: Python<'_>, visit: &Visit) -> PyResult<Py<PyAny>> {
    let end = match visit.end {
        End::Expanded => "expanded",
        End::Evaluated => "evaluated",
        End::Answered => "answered",
    };
    let (g, f) = (value(py, visit.g)?, bounds(py, visit.f)?);
    Ok(visit_class(py)?.call1((visit.depth, window(py, visit.window)?, g, f, end))?.unbind())
}

/// The quality of the move ordering, by height.
pub(crate) fn heights(py: Python<'_>, heights: &[Cuts]) -> PyResult<Py<PyAny>> {
    let class = cuts_class(py)?;
    let rows = heights.iter().map(|cuts| class.call1((cuts.cut_nodes, cuts.first_move_cuts, cuts.moves_tried)));
    Ok(PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind())
}

/// The statistics of a search on several threads.
pub(crate) fn parallel(py: Python<'_>, parallel: ParallelStats) -> PyResult<Py<PyAny>> {
    Ok(parallel_class(py)?.call1((parallel.threads, parallel.idle.as_secs_f64()))?.unbind())
}
