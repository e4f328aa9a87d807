//! Ctrl-C. A search that is detached from the interpreter checks for signals when it reads its clock.

use std::cell::RefCell;
use std::thread::ThreadId;
use std::time::Duration;

use emtee::{Stop, system_clock};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The time between two checks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// A time that is never reached. A stop at it makes the search read its clock.
const NEVER: Duration = Duration::from_nanos(u64::MAX - 1);

/// Python's main thread, the only one that receives signals; `None` if another thread imported the module first.
static MAIN: PyOnceLock<Option<ThreadId>> = PyOnceLock::new();

/// The search that runs on this thread.
struct SignalWatch {
    stop: Stop,
    last_check: Duration,
    /// The exception that a signal handler raised.
    raised: Option<PyErr>,
}

thread_local! {
    static WATCH: RefCell<Option<SignalWatch>> = const { RefCell::new(None) };
}

/// Records which thread is Python's main thread.
pub(crate) fn remember_main(py: Python<'_>) -> PyResult<()> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("current_thread")?.is(&threading.call_method0("main_thread")?);
    let _ = MAIN.set(py, main.then(|| std::thread::current().id()));
    Ok(())
}

/// The clock of all searches: the system clock, with a check for signals at most every [`SIGNAL_INTERVAL`].
pub(crate) fn clock() -> Duration {
    let now = system_clock();
    WATCH.with_borrow_mut(|watch| {
        if let Some(watch) = watch.as_mut().filter(|watch| now.saturating_sub(watch.last_check) >= SIGNAL_INTERVAL) {
            watch.last_check = now;
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                watch.stop.now();
                watch.raised.get_or_insert(error);
            }
        }
    });
    now
}

/// Whether a signal has stopped what runs on this thread. Looks for signals, at most every [`SIGNAL_INTERVAL`].
pub(crate) fn is_stopped() -> bool {
    clock();
    WATCH.with_borrow(|watch| watch.as_ref().is_some_and(|watch| watch.raised.is_some()))
}

/// Whether an exception of the user's code is the first Ctrl-C of the search. If so, the search is stopped, and the caller makes
/// the call again, so that unfinished nodes end with correct values.
pub(crate) fn is_interrupt(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyKeyboardInterrupt>(py)
        && WATCH.with_borrow_mut(|watch| {
            watch.as_mut().is_some_and(|watch| {
                let first = watch.raised.is_none();
                watch.stop.now();
                watch.raised.get_or_insert_with(|| error.clone_ref(py));
                first
            })
        })
}

/// Runs a search that signals can stop. Returns its result, and the exception that a signal handler raised, if any.
pub(crate) fn with_signals<T>(py: Python<'_>, stop: &Stop, work: impl FnOnce() -> T) -> (T, Option<PyErr>) {
    let main = MAIN.get(py).copied().flatten();
    stop.at(NEVER);
    let receives_signals = main.is_none_or(|main| main == std::thread::current().id());
    let watch = receives_signals.then(|| SignalWatch { stop: stop.clone(), last_check: system_clock(), raised: None });
    // The user's code may run a search inside a search. Until it ends, it replaces the outer watch.
    let outer = WATCH.replace(watch);
    let restore = RestoreOuter(Some(outer));
    let result = work();
    let raised = WATCH.with_borrow_mut(|watch| watch.as_mut().and_then(|watch| watch.raised.take()));
    drop(restore);
    (result, raised)
}

/// Restores the outer watch when the inner search ends, also by unwinding.
struct RestoreOuter(Option<Option<SignalWatch>>);

impl Drop for RestoreOuter {
    fn drop(&mut self) {
        if let Some(outer) = self.0.take() {
            WATCH.replace(outer);
        }
    }
}
