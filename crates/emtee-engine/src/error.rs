//! What a user can get wrong, each in one line that says what to do.

use std::fmt;

#[cfg(feature = "study")]
use crate::check::Breach;
use crate::protocol::Protocol;

/// Why a request could not be met.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No game of this name.
    UnknownGame {
        /// What was asked for.
        name: String,
        /// The name that may have been meant.
        near: Option<String>,
        /// The games there are.
        games: Vec<String>,
    },
    /// No set of positions of this name.
    UnknownSet {
        /// The game.
        game: String,
        /// What was asked for.
        name: String,
        /// The sets there are.
        sets: Vec<&'static str>,
    },
    /// No evaluation of this name.
    UnknownEvaluator {
        /// The game.
        game: String,
        /// What was asked for.
        name: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
    /// A position that cannot be read.
    BadPosition {
        /// The game.
        game: String,
        /// What was written.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A move that cannot be played.
    BadMove {
        /// What was written.
        text: String,
        /// The moves there are.
        legal: Vec<String>,
    },
    /// A move that its game cannot read, or that cannot be played.
    UnreadMove {
        /// What was written.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A mate was asked for in a game that has none.
    NoMates {
        /// The game.
        game: String,
    },
    /// A position of one game, given to the engine of another.
    OtherGame {
        /// The engine's game.
        game: String,
        /// The position's.
        position: String,
    },
    /// Positions for training, of a game that has none.
    #[cfg(feature = "study")]
    NoTraining {
        /// The game.
        game: String,
    },
    /// A game for training that a player could not finish.
    #[cfg(feature = "study")]
    TrainingGame {
        /// Its number.
        number: u32,
        /// Why.
        why: String,
    },
    /// An endings database, for a game that has none.
    NoEndings {
        /// The game.
        game: String,
    },
    /// An opening book, for a game that comes with none.
    NoBook {
        /// The game.
        game: String,
    },
    /// No protocol of this name.
    UnknownProtocol {
        /// What was asked for.
        name: String,
    },
    /// A protocol that does not know the game.
    WrongProtocol {
        /// The protocol.
        protocol: Protocol,
        /// The game asked for.
        game: String,
        /// What can be spoken of it.
        spoken: Vec<Protocol>,
    },
    /// The system has no thread for a search.
    NoThread {
        /// What it says.
        why: String,
    },
    /// A promise that a game breaks.
    #[cfg(feature = "study")]
    Broken(Breach),
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
            Error::UnknownSet { game, name, sets } if sets.is_empty() => {
                write!(f, "{game} has no set '{name}', nor any other")
            }
            Error::UnknownSet { game, name, sets } => {
                write!(f, "{game} has no set '{name}'; choose {}", sets.join(" or "))
            }
            Error::UnknownEvaluator { game, name, known } => {
                write!(f, "{game} has no evaluator '{name}' here; choose {}", known.join(" or "))
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
            Error::NoMates { game } => write!(f, "{game} knows no mate; leave --mate out"),
            Error::OtherGame { game, position } => write!(f, "an engine for {game} cannot think about {position}"),
            #[cfg(feature = "study")]
            Error::NoTraining { game } => {
                write!(f, "there are no positions for training of {game}; choose chess, othello or checkers")
            }
            #[cfg(feature = "study")]
            Error::TrainingGame { number, why } => write!(f, "game {number} was not finished: {why}"),
            Error::NoEndings { game } => write!(f, "there are no endings databases of {game}"),
            Error::NoBook { game } => {
                write!(f, "no opening book comes with {game}; 'emtee book {game} --out FILE' makes one")
            }
            Error::UnknownProtocol { name } => {
                write!(f, "there is no protocol '{name}'; choose uci, nboard or hub")
            }
            Error::WrongProtocol { protocol, game, spoken } => {
                let spoken: Vec<String> = spoken.iter().map(Protocol::to_string).collect();
                write!(f, "no engine here speaks {protocol} of {game}; choose {}", spoken.join(" or "))
            }
            Error::NoThread { why } => write!(f, "the system has no thread to think on: {why}"),
            #[cfg(feature = "study")]
            Error::Broken(broken) => write!(f, "{broken}"),
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
