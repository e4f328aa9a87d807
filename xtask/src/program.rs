//! The program `emtee`, and others that chores start.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{root, say, target};

/// The program, built by this profile; or the one that EMTEE names, as it is.
pub(crate) fn build(profile: &str) -> Result<PathBuf, String> {
    if let Some(program) = std::env::var_os("EMTEE") {
        return Ok(program.into());
    }
    let arguments = match profile {
        // As its own tests have it, with all their features, so that nothing is built twice.
        "test" => "test --quiet --workspace --all-features --test program --no-run",
        _ => "build --quiet --release -p emtee-cli --bin emtee",
    };
    let mut command = Command::new(cargo());
    succeed(command.args(arguments.split(' ')).current_dir(root()))?;
    Ok(target().join(if profile == "test" { "debug" } else { profile }).join("emtee"))
}

/// The cargo that runs this chore.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs a command to its end, which must be a good one.
pub(crate) fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name} does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
}

/// Has Debian install packages, where it may.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    say(&format!("installing {}", packages.join(" ")));
    let install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"];
    let mut direct = Command::new(install[0]);
    direct.args(&install[1..]).args(packages).stdout(Stdio::null());
    let mut asking = Command::new("sudo");
    asking.arg("-n").args(install).args(packages).stdout(Stdio::null());
    let update = || Command::new("apt-get").args(["update", "-qq"]).status();
    let _ = update();
    succeed(&mut direct)
        .or_else(|_| succeed(&mut asking))
        .map_err(|why| format!("install {} ({why})", packages.join(" and ")))
}
