//! The search of the explorer as WebAssembly: it answers the same requests as the explorer's server.
//!
//! A module exports two functions. The page calls `room` for a buffer, writes a request into it (its name, a line break,
//! its body as JSON), and calls `answer`, which passes each line of the answer to the page as soon as it is ready. The page
//! provides the clock. There are no threads: to stop a search, the page terminates its worker.
//!
//! On targets other than wasm this crate is empty.

#![cfg(target_family = "wasm")]
#![allow(unsafe_code)] // The page reads and writes the memory of the module.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use emtee_engine::{Registry, set_clock};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since a fixed time.
    safe fn now() -> f64;

    /// Passes a line of the answer to the page.
    fn line(start: *const u8, length: usize);
}

thread_local! {
    /// The request.
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A buffer for a request of `length` bytes.
pub fn room(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        *request = vec![0; length];
        request.as_mut_ptr()
    })
}

/// Answers the request in the buffer.
pub fn answer(registry: Registry) {
    set_clock(|| Duration::from_secs_f64(now() / 1e3));
    let request = REQUEST.take();
    let end = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
    let name = String::from_utf8_lossy(&request[..end]);
    emtee_web::answer(&Arc::new(registry), &name, request.get(end + 1..).unwrap_or_default(), |text| {
        // SAFETY: the page reads the text before this call returns and does not write to it.
        unsafe { line(text.as_ptr(), text.len()) }
    });
}

/// Defines the exported functions of a module with these games.
#[macro_export]
macro_rules! module {
    ($registry:expr) => {
        #[unsafe(no_mangle)]
        extern "C" fn room(length: usize) -> *mut u8 {
            $crate::room(length)
        }

        #[unsafe(no_mangle)]
        extern "C" fn answer() {
            $crate::answer($registry);
        }
    };
}
