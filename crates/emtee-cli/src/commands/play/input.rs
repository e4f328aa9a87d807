//! Where lines come from: an editor with history and completion on a terminal, plain lines from a pipe.

use std::io::{self, BufRead, IsTerminal, Read};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use crate::failure::Failure;

/// Longer lines are no moves.
const LONGEST_LINE: u64 = 1 << 12;

/// What a person did at the prompt.
pub(super) enum Line {
    Typed(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D, or the end of a file.
    End,
}

pub(super) enum Input {
    Terminal(Box<Editor<Names, MemHistory>>),
    Pipe,
}

impl Input {
    pub(super) fn new() -> Input {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Input::Pipe;
        }
        let config = Config::builder().auto_add_history(true).build();
        match Editor::with_history(config, MemHistory::new()) {
            Ok(mut editor) => {
                editor.set_helper(Some(Names::default()));
                Input::Terminal(Box::new(editor))
            }
            Err(_) => Input::Pipe, // A terminal that cannot be driven still has lines.
        }
    }

    /// Whether a person sits there.
    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// The next line. `names` can be completed with Tab.
    pub(super) fn line(&mut self, prompt: &str, names: Vec<String>) -> Result<Line, Failure> {
        match self {
            Input::Terminal(editor) => {
                editor.set_helper(Some(Names { names }));
                match editor.readline(prompt) {
                    Ok(line) => Ok(Line::Typed(line)),
                    Err(ReadlineError::Eof) => Ok(Line::End),
                    Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
                    Err(error) => Err(Failure::Failed(format!("cannot read the terminal: {error}"))),
                }
            }
            Input::Pipe => {
                let mut bytes = Vec::new();
                let mut stdin = io::stdin().lock();
                let read = stdin.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
                if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
                    stdin.skip_until(b'\n').map_err(unreadable)?;
                }
                match read.map_err(unreadable)? {
                    0 => Ok(Line::End),
                    _ => Ok(Line::Typed(String::from_utf8_lossy(&bytes).trim_end().to_owned())),
                }
            }
        }
    }
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Failed(format!("cannot read standard input: {error}"))
}

/// What Tab completes: moves and words.
#[derive(Default)]
pub(super) struct Names {
    names: Vec<String>,
}

impl Completer for Names {
    type Candidate = Pair;
    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let begun = line.get(..at).unwrap_or(line).trim_start().to_lowercase();
        let fits = self.names.iter().filter(|name| name.to_lowercase().starts_with(&begun));
        let pairs = fits.map(|name| Pair { display: name.clone(), replacement: name.clone() }).collect();
        Ok((0, pairs))
    }
}

impl Hinter for Names {
    type Hint = String;
}
impl Highlighter for Names {}
impl Validator for Names {}
impl Helper for Names {}
