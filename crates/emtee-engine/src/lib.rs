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

pub mod arena;
mod baseline;
mod book;
mod check;
#[cfg(feature = "std")]
pub mod cluster;
pub mod datagen;
mod duration;
mod ending;
mod error;
mod event;
#[cfg(feature = "games")]
mod games;
mod history;
mod kit;
mod names;
mod now;
mod position;
mod protocol;
mod record;
mod registry;
mod row;
mod search;
mod session;
mod settings;
mod solve;
mod tools;
mod trees;

pub use baseline::{Baseline, BaselineSettings};
pub use book::{Book, BookBuilder, BookTask};
pub use check::{Checked, Violation, check_steps};
pub use duration::read_duration;
pub use ending::{EndReason, Ending};
pub use error::Error;
pub use event::{Event, Unfinished};
pub use kit::{Conventions, Kit, WinChances, positions};
pub use names::{near, nearest};
#[cfg(not(feature = "std"))]
pub use now::set_clock;
pub use position::{Playable, Position};
pub use protocol::{Protocol, Setup, run_protocol};
pub use record::{GameResult, Record, RecordFormat};
pub use registry::{Entry, Registry};
pub use row::{Height, PassRow, Row, TopMove};
pub use search::{GameSearch, ObservedSearch, Search, build_observed};
pub use session::{Choice, Clock, Control, EndgameSolution, EndgameSolver, Engine, MakeEndgameSolver, Play};
pub use settings::Settings;
pub use solve::{Answer, Solution, Solve, SolveBy, SolveError, SolveProgress, Solved, Solving};
pub use tools::{Branch, Evaluations, Explored, MinimalGraph, Tools};
pub use trees::{TreeSearch, tree_names, uses_first_guess};

#[doc(hidden)]
pub mod internals;
