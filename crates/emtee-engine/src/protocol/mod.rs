//! The languages that engines and the programs around them speak: UCI, NBoard and Hub, a line at a time.
//!
//! A dialogue reads from anything and writes to anything, so that tests hold it in memory. Whatever comes in, the engine
//! stays alive: what it cannot understand it passes over or answers in one line.
//!
//! ```
//! use emtee_engine::{Play, Registry, Setup, speak};
//!
//! let registry = Registry::standard();
//! let mut said = Vec::new();
//! let setup = Setup::new(Play::default());
//! speak(registry.get("chess")?, &setup, &mut "uci\nquit\n".as_bytes(), &mut said)?;
//! assert!(String::from_utf8_lossy(&said).ends_with("uciok\n"));
//! # Ok::<(), emtee_engine::Error>(())
//! ```

mod desk;
mod hub;
mod lines;
mod nboard;
mod uci;
mod uci_options;

use std::fmt;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use crate::error::Error;
use crate::registry::Entry;
use crate::session::Play;

use desk::Desk;
use lines::{Heard, Lines, Voice};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Protocol {
    /// UCI: chess, and any other game by its own texts.
    Uci,
    /// NBoard 2: Othello.
    NBoard,
    /// Hub 2: checkers.
    Hub,
}

impl Protocol {
    /// What the programs around a game usually speak.
    pub fn of(game: &str) -> Protocol {
        match game {
            "othello" => Protocol::NBoard,
            "checkers" => Protocol::Hub,
            _ => Protocol::Uci,
        }
    }

    /// The one game it is for, if it is not for all.
    fn game(self) -> Option<&'static str> {
        match self {
            Protocol::Uci => None,
            Protocol::NBoard => Some("othello"),
            Protocol::Hub => Some("checkers"),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Protocol::Uci => "uci",
            Protocol::NBoard => "nboard",
            Protocol::Hub => "hub",
        })
    }
}

impl FromStr for Protocol {
    type Err = Error;

    fn from_str(text: &str) -> Result<Protocol, Error> {
        match text.to_ascii_lowercase().as_str() {
            "uci" => Ok(Protocol::Uci),
            "nboard" => Ok(Protocol::NBoard),
            "hub" => Ok(Protocol::Hub),
            _ => Err(Error::UnknownProtocol { name: text.to_owned() }),
        }
    }
}

/// How an engine is set up before anybody speaks to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// The language; that of the game if not given.
    pub protocol: Option<Protocol>,
    /// How it plays, until it is told otherwise.
    pub play: Play,
    /// The largest table that may be asked for, in megabytes.
    pub most_hash: usize,
    /// How long a move may take at most, in a language that has no clock: NBoard.
    pub move_time: Option<Duration>,
}

impl Setup {
    /// An engine that plays so.
    pub fn new(play: Play) -> Setup {
        Setup { protocol: None, play, most_hash: 1 << 16, move_time: None }
    }
}

/// A side of a conversation.
trait Dialogue {
    /// What is said before anybody asks.
    fn begin(&mut self, desk: &mut Desk<'_, '_>) {
        let _ = desk;
    }

    /// A line is heard. `Break` ends the conversation.
    fn hear(&mut self, line: &str, desk: &mut Desk<'_, '_>) -> ControlFlow<()>;

    /// Something was wrong with what was heard.
    fn complain(&mut self, why: &str, desk: &mut Desk<'_, '_>);
}

/// Plays a game in the language of the programs around it, until it is told to quit or nothing more is said.
pub fn speak(
    game: &dyn Entry,
    setup: &Setup,
    input: &mut dyn BufRead,
    output: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let protocol = setup.protocol.unwrap_or_else(|| Protocol::of(game.name()));
    if let Some(only) = protocol.game()
        && only != game.name()
    {
        return Err(Error::WrongProtocol { protocol: protocol.to_string(), only, game: game.name().to_owned() });
    }
    let mut setup = setup.clone();
    let mut dialogue: Box<dyn Dialogue + '_> = match protocol {
        Protocol::Uci => Box::new(uci::Uci::new(game, &setup)),
        Protocol::NBoard => Box::new(nboard::NBoard::new(game, &setup)),
        Protocol::Hub => {
            setup.play.alternate = true;
            Box::new(hub::Hub::new(game, &setup))
        }
    };
    let engine = game.engine(&setup.play)?;
    let voice = Voice::new(output);
    thread::scope(|scope| {
        let mut desk = Desk::new(scope, game, setup.play, engine, &voice);
        let mut lines = Lines::new(input);
        dialogue.begin(&mut desk);
        while voice.is_heard()
            && let Some(heard) = lines.next()
        {
            match heard {
                Heard::Line(line) => {
                    if dialogue.hear(line, &mut desk).is_break() {
                        break;
                    }
                }
                Heard::TooLong => dialogue.complain("a line is longer than a megabyte", &mut desk),
            }
        }
        desk.stop();
    });
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
