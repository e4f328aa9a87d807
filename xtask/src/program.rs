//! The programs that chores start, and what has to be installed for them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{root, say, target};

/// Whether this is a continuous integration, where nothing may be skipped.
pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some()
}

/// The features that the workspace is built with. Only emtee-mpi has one that is not on by default, since it needs an MPI.
pub(crate) fn features() -> &'static str {
    if is_ci() || crate::mpi::is_there() { "--features emtee-mpi/mpi" } else { "" }
}

/// Cargo on the whole workspace: the same packages and features in every call, so that nothing is built twice.
pub(crate) fn workspace(command: &str, rest: &str) -> Command {
    let line = format!("{command} --workspace {} {rest}", features());
    let mut cargo = Command::new(cargo());
    cargo.args(line.split_whitespace()).current_dir(root());
    cargo
}

/// How a program is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As its own tests have it, with all their dependencies, so that nothing is built twice.
    Test,
    Release,
}

/// The program `emtee`; or the one that EMTEE names, as it is.
pub(crate) fn build(profile: Profile) -> Result<PathBuf, String> {
    if let Some(program) = std::env::var_os("EMTEE") {
        return Ok(program.into());
    }
    match profile {
        Profile::Test => {
            succeed(&mut workspace("test --quiet", "--test program --no-run"))?;
            Ok(target().join("debug/emtee"))
        }
        Profile::Release => {
            let arguments = ["build", "--quiet", "--release", "-p", "emtee-cli", "--bin", "emtee"];
            succeed(Command::new(cargo()).args(arguments).current_dir(root()))?;
            Ok(target().join("release/emtee"))
        }
    }
}

/// Builds an example as the tests are built, and returns it.
pub(crate) fn example(name: &str) -> Result<PathBuf, String> {
    succeed(&mut workspace("build --quiet", &format!("--example {name}")))?;
    Ok(target().join("debug/examples").join(name))
}

/// The cargo that runs this chore.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs a command to its end, which must be a good one.
pub(crate) fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name} does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
}

/// Whether a program starts.
pub(crate) fn starts(program: &str, version: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(version).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// How lines begin that say what was skipped.
pub(crate) const SKIPPED: &str = "skipped: ";

/// Says what is not tested, and what to install. In CI that is a failure.
pub(crate) fn skip(what: &str, why: &str, packages: &[&str]) -> Result<(), String> {
    let line = format!("{what} ({why}); to test it, install {}", packages.join(", "));
    if is_ci() {
        return Err(format!("nothing may be skipped where CI is set: {line}"));
    }
    say(&format!("{SKIPPED}{line}"));
    Ok(())
}

/// Has Debian install packages, where it may.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    say(&format!("installing {}", packages.join(" ")));
    let apt = |arguments: &[&str]| {
        let quiet = |command: &mut Command| succeed(command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()));
        let mut direct = Command::new("apt-get");
        direct.env("DEBIAN_FRONTEND", "noninteractive").stderr(Stdio::null());
        quiet(&mut direct).or_else(|_| quiet(Command::new("sudo").args(["-n", "apt-get"])))
    };
    // An old list may be good enough.
    let _ = apt(&["update", "-qq"]);
    apt(&[&["install", "-y", "-qq", "--no-install-recommends"], packages].concat())
        .map_err(|why| format!("cannot install {} ({why})", packages.join(" and ")))
}
