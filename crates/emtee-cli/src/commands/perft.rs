//! `emtee perft`: move paths of a given length, counted.

use std::time::Instant;

use clap::Args as ClapArgs;
use emtee::MAX_DEPTH;
use emtee_engine::{Position, Registry};
use serde::Serialize;

use crate::commands::args::{PositionArgs, integer};
use crate::commands::positions;
use crate::failure::Failure;
use crate::output::{HEADING, MARK, Output, seconds, thousands};

/// Count the move paths of a given length
#[derive(ClapArgs)]
#[command(after_help = "Examples:\n  emtee perft connect4 --depth 8\n  emtee perft kalah --depth 6 --divide")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) positions: PositionArgs,

    /// Length in plies
    #[arg(long, short, value_name = "N", value_parser = integer(0, MAX_DEPTH))]
    pub(crate) depth: u8,

    /// Show the count for each first move
    #[arg(long)]
    pub(crate) divide: bool,
}

#[derive(Serialize)]
struct Counted {
    game: String,
    position: String,
    depth: u8,
    nodes: u64,
    seconds: f64,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    first_move: Option<String>,
}

pub(crate) fn run(registry: &Registry, args: &PerftArgs, output: &mut Output) -> Result<(), Failure> {
    let positions = positions(registry, &args.positions)?;
    for position in &positions {
        if positions.len() > 1 && !output.json() {
            output.line(format!("{HEADING}{}{HEADING:#}", position.text()))?;
        }
        if args.divide && args.depth > 0 {
            for m in position.moves() {
                count(position.after(&m)?.as_ref(), args.depth - 1, Some(m), output)?;
            }
        }
        // Text output shows every depth up to the last; JSON only the last.
        let first = if output.json() || args.divide { args.depth } else { args.depth.min(1) };
        for depth in first..=args.depth {
            count(position.as_ref(), depth, None, output)?;
        }
    }
    Ok(())
}

fn count(position: &dyn Position, depth: u8, first_move: Option<String>, output: &mut Output) -> Result<(), Failure> {
    let start = Instant::now();
    let nodes = position.tools()?.perft(depth);
    let time = start.elapsed().as_secs_f64();
    if output.json() {
        let (game, position) = (position.game().to_owned(), position.text());
        return output.object(&Counted { game, position, depth, nodes, seconds: time, first_move });
    }
    let what = first_move.unwrap_or_else(|| format!("depth {depth}"));
    let speed = nodes as f64 / time.max(1e-9) / 1e6;
    output.line(format!(
        "{what:<10} {MARK}{:>18}{MARK:#}  {:>9}  {speed:>7.1} million/s",
        thousands(nodes),
        seconds(time)
    ))
}
