//! What the reports say of the program that made them: the commit and the compiler.

use std::env;
use std::process::Command;

fn main() {
    let commit = said("git", &["rev-parse", "--short=12", "HEAD"]);
    let changed =
        said("git", &["status", "--porcelain", "--untracked-files=no", ".."]).is_some_and(|files| !files.is_empty());
    let commit =
        commit.map_or_else(|| String::from("unknown"), |commit| commit + if changed { ", with changes" } else { "" });
    let compiler = env::var("RUSTC").ok().and_then(|rustc| said(&rustc, &["--version"]));
    println!("cargo::rustc-env=EMTEE_COMMIT={commit}");
    println!("cargo::rustc-env=EMTEE_COMPILER={}", compiler.unwrap_or_else(|| String::from("unknown")));
    println!("cargo::rerun-if-changed=build.rs");
    // Another commit moves this file, in every kind of checkout.
    if let Some(log) = said("git", &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// What a command prints, if it succeeds.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
