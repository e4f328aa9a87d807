//! Ctrl-C: the first asks a command that can to stop cleanly, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// A flag that the first Ctrl-C raises. Whoever takes it promises to look at it.
pub(crate) fn flag() -> Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default).clone()
}

/// What Ctrl-C does.
pub(crate) fn interrupt() {
    match FLAG.get() {
        Some(flag) if !flag.swap(true, SeqCst) => {}
        _ => std::process::exit(130),
    }
}
