//! Many machines: `emtee-mpi` built, and tested with real ranks on this one.

use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};

use crate::program::{cargo, install, succeed};
use crate::{cluster, end, root, say, target};

/// What Debian calls them: the launcher, what programs are built with, and what reads C headers for Rust.
const PACKAGES: [&str; 3] = ["openmpi-bin", "libopenmpi-dev", "libclang-dev"];

/// The crate stands outside the workspace.
const FOLDER: &str = "crates/emtee-mpi";

pub(crate) fn run(rest: &[OsString]) -> ExitCode {
    let words: Vec<_> = rest.iter().map(|word| word.to_string_lossy()).collect();
    match words.iter().map(AsRef::as_ref).collect::<Vec<&str>>()[..] {
        [] => end(test()),
        ["cluster"] => end(open_mpi().and_then(|()| examples())),
        _ => {
            say("error: mpi takes nothing, or cluster");
            ExitCode::from(2)
        }
    }
}

fn test() -> Result<(), String> {
    if let Err(why) = open_mpi() {
        return left_out(&why);
    }
    succeed(in_crate().args(["fmt", "--check"]))?;
    succeed(in_crate().args(["clippy", "--quiet", "--all-targets", "--", "-D", "warnings"]))?;
    succeed(in_crate().args(["test", "--tests"]))?;
    // It compares itself with one thread.
    let rival = ["run", "--quiet", "--profile", "test", "--example", "owners", "--", "othello", "7", "4", "2"];
    succeed(in_crate().args(rival))?;
    // Two packages more, and daemons: where nobody waits, or when it is asked for.
    if std::env::var_os("CI").is_some() { examples() } else { Ok(()) }
}

/// The examples for Slurm and Ray, with the programs as the tests have them.
fn examples() -> Result<(), String> {
    succeed(in_crate().args(["build", "--quiet", "--profile", "test", "--bin", "emtee-mpi"]))?;
    cluster::run(&target().join("debug/emtee-mpi"))
}

/// Cargo in the folder of the crate, with the build folder of the workspace.
fn in_crate() -> Command {
    let mut command = Command::new(cargo());
    command.current_dir(root().join(FOLDER)).env("CARGO_TARGET_DIR", target());
    command
}

/// Sees to it that there is an Open MPI, and a libclang to read its headers with.
fn open_mpi() -> Result<(), String> {
    let starts = |program: &str| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let there = || starts("mpirun") && starts("mpicc") && is_installed("libclang-dev");
    if there() {
        return Ok(());
    }
    install(&PACKAGES)?;
    if starts("mpirun") && starts("mpicc") { Ok(()) } else { Err("mpirun does not start".into()) }
}

/// Whether Debian has installed a package, or nobody can say.
fn is_installed(package: &str) -> bool {
    let mut command = Command::new("dpkg");
    command.args(["--status", package]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().map_or(true, |status| status.success())
}

/// Says loudly that nothing is tested. In CI that is a failure.
fn left_out(why: &str) -> Result<(), String> {
    let packages = PACKAGES.join(", ");
    if std::env::var_os("CI").is_some() {
        return Err(format!("emtee-mpi cannot be tested, and CI is set: {why}; install {packages}"));
    }
    say("\n!!! ===================================================================");
    say(&format!("!!! EMTEE-MPI IS LEFT OUT: {why}"));
    say(&format!("!!! install {packages}, then: cargo xtask mpi"));
    say("!!! ===================================================================\n");
    Ok(())
}
