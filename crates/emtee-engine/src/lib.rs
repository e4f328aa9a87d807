//! Games by name, and what a program does with them: search, play, solve, run matches and speak engine protocols.
//!
//! The [`Registry`] is the one place that lists games. It is a value: a program can add its own game, and every command
//! works for it.
//!
//! ```
//! use emtee_engine::{Registry, Settings};
//! use emtee::Budget;
//!
//! let registry = Registry::standard();
//! let start = registry.get("connect4")?.position("4455")?;
//! let row = start.search(&Settings::default(), Budget::depth(5), &mut |_| ())?;
//! assert_eq!(row.depth, 5);
//! # Ok::<(), emtee_engine::Error>(())
//! ```

// With all features, everything is used.
#![cfg_attr(not(all(feature = "study", feature = "games")), allow(dead_code, unused_imports))]

#[cfg(feature = "study")]
pub mod arena;
mod book;
#[cfg(feature = "study")]
mod check;
#[cfg(feature = "study")]
pub mod cluster;
#[cfg(feature = "study")]
pub mod datagen;
mod duration;
mod ending;
mod error;
#[cfg(feature = "study")]
mod evaluations;
#[cfg(feature = "study")]
mod explore;
mod illegal_moves;
mod kit;
#[cfg(feature = "study")]
mod minimal;
mod names;
mod now;
#[cfg(feature = "study")]
mod perft;
mod position;
mod protocol;
mod record;
mod registry;
mod row;
mod search;
mod session;
mod settings;
#[cfg(feature = "study")]
mod solve;
mod trees;

pub use book::Book;
#[cfg(feature = "study")]
pub use book::{BookBuilder, BookTask};
#[cfg(feature = "study")]
pub use check::{Checked, Violation, check_steps};
pub use duration::read_duration;
pub use ending::{EndReason, Ending};
pub use error::Error;
#[cfg(feature = "study")]
pub use evaluations::Evaluations;
#[cfg(feature = "study")]
pub use explore::{Branch, Explored};
pub use kit::{Conventions, WinChances, positions};
#[cfg(feature = "study")]
pub use minimal::MinimalGraph;
pub use names::{near, nearest};
#[cfg(not(feature = "std"))]
pub use now::set_clock;
pub use position::{Playable, Position};
pub use protocol::{Protocol, Setup, run_protocol};
pub use record::{GameResult, Record, RecordFormat};
pub use registry::{Entry, Registry};
pub use row::{Height, PassRow, Row, TopMove};
pub use session::{Choice, Clock, Control, Engine, Play};
pub use settings::Settings;
#[cfg(feature = "study")]
pub use solve::{Solve, Solved, Solving};
pub use trees::{TreeSearch, tree_names, uses_first_guess};

#[cfg(feature = "study")]
#[doc(hidden)]
pub mod internals;
