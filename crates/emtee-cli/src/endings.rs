//! Where endings databases lie, and how they get there and back.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use directories::BaseDirs;
use emtee_engine::Entry;
use emtee_games::checkers::endings::{Endings, MOST_PIECES};

use crate::failure::Failure;

/// The folder that is meant where none is named: `EMTEE_DATA`, or where the system keeps a user's data.
pub(crate) fn folder() -> Option<PathBuf> {
    let set = std::env::var_os("EMTEE_DATA").filter(|value| !value.is_empty()).map(PathBuf::from);
    set.or_else(|| Some(BaseDirs::new()?.data_local_dir().join("emtee")))
}

/// What a database of so many pieces is called there.
pub(crate) fn file_name(game: &dyn Entry, pieces: usize) -> String {
    format!("{}-{pieces}.endings", game.name())
}

/// The database that a player of a game uses: the one named, the largest in the folder if none is, or none at all for `none`.
pub(crate) fn chosen(game: &dyn Entry, named: Option<&str>) -> Result<Option<Arc<Endings>>, Failure> {
    match named {
        Some("none") => Ok(None),
        Some(_) if !game.has_endings() => Err(none_of(game)),
        Some(file) => load(Path::new(file)).map(Some),
        None if !game.has_endings() => Ok(None),
        None => {
            let folder = folder().unwrap_or_default();
            let file =
                (2..=MOST_PIECES).rev().map(|pieces| folder.join(file_name(game, pieces))).find(|file| file.exists());
            file.map(|file| load(&file)).transpose()
        }
    }
}

/// There are no databases of this game.
pub(crate) fn none_of(game: &dyn Entry) -> Failure {
    emtee_engine::Error::NoEndings { game: game.name().to_owned() }.into()
}

/// Reads a database.
pub(crate) fn load(file: &Path) -> Result<Arc<Endings>, Failure> {
    let refuse = |why: &dyn ToString| Failure::bad(format!("cannot use {}: {}", file.display(), why.to_string()));
    let from = File::open(file).map_err(|error| refuse(&error))?;
    Ok(Arc::new(Endings::read(from).map_err(|error| refuse(&error))?))
}

/// Writes a file whole or not at all: whoever looks sees the old one or the new one.
pub(crate) fn save(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::Failed(format!("cannot write {}: {error}", file.display()));
    let mut name = file.file_name().ok_or_else(|| cannot(ErrorKind::InvalidInput.into()))?.to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = file.with_file_name(name);
    let written = (|| {
        if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let mut to = File::create(&part)?;
        to.write_all(bytes)?;
        to.sync_all()?;
        fs::rename(&part, file)
    })();
    written.map_err(|error| {
        // It may not be there; what went wrong is more worth telling.
        let _ = fs::remove_file(&part);
        cannot(error)
    })
}
