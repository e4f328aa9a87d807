//! Mutation testing of the core with cargo-mutants: whether the tests notice small changes, made one at a time.
//!
//! Each mutant requires a build, so most must be caught cheaply. The first stage runs the unit tests and nine files of
//! short searches on all mutants of a sample, almost without optimisation: ten seconds per mutant, or a minute if the
//! change is in generic code that every search compiles again. The second stage runs all tests of the core, optimised, on
//! the survivors.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::program::{cargo, succeed};
use crate::{root, target};

/// The default number of mutants in a sample.
const SAMPLE: u32 = 40;
/// The first stage for all mutants, the second for its survivors. Normally they take six seconds and two minutes; the time
/// limit catches mutants that do not terminate.
const STAGES: [Stage; 2] = [
    Stage {
        built: &["--lib", "--test=core"],
        run: &[
            "tests::",
            "aborts::",
            "counts::",
            "edge_cases::",
            "guarantees::",
            "in_play::",
            "laws::",
            "level::",
            "other_libraries::",
            "peers::",
        ],
        opt_level: "1",
        seconds: "120",
    },
    Stage { built: &["--lib", "--tests"], run: &[], opt_level: "2", seconds: "600" },
];

struct Stage {
    /// The test targets to build.
    built: &'static [&'static str],
    /// The filters of the tests to run; all tests if empty.
    run: &'static [&'static str],
    /// The optimisation level.
    opt_level: &'static str,
    /// The time limit in seconds.
    seconds: &'static str,
}

/// The code to mutate.
const SOURCES: [&str; 4] = ["--package", "emtee", "--file", "crates/emtee/src/**"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of mutants
    #[arg(default_value_t = SAMPLE, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Test all mutants
    #[arg(long, conflicts_with = "count")]
    all: bool,
    /// Selects the sample, to repeat an earlier run
    #[arg(long)]
    seed: Option<usize>,
}

/// Tests a sample of mutants, or all. An error if any survives.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let tool = tool()?;
    let folder = target().join("mutants");
    let results = folder.join("mutants.out");
    if results.exists() {
        fs::remove_dir_all(&results).map_err(|error| format!("cannot remove {}: {error}", results.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let total = count(&tool)?;
    let sample = (!options.all).then_some(options.count as usize);
    let shard = shard(total, sample, options.seed.unwrap_or_else(milliseconds));
    crate::say(&match &shard {
        Some((which, of)) => {
            format!("{} of {total} mutants; --seed {which} selects the same", (total - which).div_ceil(*of))
        }
        None => format!("all {total} mutants"),
    });
    let mut missed: Option<Vec<String>> = None;
    for Stage { built, run, opt_level, seconds } in STAGES {
        let mut command = mutants(&tool);
        command.args(SOURCES).arg("--output").arg(&folder).args(["--timeout", seconds]);
        command.env("CARGO_PROFILE_TEST_OPT_LEVEL", opt_level);
        // Passed to cargo itself, so that no other test is built.
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
        // Survivors of the first stage are not a failure yet. Failing tests without a mutant are.
        let status = command.status().map_err(|error| format!("cargo-mutants does not start: {error}"))?;
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            return Err(format!("cargo-mutants: {status}"));
        }
        let survivors = fs::read_to_string(results.join("missed.txt")).unwrap_or_default();
        let survives = |name: &&str| missed.as_ref().is_none_or(|before| before.iter().any(|other| other == name));
        missed = Some(survivors.lines().filter(survives).map(str::to_owned).collect());
    }
    let missed = missed.unwrap_or_default();
    match missed.len() {
        0 => Ok(()),
        survivors => {
            Err(format!("{survivors} mutants survive; logs are in {}:\n{}", results.display(), missed.join("\n")))
        }
    }
}

/// A name as a regular expression that matches only this name.
fn escaped(name: &str) -> String {
    let special = |letter: char| r"\.+*?()|[]{}^$".contains(letter);
    name.chars().flat_map(|letter| special(letter).then_some('\\').into_iter().chain([letter])).collect()
}

/// The shard that is the sample, and the number of shards: every n-th mutant, with the first one selected by the seed.
fn shard(total: usize, sample: Option<usize>, seed: usize) -> Option<(usize, usize)> {
    let parts = total / sample?.max(1);
    (parts > 1).then(|| (seed % parts, parts))
}

/// The current time in milliseconds, as a seed.
fn milliseconds() -> usize {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as usize)
}

/// The number of mutants.
fn count(tool: &PathBuf) -> Result<usize, String> {
    let output = mutants(tool).args(SOURCES).arg("--list").stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cargo-mutants does not start: {error}"))?;
    let total = String::from_utf8_lossy(&output.stdout).lines().count();
    if output.status.success() && total > 0 { Ok(total) } else { Err("cargo-mutants finds no mutants".into()) }
}

/// A call of cargo-mutants with its own build folder, so that dependencies are built once, and without debug information, since
/// building is half the work.
fn mutants(tool: &PathBuf) -> Command {
    let mut command = Command::new(tool);
    command.arg("mutants").current_dir(root());
    command.env("CARGO_TARGET_DIR", target().join("mutants/build"));
    command.env("CARGO_PROFILE_TEST_DEBUG", "0");
    command
}

/// The program cargo-mutants: the installed one, or one installed in the build folder.
fn tool() -> Result<PathBuf, String> {
    let is_installed = |program: &PathBuf| {
        let mut version = Command::new(program);
        version.args(["mutants", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    let (in_path, own) = (PathBuf::from("cargo-mutants"), target().join("tools/bin/cargo-mutants"));
    if let Some(program) = [&in_path, &own].into_iter().find(|program| is_installed(program)) {
        return Ok(program.clone());
    }
    crate::say("installing cargo-mutants in the build folder, which takes some minutes once");
    let mut install = Command::new(cargo());
    install.args(["install", "--quiet", "cargo-mutants", "--locked", "--root"]).arg(target().join("tools"));
    let how = "cargo install cargo-mutants --locked";
    succeed(&mut install).map_err(|error| format!("cannot install cargo-mutants: {how} ({error})"))?;
    Ok(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let name = "a.rs:1: replace || with && in <impl X for Y<'_, G>>::f -> Vec<u8> with vec![]";
        let regex = r"a\.rs:1: replace \|\| with && in <impl X for Y<'_, G>>::f -> Vec<u8> with vec!\[\]";
        assert_eq!(escaped(name), regex);
    }

    #[test]
    fn a_sample_is_one_of_equal_parts() {
        assert_eq!(shard(2_214, Some(40), 57), Some((57 % 55, 55)));
        assert_eq!(shard(2_214, None, 57), None);
        assert_eq!(shard(30, Some(40), 57), None);
        assert_eq!(shard(2_214, Some(3), 0), Some((0, 738)));
    }
}
