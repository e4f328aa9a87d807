//! Learns an evaluation of a board game from its rules, by self-play.
#![doc = include_str!("../README.md")]

mod features;

pub use features::{Features, MAX_CELLS, MAX_COUNTERS, MAX_KINDS};
