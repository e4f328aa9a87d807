//! Experiments, and tasks that Ctrl-C stops through a flag.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use emtee::research::Mode;
use emtee::{Algorithm, Size};
use emtee_engine::{Comparison, Cost, Settings};
use emtee_lab::{Estimate, Execution, Experiment, Plan};
use pyo3::prelude::*;
use pyo3::types::PyDict;
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

/// A row of a comparison: its name, its algorithm, and the limit of nodes if it has one.
type Compared = (String, String, Option<u64>);

/// The algorithms of a comparison, the index of the baseline, and the options of their searches. Without a game of the registry
/// the baseline has its default window.
#[pyfunction]
pub(crate) fn comparison<'py>(
    py: Python<'py>,
    game: Option<&str>,
    names: Vec<String>,
    depth: u8,
) -> PyResult<(Vec<Compared>, usize, Bound<'py, PyDict>)> {
    let names = names.iter().map(String::as_str);
    let entry = game.and_then(|game| REGISTRY.get(game).ok());
    let comparison = match entry {
        Some(entry) => Comparison::new(entry, names),
        None => Comparison::with_baseline(Algorithm::BASELINE, names),
    };
    let comparison = comparison.map_err(emtee_error)?;
    if let Some((name, _)) = comparison.algorithms.iter().find(|(name, _)| Comparison::own_guess(name).is_some()) {
        let option = "has its own guess, which compare does not support here; use `emtee compare`";
        return Err(emtee_error(emtee::Error::Unsupported { algorithm: name.clone(), option }));
    }
    let options = PyDict::new(py);
    let settings = entry.map_or_else(Settings::default, Comparison::settings).options;
    options.set_item("entries", settings.size.map(Size::entries))?;
    options.set_item("store_leaves", settings.store_leaves)?;
    options.set_item("principal_variation", false)?;
    if let (Some(_), Mode::Exact { etc }) = (entry, settings.mode) {
        options.set_item("deepen_by", 1)?;
        options.set_item("guess", settings.guess.to_string())?;
        options.set_item("etc", etc)?;
    }
    let row = |(name, algorithm): &(String, Algorithm)| {
        (name.clone(), algorithm.to_string(), Comparison::budget(*algorithm, depth).nodes)
    };
    Ok((comparison.algorithms.iter().map(row).collect(), comparison.baseline, options))
}

/// A finished search of a comparison: the number of its position, leaves, nodes, passes, seconds.
type Measured = (usize, u64, u64, usize, f64);

/// The sums of algorithms over their positions, and their geometric means relative to the baseline in percent.
#[pyfunction]
pub(crate) fn standings(py: Python<'_>, baseline: usize, costs: Vec<Vec<Measured>>) -> PyResult<Py<PyAny>> {
    let cost = |&(position, nbp, nodes, passes, seconds): &Measured| (position, Cost { nbp, nodes, passes, seconds });
    let costs: Vec<Vec<(usize, Cost)>> = costs.iter().map(|costs| costs.iter().map(cost).collect()).collect();
    to_python(py, &emtee_engine::standings(baseline, &costs))
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
            return Ok(json!({ "claims": [], "figures": [], "ratios": [] }));
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
        let estimate = |ratio: &Estimate| json!({ "mean": ratio.mean, "low": ratio.low, "high": ratio.high, "positions": ratio.positions });
        let ratios: Vec<_> = report
            .ratios
            .iter()
            .map(|row| json!({ "name": row.name, "game": row.game, "nbp": estimate(&row.leaves), "nodes": estimate(&row.nodes) }))
            .collect();
        Ok::<_, emtee_lab::Error>(json!({ "claims": claims, "figures": figures, "ratios": ratios }))
    })?;
    match raised {
        Some(error) => Err(error),
        None => to_python(py, &done.map_err(emtee_error)?),
    }
}
