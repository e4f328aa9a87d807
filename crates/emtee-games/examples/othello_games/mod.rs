//! The Othello games of a folder of `.wtb` files, and which of them are held out from training.

use std::path::{Path, PathBuf};

use emtee::mix;
use emtee_games::othello::wthor::{self, Record};

/// A file and its games.
type Games = (PathBuf, Vec<Record>);

/// The files in the order of their names.
pub(crate) fn read(folder: &Path) -> Result<Vec<Games>, Box<dyn std::error::Error>> {
    let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<_> = entries.iter().map(std::fs::DirEntry::path).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "wtb"));
    files.sort();
    if files.is_empty() {
        return Err(format!("there are no .wtb files in {}", folder.display()).into());
    }
    let games = |file: PathBuf| {
        let games = wthor::read(&std::fs::read(&file)?).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok((file, games))
    };
    files.into_iter().map(games).collect()
}

/// Whether a game is held out from training: one in sixteen. Games are numbered from 1 over all files.
#[allow(dead_code)] // Not used by the examples that only replay games.
pub(crate) fn is_held_out(number: u64) -> bool {
    mix(number).is_multiple_of(16)
}
