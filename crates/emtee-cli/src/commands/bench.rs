//! `emtee bench`: a node count that identifies the search, and its speed.

use std::time::Duration;

use clap::Args as ClapArgs;
use emtee::{Algorithm, Budget, MAX_DEPTH, MAX_THREADS, Size};
use emtee_engine::{Position, Registry, Row, Settings, read_duration};
use serde::Serialize;

use crate::commands::args::integer;
use crate::failure::Failure;
use crate::output::{HEADING, MARK, Output, seconds, thousands};
use crate::text_table::TextTable;

/// Measure speed, and print a node count that changes only if the search changes
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee bench\n  emtee bench kalah --json\n  emtee bench chess --threads 1,2 --at-least 5s\n  emtee bench othello --threads 4,8,16 --virtual"
)]
pub(crate) struct BenchArgs {
    /// Game, all by default
    pub(crate) game: Option<String>,

    /// Numbers of threads for which to measure the speedup, separated by commas
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = integer(0, MAX_THREADS))]
    pub(crate) threads: Vec<usize>,

    /// Minimum time of a search with one thread
    #[arg(long, value_name = "T", default_value = "2s", requires = "threads", value_parser = read_duration)]
    pub(crate) at_least: Duration,

    /// Number of positions per game
    #[arg(long, value_name = "N", default_value_t = 5, requires = "threads", value_parser = integer(1, 1000usize))]
    pub(crate) positions: usize,

    /// Search algorithm
    #[arg(long, value_name = "A", default_value_t, requires = "threads")]
    pub(crate) algorithm: Algorithm,

    /// Simulate the threads on a virtual clock, as if each had its own core
    #[arg(long = "virtual", requires = "threads")]
    pub(crate) by_virtual_clock: bool,

    /// Size of the table
    #[arg(long, value_name = "SIZE", default_value = "256MB", requires = "threads")]
    pub(crate) hash: Size,
}

/// Each position is searched to the depth at which the search has this many nodes.
const MIN_NODES: u64 = 100_000;

/// Positions per game: the start, and positions after random moves.
const POSITIONS: u64 = 6;
/// Random plies from one position to the next.
const PLY_STEP: u32 = 3;

#[derive(Serialize)]
struct Benched {
    game: String,
    nodes: u64,
    nbp: u64,
    seconds: f64,
    nodes_per_second: f64,
}

#[derive(Serialize)]
struct Signature {
    summary: bool,
    signature: u64,
    seconds: f64,
}

pub(crate) fn run(registry: &Registry, args: &BenchArgs, output: &mut Output) -> Result<(), Failure> {
    if !args.threads.is_empty() {
        args.algorithm.check_is_minimax()?;
        return super::bench_threads::run(registry, args, output);
    }
    let games: Vec<_> = match &args.game {
        Some(name) => vec![registry.get(name)?],
        None => registry.iter().collect(),
    };
    let bar = output.progress(games.len() as u64 * POSITIONS, "benchmark");
    let (mut rows, mut signature, mut total) = (Vec::new(), 0, 0.0);
    for game in games {
        let mut row = Benched { game: game.name().to_owned(), nodes: 0, nbp: 0, seconds: 0.0, nodes_per_second: 0.0 };
        for index in 0..POSITIONS {
            let position = game.start().after_random(index as u32 * PLY_STEP, index);
            let found = measure(position.as_ref())?;
            row.nodes += found.counts.nodes();
            row.nbp += found.counts.nbp;
            row.seconds += found.seconds;
            bar.inc(1);
        }
        row.nodes_per_second = row.nodes as f64 / row.seconds.max(1e-9);
        signature += row.nodes;
        total += row.seconds;
        rows.push(row);
    }
    bar.finish_and_clear();
    if output.json() {
        rows.iter().try_for_each(|row| output.object(row))?;
        return output.object(&Signature { summary: true, signature, seconds: total });
    }
    let mut table = TextTable::new(["<game", "nodes", "leaves", "time", "million nodes/s"]);
    for row in &rows {
        let speed = format!("{:.2}", row.nodes_per_second / 1e6);
        table.row(vec![
            row.game.as_str().into(),
            thousands(row.nodes).into(),
            thousands(row.nbp).into(),
            seconds(row.seconds).into(),
            speed.into(),
        ]);
    }
    table.print(output)?;
    output.line(format!("\n{HEADING}Bench:{HEADING:#} {MARK}{signature}{MARK:#}"))
}

/// Searches with increasing depth, each time with an empty table, until the search is long enough.
fn measure(position: &dyn Position) -> Result<Row, Failure> {
    let mut settings = Settings::default();
    settings.options.principal_variation = false;
    let mut depth = 1;
    loop {
        let row = position.search(&settings, Budget::depth(depth), &mut |_| ())?;
        if row.counts.nodes() >= MIN_NODES || depth == MAX_DEPTH || row.best_move.is_none() {
            return Ok(row);
        }
        // Near the end of a game the search never reaches that many nodes: deeper searches stop growing.
        depth = if row.seconds < 0.001 && depth >= 40 { MAX_DEPTH } else { depth + 1 };
    }
}
