//! The module of checkers.

#![cfg(target_family = "wasm")]
#![allow(unsafe_code)] // The exported functions.

emtee_wasm::module!(emtee_engine::Registry::default().with_checkers());
