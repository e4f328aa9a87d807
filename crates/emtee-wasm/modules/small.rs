//! Trees, and the games without weights.

#![cfg(target_family = "wasm")]
#![allow(unsafe_code)] // The names that the page calls.

emtee_wasm::module!(emtee_engine::Registry::default().with_small_as_one());
