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

mod book_option;
mod engine_thread;
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

use engine_thread::EngineThread;
use lines::{Heard, Lines, Voice};
#[cfg(feature = "study")]
pub(crate) use nboard::first_clock as nboard_clock;

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
    /// GTP 2: Othello. Our engines do not speak it, but in a match they meet programs that do.
    Gtp,
}

impl Protocol {
    pub(crate) const ALL: [Protocol; 4] = [Protocol::Uci, Protocol::NBoard, Protocol::Hub, Protocol::Gtp];

    /// As it is called in a sentence.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Protocol::Uci => "UCI",
            Protocol::NBoard => "NBoard",
            Protocol::Hub => "Hub",
            Protocol::Gtp => "GTP",
        }
    }

    /// What our engines speak of a game.
    fn spoken(game: &dyn Entry) -> Vec<Protocol> {
        let others =
            game.conventions().protocols.iter().filter(|protocol| !matches!(protocol, Protocol::Uci | Protocol::Gtp));
        others.copied().chain([Protocol::Uci]).collect()
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.title().to_ascii_lowercase())
    }
}

impl FromStr for Protocol {
    type Err = Error;

    fn from_str(text: &str) -> Result<Protocol, Error> {
        let found = Protocol::ALL.into_iter().find(|protocol| protocol.title().eq_ignore_ascii_case(text));
        found.ok_or_else(|| Error::UnknownProtocol { name: text.to_owned() })
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
    /// How the text of a file is found that an option names, or why not. Files are read by whoever sets an engine up.
    pub read: fn(&str) -> Result<String, String>,
}

impl Setup {
    /// An engine that plays so.
    pub fn new(play: Play) -> Setup {
        let read = |file: &str| Err(format!("{file} cannot be read here"));
        Setup { protocol: None, play, most_hash: 1 << 16, move_time: None, read }
    }
}

/// A side of a conversation.
trait Dialogue {
    /// What is said before anybody asks.
    fn begin(&mut self, thread: &mut EngineThread<'_, '_>) {
        let _ = thread;
    }

    /// A line is heard. `Break` ends the conversation.
    fn hear(&mut self, line: &str, thread: &mut EngineThread<'_, '_>) -> ControlFlow<()>;

    /// Something was wrong with what was heard.
    fn complain(&mut self, why: &str, thread: &mut EngineThread<'_, '_>);
}

/// Plays a game in the language of the programs around it, until it is told to quit or nothing more is said.
///
/// After the last line a search that is limited is finished and answered; one that only a later line would end is stopped.
pub fn speak(
    game: &dyn Entry,
    setup: &Setup,
    input: &mut dyn BufRead,
    output: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let protocol = setup.protocol.unwrap_or_else(|| game.conventions().protocol());
    let spoken = Protocol::spoken(game);
    let wrong = || Error::WrongProtocol { protocol, game: game.name().to_owned(), spoken: spoken.clone() };
    if !spoken.contains(&protocol) {
        return Err(wrong());
    }
    let mut setup = setup.clone();
    let mut dialogue: Box<dyn Dialogue + '_> = match protocol {
        Protocol::Uci => Box::new(uci::Uci::new(game, &setup)),
        Protocol::NBoard => Box::new(nboard::NBoard::new(game, &setup)),
        Protocol::Hub => {
            setup.play.alternate = true;
            Box::new(hub::Hub::new(game, &setup))
        }
        Protocol::Gtp => return Err(wrong()),
    };
    let engine = game.engine(&setup.play)?;
    let voice = Voice::new(output);
    thread::scope(|scope| {
        let mut thread = EngineThread::new(scope, game, setup.play, engine, &voice);
        let mut lines = Lines::new(input);
        dialogue.begin(&mut thread);
        while voice.is_heard() {
            match lines.next() {
                Some(Heard::Line(line)) => {
                    if dialogue.hear(line, &mut thread).is_break() {
                        break;
                    }
                }
                Some(Heard::TooLong) => dialogue.complain("a line is longer than a megabyte", &mut thread),
                // A script has said all it wanted: what it asked for last is answered as it was asked.
                None => return thread.finish(),
            }
        }
        thread.stop();
    });
    Ok(())
}
