//! Games for [`emtee`], from tic-tac-toe to chess, and trees for experiments.
//!
//! | module | game | notation of a position |
//! |---|---|---|
//! | [`checkers`] | English draughts | `B:W21,22,K30:B1,2,3`, the FEN of PDN |
//! | [`chess`] | chess | FEN |
//! | [`connect4`] | Connect Four, 7×6 | the columns played, `4453`, or six rows from the top |
//! | [`kalah`] | Kalah(6,4), in which a side can move again | `4,4,4,4,4,4,0/4,4,4,4,4,4,0 S` |
//! | [`othello`] | Othello, with a trained evaluation and an exact endgame | 64 characters `X`, `O` and `-`, then the side to move |
//! | [`tictactoe`] | tic-tac-toe | nine characters, `X-O-X----` |
//! | [`tree`](mod@tree) | explicit trees | `((41 5) (12 90))`, or JSON with the feature `json` |
//! | [`synthetic`] | generated trees of any size, with given properties | `seed=1 width=4 depth=8` |
//!
//! Every position is read with [`str::parse`] and written with [`to_string`](ToString::to_string); `{:#}` draws a board
//! over several lines. If a text cannot be read, the [`Error`] says what is wrong and has an [`ErrorKind`] to match on.
//!
//! ```
//! use emtee::{Budget, Game, player};
//! use emtee_games::connect4::Board;
//!
//! let board: Board = "445566".parse()?; // X has 4, 5 and 6 of the bottom row
//! let mut ai = player(Board::evaluate).build()?;
//! let found = ai.think(&board, Budget::depth(4))?;
//! assert_eq!(found.value.unwrap().to_string(), "win in 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`small`] is Connect Four, Kalah and tic-tac-toe as one type, so that one search is compiled instead of three.
//!
//! [`packed`] stores boards of chess, checkers and Othello in 24 bytes, for large files.
//!
//! # Features
//!
//! * `std` (default): the feature of `emtee`, the system's clock and threads.
//! * `chess` (default): the [`chess`] module and its dependency `cozy-chess`.
//! * `json`: trees are read as JSON too.
//! * `parallel`: endings databases of checkers are built, read and verified on all cores.

pub mod checkers;
#[cfg(feature = "chess")]
pub mod chess;
pub mod connect4;
mod cpu;
pub mod drawing;
mod error;
pub mod kalah;
mod network;
mod notation;
pub mod othello;
pub mod packed;
mod paper;
mod parameters;
pub mod small;
pub mod synthetic;
mod team;
#[cfg(test)]
mod testing;
pub mod tictactoe;
pub mod tree;
mod tree_node;

pub use error::{Error, ErrorKind};
pub use paper::PaperPosition;
