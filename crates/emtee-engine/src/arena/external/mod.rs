//! Players that are other programs.

mod gtp;
mod hub;
mod nboard;
mod process;
pub(crate) mod uci;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use self::process::Process;
use super::{Fault, Limits, Played, Player, Reply};
use crate::protocol::Protocol;

/// How long a program may take to be ready.
const STARTUP: Duration = Duration::from_secs(30);

/// Our side of a conversation with a program, in some protocol.
trait Client: Send {
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
    protocol: Protocol,
    words: Vec<String>,
    options: Vec<(String, String)>,
    stop: Arc<AtomicBool>,
    running: Option<(Process, Box<dyn Client>)>,
}

impl External {
    pub(crate) fn new(
        protocol: Protocol,
        words: Vec<String>,
        options: Vec<(String, String)>,
        stop: Arc<AtomicBool>,
    ) -> External {
        External { protocol, words, options, stop, running: None }
    }

    fn start(&self) -> Result<(Process, Box<dyn Client>), Fault> {
        let mut client: Box<dyn Client> = match self.protocol {
            Protocol::Uci => Box::new(uci::Uci),
            Protocol::Hub => Box::new(hub::Hub),
            Protocol::NBoard => Box::new(nboard::NBoard::default()),
            Protocol::Gtp => Box::new(gtp::Gtp::default()),
        };
        let mut process = Process::start(&self.words, self.stop.clone())?;
        let program = &self.words[0];
        client.open(&mut process, &self.options, Instant::now() + STARTUP).map_err(|fault| match fault {
            Fault::Died => {
                Fault::CannotStart(format!("'{program}' ended before it said that it speaks {}", self.protocol.title()))
            }
            Fault::Silent => Fault::CannotStart(format!(
                "'{program}' did not say within {} s that it speaks {}",
                STARTUP.as_secs(),
                self.protocol.title()
            )),
            Fault::BadOption(why) => Fault::BadOption(format!("'{program}': {why}")),
            fault => fault,
        })?;
        Ok((process, client))
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
        let Some((process, client)) = &mut self.running else { return Err(Fault::Died) };
        process.drain();
        let ready = client.new_game(process, Instant::now() + STARTUP);
        // A program that died between two games gets one more chance.
        match ready {
            Err(Fault::Stopped) => Err(Fault::Stopped),
            Err(_) => {
                self.running = None;
                let (mut process, mut client) = self.start()?;
                client.new_game(&mut process, Instant::now() + STARTUP)?;
                self.running = Some((process, client));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn choose(&mut self, game: &Played<'_>, limits: &Limits) -> Result<Reply, Fault> {
        let Some((process, client)) = &mut self.running else { return Err(Fault::Died) };
        process.drain();
        let reply = client.choose(process, game, limits, Instant::now() + limits.patience);
        self.checked(reply)
    }
}
