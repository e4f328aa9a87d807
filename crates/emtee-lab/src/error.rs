//! Errors of an experiment. Each message is one line.

use std::fmt;
use std::path::Path;

/// Why an experiment did not finish.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The input is invalid.
    Bad(String),
    /// An operation failed. Finished runs are kept.
    Failed(String),
    /// The user stopped the experiment. The same command continues it.
    Stopped {
        /// Number of finished runs.
        done: usize,
        /// Total number of runs.
        of: usize,
    },
}

impl Error {
    pub(crate) fn bad(text: impl Into<String>) -> Error {
        Error::Bad(text.into())
    }

    /// A file operation failed; `what` is the verb.
    pub(crate) fn file(what: &str, path: &Path, why: impl fmt::Display) -> Error {
        Error::Failed(format!("cannot {what} {}: {why}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Bad(text) | Error::Failed(text) => f.write_str(text),
            Error::Stopped { done, of } => {
                write!(f, "stopped with {done} of {of} runs finished; run the same command again to continue")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<emtee_engine::Error> for Error {
    fn from(error: emtee_engine::Error) -> Error {
        Error::Bad(error.to_string())
    }
}

impl From<emtee::Error> for Error {
    fn from(error: emtee::Error) -> Error {
        Error::Bad(error.to_string())
    }
}
