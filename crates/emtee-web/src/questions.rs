//! What can be asked about trees and games, whoever answers: the server, or the search inside a page.

use std::sync::Arc;

use emtee_engine::Registry;
use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(feature = "server")]
use crate::explore;
use crate::refusal::Refusal;
use crate::search::{Lines, Search, Stop};
use crate::{analyse, boards, race, trees};

/// A question that is answered at once.
pub(crate) type Quick = fn(&Registry, &[u8]) -> Result<Vec<u8>, Refusal>;

/// A question that takes a search.
pub(crate) type Long = fn(&Arc<Registry>, &[u8]) -> Result<Box<dyn Search>, Refusal>;

pub(crate) const QUICK: &[(&str, Quick)] = &[
    ("tree", |registry, body| answered(registry, body, trees::tree)),
    ("position", |registry, body| answered(registry, body, boards::position)),
    ("read", |registry, body| answered(registry, body, boards::read)),
    ("write", |registry, body| answered(registry, body, boards::write)),
];

pub(crate) const LONG: &[(&str, Long)] = &[
    ("analyse", |registry, body| analyse::analyse(registry, read(body)?)),
    ("play", |registry, body| analyse::play(registry, read(body)?)),
    ("race", |registry, body| race::race(registry, read(body)?)),
    // A tree to be opened takes a search of its own kind, and a page that is to be small has none.
    #[cfg(feature = "server")]
    ("explore", |registry, body| explore::explore(registry, read(body)?)),
];

/// The body of a request, read as JSON.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad(format!("the request cannot be read: {error}")))
}

fn answered<T: DeserializeOwned, A: Serialize>(
    registry: &Registry,
    body: &[u8],
    answer: fn(&Registry, T) -> Result<A, Refusal>,
) -> Result<Vec<u8>, Refusal> {
    serde_json::to_vec(&answer(registry, read(body)?)?).map_err(Refusal::bad)
}

/// Answers a question on this thread and without a server. Each object of the answer is given to `line` as JSON, as soon as
/// it is known; what is refused is an object with an `error`.
///
/// ```
/// use emtee_engine::Registry;
/// use std::sync::{Arc, Mutex};
///
/// let said = Arc::new(Mutex::new(Vec::new()));
/// let own = said.clone();
/// let registry = Arc::new(Registry::standard());
/// emtee_web::answer(&registry, "race", br#"{"game":"kalah","algorithms":["sss"],"depth":3}"#, move |line| {
///     own.lock().unwrap().push(String::from_utf8(line).unwrap());
/// });
/// let said = said.lock().unwrap();
/// assert!(said.first().unwrap().starts_with(r#"{"algorithms":["sss","aspiration-negascout"]"#));
/// assert!(said.last().unwrap().contains("summary"));
/// ```
pub fn answer(registry: &Arc<Registry>, question: &str, body: &[u8], line: impl Fn(Vec<u8>) + Send + Sync + 'static) {
    answer_to(registry, question, body, &Lines::new(line));
}

/// The same, whoever listens: compiled here, where bytes count, and not where speed does.
fn answer_to(registry: &Arc<Registry>, question: &str, body: &[u8], lines: &Lines) {
    let known = |name: &str| name == question;
    let answered = if let Some((_, quick)) = QUICK.iter().find(|(name, _)| known(name)) {
        quick(registry, body).map(|answer| lines.send_text(answer))
    } else if let Some((_, long)) = LONG.iter().find(|(name, _)| known(name)) {
        long(registry, body).and_then(|search| {
            let stop = Stop::default();
            search.begin(1, lines);
            search.work(lines, &stop)?;
            search.end(lines, &stop);
            Ok(())
        })
    } else {
        Err(Refusal::missing("there is no such question"))
    };
    if let Err(refusal) = answered {
        lines.send(&refusal);
    }
}
