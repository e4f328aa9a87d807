//! Races: algorithms compared on one position or several.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use emtee::{Algorithm, Budget, Clock, Size};
use emtee_engine::{Position, Registry, Row, Settings};
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

/// The oracles visit the whole tree: they are aborted after this many nodes.
const ORACLE_NODES: u64 = 300_000;

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
    fn new(position: usize, row: &'l Row, last: bool) -> Lap<'l> {
        Lap {
            algorithm: &row.algorithm,
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
    let algorithms = algorithms(&body.algorithms)?;
    if !(1..=MAX_DEPTH).contains(&body.depth) {
        return Err(Refusal::bad(format!("a race goes to a depth from 1 to {MAX_DEPTH}")));
    }
    let entries = body.entries.unwrap_or(1 << 20);
    if !(1..=MAX_ENTRIES).contains(&entries) {
        return Err(Refusal::bad(format!("a table can have 1 to {MAX_ENTRIES} entries here")));
    }
    let depth = body.depth;
    let positions = positions(registry, body)?;
    let (next, finished) = (AtomicUsize::new(0), Mutex::default());
    Ok(Box::new(Race { algorithms, positions, depth, entries, next, finished }))
}

/// The requested algorithms, each once, and the baseline.
fn algorithms(names: &[String]) -> Result<Vec<Algorithm>, Refusal> {
    let mut algorithms: Vec<Algorithm> = Vec::new();
    for name in names.iter().take(MAX_ALGORITHMS + 1) {
        let algorithm = name.parse()?;
        if !algorithms.contains(&algorithm) {
            algorithms.push(algorithm);
        }
    }
    if algorithms.is_empty() {
        return Err(Refusal::bad("name an algorithm"));
    }
    if !algorithms.contains(&Algorithm::BASELINE) {
        algorithms.push(Algorithm::BASELINE);
    }
    if algorithms.len() > MAX_ALGORITHMS {
        return Err(Refusal::bad(format!("at most {MAX_ALGORITHMS} algorithms race")));
    }
    Ok(algorithms)
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
    algorithms: Vec<Algorithm>,
    positions: Vec<Box<dyn Position>>,
    depth: u8,
    entries: usize,
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
        self.algorithms.len()
    }

    /// Sends the algorithms, positions and threads.
    fn begin(&self, threads: usize, lines: &Lines) {
        let texts: Vec<String> = self.positions.iter().map(|position| position.text()).collect();
        let names: Vec<String> = self.algorithms.iter().map(Algorithm::to_string).collect();
        let baseline = Algorithm::BASELINE.to_string();
        lines.send(&json!({ "algorithms": names, "positions": texts, "baseline": baseline, "threads": threads }));
    }

    /// Executes runs until none is left, position by position, so that all algorithms progress evenly.
    fn work(&self, lines: &Lines, stop: &Stop) -> Result<(), Refusal> {
        while !stop.is_stopped() {
            let run = self.next.fetch_add(1, Relaxed);
            let (index, number) = (run / self.algorithms.len(), run % self.algorithms.len());
            let Some(position) = self.positions.get(index) else { break };
            match self.search(index, position.as_ref(), self.algorithms[number], lines, stop) {
                Ok(row) => self.finished.lock().unwrap_or_else(PoisonError::into_inner).push((number, index, row)),
                Err(refusal) => {
                    let name = self.algorithms[number].to_string();
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
        algorithm: Algorithm,
        lines: &Lines,
        stop: &Stop,
    ) -> Result<Row, Refusal> {
        let mut settings = Settings::default();
        settings.options.algorithm = algorithm;
        settings.options.size = Some(Size::of_entries(self.entries));
        settings.options.principal_variation = false;
        settings.stop = Some(stop.flag.clone());
        settings.clock = CLOCK;
        let mut budget = Budget::depth(self.depth);
        if algorithm.is_oracle() {
            budget = budget.and_nodes(ORACLE_NODES);
        }
        let row = position.search(&settings, budget, &mut |event| {
            if let Some(row) = event.iteration() {
                lines.send(&Lap::new(index, row, false));
            }
        })?;
        lines.send(&Lap::new(index, &row, true));
        Ok(row)
    }

    /// For each algorithm the sums over the positions that it and the baseline finished, and their percentages of the baseline's
    /// sums.
    fn summary(&self, finished: &[Finished]) -> Vec<serde_json::Value> {
        let mut by_position: BTreeMap<usize, Vec<&Finished>> = BTreeMap::new();
        for run in finished.iter().filter(|(.., row)| row.complete) {
            by_position.entry(run.1).or_default().push(run);
        }
        let sums = |number: usize| {
            let rows = by_position
                .values()
                .filter(|runs| self.comparable(runs, number))
                .flatten()
                .filter(|run| run.0 == number);
            rows.fold((0, 0, 0, 0, 0.0), |(n, leaves, nodes, passes, seconds), (_, _, row)| {
                let Row { counts, passes: more, seconds: time, .. } = row;
                (n + 1, leaves + counts.nbp, nodes + counts.nodes(), passes + more, seconds + time)
            })
        };
        let baseline = self.algorithms.iter().position(|&algorithm| algorithm == Algorithm::BASELINE).unwrap_or(0);
        let percent = |own: f64, base: f64| (base > 0.0).then(|| 100.0 * own / base);
        let all = self.algorithms.iter().enumerate().map(|(number, algorithm)| {
            let (n, leaves, nodes, passes, seconds) = sums(number);
            let base = sums(baseline);
            // Percentages need the same positions: they are left out unless the baseline finished exactly these.
            let same_positions = n > 0 && n == base.0;
            let values: Vec<_> = finished.iter().filter(|run| run.0 == number).map(|(_, index, row)| json!([index, row.value])).collect();
            json!({
                "algorithm": algorithm.to_string(), "positions": n, "leaves": leaves, "nodes": nodes, "passes": passes, "seconds": seconds,
                "leaves_pct": if same_positions { percent(leaves as f64, base.1 as f64) } else { None },
                "nodes_pct": if same_positions { percent(nodes as f64, base.2 as f64) } else { None },
                "seconds_pct": if same_positions { percent(seconds, base.4) } else { None },
                "values": values,
            })
        });
        all.collect()
    }

    /// Whether an algorithm and the baseline both finished a position.
    fn comparable(&self, runs: &[&Finished], number: usize) -> bool {
        let has = |algorithm: Algorithm| runs.iter().any(|run| self.algorithms[run.0] == algorithm);
        has(Algorithm::BASELINE) && has(self.algorithms[number])
    }
}
