//! Ctrl-C. A search that has let go of the interpreter looks for signals whenever it looks at its clock.

use std::cell::RefCell;
use std::sync::Arc;
use std::thread::ThreadId;
use std::time::Duration;

use emtee::{Alarm, system_clock};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// How long a signal may wait.
const PATIENCE: Duration = Duration::from_millis(20);

/// A moment that never comes. An alarm that is set to it makes the search look at its clock.
const NEVER: Duration = Duration::from_nanos(u64::MAX - 1);

/// Python tells this thread alone about signals; nothing if the module was first imported by another.
static MAIN: PyOnceLock<Option<ThreadId>> = PyOnceLock::new();

/// The search that this thread is at work on.
struct Watch {
    alarm: Arc<Alarm>,
    looked: Duration,
    /// What a signal handler raised.
    raised: Option<PyErr>,
}

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// Remembers which thread is Python's main thread.
pub(crate) fn remember_main(py: Python<'_>) -> PyResult<()> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("current_thread")?.is(&threading.call_method0("main_thread")?);
    let _ = MAIN.set(py, main.then(|| std::thread::current().id()));
    Ok(())
}

/// The clock of all searches: the system's, which also looks for signals now and then.
pub(crate) fn clock() -> Duration {
    let now = system_clock();
    WATCH.with_borrow_mut(|watch| {
        if let Some(watch) = watch.as_mut().filter(|watch| now.saturating_sub(watch.looked) >= PATIENCE) {
            watch.looked = now;
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                watch.alarm.ring();
                watch.raised.get_or_insert(error);
            }
        }
    });
    now
}

/// Whether an exception is Ctrl-C, seen while the user's code ran. The search is then told to stop; the call is made again, so
/// that what is already under way ends with true values.
pub(crate) fn is_interrupt(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyKeyboardInterrupt>(py)
        && WATCH.with_borrow_mut(|watch| {
            watch.as_mut().is_some_and(|watch| {
                let first = watch.raised.is_none();
                watch.alarm.ring();
                watch.raised.get_or_insert_with(|| error.clone_ref(py));
                first
            })
        })
}

/// Runs a search that signals can stop. What a signal handler raised comes back beside the result.
pub(crate) fn watched<T>(py: Python<'_>, alarm: &Arc<Alarm>, work: impl FnOnce() -> T) -> (T, Option<PyErr>) {
    let main = MAIN.get(py).copied().flatten();
    alarm.set(NEVER);
    let ours = main.is_none_or(|main| main == std::thread::current().id());
    let watch = ours.then(|| Watch { alarm: alarm.clone(), looked: system_clock(), raised: None });
    // A search inside a search, by way of the user's code, is watched in its place.
    let outer = WATCH.replace(watch);
    let put_back = PutBack(Some(outer));
    let result = work();
    let raised = WATCH.with_borrow_mut(|watch| watch.as_mut().and_then(|watch| watch.raised.take()));
    drop(put_back);
    (result, raised)
}

/// Puts the outer watch back, however the inner search ends.
struct PutBack(Option<Option<Watch>>);

impl Drop for PutBack {
    fn drop(&mut self) {
        if let Some(outer) = self.0.take() {
            WATCH.replace(outer);
        }
    }
}
