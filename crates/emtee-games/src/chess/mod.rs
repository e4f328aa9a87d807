//! Chess: the rules from [`cozy_chess`], everything else ours.
//!
//! * [`Board`] is a position and a [`Game`](emtee::Game): FEN in, FEN out, a drawn board with `{:#}`.
//! * [`Move`] prints as UCI has it (`e2e4`, `e7e8q`, `e1g1`).
//! * [`exchange`] says what a capture wins once all recaptures are made.
//! * [`evaluate`] judges a position; its weights come from `examples/tune_chess.rs`.
//! * [`pgn`] reads games, [`paper_set`] is the positions of the experiments.
//!
//! A value depends on the position and the depth alone: repetitions and the fifty-move rule belong to play, not to the
//! search of a position, and are not known here.
//!
//! ```
//! use emtee::{Budget, OwnEvaluation, player};
//! use emtee_games::chess::Board;
//!
//! let board: Board = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
//! let found = player(OwnEvaluation).build()?.think(&board, Budget::depth(3))?;
//! assert_eq!(found.best_move.unwrap().to_string(), "a1a8");
//! assert_eq!(found.value.unwrap().to_string(), "win in 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod endgames;
pub mod evaluate;
mod exchange;
mod features;
mod keys;
mod king;
mod kpk;
mod machine;
mod mating;
mod moves;
mod network;
mod notation;
mod objection;
mod order;
mod packed;
mod pawns;
pub mod pgn;
mod pieces;
mod san;
mod set;
mod sketch;
mod weights;

pub use board::Board;
pub use endgames::Endgames;
pub use exchange::exchange;
pub use mating::Mating;
pub use moves::Move;
pub use network::Network;
pub use set::{paper_set, tuning_set};
