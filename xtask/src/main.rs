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

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

const SHORT: &str = "\
cargo xtask test
    everything that must hold: format, lints, tests, docs, no_std, the example outside
cargo xtask book [long] [PAGE…]
    every command and Rust block of README and the book, with what they show; long: those that take over 20 seconds
cargo xtask dist [publish]
    a tarball and a .deb with man pages and completions, installed and run; publish: whether the crates can be published
cargo xtask clients [GAMES [SECONDS]]
    whole games through UCI, Hub and NBoard, driven by python-chess and pydraughts; 10 games, 0.1 seconds a move
cargo xtask browser [--screenshots DIR]
    the explorer in chromium, installed where it may be: steps, games, races, reports; pictures of every view in DIR
cargo xtask page [FOLDER | --speed]
    the explorer as a page without a server, with the search in WebAssembly, in target/page; or how fast that search is
cargo xtask crowd [CLIENTS [SECONDS]]
    how the explorer bears clients that start and drop searches; 100 clients, 30 seconds
cargo xtask python [wheel | bench NAME]
    the Python package: built, installed and tested; wheel builds what is published, bench measures it beside its peers
cargo xtask mpi [cluster]
    emtee-mpi, which runs on many machines: Open MPI installed where it may be, built, and tested with ranks on this one;
    cluster: the examples for Slurm and Ray, which CI runs too
cargo xtask clock [MOVES [SECONDS [MEGABYTES]]]
    how well an engine keeps to its time and answers a stop; 100 moves of 0.1 seconds, a table of 1024 MB
cargo xtask bench [connect4|dots] [DEPTH…]
    speed beside other libraries, on Connect Four, and on Dots and Boxes with everything left as it comes
cargo xtask bench threads [THREADS]
    several threads beside another library's, on Connect Four and Othello
cargo xtask instructions [GAME…] [--against FILE]
    instructions a visit, counted by valgrind: the same on a busy machine; FILE is a target/instructions.json of before
cargo xtask proof [--trees N]
    the proofs in Coq, installed where it may be: built, checked, and the model compared with the program on N trees; 2,000
cargo xtask mutants [COUNT | --all] [--seed N]
    change the core in COUNT places, one at a time, and see whether its tests notice; 40 of 2,450";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (chore, rest) = match arguments.split_first() {
        Some((chore, rest)) => (chore.to_string_lossy(), rest),
        None => return list(),
    };
    match (&*chore, rest) {
        ("help" | "--help" | "-h", _) => list(),
        ("test", []) => run(&tests()),
        ("test", [extra, ..]) => refuse(&format!("test takes no arguments, and was given '{}'", extra.display())),
        ("book", rest) => end(book::run(rest)),
        ("dist", []) => end(dist::run()),
        ("dist", [word]) if word == "publish" => run(&[dist::publish()]),
        ("clients", []) => clients::play("10", "0.1"),
        ("clients", [games]) => clients::play(&games.to_string_lossy(), "0.1"),
        ("clients", [games, seconds]) => clients::play(&games.to_string_lossy(), &seconds.to_string_lossy()),
        ("browser", []) => browser::test(),
        ("browser", [option, folder]) if option == "--screenshots" => browser::screenshots(folder),
        ("page", []) => page::build(None),
        ("page", [option]) if option == "--speed" => browser::speed(),
        ("page", [folder]) => page::build(Some(Path::new(folder))),
        ("crowd", given) if given.len() <= 2 => run(&[crowd(given)]),
        ("python", rest) => python::run(rest),
        ("mpi", rest) => mpi::run(rest),
        ("clock", given) if given.len() <= 3 => clients::clock(given),
        ("bench", depths) => run(&[bench(depths)]),
        ("instructions", rest) => print(instructions::run(rest)),
        ("proof", []) => end(proof::run(2_000)),
        ("proof", [option, trees]) if option == "--trees" => match trees.to_string_lossy().parse() {
            Ok(trees) => end(proof::run(trees)),
            Err(_) => refuse("--trees takes a number"),
        },
        ("mutants", rest) => end(mutants::run(rest)),
        (word, rest) if long::begins(word) => match long::step(word, rest) {
            Ok(step) => run(&[step]),
            Err(why) => refuse(&why),
        },
        _ => refuse(&format!("there is no chore '{chore}'; cargo xtask --help lists them")),
    }
}

/// One command, and what it is for.
struct Step {
    title: &'static str,
    /// Where it runs, from the root of the workspace.
    folder: &'static str,
    arguments: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
}

impl Step {
    /// A call of cargo in the workspace, its arguments separated by spaces.
    fn cargo(title: &'static str, arguments: &str) -> Step {
        let arguments = arguments.split(' ').map(OsString::from).collect();
        Step { title, folder: "", arguments, variables: Vec::new() }
    }

    fn with(mut self, variable: &'static str, value: impl Into<OsString>) -> Step {
        self.variables.push((variable, value.into()));
        self
    }

    /// And one more argument.
    fn and(mut self, argument: impl Into<OsString>) -> Step {
        self.arguments.push(argument.into());
        self
    }

    /// Built as fast as can be: these crates have been tested at full speed before.
    fn unoptimised(mut self) -> Step {
        for package in ["emtee", "emtee-games", "emtee-engine", "emtee-lab", "emtee-web", "emtee-cli", "own_program"] {
            let setting = format!("profile.dev.package.{package}.opt-level=0");
            self.arguments.splice(1..1, ["--config".into(), setting.into()]);
        }
        self
    }

    /// In the example that stands outside the workspace, with the same build folder, so that what they share is built once.
    fn outside(mut self) -> Step {
        self.folder = OUTSIDE;
        self.with("CARGO_TARGET_DIR", target())
    }

    /// The command as one would type it.
    fn typed(&self) -> String {
        let words = self.arguments.iter().map(|word| word.to_string_lossy());
        words.fold(String::from("cargo"), |line, word| line + " " + &word)
    }
}

const OUTSIDE: &str = "examples/own_program";

fn tests() -> Vec<Step> {
    let mut steps = vec![
        Step::cargo("format", "fmt --all --check"),
        Step::cargo("lints", "clippy --workspace --all-targets --all-features -- -D warnings"),
        // Examples are linted above, and those that show something run below.
        Step::cargo("tests", "test --workspace --all-features --tests"),
        Step::cargo("doc tests", "test --workspace --all-features --doc"),
        Step::cargo("whole games through the protocols", "xtask clients"),
        Step::cargo("README and the book", "xtask book"),
        Step::cargo("the program without its features", "clippy -p emtee-cli --no-default-features -- -D warnings"),
        Step::cargo("the explorer in a browser", "xtask browser"),
        Step::cargo("the Python package", "xtask python"),
        Step::cargo("many machines", "xtask mpi"),
        Step::cargo("the proofs", "xtask proof"),
        Step::cargo("an example that plays", "run --quiet -p emtee --example tictactoe"),
        Step::cargo("the core without std", "build -p emtee --no-default-features"),
        Step::cargo("lints without std", "clippy -p emtee --no-default-features -- -D warnings"),
        Step::cargo("the games without features", "check -p emtee-games --no-default-features"),
        Step::cargo("docs", "doc --workspace --no-deps").with("RUSTDOCFLAGS", "-D warnings"),
        Step::cargo("outside: format", "fmt --check").outside(),
        Step::cargo("outside: lints", "clippy --all-targets -- -D warnings").outside(),
        Step::cargo("outside: tests", "test").outside().unoptimised(),
        Step::cargo("outside: every algorithm on a new game", "run --quiet -- check breakthrough --games 10 --depth 3")
            .outside()
            .unoptimised(),
        Step::cargo(
            "outside: an experiment on a new game",
            "run --quiet -- experiment breakthrough.toml --jobs 2 --out",
        )
        .and(target().join("breakthrough"))
        .outside()
        .unoptimised(),
    ];
    // A release build is worth its minutes where nobody waits.
    if std::env::var_os("CI").is_some() {
        steps.push(Step::cargo("packages", "xtask dist"));
    }
    steps
}

fn crowd(arguments: &[OsString]) -> Step {
    let mut step = Step::cargo("a crowd", "run --release -p emtee-web --example crowd --");
    step.arguments.extend_from_slice(arguments);
    step
}

fn bench(arguments: &[OsString]) -> Step {
    let (bench, rest) = match arguments.split_first() {
        Some((first, rest)) if first == "threads" => ("bench -p emtee-games --bench threads --", rest),
        _ => ("bench -p emtee-games --bench peers --", arguments),
    };
    let mut step = Step::cargo("speed", bench);
    step.arguments.extend_from_slice(rest);
    step
}

/// Runs the steps in order, up to the first that fails.
fn run(steps: &[Step]) -> ExitCode {
    let began = Instant::now();
    let mut times = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let place = if step.folder.is_empty() { String::new() } else { format!("  (in {})", step.folder) };
        say(&format!("\n=== {} of {}: {}\n$ {}{place}", at + 1, steps.len(), step.title, step.typed()));
        let started = Instant::now();
        if let Err(why) = perform(step) {
            let (title, line) = (step.title, step.typed());
            say(&format!("\nfailed after {}: {title} ({why}); alone: {line}{place}", shown(began.elapsed())));
            return ExitCode::FAILURE;
        }
        times.push(started.elapsed());
    }
    say("");
    for (step, time) in steps.iter().zip(times) {
        say(&format!("{:>10}  {}", shown(time), step.title));
    }
    say(&format!("{:>10}  all is well", shown(began.elapsed())));
    ExitCode::SUCCESS
}

fn perform(step: &Step) -> Result<(), String> {
    if step.folder == OUTSIDE {
        same_versions().map_err(|error| format!("cannot copy Cargo.lock: {error}"))?;
    }
    let mut command = Command::new(program::cargo());
    command.args(&step.arguments).current_dir(root().join(step.folder));
    command.envs(step.variables.iter().map(|(variable, value)| (variable, value)));
    let status = command.status().map_err(|error| format!("cargo does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(status.to_string()) }
}

/// The example outside uses the versions that the workspace was tested with, and so needs no network of its own.
fn same_versions() -> io::Result<()> {
    fs::copy(root().join("Cargo.lock"), root().join(OUTSIDE).join("Cargo.lock")).map(|_| ())
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

fn list() -> ExitCode {
    let _ = writeln!(io::stdout(), "{SHORT}{}", long::listed());
    ExitCode::SUCCESS
}

fn refuse(why: &str) -> ExitCode {
    say(&format!("error: {why}"));
    ExitCode::from(2)
}

fn shown(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Prints what was found, or says what went wrong.
fn print(found: Result<String, String>) -> ExitCode {
    end(found.map(|text| {
        let _ = writeln!(io::stdout(), "{text}");
    }))
}

fn end(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say(&format!("error: {why}"));
            ExitCode::FAILURE
        }
    }
}

/// To the terminal, whether or not somebody listens.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
