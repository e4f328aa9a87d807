//! The program `emtee-mpi` as a library, so that your game gets every machine of a cluster.
//!
#![cfg_attr(feature = "mpi", doc = "```no_run")]
#![cfg_attr(not(feature = "mpi"), doc = "```ignore")]
//! # use emtee_games::tictactoe::Board;
//! fn main() -> std::process::ExitCode {
//!     emtee_mpi::program().game::<Board>("breakthrough").run()
//! }
//! ```
//!
//! That takes the feature `mpi`, and an MPI. Without it the crate has next to nothing: what ranks tell each other, and their simulator, are in `emtee_engine::cluster`.
//!
//! Rank 0 is the program as everybody knows it: it reads the arguments, keeps the database and prints. The other ranks wait
//! for what it sends them. So whatever is wrong with the input is said once.

#[cfg(feature = "mpi")]
mod commands;
#[cfg(feature = "mpi")]
mod crew;
#[cfg(feature = "mpi")]
mod handshake;
#[cfg(feature = "mpi")]
mod message;
#[cfg(feature = "mpi")]
mod post;
#[cfg(feature = "mpi")]
mod program;
#[cfg(feature = "mpi")]
mod ranks;
#[cfg(feature = "mpi")]
mod serve;
pub mod verify;

#[cfg(feature = "mpi")]
pub use program::{Program, program};
