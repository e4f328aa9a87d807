//! The speed of emtee and of other libraries, side by side.

use std::ffi::OsString;
use std::process::Command;

use crate::runner::{self, Step};
use crate::{program, python, root, say, target};

/// The rival of the Connect Four solver, a package of PyPI.
const BITBULLY: &str = "bitbully==0.0.79";

/// `all` runs everything that the page of the book shows, except the threads.
pub(crate) fn run(arguments: &[OsString]) -> Result<(), String> {
    let Some((first, rest)) = arguments.split_first() else { return libraries(arguments) };
    match first.to_str() {
        Some("all") => {
            connect4_solvers(rest)?;
            libraries(&[])?;
            for game in ["ataxx", "breakthrough"] {
                libraries(&["games".into(), game.into()])?;
            }
            mcts(&[])
        }
        Some("solvers") => connect4_solvers(rest),
        Some("mcts") => mcts(rest),
        Some("threads") => step("bench -p emtee-games --bench threads --", rest),
        _ => libraries(arguments),
    }
}

/// The crates `minimax` and `mtdf`: time to a fixed depth, and games at equal time.
fn libraries(arguments: &[OsString]) -> Result<(), String> {
    step("bench -p emtee-games --bench other_libraries --", arguments)
}

/// The crates `minimax` and `treant`: games of Monte-Carlo tree search.
fn mcts(arguments: &[OsString]) -> Result<(), String> {
    step("bench -p games --bench mcts --", arguments)
}

fn step(line: &str, arguments: &[OsString]) -> Result<(), String> {
    runner::run(&arguments.iter().fold(Step::cargo("speed", line), Step::and))
}

/// BitBully in a virtual environment of its own, and the crate `connect-four-ai` as a program outside the workspace.
fn connect4_solvers(arguments: &[OsString]) -> Result<(), String> {
    say("Connect Four, solved");
    let python = python::environment_with("bitbully", &[BITBULLY])?;
    let benches = root().join("crates/emtee-games/benches");
    let build = |arguments: &[&str]| {
        let mut build = Command::new(program::cargo());
        build.args(["build", "--release", "--quiet", "--target-dir"]).arg(target()).args(arguments);
        program::succeed(build.current_dir(root()))
    };
    build(&["-p", "emtee-games", "--example", "solve_connect4"])?;
    build(&["--manifest-path", "crates/emtee-games/benches/connect_four_ai/Cargo.toml"])?;
    let release = target().join("release");
    let programs = [release.join("examples/solve_connect4"), release.join("solve_with_connect_four_ai")];
    let script = benches.join("connect4_solvers.py");
    program::succeed(Command::new(python).arg("-B").arg(script).args(programs).args(arguments))
}
