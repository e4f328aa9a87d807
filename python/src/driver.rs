//! A driver that the user wrote in Python.

use std::sync::Arc;

use emtee::Value;
use emtee::research::{Driver, Progress};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::raise;
use crate::shown::{bounds, value};

/// A function from a `Progress` to the bound of the next pass.
pub(crate) struct PyDriver(pub(crate) Arc<Py<PyAny>>);

impl Driver for PyDriver {
    fn next(&mut self, progress: &Progress) -> Value {
        Python::attach(|py| {
            let ask = || {
                let answer = self.0.bind(py).call1((Py::new(py, PyProgress(*progress))?,))?;
                answer.extract::<i64>().map_err(|_| {
                    PyTypeError::new_err(
                        "a driver returns an int: the bound of the next pass, like progress.g or progress.g + 1",
                    )
                })
            };
            let asked =
                ask().or_else(|error| if crate::interrupt::is_interrupt(py, &error) { ask() } else { Err(error) });
            let bound = asked.unwrap_or_else(|error| raise(error));
            // Whatever lies outside is moved inside by the search.
            Value::default() + bound.clamp(-100_000, 100_000) as i32
        })
    }
}

/// How far a driver has come: what the passes so far have found. A driver is a function from this to the bound of the next
/// pass.
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
    /// What the last pass returned; before the first pass, the approximation.
    #[getter]
    fn g(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        value(py, self.0.g)
    }

    /// The bound of the last pass; before the first pass, the approximation.
    #[getter]
    fn bound(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        value(py, self.0.bound)
    }

    /// What is known: f⁻ and f⁺.
    #[getter]
    fn f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.0.f)
    }

    /// Where f was known to lie before the first pass: the paper's −∞ and +∞.
    #[getter]
    fn range(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        bounds(py, self.0.range)
    }

    /// How many passes there have been.
    #[getter]
    fn passes(&self) -> u32 {
        self.0.passes
    }

    /// How many of the latest passes failed the same way.
    #[getter]
    fn run(&self) -> u32 {
        self.0.run
    }

    /// How many passes contradicted an earlier one.
    #[getter]
    fn crossings(&self) -> u32 {
        self.0.crossings
    }

    /// Whether the last pass failed low: g < γ.
    #[getter]
    fn failed_low(&self) -> bool {
        self.0.failed_low()
    }

    /// Whether passes have failed both ways, so that f lies between two answers.
    #[getter]
    fn is_bracketed(&self) -> bool {
        self.0.is_bracketed()
    }
}
