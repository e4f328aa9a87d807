//! The program `emtee` as a library: every command for your own game.
//!
//! ```no_run
//! # use emtee_games::tictactoe::Board;
//! fn main() -> std::process::ExitCode {
//!     emtee_cli::program().game::<Board>("breakthrough").run()
//! }
//! ```
//!
//! Three features are on by default: `games` (the games included with emtee), `lab` (experiments) and `web` (the explorer).
//! Without them the library builds in a fraction of the time.
//!
//! Your game needs a start position (`Default`), a text for its positions (`Display` and `FromStr`) and one for its moves
//! (`Display`).

mod args;
mod books;
mod commands;
mod endings;
mod failure;
mod interrupt;
mod output;
mod paint;
mod text_table;
mod usage;
mod workers;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::FromArgMatches;
use clap::error::ErrorKind;
pub use emtee_engine::{Features, Kit};
use emtee_engine::{Playable, Registry};
pub use emtee_games::drawing::{self, Drawn};

use crate::args::{Args, Command};
use crate::failure::Failure;
use crate::output::Output;
pub use crate::workers::{Job, Worker, Workers};

/// The program with the games included with emtee; without any games if the feature `games` is off.
pub fn program() -> Program {
    Program { registry: Registry::standard(), workers: None }
}

/// A program: its games, and other processes that may work for it.
#[doc(alias("command line", "CLI"))]
pub struct Program {
    registry: Registry,
    workers: Option<Box<dyn Workers>>,
}

impl Program {
    /// Adds a game.
    pub fn game<G: Playable>(self, name: &str) -> Program {
        self.game_with(name, Kit::<G>::new())
    }

    /// Adds a game with a kit: move notation, named evaluators, a drawing, an opening book, sets of positions and more.
    ///
    /// ```no_run
    /// # use emtee_games::tictactoe::Board;
    /// use emtee_cli::Kit;
    ///
    /// let kit = Kit::<Board>::new().drawn().evaluator("zero", |_: &Board| 0);
    /// emtee_cli::program().game_with("breakthrough", kit).run();
    /// ```
    pub fn game_with<G: Playable>(self, name: &str, kit: Kit<G>) -> Program {
        Program { registry: self.registry.with(name, kit), ..self }
    }

    /// Distributes the runs of experiments, the games of matches and searches over other processes. Other commands are refused
    /// then.
    pub fn workers(self, workers: impl Workers + 'static) -> Program {
        Program { workers: Some(Box::new(workers)), ..self }
    }

    /// The games.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Prepares this process for a job that another process of the same program distributes through its [`Workers`].
    pub fn worker(&self, job: &str, host: &str) -> Result<Worker<'_>, String> {
        Worker::new(&self.registry, job, host)
    }

    /// Runs with the arguments of the process. Exit code 0; 1 for a failure; 2 for bad input, with a one-line error.
    pub fn run(self) -> ExitCode {
        // If no handler can be installed, Ctrl-C ends the process as usual.
        let _ = ctrlc::set_handler(interrupt::interrupt);
        self.run_with(std::env::args_os())
    }

    /// Runs with these arguments, the first of which is the name of the program.
    pub fn run_with(self, arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
        match self.execute(arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failure.report(),
        }
    }

    fn execute(mut self, arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<(), Failure> {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        let registry = Arc::new(self.registry);
        let command = usage::command(&registry, &usage::name(&arguments));
        let read = command.clone().try_get_matches_from(&arguments).and_then(|read| Args::from_arg_matches(&read));
        let args = read.map_err(|error| match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Failure::Shown(error),
            _ => usage::refuse(&error, &command, &arguments),
        })?;
        let mut output = Output::new(args.json);
        let workers = self.workers.as_mut().map(|workers| workers.as_mut() as &mut dyn Workers);
        if workers.is_some() && !args.command.is_distributed() {
            return Err(Failure::bad(
                "this command is for one process; experiment, reproduce, match and search are for several",
            ));
        }
        match args.command {
            Command::Search(args) => commands::search::run(&registry, workers, &arguments, &args, &mut output),
            Command::Solve(args) => commands::solve::run(&registry, &args, &mut output),
            Command::Engine(args) => commands::engine::run(&registry, &args, &output),
            Command::Compare(args) => commands::compare::run(&registry, &args, &mut output),
            Command::Tree(args) => commands::tree::run(&args, &mut output),
            Command::Perft(args) => commands::perft::run(&registry, &args, &mut output),
            Command::Tablebase(args) => commands::tablebase::run(&registry, &args, &mut output),
            Command::Book(args) => commands::book::run(&registry, &args, &mut output),
            Command::Learn(args) => commands::learn::run(&registry, &args, &mut output),
            Command::Datagen(args) => commands::datagen::run(&registry, &args, &mut output),
            Command::Bench(args) => commands::bench::run(&registry, &args, &mut output),
            #[cfg(feature = "lab")]
            Command::Reproduce(args) => commands::lab::reproduce(&registry, workers, &args, &mut output),
            #[cfg(feature = "lab")]
            Command::Experiment(args) => commands::lab::experiment(&registry, workers, &args, &mut output),
            #[cfg(feature = "lab")]
            Command::Merge(args) => commands::lab::merge(&registry, &args, &mut output),
            Command::Play(args) => commands::play::run(&registry, &args, &mut output),
            Command::Match(args) => commands::matches::run(&registry, workers, &args, &mut output),
            #[cfg(feature = "web")]
            Command::Serve(args) => commands::serve::run(&registry, &args, &mut output),
            Command::Check(args) => commands::check::run(&registry, &args, &mut output),
            Command::Completions(args) => commands::manual::completions(&command, &args, &mut output),
            Command::Man(args) => commands::manual::man(&command, &args, &mut output),
        }
    }
}
