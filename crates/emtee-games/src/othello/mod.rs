//! x
#![allow(missing_docs)]
mod board;
pub mod endgame;
pub mod evaluate;
mod ggf;
mod last;
mod moves;
pub mod notation;
mod order;
pub mod patterns;
mod simd;
mod stable;
pub mod wthor;
pub use board::*; pub use moves::*;
pub use ggf::{Ggf, GgfMove};
