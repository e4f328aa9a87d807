//! Races: algorithms compared on one position or several.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use emtee::{Algorithm, Clock, Size};
use emtee_engine::{Comparison, Cost, Entry, Position, Registry, Row, Settings};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::boards::PositionRequest;
use crate::refusal::Refusal;
use crate::search::{Lines, Search, Stop};

const MAX_ALGORITHMS: usize = 16;
const MAX_POSITIONS: usize = 50;
const MAX_DEPTH: u8 = 40;
const MAX_ENTRIES: usize = 1 << 22;
const TIME_LIMIT: Duration = Duration::from_secs(180);

/// A request for a race.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RaceRequest {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    /// A set of positions of the game, an alternative to `position`, and the number of positions from it.
    #[serde(default)]
    set: Option<String>,
    #[serde(default)]
    count: Option<usize>,
    algorithms: Vec<String>,
    depth: u8,
    #[serde(default)]
    entries: Option<usize>,
}

/// A finished iteration of one algorithm; counts are cumulative over its iterations.
#[derive(Serialize)]
struct Lap<'l> {
    algorithm: &'l str,
    position: usize,
    depth: u8,
    value: Option<i32>,
    text: &'l str,
    best_move: Option<&'l str>,
    leaves: u64,
    nodes: u64,
    passes: usize,
    seconds: f64,
    /// Whether the search of this position is finished.
    last: bool,
    complete: bool,
}

impl<'l> Lap<'l> {
    fn new(position: usize, algorithm: &'l str, row: &'l Row, last: bool) -> Lap<'l> {
        Lap {
            algorithm,
            position,
            depth: row.depth,
            value: row.value,
            text: &row.value_text,
            best_move: row.best_move.as_deref(),
            leaves: row.counts.nbp,
            nodes: row.counts.nodes(),
            passes: row.passes,
            seconds: row.seconds,
            last,
            complete: row.complete,
        }
    }
}

/// The processor time of this thread, without that of other threads. A page without a server has one thread.
#[cfg(feature = "server")]
const CLOCK: Option<Clock> = Some(|| cpu_time::ThreadTime::now().as_duration());
#[cfg(not(feature = "server"))]
const CLOCK: Option<Clock> = None;

pub(crate) fn race(registry: &Arc<Registry>, body: RaceRequest) -> Result<Box<dyn Search>, Refusal> {
    if !(1..=MAX_DEPTH).contains(&body.depth) {
        return Err(Refusal::bad(format!("a race goes to a depth from 1 to {MAX_DEPTH}")));
    }
    let entries = body.entries.unwrap_or(1 << 20);
    if !(1..=MAX_ENTRIES).contains(&entries) {
        return Err(Refusal::bad(format!("a table can have 1 to {MAX_ENTRIES} entries here")));
    }
    let game = registry.get(&body.game)?;
    let comparison = comparison(game, &body.algorithms)?;
    let mut settings = Comparison::settings(game);
    settings.options.size = Some(Size::of_entries(entries));
    settings.clock = CLOCK;
    let depth = body.depth;
    let positions = positions(registry, body)?;
    let (next, finished) = (AtomicUsize::new(0), Mutex::default());
    Ok(Box::new(Race { comparison, positions, depth, settings, next, finished }))
}

/// The requested algorithms and the baseline.
fn comparison(game: &dyn Entry, names: &[String]) -> Result<Comparison, Refusal> {
    let comparison = Comparison::new(game, names.iter().take(MAX_ALGORITHMS + 1).map(String::as_str))?;
    if names.is_empty() {
        return Err(Refusal::bad("name an algorithm"));
    }
    if comparison.algorithms.len() > MAX_ALGORITHMS {
        return Err(Refusal::bad(format!("at most {MAX_ALGORITHMS} algorithms race")));
    }
    Ok(comparison)
}

fn positions(registry: &Registry, body: RaceRequest) -> Result<Vec<Box<dyn Position>>, Refusal> {
    let RaceRequest { game, position, moves, set, count, .. } = body;
    let Some(set) = set else {
        if count.is_some() {
            return Err(Refusal::bad("count needs a set"));
        }
        let position = PositionRequest { game, position, moves }.position(registry)?;
        if position.moves().is_empty() {
            return Err(Refusal::bad("the game is over: there is nothing to search"));
        }
        return Ok(vec![position]);
    };
    if position.is_some() || !moves.is_empty() {
        return Err(Refusal::bad("a race is run on a set or on a position, not both"));
    }
    let mut positions = registry.get(&game)?.set(&set)?;
    let count = count.unwrap_or(5);
    if !(1..=MAX_POSITIONS).contains(&count) {
        return Err(Refusal::bad(format!("choose from 1 to {MAX_POSITIONS} positions")));
    }
    positions.truncate(count);
    Ok(positions)
}

struct Race {
    comparison: Comparison,
    positions: Vec<Box<dyn Position>>,
    depth: u8,
    settings: Settings,
    /// The number of the next run.
    next: AtomicUsize,
    finished: Mutex<Vec<Finished>>,
}

/// A finished run: the number of its algorithm, the number of its position, its last row.
type Finished = (usize, usize, Row);

impl Search for Race {
    fn limit(&self) -> Duration {
        TIME_LIMIT
    }

    fn max_threads(&self) -> usize {
        self.comparison.algorithms.len()
    }

    /// Sends the algorithms, positions and threads.
    fn begin(&self, threads: usize, lines: &Lines) {
        let texts: Vec<String> = self.positions.iter().map(|position| position.text()).collect();
        let names: Vec<&String> = self.comparison.algorithms.iter().map(|(name, _)| name).collect();
        let baseline = names[self.comparison.baseline];
        lines.send(&json!({ "algorithms": names, "positions": texts, "baseline": baseline, "threads": threads }));
    }

    /// Executes runs until none is left, position by position, so that all algorithms progress evenly.
    fn work(&self, lines: &Lines, stop: &Stop) -> Result<(), Refusal> {
        while !stop.is_stopped() {
            let run = self.next.fetch_add(1, Relaxed);
            let algorithms = &self.comparison.algorithms;
            let (index, number) = (run / algorithms.len(), run % algorithms.len());
            let Some(position) = self.positions.get(index) else { break };
            match self.search(index, position.as_ref(), &algorithms[number], lines, stop) {
                Ok(row) => self.finished.lock().unwrap_or_else(PoisonError::into_inner).push((number, index, row)),
                Err(refusal) => {
                    let name = &algorithms[number].0;
                    lines.send(&json!({ "algorithm": name, "position": index, "refused": refusal.to_string() }));
                }
            }
        }
        Ok(())
    }

    fn end(&self, lines: &Lines, stop: &Stop) {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        lines.send(&json!({ "summary": self.summary(&finished), "stopped": stop.is_stopped() }));
    }
}

impl Race {
    fn search(
        &self,
        index: usize,
        position: &dyn Position,
        (name, algorithm): &(String, Algorithm),
        lines: &Lines,
        stop: &Stop,
    ) -> Result<Row, Refusal> {
        let mut settings = self.settings.clone();
        settings.options.algorithm = *algorithm;
        settings.options.guess = Comparison::own_guess(name).unwrap_or(settings.options.guess);
        settings.stop = Some(stop.flag.clone().into());
        let budget = Comparison::budget(*algorithm, self.depth);
        let row = position.search(&settings, budget, &mut |event| {
            if let Some(row) = event.iteration() {
                lines.send(&Lap::new(index, name, row, false));
            }
        })?;
        lines.send(&Lap::new(index, name, &row, true));
        Ok(row)
    }

    /// The algorithms relative to the baseline, over the positions that both finished.
    fn summary(&self, finished: &[Finished]) -> Vec<serde_json::Value> {
        let complete: Vec<&Finished> = finished.iter().filter(|(.., row)| row.complete).collect();
        let has_base = |index: usize| complete.iter().any(|run| (run.0, run.1) == (self.comparison.baseline, index));
        let costs = |number: usize| {
            let own = complete.iter().filter(|run| run.0 == number && has_base(run.1));
            own.map(|(_, index, row)| (*index, Cost::from(row))).collect()
        };
        let algorithms = &self.comparison.algorithms;
        let standings = self.comparison.standings(&(0..algorithms.len()).map(costs).collect::<Vec<_>>());
        let all = algorithms.iter().zip(standings).enumerate().map(|(number, ((name, _), standing))| {
            let values: Vec<_> = finished
                .iter()
                .filter(|run| run.0 == number)
                .map(|(_, index, row)| json!([index, row.value]))
                .collect();
            json!({
                "algorithm": name, "positions": standing.positions, "leaves": standing.nbp, "nodes": standing.nodes,
                "passes": standing.passes, "seconds": standing.seconds, "leaves_pct": standing.nbp_pct,
                "nodes_pct": standing.nodes_pct, "seconds_pct": standing.seconds_pct, "values": values,
            })
        });
        all.collect()
    }
}
