//! The project's own chores, run with `cargo xtask <chore>`. Without a chore it lists them.

mod book;
mod browser;
mod clients;
mod cluster;
mod dist;
mod instructions;
mod long;
mod mpi;
mod mutants;
mod page;
mod program;
mod proof;
mod python;
mod runner;
mod steps;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand, ValueEnum};

use runner::Step;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "The project's own chores", after_help = long::listed())]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that must hold: format, lints, tests, docs, the book, Python, MPI, the browser; ends with a table of times
    Test,
    /// Every command and Rust block of README and the book, with what they show
    Book {
        /// Only those that take over 20 seconds, which are left out otherwise
        #[arg(long)]
        long: bool,
        /// Only these pages
        pages: Vec<String>,
    },
    /// A tarball and a .deb with man pages and completions, installed and run
    Dist {
        /// Package the program that the tests use instead of a release build
        #[arg(long)]
        tested: bool,
        /// Only check whether the crates can be published
        #[arg(long, conflicts_with = "tested")]
        publish: bool,
    },
    /// Whole games through UCI, Hub and NBoard, driven by python-chess and pydraughts
    Clients {
        #[arg(default_value_t = 10)]
        games: u32,
        /// Seconds per move
        #[arg(default_value_t = 0.1)]
        seconds: f64,
    },
    /// The explorer in chromium, installed if permitted: steps, games, races, reports
    Browser {
        /// Keep a picture of every view in this folder
        #[arg(long, value_name = "DIR")]
        screenshots: Option<PathBuf>,
    },
    /// The explorer as a page without a server, with the search in WebAssembly, in target/page
    Page {
        /// Copy the page to this folder
        folder: Option<PathBuf>,
        /// Measure the search in the page beside the same search in the program
        #[arg(long, conflicts_with = "folder")]
        speed: bool,
        /// Build in little time, as the tests do, in target/page-test
        #[arg(long, conflicts_with = "speed")]
        tests: bool,
    },
    /// How the explorer bears clients that start and drop searches
    Crowd {
        #[arg(default_value_t = 100)]
        clients: u32,
        #[arg(default_value_t = 30)]
        seconds: u32,
    },
    /// The Python package: built, installed and tested
    Python {
        #[command(subcommand)]
        what: Option<python::What>,
    },
    /// emtee-mpi, which runs on many machines: MPI installed if permitted, built, and tested with ranks on this one
    Mpi {
        #[command(subcommand)]
        what: Option<mpi::What>,
        /// Leave out the tests that `cargo test --workspace --features emtee-mpi/mpi` runs
        #[arg(long)]
        no_tests: bool,
    },
    /// The proofs in Coq, installed if permitted: built, checked, and the model compared with the program
    Proof {
        /// How many random trees are compared
        #[arg(long, default_value_t = 2_000)]
        trees: u32,
    },
    /// How well an engine keeps to its time and answers a stop
    Clock {
        #[arg(default_value_t = 100)]
        moves: u32,
        /// Seconds per move
        #[arg(default_value_t = 0.1)]
        seconds: f64,
        /// Size of the table
        #[arg(default_value_t = 1024)]
        megabytes: u32,
    },
    /// Speed beside other libraries: `connect4` or `dots` and depths, or `threads` and how many
    Bench {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Instructions per visit, counted by valgrind: the same on a busy machine
    Instructions(instructions::Asked),
    /// Searches with random options, of random positions of every game
    Fuzz {
        /// What is drawn: `options`
        what: Fuzzed,
        #[arg(long, default_value_t = 10_000)]
        searches: u64,
        /// The first of the seeds, one for each search
        #[arg(long, default_value_t = 1 << 32)]
        seed: u64,
    },
    /// Change the core in several places, one at a time, and see whether its tests notice
    Mutants(mutants::Asked),
    /// Install what the tests need
    #[command(hide = true)]
    Install { what: Install },
    /// Run an example that the tests have built
    #[command(hide = true)]
    Example { name: String },
    /// The long chores
    #[command(external_subcommand)]
    Long(Vec<OsString>),
}

#[derive(Clone, Copy, ValueEnum)]
enum Fuzzed {
    Options,
}

#[derive(Clone, Copy, ValueEnum)]
enum Install {
    Mpi,
    Debian,
    Python,
}

fn main() -> ExitCode {
    if let Some(done) = python::stand_in_for_cargo() {
        return done.map_or_else(|error| refuse(&error), |()| ExitCode::SUCCESS);
    }
    let done = match Arguments::parse().chore {
        Chore::Test => {
            if !program::is_ci() {
                // The steps are built with it or without.
                let _ = mpi::install();
            }
            return match same_versions() {
                Ok(()) => runner::run_all(&steps::all(), steps::BUDGET),
                Err(error) => refuse(&format!("cannot copy Cargo.lock: {error}")),
            };
        }
        Chore::Book { long, pages } => book::run(long, &pages),
        Chore::Dist { publish: true, .. } => dist::publish(),
        Chore::Dist { tested, .. } => dist::run(tested),
        Chore::Clients { games, seconds } => clients::play(games, seconds),
        Chore::Browser { screenshots } => browser::test(screenshots.map(|folder| root().join(folder))),
        Chore::Page { speed: true, .. } => browser::speed(),
        Chore::Page { folder, tests, .. } => {
            page::build(folder.as_deref(), if tests { page::Purpose::Tests } else { page::Purpose::Users })
        }
        Chore::Crowd { clients, seconds } => {
            let line = format!("run --release -p emtee-web --example crowd -- {clients} {seconds}");
            runner::run(&Step::cargo("a crowd", &line))
        }
        Chore::Python { what } => python::run(what),
        Chore::Mpi { what, no_tests } => mpi::run(what, !no_tests),
        Chore::Proof { trees } => proof::run(trees),
        Chore::Clock { moves, seconds, megabytes } => clients::clock(moves, seconds, megabytes),
        Chore::Bench { arguments } => runner::run(&bench(&arguments)),
        Chore::Instructions(asked) => instructions::run(&asked),
        Chore::Fuzz { what: Fuzzed::Options, searches, seed } => runner::run(
            &Step::cargo("fuzz", "test -p emtee --test core random_options::as_many -- --ignored --nocapture")
                .with("EMTEE_SEARCHES", searches.to_string())
                .with("EMTEE_SEED", seed.to_string()),
        ),
        Chore::Mutants(asked) => mutants::run(&asked),
        Chore::Install { what } => install(what),
        Chore::Example { name } => program::example(&name).and_then(|file| program::succeed(&mut Command::new(file))),
        Chore::Long(words) => match long::step(&words) {
            Ok(step) => runner::run(&step),
            Err(why) => return refuse(&why),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say(&format!("error: {why}"));
            ExitCode::FAILURE
        }
    }
}

fn bench(arguments: &[OsString]) -> Step {
    let (bench, rest) = match arguments.split_first() {
        Some((first, rest)) if first == "threads" => ("bench -p emtee-games --bench threads --", rest),
        _ => ("bench -p emtee-games --bench peers --", arguments),
    };
    rest.iter().fold(Step::cargo("speed", bench), Step::and)
}

/// Installs ahead of the steps that need it. What cannot be installed is skipped or fails there.
fn install(what: Install) -> Result<(), String> {
    let tried = match what {
        Install::Mpi => vec![mpi::install()],
        Install::Debian => {
            let mut packages = [browser::packages(), page::packages(), clients::packages(), proof::packages()].concat();
            if program::is_ci() {
                packages.extend(cluster::packages());
            }
            vec![if packages.is_empty() { Ok(()) } else { program::install(&packages) }]
        }
        Install::Python => {
            let ray = if program::is_ci() { cluster::ray().map(|_| ()) } else { Ok(()) };
            vec![clients::python().map(|_| ()), python::environment().map(|_| ()), ray]
        }
    };
    for why in tried.into_iter().filter_map(Result::err) {
        say(&why);
    }
    Ok(())
}

/// The example outside uses the versions that the workspace was tested with, and so needs no network of its own.
fn same_versions() -> io::Result<()> {
    fs::copy(root().join("Cargo.lock"), root().join(steps::OUTSIDE).join("Cargo.lock")).map(|_| ())
}

fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// The build folder of the workspace.
fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

fn refuse(why: &str) -> ExitCode {
    say(&format!("error: {why}"));
    ExitCode::from(2)
}

/// To the terminal, whether or not somebody listens.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_step_needs_a_step_before_it() {
        let steps = steps::all();
        for (at, step) in steps.iter().enumerate() {
            for title in step.needs {
                assert!(steps[..at].iter().any(|before| before.title == *title), "{} needs {title}", step.title);
            }
        }
        let sum: std::time::Duration =
            steps.iter().filter(|step| step.lane == runner::Lane::Build).map(|s| s.budget).sum();
        assert!(sum < steps::BUDGET, "what compiles has a budget of {sum:?}, more than the whole run");
    }
}
