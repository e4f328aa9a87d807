//! The error of a request, in one line.

use std::fmt;

use serde::Serialize;

/// Why a request is refused. The response has a 4xx status and one line of JSON, `{"error": "…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The HTTP status.
    #[serde(skip)]
    pub(crate) status: u16,
    #[serde(rename = "error")]
    why: String,
}

impl Refusal {
    /// 400: the request is invalid.
    pub fn bad(why: impl ToString) -> Refusal {
        Refusal::new(400, why)
    }

    /// 429: the limit of concurrent searches is reached.
    #[cfg(feature = "server")]
    pub(crate) fn busy() -> Refusal {
        Refusal::new(429, "busy, try again")
    }

    #[cfg(feature = "server")]
    pub(crate) fn forbidden(why: impl ToString) -> Refusal {
        Refusal::new(403, why)
    }

    pub(crate) fn missing(why: impl ToString) -> Refusal {
        Refusal::new(404, why)
    }

    pub(crate) fn new(status: u16, why: impl ToString) -> Refusal {
        Refusal { status, why: one_line(&why.to_string()) }
    }
}

/// A message as one line of at most 400 characters.
fn one_line(text: &str) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line: Vec<char> = shown.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    match line.len() {
        0..=400 => line.iter().collect(),
        length => line[..250].iter().chain(&['…']).chain(&line[length - 149..]).collect(),
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refusal {}

impl From<emtee_engine::Error> for Refusal {
    fn from(error: emtee_engine::Error) -> Refusal {
        Refusal::bad(error)
    }
}

impl From<emtee::Error> for Refusal {
    fn from(error: emtee::Error) -> Refusal {
        Refusal::bad(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_line_of_limited_length() {
        assert_eq!(Refusal::bad("two\nlines\tand tabs").to_string(), "two lines and tabs");
        let long = Refusal::bad(format!("'{}' is wrong", "x".repeat(5_000))).to_string();
        assert!(long.chars().count() == 400 && long.ends_with("is wrong"));
    }
}
