//! Where endings databases lie, and how they get there and back.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use directories::BaseDirs;
use emtee_engine::Entry;
use emtee_games::checkers::endings::{Database, Endings, MOST_PIECES, memory};

use crate::failure::Failure;
use crate::output::thousands;

/// The folder that is meant where none is named: `EMTEE_DATA`, or where the system keeps a user's data.
pub(crate) fn folder() -> Option<PathBuf> {
    let set = std::env::var_os("EMTEE_DATA").filter(|value| !value.is_empty()).map(PathBuf::from);
    set.or_else(|| Some(BaseDirs::new()?.data_local_dir().join("emtee")))
}

/// What a database of so many pieces is called there.
pub(crate) fn file_name(game: &dyn Entry, pieces: usize) -> String {
    format!("{}-{pieces}.endings", game.name())
}

/// Larger databases than this are read while a player already plays.
const AT_ONCE: usize = 5;

/// The database that a game is solved with, or that a player of a match uses: the one named, the largest in the folder if none
/// is, or none at all for `none`. It is read whole.
pub(crate) fn chosen(game: &dyn Entry, named: Option<&str>) -> Result<Option<Arc<Endings>>, Failure> {
    file(game, named)?.map(|file| whole(&file, named.is_some())).transpose()
}

/// The same for a player who is not to wait: what takes long to read is read in the background, and asked from the first move
/// after that on. What is wrong with it then is told on the standard error.
pub(crate) fn chosen_for_play(game: &dyn Entry, named: Option<&str>) -> Result<Option<Database>, Failure> {
    file(game, named)?.map(|file| growing(file, named.is_some(), AT_ONCE)).transpose()
}

/// A database of which up to `at_once` pieces are there, and the rest soon.
fn growing(file: PathBuf, named: bool, at_once: usize) -> Result<Database, Failure> {
    let (begun, more) = begin(&file, named, at_once)?;
    let pieces = begun.pieces();
    let database = Database::from(begun);
    if more {
        let arriving = database.clone();
        std::thread::spawn(move || match open(&file).and_then(|from| read(&file, Endings::read_on_one_core(from))) {
            Ok(endings) => arriving.complete(Arc::new(endings)),
            Err(failure) => eprintln!("warning: {failure}; its endings of {pieces} pieces are used"),
        });
    }
    Ok(database)
}

/// The file of a database.
fn file(game: &dyn Entry, named: Option<&str>) -> Result<Option<PathBuf>, Failure> {
    match named {
        Some("none") => Ok(None),
        Some(_) if !game.has_endings() => Err(none_of(game)),
        Some(file) => Ok(Some(PathBuf::from(file))),
        None if !game.has_endings() => Ok(None),
        None => {
            let folder = folder().unwrap_or_default();
            let largest = (2..=MOST_PIECES).rev().map(|pieces| folder.join(file_name(game, pieces)));
            Ok(largest.into_iter().find(|file| file.exists()))
        }
    }
}

/// What is read of a file at once, and whether there is more to be read: not where memory is too small for it and nobody has
/// named it.
fn begin(file: &Path, named: bool, at_once: usize) -> Result<(Arc<Endings>, bool), Failure> {
    let (endings, pieces) = read(file, Endings::read_up_to(open(file)?, at_once))?;
    let more = pieces > endings.pieces();
    match too_large(file, pieces, available_memory()) {
        Some(failure) if more && named => Err(failure),
        too_large => Ok((Arc::new(endings), more && too_large.is_none())),
    }
}

/// Why a database of so many pieces cannot be loaded, if memory is too small for it.
fn too_large(file: &Path, pieces: usize, available: Option<usize>) -> Option<Failure> {
    let (needed, free) = (memory(pieces), available? as u64);
    let megabytes = |bytes: u64| thousands(bytes.div_ceil(1 << 20));
    (needed > free).then(|| {
        let (needed, free) = (megabytes(needed), megabytes(free));
        refuse(file, &format!("{pieces} pieces take {needed} MB of memory, and {free} MB can be had"))
    })
}

/// How much memory can be had, where the system says so.
pub(crate) fn available_memory() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kilobytes / 10 * 9) << 10)
}

/// There are no databases of this game.
pub(crate) fn none_of(game: &dyn Entry) -> Failure {
    emtee_engine::Error::NoEndings { game: game.name().to_owned() }.into()
}

/// Reads a database, all of it.
pub(crate) fn load(file: &Path) -> Result<Arc<Endings>, Failure> {
    whole(file, true)
}

fn whole(file: &Path, named: bool) -> Result<Arc<Endings>, Failure> {
    match begin(file, named, AT_ONCE)? {
        (_, true) => read(file, Endings::read(open(file)?)).map(Arc::new),
        (begun, false) => Ok(begun),
    }
}

fn open(file: &Path) -> Result<File, Failure> {
    File::open(file).map_err(|error| refuse(file, &error))
}

fn read<T>(file: &Path, read: Result<T, emtee_games::Error>) -> Result<T, Failure> {
    read.map_err(|error| refuse(file, &error))
}

fn refuse(file: &Path, why: &dyn ToString) -> Failure {
    Failure::bad(format!("cannot use {}: {}", file.display(), why.to_string()))
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_player_has_the_first_endings_at_once_and_the_others_soon() {
        let folder = std::env::temp_dir().join(format!("emtee-endings-{}", std::process::id()));
        let (file, damaged) = (folder.join("four"), folder.join("damaged"));
        let mut bytes = Endings::build(4).to_bytes();
        save(&file, &bytes).unwrap();
        assert_eq!(growing(file.clone(), true, 4).unwrap().endings().pieces(), 4);
        let database = growing(file, true, 3).unwrap();
        for _ in 0..600 {
            if database.endings().pieces() == 4 {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(database.endings().pieces(), 4);
        // What is wrong with the rest comes to light later, and harms nobody.
        *bytes.last_mut().unwrap() ^= 1;
        save(&damaged, &bytes).unwrap();
        assert_eq!(growing(damaged.clone(), true, 3).unwrap().endings().pieces(), 3);
        assert!(load(&damaged).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let file = Path::new("six.endings");
        assert!(too_large(file, 6, None).is_none() && too_large(file, 6, Some(1 << 30)).is_none());
        let why = too_large(file, 6, Some(300 << 20)).unwrap().to_string();
        assert_eq!(why, "cannot use six.endings: 6 pieces take 614 MB of memory, and 300 MB can be had");
    }
}
