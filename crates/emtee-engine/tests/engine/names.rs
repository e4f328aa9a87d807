//! The names of the games occur only in the registry: a new game changes one place.

use std::fs;
use std::path::{Path, PathBuf};

use emtee_engine::Registry;

/// The only file that may contain them.
const REGISTRY: &str = "emtee-engine/src/games/mod.rs";

/// The start of a line with the paper's result for a game: data, not code.
const DATA: &str = " PaperGame { name: ";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.ends_with("tests") || entry.ends_with("tests.rs") {
            continue;
        }
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

#[test]
fn no_code_depends_on_the_name_of_a_game() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for name in ["emtee-engine", "emtee-lab", "emtee-cli"] {
        sources(&crates.join(name).join("src"), &mut files);
    }
    assert!(files.len() > 60, "{}", files.len());
    let registries = [Registry::standard(), Registry::synthetic()];
    let names: Vec<String> = registries.iter().flat_map(Registry::names).map(|name| format!("\"{name}\"")).collect();
    for file in files.iter().filter(|file| !file.ends_with(REGISTRY)) {
        let text = fs::read_to_string(file).unwrap();
        // Tests and examples may name games.
        let code = text.split("#[cfg(test)]").next().unwrap();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains(DATA)) {
            let found = names.iter().find(|name| line.contains(name.as_str()));
            assert_eq!(found, None, "{}: {line}", file.display());
        }
    }
    let kits = fs::read_to_string(crates.join(REGISTRY)).unwrap();
    for name in &names {
        assert_eq!(kits.matches(name.as_str()).count(), 1, "{name}");
    }
}
