//! Engine protocols: UCI, NBoard and Hub. All of them are line-based.
//!
//! A protocol handler uses any reader and writer, so tests run it in memory. No input can end the engine: lines that
//! make no sense are ignored or answered with a one-line error.
//!
//! ```
//! use emtee_engine::{Play, Registry, Setup, run_protocol};
//!
//! let registry = Registry::standard();
//! let mut output = Vec::new();
//! let setup = Setup::new(Play::default());
//! run_protocol(registry.get("chess")?, &setup, &mut "uci\nquit\n".as_bytes(), &mut output)?;
//! assert!(String::from_utf8_lossy(&output).ends_with("uciok\n"));
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
use lines::{Input, Lines, Output};
pub(crate) use nboard::first_clock as nboard_clock;

/// An engine protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Protocol {
    /// UCI: chess, and every other game with its own position texts.
    Uci,
    /// NBoard 2: Othello.
    NBoard,
    /// Hub 2: checkers.
    Hub,
    /// GTP 2: Othello. Our engines do not support it, but a match can use programs that do.
    Gtp,
}

impl Protocol {
    pub(crate) const ALL: [Protocol; 4] = [Protocol::Uci, Protocol::NBoard, Protocol::Hub, Protocol::Gtp];

    /// Its name in messages.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Protocol::Uci => "UCI",
            Protocol::NBoard => "NBoard",
            Protocol::Hub => "Hub",
            Protocol::Gtp => "GTP",
        }
    }

    /// The protocols that our engines support for a game.
    fn supported(game: &dyn Entry) -> Vec<Protocol> {
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

/// The settings of an engine before the first line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// The protocol. `None`: the game's usual one.
    pub protocol: Option<Protocol>,
    /// How the engine plays, until options change it.
    pub play: Play,
    /// The largest table size that can be set, in megabytes.
    pub max_hash: usize,
    /// The maximum time per move in a protocol without a clock: NBoard.
    pub move_time: Option<Duration>,
    /// Reads a file named in an option. This crate itself reads no files.
    pub read_file: fn(&str) -> Result<String, String>,
}

impl Setup {
    /// The default setup for an engine that plays this way.
    pub fn new(play: Play) -> Setup {
        let read_file = |file: &str| Err(format!("{file} cannot be read here"));
        Setup { protocol: None, play, max_hash: 1 << 16, move_time: None, read_file }
    }
}

/// One of the protocols, from the engine's side.
trait ProtocolHandler {
    /// Handles a line. `Break` ends the session.
    fn handle_line(&mut self, line: &str, thread: &mut EngineThread<'_, '_>) -> ControlFlow<()>;

    /// Reports an error in the input.
    fn report_error(&mut self, why: &str, thread: &mut EngineThread<'_, '_>);
}

/// Runs an engine that speaks a protocol, until `quit` or the end of the input.
///
/// At the end of the input, a limited search is finished and answered. A search that only a later line would end is
/// stopped.
pub fn run_protocol(
    game: &dyn Entry,
    setup: &Setup,
    input: &mut dyn BufRead,
    output: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let protocol = setup.protocol.unwrap_or_else(|| game.conventions().protocol());
    let supported = Protocol::supported(game);
    let wrong = || Error::WrongProtocol { protocol, game: game.name().to_owned(), supported: supported.clone() };
    if !supported.contains(&protocol) {
        return Err(wrong());
    }
    let mut setup = setup.clone();
    let mut handler: Box<dyn ProtocolHandler + '_> = match protocol {
        Protocol::Uci => Box::new(uci::Uci::new(game, &setup)),
        Protocol::NBoard => Box::new(nboard::NBoard::new(game, &setup)),
        Protocol::Hub => {
            setup.play.alternate = true;
            Box::new(hub::Hub::new(game, &setup))
        }
        Protocol::Gtp => return Err(wrong()),
    };
    let engine = game.engine(&setup.play)?;
    let output = Output::new(output);
    thread::scope(|scope| {
        let mut thread = EngineThread::new(scope, game, setup.play, engine, &output);
        let mut lines = Lines::new(input);
        while output.is_open() {
            match lines.next() {
                Some(Input::Line(line)) => {
                    if handler.handle_line(line, &mut thread).is_break() {
                        break;
                    }
                }
                Some(Input::TooLong) => handler.report_error("a line is longer than a megabyte", &mut thread),
                // At the end of a script, the last command is still answered in full.
                None => return thread.finish(),
            }
        }
        thread.stop();
    });
    Ok(())
}
