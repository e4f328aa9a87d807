//! How a run ends that does not end well.

use std::io::{self, Write};
use std::process::ExitCode;

/// Why a run did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The user asked for something that cannot be: one line, exit code 2.
    BadInput(String),
    /// Something that should hold does not: one line, exit code 1.
    Failed(String),
    /// The user stopped it: one line, exit code 130.
    Interrupted(String),
    /// Help or a version was asked for.
    Shown(clap::Error),
    /// Whoever read our output has gone: nothing to say.
    ClosedPipe,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::BadInput(text) | Failure::Failed(text) | Failure::Interrupted(text) => f.write_str(text),
            Failure::Shown(shown) => shown.fmt(f),
            Failure::ClosedPipe => Ok(()),
        }
    }
}

impl Failure {
    pub(crate) fn bad(text: impl ToString) -> Failure {
        Failure::BadInput(text.to_string())
    }

    pub(crate) fn report(self) -> ExitCode {
        let (text, code) = match self {
            Failure::BadInput(text) => (text, 2),
            Failure::Failed(text) => (text, 1),
            Failure::Interrupted(text) => {
                let _ = writeln!(anstream::stderr(), "{}", one_line(&text));
                return ExitCode::from(130);
            }
            Failure::Shown(shown) => {
                let _ = shown.print();
                return ExitCode::SUCCESS;
            }
            Failure::ClosedPipe => return ExitCode::SUCCESS,
        };
        let red = anstyle::AnsiColor::Red.on_default().bold();
        // Where even this cannot be written there is nobody left to tell.
        let _ = writeln!(anstream::stderr(), "{red}error:{red:#} {}", one_line(&text));
        ExitCode::from(code)
    }
}

/// Whatever was typed, the answer is one line that a terminal can show.
fn one_line(text: &str) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = shown.split_whitespace().collect();
    let line: Vec<char> = words.join(" ").chars().collect();
    // What is wrong stands at the beginning, what to do about it at the end.
    match line.len() {
        0..=500 => line.iter().collect(),
        length => line[..300].iter().chain(&['…']).chain(&line[length - 199..]).collect(),
    }
}

impl From<emtee_engine::Error> for Failure {
    fn from(error: emtee_engine::Error) -> Failure {
        match error {
            emtee_engine::Error::Broken(_) => Failure::Failed(error.to_string()),
            _ => Failure::bad(error),
        }
    }
}

#[cfg(feature = "lab")]
impl From<emtee_lab::Error> for Failure {
    fn from(error: emtee_lab::Error) -> Failure {
        match error {
            emtee_lab::Error::Failed(text) => Failure::Failed(text),
            emtee_lab::Error::Stopped { .. } => Failure::Interrupted(error.to_string()),
            _ => Failure::bad(error),
        }
    }
}

impl From<emtee::Error> for Failure {
    fn from(error: emtee::Error) -> Failure {
        Failure::bad(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Failed(format!("cannot write the output: {error}")),
        }
    }
}
