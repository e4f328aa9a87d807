//! What can go wrong with a player during a match.

use std::fmt;
use std::time::Duration;

use crate::names::nearest;

/// Why a player returned no move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayerError {
    /// It cannot be started.
    CannotStart(String),
    /// It has no such option.
    BadOption(String),
    /// Its program exited.
    Died,
    /// It did not answer in time, nor within the grace period after it.
    Silent,
    /// Its answer is not a legal move.
    Illegal(String),
    /// Its answer was late by this much.
    Overran(Duration),
    /// It resigned.
    Resigned,
    /// It reported an error.
    Failed(String),
    /// The match was stopped.
    Stopped,
}

impl PlayerError {
    /// A short name, used in records.
    pub const fn name(&self) -> &'static str {
        match self {
            PlayerError::CannotStart(_) => "cannot-start",
            PlayerError::BadOption(_) => "bad-option",
            PlayerError::Died => "died",
            PlayerError::Silent => "silent",
            PlayerError::Illegal(_) => "illegal",
            PlayerError::Overran(_) => "overran",
            PlayerError::Resigned => "resigned",
            PlayerError::Failed(_) => "failed",
            PlayerError::Stopped => "stopped",
        }
    }

    /// The error for an option that is not among those known.
    pub(crate) fn no_option(name: &str, known: &[String]) -> PlayerError {
        PlayerError::BadOption(match nearest(name, known.iter().map(String::as_str)) {
            Some(nearest) => format!("it has no option '{name}'; did you mean '{nearest}'?"),
            None => String::from("it has no options"),
        })
    }
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::CannotStart(why) | PlayerError::BadOption(why) | PlayerError::Failed(why) => f.write_str(why),
            PlayerError::Died => f.write_str("its program exited"),
            PlayerError::Silent => f.write_str("it did not answer"),
            PlayerError::Illegal(m) => write!(f, "it answered '{m}', which is not a legal move"),
            PlayerError::Overran(by) => write!(f, "it answered {} ms too late", by.as_millis()),
            PlayerError::Resigned => f.write_str("it resigned"),
            PlayerError::Stopped => f.write_str("the match was stopped"),
        }
    }
}

impl std::error::Error for PlayerError {}
