//! The program `emtee` as a library, so that your game gets every command of it.
//!
//! ```no_run
//! # use emtee_games::tictactoe::Board;
//! fn main() -> std::process::ExitCode {
//!     emtee_cli::program().game::<Board>("breakthrough").run()
//! }
//! ```
//!
//! Without the features `games` (those that come with emtee), `lab` (experiments) and `web` (the explorer), all on by default, it
//! builds in a fraction of the time.
//!
//! Your game needs a start (`Default`), a text for its positions (`Display` and `FromStr`) and for its moves (`Display`).

mod args;
mod books;
mod commands;
mod crew;
mod endings;
mod failure;
mod interrupt;
mod output;
mod paint;
mod text_table;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::FromArgMatches;
use clap::error::ErrorKind;
use emtee_engine::{Playable, Registry};
pub use emtee_games::drawing::{self, Drawn};

use crate::args::{Args, Command};
pub use crate::crew::{Crew, Job, Worker};
use crate::failure::Failure;
use crate::output::Output;

/// The program, with the games that come with emtee, or without the feature `games` with none.
pub fn program() -> Program {
    Program { registry: Registry::standard(), crew: None }
}

/// A program to be run.
pub struct Program {
    registry: Registry,
    crew: Option<Box<dyn Crew>>,
}

impl Program {
    /// Adds a game.
    pub fn game<G: Playable>(self, name: &str) -> Program {
        Program { registry: self.registry.with::<G>(name), ..self }
    }

    /// Adds a game whose boards can be painted; of the others, `{:#}` draws them.
    pub fn drawn_game<G: Playable + Drawn>(self, name: &str) -> Program {
        Program { registry: self.registry.with_drawing::<G>(name), ..self }
    }

    /// Lets other processes make the runs of experiments and play the games of matches. There are no other commands then.
    pub fn crew(self, crew: impl Crew + 'static) -> Program {
        Program { crew: Some(Box::new(crew)), ..self }
    }

    /// The games.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Makes ready for a job that the [`Crew`] of another process of this program was given.
    pub fn worker(&self, job: &str, host: &str) -> Result<Worker<'_>, String> {
        Worker::new(&self.registry, job, host)
    }

    /// Runs with the arguments of the process. Exit code 0; 1 for a failure; 2 for bad input, said in one line.
    pub fn run(self) -> ExitCode {
        // Where no handler can be set, Ctrl-C ends the process as usual.
        let _ = ctrlc::set_handler(interrupt::interrupt);
        self.run_with(std::env::args_os())
    }

    /// Runs with the arguments given, the first of which is the program's name.
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
        let crew = self.crew.as_mut().map(|crew| crew.as_mut() as &mut dyn Crew);
        if crew.is_some() && !args.command.is_for_crews() {
            return Err(Failure::bad(
                "this command is for one process; experiment, reproduce, match and search are for several",
            ));
        }
        match args.command {
            Command::Search(args) => commands::search::run(&registry, crew, &arguments, &args, &mut output),
            Command::Solve(args) => commands::solve::run(&registry, &args, &mut output),
            Command::Engine(args) => commands::engine::run(&registry, &args, &output),
            Command::Compare(args) => commands::compare::run(&registry, &args, &mut output),
            Command::Tree(args) => commands::tree::run(&args, &mut output),
            Command::Perft(args) => commands::perft::run(&registry, &args, &mut output),
            Command::Tablebase(args) => commands::tablebase::run(&registry, &args, &mut output),
            Command::Book(args) => commands::book::run(&registry, &args, &mut output),
            Command::Datagen(args) => commands::datagen::run(&registry, &args, &mut output),
            Command::Bench(args) => commands::bench::run(&registry, &args, &mut output),
            #[cfg(feature = "lab")]
            Command::Reproduce(args) => commands::lab::reproduce(&registry, crew, &args, &mut output),
            #[cfg(feature = "lab")]
            Command::Experiment(args) => commands::lab::experiment(&registry, crew, &args, &mut output),
            #[cfg(feature = "lab")]
            Command::Merge(args) => commands::lab::merge(&registry, &args, &mut output),
            Command::Play(args) => commands::play::run(&registry, &args, &mut output),
            Command::Match(args) => commands::contest::run(&registry, crew, &args, &mut output),
            #[cfg(feature = "web")]
            Command::Serve(args) => commands::serve::run(&registry, &args, &mut output),
            Command::Check(args) => commands::check::run(&registry, &args, &mut output),
            Command::Completions(args) => commands::manual::completions(&command, &args, &mut output),
            Command::Man(args) => commands::manual::man(&command, &args, &mut output),
        }
    }
}
