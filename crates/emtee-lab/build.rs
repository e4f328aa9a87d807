//! Passes the commit and the compiler version to the crate. Reports print both.

use std::env;
use std::process::Command;

fn main() {
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"]);
    let changed =
        output("git", &["status", "--porcelain", "--untracked-files=no", ".."]).is_some_and(|files| !files.is_empty());
    let commit =
        commit.map_or_else(|| String::from("unknown"), |commit| commit + if changed { ", with changes" } else { "" });
    let compiler = env::var("RUSTC").ok().and_then(|rustc| output(&rustc, &["--version"]));
    println!("cargo::rustc-env=EMTEE_COMMIT={commit}");
    println!("cargo::rustc-env=EMTEE_COMPILER={}", compiler.unwrap_or_else(|| String::from("unknown")));
    println!("cargo::rerun-if-changed=build.rs");
    // The HEAD log changes with every commit, in worktrees too.
    if let Some(log) = output("git", &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// The output of a command, or `None` if it fails.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
