//! The explorer: a page on which MT can be watched thinking, and the server behind it.
//!
//! ```no_run
//! use emtee_engine::Registry;
//! use emtee_web::{Options, Server};
//! use std::sync::Arc;
//!
//! let server = Server::bind(Arc::new(Registry::standard()), &Options::default())?;
//! println!("open {}", server.address());
//! server.run(&Arc::default())?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Searches run here and nowhere else. What happens on a tree is [recorded](Recording) once and replayed by the page, so
//! that going back and forth costs nothing; searches of games say line by line what they find, and stop when their page
//! goes away. [`stepper`] makes a recording a file of its own.
//!
//! The page is `page/`: plain ES modules, a style sheet, nothing to be built and nothing from elsewhere. Games come from
//! the [`Registry`](emtee_engine::Registry), so that a game of your own is there as soon as it is registered.

#![cfg_attr(not(feature = "server"), allow(dead_code))] // Limits are a server's.

mod alone;
mod analyse;
mod assets;
mod boards;
#[cfg(feature = "server")]
mod connections;
#[cfg(feature = "server")]
mod explore;
#[cfg(feature = "server")]
mod guard;
#[cfg(feature = "server")]
mod pool;
mod questions;
mod race;
mod recording;
mod refusal;
#[cfg(feature = "server")]
mod reports;
mod search;
#[cfg(feature = "server")]
mod server;
mod stepper;
#[cfg(feature = "server")]
mod stream;
mod trees;

pub use alone::{Module, page_alone};
pub use questions::answer;
pub use recording::{LARGEST_TREE, Recording, Run};
pub use refusal::Refusal;
#[cfg(feature = "server")]
pub use server::{Options, Server};
pub use stepper::stepper;
