//! What can go wrong with an experiment, each in one line.

use std::fmt;
use std::path::Path;

/// Why an experiment did not come to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Something was asked for that cannot be.
    Bad(String),
    /// Something that should work did not. What was finished before is kept.
    Failed(String),
    /// The user stopped it. The same command goes on from there.
    Stopped {
        /// Runs that are finished.
        done: usize,
        /// Runs there are.
        of: usize,
    },
}

impl Error {
    pub(crate) fn bad(text: impl Into<String>) -> Error {
        Error::Bad(text.into())
    }

    /// Something could not be done with a file.
    pub(crate) fn file(what: &str, path: &Path, why: impl fmt::Display) -> Error {
        Error::Failed(format!("cannot {what} {}: {why}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Bad(text) | Error::Failed(text) => f.write_str(text),
            Error::Stopped { done, of } => {
                write!(f, "stopped with {done} of {of} runs finished; the same command goes on from there")
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
