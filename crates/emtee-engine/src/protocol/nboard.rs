//! NBoard, version 2: what Othello programs speak.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use emtee::MAX_DEPTH;
use emtee_games::othello::{Ggf, POINTS_PER_DISC};

use super::engine_thread::EngineThread;
use super::lines::{Voice, one_line};
use super::{Dialogue, Setup};
use crate::error::Error;
use crate::position::Position;
use crate::registry::Entry;
use crate::row::Row;
use crate::session::{Choice, Clock, Control, Engine};

/// How deep it thinks if nobody says how deep, nor how long.
const DEPTH: u8 = 12;

pub(super) struct NBoard<'g> {
    game: &'g dyn Entry,
    /// The positions of the game, the present one last; none after a game or a move that was refused.
    line: Vec<Arc<dyn Position>>,
    depth: u8,
    move_time: Option<Duration>,
}

impl<'g> NBoard<'g> {
    pub(super) fn new(game: &'g dyn Entry, setup: &Setup) -> NBoard<'g> {
        let depth = if setup.move_time.is_some() { MAX_DEPTH } else { DEPTH };
        NBoard { game, line: vec![game.start().into()], depth, move_time: setup.move_time }
    }
}

/// The limits of a search at the start of a game.
pub(crate) fn first_clock(game: &dyn Entry, setup: &Setup) -> Clock {
    NBoard::new(game, setup).clock(&*game.start())
}

impl Dialogue for NBoard<'_> {
    fn hear(&mut self, line: &str, thread: &mut EngineThread<'_, '_>) -> ControlFlow<()> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let done = match command {
            "nboard" => {
                thread.say("set myname emtee");
                Ok(())
            }
            "set" => self.set(rest, thread),
            "move" => self.play(rest),
            "hint" => self.hint(rest, thread),
            "go" => self.go(thread),
            // Whatever was thought about is no longer of interest.
            "ping" => {
                thread.settle();
                thread.say(&format!("pong {}", one_line(rest)));
                Ok(())
            }
            // No book is added to while others play.
            "learn" => {
                thread.say("learned");
                Ok(())
            }
            "analyze" => self.analyze(thread),
            "quit" => return ControlFlow::Break(()),
            // What others know and we do not is passed over, as the protocol asks.
            _ => Ok(()),
        };
        if let Err(why) = done {
            self.complain(&why, thread);
        }
        ControlFlow::Continue(())
    }

    fn complain(&mut self, why: &str, thread: &mut EngineThread<'_, '_>) {
        thread.say(&format!("status {}", one_line(why)));
    }
}

impl NBoard<'_> {
    fn now(&self) -> Result<Arc<dyn Position>, String> {
        self.line.last().cloned().ok_or_else(|| String::from("the last position was refused: set game comes first"))
    }

    fn set(&mut self, rest: &str, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let (what, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match what {
            "depth" => {
                let bad = || String::from("set depth takes a number");
                let depth: u64 = value.trim().parse().map_err(|_| bad())?;
                self.depth = depth.clamp(1, u64::from(MAX_DEPTH)) as u8;
                thread.say(&format!("set myname emtee {}", self.depth));
                Ok(())
            }
            "game" => {
                // Whatever it was meant to be, it is no longer the old one.
                self.line.clear();
                self.set_game(value)?;
                // Nobody says that a game begins.
                if self.line.len() <= 2 { thread.choose_anew().map_err(|error| error.to_string()) } else { Ok(()) }
            }
            "contempt" => Err(String::from("a draw is worth nothing here, to either side: contempt is not used")),
            _ => Ok(()),
        }
    }

    fn set_game(&mut self, text: &str) -> Result<(), String> {
        let game: Ggf = text.parse().map_err(|error: emtee_games::othello::notation::Error| error.to_string())?;
        let said = |error: Error| error.to_string();
        let mut line: Vec<Arc<dyn Position>> = vec![self.game.position(&game.start.to_string()).map_err(said)?.into()];
        for played in &game.moves {
            let last = line[line.len() - 1].after(&played.m.to_string()).map_err(said)?;
            line.push(last.into());
        }
        self.line = line;
        Ok(())
    }

    /// `F5/eval/time`
    fn play(&mut self, rest: &str) -> Result<(), String> {
        let m = rest.split('/').next().unwrap_or_default().trim();
        if m.is_empty() {
            return Err(String::from("move takes a move, like F5 or PA"));
        }
        let m = if m.eq_ignore_ascii_case("pa") { "pass" } else { m };
        let after = self.now()?.after(m).map_err(|error| error.to_string());
        match after {
            Ok(after) => self.line.push(after.into()),
            // The game goes on somewhere else, and nobody knows where.
            Err(why) => {
                self.line.clear();
                return Err(why);
            }
        }
        Ok(())
    }

    /// What a move may take. A depth that reaches the end of the game is no limit: the engine may solve the position.
    fn clock(&self, position: &dyn Position) -> Clock {
        let depth = Some(self.depth).filter(|depth| usize::from(*depth) < empties(position));
        Clock { move_time: self.move_time, depth, ..Clock::default() }
    }

    fn hint(&mut self, rest: &str, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let lines = rest.parse().unwrap_or(1usize).clamp(1, 64);
        let (position, voice) = (self.now()?, thread.voice());
        let mut clock = Clock { lines, analysis: true, ..self.clock(&*position) };
        if lines > 1 {
            // Single moves are searched, not solved: to the end, passes included, and no further.
            clock.depth = Some(self.depth.min(empties(&*position) as u8 + 4));
        }
        let task = move |engine: &mut dyn Engine, control: &Control| {
            voice.say("status analyzing");
            let _ = think(engine, &*position, &clock, control, voice);
            voice.say("status");
        };
        thread.begin(String::from("status"), Box::new(task)).map_err(|error| error.to_string())
    }

    fn go(&mut self, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let (position, voice) = (self.now()?, thread.voice());
        let clock = self.clock(&*position);
        let first = position.moves().first().cloned();
        let otherwise = format!("=== {}", written(first.as_deref().unwrap_or("pass")));
        let plain = otherwise.clone();
        let task = move |engine: &mut dyn Engine, control: &Control| {
            voice.say("status thinking");
            let answer = match think(engine, &*position, &clock, control, voice) {
                Some(Choice { best_move: Some(best), row, .. }) => {
                    let eval = row.value.map(discs).unwrap_or_default();
                    format!("=== {}/{eval}/{:.2}", written(&best), row.seconds)
                }
                _ => otherwise,
            };
            voice.say(&format!("{answer}\nstatus"));
        };
        thread.begin(plain, Box::new(task)).map_err(|error| error.to_string())
    }

    /// What every position of the game is worth to the side to move, from the last to the first.
    fn analyze(&mut self, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        self.now()?;
        let (line, voice) = (self.line.clone(), thread.voice());
        let clock = |position: &Arc<dyn Position>| Clock { analysis: true, ..self.clock(&**position) };
        let clocks: Vec<Clock> = line.iter().map(clock).collect();
        let task = move |engine: &mut dyn Engine, control: &Control| {
            voice.say("status analyzing");
            for (ply, position) in line.iter().enumerate().rev() {
                if control.is_stopped() {
                    break;
                }
                if let Ok(Choice { row: Row { value: Some(value), .. }, .. }) =
                    engine.think(&**position, &clocks[ply], control, &mut |_| ())
                    && !voice.say(&format!("analysis {ply} {}", discs(value)))
                {
                    break;
                }
            }
            voice.say("status");
        };
        thread.begin(String::from("status"), Box::new(task)).map_err(|error| error.to_string())
    }
}

/// How many squares are empty.
fn empties(position: &dyn Position) -> usize {
    position.text().bytes().take(64).filter(|square| *square == b'-').count()
}

/// Thinks, and says what it finds.
fn think(
    engine: &mut dyn Engine,
    position: &dyn Position,
    clock: &Clock,
    control: &Control,
    voice: &Voice<'_>,
) -> Option<Choice> {
    let mut shown = |row: &Row| {
        let depth = if row.exact { String::from("100%") } else { row.depth.to_string() };
        let one = |pv: &[String], value: i32| format!("search {} {} 0 {depth}\n", joined(pv), discs(value));
        let lines = match (&row.top, row.value) {
            (Some(top), _) => top.iter().filter_map(|top| Some(one(&top.pv, top.value?))).collect(),
            (None, Some(value)) if !row.pv.is_empty() => one(&row.pv, value),
            (None, _) => String::new(),
        };
        if !voice.say(&format!("{lines}nodestats {} {:.2}", row.counts.nodes(), row.seconds)) {
            control.stop();
        }
    };
    match engine.think(position, clock, control, &mut shown) {
        Ok(choice) => Some(choice),
        Err(error) => {
            voice.say(&format!("status {}", one_line(&error.to_string())));
            None
        }
    }
}

/// `F5`, or `PA` for a pass.
fn written(m: &str) -> String {
    if m == "pass" { String::from("PA") } else { m.to_ascii_uppercase() }
}

/// A line without spaces, as the protocol wants it.
fn joined(pv: &[String]) -> String {
    pv.iter().map(|m| written(m)).collect()
}

fn discs(value: i32) -> String {
    format!("{:.2}", f64::from(value) / f64::from(POINTS_PER_DISC))
}
