//! Players that are other programs.

mod gtp;
mod hub;
mod nboard;
mod process;
mod uci;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use self::process::Process;
use super::spec::ProtocolName;
use super::{Fault, Limits, Played, Player, Reply};

/// How long a program may take to be ready.
const STARTUP: Duration = Duration::from_secs(30);

/// How one speaks to a program.
trait Protocol: Send {
    /// Says hello, sets the options, and waits until the program is ready.
    fn open(&mut self, engine: &mut Process, options: &[(String, String)], until: Instant) -> Result<(), Fault>;

    /// Another game begins.
    fn new_game(&mut self, engine: &mut Process, until: Instant) -> Result<(), Fault>;

    /// Asks for a move.
    fn choose(
        &mut self,
        engine: &mut Process,
        game: &Played<'_>,
        limits: &Limits,
        until: Instant,
    ) -> Result<Reply, Fault>;
}

/// A program that plays. After a fault it is started anew for the next game.
pub(crate) struct External {
    protocol: ProtocolName,
    words: Vec<String>,
    options: Vec<(String, String)>,
    stop: Arc<AtomicBool>,
    running: Option<(Process, Box<dyn Protocol>)>,
}

impl External {
    pub(crate) fn new(
        protocol: ProtocolName,
        words: Vec<String>,
        options: Vec<(String, String)>,
        stop: Arc<AtomicBool>,
    ) -> External {
        External { protocol, words, options, stop, running: None }
    }

    fn start(&self) -> Result<(Process, Box<dyn Protocol>), Fault> {
        let mut protocol: Box<dyn Protocol> = match self.protocol {
            ProtocolName::Uci => Box::new(uci::Uci),
            ProtocolName::Hub => Box::new(hub::Hub),
            ProtocolName::NBoard => Box::new(nboard::NBoard::default()),
            ProtocolName::Gtp => Box::new(gtp::Gtp::default()),
        };
        let mut process = Process::start(&self.words, self.stop.clone())?;
        let program = &self.words[0];
        protocol.open(&mut process, &self.options, Instant::now() + STARTUP).map_err(|fault| match fault {
            Fault::Died => {
                Fault::CannotStart(format!("'{program}' ended before it said that it speaks {}", self.protocol))
            }
            Fault::Silent => Fault::CannotStart(format!(
                "'{program}' did not say within {} s that it speaks {}",
                STARTUP.as_secs(),
                self.protocol
            )),
            Fault::BadOption(why) => Fault::BadOption(format!("'{program}': {why}")),
            fault => fault,
        })?;
        Ok((process, protocol))
    }

    /// What goes wrong ends the program.
    fn checked<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if result.is_err() {
            self.running = None;
        }
        result
    }
}

impl Player for External {
    fn new_game(&mut self) -> Result<(), Fault> {
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        let Some((process, protocol)) = &mut self.running else { return Err(Fault::Died) };
        process.drain();
        let ready = protocol.new_game(process, Instant::now() + STARTUP);
        // A program that died between two games gets one more chance.
        match ready {
            Err(Fault::Stopped) => Err(Fault::Stopped),
            Err(_) => {
                self.running = None;
                let (mut process, mut protocol) = self.start()?;
                protocol.new_game(&mut process, Instant::now() + STARTUP)?;
                self.running = Some((process, protocol));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn choose(&mut self, game: &Played<'_>, limits: &Limits) -> Result<Reply, Fault> {
        let Some((process, protocol)) = &mut self.running else { return Err(Fault::Died) };
        process.drain();
        let reply = protocol.choose(process, game, limits, Instant::now() + limits.patience);
        self.checked(reply)
    }
}
