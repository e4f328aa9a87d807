//! Games for [`emtee`]: small enough to read in one sitting, fast enough to measure with.
//!
//! | module | game | a position is written |
//! |---|---|---|
//! | [`checkers`] | English draughts | `B:W21,22,K30:B1,2,3`, as PDN has it |
//! | [`chess`] | chess | FEN |
//! | [`connect4`] | Connect Four, 7×6 | the columns played, `4453`, or six rows from the top |
//! | [`kalah`] | Kalah(6,4), where a side may move again | `4,4,4,4,4,4,0/4,4,4,4,4,4,0 S` |
//! | [`othello`] | Othello, with a trained evaluation and an exact endgame | 64 characters of `X`, `O` and `-`, and the side to move |
//! | [`tictactoe`] | tic-tac-toe | nine characters, `X-O-X----` |
//! | [`tree`](mod@tree) | any tree you write down | `((41 5) (12 90))`, or JSON with the feature `json` |
//! | [`synthetic`] | endless made-up trees with the properties you ask for | `seed=1 width=4 depth=8` |
//!
//! Every position is read with [`str::parse`] and written with [`to_string`](ToString::to_string); `{:#}` draws a board
//! over several lines. A text that cannot be read is refused with an [`Error`] that says what is wrong with it.
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
//! [`small`] is Connect Four, Kalah and tic-tac-toe as one type, for whoever wants one search compiled instead of three.
//!
//! [`packed`] has boards of chess, checkers and Othello in 24 bytes, for files of many.
//!
//! Two features are off: `json` reads trees as JSON; `parallel` works on endings databases of checkers on all cores. Two are
//! on: `std`, which is that of `emtee`, the system's clock and threads; and `chess`.

pub mod checkers;
#[cfg(feature = "chess")]
pub mod chess;
pub mod connect4;
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
#[cfg(test)]
mod testing;
pub mod tictactoe;
pub mod tree;
mod tree_node;

pub use error::Error;
pub use paper::PaperPosition;
