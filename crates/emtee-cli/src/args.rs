//! The command line. What a command can be told stands beside the command.

use clap::{Parser, Subcommand};

#[cfg(feature = "lab")]
use crate::commands::lab;
#[cfg(feature = "web")]
use crate::commands::serve;
use crate::commands::{
    bench, book, check, compare, contest, datagen, engine, manual, perft, play, search, solve, tablebase, tree,
};

#[cfg(feature = "lab")]
const EXAMPLES: &str = "Examples:\n  emtee reproduce\n  emtee compare connect4 --depth 12\n  emtee search kalah --time 2s --top 3\n  emtee tree paper";
#[cfg(not(feature = "lab"))]
const EXAMPLES: &str =
    "Examples:\n  emtee compare connect4 --depth 12\n  emtee search kalah --time 2s --top 3\n  emtee tree paper";

/// Minimax search by MT and its drivers: SSS*, DUAL*, C*, MTD-f and the Alpha-Beta family, on one table.
///
/// For games of two players without dice or hidden cards. Every command takes --json and then prints one object per line.
#[derive(Parser)]
#[command(
    name = "emtee",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = EXAMPLES
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print one JSON object per line
    #[arg(long, global = true, display_order = 900)]
    pub(crate) json: bool,
}

/// The commands, in the order of the help.
#[derive(Subcommand)]
pub(crate) enum Command {
    #[cfg(feature = "lab")]
    Reproduce(lab::ReproduceArgs),
    #[cfg(feature = "lab")]
    Experiment(lab::ExperimentArgs),
    #[cfg(feature = "lab")]
    Merge(lab::MergeArgs),
    Search(search::SearchArgs),
    Solve(solve::SolveArgs),
    Engine(engine::EngineArgs),
    Compare(compare::CompareArgs),
    Tree(tree::TreeArgs),
    Perft(perft::PerftArgs),
    Tablebase(tablebase::TablebaseArgs),
    Book(book::BookArgs),
    Datagen(datagen::DatagenArgs),
    Bench(bench::BenchArgs),
    Play(play::PlayArgs),
    Match(Box<contest::MatchArgs>),
    #[cfg(feature = "web")]
    Serve(serve::ServeArgs),
    Check(check::CheckArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

impl Command {
    /// Whether other processes can do the work.
    pub(crate) fn is_for_crews(&self) -> bool {
        match self {
            #[cfg(feature = "lab")]
            Command::Reproduce(_) | Command::Experiment(_) => true,
            Command::Match(_) | Command::Search(_) => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }
}
