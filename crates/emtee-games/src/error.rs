//! Why a text was refused.

use std::fmt;

/// Why a text or a set of parameters was refused: one sentence that names the culprit.
///
/// ```
/// use emtee_games::connect4::Board;
/// let error = "4444444".parse::<Board>().unwrap_err();
/// assert_eq!(error.to_string(), "move 7: column 4 is full");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    message: String,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into() }
    }

    /// An error at a byte of a text, told as a line and a column.
    pub(crate) fn at(text: &str, offset: usize, message: impl fmt::Display) -> Error {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Error::new(format!("line {line}, column {column}: {message}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// What was found, in quotes and no longer than a message can bear.
pub(crate) fn quoted(found: &str) -> String {
    const LONGEST: usize = 24;
    let mut shown = String::new();
    for c in found.chars().take(LONGEST) {
        // A message is one line.
        if c.is_control() { shown.extend(c.escape_debug()) } else { shown.push(c) }
    }
    if found.chars().nth(LONGEST).is_some() { format!("'{shown}…'") } else { format!("'{shown}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_and_lines() {
        for (text, offset, place) in
            [("", 0, "line 1, column 1: x"), ("a\nbc", 3, "line 2, column 2: x"), ("ä\n", 3, "line 2, column 1: x")]
        {
            assert_eq!(Error::at(text, offset, "x").to_string(), place);
        }
    }

    #[test]
    fn quotes_stay_short() {
        assert_eq!(quoted("x"), "'x'");
        assert_eq!(quoted("\n"), "'\\n'");
        assert_eq!(quoted(&"y".repeat(1000)), format!("'{}…'", "y".repeat(24)));
    }
}
