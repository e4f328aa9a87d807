//! Experiments, and tasks that Ctrl-C stops through a flag.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use emtee_lab::{Execution, Experiment, Plan};
use pyo3::prelude::*;
use serde_json::json;

use crate::boards::REGISTRY;
use crate::error::emtee_error;

/// Runs a task on another thread, while this thread checks for signals. Ctrl-C or the end of the time sets the flag `stop`,
/// which the task must check.
pub(crate) fn run_interruptible<T: Send>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    seconds: Option<f64>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let end = seconds.map(|seconds| crate::player::seconds(seconds).map(|time| Instant::now() + time)).transpose()?;
    let mut raised = None;
    let result = std::thread::scope(|scope| {
        let (done, waiting) = channel();
        let waiting = Mutex::new(waiting);
        scope.spawn(move || {
            let _ = done.send(work());
        });
        loop {
            let wait = || match waiting.lock() {
                Ok(waiting) => waiting.recv_timeout(Duration::from_millis(20)),
                Err(_) => Err(RecvTimeoutError::Disconnected),
            };
            match py.detach(wait) {
                Ok(result) => break Some(result),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(error) = py.check_signals() {
                stop.store(true, Relaxed);
                raised.get_or_insert(error);
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                stop.store(true, Relaxed);
            }
        }
    });
    match (raised, result) {
        (Some(error), _) => Err(error),
        (None, Some(result)) => Ok(result),
        (None, None) => Err(pyo3::exceptions::PyRuntimeError::new_err("the task ended without a result")),
    }
}

/// A serializable value as Python dicts and lists.
pub(crate) fn to_python(py: Python<'_>, value: &impl serde::Serialize) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_string(value).map_err(emtee_error)?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}

/// Runs the experiment of a TOML text, and writes its results into a folder. Returns the claims and figures.
#[pyfunction]
#[pyo3(signature = (toml, out, jobs=0, shard=(1, 1), progress=None))]
pub(crate) fn run_experiment(
    py: Python<'_>,
    toml: &str,
    out: PathBuf,
    jobs: usize,
    shard: (usize, usize),
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    if shard.0 == 0 || shard.0 > shard.1 {
        return Err(emtee_error(format!("there is no part {} of {}", shard.0, shard.1)));
    }
    let experiment: Experiment = toml.parse().map_err(emtee_error)?;
    run(py, experiment, out, jobs, shard, progress)
}

/// Reruns the paper's experiments at a scale.
#[pyfunction]
#[pyo3(signature = (scale, out, jobs=0, progress=None))]
pub(crate) fn run_reproduce(
    py: Python<'_>,
    scale: &str,
    out: PathBuf,
    jobs: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    run(py, Experiment::reproduce(scale).map_err(emtee_error)?, out, jobs, (1, 1), progress)
}

fn run(
    py: Python<'_>,
    experiment: Experiment,
    out: PathBuf,
    jobs: usize,
    shard: (usize, usize),
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let mut execution = Execution::default();
    (execution.jobs, execution.shard) = (jobs, shard);
    let stop = execution.stop.clone();
    let mut raised = None;
    let done = run_interruptible(py, &stop, None, || {
        let plan = Plan::new(experiment, &REGISTRY)?;
        emtee_lab::run(&plan, &REGISTRY, &out, &execution, &mut |step| {
            if let Some(progress) = progress.as_ref().filter(|_| raised.is_none())
                && let Err(error) = Python::attach(|py| progress.call1(py, (step.done, step.of)))
            {
                execution.stop.store(true, Relaxed);
                raised = Some(error);
            }
        })?;
        if execution.stop.load(Relaxed) || shard.1 > 1 {
            return Ok(json!({ "claims": [], "figures": [] }));
        }
        let report = emtee_lab::report(&plan, &REGISTRY, &out)?;
        let figures: Vec<_> = report
            .figures
            .iter()
            .map(|figure| json!({ "title": figure.title, "caption": figure.caption, "svg": figure.svg }))
            .collect();
        let claims: Vec<_> = report
            .claims
            .iter()
            .map(|claim| json!({ "section": claim.section, "claim": claim.claim, "paper": claim.paper, "here": claim.here, "verdict": claim.verdict.to_string() }))
            .collect();
        Ok::<_, emtee_lab::Error>(json!({ "claims": claims, "figures": figures }))
    })?;
    match raised {
        Some(error) => Err(error),
        None => to_python(py, &done.map_err(emtee_error)?),
    }
}
