//! Engine searches of a position: analysis, or a move to play.

use std::sync::Arc;
use std::time::Duration;

use emtee::{Level, MAX_DEPTH, Size};
use emtee_engine::{Choice, Clock, Event, PassRow, Play, Position, Registry, Row, Unfinished};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::boards::PositionRequest;
use crate::refusal::Refusal;
use crate::search::{Lines, Search, Stop};

/// The table of an engine.
const HASH: Size = Size::of_bytes(16 << 20);

/// The longest time of a search, in milliseconds.
const MAX_MS: u64 = 120_000;

/// The most lines of an analysis.
const MAX_LINES: usize = 10;

/// A request to analyse a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalyseRequest {
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
    /// The name of the evaluation; by default that of engines.
    #[serde(default)]
    evaluator: Option<String>,
}

/// A row of an analysis for the page.
#[derive(Serialize)]
struct Shown {
    depth: u8,
    value: Option<i32>,
    /// The value, or its bounds, as text.
    text: String,
    lower: i32,
    upper: i32,
    complete: bool,
    best_move: Option<String>,
    pv: Vec<String>,
    /// The same line in the notation of players.
    written: Vec<String>,
    nodes: u64,
    leaves: u64,
    passes: usize,
    seconds: f64,
    table_permille: Option<u32>,
    /// The passes of its iteration.
    trace: Vec<PassRow>,
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

/// A line in the notation of players.
fn written(position: &dyn Position, line: &[String]) -> Vec<String> {
    let mut current = position.after_all(&[]);
    let mut words = Vec::new();
    for m in line {
        let Ok(before) = current else { break };
        words.push(before.written(m));
        current = before.after(m);
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

    /// An unfinished iteration: bounds, and no value. Its passes are shown when it is finished.
    fn unfinished(position: &dyn Position, unfinished: &Unfinished) -> Shown {
        let Unfinished {
            depth,
            ref text,
            lower,
            upper,
            ref best_move,
            ref pv,
            passes,
            counts,
            seconds,
            table_used,
            ..
        } = *unfinished;
        Shown {
            depth,
            value: None,
            text: text.clone(),
            lower,
            upper,
            complete: false,
            best_move: best_move.clone(),
            written: written(position, pv),
            pv: pv.clone(),
            nodes: counts.nodes(),
            leaves: counts.nbp,
            passes,
            seconds,
            table_permille: table_used,
            trace: Vec::new(),
            top: Vec::new(),
        }
    }
}

pub(crate) fn analyse(registry: &Arc<Registry>, body: AnalyseRequest) -> Result<Box<dyn Search>, Refusal> {
    let AnalyseRequest { game, position, moves, algorithm, lines, depth, ms, evaluator } = body;
    let request = PositionRequest { game, position, moves };
    let lines = lines.unwrap_or(1);
    if !(1..=MAX_LINES).contains(&lines) {
        return Err(Refusal::bad(format!("choose from 1 to {MAX_LINES} lines")));
    }
    if depth.is_some_and(|depth| !(1..=MAX_DEPTH).contains(&depth)) {
        return Err(Refusal::bad(format!("a depth is a number from 1 to {MAX_DEPTH}")));
    }
    let default = || Ok(request.game(registry)?.play_algorithm(evaluator.as_deref()));
    let algorithm = algorithm.map_or_else(default, |name| name.parse().map_err(Refusal::from))?;
    let play = Play { evaluator, ..Play::by(algorithm).with_hash(HASH) };
    let limit = limit(ms.unwrap_or(MAX_MS))?;
    let clock = Clock { lines, depth, move_time: Some(limit), ..Clock::default() };
    think(registry, request, play, clock, limit)
}

/// A request for a move of an engine.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayRequest {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    /// From 1 to 10; by default full strength.
    #[serde(default)]
    level: Option<u8>,
    /// The time for the move.
    #[serde(default)]
    ms: Option<u64>,
    /// The time left on its clock, an alternative to `ms`.
    #[serde(default)]
    left_ms: Option<u64>,
    /// The increment per move.
    #[serde(default)]
    increment_ms: u64,
    /// The seed of the random choices of a level.
    #[serde(default)]
    seed: u64,
    /// The name of the evaluation; by default that of engines.
    #[serde(default)]
    evaluator: Option<String>,
}

pub(crate) fn play(registry: &Arc<Registry>, body: PlayRequest) -> Result<Box<dyn Search>, Refusal> {
    let PlayRequest { game, position, moves, level, ms, left_ms, increment_ms, seed, evaluator } = body;
    let request = PositionRequest { game, position, moves };
    let level = level.map(Level::new).transpose()?;
    let algorithm = request.game(registry)?.play_algorithm(evaluator.as_deref());
    let play = Play { level, seed, evaluator, ..Play::by(algorithm).with_hash(HASH) };
    let clock = match (ms, left_ms) {
        (Some(_), Some(_)) => return Err(Refusal::bad("give either ms or left_ms, not both")),
        (None, Some(left)) => Clock::left(limit(left)?, limit(increment_ms.max(1))?),
        (ms, None) => Clock::move_time(limit(ms.unwrap_or(1_000))?),
    };
    think(registry, request, play, clock, Duration::from_millis(MAX_MS))
}

fn limit(ms: u64) -> Result<Duration, Refusal> {
    match ms {
        1..=MAX_MS => Ok(Duration::from_millis(ms)),
        _ => Err(Refusal::bad(format!("choose a time from 1 to {MAX_MS} milliseconds"))),
    }
}

/// An engine search.
struct EngineSearch {
    registry: Arc<Registry>,
    request: PositionRequest,
    position: Box<dyn Position>,
    play: Play,
    clock: Clock,
    limit: Duration,
}

fn think(
    registry: &Arc<Registry>,
    request: PositionRequest,
    play: Play,
    clock: Clock,
    limit: Duration,
) -> Result<Box<dyn Search>, Refusal> {
    let position = request.position(registry)?;
    if position.ending().is_some() || position.moves().is_empty() {
        return Err(Refusal::bad("the game is over: there is nothing to search"));
    }
    // Building a small engine checks the options.
    request.game(registry)?.engine(&play.clone().with_hash(Size::of_entries(1)))?;
    let limit = limit + Duration::from_secs(1);
    Ok(Box::new(EngineSearch { registry: registry.clone(), request, position, play, clock, limit }))
}

impl Search for EngineSearch {
    fn limit(&self) -> Duration {
        self.limit
    }

    fn work(&self, lines: &Lines, stop: &Stop) -> Result<(), Refusal> {
        let mut engine = self.request.game(&self.registry)?.engine(&self.play)?;
        if stop.is_stopped() {
            return Ok(());
        }
        let position = self.position.as_ref();
        let mut shown = |event: &Event<'_>| match event {
            Event::Pass(unfinished) => lines.send(&Shown::unfinished(position, unfinished)),
            _ => event.row().into_iter().for_each(|row| lines.send(&Shown::new(position, row))),
        };
        let Choice { best_move, row, .. } = engine.think(position, &self.clock, &stop.control(), &mut shown)?;
        let written = best_move.as_ref().map(|m| position.written(m));
        lines.send(
            &json!({ "done": true, "best_move": best_move, "written": written, "row": Shown::new(position, &row) }),
        );
        Ok(())
    }
}
