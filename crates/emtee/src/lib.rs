//! **emtee**: MT, a null-window search with memory, and the small drivers that turn it into SSS*, DUAL*, C*, MTD-f and more.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod algorithm;
mod baseline;
mod best;
mod deepening;
mod driver;
mod error;
mod game;
pub mod laws;
mod limits;
mod mt;
mod observer;
mod oracle;
mod ordering;
mod pv;
mod search;
mod session;
mod stats;
mod table;
mod value;
mod worker;

pub use algorithm::{Algorithm, Guess, nearest};
pub use best::Strategy;
pub use driver::{DUAL, Driver, MTD_BI, MTD_F, MTD_F_FIGURE_8, Mtd, Progress, SSS, mtd_gallop, mtd_step};
pub use error::Error;
pub use game::{Evaluate, Game, Grain, Liveliness, Moves, Outcome, OwnEvaluation, Side, key_of, legal_moves, mix};
#[cfg(feature = "std")]
pub use limits::system_clock;
pub use limits::{Budget, Clock, MAX_DEPTH};
pub use observer::{End, Observer, Visit};
pub use ordering::Ordering;
pub use search::{Builder, Found, Poll, RankedMove, Search, player};
pub use stats::{Counts, Cuts, Iteration, Pass};
pub use table::{Keep, Reuse, Size};
pub use value::{Bounds, Gamma, Kind, Value, Window};
