//! Errors, and their messages of one sentence that says what to do.

use alloc::string::String;
use core::fmt;

use crate::value::{Bounds, Value};

/// Why a search could not be built or run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The table does not fit in memory.
    TableTooLarge {
        /// The size requested.
        size: String,
    },
    /// A text that is not a size.
    BadSize {
        /// The text.
        text: String,
    },
    /// A name that is not one of the choices.
    BadChoice {
        /// The kind of thing to choose.
        what: &'static str,
        /// The text.
        text: String,
        /// The valid choices.
        choices: &'static str,
    },
    /// No algorithm of this name.
    UnknownAlgorithm {
        /// The name.
        name: String,
        /// The most similar name that exists.
        nearest: &'static str,
    },
    /// An evaluation outside the range of scores.
    EvaluationOutOfRange {
        /// The evaluation.
        value: i32,
    },
    /// A position with more moves than there are codes.
    TooManyMoves {
        /// The number of moves.
        moves: usize,
    },
    /// More threads than a search can have.
    TooManyThreads {
        /// The number requested.
        threads: usize,
        /// The greatest number possible.
        most: usize,
    },
    /// The operating system could not start a thread.
    NoThread,
    /// An option with a number outside its range.
    BadNumber {
        /// The option.
        what: &'static str,
        /// The number.
        number: i32,
        /// The least and the greatest valid number.
        range: (i32, i32),
    },
    /// A range that contains no value, or does not contain the value that was found.
    BadRange {
        /// The range.
        range: Bounds,
        /// The value found, if the search was started.
        value: Option<Value>,
    },
    /// None of the moves to search is legal.
    NoLegalMove,
    /// A line of noisy moves that does not end.
    EndlessNoisyLine {
        /// The plies that were searched.
        plies: usize,
    },
    /// A time limit without a clock.
    NoClock,
    /// A single pass was stopped by a stop flag, an alarm or a limit before it was finished.
    Stopped,
    /// An option that the algorithm does not support.
    Unsupported {
        /// The algorithm.
        algorithm: String,
        /// The reason, and what to do.
        option: &'static str,
    },
    /// A depth outside the valid range.
    BadDepth {
        /// The depth requested.
        depth: u8,
    },
    /// A single iteration without a depth limit.
    NoDepth,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TableTooLarge { size } => {
                write!(f, "a table of {size} is larger than the memory available; choose a smaller one")
            }
            Error::BadSize { text } => write!(f, "'{text}' is not a size; write it like 64MB, 2GB or 512KB"),
            Error::BadChoice { what, text, choices } => write!(f, "'{text}' is not a {what}; choose {choices}"),
            Error::UnknownAlgorithm { name, nearest } => {
                write!(f, "there is no algorithm '{name}'; did you mean '{nearest}'?")
            }
            Error::EvaluationOutOfRange { value } => write!(
                f,
                "an evaluation of {value} is outside ±{}, the range of scores; scale the evaluator down",
                Value::MAX_SCORE
            ),
            Error::TooManyMoves { moves } => {
                write!(f, "a position has {moves} moves, and a table entry can distinguish 65535; implement Game::code")
            }
            Error::TooManyThreads { threads, most } => write!(f, "{threads} threads are too many; choose 1 to {most}"),
            Error::Stopped => f.write_str("the pass was stopped before it was finished"),
            Error::NoThread => f.write_str("the system could not start another thread; choose fewer"),
            Error::BadNumber { what, number, range: (least, most) } => {
                write!(f, "a {what} of {number} cannot be used; choose {least} to {most}")
            }
            Error::BadRange { range: Bounds { lower, upper }, value: None } => {
                write!(f, "no value lies between {lower} and {upper}; the range needs a lower and a greater end")
            }
            Error::BadRange { range: Bounds { lower, upper }, value: Some(value) } => write!(
                f,
                "the value {value} does not lie between {lower} and {upper}, the ends of the range; choose a wider range"
            ),
            Error::NoLegalMove => f.write_str("none of the moves to choose from is legal in this position"),
            Error::EndlessNoisyLine { plies } => write!(
                f,
                "a line of noisy moves is longer than {plies} plies, and every such line must end; see Game::noisy_moves"
            ),
            Error::NoClock => write!(f, "a time limit needs a clock; give the builder one with `clock`"),
            Error::Unsupported { algorithm, option } => write!(f, "{algorithm} {option}"),
            Error::BadDepth { depth } => {
                write!(f, "a depth of {depth} cannot be searched; choose one from 1 to {}", crate::MAX_DEPTH)
            }
            Error::NoDepth => write!(f, "a search without deepening needs a depth in its budget"),
        }
    }
}

impl core::error::Error for Error {}

/// Implements `Display` and `FromStr` for an enum whose variants have names.
macro_rules! named {
    ($type:ident, $what:literal, $choices:literal, $($choice:ident: $name:literal $(| $other:literal)?),+) => {
        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(match self { $($type::$choice => $name),+ })
            }
        }

        impl core::str::FromStr for $type {
            type Err = $crate::Error;
            fn from_str(text: &str) -> Result<$type, $crate::Error> {
                match text {
                    $($name $(| $other)? => Ok($type::$choice),)+
                    _ => Err($crate::Error::BadChoice { what: $what, text: text.into(), choices: $choices }),
                }
            }
        }
    };
}
pub(crate) use named;
