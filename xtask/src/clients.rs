//! Complete games through the protocols, driven by third-party libraries: python-chess and pydraughts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::{Profile, build, install, starts, succeed};
use crate::{root, say, target};

/// The client scripts, one per protocol.
const CLIENTS: [&str; 3] = ["uci", "hub", "nboard"];
/// The client libraries, in tested versions.
const LIBRARIES: [&str; 2] = ["chess==1.11.2", "pydraughts==0.6.7"];
/// The Debian packages.
const PACKAGES: [&str; 2] = ["python3", "python3-venv"];

/// Plays `games` games through each protocol at `seconds` per move, all protocols at once.
pub(crate) fn play(games: u32, seconds: f64) -> Result<(), String> {
    // Optimised, with debug assertions.
    let program = build(Profile::Test)?;
    let python = python()?;
    let mut running = Vec::new();
    for client in CLIENTS {
        let script = root().join("tests/clients").join(client).with_extension("py");
        let child = Command::new(&python)
            .arg("-B")
            .arg(script)
            .arg(&program)
            .args([games.to_string(), seconds.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{client} does not start: {error}"))?;
        running.push((client, child));
    }
    let mut failed = Vec::new();
    for (client, child) in running {
        let output = child.wait_with_output().map_err(|error| format!("{client}: {error}"))?;
        say(String::from_utf8_lossy(&output.stdout).trim_end());
        if !output.status.success() {
            say(String::from_utf8_lossy(&output.stderr).trim_end());
            failed.push(client);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("games failed: {}", failed.join(", "))) }
}

/// Measures how an engine keeps its time limits.
pub(crate) fn clock(moves: u32, seconds: f64, megabytes: u32) -> Result<(), String> {
    let program = build(Profile::Release)?;
    let arguments = [moves.to_string(), seconds.to_string(), megabytes.to_string()];
    succeed(Command::new("python3").arg(root().join("tests/clients/clock.py")).arg(program).args(arguments))
}

/// The missing packages.
pub(crate) fn packages() -> Vec<&'static str> {
    if starts("python3", "--version") { Vec::new() } else { PACKAGES.into() }
}

/// A virtual environment in the build folder with the libraries, created if needed.
pub(crate) fn python() -> Result<PathBuf, String> {
    let folder = target().join("clients");
    let python = folder.join("bin/python");
    let ready = folder.join("ready");
    let required = LIBRARIES.join(" ");
    if fs::read_to_string(&ready).is_ok_and(|installed| installed == required) && python.exists() {
        return Ok(python);
    }
    if create_environment(&folder).is_err() {
        install(&PACKAGES).map_err(|why| format!("Python with its module venv is required: {why}"))?;
        create_environment(&folder)?;
    }
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(LIBRARIES);
    succeed(&mut pip)?;
    fs::write(&ready, required).map_err(|error| format!("cannot write {}: {error}", ready.display()))?;
    Ok(python)
}

fn create_environment(folder: &Path) -> Result<(), String> {
    let mut command = Command::new("python3");
    command.args(["-m", "venv", "--clear"]).arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
    succeed(&mut command)
}
