//! What can go wrong, each in one sentence that says what to do.

use alloc::string::String;
use core::fmt;

use crate::value::{Bounds, Value};

/// Why a search could not be built or run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The table does not fit in memory.
    TableTooLarge {
        /// The size asked for.
        size: String,
    },
    /// A size that cannot be read.
    BadSize {
        /// What was written.
        text: String,
    },
    /// A name that is none of the choices.
    BadChoice {
        /// What was to be chosen.
        what: &'static str,
        /// What was written.
        text: String,
        /// What could have been.
        choices: &'static str,
    },
    /// No algorithm of this name.
    UnknownAlgorithm {
        /// What was written.
        name: String,
        /// The nearest name there is.
        nearest: &'static str,
    },
    /// An evaluation outside the range of scores.
    EvaluationOutOfRange {
        /// What the evaluator said.
        value: i32,
    },
    /// A position with more moves than codes for them.
    TooManyMoves {
        /// How many.
        moves: usize,
    },
    /// More threads than a search can have.
    TooManyThreads {
        /// How many.
        threads: usize,
        /// How many it can have.
        most: usize,
    },
    /// A thread that the system did not start.
    NoThread,
    /// A number among the options that no search can use.
    BadNumber {
        /// The option.
        what: &'static str,
        /// The number.
        number: i32,
        /// The least and the greatest that can be used.
        range: (i32, i32),
    },
    /// A range that holds no value, or that the value was found to lie outside.
    BadRange {
        /// The range.
        range: Bounds,
        /// The value found, if the search came so far.
        value: Option<Value>,
    },
    /// A list of moves to choose from, none of which is legal.
    NoLegalMove,
    /// A game with a line of noisy moves that does not end.
    EndlessNoisyLine {
        /// How many plies were followed.
        plies: usize,
    },
    /// A time limit without a clock.
    NoClock,
    /// A single pass that a stop flag, an alarm or a limit ended before it had its answer.
    Stopped,
    /// An option the algorithm has no use for.
    Unsupported {
        /// The algorithm.
        algorithm: String,
        /// What it cannot do.
        option: &'static str,
    },
    /// A depth that no search has.
    BadDepth {
        /// What was asked for.
        depth: u8,
    },
    /// A single iteration, of no depth.
    NoDepth,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TableTooLarge { size } => {
                write!(f, "a table of {size} is larger than the memory that can be had; choose a smaller one")
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
                write!(f, "a position has {moves} moves, and a table entry can tell 65535 apart; give the moves codes")
            }
            Error::TooManyThreads { threads, most } => write!(f, "{threads} threads are too many; choose 1 to {most}"),
            Error::Stopped => f.write_str("the pass was stopped before it had its answer"),
            Error::NoThread => f.write_str("the system did not start another thread; choose fewer"),
            Error::BadNumber { what, number, range: (least, most) } => {
                write!(f, "a {what} of {number} cannot be used; choose {least} to {most}")
            }
            Error::BadRange { range: Bounds { lower, upper }, value: None } => {
                write!(f, "no value lies between {lower} and {upper}; the range needs a lower and a greater end")
            }
            Error::BadRange { range: Bounds { lower, upper }, value: Some(value) } => write!(
                f,
                "a value of {value} does not lie between {lower} and {upper}, as the range says that all values do; widen it"
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

/// Choices that are read and written by name.
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
