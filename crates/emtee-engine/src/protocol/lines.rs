//! Line input and output.

use std::io::{BufRead, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

/// The maximum length of a line: enough for a game of a hundred thousand moves.
const MAX_LENGTH: usize = 1 << 20;

/// A line of input.
pub(crate) enum Input<'l> {
    Line(&'l str),
    /// A line longer than the maximum. It is skipped.
    TooLong,
}

/// Reads lines that may contain any bytes.
pub(crate) struct Lines<'i> {
    input: &'i mut dyn BufRead,
    bytes: Vec<u8>,
    text: String,
}

impl<'i> Lines<'i> {
    pub(crate) fn new(input: &'i mut dyn BufRead) -> Lines<'i> {
        Lines { input, bytes: Vec::new(), text: String::new() }
    }

    /// The next line. `None` at the end of the input.
    pub(crate) fn next(&mut self) -> Option<Input<'_>> {
        self.bytes.clear();
        let (mut any, mut too_long) = (false, false);
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => &[], // A read error counts as the end of the input.
            };
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            too_long |= self.bytes.len() + part.len() > MAX_LENGTH;
            if !too_long {
                self.bytes.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return None;
        }
        if too_long {
            return Some(Input::TooLong);
        }
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(&self.bytes));
        Some(Input::Line(self.text.trim()))
    }
}

/// Writes lines from any thread.
pub(crate) struct Output<'o> {
    output: Mutex<Option<&'o mut (dyn Write + Send)>>,
}

impl<'o> Output<'o> {
    pub(crate) fn new(output: &'o mut (dyn Write + Send)) -> Output<'o> {
        Output { output: Mutex::new(Some(output)) }
    }

    /// Writes and flushes one or more lines together. Text from outside must not contain line breaks. Returns whether
    /// the output is still open.
    pub(crate) fn write_lines(&self, lines: &str) -> bool {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = output.as_mut() {
            let written =
                open.write_all(lines.as_bytes()).and_then(|()| open.write_all(b"\n")).and_then(|()| open.flush());
            if written.is_err() {
                *output = None; // The reader has closed the output.
            }
        }
        output.is_some()
    }

    /// Whether the output is still open.
    pub(crate) fn is_open(&self) -> bool {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// A message on one line of at most 300 characters.
pub(crate) fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
