//! Tests of the program as a process: its output, its error messages and its exit codes.

mod bad_input;
mod book;
mod datagen;
mod engine;
mod exit;
mod json_rows;
#[cfg(feature = "lab")]
mod lab;
mod learn;
mod manual;
mod matches;
mod own_game;
mod playing;
#[cfg(unix)]
mod random_input;
#[cfg(feature = "web")]
mod serve;
mod solve;
mod tablebase;
mod text_output;
mod tree;

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

/// The result of a run.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn of(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The rows of a successful run.
    fn rows(&self) -> Vec<Json> {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout.lines().map(|line| serde_json::from_str(line).expect("one JSON object per line")).collect()
    }

    /// The last row, which is the result.
    fn row(&self) -> Json {
        self.rows().pop().expect("a row")
    }

    /// The output of a successful run.
    fn text(&self) -> &str {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        &self.stdout
    }
}

/// The program with these arguments, not started; with empty standard input and without colours.
fn command<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_emtee"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

/// Splits arguments at spaces; `␣` stands for a space inside an argument.
fn words(line: &str) -> Vec<String> {
    line.split(' ').filter(|word| !word.is_empty()).map(|word| word.replace('␣', " ")).collect()
}

/// Runs the program with the arguments of a line.
fn emtee(line: &str) -> Run {
    Run::of(command(&words(line)).output().expect("the program runs"))
}

/// Runs the program with the given standard input.
fn emtee_reading(line: &str, input: &[u8]) -> Run {
    let mut child = command(&words(line)).stdin(Stdio::piped()).spawn().expect("the program runs");
    // The program may exit before reading, if it refuses its arguments.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    Run::of(child.wait_with_output().expect("the program ends"))
}

/// A new temporary folder, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emtee-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }

    /// A path in the folder, in the notation of [`words`].
    fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().expect("a plain path").replace(' ', "␣")
    }

    /// Writes a file in the folder and returns its path.
    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), content).expect("a file can be written");
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The integers of a JSON list.
fn integers(list: &Json) -> Vec<i64> {
    list.as_array().expect("a list").iter().map(|n| n.as_i64().expect("an integer")).collect()
}

/// One field of each row.
fn column<'r>(rows: &'r [Json], field: &str) -> Vec<&'r Json> {
    rows.iter().map(|row| &row[field]).collect()
}
