//! GTP 2, seen by whoever asks: Othello programs such as GRhino.
//!
//! GTP has no positions, only moves from the usual start; and many programs answer when they like, whatever the clock says.

use std::time::{Duration, Instant};

use emtee::Side;

use super::Client;
use super::process::Process;
use crate::arena::{Fault, Limits, Played, Reply};

#[derive(Default)]
pub(crate) struct Gtp {
    /// The moves that the program knows of.
    known: Vec<String>,
}

impl Client for Gtp {
    fn open(&mut self, engine: &mut Process, options: &[(String, String)], until: Instant) -> Result<(), Fault> {
        ask(engine, "name", until)?;
        if let Some((name, _)) = options.first() {
            return Err(Fault::BadOption(format!("GTP has no options; leave option.{name} out")));
        }
        Ok(())
    }

    fn new_game(&mut self, engine: &mut Process, until: Instant) -> Result<(), Fault> {
        self.known.clear();
        ask(engine, "boardsize 8", until)?;
        ask(engine, "clear_board", until).map(drop)
    }

    fn choose(
        &mut self,
        engine: &mut Process,
        game: &Played<'_>,
        limits: &Limits,
        until: Instant,
    ) -> Result<Reply, Fault> {
        if !game.from_start {
            return Err(Fault::Failed(String::from("GTP knows no positions: openings must be moves from the start")));
        }
        if !game.moves.starts_with(&self.known) {
            self.new_game(engine, until)?;
        }
        let first = game.start.turn();
        let mover = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
        for (ply, m) in game.moves.iter().enumerate().skip(self.known.len()) {
            // Some programs take a forced pass for granted, and refuse to hear of it.
            let heard = ask(engine, &format!("play {} {m}", colour(mover(ply))), until);
            if m != "pass" {
                heard?;
            }
        }
        tell_time(engine, limits, game.now.turn(), until)?;
        let m = match game.now.moves().as_slice() {
            [only] if only == "pass" => only.clone(),
            _ => ask(engine, &format!("genmove {}", colour(game.now.turn())), until)?.to_lowercase(),
        };
        if m == "resign" {
            return Err(Fault::Resigned);
        }
        self.known = game.moves.to_vec();
        // A program has played what it generates; a pass it was not asked for.
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

/// Whole seconds are all there is.
fn tell_time(engine: &mut Process, limits: &Limits, turn: Side, until: Instant) -> Result<(), Fault> {
    let up = |time: Duration| time.as_secs_f64().ceil().max(1.0);
    let said = match (&limits.clocks, limits.move_time) {
        (Some(clocks), _) => format!("time_left {} {} 0", colour(turn), up(clocks.left[turn.index()])),
        (None, Some(time)) => format!("time_settings 0 {} 1", up(time)),
        (None, None) => return Ok(()),
    };
    match ask(engine, &said, until) {
        Err(Fault::Failed(_)) => Ok(()), // A program without a clock.
        answer => answer.map(drop),
    }
}

/// A command and its answer: `= text`, or `? why not`, up to an empty line.
fn ask(engine: &mut Process, command: &str, until: Instant) -> Result<String, Fault> {
    engine.send(command)?;
    let mut answer: Option<Result<String, Fault>> = None;
    engine.wait(until, |line| {
        if answer.is_none() {
            answer = match (line.strip_prefix('='), line.strip_prefix('?')) {
                (Some(text), _) => Some(Ok(text.trim().to_owned())),
                (_, Some(why)) => Some(Err(Fault::Failed(format!("'{command}' was refused: {}", why.trim())))),
                _ => None,
            };
            None
        } else {
            line.is_empty().then_some(())
        }
    })?;
    answer.unwrap_or(Err(Fault::Silent))
}
