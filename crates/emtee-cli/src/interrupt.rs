//! Ctrl-C: the first asks a command that can to stop cleanly, the second ends the process. A command may do something else
//! instead, for as long as it likes.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

type Action = Box<dyn FnMut() + Send>;

static ACTION: Mutex<Option<Action>> = Mutex::new(None);

/// A flag that the first Ctrl-C raises. Whoever takes it promises to look at it.
pub(crate) fn flag() -> Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default).clone()
}

/// While this lives, Ctrl-C does something else.
pub(crate) struct Instead;

impl Drop for Instead {
    fn drop(&mut self) {
        *action() = None;
    }
}

/// What Ctrl-C does from now on, until the answer is dropped.
pub(crate) fn instead(does: impl FnMut() + Send + 'static) -> Instead {
    *action() = Some(Box::new(does));
    Instead
}

fn action() -> MutexGuard<'static, Option<Action>> {
    ACTION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What Ctrl-C does.
pub(crate) fn interrupt() {
    if let Some(does) = action().as_mut() {
        return does();
    }
    match FLAG.get() {
        Some(flag) if !flag.swap(true, SeqCst) => {}
        _ => std::process::exit(130),
    }
}
