//! Tests of names: those that CHANGELOG lists as old are no longer declared, and the files that ARCHITECTURE lists exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::root;

/// Old names that have no other meaning.
const OLD: &[&str] = &[
    "loud",
    "Liveliness",
    "reversible",
    "recall",
    "Treatment",
    "exchanges",
    "late_moves",
    "late-moves",
    "extensions",
    "internal_reduction",
    "internal-reduction",
    "delta",
    "confidence",
    "Estimates",
    "Place",
    "ask",
    "Heard",
    "Note",
    "Teamwork",
    "teamwork",
    "MOST_PLIES",
    "look",
    "judge",
    "Judge",
    "letter_us",
    "--letters",
    "--letter",
    "mail",
    "postage",
    "desk",
    "correspondent",
    "crew",
    "Crew",
    "hire_finisher",
    "FAREWELL",
    "Voice",
    "hear",
    "instead",
    "baseline_told",
    "roomy",
    "question",
    "Broken",
    "Mating",
    "objection",
    "sketch",
    "Why",
    "Breach",
    "page_alone",
    "speak",
    "begins_with_a_guess",
    "Study",
    "Studies",
    "story",
    "asked",
    "singular",
    "most_hash",
    "with_drawing",
    "drawn_game",
    "Correspondent",
    "Postage",
    "MOST_WORDS",
    "crowded",
    "Disorder",
    "doubled",
    "at_once",
];

/// Old names that are also words with another meaning: the name, and the folder or file in which it is not declared.
const OLD_HERE: &[(&str, &str)] = &[
    // `Observer::passed` stays.
    ("passed", "crates/emtee/src/game.rs"),
    ("gain", "crates/emtee/src"),
    ("View", "crates/emtee"),
    ("less", "crates/emtee/src/selective"),
    ("reductions", "crates/emtee/src/selective"),
    ("unit", "crates/emtee/src"),
    ("back", "crates/emtee/src"),
    ("pre", "crates/emtee/src"),
    ("aside", "crates/emtee/src"),
    ("together", "crates/emtee/src"),
    ("apart", "crates/emtee/src"),
    ("Home", "crates/emtee/src"),
    ("Ordering", "crates/emtee/src"),
    // Othello's weights have stages.
    ("STAGES", "crates/emtee-games/src/chess"),
    ("STAGES", "crates/emtee-games/src/checkers"),
    ("STAGES", "crates/emtee-games/src/network.rs"),
    ("letters", "crates/emtee-mpi"),
    ("letter", "crates/emtee-mpi"),
    ("notes", "crates/emtee-mpi"),
    ("notes", "crates/emtee-engine/src/check"),
    ("exchange", "crates/emtee-games/src"),
    ("beside", "crates/emtee-games/src/checkers"),
    ("class", "crates/emtee-games/src/checkers"),
    ("Passed", "crates/emtee-engine"),
    ("Fault", "crates/emtee-engine/src"),
    ("Played", "crates/emtee-engine/src"),
    ("File", "crates/emtee-lab/src/execute.rs"),
    ("open", "crates/emtee-engine/src/arena"),
    ("now", "crates/emtee-engine/src/arena"),
    ("why", "crates/emtee-engine/src/ending.rs"),
    ("World", "crates/emtee-engine/src/cluster"),
    ("WINDOW", "crates/emtee-engine/src/cluster"),
    ("note", "crates/emtee-engine/src/cluster"),
    ("post", "crates/emtee-engine/src/cluster"),
    ("post", "crates/emtee-mpi"),
    ("letters", "crates/emtee-engine/src/cluster"),
    ("letter", "crates/emtee-engine/src/cluster"),
    ("alone", "crates/emtee-cli/src"),
];

/// Files that still read deprecated names in input: the names are string literals there.
const READ_OLD: &[&str] = &[
    "crates/emtee/src/selective/switches.rs",
    "crates/emtee-mpi/src/commands/network.rs",
    "crates/emtee-mpi/src/commands/simulate.rs",
    "crates/emtee-mpi/src/program.rs",
    "crates/emtee-mpi/tests/search.rs",
    "python/src/rules.rs",
];

/// Files that have other names now.
const OLD_FILES: &[&str] = &[
    "alone.rs",
    "ask.js",
    "ask.rs",
    "corners.rs",
    "crew.rs",
    "crowd.rs",
    "cuts.rs",
    "estimates.rs",
    "exchange.rs",
    "face.rs",
    "fault.rs",
    "judge.rs",
    "judge_positions.rs",
    "leaving.rs",
    "machine.rs",
    "machines.rs",
    "mail.rs",
    "mating.rs",
    "noise.rs",
    "objection.rs",
    "objections.rs",
    "open.rs",
    "ours.rs",
    "people.rs",
    "post.rs",
    "promises.rs",
    "questions.rs",
    "refusals.rs",
    "shown.rs",
    "sketch.rs",
    "story.rs",
    "study.rs",
    "subject.rs",
    "vary.rs",
    "walk.rs",
    "words.rs",
];

/// All files below the root, as paths with slashes. Not build folders and hidden ones.
fn all_files() -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![root().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if !entry.file_type().unwrap().is_dir() {
                files.push(path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/"));
            } else if name == ".ci" || !(name.starts_with('.') || name == "target" || name == "node_modules") {
                folders.push(path);
            }
        }
    }
    files
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// The names that a line declares: items, fields and enum variants, and string literals of one word, as JSON keys and
/// options are. Not local variables, and not words of comments.
fn declared(line: &str) -> BTreeSet<&str> {
    const KEYWORDS: [&str; 11] =
        ["fn", "struct", "enum", "trait", "mod", "type", "const", "static", "class", "def", "function"];
    let mut names = BTreeSet::new();
    let line = line.trim();
    if ["//", "/*", "* ", "# "].iter().any(|comment| line.starts_with(comment)) {
        return names;
    }
    let words: Vec<&str> = line.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
    names.extend(words.windows(2).filter(|pair| KEYWORDS.contains(&pair[0])).map(|pair| pair[1]));
    names.extend(line.split('"').skip(1).step_by(2).filter(|text| text.chars().all(is_word)));
    // A field, or a variant that is alone on its line.
    let first = line.strip_prefix("pub").map_or(line, |rest| rest.trim_start_matches(|c| c != ' ').trim_start());
    let (name, rest) = first.split_at(first.find(|c| !is_word(c)).unwrap_or(first.len()));
    let is_field = rest.starts_with(':') && !rest.starts_with("::");
    let is_variant = name.starts_with(char::is_uppercase) && (rest == "," || rest.ends_with("),") || rest == " {");
    if is_field || is_variant {
        names.insert(name);
    }
    names
}

#[test]
fn old_names_are_not_declared() {
    let mut found = Vec::new();
    for file in all_files() {
        let is_source = [".rs", ".py", ".pyi", ".js"].iter().any(|end| file.ends_with(end));
        if !is_source || file == "xtask/src/names.rs" {
            continue;
        }
        let base = file.rsplit('/').next().unwrap();
        if OLD_FILES.contains(&base) {
            found.push(format!("{file}: an old file name"));
        }
        for (number, line) in (1..).zip(fs::read_to_string(root().join(&file)).unwrap().lines()) {
            for name in declared(line) {
                let is_old = OLD.contains(&name)
                    || OLD_HERE.iter().any(|(old, folder)| *old == name && Path::new(&file).starts_with(folder));
                let is_read = READ_OLD.contains(&&*file) && line.contains(&format!("\"{name}\""));
                if is_old && !is_read {
                    found.push(format!("{file}:{number}: {name} is an old name"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn declarations_are_recognised() {
    for (line, name) in [
        ("    pub fn loud(&self) {", "loud"),
        ("pub(crate) struct Teamwork {", "Teamwork"),
        ("    pub teamwork: Teamwork,", "teamwork"),
        ("    Broken(String),", "Broken"),
        ("    Home,", "Home"),
        (r#"    #[serde(rename = "letter_us")]"#, "letter_us"),
        (r#"    if argument == "--letters" {"#, "--letters"),
        ("def loud(self):", "loud"),
    ] {
        assert!(declared(line).contains(name), "{line}");
    }
    for line in ["// fn loud", "let loud = 1;", "Loud::new(loud)", r#"("a loud move")"#] {
        assert!(!declared(line).contains("loud"), "{line}");
    }
}

#[test]
fn all_old_names_of_the_changelog_are_checked() {
    let changes = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let rows: Vec<&str> = changes.lines().skip_while(|line| *line != "| old | new |").skip(2).collect();
    let rows: Vec<&str> = rows.into_iter().take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 25, "CHANGELOG has a table of names");
    let mut missing = Vec::new();
    for row in rows {
        let old = row.split('|').nth(1).unwrap();
        // A row may begin with the place of the names: `emtee match --json`: the verdict `open` of an SPRT
        let names = old.split_once("`: ").map_or(old, |(_, names)| names);
        for name in names.split('`').skip(1).step_by(2) {
            let name = name.rsplit("::").next().unwrap().rsplit([' ', '.']).next().unwrap();
            if name != "Observer" && !OLD.contains(&name) && !OLD_HERE.iter().any(|(old, _)| *old == name) {
                missing.push(name.to_owned());
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "add these old names to OLD");
}

/// The files that ARCHITECTURE names, by section: in a section about a folder, as in "### `crates/emtee`: the library",
/// they are in that folder, unless their path begins at the root or at the folder of the crates.
#[test]
fn the_files_of_architecture_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let tree: Vec<String> = all_files().iter().map(|file| format!("/{file}")).collect();
    let is_file = |name: &&str| {
        let ends = [".rs", ".md", ".py", ".js", ".toml", "/"];
        ends.iter().any(|end| name.ends_with(end)) && !name.contains(['*', ' ', ':', '<'])
    };
    let (mut folder, mut count, mut missing) = (String::new(), 0, Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with('#') {
            folder = line.strip_prefix("### `").and_then(|rest| rest.split('`').next()).unwrap_or("").to_owned();
        }
        for name in line.split('`').skip(1).step_by(2).filter(is_file) {
            count += 1;
            let part = format!("/{name}");
            let is_it = |path: &str| if name.ends_with('/') { path.contains(&part) } else { path.ends_with(&part) };
            let inside = format!("/{}", folder.trim_end_matches('/'));
            let exists = tree.iter().any(|path| {
                path.strip_prefix(&inside).is_some_and(is_it)
                    || ["", "/crates"].iter().any(|top| path.starts_with(&format!("{top}{part}")))
            });
            if !exists {
                missing.push(format!("ARCHITECTURE.md:{number}: {name} does not exist in '{folder}'"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(count > 200, "only {count} files were found in ARCHITECTURE.md");
}

/// Each name of the glossary occurs in one of the files of its row. Paths are in the core's `src`, or begin with `crates/`.
#[test]
fn the_names_of_the_glossary_are_in_their_files() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let glossary = text.split("## Glossary").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let files = all_files();
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let (mut count, mut missing) = (0, Vec::new());
    for row in glossary.lines().filter(|line| line.starts_with("| ") && line.contains('`')) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let paths = quoted(cells[3])
            .into_iter()
            .map(|path| if path.starts_with("crates/") { path } else { format!("crates/emtee/src/{path}") });
        let paths: Vec<String> = paths.collect();
        let sources = files.iter().filter(|file| paths.iter().any(|path| file.starts_with(path)));
        let source: String = sources.map(|file| fs::read_to_string(root().join(file)).unwrap_or_default()).collect();
        for name in quoted(cells[2]) {
            let last = name.split(' ').next().unwrap().rsplit("::").next().unwrap();
            count += 1;
            let is_module = paths.iter().any(|path| path.ends_with(&format!("/{last}.rs")));
            if !is_module && !source.split(|c| !is_word(c)).any(|word| word == last) {
                missing.push(format!("{name} is not in {}", paths.join(", ")));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(count > 50, "only {count} names were found in the glossary");
}

/// Whether all modules on the way to a source file are public. Other modules re-export their items.
fn is_public_module(file: &str) -> bool {
    let Some((folder, path)) = file.split_once("/src/") else { return false };
    let mut modules: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    modules.pop_if(|last| ["lib", "main", "mod"].contains(&&**last));
    (0..modules.len()).all(|depth| {
        let parent = modules[..depth].join("/");
        let sources = if depth == 0 { ["lib".into(), "main".into()] } else { [format!("{parent}/mod"), parent] };
        let declaration = format!("pub mod {};", modules[depth]);
        let source = |name: &String| fs::read_to_string(root().join(format!("{folder}/src/{name}.rs")));
        sources.iter().filter_map(|name| source(name).ok()).any(|text| text.contains(&declaration))
    })
}

/// rustdoc ignores the aliases of a type that is re-exported from a private module, but not those of the `pub use`.
#[test]
fn aliases_are_where_rustdoc_reads_them() {
    let (mut count, mut ignored) = (0, Vec::new());
    for file in all_files().into_iter().filter(|file| file.contains("/src/") && file.ends_with(".rs")) {
        let text = fs::read_to_string(root().join(&file)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for number in (0..lines.len()).filter(|&number| lines[number].starts_with("#[doc(alias")) {
            count += 1;
            let item = lines[number..].iter().find(|line| !line.starts_with(['#', '/'])).unwrap();
            if !item.starts_with("pub use ") && !is_public_module(&file) {
                ignored.push(format!("{file}:{}: move the alias to the `pub use`", number + 1));
            }
        }
    }
    assert!(ignored.is_empty(), "{}", ignored.join("\n"));
    assert!(count > 10, "only {count} aliases were found");
}
