//! The proofs in Coq: built, checked, and the extracted model compared with the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{Profile, build, install, skip, starts, succeed};
use crate::{root, say, target};

/// The files, each after those that it needs.
const FILES: [&str; 11] =
    ["Value", "Game", "Program", "Mt", "Driver", "Window", "Best", "Relations", "Stockman", "Extract", "Assumptions"];

/// Everything that must hold of the proofs, with a comparison on so many random trees.
pub(crate) fn run(trees: u32) -> Result<(), String> {
    let missing = packages();
    if !missing.is_empty()
        && let Err(why) = install(&missing)
    {
        return skip("the proofs", &why, &missing);
    }
    let (from, folder) = (root().join("proof"), target().join("proof"));
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let mut assumptions = String::new();
    for file in FILES {
        let name = format!("{file}.v");
        let text = fs::read_to_string(from.join(&name)).map_err(|error| format!("cannot read {name}: {error}"))?;
        if ["Admitted", "admit.", "Axiom", "Parameter "].iter().any(|word| text.contains(word)) {
            return Err(format!("{name} takes something for granted"));
        }
        fs::write(folder.join(&name), text).map_err(|error| format!("cannot write {name}: {error}"))?;
        let mut coqc = Command::new("coqc");
        let done = coqc.args(["-q", &name]).current_dir(&folder).stderr(Stdio::inherit()).output();
        let done = done.map_err(|error| format!("coqc does not start: {error}"))?;
        if !done.status.success() {
            return Err(format!("{name}: {}", done.status));
        }
        assumptions = String::from_utf8_lossy(&done.stdout).into_owned();
    }
    let asked = fs::read_to_string(from.join("Assumptions.v")).unwrap_or_default();
    let theorems: Vec<&str> = asked.lines().filter_map(|line| line.strip_prefix("Print Assumptions ")).collect();
    let answers: Vec<&str> = assumptions.lines().collect();
    for (theorem, answer) in theorems.iter().zip(&answers) {
        say(&format!("{theorem} {answer}"));
    }
    let closed = answers.iter().all(|line| *line == "Closed under the global context");
    if theorems.is_empty() || theorems.len() != answers.len() || !closed {
        return Err(format!("a theorem rests on an axiom:\n{assumptions}"));
    }
    let modules = FILES.iter().filter(|file| **file != "Assumptions");
    succeed(Command::new("coqchk").args(["-silent", "-o"]).args(modules).current_dir(&folder))?;
    succeed(Command::new("sh").arg(from.join("seeded_bugs.sh")))?;
    compare(&from, &folder, trees)
}

/// The packages that are missing.
pub(crate) fn packages() -> Vec<&'static str> {
    if starts("coqc", "--version") { Vec::new() } else { vec!["coq"] }
}

/// Builds the extracted model and compares it with the program.
fn compare(from: &Path, folder: &Path, trees: u32) -> Result<(), String> {
    let main = "model_tree.ml";
    fs::copy(from.join("bridge").join(main), folder.join(main))
        .map_err(|error| format!("cannot copy {main}: {error}"))?;
    let files = ["-w", "-a", "-o", "model_tree", "model.mli", "model.ml", main];
    succeed(Command::new("ocamlopt").args(files).current_dir(folder))?;
    let mut compare = Command::new("python3");
    compare
        .arg(from.join("bridge/compare.py"))
        .arg(folder.join("model_tree"))
        .arg(build(Profile::Test)?)
        .arg(trees.to_string());
    succeed(&mut compare)
}
