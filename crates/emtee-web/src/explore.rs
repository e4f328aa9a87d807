//! The search tree of a position, opened line by line.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use emtee::{Budget, Size};
use emtee_engine::Settings;
use serde::Deserialize;

use crate::boards::Place;
use crate::refusal::Refusal;
use crate::server::{Asked, Site, in_pool};
use crate::stream::stream;

const DEEPEST: u8 = 30;
const LONGEST: Duration = Duration::from_secs(60);
/// Beyond so many nodes the search is given up.
const MOST_NODES: u64 = 20_000_000;
const MOST_ENTRIES: usize = 1 << 22;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExploreAsked {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    algorithm: String,
    depth: u8,
    #[serde(default)]
    entries: Option<usize>,
    /// The moves from the position to where one wants to look.
    #[serde(default)]
    line: Vec<String>,
}

/// Answers as a stream of one line, so that the search stops when its page goes away.
pub(crate) async fn explore(
    State(site): State<Arc<Site>>,
    Asked(asked): Asked<ExploreAsked>,
) -> Result<Response, Refusal> {
    let ExploreAsked { game, position, moves, algorithm, depth, entries, line } = asked;
    let place = Place { game, position, moves };
    if !(1..=DEEPEST).contains(&depth) {
        return Err(Refusal::bad(format!("a tree is opened for a depth from 1 to {DEEPEST}")));
    }
    if line.len() > usize::from(depth) {
        return Err(Refusal::bad("the line is longer than the search is deep"));
    }
    let mut settings = Settings::default();
    settings.options.algorithm = algorithm.parse()?;
    if let Some(entries) = entries {
        if !(1..=MOST_ENTRIES).contains(&entries) {
            return Err(Refusal::bad(format!("a table has from 1 to {MOST_ENTRIES} entries here")));
        }
        if settings.options.algorithm.is_oracle() {
            return Err(Refusal::bad(format!("{} has no table; leave its size out", settings.options.algorithm)));
        }
        settings.options.size = Some(Size::of_entries(entries));
    }
    let room = site.room()?;
    let pool = site.pool.clone();
    let own = site.clone();
    let reached = in_pool(&site, move || {
        let position = place.reach(&own.registry)?;
        if position.moves().is_empty() {
            return Err(Refusal::bad("the game is over: there is nothing to search"));
        }
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        position.after_all(&words)?;
        Ok((position, line))
    });
    let (position, line) = reached.await?;
    Ok(stream(&pool, LONGEST, move |lines, stop| {
        let _room = room;
        settings.stop = Some(stop.flag.clone());
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let budget = Budget::depth(depth).and_nodes(MOST_NODES);
        lines.send(&position.explore(&settings, budget, &line, 1)?);
        Ok(())
    }))
}
