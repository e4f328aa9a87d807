//! Drivers written in Python.

use std::sync::Arc;

use emtee::Value;
use emtee::research::{Driver, Progress};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::convert::{bounds, value};
use crate::error::raise;

/// A function from a `Progress` to the bound of the next pass.
pub(crate) struct PyDriver(pub(crate) Arc<Py<PyAny>>);

impl Driver for PyDriver {
    fn next(&mut self, progress: &Progress) -> Value {
        Python::attach(|py| {
            let call = || {
                let bound = self.0.bind(py).call1((Py::new(py, PyProgress(*progress))?,))?;
                bound.extract::<i64>().map_err(|_| {
                    PyTypeError::new_err(
                        "a driver returns an int: the bound of the next pass, like progress.g or progress.g + 1",
                    )
                })
            };
            let result =
                call().or_else(|error| if crate::interrupt::is_interrupt(py, &error) { call() } else { Err(error) });
            let bound = result.unwrap_or_else(|error| raise(error));
            // The search clamps a bound outside the range.
            Value::default() + bound.clamp(-100_000, 100_000) as i32
        })
    }
}

/// The state of a driver: the results of the passes so far. A driver is a function from this to the bound of the next pass.
///
/// >>> import emtee
/// >>> def mtd_f(s):
/// ...     return s.g if s.passes == 0 or s.failed_low else s.g + 1
/// >>> emtee.Player(driver=mtd_f).think(emtee.connect4(), depth=6).value
/// 0
#[pyclass(name = "Progress", module = "emtee", frozen)]
pub(crate) struct PyProgress(Progress);

#[pymethods]
impl PyProgress {
    /// The result g of the last pass; before the first pass, the first guess.
    #[getter]
    fn g(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        value(py, self.0.g)
    }

    /// The bound of the last pass; before the first pass, the first guess.
    #[getter]
    fn bound(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        value(py, self.0.bound)
    }

    /// The bounds on the value so far: f⁻ and f⁺.
    #[getter]
    fn f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.0.f)
    }

    /// The bounds on the value before the first pass: the paper's −∞ and +∞.
    #[getter]
    fn range(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.0.range)
    }

    /// The number of passes so far.
    #[getter]
    fn passes(&self) -> u32 {
        self.0.passes
    }

    /// The number of latest passes that failed in the same direction.
    #[getter]
    fn run(&self) -> u32 {
        self.0.run
    }

    /// The number of passes that contradicted an earlier one.
    #[getter]
    fn crossings(&self) -> u32 {
        self.0.crossings
    }

    /// Whether the last pass failed low: g < γ.
    #[getter]
    fn failed_low(&self) -> bool {
        self.0.failed_low()
    }

    /// Whether passes have failed in both directions, so that f lies between two results.
    #[getter]
    fn is_bracketed(&self) -> bool {
        self.0.is_bracketed()
    }
}
