//! A GTP 2 client for Othello programs such as GRhino.
//!
//! GTP has no positions, only moves from the start position. Many programs ignore the clock.

use std::time::{Duration, Instant};

use emtee::Side;

use super::Client;
use super::process::Process;
use crate::arena::{GameSoFar, Limits, PlayerError, Reply};

#[derive(Default)]
pub(crate) struct Gtp {
    /// The moves that the program has received or generated.
    known: Vec<String>,
}

impl Client for Gtp {
    fn handshake(
        &mut self,
        engine: &mut Process,
        options: &[(String, String)],
        until: Instant,
    ) -> Result<(), PlayerError> {
        send_command(engine, "name", until)?;
        if let Some((name, _)) = options.first() {
            return Err(PlayerError::BadOption(format!("GTP has no options; leave option.{name} out")));
        }
        Ok(())
    }

    fn new_game(&mut self, engine: &mut Process, until: Instant) -> Result<(), PlayerError> {
        self.known.clear();
        send_command(engine, "boardsize 8", until)?;
        send_command(engine, "clear_board", until).map(drop)
    }

    fn choose(
        &mut self,
        engine: &mut Process,
        game: &GameSoFar<'_>,
        limits: &Limits,
        until: Instant,
    ) -> Result<Reply, PlayerError> {
        if !game.from_start {
            return Err(PlayerError::Failed(String::from(
                "GTP has no positions: openings must be moves from the start",
            )));
        }
        if !game.moves.starts_with(&self.known) {
            self.new_game(engine, until)?;
        }
        let first = game.start.turn();
        let mover = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
        for (ply, m) in game.moves.iter().enumerate().skip(self.known.len()) {
            // Some programs play forced passes themselves and refuse the command.
            let response = send_command(engine, &format!("play {} {m}", colour(mover(ply))), until);
            if m != "pass" {
                response?;
            }
        }
        send_time(engine, limits, game.current.turn(), until)?;
        let m = match game.current.moves().as_slice() {
            [only] if only == "pass" => only.clone(),
            _ => send_command(engine, &format!("genmove {}", colour(game.current.turn())), until)?.to_lowercase(),
        };
        if m == "resign" {
            return Err(PlayerError::Resigned);
        }
        self.known = game.moves.to_vec();
        // A program plays the move that it generates. A forced pass was not generated.
        if m != "pass" {
            self.known.push(m.clone());
        }
        Ok(Reply { m, ..Reply::default() })
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// GTP only has whole seconds.
fn send_time(engine: &mut Process, limits: &Limits, turn: Side, until: Instant) -> Result<(), PlayerError> {
    let up = |time: Duration| time.as_secs_f64().ceil().max(1.0);
    let command = match (&limits.clocks, limits.move_time) {
        (Some(clocks), _) => format!("time_left {} {} 0", colour(turn), up(clocks.left[turn.index()])),
        (None, Some(time)) => format!("time_settings 0 {} 1", up(time)),
        (None, None) => return Ok(()),
    };
    match send_command(engine, &command, until) {
        Err(PlayerError::Failed(_)) => Ok(()), // The program has no clock.
        answer => answer.map(drop),
    }
}

/// Sends a command and reads the response: `= text`, or `? reason`, up to an empty line.
fn send_command(engine: &mut Process, command: &str, until: Instant) -> Result<String, PlayerError> {
    engine.send(command)?;
    let mut answer: Option<Result<String, PlayerError>> = None;
    engine.wait(until, |line| {
        if answer.is_none() {
            answer = match (line.strip_prefix('='), line.strip_prefix('?')) {
                (Some(text), _) => Some(Ok(text.trim().to_owned())),
                (_, Some(why)) => Some(Err(PlayerError::Failed(format!("'{command}' was refused: {}", why.trim())))),
                _ => None,
            };
            None
        } else {
            line.is_empty().then_some(())
        }
    })?;
    answer.unwrap_or(Err(PlayerError::Silent))
}
