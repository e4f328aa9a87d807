//! `emtee bench --threads`: how much faster several threads reach a depth, and what it costs.
//!
//! Every position is searched by one thread to the least depth that takes it long enough, then by more threads to the same
//! depth. Beside the speedup stands the throughput of as many independent searches, which no scheme can beat on the same
//! machine: caches and memory are shared, whoever searches.

use std::time::{Duration, Instant};

use emtee::{Budget, MAX_DEPTH};
use emtee_engine::cluster::simulator::VirtualThreads;
use emtee_engine::{Entry, Position, Registry, Row, Settings};
use serde::Serialize;

use super::bench::BenchArgs;
use crate::failure::Failure;
use crate::output::{Output, seconds};
use crate::text_table::TextTable;

/// Where the positions come from.
const SET: &str = "paper";

/// How one thread did on a position.
struct Alone {
    position: Box<dyn Position>,
    depth: u8,
    nodes: u64,
    seconds: f64,
}

/// What some number of threads did on all positions of a game: geometric means, and the standard deviation of the speedup.
#[derive(Serialize)]
struct Speedup {
    game: String,
    threads: usize,
    positions: usize,
    algorithm: String,
    seconds: f64,
    speedup: f64,
    /// The factor that holds two thirds of the positions.
    spread: f64,
    /// Nodes against those of one thread, less 1.
    overhead: f64,
    /// The share of the threads' time that had nothing to do.
    idle: f64,
    nodes_per_second: f64,
    /// How much more as many independent searches do in the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    throughput: Option<f64>,
    by_virtual_clock: bool,
}

pub(crate) fn run(registry: &Registry, args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    let games: Vec<&dyn Entry> = match &args.game {
        Some(name) => vec![registry.get(name)?],
        // Those with positions that are worth a speedup.
        None => registry.iter().filter(|game| game.set(SET).is_ok()).collect(),
    };
    let numbers: Vec<usize> = args.threads.iter().map(|&threads| resolved(threads)).collect();
    let bar = output.progress(games.len() as u64 * args.positions as u64 * (1 + numbers.len()) as u64, "speedup");
    let mut rows = Vec::new();
    for game in games {
        let mut alone = Vec::new();
        for position in positions(game, args.positions) {
            alone.push(settle(position, args)?);
            bar.inc(1);
        }
        for &threads in &numbers {
            rows.push(measure(game.name(), &alone, threads, args, &|| bar.inc(1))?);
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

fn resolved(threads: usize) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    if threads == 0 { all() } else { threads }
}

/// Positions spread over the paper's set; for a game that has none, what random moves make of the start.
fn positions(game: &dyn Entry, count: usize) -> Vec<Box<dyn Position>> {
    match game.set(SET) {
        Ok(mut set) => {
            let step = (set.len() / count).max(1);
            let mut at = 0;
            set.retain(|_| {
                at += 1;
                (at - 1) % step == 0
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

/// Finds the depth that takes one thread long enough, and how long it takes.
fn settle(position: Box<dyn Position>, args: &BenchArgs) -> Result<Alone, Failure> {
    let settings = settings(args, 1);
    let mut depth = 1;
    position.search(&settings, Budget::time(args.at_least), &mut |row| depth = row.depth)?;
    // The search that was stopped was on the way to the depth that takes long enough.
    let depth = (depth + 1).min(MAX_DEPTH);
    let row = position.search(&settings, Budget::depth(depth), &mut |_| ())?;
    Ok(Alone { position, depth: row.depth, nodes: row.counts.nodes(), seconds: row.seconds })
}

fn measure(game: &str, alone: &[Alone], threads: usize, args: &BenchArgs, done: &dyn Fn()) -> Result<Speedup, Failure> {
    let (mut speedups, mut times, mut nodes, mut overheads, mut idle, mut throughput) =
        (Vec::new(), 0.0, 0, Vec::new(), 0.0, Vec::new());
    for one in alone {
        let mut several = settings(args, threads);
        // The cost of a visit is that of this position on this machine.
        let visit = Duration::from_secs_f64(one.seconds / one.nodes.max(1) as f64);
        let clock = args.by_virtual_clock.then(|| VirtualThreads::new(threads, visit));
        several.peers = clock.as_ref().map(VirtualThreads::peers);
        let row = one.position.search(&several, Budget::depth(one.depth), &mut |_| ())?;
        let took = clock.as_ref().map_or(row.seconds, |clock| clock.time().as_secs_f64());
        // One thread once more, so that a machine that slows down slows both.
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
        // More searches than cores get no more done than as many as there are cores.
        if !args.by_virtual_clock && (2..=resolved(0)).contains(&threads) {
            throughput.push(independent(one, threads, args)? / again.recip());
        }
        done();
    }
    let (speedup, spread) = mean(&speedups);
    Ok(Speedup {
        game: game.to_owned(),
        threads,
        positions: alone.len(),
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

/// How many searches a second `threads` threads finish that have nothing to do with each other.
fn independent(one: &Alone, threads: usize, args: &BenchArgs) -> Result<f64, Failure> {
    let began = Instant::now();
    let rows: Vec<Result<Row, emtee_engine::Error>> = std::thread::scope(|scope| {
        let search = || one.position.search(&settings(args, 1), Budget::depth(one.depth), &mut |_| ());
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(search)).collect();
        handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
    });
    let finished = rows.into_iter().collect::<Result<Vec<Row>, _>>()?.len();
    Ok(finished as f64 / began.elapsed().as_secs_f64().max(1e-9))
}

/// The geometric mean, and the factor around it that holds two thirds.
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
