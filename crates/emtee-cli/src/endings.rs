//! Files of endings databases: their folder, loading and saving.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use directories::BaseDirs;
use emtee_engine::Entry;
use emtee_games::checkers::endings::{Database, Endings, MOST_PIECES, memory};

use crate::failure::Failure;
use crate::output::thousands;

/// The default folder: `EMTEE_DATA`, or `emtee` in the local data folder of the user.
pub(crate) fn folder() -> Option<PathBuf> {
    let set = std::env::var_os("EMTEE_DATA").filter(|value| !value.is_empty()).map(PathBuf::from);
    set.or_else(|| Some(BaseDirs::new()?.data_local_dir().join("emtee")))
}

/// The file name of a database for this number of pieces.
pub(crate) fn file_name(game: &dyn Entry, pieces: usize) -> String {
    format!("{}-{pieces}.endings", game.name())
}

/// The part of a database for up to this number of pieces is loaded before play begins; the rest is loaded in the background.
const FOREGROUND_PIECES: usize = 5;

/// The database for solving or for a player of a match, loaded completely: the named file, none for `none`, and the largest
/// database in the folder by default.
pub(crate) fn load_chosen(game: &dyn Entry, named: Option<&str>) -> Result<Option<Arc<Endings>>, Failure> {
    file(game, named)?.map(|file| load_all(&file, named.is_some())).transpose()
}

/// The database for interactive play and engines. The small part is loaded now, the rest in the background; the player uses it
/// from the first move after that. An error in the background is reported on standard error.
pub(crate) fn load_for_play(game: &dyn Entry, named: Option<&str>) -> Result<Option<Database>, Failure> {
    file(game, named)?.map(|file| load_in_background(file, named.is_some(), FOREGROUND_PIECES)).transpose()
}

/// A database with its part for up to `foreground` pieces; a thread loads the rest.
fn load_in_background(file: PathBuf, named: bool, foreground: usize) -> Result<Database, Failure> {
    let (part, more) = load_part(&file, named, foreground)?;
    let pieces = part.pieces();
    let database = Database::from(part);
    if more {
        let shared = database.clone();
        std::thread::spawn(move || match open(&file).and_then(|from| read(&file, Endings::read_on_one_core(from))) {
            Ok(endings) => shared.complete(Arc::new(endings)),
            Err(failure) => eprintln!("warning: {failure}; only its endings of up to {pieces} pieces are used"),
        });
    }
    Ok(database)
}

/// The file of the chosen database.
fn file(game: &dyn Entry, named: Option<&str>) -> Result<Option<PathBuf>, Failure> {
    match named {
        Some("none") => Ok(None),
        Some(_) if !game.has_endings() => Err(no_endings(game)),
        Some(file) => Ok(Some(PathBuf::from(file))),
        None if !game.has_endings() => Ok(None),
        None => {
            let folder = folder().unwrap_or_default();
            let largest = (2..=MOST_PIECES).rev().map(|pieces| folder.join(file_name(game, pieces)));
            Ok(largest.into_iter().find(|file| file.exists()))
        }
    }
}

/// Loads the part of a database for up to `foreground` pieces, and returns whether more should be loaded. If memory is too
/// small for the whole database, a file named by the user is an error, and of the default file only this part is used.
fn load_part(file: &Path, named: bool, foreground: usize) -> Result<(Arc<Endings>, bool), Failure> {
    let (endings, pieces) = read(file, Endings::read_up_to(open(file)?, foreground))?;
    let more = pieces > endings.pieces();
    match too_large(file, pieces, available_memory()) {
        Some(failure) if more && named => Err(failure),
        too_large => Ok((Arc::new(endings), more && too_large.is_none())),
    }
}

/// The error for a database of this number of pieces that does not fit into the available memory.
fn too_large(file: &Path, pieces: usize, available: Option<usize>) -> Option<Failure> {
    let (needed, free) = (memory(pieces), available? as u64);
    let megabytes = |bytes: u64| thousands(bytes.div_ceil(1 << 20));
    (needed > free).then(|| {
        let (needed, free) = (megabytes(needed), megabytes(free));
        refuse(file, &format!("{pieces} pieces take {needed} MB of memory, and {free} MB are available"))
    })
}

/// 90 % of the available memory in bytes; `None` if the system does not report it.
pub(crate) fn available_memory() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kilobytes / 10 * 9) << 10)
}

/// The error for a game without endings databases.
pub(crate) fn no_endings(game: &dyn Entry) -> Failure {
    emtee_engine::Error::NoEndings { game: game.name().to_owned() }.into()
}

/// Loads a complete database.
pub(crate) fn load(file: &Path) -> Result<Arc<Endings>, Failure> {
    load_all(file, true)
}

fn load_all(file: &Path, named: bool) -> Result<Arc<Endings>, Failure> {
    match load_part(file, named, FOREGROUND_PIECES)? {
        (_, true) => read(file, Endings::read(open(file)?)).map(Arc::new),
        (complete, false) => Ok(complete),
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

/// Writes a file atomically, through a temporary file: a reader sees the old content or the new one.
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
        // The temporary file may not exist; the first error is the one to report.
        let _ = fs::remove_file(&part);
        cannot(error)
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn small_endings_are_available_at_once_and_the_others_later() {
        let folder = std::env::temp_dir().join(format!("emtee-endings-{}", std::process::id()));
        let (file, damaged) = (folder.join("four"), folder.join("damaged"));
        let mut bytes = Endings::build(4).to_bytes();
        save(&file, &bytes).unwrap();
        assert_eq!(load_in_background(file.clone(), true, 4).unwrap().endings().pieces(), 4);
        let database = load_in_background(file, true, 3).unwrap();
        for _ in 0..600 {
            if database.endings().pieces() == 4 {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(database.endings().pieces(), 4);
        // Damage in the rest is detected later and leaves the loaded part usable.
        *bytes.last_mut().unwrap() ^= 1;
        save(&damaged, &bytes).unwrap();
        assert_eq!(load_in_background(damaged.clone(), true, 3).unwrap().endings().pieces(), 3);
        assert!(load(&damaged).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn too_little_memory_is_reported() {
        let file = Path::new("six.endings");
        assert!(too_large(file, 6, None).is_none() && too_large(file, 6, Some(1 << 30)).is_none());
        let why = too_large(file, 6, Some(300 << 20)).unwrap().to_string();
        assert_eq!(why, "cannot use six.endings: 6 pieces take 614 MB of memory, and 300 MB are available");
    }
}
