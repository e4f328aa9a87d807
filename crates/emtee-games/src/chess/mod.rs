//! Chess. The rules are those of [`cozy_chess`]; everything else is here.
//!
//! * [`Board`] is a position and a [`Game`](emtee::Game). It is read from FEN and written as FEN; `{:#}` draws the
//!   board.
//! * [`Move`] prints in UCI notation (`e2e4`, `e7e8q`, `e1g1`).
//! * [`see`] is the static exchange evaluation of a move.
//! * [`evaluate`] is the evaluation; its weights come from `examples/tune_chess.rs`.
//! * [`pgn`] reads games. [`paper_set`] has the positions of the experiments.
//!
//! A value depends on the position and the depth alone. Repetitions and the fifty-move rule belong to a search in play
//! (with game history); a position does not know them.
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
mod dispatch;
mod endgames;
pub mod evaluate;
mod features;
mod handwritten;
mod illegal_reason;
mod keys;
mod king;
mod kpk;
mod mate_search;
mod moves;
mod network;
mod notation;
mod order;
mod packed;
mod pawns;
pub mod pgn;
mod pieces;
mod san;
mod see;
mod set;
mod weights;

pub use board::Board;
pub use endgames::Endgames;
pub use mate_search::MateSearch;
pub use moves::Move;
#[doc(alias("NNUE", "neural network"))]
pub use network::Network;
pub use see::see;
pub use set::{paper_set, tuning_set};
