//! The requests about trees and games, for the server and for the search inside a page.

use std::sync::Arc;

use emtee_engine::Registry;
use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(feature = "server")]
use crate::explore;
use crate::refusal::Refusal;
use crate::search::{Lines, Search, Stop};
use crate::{analyse, boards, race, trees};

/// A request that is answered at once.
pub(crate) type Immediate = fn(&Registry, &[u8]) -> Result<Vec<u8>, Refusal>;

/// A request that takes a search and is answered line by line.
pub(crate) type Streamed = fn(&Arc<Registry>, &[u8]) -> Result<Box<dyn Search>, Refusal>;

pub(crate) const IMMEDIATE: &[(&str, Immediate)] = &[
    ("tree", |registry, body| to_json(registry, body, trees::tree)),
    ("position", |registry, body| to_json(registry, body, boards::position)),
    ("read", |registry, body| to_json(registry, body, boards::read)),
    ("set_up", |registry, body| to_json(registry, body, boards::set_up)),
    ("write", |registry, body| to_json(registry, body, boards::write)),
];

pub(crate) const STREAMED: &[(&str, Streamed)] = &[
    ("analyse", |registry, body| analyse::analyse(registry, read(body)?)),
    ("play", |registry, body| analyse::play(registry, read(body)?)),
    ("race", |registry, body| race::race(registry, read(body)?)),
    // Expanding a tree takes a search of its own kind, which is left out of a page without a server to keep it small.
    #[cfg(feature = "server")]
    ("explore", |registry, body| explore::explore(registry, read(body)?)),
];

/// The body of a request, read as JSON.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad(format!("the request cannot be read: {error}")))
}

fn to_json<T: DeserializeOwned, A: Serialize>(
    registry: &Registry,
    body: &[u8],
    answer: fn(&Registry, T) -> Result<A, Refusal>,
) -> Result<Vec<u8>, Refusal> {
    serde_json::to_vec(&answer(registry, read(body)?)?).map_err(Refusal::bad)
}

/// Answers a request on this thread, without a server. `line` is called with each object of the answer as JSON, as soon as it
/// is known. A refused request gives one object with an `error`.
///
/// ```
/// use emtee_engine::Registry;
/// use std::sync::{Arc, Mutex};
///
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let own = lines.clone();
/// let registry = Arc::new(Registry::standard());
/// emtee_web::answer(&registry, "race", br#"{"game":"kalah","algorithms":["sss"],"depth":3}"#, move |line| {
///     own.lock().unwrap().push(String::from_utf8(line).unwrap());
/// });
/// let lines = lines.lock().unwrap();
/// assert!(lines.first().unwrap().starts_with(r#"{"algorithms":["sss","aspiration-negascout"]"#));
/// assert!(lines.last().unwrap().contains("summary"));
/// ```
pub fn answer(registry: &Arc<Registry>, request: &str, body: &[u8], line: impl Fn(Vec<u8>) + Send + Sync + 'static) {
    answer_to(registry, request, body, &Lines::new(line));
}

/// The part of [`answer`] that does not depend on the type of `line`: compiled in this crate, which is optimized for size in
/// the page without a server, not in the calling crate, which is optimized for speed.
fn answer_to(registry: &Arc<Registry>, request: &str, body: &[u8], lines: &Lines) {
    let matches = |name: &str| name == request;
    let answered = if let Some((_, respond)) = IMMEDIATE.iter().find(|(name, _)| matches(name)) {
        respond(registry, body).map(|answer| lines.send_text(answer))
    } else if let Some((_, start)) = STREAMED.iter().find(|(name, _)| matches(name)) {
        start(registry, body).and_then(|search| {
            let stop = Stop::default();
            search.begin(1, lines);
            search.work(lines, &stop)?;
            search.end(lines, &stop);
            Ok(())
        })
    } else {
        Err(Refusal::missing("there is no such request"))
    };
    if let Err(refusal) = answered {
        lines.send(&refusal);
    }
}
