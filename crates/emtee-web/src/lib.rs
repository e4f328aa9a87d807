//! The explorer: a web page that shows how MT searches, and its server.
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
//! All searches run here, none in JavaScript. A search of a tree is [recorded](Recording) once and replayed by the page, so
//! stepping back and forth needs no search. A search of a game sends its results line by line, and stops when its page is
//! closed. [`stepper`] writes a recording as one HTML file.
//!
//! The page is `page/`: plain ES modules and a style sheet, without a build step and without dependencies. Games come from the
//! [`Registry`](emtee_engine::Registry), so the page offers every registered game.

#![cfg_attr(not(feature = "server"), allow(dead_code))] // Some limits are used by the server only.

mod analyse;
mod api;
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
mod race;
mod recording;
mod refusal;
#[cfg(feature = "server")]
mod reports;
mod search;
#[cfg(feature = "server")]
mod server;
mod standalone;
mod stepper;
#[cfg(feature = "server")]
mod stream;
mod trees;

pub use api::answer;
pub use recording::{LARGEST_TREE, Recording, Run};
pub use refusal::Refusal;
#[cfg(feature = "server")]
pub use server::{Options, Server};
pub use standalone::{Module, standalone_page};
pub use stepper::{board_page, stepper};
