//! What a user can get wrong, each in one line that says what to do.

use std::fmt;

/// Why a request could not be met.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No game of this name.
    UnknownGame {
        /// What was asked for.
        name: String,
        /// The nearest name there is.
        nearest: String,
    },
    /// No set of positions of this name.
    UnknownSet {
        /// The game.
        game: String,
        /// What was asked for.
        name: String,
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
    /// A position of one game, given to the engine of another.
    OtherGame {
        /// The engine's game.
        game: String,
        /// The position's.
        position: String,
    },
    /// More threads than a search can use.
    Threads {
        /// How many were asked for.
        threads: usize,
    },
    /// No protocol of this name.
    UnknownProtocol {
        /// What was asked for.
        name: String,
    },
    /// A protocol that does not know the game.
    WrongProtocol {
        /// The protocol.
        protocol: String,
        /// The game it is for.
        only: &'static str,
        /// The game asked for.
        game: String,
    },
    /// The system has no thread for a search.
    NoThread {
        /// What it says.
        why: String,
    },
    /// A law that a game breaks.
    Broken(emtee::laws::Broken),
    /// An error of the search.
    Search(emtee::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownGame { name, nearest } => write!(f, "there is no game '{name}'; did you mean '{nearest}'?"),
            Error::UnknownSet { game, name } => {
                write!(f, "{game} has no set '{name}'; chess, othello and checkers have the sets 'paper' and 'tuning'")
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
            Error::OtherGame { game, position } => write!(f, "an engine for {game} cannot think about {position}"),
            Error::Threads { threads } => write!(f, "{threads} threads were asked for; a search runs on one so far"),
            Error::UnknownProtocol { name } => {
                write!(f, "there is no protocol '{name}'; choose uci, nboard or hub")
            }
            Error::WrongProtocol { protocol, only, game } => {
                write!(f, "the protocol {protocol} is for {only}, not for {game}; uci is for any game")
            }
            Error::NoThread { why } => write!(f, "the system has no thread to think on: {why}"),
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
