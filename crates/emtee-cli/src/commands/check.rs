//! `emtee check`: tests of the laws that a game must obey.

use clap::Args as ClapArgs;
use emtee_engine::{Registry, Tools, check_steps};
use serde::Serialize;

use crate::commands::args::{PositionArgs, depth, integer};
use crate::commands::positions;
use crate::failure::Failure;
use crate::output::{GOOD, MARK, Output, thousands};

/// Check that a game obeys the laws of the library and that all algorithms agree
#[derive(ClapArgs)]
#[command(after_help = "Examples:\n  emtee check kalah\n  emtee check connect4 --games 1000 --depth 6")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) positions: PositionArgs,

    /// Number of random games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = integer(1, u32::MAX))]
    pub(crate) games: u32,

    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(0, u64::MAX))]
    pub(crate) seed: u64,

    /// Depth at which the algorithms are compared [default: 4, less in games with many moves]
    #[arg(long, short, value_name = "N", value_parser = depth)]
    pub(crate) depth: Option<u8>,
}

#[derive(Serialize)]
struct Checked<'s> {
    game: &'s str,
    position: String,
    ok: bool,
    games: u32,
    positions: u64,
    keys: usize,
    depth: u8,
    notes: &'s [String],
}

/// Minimax visits the whole tree: limits of the default depth, and of the move paths up to that depth.
const MAX_DEFAULT_DEPTH: u8 = 4;
const MAX_PATHS: u64 = 5_000;

fn default_depth(tools: &dyn Tools) -> u8 {
    (2..=MAX_DEFAULT_DEPTH).rev().find(|&depth| tools.perft(depth) <= MAX_PATHS).unwrap_or(1)
}

pub(crate) fn run(registry: &Registry, args: &CheckArgs, output: &mut Output) -> Result<(), Failure> {
    let positions = positions(registry, &args.positions)?;
    let bar = output.progress(positions.len() as u64 * check_steps(args.games), "checking");
    for position in positions {
        let tools = position.tools()?;
        let depth = args.depth.unwrap_or_else(|| default_depth(tools));
        let checked = tools.check(args.games, args.seed, depth, &mut || bar.inc(1));
        let checked = checked.inspect_err(|_| bar.finish_and_clear())?;
        let games = checked.games;
        if output.json() {
            let (game, positions, keys) = (position.game(), checked.positions, checked.keys);
            let (position, notes) = (position.text(), checked.warnings.as_slice());
            output.object(&Checked { game, position, ok: true, games, positions, keys, depth, notes })?;
        } else {
            let text = format!(
                "{GOOD}{} obeys the laws{GOOD:#}: {games} random games, {} positions, {} different\n\
                 all algorithms agree with minimax at depth {depth}",
                position.game(),
                thousands(checked.positions),
                thousands(checked.keys as u64)
            );
            bar.suspend(|| {
                output.line(text)?;
                checked.warnings.iter().try_for_each(|note| output.prose(&format!("note: {note}"), MARK))
            })?;
        }
    }
    bar.finish_and_clear();
    Ok(())
}
