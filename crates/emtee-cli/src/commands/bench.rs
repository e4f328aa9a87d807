//! `emtee bench`: a number that changes when the search does, and speeds.

use emtee::{Budget, MAX_DEPTH};
use emtee_engine::{Position, Registry, Row, Settings};
use serde::Serialize;

use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::output::{HEADING, MARK, Output, seconds, thousands};
use crate::table::Table;

/// Each position is searched until an iteration brings it to so many nodes.
const ENOUGH: u64 = 100_000;

/// The positions: the start, and what random moves make of it.
const POSITIONS: u64 = 6;
const PLIES_APART: u32 = 3;

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
        for at in 0..POSITIONS {
            let position = game.start().after_random(at as u32 * PLIES_APART, at);
            let found = measure(position.as_ref())?;
            row.nodes += found.nodes;
            row.nbp += found.nbp;
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
    let mut table = Table::new(["<game", "nodes", "leaves", "time", "million nodes/s"]);
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

/// Searches ever deeper, each time from nothing, until it is enough to measure.
fn measure(position: &dyn Position) -> Result<Row, Failure> {
    let mut settings = Settings::default();
    settings.principal_variation = false;
    let mut depth = 1;
    loop {
        let row = position.search(&settings, Budget::depth(depth), &mut |_| ())?;
        if row.nodes >= ENOUGH || depth == MAX_DEPTH || row.best_move.is_none() {
            return Ok(row);
        }
        // A game that is nearly over never has so many nodes: deeper searches stop growing.
        depth = if row.seconds < 0.001 && depth >= 40 { MAX_DEPTH } else { depth + 1 };
    }
}
