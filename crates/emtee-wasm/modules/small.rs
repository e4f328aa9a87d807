//! The module of explicit trees and the small games.

#![cfg(target_family = "wasm")]
#![allow(unsafe_code)] // The exported functions.

emtee_wasm::module!(emtee_engine::Registry::default().with_small_as_one());
