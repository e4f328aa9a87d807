//! Lines in and lines out.

use std::io::{BufRead, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

/// No line anybody means is longer: it would be a game of a hundred thousand moves.
const LONGEST: usize = 1 << 20;

/// What was heard.
pub(crate) enum Heard<'l> {
    Line(&'l str),
    /// A line that is too long to be meant. It was passed over.
    TooLong,
}

/// Lines of any bytes, one after the other.
pub(crate) struct Lines<'i> {
    input: &'i mut dyn BufRead,
    bytes: Vec<u8>,
    text: String,
}

impl<'i> Lines<'i> {
    pub(crate) fn new(input: &'i mut dyn BufRead) -> Lines<'i> {
        Lines { input, bytes: Vec::new(), text: String::new() }
    }

    /// The next line, nothing after the last.
    pub(crate) fn next(&mut self) -> Option<Heard<'_>> {
        self.bytes.clear();
        let (mut any, mut too_long) = (false, false);
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => &[], // Whoever spoke is gone.
            };
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            too_long |= self.bytes.len() + part.len() > LONGEST;
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
            return Some(Heard::TooLong);
        }
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(&self.bytes));
        Some(Heard::Line(self.text.trim()))
    }
}

/// Says lines, whichever thread they come from.
pub(crate) struct Voice<'o> {
    output: Mutex<Option<&'o mut (dyn Write + Send)>>,
}

impl<'o> Voice<'o> {
    pub(crate) fn new(output: &'o mut (dyn Write + Send)) -> Voice<'o> {
        Voice { output: Mutex::new(Some(output)) }
    }

    /// Says one or more lines, at once and together. What comes from outside may hold anything, but no end of a line. Whether
    /// anybody listens still.
    pub(crate) fn say(&self, lines: &str) -> bool {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = output.as_mut() {
            let said =
                open.write_all(lines.as_bytes()).and_then(|()| open.write_all(b"\n")).and_then(|()| open.flush());
            if said.is_err() {
                *output = None; // Nobody listens any more.
            }
        }
        output.is_some()
    }

    /// Whether anybody listens.
    pub(crate) fn is_heard(&self) -> bool {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// A reason in one line that is not too long for anybody's log.
pub(crate) fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
