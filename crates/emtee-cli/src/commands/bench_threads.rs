//! `emtee bench --threads`: the speedup of several threads to a depth, and its cost.
//!
//! Each position is searched by one thread to the least depth that takes long enough, then by more threads to the same depth.
//! The throughput of as many independent searches is shown beside the speedup. No parallel search can exceed it on the same
//! machine, since caches and memory are shared.

use std::time::{Duration, Instant};

use emtee::{Budget, MAX_DEPTH};
use emtee_engine::cluster::simulator::VirtualThreads;
use emtee_engine::{Entry, Position, Registry, Row, Settings};
use serde::Serialize;

use super::bench::BenchArgs;
use crate::failure::Failure;
use crate::output::{Output, seconds};
use crate::text_table::TextTable;

/// The position set that is searched.
const SET: &str = "paper";

/// The search of a position with one thread.
struct SingleThread {
    position: Box<dyn Position>,
    depth: u8,
    nodes: u64,
    seconds: f64,
}

/// The searches of all positions of a game with a number of threads: geometric means, and the spread of the speedup.
#[derive(Serialize)]
struct Speedup {
    game: String,
    threads: usize,
    positions: usize,
    algorithm: String,
    seconds: f64,
    speedup: f64,
    /// Two thirds of the speedups lie within this factor of their mean: the geometric standard deviation.
    spread: f64,
    /// Nodes relative to one thread, minus 1.
    overhead: f64,
    /// The share of the total thread time spent idle.
    idle: f64,
    nodes_per_second: f64,
    /// The throughput of as many independent searches, relative to one search.
    #[serde(skip_serializing_if = "Option::is_none")]
    throughput: Option<f64>,
    by_virtual_clock: bool,
}

pub(crate) fn run(registry: &Registry, args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    let games: Vec<&dyn Entry> = match &args.game {
        Some(name) => vec![registry.get(name)?],
        // Games with a position set.
        None => registry.iter().filter(|game| game.set(SET).is_ok()).collect(),
    };
    let numbers: Vec<usize> = args.threads.iter().map(|&threads| thread_count(threads)).collect();
    let bar = output.progress(games.len() as u64 * args.positions as u64 * (1 + numbers.len()) as u64, "speedup");
    let mut rows = Vec::new();
    for game in games {
        let mut single = Vec::new();
        for position in positions(game, args.positions) {
            single.push(search_single(position, args)?);
            bar.inc(1);
        }
        for &threads in &numbers {
            rows.push(measure(game.name(), &single, threads, args, &|| bar.inc(1))?);
        }
    }
    bar.finish_and_clear();
    if output.json() {
        return rows.iter().try_for_each(|row| output.object(row));
    }
    let headings =
        ["<game", "threads", "time", "speedup", "spread", "independent", "more nodes", "idle", "million nodes/s"];
    let mut table = TextTable::new(headings);
    for row in &rows {
        table.row(vec![
            row.game.as_str().into(),
            row.threads.to_string().into(),
            seconds(row.seconds).into(),
            format!("{:.2}", row.speedup).into(),
            format!("×{:.2}", row.spread).into(),
            row.throughput.map_or_else(String::new, |throughput| format!("{throughput:.2}")).into(),
            format!("{:+.0} %", 100.0 * row.overhead).into(),
            format!("{:.0} %", 100.0 * row.idle).into(),
            format!("{:.2}", row.nodes_per_second / 1e6).into(),
        ]);
    }
    table.print(output).map(drop)
}

fn thread_count(threads: usize) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    if threads == 0 { all() } else { threads }
}

/// Positions spread evenly over the set of the paper; for a game without one, positions after random moves.
fn positions(game: &dyn Entry, count: usize) -> Vec<Box<dyn Position>> {
    match game.set(SET) {
        Ok(mut set) => {
            let step = (set.len() / count).max(1);
            let mut index = 0;
            set.retain(|_| {
                index += 1;
                (index - 1) % step == 0
            });
            set.truncate(count);
            set
        }
        Err(_) => (0..count as u64).map(|seed| game.start().after_random(4, seed)).collect(),
    }
}

fn settings(args: &BenchArgs, threads: usize) -> Settings {
    let mut settings = Settings::default();
    settings.options.algorithm = args.algorithm;
    settings.options.size = Some(args.hash);
    settings.options.principal_variation = false;
    settings.options.threads = threads;
    settings
}

/// Finds the depth that takes one thread at least the minimum time, and searches to it.
fn search_single(position: Box<dyn Position>, args: &BenchArgs) -> Result<SingleThread, Failure> {
    let settings = settings(args, 1);
    let mut depth = 1;
    position.search(&settings, Budget::time(args.at_least), &mut |event| {
        depth = event.iteration().map_or(depth, |row| row.depth);
    })?;
    // The stopped search was in the iteration that takes long enough.
    let depth = (depth + 1).min(MAX_DEPTH);
    let row = position.search(&settings, Budget::depth(depth), &mut |_| ())?;
    Ok(SingleThread { position, depth: row.depth, nodes: row.counts.nodes(), seconds: row.seconds })
}

fn measure(
    game: &str,
    single: &[SingleThread],
    threads: usize,
    args: &BenchArgs,
    done: &dyn Fn(),
) -> Result<Speedup, Failure> {
    let (mut speedups, mut times, mut nodes, mut overheads, mut idle, mut throughput) =
        (Vec::new(), 0.0, 0, Vec::new(), 0.0, Vec::new());
    for one in single {
        let mut several = settings(args, threads);
        // The virtual clock charges a visit what it costs in this position on this machine.
        let visit = Duration::from_secs_f64(one.seconds / one.nodes.max(1) as f64);
        let clock = args.by_virtual_clock.then(|| VirtualThreads::new(threads, visit));
        several.peers = clock.as_ref().map(VirtualThreads::peers);
        let row = one.position.search(&several, Budget::depth(one.depth), &mut |_| ())?;
        let took = clock.as_ref().map_or(row.seconds, |clock| clock.time().as_secs_f64());
        // One thread is timed again, so that a change in the speed of the machine affects both.
        let again = match args.by_virtual_clock {
            true => one.seconds,
            false => {
                (one.seconds + one.position.search(&settings(args, 1), Budget::depth(one.depth), &mut |_| ())?.seconds)
                    / 2.0
            }
        };
        speedups.push(again / took.max(1e-9));
        overheads.push(row.counts.nodes() as f64 / one.nodes.max(1) as f64);
        let waited = clock.as_ref().map(|clock| clock.idle().as_secs_f64());
        idle += waited.or(row.idle_seconds).unwrap_or(0.0);
        times += took;
        nodes += row.counts.nodes();
        // Beyond the number of cores, more searches do not increase the throughput.
        if !args.by_virtual_clock && (2..=thread_count(0)).contains(&threads) {
            throughput.push(independent(one, threads, args)? / again.recip());
        }
        done();
    }
    let (speedup, spread) = mean(&speedups);
    Ok(Speedup {
        game: game.to_owned(),
        threads,
        positions: single.len(),
        algorithm: args.algorithm.to_string(),
        seconds: times,
        speedup,
        spread,
        overhead: mean(&overheads).0 - 1.0,
        idle: idle / (times * threads as f64).max(1e-9),
        nodes_per_second: nodes as f64 / times.max(1e-9),
        throughput: (!throughput.is_empty()).then(|| mean(&throughput).0),
        by_virtual_clock: args.by_virtual_clock,
    })
}

/// The number of independent searches that `threads` threads finish per second.
fn independent(one: &SingleThread, threads: usize, args: &BenchArgs) -> Result<f64, Failure> {
    let start = Instant::now();
    let rows: Vec<Result<Row, emtee_engine::Error>> = std::thread::scope(|scope| {
        let search = || one.position.search(&settings(args, 1), Budget::depth(one.depth), &mut |_| ());
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(search)).collect();
        handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
    });
    let finished = rows.into_iter().collect::<Result<Vec<Row>, _>>()?.len();
    Ok(finished as f64 / start.elapsed().as_secs_f64().max(1e-9))
}

/// The geometric mean and the geometric standard deviation, which holds two thirds of the ratios.
fn mean(ratios: &[f64]) -> (f64, f64) {
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.max(1e-9).ln()).collect();
    let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (logs.len().max(2) - 1) as f64;
    (mean.exp(), variance.sqrt().exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric() {
        let (middle, spread) = mean(&[1.0, 4.0]);
        assert!((middle - 2.0).abs() < 1e-12);
        assert!((spread - 2f64.ln().mul_add(2f64.sqrt(), 0.0).exp()).abs() < 1e-9);
        assert_eq!(mean(&[1.5]).1, 1.0);
    }
}
