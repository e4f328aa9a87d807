//! `emtee perft`: count the lines of play.

use std::time::Instant;

use clap::Args as ClapArgs;
use emtee::MAX_DEPTH;
use emtee_engine::{Position, Registry};
use serde::Serialize;

use crate::commands::args::{PositionArgs, whole};
use crate::commands::positions;
use crate::failure::Failure;
use crate::output::{HEADING, MARK, Output, seconds, thousands};

/// Count the lines of play of a given length
#[derive(ClapArgs)]
#[command(after_help = "Examples:\n  emtee perft connect4 --depth 8\n  emtee perft kalah --depth 6 --divide")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) at: PositionArgs,

    /// How many moves long
    #[arg(long, short, value_name = "N", value_parser = whole(0, MAX_DEPTH))]
    pub(crate) depth: u8,

    /// Show the count below each move
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
    below: Option<String>,
}

pub(crate) fn run(registry: &Registry, args: &PerftArgs, output: &mut Output) -> Result<(), Failure> {
    let positions = positions(registry, &args.at)?;
    for position in &positions {
        if positions.len() > 1 && !output.json() {
            output.line(format!("{HEADING}{}{HEADING:#}", position.text()))?;
        }
        if args.divide && args.depth > 0 {
            for m in position.moves() {
                count(position.after(&m)?.as_ref(), args.depth - 1, Some(m), output)?;
            }
        }
        // A person sees every depth on the way; a machine gets what it asked for.
        let first = if output.json() || args.divide { args.depth } else { args.depth.min(1) };
        for depth in first..=args.depth {
            count(position.as_ref(), depth, None, output)?;
        }
    }
    Ok(())
}

fn count(position: &dyn Position, depth: u8, below: Option<String>, output: &mut Output) -> Result<(), Failure> {
    let start = Instant::now();
    let nodes = position.perft(depth);
    let time = start.elapsed().as_secs_f64();
    if output.json() {
        let (game, position) = (position.game().to_owned(), position.text());
        return output.object(&Counted { game, position, depth, nodes, seconds: time, below });
    }
    let what = below.unwrap_or_else(|| format!("depth {depth}"));
    let speed = nodes as f64 / time.max(1e-9) / 1e6;
    output.line(format!(
        "{what:<10} {MARK}{:>18}{MARK:#}  {:>9}  {speed:>7.1} million/s",
        thousands(nodes),
        seconds(time)
    ))
}
