//! Functions that are compiled for features of newer CPUs are called only after these features are detected.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The source files of a folder and of its subfolders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The texts between each `start` and the next quotation mark.
fn quoted<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    text.split(start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// The features that a source file checks for.
fn detected(text: &str) -> BTreeSet<&str> {
    quoted(text, "detected!(\"").into_iter().chain(quoted(text, "has!(\"")).collect()
}

/// A CPU with AVX2 but without BMI1 is not at hand, so this compares the texts of the sources.
#[test]
fn every_feature_that_a_function_uses_is_detected() {
    let mut functions = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let shared = fs::read_to_string(folder.join("cpu.rs")).unwrap();
    for path in sources(&folder) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        // A file without checks of its own relies on those of `cpu::available`.
        let own = detected(&text);
        let detected = if own.is_empty() { detected(&shared) } else { own };
        for list in quoted(&text, "#[target_feature(enable = \"") {
            functions += 1;
            for feature in list.split(',') {
                assert!(detected.contains(feature), "{}: {feature} is used, not detected", path.display());
            }
        }
    }
    assert!(functions >= 13, "only {functions} functions were found");
}
