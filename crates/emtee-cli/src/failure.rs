//! Why a run of the program failed: its error line and exit code.

use std::io::{self, Write};
use std::process::ExitCode;

/// Why a run did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad input: one line, exit code 2.
    BadInput(String),
    /// A failure of the program or its environment: one line, exit code 1.
    Failed(String),
    /// Stopped by the user: one line, exit code 130.
    Interrupted(String),
    /// Help or version text, printed with exit code 0.
    Shown(clap::Error),
    /// The reader of standard output closed the pipe: no message, exit code 0.
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
        // An error in writing to standard error cannot be reported.
        let _ = writeln!(anstream::stderr(), "{red}error:{red:#} {}", one_line(&text));
        ExitCode::from(code)
    }
}

/// The text as one line without control characters, at most 500 characters long.
fn one_line(text: &str) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = shown.split_whitespace().collect();
    let line: Vec<char> = words.join(" ").chars().collect();
    // Cut in the middle: the problem is at the beginning, the remedy at the end.
    match line.len() {
        0..=500 => line.iter().collect(),
        length => line[..300].iter().chain(&['…']).chain(&line[length - 199..]).collect(),
    }
}

impl From<emtee_engine::Error> for Failure {
    fn from(error: emtee_engine::Error) -> Failure {
        match error {
            emtee_engine::Error::Violation(_) => Failure::Failed(error.to_string()),
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
