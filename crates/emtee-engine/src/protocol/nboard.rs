//! NBoard, version 2, the protocol of Othello programs.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use emtee::MAX_DEPTH;
use emtee_games::othello::{Ggf, POINTS_PER_DISC};

use super::engine_thread::EngineThread;
use super::lines::{Output, one_line};
use super::{ProtocolHandler, Setup};
use crate::error::Error;
use crate::event::Event;
use crate::position::Position;
use crate::registry::Entry;
use crate::row::Row;
use crate::session::{Choice, Clock, Control, Engine};

/// The depth if neither a depth nor a time is set.
const DEFAULT_DEPTH: u8 = 12;

pub(super) struct NBoard<'g> {
    game: &'g dyn Entry,
    /// The positions of the game, the current one last. Empty after a game or a move that was refused.
    line: Vec<Arc<dyn Position>>,
    depth: u8,
    move_time: Option<Duration>,
}

impl<'g> NBoard<'g> {
    pub(super) fn new(game: &'g dyn Entry, setup: &Setup) -> NBoard<'g> {
        let depth = if setup.move_time.is_some() { MAX_DEPTH } else { DEFAULT_DEPTH };
        NBoard { game, line: vec![game.start().into()], depth, move_time: setup.move_time }
    }
}

/// The limits of a search at the start of a game.
pub(crate) fn first_clock(game: &dyn Entry, setup: &Setup) -> Clock {
    NBoard::new(game, setup).clock(&*game.start())
}

impl ProtocolHandler for NBoard<'_> {
    fn handle_line(&mut self, line: &str, thread: &mut EngineThread<'_, '_>) -> ControlFlow<()> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let done = match command {
            "nboard" => {
                thread.write_lines("set myname emtee");
                Ok(())
            }
            "set" => self.set(rest, thread),
            "move" => self.play(rest),
            "hint" => self.hint(rest, thread),
            "go" => self.go(thread),
            // The result of the current search is no longer needed.
            "ping" => {
                thread.stop_and_wait();
                thread.write_lines(&format!("pong {}", one_line(rest)));
                Ok(())
            }
            // Books are not extended while playing.
            "learn" => {
                thread.write_lines("learned");
                Ok(())
            }
            "analyze" => self.analyze(thread),
            "quit" => return ControlFlow::Break(()),
            // Unknown commands are ignored, as the protocol requires.
            _ => Ok(()),
        };
        if let Err(why) = done {
            self.report_error(&why, thread);
        }
        ControlFlow::Continue(())
    }

    fn report_error(&mut self, why: &str, thread: &mut EngineThread<'_, '_>) {
        thread.write_lines(&format!("status {}", one_line(why)));
    }
}

impl NBoard<'_> {
    fn current(&self) -> Result<Arc<dyn Position>, String> {
        self.line.last().cloned().ok_or_else(|| String::from("the last position was refused: set game comes first"))
    }

    fn set(&mut self, rest: &str, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let (what, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match what {
            "depth" => {
                let bad = || String::from("set depth needs a number");
                let depth: u64 = value.trim().parse().map_err(|_| bad())?;
                self.depth = depth.clamp(1, u64::from(MAX_DEPTH)) as u8;
                thread.write_lines(&format!("set myname emtee {}", self.depth));
                Ok(())
            }
            "game" => {
                // If the new game is refused, the old one is not valid either.
                self.line.clear();
                self.set_game(value)?;
                // The protocol has no command for a new game.
                if self.line.len() <= 2 { thread.next_seed().map_err(|error| error.to_string()) } else { Ok(()) }
            }
            "contempt" => Err(String::from("contempt is not supported: the value of a draw is always 0")),
            _ => Ok(()),
        }
    }

    fn set_game(&mut self, text: &str) -> Result<(), String> {
        let game: Ggf = text.parse().map_err(|error: emtee_games::othello::notation::Error| error.to_string())?;
        let message = |error: Error| error.to_string();
        let mut line: Vec<Arc<dyn Position>> =
            vec![self.game.position(&game.start.to_string()).map_err(message)?.into()];
        for played in &game.moves {
            let last = line[line.len() - 1].after(&played.m.to_string()).map_err(message)?;
            line.push(last.into());
        }
        self.line = line;
        Ok(())
    }

    /// `F5/eval/time`.
    fn play(&mut self, rest: &str) -> Result<(), String> {
        let m = rest.split('/').next().unwrap_or_default().trim();
        if m.is_empty() {
            return Err(String::from("move needs a move, like F5 or PA"));
        }
        let m = if m.eq_ignore_ascii_case("pa") { "pass" } else { m };
        let after = self.current()?.after(m).map_err(|error| error.to_string());
        match after {
            Ok(after) => self.line.push(after.into()),
            // The position after an illegal move is unknown.
            Err(why) => {
                self.line.clear();
                return Err(why);
            }
        }
        Ok(())
    }

    /// The limits of a search. A depth that reaches the end of the game is no limit: the engine may solve the position.
    fn clock(&self, position: &dyn Position) -> Clock {
        let depth = Some(self.depth).filter(|depth| usize::from(*depth) < empties(position));
        Clock { move_time: self.move_time, depth, ..Clock::default() }
    }

    fn hint(&mut self, rest: &str, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let lines = rest.parse().unwrap_or(1usize).clamp(1, 64);
        let (position, output) = (self.current()?, thread.output());
        let mut clock = Clock { lines, analysis: true, ..self.clock(&*position) };
        if lines > 1 {
            // Ranked moves are searched, not solved: to the end of the game, passes included, and no deeper.
            clock.depth = Some(self.depth.min(empties(&*position) as u8 + 4));
        }
        let task = move |engine: &mut dyn Engine, control: &Control| {
            output.write_lines("status analyzing");
            let _ = think(engine, &*position, &clock, control, output);
            output.write_lines("status");
        };
        thread.start(String::from("status"), Box::new(task)).map_err(|error| error.to_string())
    }

    fn go(&mut self, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let (position, output) = (self.current()?, thread.output());
        let clock = self.clock(&*position);
        let first = position.moves().first().cloned();
        let fallback = format!("=== {}", written(first.as_deref().unwrap_or("pass")));
        let plain = fallback.clone();
        let task = move |engine: &mut dyn Engine, control: &Control| {
            output.write_lines("status thinking");
            let answer = match think(engine, &*position, &clock, control, output) {
                Some(Choice { best_move: Some(best), row, .. }) => {
                    let eval = row.value.map(discs).unwrap_or_default();
                    format!("=== {}/{eval}/{:.2}", written(&best), row.seconds)
                }
                _ => fallback,
            };
            output.write_lines(&format!("{answer}\nstatus"));
        };
        thread.start(plain, Box::new(task)).map_err(|error| error.to_string())
    }

    /// Writes the value of every position of the game for its side to move, from the last to the first.
    fn analyze(&mut self, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        self.current()?;
        let (line, output) = (self.line.clone(), thread.output());
        let clock = |position: &Arc<dyn Position>| Clock { analysis: true, ..self.clock(&**position) };
        let clocks: Vec<Clock> = line.iter().map(clock).collect();
        let task = move |engine: &mut dyn Engine, control: &Control| {
            output.write_lines("status analyzing");
            for (ply, position) in line.iter().enumerate().rev() {
                if control.is_stopped() {
                    break;
                }
                if let Ok(Choice { row: Row { value: Some(value), .. }, .. }) =
                    engine.think(&**position, &clocks[ply], control, &mut |_| ())
                    && !output.write_lines(&format!("analysis {ply} {}", discs(value)))
                {
                    break;
                }
            }
            output.write_lines("status");
        };
        thread.start(String::from("status"), Box::new(task)).map_err(|error| error.to_string())
    }
}

/// The number of empty squares.
fn empties(position: &dyn Position) -> usize {
    position.text().bytes().take(64).filter(|square| *square == b'-').count()
}

/// Thinks and writes the results.
fn think(
    engine: &mut dyn Engine,
    position: &dyn Position,
    clock: &Clock,
    control: &Control,
    output: &Output<'_>,
) -> Option<Choice> {
    let mut shown = |event: &Event<'_>| {
        let (lines, counts, seconds) = match event {
            Event::Pass(unfinished) => (String::new(), unfinished.counts, unfinished.seconds),
            _ => match event.row() {
                Some(row) => (found(row), row.counts, row.seconds),
                None => return,
            },
        };
        if !output.write_lines(&format!("{lines}nodestats {} {seconds:.2}", counts.nodes())) {
            control.stop();
        }
    };
    match engine.think(position, clock, control, &mut shown) {
        Ok(choice) => Some(choice),
        Err(error) => {
            output.write_lines(&format!("status {}", one_line(&error.to_string())));
            None
        }
    }
}

/// The moves of a row, one `search` line each.
fn found(row: &Row) -> String {
    let depth = if row.exact { String::from("100%") } else { row.depth.to_string() };
    let one = |pv: &[String], value: i32| format!("search {} {} 0 {depth}\n", joined(pv), discs(value));
    match (&row.top, row.value) {
        (Some(top), _) => top.iter().filter_map(|top| Some(one(&top.pv, top.value?))).collect(),
        (None, Some(value)) if !row.pv.is_empty() => one(&row.pv, value),
        (None, _) => String::new(),
    }
}

/// A move: `F5`, or `PA` for a pass.
fn written(m: &str) -> String {
    if m == "pass" { String::from("PA") } else { m.to_ascii_uppercase() }
}

/// A line without spaces, as the protocol requires.
fn joined(pv: &[String]) -> String {
    pv.iter().map(|m| written(m)).collect()
}

fn discs(value: i32) -> String {
    format!("{:.2}", f64::from(value) / f64::from(POINTS_PER_DISC))
}
