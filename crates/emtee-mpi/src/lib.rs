//! The program `emtee-mpi` as a library, so that your own game can run on a cluster.
//!
#![cfg_attr(feature = "mpi", doc = "```no_run")]
#![cfg_attr(not(feature = "mpi"), doc = "```ignore")]
//! # use emtee_games::tictactoe::Board;
//! fn main() -> std::process::ExitCode {
//!     emtee_mpi::program().game::<Board>("breakthrough").run()
//! }
//! ```
//!
//! This needs the feature `mpi`, and an MPI. Without the feature the crate has only [`verify`]; the protocol between ranks and its
//! simulator are in `emtee_engine::cluster`.
//!
//! Rank 0 works like the program `emtee`: it reads the arguments, keeps the database and prints. The other ranks wait for what
//! it sends them. So an error in the input is reported once.

#[cfg(feature = "mpi")]
mod commands;
#[cfg(feature = "mpi")]
mod control;
#[cfg(feature = "mpi")]
mod handshake;
#[cfg(feature = "mpi")]
mod mpi_transport;
#[cfg(feature = "mpi")]
mod program;
#[cfg(feature = "mpi")]
mod ranks;
#[cfg(feature = "mpi")]
mod serve;
pub mod verify;
#[cfg(feature = "mpi")]
mod workers;

#[cfg(feature = "mpi")]
pub use program::{Program, program};
