//! User errors, each with a one-line message that says what to do.

use std::fmt;

use crate::check::Violation;
use crate::protocol::Protocol;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No game has this name.
    UnknownGame {
        /// The name.
        name: String,
        /// A similar name.
        near: Option<String>,
        /// The games.
        games: Vec<String>,
    },
    /// No set of positions has this name.
    UnknownSet {
        /// The game.
        game: String,
        /// The name.
        name: String,
        /// The sets.
        sets: Vec<&'static str>,
    },
    /// No evaluator has this name.
    UnknownEvaluator {
        /// The game.
        game: String,
        /// The name.
        name: String,
        /// The evaluators.
        known: Vec<&'static str>,
    },
    /// An evaluation cannot be learned.
    CannotLearn {
        /// The game.
        game: String,
        /// The reason.
        why: String,
    },
    /// A file that is not a learned evaluation of this game.
    BadLearned {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// A position that cannot be read.
    BadPosition {
        /// The game.
        game: String,
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A move that is not legal.
    BadMove {
        /// The text.
        text: String,
        /// The legal moves.
        legal: Vec<String>,
    },
    /// A move that the game's notation does not accept.
    UnreadMove {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A mate search in a game without mates.
    NoMates {
        /// The game.
        game: String,
    },
    /// A position of one game, given to the engine of another.
    OtherGame {
        /// The game of the engine.
        game: String,
        /// The game of the position.
        position: String,
    },
    /// Training data for a game that has none.
    NoTraining {
        /// The game.
        game: String,
        /// The games that have it.
        games: Vec<String>,
    },
    /// A table that is too small for a solver.
    SmallTable {
        /// What is solved.
        what: String,
        /// The least size.
        least: emtee::Size,
    },
    /// A tool, in a program that was built without them.
    NoTools {
        /// The game.
        game: String,
    },
    /// A game for training data that a player did not finish.
    TrainingGame {
        /// The number of the game.
        number: u32,
        /// The reason.
        why: String,
    },
    /// An endings database for a game that has none.
    NoEndings {
        /// The game.
        game: String,
    },
    /// The built-in opening book of a game that has none.
    NoBook {
        /// The game.
        game: String,
    },
    /// No protocol has this name.
    UnknownProtocol {
        /// The name.
        name: String,
    },
    /// A protocol that does not support the game.
    WrongProtocol {
        /// The protocol.
        protocol: Protocol,
        /// The game.
        game: String,
        /// The supported protocols.
        supported: Vec<Protocol>,
    },
    /// The system could not start a thread for the search.
    NoThread {
        /// The system's message.
        why: String,
    },
    /// A law that the game violates.
    Violation(Violation),
    /// An error of the search.
    Search(emtee::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownGame { name, near: Some(near), .. } => {
                write!(f, "there is no game '{name}'; did you mean '{near}'?")
            }
            Error::UnknownGame { name, games, .. } => {
                write!(f, "there is no game '{name}'; choose {}", games.join(" or "))
            }
            Error::UnknownSet { game, sets, .. } if sets.is_empty() => {
                write!(f, "{game} has no sets of positions")
            }
            Error::UnknownSet { game, name, sets } => {
                write!(f, "{game} has no set '{name}'; choose {}", sets.join(" or "))
            }
            Error::UnknownEvaluator { game, name, known } => {
                write!(f, "{game} has no evaluator '{name}' here; choose {} or learned:FILE", known.join(" or "))
            }
            Error::CannotLearn { game, why } => write!(f, "an evaluation of {game} cannot be learned: {why}"),
            Error::BadLearned { file, why } => {
                write!(f, "'{file}' is not a learned evaluation that can be used: {why}")
            }
            Error::BadPosition { game, text, why } => write!(f, "'{text}' is not a position of {game}: {why}"),
            Error::BadMove { text, legal } if legal.is_empty() => {
                write!(f, "'{text}' cannot be played: the game is over")
            }
            Error::BadMove { text, legal } => {
                write!(f, "'{text}' is not a legal move here; the moves are {}", legal.join(" "))
            }
            Error::UnreadMove { text, why } if why.contains(&format!("'{text}'")) => f.write_str(why),
            Error::UnreadMove { text, why } => write!(f, "'{text}' cannot be played: {why}"),
            Error::NoMates { game } => write!(f, "{game} has no mates; leave --mate out"),
            Error::OtherGame { game, position } => {
                write!(f, "an engine for {game} cannot search a position of {position}")
            }
            Error::NoTraining { game, games } if games.is_empty() => {
                write!(f, "there is no training data for {game}, nor for any other game of this program")
            }
            Error::NoTraining { game, games } => {
                write!(f, "there is no training data for {game}; choose {}", games.join(" or "))
            }
            Error::SmallTable { what, least } => write!(f, "{what} needs a table of {least} or more"),
            Error::NoTools { game } => write!(f, "the tools for {game} are not part of this program"),
            Error::TrainingGame { number, why } => write!(f, "game {number} was not finished: {why}"),
            Error::NoEndings { game } => write!(f, "there are no endings databases for {game}"),
            Error::NoBook { game } => {
                write!(f, "no opening book comes with {game}; 'emtee book {game} --out FILE' makes one")
            }
            Error::UnknownProtocol { name } => {
                write!(f, "there is no protocol '{name}'; choose uci, nboard or hub")
            }
            Error::WrongProtocol { protocol, game, supported } => {
                let supported: Vec<String> = supported.iter().map(Protocol::to_string).collect();
                write!(f, "no engine here supports {protocol} for {game}; choose {}", supported.join(" or "))
            }
            Error::NoThread { why } => write!(f, "the system could not start a thread: {why}"),
            Error::Violation(broken) => write!(f, "{broken}"),
            Error::Search(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<emtee::Error> for Error {
    fn from(error: emtee::Error) -> Error {
        Error::Search(error)
    }
}
