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
mod comparison;
pub mod datagen;
mod duration;
mod ending;
mod error;
mod event;
#[cfg(feature = "games")]
mod games;
mod history;
mod kit;
#[cfg(feature = "std")]
mod learn;
mod mcts;
mod names;
mod now;
mod position;
mod protocol;
mod record;
mod registry;
mod row;
mod search;
mod session;
mod set_up;
mod settings;
mod solve;
mod tools;
mod trees;

pub use baseline::{Baseline, BaselineSettings};
#[doc(alias("opening book"))]
pub use book::Book;
pub use book::{BookBuilder, BookTask};
pub use check::{Checked, Violation, bad_order, check_steps, repeats};
pub use comparison::{Comparison, Cost, Standing, geometric_mean, standings};
pub use duration::read_duration;
#[cfg(feature = "std")]
pub use emtee_learn::{self, Features, Generation, Task};
pub use ending::{EndReason, Ending};
pub use error::Error;
pub use event::{Event, Unfinished};
pub use kit::{Conventions, Kit, WinChances, positions};
#[cfg(feature = "std")]
pub use learn::{EvaluateAny, Learning, checked as checked_model, evaluate_any, features_of_drawing, work_of};
pub use names::{near, nearest};
#[cfg(not(feature = "std"))]
pub use now::set_clock;
pub use position::{Playable, Position};
pub use protocol::{Protocol, Setup, run_protocol};
#[doc(alias("PGN", "save game"))]
pub use record::Record;
pub use record::{GameResult, RecordFormat};
pub use registry::{Entry, Registry};
pub use row::{Height, PassRow, Row, TopMove};
pub use search::{GameSearch, ObservedSearch, Search, build_observed};
#[doc(alias("time control", "time management"))]
pub use session::Clock;
pub use session::{Choice, Control, EndgameSolution, EndgameSolver, Engine, MakeEndgameSolver, Play};
pub use set_up::{Piece, SetUp};
pub use settings::Settings;
pub use solve::{Answer, Solution, Solve, SolveBy, SolveError, SolveProgress, Solved, Solving};
#[doc(alias("solution tree", "minimal tree"))]
pub use tools::MinimalGraph;
pub use tools::{Branch, Evaluations, Explored, Tools};
pub use trees::{TreeEvent, TreeRecorder, TreeSearch, tree_names, uses_first_guess};

#[doc(hidden)]
pub mod internals;
