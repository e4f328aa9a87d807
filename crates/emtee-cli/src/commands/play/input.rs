//! Input lines: from an editor with history and completion on a terminal, plain lines from a pipe.

use std::io::{self, BufRead, IsTerminal, Read};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use crate::failure::Failure;

/// The maximum length of a line from a pipe in bytes; the rest of a longer line is skipped.
const MAX_LINE_BYTES: u64 = 1 << 12;

/// The input at a prompt.
pub(super) enum Line {
    Text(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D, or the end of the input.
    End,
}

pub(super) enum Input {
    Terminal(Box<Editor<Completions, MemHistory>>),
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
                editor.set_helper(Some(Completions::default()));
                Input::Terminal(Box::new(editor))
            }
            // A terminal without line editing can still be read line by line.
            Err(_) => Input::Pipe,
        }
    }

    /// Whether input comes from a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// Reads the next line. Tab completes `words`.
    pub(super) fn line(&mut self, prompt: &str, words: Vec<String>) -> Result<Line, Failure> {
        match self {
            Input::Terminal(editor) => {
                editor.set_helper(Some(Completions { words }));
                match editor.readline(prompt) {
                    Ok(line) => Ok(Line::Text(line)),
                    Err(ReadlineError::Eof) => Ok(Line::End),
                    Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
                    Err(error) => Err(Failure::Failed(format!("cannot read the terminal: {error}"))),
                }
            }
            Input::Pipe => {
                let mut bytes = Vec::new();
                let mut stdin = io::stdin().lock();
                let read = stdin.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes);
                if bytes.len() as u64 == MAX_LINE_BYTES && bytes.last() != Some(&b'\n') {
                    stdin.skip_until(b'\n').map_err(unreadable)?;
                }
                match read.map_err(unreadable)? {
                    0 => Ok(Line::End),
                    _ => Ok(Line::Text(String::from_utf8_lossy(&bytes).trim_end().to_owned())),
                }
            }
        }
    }
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Failed(format!("cannot read standard input: {error}"))
}

/// Completion of moves and commands with Tab.
#[derive(Default)]
pub(super) struct Completions {
    words: Vec<String>,
}

impl Completer for Completions {
    type Candidate = Pair;
    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let prefix = line.get(..cursor).unwrap_or(line).trim_start().to_lowercase();
        let matching = self.words.iter().filter(|word| word.to_lowercase().starts_with(&prefix));
        let pairs = matching.map(|word| Pair { display: word.clone(), replacement: word.clone() }).collect();
        Ok((0, pairs))
    }
}

impl Hinter for Completions {
    type Hint = String;
}
impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}
