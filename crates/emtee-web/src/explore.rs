//! The search tree of a position, opened line by line.

use std::sync::Arc;
use std::time::Duration;

use emtee::{Budget, Size};
use emtee_engine::{Position, Registry, Settings};
use serde::Deserialize;

use crate::boards::Place;
use crate::refusal::Refusal;
use crate::search::{Lines, Search, Stop};

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

/// A search whose tree is to be opened at a line.
struct Exploring {
    position: Box<dyn Position>,
    settings: Settings,
    depth: u8,
    line: Vec<String>,
}

pub(crate) fn explore(registry: &Arc<Registry>, asked: ExploreAsked) -> Result<Box<dyn Search>, Refusal> {
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
    let position = place.reach(registry)?;
    if position.moves().is_empty() {
        return Err(Refusal::bad("the game is over: there is nothing to search"));
    }
    position.after_all(&words(&line))?;
    Ok(Box::new(Exploring { position, settings, depth, line }))
}

fn words(line: &[String]) -> Vec<&str> {
    line.iter().map(String::as_str).collect()
}

/// Answers with one line.
impl Search for Exploring {
    fn limit(&self) -> Duration {
        LONGEST
    }

    fn work(&self, lines: &Lines, stop: &Stop) -> Result<(), Refusal> {
        let mut settings = self.settings.clone();
        settings.stop = Some(stop.flag.clone());
        let budget = Budget::depth(self.depth).and_nodes(MOST_NODES);
        lines.send(&self.position.explore(&settings, budget, &words(&self.line), 1)?);
        Ok(())
    }
}
