//! External players: other programs that speak a protocol.

mod gtp;
mod hub;
mod nboard;
mod process;
pub(crate) mod uci;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use self::process::Process;
use super::{GameSoFar, Limits, Player, PlayerError, Reply};
use crate::protocol::Protocol;

/// The maximum time for a program to start or to prepare for a game.
const STARTUP: Duration = Duration::from_secs(30);

/// A client for one protocol.
trait Client: Send {
    /// Starts the protocol, sets the options, and waits until the program is ready.
    fn handshake(
        &mut self,
        engine: &mut Process,
        options: &[(String, String)],
        until: Instant,
    ) -> Result<(), PlayerError>;

    /// Prepares for another game.
    fn new_game(&mut self, engine: &mut Process, until: Instant) -> Result<(), PlayerError>;

    /// Requests a move.
    fn choose(
        &mut self,
        engine: &mut Process,
        game: &GameSoFar<'_>,
        limits: &Limits,
        until: Instant,
    ) -> Result<Reply, PlayerError>;
}

/// A player that is a program. After an error it is restarted for the next game.
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

    fn start(&self) -> Result<(Process, Box<dyn Client>), PlayerError> {
        let mut client: Box<dyn Client> = match self.protocol {
            Protocol::Uci => Box::new(uci::Uci),
            Protocol::Hub => Box::new(hub::Hub),
            Protocol::NBoard => Box::new(nboard::NBoard::default()),
            Protocol::Gtp => Box::new(gtp::Gtp::default()),
        };
        let mut process = Process::start(&self.words, self.stop.clone())?;
        let program = &self.words[0];
        client.handshake(&mut process, &self.options, Instant::now() + STARTUP).map_err(|error| match error {
            PlayerError::Died => PlayerError::CannotStart(format!(
                "'{program}' exited before it confirmed that it speaks {}",
                self.protocol.title()
            )),
            PlayerError::Silent => PlayerError::CannotStart(format!(
                "'{program}' did not confirm within {} s that it speaks {}",
                STARTUP.as_secs(),
                self.protocol.title()
            )),
            PlayerError::BadOption(why) => PlayerError::BadOption(format!("'{program}': {why}")),
            error => error,
        })?;
        Ok((process, client))
    }

    /// Ends the program after an error.
    fn checked<T>(&mut self, result: Result<T, PlayerError>) -> Result<T, PlayerError> {
        if result.is_err() {
            self.running = None;
        }
        result
    }
}

impl Player for External {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        let Some((process, client)) = &mut self.running else { return Err(PlayerError::Died) };
        process.drain();
        let ready = client.new_game(process, Instant::now() + STARTUP);
        // A program that failed between two games is restarted once.
        match ready {
            Err(PlayerError::Stopped) => Err(PlayerError::Stopped),
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

    fn choose(&mut self, game: &GameSoFar<'_>, limits: &Limits) -> Result<Reply, PlayerError> {
        let Some((process, client)) = &mut self.running else { return Err(PlayerError::Died) };
        process.drain();
        let reply = client.choose(process, game, limits, Instant::now() + limits.patience);
        self.checked(reply)
    }
}
