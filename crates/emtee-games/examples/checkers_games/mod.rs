//! The checkers games of a folder, and which of them are excluded from tuning.

use std::collections::BTreeSet;
use std::path::Path;

use emtee_games::checkers::{Board, PdnGame, paper_set, read_pdn};

/// The games of every `*.pdn` file of a folder.
pub(crate) fn read(folder: &Path) -> Result<Vec<PdnGame>, String> {
    let describe = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let entries = std::fs::read_dir(folder).map_err(|error| describe(folder, &error))?;
    let mut files: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pdn"));
    files.sort();
    let mut games = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|error| describe(file, &error))?;
        games.extend(read_pdn(&text).map_err(|error| describe(file, &error))?);
    }
    if games.is_empty() { Err(describe(folder, &"there are no games in *.pdn files")) } else { Ok(games) }
}

/// The games that are excluded from tuning, because the paper's positions are from them or occur in them.
pub(crate) struct Excluded {
    positions: Vec<Board>,
    events: BTreeSet<&'static str>,
}

impl Excluded {
    pub(crate) fn new() -> Excluded {
        let positions = paper_set().iter().map(|position| position.text.parse().expect("the set is legal"));
        let events = paper_set().iter().map(|position| position.source.split(", game").next().unwrap_or_default());
        Excluded { positions: positions.collect(), events: events.collect() }
    }

    /// Whether a game was played in one of the events, or contains one of the positions, possibly with colours swapped.
    pub(crate) fn contains(&self, game: &PdnGame) -> bool {
        let event = game.tag("Event").unwrap_or_default();
        self.events.iter().any(|paper| event.starts_with(paper))
            || game
                .positions()
                .any(|board| [board, board.mirrored()].iter().any(|variant| self.positions.contains(variant)))
    }
}

/// Whether a game is held out from tuning: one in ten. `index` does not count excluded games.
pub(crate) fn is_held_out(index: usize) -> bool {
    index % 10 == 9
}
