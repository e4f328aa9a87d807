//! Whether the tests of the core notice small changes to it: cargo-mutants makes them, one at a time.
//!
//! A mutant costs a build, so most must die cheaply. First all of a sample meet the unit tests and nine files of short searches,
//! hardly optimised: ten seconds each, or a minute where the change is in what every search compiles anew. Those that survive meet
//! every test of the core, optimised.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::program::{cargo, succeed};
use crate::{root, target};

/// Mutants of a sample, if nobody says how many.
const SAMPLE: u32 = 40;
/// Which tests all mutants meet, and which the survivors: what is built, and what of it is run; how far it is optimised, and the
/// seconds it may take. It takes six seconds, and two minutes: a mutant that never ends is caught by that.
const STAGES: [Stage; 2] = [
    Stage {
        built: &["--lib", "--test=core"],
        run: &[
            "tests::",
            "aborts::",
            "corners::",
            "counts::",
            "in_play::",
            "laws::",
            "level::",
            "machines::",
            "peers::",
            "promises::",
        ],
        optimised: "1",
        seconds: "120",
    },
    Stage { built: &["--lib", "--tests"], run: &[], optimised: "2", seconds: "600" },
];

struct Stage {
    built: &'static [&'static str],
    run: &'static [&'static str],
    optimised: &'static str,
    seconds: &'static str,
}

/// What is changed.
const WHERE: [&str; 4] = ["--package", "emtee", "--file", "crates/emtee/src/**"];

#[derive(clap::Args)]
pub(crate) struct Asked {
    /// How many mutants
    #[arg(default_value_t = SAMPLE, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// All of them
    #[arg(long, conflicts_with = "count")]
    all: bool,
    /// Which of the samples of this size, to try the same again
    #[arg(long)]
    seed: Option<usize>,
}

/// Tries a sample, or all of them. An error if any survives.
pub(crate) fn run(asked: &Asked) -> Result<(), String> {
    let tool = tool()?;
    let folder = target().join("mutants");
    let found = folder.join("mutants.out");
    if found.exists() {
        fs::remove_dir_all(&found).map_err(|error| format!("cannot remove {}: {error}", found.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let total = count(&tool)?;
    let sample = (!asked.all).then_some(asked.count as usize);
    let shard = shard(total, sample, asked.seed.unwrap_or_else(moment));
    crate::say(&match &shard {
        Some((which, of)) => {
            format!("{} of {total} mutants; --seed {which} tries the same", (total - which).div_ceil(*of))
        }
        None => format!("all {total} mutants"),
    });
    let mut missed: Option<Vec<String>> = None;
    for Stage { built, run, optimised, seconds } in STAGES {
        let mut command = mutants(&tool);
        command.args(WHERE).arg("--output").arg(&folder).args(["--timeout", seconds]);
        command.env("CARGO_PROFILE_TEST_OPT_LEVEL", optimised);
        // Given to cargo itself, so that no other test is built.
        command.args(built.iter().flat_map(|test| ["--cargo-arg", test]));
        match (&missed, shard) {
            (Some(missed), _) if missed.is_empty() => break,
            (Some(missed), _) => {
                let names: Vec<String> = missed.iter().map(|name| escaped(name)).collect();
                command.args(["--baseline", "skip", "--re", &format!("^({})$", names.join("|"))]);
            }
            (None, Some((which, of))) => {
                command.args(["--shard", &format!("{which}/{of}"), "--sharding", "round-robin"]);
            }
            (None, None) => {}
        }
        command.args(["--", "--"]).args(run);
        // What survives the first stage is no failure yet; that the tests fail without any mutant is.
        let status = command.status().map_err(|error| format!("cargo-mutants does not start: {error}"))?;
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            return Err(format!("cargo-mutants: {status}"));
        }
        let found = fs::read_to_string(found.join("missed.txt")).unwrap_or_default();
        let survives = |name: &&str| missed.as_ref().is_none_or(|before| before.iter().any(|other| other == name));
        missed = Some(found.lines().filter(survives).map(str::to_owned).collect());
    }
    let missed = missed.unwrap_or_default();
    match missed.len() {
        0 => Ok(()),
        survivors => {
            Err(format!("{survivors} survive, what was tried is in {}:\n{}", found.display(), missed.join("\n")))
        }
    }
}

/// A name, as a regular expression that matches it alone.
fn escaped(name: &str) -> String {
    let special = |letter: char| r"\.+*?()|[]{}^$".contains(letter);
    name.chars().flat_map(|letter| special(letter).then_some('\\').into_iter().chain([letter])).collect()
}

/// Which of how many equal parts makes a sample: every so-manieth mutant, from one that the seed chooses.
fn shard(total: usize, sample: Option<usize>, seed: usize) -> Option<(usize, usize)> {
    let parts = total / sample?.max(1);
    (parts > 1).then(|| (seed % parts, parts))
}

fn moment() -> usize {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as usize)
}

/// How many mutants there are.
fn count(tool: &PathBuf) -> Result<usize, String> {
    let output = mutants(tool).args(WHERE).arg("--list").stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cargo-mutants does not start: {error}"))?;
    let total = String::from_utf8_lossy(&output.stdout).lines().count();
    if output.status.success() && total > 0 { Ok(total) } else { Err("cargo-mutants finds nothing to change".into()) }
}

/// A call of the tool, with a build folder of its own, so that what others wrote is built once and for all. The build is
/// half the work, so there is nothing for debuggers.
fn mutants(tool: &PathBuf) -> Command {
    let mut command = Command::new(tool);
    command.arg("mutants").current_dir(root());
    command.env("CARGO_TARGET_DIR", target().join("mutants/build"));
    command.env("CARGO_PROFILE_TEST_DEBUG", "0");
    command
}

/// The program cargo-mutants: the user's, or one of our own under the build folder.
fn tool() -> Result<PathBuf, String> {
    let there = |program: &PathBuf| {
        let mut version = Command::new(program);
        version.args(["mutants", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    let (usual, own) = (PathBuf::from("cargo-mutants"), target().join("tools/bin/cargo-mutants"));
    if let Some(program) = [&usual, &own].into_iter().find(|program| there(program)) {
        return Ok(program.clone());
    }
    crate::say("installing cargo-mutants under the build folder, once: some minutes");
    let mut install = Command::new(cargo());
    install.args(["install", "--quiet", "cargo-mutants", "--locked", "--root"]).arg(target().join("tools"));
    let how = "cargo install cargo-mutants --locked";
    succeed(&mut install).map_err(|why| format!("cargo-mutants is needed, and cannot be installed: {how} ({why})"))?;
    Ok(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_matches_itself() {
        let name = "a.rs:1: replace || with && in <impl X for Y<'_, G>>::f -> Vec<u8> with vec![]";
        let told = r"a\.rs:1: replace \|\| with && in <impl X for Y<'_, G>>::f -> Vec<u8> with vec!\[\]";
        assert_eq!(escaped(name), told);
    }

    #[test]
    fn a_sample_is_one_of_equal_parts() {
        assert_eq!(shard(2_214, Some(40), 57), Some((57 % 55, 55)));
        assert_eq!(shard(2_214, None, 57), None);
        assert_eq!(shard(30, Some(40), 57), None);
        assert_eq!(shard(2_214, Some(3), 0), Some((0, 738)));
    }
}
