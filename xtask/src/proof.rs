//! The proofs in Coq: builds and checks them, and compares the extracted model with the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::program::{Profile, build, install, skip, starts, succeed};
use crate::{root, say, target};

/// The file that prints the axioms.
const ASSUMPTIONS: &str = "Assumptions";

/// Checks the proofs, and compares the model with the program on `trees` random trees.
pub(crate) fn run(trees: u32) -> Result<(), String> {
    let missing = packages();
    if !missing.is_empty()
        && let Err(why) = install(&missing)
    {
        return skip("the proofs", &why, &missing);
    }
    let (from, folder) = (root().join("proof"), target().join("proof"));
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let assumptions = compile(&from, &folder)?;
    let file = fs::read_to_string(from.join("Assumptions.v")).unwrap_or_default();
    let theorems: Vec<&str> = file.lines().filter_map(|line| line.strip_prefix("Print Assumptions ")).collect();
    let answers: Vec<&str> = assumptions.lines().collect();
    for (theorem, answer) in theorems.iter().zip(&answers) {
        say(&format!("{theorem} {answer}"));
    }
    let closed = answers.iter().all(|line| *line == "Closed under the global context");
    if theorems.is_empty() || theorems.len() != answers.len() || !closed {
        return Err(format!("a theorem depends on an axiom:\n{assumptions}"));
    }
    let modules = files(&from)?.into_iter().filter(|file| file != ASSUMPTIONS);
    let mut check = Command::new("coqchk");
    check.args(["-silent", "-o"]).args(modules).current_dir(&folder);
    thread::scope(|scope| {
        let check = scope.spawn(|| succeed(&mut check));
        let rest = succeed(Command::new("sh").arg(from.join("seeded_bugs.sh")));
        let rest = rest.and_then(|()| compare(&from, &folder, trees));
        check.join().unwrap_or_else(|_| Err("the thread of coqchk panicked".into())).and(rest)
    })
}

/// The names of the files, without extensions.
fn files(from: &Path) -> Result<Vec<String>, String> {
    let project =
        fs::read_to_string(from.join("_CoqProject")).map_err(|error| format!("cannot read _CoqProject: {error}"))?;
    Ok(project.lines().filter_map(|line| line.strip_suffix(".v")).map(String::from).collect())
}

/// Compiles the files in `folder`, two at a time, each after its dependencies. Returns the output about axioms.
fn compile(from: &Path, folder: &Path) -> Result<String, String> {
    let mut waiting = Vec::new();
    let all = files(from)?;
    for file in &all {
        let name = format!("{file}.v");
        let text = fs::read_to_string(from.join(&name)).map_err(|error| format!("cannot read {name}: {error}"))?;
        if ["Admitted", "admit.", "Axiom", "Parameter "].iter().any(|word| text.contains(word)) {
            return Err(format!("{name} contains an axiom or an unfinished proof"));
        }
        fs::write(folder.join(&name), &text).map_err(|error| format!("cannot write {name}: {error}"))?;
        waiting.push((file.as_str(), needs(&text, &all)));
    }
    let (mut running, mut compiled, mut assumptions) = (Vec::new(), Vec::new(), String::new());
    loop {
        while running.len() < 2
            && let Some(next) =
                waiting.iter().position(|(_, needs)| needs.iter().all(|needed| compiled.contains(&needed.as_str())))
        {
            let (file, _) = waiting.remove(next);
            let mut coqc = Command::new("coqc");
            coqc.args(["-q", &format!("{file}.v")]).current_dir(folder);
            let out = if file == ASSUMPTIONS { Stdio::piped() } else { Stdio::null() };
            running.push((file, coqc.stdout(out).spawn().map_err(|error| format!("coqc does not start: {error}"))?));
        }
        if running.is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(10));
        let Some(ended) = running.iter_mut().position(|(_, coqc)| coqc.try_wait().is_ok_and(|end| end.is_some()))
        else {
            continue;
        };
        let (file, coqc) = running.remove(ended);
        let done = coqc.wait_with_output().map_err(|error| format!("{file}.v: {error}"))?;
        if !done.status.success() {
            // The other process would keep running.
            running.iter_mut().for_each(|(_, other)| _ = other.kill());
            return Err(format!("{file}.v: {}", done.status));
        }
        assumptions += &String::from_utf8_lossy(&done.stdout);
        compiled.push(file);
    }
    match waiting.first() {
        Some((file, needs)) => Err(format!("{file}.v needs {}, and some of these are missing", needs.join(", "))),
        None => Ok(assumptions),
    }
}

/// The dependencies of a file.
fn needs(text: &str, all: &[String]) -> Vec<String> {
    let required =
        text.lines().filter(|line| line.starts_with("Require Import ") || line.starts_with("Require Export "));
    let names = required.flat_map(|line| line.trim_end_matches('.').split_whitespace());
    names.filter(|name| all.iter().any(|file| file == name)).map(String::from).collect()
}

/// The missing packages.
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
