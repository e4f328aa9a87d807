//! The program from outside: what it prints, what it refuses and how it ends.

mod book;
mod datagen;
mod endings;
mod engine;
#[cfg(feature = "lab")]
mod lab;
mod manual;
mod matches;
#[cfg(unix)]
mod noise;
mod own_game;
mod people;
mod playing;
mod refusals;
mod rows;
#[cfg(feature = "web")]
mod serve;
mod solve;
mod tablebase;
mod tree;

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

/// How a run ended.
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

    /// The rows of a run that went well.
    fn rows(&self) -> Vec<Json> {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect()
    }

    /// The last of them: the result.
    fn row(&self) -> Json {
        self.rows().pop().expect("a row")
    }

    /// The text of a run that went well.
    fn text(&self) -> &str {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        &self.stdout
    }
}

/// The program with these arguments, not yet started; nothing is on its standard input, and there is no colour.
fn command<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_emtee"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

/// Arguments separated by spaces; `␣` stands for a space inside one.
fn words(line: &str) -> Vec<String> {
    line.split(' ').filter(|word| !word.is_empty()).map(|word| word.replace('␣', " ")).collect()
}

/// Runs the program with the arguments on a line.
fn emtee(line: &str) -> Run {
    Run::of(command(&words(line)).output().expect("the program runs"))
}

/// Runs the program with something on its standard input.
fn emtee_reading(line: &str, input: &[u8]) -> Run {
    let mut child = command(&words(line)).stdin(Stdio::piped()).spawn().expect("the program runs");
    // It may have refused its arguments and gone before it reads.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    Run::of(child.wait_with_output().expect("the program ends"))
}

/// A fresh folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emtee-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }

    /// A path in it, as [`words`] reads it.
    fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().expect("a plain path").replace(' ', "␣")
    }

    /// A file in it.
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

/// The integers of a list.
fn integers(list: &Json) -> Vec<i64> {
    list.as_array().expect("a list").iter().map(|n| n.as_i64().expect("an integer")).collect()
}

/// One field of each row.
fn column<'r>(rows: &'r [Json], field: &str) -> Vec<&'r Json> {
    rows.iter().map(|row| &row[field]).collect()
}
