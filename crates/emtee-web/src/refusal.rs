//! What cannot be done for a client, in one line.

use std::fmt;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// Why a request is refused. It becomes a 4xx answer with one line of JSON, `{"error": "…"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    why: String,
}

impl Refusal {
    /// The request makes no sense.
    pub fn bad(why: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, why)
    }

    /// All searches that may run at once are running.
    pub(crate) fn busy() -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "busy, try again")
    }

    pub(crate) fn forbidden(why: impl ToString) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, why)
    }

    pub(crate) fn missing(why: impl ToString) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, why)
    }

    pub(crate) fn new(status: StatusCode, why: impl ToString) -> Refusal {
        Refusal { status, why: one_line(&why.to_string()) }
    }
}

/// Whatever was sent, the answer is one line that is not too long.
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

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = serde_json::json!({ "error": self.why }).to_string();
        (self.status, [("content-type", "application/json")], body).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_line_of_bearable_length() {
        assert_eq!(Refusal::bad("two\nlines\tand tabs").to_string(), "two lines and tabs");
        let long = Refusal::bad(format!("'{}' is wrong", "x".repeat(5_000))).to_string();
        assert!(long.chars().count() == 400 && long.ends_with("is wrong"));
    }
}
