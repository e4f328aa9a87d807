//! How a run ends that does not end well.

use std::io;
use std::process::ExitCode;

use clap::error::ErrorKind;

/// Why a run did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The user asked for something that cannot be: one line, exit code 2.
    BadInput(String),
    /// Something that should hold does not: one line, exit code 1.
    Failed(String),
    /// Help or a version was asked for.
    Shown(clap::Error),
    /// Whoever read our output has gone: nothing to say.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn bad(text: impl ToString) -> Failure {
        Failure::BadInput(text.to_string())
    }

    pub(crate) fn report(self) -> ExitCode {
        let (text, code) = match self {
            Failure::BadInput(text) => (text, 2),
            Failure::Failed(text) => (text, 1),
            Failure::Shown(shown) => {
                let _ = shown.print();
                return ExitCode::SUCCESS;
            }
            Failure::ClosedPipe => return ExitCode::SUCCESS,
        };
        let red = anstyle::AnsiColor::Red.on_default().bold();
        anstream::eprintln!("{red}error:{red:#} {}", one_line(&text));
        ExitCode::from(code)
    }
}

/// Whatever was typed, the answer is one line that a terminal can show.
fn one_line(text: &str) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = shown.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(500) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Failure {
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Failure::Shown(error),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Failure::bad("no command was given; try 'emtee --help'")
            }
            _ => {
                // The message and its tips, without the usage that follows.
                let text = error.render().to_string();
                let text = text.split("\n\nUsage:").next().unwrap_or_default();
                let text = text.split("\n\nFor more information").next().unwrap_or_default();
                Failure::bad(text.trim_start_matches("error:").trim())
            }
        }
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

impl From<emtee::Error> for Failure {
    fn from(error: emtee::Error) -> Failure {
        Failure::bad(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Failed(error.to_string()),
        }
    }
}
