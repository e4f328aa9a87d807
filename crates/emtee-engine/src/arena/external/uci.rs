//! A UCI client for chess programs.

use std::time::Instant;

use emtee::{Side, Value};

use super::Client;
use super::process::Process;
use crate::arena::{GameSoFar, Limits, PlayerError, Reply};

#[derive(Default)]
pub(crate) struct Uci;

impl Client for Uci {
    fn handshake(
        &mut self,
        engine: &mut Process,
        options: &[(String, String)],
        until: Instant,
    ) -> Result<(), PlayerError> {
        engine.send("uci")?;
        let mut known = Vec::new();
        engine.wait(until, |line| {
            known.extend(option_name(line));
            (line == "uciok").then_some(())
        })?;
        for (name, value) in options {
            let Some(named) = known.iter().find(|known| known.eq_ignore_ascii_case(name)) else {
                return Err(PlayerError::no_option(name, &known));
            };
            engine.send(&format!("setoption name {named} value {value}"))?;
        }
        ready(engine, until)
    }

    fn new_game(&mut self, engine: &mut Process, until: Instant) -> Result<(), PlayerError> {
        engine.send("ucinewgame")?;
        ready(engine, until)
    }

    fn choose(
        &mut self,
        engine: &mut Process,
        game: &GameSoFar<'_>,
        limits: &Limits,
        until: Instant,
    ) -> Result<Reply, PlayerError> {
        engine.send(&position(game))?;
        engine.send(&go(limits))?;
        let mut reply = Reply::default();
        engine
            .wait(until, |line| {
                let mut words = line.split_whitespace();
                match words.next() {
                    Some("info") => {
                        reply.read_info(line);
                        None
                    }
                    Some("bestmove") => Some(words.next().unwrap_or_default().to_owned()),
                    _ => None,
                }
            })
            .map(|m| Reply { m, ..reply })
    }
}

fn ready(engine: &mut Process, until: Instant) -> Result<(), PlayerError> {
    engine.send("isready")?;
    engine.wait(until, |line| (line == "readyok").then_some(()))
}

/// `option name Clear Hash type button` names "Clear Hash".
fn option_name(line: &str) -> Option<String> {
    let name = line.strip_prefix("option name ")?;
    Some(name.split(" type ").next().unwrap_or(name).trim().to_owned())
}

pub(crate) fn position(game: &GameSoFar<'_>) -> String {
    let mut text = format!("position fen {}", game.start.text());
    if !game.moves.is_empty() {
        text += &format!(" moves {}", game.moves.join(" "));
    }
    text
}

pub(crate) fn go(limits: &Limits) -> String {
    let mut text = String::from("go");
    if let Some(clocks) = &limits.clocks {
        let [white, black] = [Side::First, Side::Second].map(|side| clocks.left[side.index()].as_millis());
        let increment = clocks.increment.as_millis();
        text += &format!(" wtime {white} btime {black} winc {increment} binc {increment}");
    }
    for (name, number) in [
        ("movetime", limits.move_time.map(|time| time.as_millis() as u64)),
        ("depth", limits.depth.map(u64::from)),
        ("nodes", limits.nodes),
    ] {
        if let Some(number) = number {
            text += &format!(" {name} {number}");
        }
    }
    if text == "go" { String::from("go infinite") } else { text }
}

impl Reply {
    /// Reads depth, nodes and value from an `info` line. Unknown parts are ignored.
    fn read_info(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "string" | "pv" => return,
                "multipv" if words.next() != Some("1") => return,
                "depth" => self.depth = words.next().and_then(|n| n.parse().ok()).or(self.depth),
                "nodes" => self.nodes = words.next().and_then(|n| n.parse().ok()).or(self.nodes),
                "score" => {
                    let (kind, number) = (words.next(), words.next().and_then(|n| n.parse::<i32>().ok()));
                    self.value = match (kind, number) {
                        (Some("cp"), Some(n)) => Some(n.clamp(-Value::MAX_SCORE, Value::MAX_SCORE)),
                        (Some("mate"), Some(n)) if n > 0 => {
                            Some(Value::win_in(n.unsigned_abs().saturating_mul(2) - 1).get())
                        }
                        (Some("mate"), Some(n)) => Some(Value::loss_in(n.unsigned_abs().saturating_mul(2)).get()),
                        _ => self.value,
                    };
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infos_are_read() {
        let mut reply = Reply::default();
        for (line, value, depth) in [
            ("info depth 5 seldepth 9 score cp -31 nodes 1200 pv e2e4 e7e5", Some(-31), Some(5)),
            ("info string score cp 99", Some(-31), Some(5)),
            ("info depth 6 multipv 2 score cp 70", Some(-31), Some(6)),
            ("info depth 7 score mate 3", Some(31_995), Some(7)),
            ("info depth 8 score mate -2 upperbound", Some(-31_996), Some(8)),
            ("info score cp", Some(-31_996), Some(8)),
            ("info depth x score mate 99999999999", Some(-31_996), Some(8)),
            ("info score mate 0", Some(-32_000), Some(8)),
        ] {
            reply.read_info(line);
            assert_eq!((reply.value, reply.depth), (value, depth), "{line}");
        }
        assert_eq!(option_name("option name Clear Hash type button"), Some("Clear Hash".into()));
    }
}
