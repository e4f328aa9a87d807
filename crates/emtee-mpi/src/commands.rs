//! The commands that `emtee` does not have: measure the network, verify that ranks agree, simulate more ranks.

mod network;
mod simulate;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use emtee_engine::Registry;

use crate::program::complain;
use crate::ranks::Ranks;

/// Experiments, matches and searches on many machines, by MPI
///
/// experiment, reproduce, match and search take the arguments of `emtee`; the three commands below are for clusters only.
#[derive(Parser)]
#[command(name = "emtee-mpi", version, disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    command: Command,

    /// Print one JSON object per line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    Network(network::NetworkArgs),
    Verify(verify::VerifyArgs),
    Simulate(simulate::SimulateArgs),
}

/// Whether the arguments name one of these commands.
pub(crate) fn is_named(arguments: &[String]) -> bool {
    let named = arguments.iter().find(|argument| !argument.starts_with('-'));
    named.is_some_and(|name| Args::command().find_subcommand(name).is_some())
}

/// Whether the command needs neither other ranks nor MPI.
pub(crate) fn is_local(arguments: &[String]) -> bool {
    let simulates = arguments.iter().find(|argument| !argument.starts_with('-')).is_some_and(|name| name == "simulate");
    simulates && !arguments.iter().any(|argument| argument == "--real")
}

/// Runs one of these commands, on every rank. Rank 0 reports what is wrong with the arguments.
pub(crate) fn run(ranks: Option<&Ranks>, registry: &Registry) -> ExitCode {
    let first = ranks.is_none_or(|ranks| ranks.rank() == 0);
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let code = if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
            if first && error.use_stderr() {
                let text = error.render().to_string();
                // clap lists missing arguments on lines of their own.
                let lines: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
                let line = lines.join(" ");
                let line = line.trim_start_matches("error:").trim();
                complain(&format!("{line}; try --help"), 2);
            } else if first {
                let _ = error.print();
            }
            return if first { code } else { ExitCode::SUCCESS };
        }
    };
    let done = match (args.command, ranks) {
        (Command::Simulate(command), ranks) => simulate::run(ranks, registry, &command, args.json),
        (Command::Network(command), Some(ranks)) => network::run(ranks, &command, args.json),
        (Command::Verify(command), Some(ranks)) => verify::run(ranks, &command, args.json),
        (_, None) => Err((2, String::from("this command needs ranks; start it with mpirun"))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, why)) if first => complain(&why, code),
        Err(_) => ExitCode::SUCCESS,
    }
}

/// An exit code and an error message of one line.
type Failure = (u8, String);
