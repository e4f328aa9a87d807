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
            bitbully(rest)?;
            libraries(&[])
        }
        Some("bitbully") => bitbully(rest),
        Some("threads") => step("bench -p emtee-games --bench threads --", rest),
        _ => libraries(arguments),
    }
}

/// The crates `minimax` and `mtdf`.
fn libraries(arguments: &[OsString]) -> Result<(), String> {
    step("bench -p emtee-games --bench other_libraries --", arguments)
}

fn step(line: &str, arguments: &[OsString]) -> Result<(), String> {
    runner::run(&arguments.iter().fold(Step::cargo("speed", line), Step::and))
}

/// BitBully in a virtual environment of its own.
fn bitbully(arguments: &[OsString]) -> Result<(), String> {
    say("Connect Four, solved");
    let python = python::environment_with("bitbully", &[BITBULLY])?;
    let mut build = Command::new(program::cargo());
    build.args(["build", "--release", "--quiet", "-p", "emtee-games", "--example", "solve_connect4"]);
    program::succeed(build.current_dir(root()))?;
    let script = root().join("crates/emtee-games/benches/against_bitbully.py");
    let solver = target().join("release/examples/solve_connect4");
    program::succeed(Command::new(python).arg("-B").arg(script).arg(solver).args(arguments))
}
