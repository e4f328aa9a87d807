//! Running programs and installing packages.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{root, say, target};

/// Whether this is continuous integration, where nothing may be skipped.
pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some()
}

/// The features of the workspace. Only emtee-mpi has one that is off by default, since it requires MPI.
pub(crate) fn features() -> &'static str {
    if is_ci() || crate::mpi::is_available() { "--features emtee-mpi/mpi" } else { "" }
}

/// Cargo on the whole workspace, with the same packages and features in every call, so that nothing is built twice.
pub(crate) fn workspace(command: &str, rest: &str) -> Command {
    let line = format!("{command} --workspace {} {rest}", features());
    let mut cargo = Command::new(cargo());
    cargo.args(line.split_whitespace()).current_dir(root());
    cargo
}

/// A build profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The profile of the tests, so that nothing is built twice.
    Test,
    Release,
}

/// Builds the program `emtee` and returns its path. If EMTEE is set, returns that program.
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

/// Builds an example with the profile of the tests and returns its path.
pub(crate) fn example(name: &str) -> Result<PathBuf, String> {
    succeed(&mut workspace("build --quiet", &format!("--example {name}")))?;
    Ok(target().join("debug/examples").join(name))
}

/// The cargo that runs this task.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs a command. An error if its exit status is not 0.
pub(crate) fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name} does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
}

/// Whether a program is installed: runs it with its version option.
pub(crate) fn starts(program: &str, version: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(version).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The prefix of lines that report skipped tests.
pub(crate) const SKIPPED: &str = "skipped: ";

/// Reports a skipped test and the packages to install for it. In CI this is an error.
pub(crate) fn skip(what: &str, reason: &str, packages: &[&str]) -> Result<(), String> {
    let line = format!("{what} ({reason}); to test it, install {}", packages.join(", "));
    if is_ci() {
        return Err(format!("nothing may be skipped if CI is set: {line}"));
    }
    say(&format!("{SKIPPED}{line}"));
    Ok(())
}

/// Installs Debian packages, if permitted.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    say(&format!("installing {}", packages.join(" ")));
    let apt = |arguments: &[&str]| {
        let quiet = |command: &mut Command| succeed(command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()));
        let mut direct = Command::new("apt-get");
        direct.env("DEBIAN_FRONTEND", "noninteractive").stderr(Stdio::null());
        quiet(&mut direct).or_else(|_| quiet(Command::new("sudo").args(["-n", "apt-get"])))
    };
    // If this fails, the old package list may be sufficient.
    let _ = apt(&["update", "-qq"]);
    apt(&[&["install", "-y", "-qq", "--no-install-recommends"], packages].concat())
        .map_err(|why| format!("cannot install {} ({why})", packages.join(" and ")))
}
