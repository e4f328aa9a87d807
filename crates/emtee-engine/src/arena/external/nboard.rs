//! An NBoard 2 client for Othello programs.

use std::time::Instant;

use emtee::{Game, Side};
use emtee_games::othello::{Board, Ggf, GgfMove, Move};

use super::Client;
use super::process::Process;
use crate::arena::{GameSoFar, Limits, PlayerError, Reply};

#[derive(Default)]
pub(crate) struct NBoard {
    pings: u32,
}

impl Client for NBoard {
    fn handshake(
        &mut self,
        engine: &mut Process,
        options: &[(String, String)],
        until: Instant,
    ) -> Result<(), PlayerError> {
        engine.send("nboard 2")?;
        for (name, value) in options {
            engine.send(&format!("set {name} {value}"))?;
        }
        self.ping(engine, until)
    }

    fn new_game(&mut self, engine: &mut Process, until: Instant) -> Result<(), PlayerError> {
        self.ping(engine, until)
    }

    fn choose(
        &mut self,
        engine: &mut Process,
        game: &GameSoFar<'_>,
        limits: &Limits,
        until: Instant,
    ) -> Result<Reply, PlayerError> {
        if let Some(depth) = limits.depth {
            engine.send(&format!("set depth {depth}"))?;
        }
        engine.send(&format!("set game {}", ggf(game, limits)?))?;
        self.ping(engine, until)?;
        engine.send("go")?;
        let answer = engine.wait(until, |line| line.strip_prefix("===").map(|answer| answer.trim().to_owned()))?;
        let mut parts = answer.split('/');
        let m = parts.next().unwrap_or_default().trim().to_owned();
        // Values are in discs, as are ours.
        let value = parts.next().and_then(|value| value.trim().parse::<f64>().ok()).map(|value| value.round() as i32);
        let pass = m.parse::<Move>().is_ok_and(Move::is_pass);
        Ok(Reply { m: if pass { String::from("pass") } else { m.to_lowercase() }, value, ..Reply::default() })
    }
}

impl NBoard {
    fn ping(&mut self, engine: &mut Process, until: Instant) -> Result<(), PlayerError> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        engine.send(&format!("ping {}", self.pings))?;
        engine.wait(until, |line| (line == pong).then_some(()))
    }
}

/// The game so far. NBoard sends no clock; the times are part of the game record.
fn ggf(game: &GameSoFar<'_>, limits: &Limits) -> Result<Ggf, PlayerError> {
    let failed = |why: String| PlayerError::Failed(format!("NBoard is for Othello: {why}"));
    let start: Board = game.start.text().parse().map_err(|error| failed(format!("{error}")))?;
    let mut ggf = Ggf { black: "first".into(), white: "second".into(), result: "?".into(), start, ..Ggf::default() };
    let time = match (&limits.clocks, limits.move_time) {
        (Some(clocks), _) => {
            let [black, white] = [Side::First, Side::Second].map(|side| clocks.left[side.index()].as_secs_f64());
            let increment = clocks.increment.as_secs_f64();
            vec![
                ("TB".into(), format!("{black:.3}/{increment:.3}")),
                ("TW".into(), format!("{white:.3}/{increment:.3}")),
            ]
        }
        (None, Some(time)) => vec![("TI".into(), format!("{:.3}//", time.as_secs_f64()))],
        (None, None) => Vec::new(),
    };
    ggf.others = time;
    let mut board = start;
    for m in game.moves {
        let m: Move = m.parse().map_err(|error| failed(format!("{error}")))?;
        board = board.play(m);
        ggf.moves.push(GgfMove { m, notes: String::new() });
    }
    Ok(ggf)
}
