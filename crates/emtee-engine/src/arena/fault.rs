//! What can go wrong with a player in the middle of a match.

use std::fmt;
use std::time::Duration;

use crate::names::nearest;

/// Why a player did not move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It cannot be started.
    CannotStart(String),
    /// It has no such option.
    BadOption(String),
    /// Its program ended.
    Died,
    /// It did not answer in time, and not long after either.
    Silent,
    /// It answered with something that is no legal move.
    Illegal(String),
    /// It answered too late, by this much.
    Overran(Duration),
    /// It gave up.
    Resigned,
    /// It said that it cannot go on.
    Failed(String),
    /// Somebody stopped the match.
    Stopped,
}

impl Fault {
    /// In a word, as it stands in records.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::CannotStart(_) => "cannot-start",
            Fault::BadOption(_) => "bad-option",
            Fault::Died => "died",
            Fault::Silent => "silent",
            Fault::Illegal(_) => "illegal",
            Fault::Overran(_) => "overran",
            Fault::Resigned => "resigned",
            Fault::Failed(_) => "failed",
            Fault::Stopped => "stopped",
        }
    }

    /// There is no option of this name among those known.
    pub(crate) fn no_option(name: &str, known: &[String]) -> Fault {
        Fault::BadOption(match nearest(name, known.iter().map(String::as_str)) {
            Some(nearest) => format!("it has no option '{name}'; did you mean '{nearest}'?"),
            None => format!("it has no option '{name}', nor any other"),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::CannotStart(why) | Fault::BadOption(why) | Fault::Failed(why) => f.write_str(why),
            Fault::Died => f.write_str("its program ended"),
            Fault::Silent => f.write_str("it did not answer"),
            Fault::Illegal(m) => write!(f, "it answered '{m}', which is not a legal move"),
            Fault::Overran(by) => write!(f, "it answered {} ms too late", by.as_millis()),
            Fault::Resigned => f.write_str("it resigned"),
            Fault::Stopped => f.write_str("the match was stopped"),
        }
    }
}

impl std::error::Error for Fault {}
