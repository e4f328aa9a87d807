//! A search at work: what it reads ([`Setup`]), what a thread owns ([`Thread`]), several of them on one question ([`Team`]),
//! iteration by iteration until a limit is met.

mod in_progress;
mod iteration;
mod limits;
mod open;
mod path;
mod peers;
mod pv;
mod session;
mod setup;
mod team;
mod thread;
#[cfg(feature = "std")]
mod virtual_clock;

pub(crate) use iteration::{Plan, Run};
pub(crate) use limits::{Limits, Stops};
pub(crate) use path::Path;
pub use peers::{Heard, Home, Note, Peers};
pub(crate) use session::{Ended, Session};
pub(crate) use setup::Setup;
pub(crate) use team::{LEAST_SHARED, Team};
pub use team::{MAX_THREADS, Sharing, Teamwork};
pub(crate) use thread::{MOST_PLIES, Thread};
