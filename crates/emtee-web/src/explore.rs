//! The search tree of a position, expanded line by line.

use std::sync::Arc;
use std::time::Duration;

use emtee::{Budget, Size};
use emtee_engine::{Position, Registry, Settings};
use serde::Deserialize;

use crate::boards::PositionRequest;
use crate::refusal::Refusal;
use crate::search::{Lines, Search, Stop};

const MAX_DEPTH: u8 = 30;
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// The search is aborted after this many nodes.
const MAX_NODES: u64 = 20_000_000;
const MAX_ENTRIES: usize = 1 << 22;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExploreRequest {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    algorithm: String,
    depth: u8,
    #[serde(default)]
    entries: Option<usize>,
    /// The moves from the position to the node to expand.
    #[serde(default)]
    line: Vec<String>,
}

/// A search whose tree is expanded at a line.
struct TreeExpansion {
    position: Box<dyn Position>,
    settings: Settings,
    depth: u8,
    line: Vec<String>,
}

pub(crate) fn explore(registry: &Arc<Registry>, body: ExploreRequest) -> Result<Box<dyn Search>, Refusal> {
    let ExploreRequest { game, position, moves, algorithm, depth, entries, line } = body;
    let request = PositionRequest { game, position, moves };
    if !(1..=MAX_DEPTH).contains(&depth) {
        return Err(Refusal::bad(format!("a tree can be expanded for a depth from 1 to {MAX_DEPTH}")));
    }
    if line.len() > usize::from(depth) {
        return Err(Refusal::bad("the line is longer than the depth of the search"));
    }
    let mut settings = Settings::default();
    settings.options.algorithm = algorithm.parse()?;
    if let Some(entries) = entries {
        if !(1..=MAX_ENTRIES).contains(&entries) {
            return Err(Refusal::bad(format!("a table can have 1 to {MAX_ENTRIES} entries here")));
        }
        if settings.options.algorithm.is_oracle() {
            return Err(Refusal::bad(format!("{} has no table; leave its size out", settings.options.algorithm)));
        }
        settings.options.size = Some(Size::of_entries(entries));
    }
    let position = request.position(registry)?;
    if position.moves().is_empty() {
        return Err(Refusal::bad("the game is over: there is nothing to search"));
    }
    position.after_all(&words(&line))?;
    Ok(Box::new(TreeExpansion { position, settings, depth, line }))
}

fn words(line: &[String]) -> Vec<&str> {
    line.iter().map(String::as_str).collect()
}

/// The response is one line.
impl Search for TreeExpansion {
    fn limit(&self) -> Duration {
        TIME_LIMIT
    }

    fn work(&self, lines: &Lines, stop: &Stop) -> Result<(), Refusal> {
        let mut settings = self.settings.clone();
        settings.stop = Some(stop.flag.clone().into());
        let budget = Budget::depth(self.depth).and_nodes(MAX_NODES);
        lines.send(&self.position.tools()?.explore(&settings, budget, &words(&self.line), 1)?);
        Ok(())
    }
}
