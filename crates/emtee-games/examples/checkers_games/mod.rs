//! The checkers games that are learned from, and those that are not.

use std::collections::BTreeSet;
use std::path::Path;

use emtee_games::checkers::{Board, PdnGame, paper_set, read_pdn};

/// The games of every `*.pdn` file of a folder.
pub(crate) fn read(folder: &Path) -> Result<Vec<PdnGame>, String> {
    let told = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let entries = std::fs::read_dir(folder).map_err(|error| told(folder, &error))?;
    let mut files: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pdn"));
    files.sort();
    let mut games = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|error| told(file, &error))?;
        games.extend(read_pdn(&text).map_err(|error| told(file, &error))?);
    }
    if games.is_empty() { Err(told(folder, &"there are no games in *.pdn files")) } else { Ok(games) }
}

/// What is not learned from.
pub(crate) struct Paper {
    positions: Vec<Board>,
    events: BTreeSet<&'static str>,
}

impl Paper {
    pub(crate) fn new() -> Paper {
        let positions = paper_set().iter().map(|position| position.text.parse().expect("the set is legal"));
        let events = paper_set().iter().map(|position| position.source.split(", game").next().unwrap_or_default());
        Paper { positions: positions.collect(), events: events.collect() }
    }

    /// Whether a game was played in one of the events, or came by one of the positions, perhaps with colours changed.
    pub(crate) fn holds(&self, game: &PdnGame) -> bool {
        let event = game.tag("Event").unwrap_or_default();
        self.events.iter().any(|paper| event.starts_with(paper))
            || game.positions().any(|board| [board, board.mirrored()].iter().any(|seen| self.positions.contains(seen)))
    }
}

/// Whether the game at this place, the paper's left out, is kept aside when weights are tuned.
pub(crate) fn is_kept_aside(at: usize) -> bool {
    at % 10 == 9
}
