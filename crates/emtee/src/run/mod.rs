//! A running search: what all threads read ([`Setup`]), what a thread owns ([`Thread`]), iterative deepening and limits.

mod iteration;

mod path;
mod pv;
mod session;
mod setup;
mod thread;
mod visits;

pub(crate) use iteration::{Plan, Run};
pub(crate) use path::Path;
pub(crate) use session::{Ended, Session};
pub(crate) use setup::Setup;
pub(crate) use thread::{MAX_PLY, Thread};
#[cfg(feature = "std")]
pub(crate) use visits::Visits;
pub(crate) use visits::{Limits, Stops};
