//! Searches that somebody asked for: they say line by line what they find, and can be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use emtee_engine::Control;
use serde::Serialize;

use crate::refusal::Refusal;

/// How searches are stopped: those of the lab by a flag, an engine by its control.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    pub(crate) flag: Arc<AtomicBool>,
    pub(crate) control: Control,
}

impl Stop {
    #[cfg(feature = "server")]
    pub(crate) fn stop(&self) {
        self.flag.store(true, Relaxed);
        self.control.stop();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.flag.load(Relaxed)
    }
}

/// Where a search says what it found: an object a line.
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

/// A search that is ready to run: what is wrong with its question has been said before.
pub(crate) trait Search: Send + Sync {
    /// It is stopped after this.
    fn limit(&self) -> Duration;

    /// How many threads can work on it.
    fn most_threads(&self) -> usize {
        1
    }

    /// Says what is going to happen, on so many threads.
    fn begin(&self, _threads: usize, _lines: &Lines) {}

    /// Works until there is nothing left to do, on each of the threads.
    fn work(&self, lines: &Lines, stop: &Stop) -> Result<(), Refusal>;

    /// Says what came of it, when all threads are done.
    fn end(&self, _lines: &Lines, _stop: &Stop) {}
}
