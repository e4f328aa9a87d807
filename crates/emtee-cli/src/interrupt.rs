//! Ctrl-C: the first one sets a flag, so that the command can stop cleanly; the second one ends the process. A command that
//! never took the flag is ended by the first. A command can install its own handler instead.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

type Handler = Box<dyn FnMut() + Send>;

static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);

/// The flag that the first Ctrl-C sets. The caller must poll it.
pub(crate) fn flag() -> Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default).clone()
}

/// Keeps a handler installed; dropping it restores the default behaviour.
pub(crate) struct HandlerGuard;

impl Drop for HandlerGuard {
    fn drop(&mut self) {
        *handler() = None;
    }
}

/// Installs a handler that Ctrl-C calls until the returned guard is dropped.
pub(crate) fn handle_with(new: impl FnMut() + Send + 'static) -> HandlerGuard {
    *handler() = Some(Box::new(new));
    HandlerGuard
}

fn handler() -> MutexGuard<'static, Option<Handler>> {
    HANDLER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Handles a Ctrl-C.
pub(crate) fn interrupt() {
    if let Some(handler) = handler().as_mut() {
        return handler();
    }
    match FLAG.get() {
        Some(flag) if !flag.swap(true, SeqCst) => {}
        _ => std::process::exit(130),
    }
}
