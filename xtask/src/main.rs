//! Development tasks: `cargo xtask <task>`. `cargo xtask --help` lists them.

mod bench;
mod book;
mod browser;
mod clients;
mod cluster;
mod dist;
mod instructions;
mod long;
mod mpi;
mod mutants;
#[cfg(test)]
mod names;
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
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Development tasks", after_help = long::listed())]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run all checks: format, lints, tests, docs, the book, Python, MPI, the browser; print a table of times
    Test,
    /// Run every command and Rust block of README and the book, and compare the output
    Book {
        /// Run only the blocks that take over 20 seconds, which are skipped otherwise
        #[arg(long)]
        long: bool,
        /// Run only these pages
        pages: Vec<String>,
    },
    /// Build a tarball and a .deb with man pages and completions, install and run them
    Dist {
        /// Package the program built for the tests instead of a release build
        #[arg(long)]
        tested: bool,
        /// Check whether the crates can be published, and do nothing else
        #[arg(long, conflicts_with = "tested")]
        publish: bool,
    },
    /// Play complete games through UCI, Hub and NBoard, driven by python-chess and pydraughts
    Clients {
        #[arg(default_value_t = 10)]
        games: u32,
        /// Seconds per move
        #[arg(default_value_t = 0.1)]
        seconds: f64,
    },
    /// Test the explorer in chromium, installed if permitted: steps, games, races, reports
    Browser {
        /// Save a screenshot of every view in this folder
        #[arg(long, value_name = "DIR")]
        screenshots: Option<PathBuf>,
    },
    /// Build the explorer as a page without a server, with the search in WebAssembly, in target/page
    Page {
        /// Copy the page to this folder
        folder: Option<PathBuf>,
        /// Measure the speed of the search in the page against the same search in the program
        #[arg(long, conflicts_with = "folder")]
        speed: bool,
        /// Build quickly, as for the tests, in target/page-test
        #[arg(long, conflicts_with = "speed")]
        tests: bool,
    },
    /// Load-test the explorer with clients that start and abandon searches
    LoadTest {
        #[arg(default_value_t = 100)]
        clients: u32,
        #[arg(default_value_t = 30)]
        seconds: u32,
    },
    /// Build, install and test the Python package
    Python {
        #[command(subcommand)]
        what: Option<python::What>,
    },
    /// Build emtee-mpi and test it with several ranks on this machine; MPI is installed if permitted
    Mpi {
        #[command(subcommand)]
        what: Option<mpi::What>,
        /// Skip the tests that `cargo test --workspace --features emtee-mpi/mpi` runs
        #[arg(long)]
        no_tests: bool,
    },
    /// Build and check the Coq proofs and compare the model with the program; Coq is installed if permitted
    Proof {
        /// Number of random trees to compare
        #[arg(long, default_value_t = 2_000)]
        trees: u32,
    },
    /// Measure how an engine keeps its time limits and responds to stop
    Clock {
        #[arg(default_value_t = 100)]
        moves: u32,
        /// Seconds per move
        #[arg(default_value_t = 0.1)]
        seconds: f64,
        /// Size of the table in megabytes
        #[arg(default_value_t = 1024)]
        megabytes: u32,
    },
    /// Compare speed with other libraries: `all`; `connect4`, `dots`, `ataxx` or `breakthrough` and depths; `games` and a game;
    /// `solvers` and STONES:POSITIONS; `mcts`; or `threads` and their number
    Bench {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Count instructions per visit with valgrind: independent of the machine's load
    Instructions(instructions::Options),
    /// Search random positions of every game with random options
    Fuzz {
        /// What to randomise: `options`
        what: Fuzzed,
        #[arg(long, default_value_t = 10_000)]
        searches: u64,
        /// The seed of the first search; each further search adds one
        #[arg(long, default_value_t = 1 << 32)]
        seed: u64,
    },
    /// Mutation-test the core: change it in one place at a time and run its tests
    Mutants(mutants::Options),
    /// Install dependencies of the tests
    #[command(hide = true)]
    Install { what: Install },
    /// Run an example built for the tests
    #[command(hide = true)]
    Example { name: String },
    /// The tasks of [`long`]
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
    if let Some(result) = python::stand_in_for_cargo() {
        return result.map_or_else(|error| bad_input(&error), |()| ExitCode::SUCCESS);
    }
    let result = match Arguments::parse().task {
        Task::Test => {
            if !program::is_ci() {
                // If this fails, the steps are built without MPI.
                let _ = mpi::install();
            }
            return match copy_lock_file() {
                Ok(()) => runner::run_all(&steps::all(), steps::BUDGET),
                Err(error) => bad_input(&format!("cannot copy Cargo.lock: {error}")),
            };
        }
        Task::Book { long, pages } => book::run(long, &pages),
        Task::Dist { publish: true, .. } => dist::publish(),
        Task::Dist { tested, .. } => dist::run(tested),
        Task::Clients { games, seconds } => clients::play(games, seconds),
        Task::Browser { screenshots } => browser::test(screenshots.map(|folder| root().join(folder))),
        Task::Page { speed: true, .. } => browser::speed(),
        Task::Page { folder, tests, .. } => {
            page::build(folder.as_deref(), if tests { page::Purpose::Tests } else { page::Purpose::Users })
        }
        Task::LoadTest { clients, seconds } => {
            let line = format!("run --release -p emtee-web --example load_test -- {clients} {seconds}");
            runner::run(&Step::cargo("load test", &line))
        }
        Task::Python { what } => python::run(what),
        Task::Mpi { what, no_tests } => mpi::run(what, !no_tests),
        Task::Proof { trees } => proof::run(trees),
        Task::Clock { moves, seconds, megabytes } => clients::clock(moves, seconds, megabytes),
        Task::Bench { arguments } => bench::run(&arguments),
        Task::Instructions(options) => instructions::run(&options),
        Task::Fuzz { what: Fuzzed::Options, searches, seed } => runner::run(
            &Step::cargo(
                "fuzz",
                "test -p emtee --test core random_options::many_random_options -- --ignored --nocapture",
            )
            .with("EMTEE_SEARCHES", searches.to_string())
            .with("EMTEE_SEED", seed.to_string()),
        ),
        Task::Mutants(options) => mutants::run(&options),
        Task::Install { what } => install(what),
        Task::Example { name } => program::example(&name).and_then(|file| program::succeed(&mut Command::new(file))),
        Task::Long(words) => match long::step(&words) {
            Ok(step) => runner::run(&step),
            Err(error) => return bad_input(&error),
        },
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Installs dependencies before the steps that need them. If an installation fails, these steps are skipped or fail.
fn install(what: Install) -> Result<(), String> {
    let results = match what {
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
    for error in results.into_iter().filter_map(Result::err) {
        say(&error);
    }
    Ok(())
}

/// Copies Cargo.lock to the example outside the workspace: the same versions, and no network access.
fn copy_lock_file() -> io::Result<()> {
    fs::copy(root().join("Cargo.lock"), root().join(steps::OUTSIDE).join("Cargo.lock")).map(|_| ())
}

/// The root of the workspace.
fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

/// The build folder of the workspace.
fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

fn bad_input(error: &str) -> ExitCode {
    say(&format!("error: {error}"));
    ExitCode::from(2)
}

/// Prints a line to stderr. Ignores a closed pipe.
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
    fn steps_only_need_earlier_steps() {
        let steps = steps::all();
        for (index, step) in steps.iter().enumerate() {
            for title in step.needs {
                assert!(steps[..index].iter().any(|before| before.title == *title), "{} needs {title}", step.title);
            }
        }
        let sum: std::time::Duration =
            steps.iter().filter(|step| step.lane == runner::Lane::Build).map(|s| s.budget).sum();
        assert!(sum < steps::BUDGET, "the build steps have a budget of {sum:?}, more than the whole run");
    }
}
