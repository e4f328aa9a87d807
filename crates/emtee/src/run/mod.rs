//! A search at work: what it reads ([`Setup`]), what a thread owns ([`Thread`]), iteration by iteration until a limit is met.

mod iteration;
mod limits;
mod path;
mod pv;
mod session;
mod setup;
mod thread;

pub(crate) use iteration::{Plan, Run};
#[cfg(feature = "std")]
pub(crate) use limits::Visits;
pub(crate) use limits::{Limits, Stops};
pub(crate) use path::Path;
pub(crate) use session::{Ended, Session};
pub(crate) use setup::Setup;
pub(crate) use thread::{MAX_PLY, Thread};
