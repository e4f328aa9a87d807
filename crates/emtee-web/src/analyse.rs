//! An engine at work on a position: to analyse it, or to play a move.

use std::sync::Arc;
use std::time::Duration;

use emtee::{Algorithm, Level, MAX_DEPTH, Size};
use emtee_engine::{Choice, Clock, Passed, Play, Position, Registry, Row};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::boards::Place;
use crate::refusal::Refusal;
use crate::search::{Lines, Search, Stop};

/// The table of an engine.
const HASH: Size = Size::of_bytes(16 << 20);

/// No search lasts longer, in milliseconds.
const LONGEST_MS: u64 = 120_000;

/// The most lines at once.
const MOST_LINES: usize = 10;

/// What is to be analysed, and how far.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalyseAsked {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    algorithm: Option<String>,
    #[serde(default)]
    lines: Option<usize>,
    #[serde(default)]
    depth: Option<u8>,
    #[serde(default)]
    ms: Option<u64>,
    /// What evaluates positions, as engines do if not given.
    #[serde(default)]
    evaluator: Option<String>,
}

/// A row as a page shows it.
#[derive(Serialize)]
struct Shown {
    depth: u8,
    value: Option<i32>,
    /// The value, or what is known of it, as a person reads it.
    text: String,
    lower: i32,
    upper: i32,
    complete: bool,
    best_move: Option<String>,
    pv: Vec<String>,
    /// The same line as players write it.
    written: Vec<String>,
    nodes: u64,
    leaves: u64,
    passes: usize,
    seconds: f64,
    table_permille: Option<u32>,
    /// The passes of its iteration.
    trace: Vec<Passed>,
    top: Vec<Top>,
}

#[derive(Serialize)]
struct Top {
    #[serde(rename = "move")]
    m: String,
    value: Option<i32>,
    text: String,
    depth: u8,
    pv: Vec<String>,
    written: Vec<String>,
}

/// A line as players write it.
fn written(position: &dyn Position, line: &[String]) -> Vec<String> {
    let mut at = position.after_all(&[]);
    let mut words = Vec::new();
    for m in line {
        let Ok(before) = at else { break };
        words.push(before.written(m));
        at = before.after(m);
    }
    words
}

impl Shown {
    fn new(position: &dyn Position, row: &Row) -> Shown {
        let mut trace = row.trace.clone().unwrap_or_default();
        trace.retain(|pass| pass.depth == row.depth);
        let top = row.top.iter().flatten().map(|top| Top {
            m: top.m.clone(),
            value: top.value,
            text: top.text.clone(),
            depth: top.depth,
            written: written(position, &top.pv),
            pv: top.pv.clone(),
        });
        Shown {
            depth: row.depth,
            value: row.value,
            text: row.value_text.clone(),
            lower: row.lower,
            upper: row.upper,
            complete: row.complete,
            best_move: row.best_move.clone(),
            written: written(position, &row.pv),
            pv: row.pv.clone(),
            nodes: row.counts.nodes(),
            leaves: row.counts.nbp,
            passes: row.passes,
            seconds: row.seconds,
            table_permille: row.table_used,
            trace,
            top: top.collect(),
        }
    }
}

pub(crate) fn analyse(registry: &Arc<Registry>, asked: AnalyseAsked) -> Result<Box<dyn Search>, Refusal> {
    let AnalyseAsked { game, position, moves, algorithm, lines, depth, ms, evaluator } = asked;
    let place = Place { game, position, moves };
    let lines = lines.unwrap_or(1);
    if !(1..=MOST_LINES).contains(&lines) {
        return Err(Refusal::bad(format!("choose from 1 to {MOST_LINES} lines")));
    }
    if depth.is_some_and(|depth| !(1..=MAX_DEPTH).contains(&depth)) {
        return Err(Refusal::bad(format!("a depth is a number from 1 to {MAX_DEPTH}")));
    }
    let algorithm = algorithm.map_or(Ok(Algorithm::default()), |name| name.parse())?;
    let play = Play { evaluator, ..Play::by(algorithm).with_hash(HASH) };
    let limit = limit(ms.unwrap_or(LONGEST_MS))?;
    let clock = Clock { lines, depth, move_time: Some(limit), ..Clock::default() };
    think(registry, place, play, clock, limit)
}

/// A move that an engine is to play.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayAsked {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    /// From 1 to 10; as strong as the time allows if not given.
    #[serde(default)]
    level: Option<u8>,
    /// The time for the move.
    #[serde(default)]
    ms: Option<u64>,
    /// What is left on its clock, instead.
    #[serde(default)]
    left_ms: Option<u64>,
    /// What each move adds to that.
    #[serde(default)]
    increment_ms: u64,
    /// What a level chooses by.
    #[serde(default)]
    seed: u64,
    /// What evaluates positions, as engines do if not given.
    #[serde(default)]
    evaluator: Option<String>,
}

pub(crate) fn play(registry: &Arc<Registry>, asked: PlayAsked) -> Result<Box<dyn Search>, Refusal> {
    let PlayAsked { game, position, moves, level, ms, left_ms, increment_ms, seed, evaluator } = asked;
    let place = Place { game, position, moves };
    let level = level.map(Level::new).transpose()?;
    let play = Play { level, seed, evaluator, ..Play::default().with_hash(HASH) };
    let clock = match (ms, left_ms) {
        (Some(_), Some(_)) => return Err(Refusal::bad("a move has a time of its own or a share of a clock, not both")),
        (None, Some(left)) => Clock::left(limit(left)?, limit(increment_ms.max(1))?),
        (ms, None) => Clock::move_time(limit(ms.unwrap_or(1_000))?),
    };
    think(registry, place, play, clock, Duration::from_millis(LONGEST_MS))
}

fn limit(ms: u64) -> Result<Duration, Refusal> {
    match ms {
        1..=LONGEST_MS => Ok(Duration::from_millis(ms)),
        _ => Err(Refusal::bad(format!("choose a time from 1 to {LONGEST_MS} milliseconds"))),
    }
}

/// An engine that is to think.
struct Thinking {
    registry: Arc<Registry>,
    place: Place,
    position: Box<dyn Position>,
    play: Play,
    clock: Clock,
    limit: Duration,
}

fn think(
    registry: &Arc<Registry>,
    place: Place,
    play: Play,
    clock: Clock,
    limit: Duration,
) -> Result<Box<dyn Search>, Refusal> {
    let position = place.reach(registry)?;
    if position.ending().is_some() || position.moves().is_empty() {
        return Err(Refusal::bad("the game is over: there is nothing to think about"));
    }
    // Whether these options go together shows on a small engine.
    place.game(registry)?.engine(&play.clone().with_hash(Size::of_entries(1)))?;
    let limit = limit + Duration::from_secs(1);
    Ok(Box::new(Thinking { registry: registry.clone(), place, position, play, clock, limit }))
}

impl Search for Thinking {
    fn limit(&self) -> Duration {
        self.limit
    }

    fn work(&self, lines: &Lines, stop: &Stop) -> Result<(), Refusal> {
        let mut engine = self.place.game(&self.registry)?.engine(&self.play)?;
        if stop.is_stopped() {
            return Ok(());
        }
        let position = self.position.as_ref();
        let mut shown = |row: &Row| lines.send(&Shown::new(position, row));
        let Choice { best_move, row, .. } = engine.think(position, &self.clock, &stop.control, &mut shown)?;
        let written = best_move.as_ref().map(|m| position.written(m));
        lines.send(
            &json!({ "done": true, "best_move": best_move, "written": written, "row": Shown::new(position, &row) }),
        );
        Ok(())
    }
}
