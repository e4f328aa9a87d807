//! Searches for clients: they send their results line by line, and can be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use emtee_engine::Control;
use serde::Serialize;

use crate::refusal::Refusal;

/// The flag that stops a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    pub(crate) flag: Arc<AtomicBool>,
}

impl Stop {
    #[cfg(feature = "server")]
    pub(crate) fn stop(&self) {
        self.flag.store(true, Relaxed);
    }

    /// The control of an engine, stopped by the flag.
    pub(crate) fn control(&self) -> Control {
        Control::with_flag(self.flag.clone())
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.flag.load(Relaxed)
    }
}

/// The output of a search: one JSON object per line.
#[derive(Clone)]
pub(crate) struct Lines(Arc<dyn Fn(Vec<u8>) + Send + Sync>);

impl Lines {
    pub(crate) fn new(line: impl Fn(Vec<u8>) + Send + Sync + 'static) -> Lines {
        Lines(Arc::new(line))
    }

    /// Sends an object.
    pub(crate) fn send(&self, object: &impl Serialize) {
        if let Ok(line) = serde_json::to_vec(object) {
            self.send_text(line);
        }
    }

    /// Sends an object that is JSON already.
    pub(crate) fn send_text(&self, line: Vec<u8>) {
        (self.0)(line);
    }
}

/// A search that is ready to run: its request has been checked.
pub(crate) trait Search: Send + Sync {
    /// The search is stopped after this time.
    fn limit(&self) -> Duration;

    /// The most threads that can work on it.
    fn max_threads(&self) -> usize {
        1
    }

    /// Sends a header; `threads` will work on the search.
    fn begin(&self, _threads: usize, _lines: &Lines) {}

    /// Works until nothing is left to do; called on each of the threads.
    fn work(&self, lines: &Lines, stop: &Stop) -> Result<(), Refusal>;

    /// Sends a summary, after all threads are done.
    fn end(&self, _lines: &Lines, _stop: &Stop) {}
}
