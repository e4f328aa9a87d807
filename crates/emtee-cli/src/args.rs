//! The command line. The options of each command are defined in the file of the command.

use clap::{Parser, Subcommand};

#[cfg(feature = "lab")]
use crate::commands::lab;
#[cfg(feature = "web")]
use crate::commands::serve;
use crate::commands::{
    bench, book, check, compare, datagen, engine, learn, manual, matches, perft, play, search, solve, tablebase, tree,
};

#[cfg(feature = "lab")]
const EXAMPLES: &str = "Examples:\n  emtee reproduce\n  emtee compare connect4 --depth 12\n  emtee search kalah --time 2s --top 3\n  emtee tree paper";
#[cfg(not(feature = "lab"))]
const EXAMPLES: &str =
    "Examples:\n  emtee compare connect4 --depth 12\n  emtee search kalah --time 2s --top 3\n  emtee tree paper";

/// Minimax search with MT and its drivers (SSS*, DUAL*, C*, MTD-f) and the Alpha-Beta family, on one transposition table.
///
/// For two-player games without chance or hidden information. With --json every command prints one JSON object per line.
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
    Learn(learn::LearnArgs),
    Datagen(datagen::DatagenArgs),
    Bench(bench::BenchArgs),
    Play(play::PlayArgs),
    Match(Box<matches::MatchArgs>),
    #[cfg(feature = "web")]
    Serve(serve::ServeArgs),
    Check(check::CheckArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

impl Command {
    /// Whether other processes can share the work.
    pub(crate) fn is_distributed(&self) -> bool {
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
