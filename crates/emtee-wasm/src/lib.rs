//! The search inside a page, as WebAssembly: it answers the questions that the explorer's server answers.
//!
//! A module has two functions. The page asks for `room`, writes a question there (its name, a line break, its body as
//! JSON), and calls `answer`, which gives it every line of the answer as it comes. Time is the page's. There are no threads:
//! a page that wants to stop a search ends the worker that it runs in.
//!
//! On other machines than wasm this crate is empty.

#![cfg(target_family = "wasm")]
#![allow(unsafe_code)] // The page reads and writes our memory.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use emtee_engine::{Registry, set_clock};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;

    /// Gives the page a line.
    fn line(at: *const u8, length: usize);
}

thread_local! {
    /// What the page has written to ask.
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a question of so many bytes.
pub fn room(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        *question = vec![0; length];
        question.as_mut_ptr()
    })
}

/// Answers the question that was written.
pub fn answer(registry: Registry) {
    set_clock(|| Duration::from_secs_f64(now() / 1e3));
    let asked = QUESTION.take();
    let end = asked.iter().position(|&byte| byte == b'\n').unwrap_or(asked.len());
    let name = String::from_utf8_lossy(&asked[..end]);
    emtee_web::answer(&Arc::new(registry), &name, asked.get(end + 1..).unwrap_or_default(), |text| {
        // SAFETY: the page reads the text before this returns, and does not write.
        unsafe { line(text.as_ptr(), text.len()) }
    });
}

/// The functions of a module with these games.
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
