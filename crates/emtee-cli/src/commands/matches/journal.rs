//! The games of a match on disk.
//!
//! `match.jsonl` is append-only: a header with the settings of the match, then one line per game. Finished games survive any
//! end of the program, and the next start continues after them. The games in the file format of the game (PGN, PDN, GGF) are
//! in a second file, which is rewritten from the journal at every start.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use emtee_engine::arena::{Contest, GameRow, Openings};
use emtee_engine::{Entry, Record};
use serde_json::{Value, json};

use crate::failure::Failure;

pub(super) struct Journal {
    lines: File,
    games_file: File,
    /// The games that were in the journal when it was opened.
    pub(super) games: Vec<GameRow>,
}

impl Journal {
    /// Opens or creates the journal of a match in a folder.
    pub(super) fn open(folder: &Path, contest: &Contest, game: &dyn Entry) -> Result<Journal, Failure> {
        let failed = |what: &Path, error: std::io::Error| Failure::Failed(format!("{}: {error}", what.display()));
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        let path = folder.join("match.jsonl");
        let mut options = OpenOptions::new();
        let mut lines =
            options.create(true).read(true).append(true).open(&path).map_err(|error| failed(&path, error))?;
        match lines.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::bad(format!("another match is running in {}", folder.display())));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&path, error)),
            Ok(()) => {}
        }
        let mut bytes = Vec::new();
        lines.read_to_end(&mut bytes).map_err(|error| failed(&path, error))?;
        // A line without a newline is incomplete: the program ended while writing it.
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if complete < bytes.len() {
            lines.set_len(complete as u64).map_err(|error| failed(&path, error))?;
            lines.seek(SeekFrom::End(0)).map_err(|error| failed(&path, error))?;
        }
        let text = String::from_utf8_lossy(&bytes[..complete]);
        let bad = |number: usize| Failure::bad(format!("{} is not a match journal: line {number}", path.display()));
        let header = header(contest);
        let mut games: Vec<GameRow> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if index > 0 {
                games.push(serde_json::from_str(line).map_err(|_| bad(index + 1))?);
                continue;
            }
            let found: Value = serde_json::from_str(line).map_err(|_| bad(1))?;
            if found != header {
                return Err(Failure::bad(mismatch(&found, &header, folder)));
            }
        }
        if text.is_empty() {
            write_line(&mut lines, &header).map_err(|error| failed(&path, error))?;
        }
        let path = folder.join(format!("games.{}", game.conventions().record.extension));
        let text: String = games.iter().map(|row| record(row).write(game)).collect();
        fs::write(&path, text).map_err(|error| failed(&path, error))?;
        let games_file = OpenOptions::new().append(true).open(&path).map_err(|error| failed(&path, error))?;
        Ok(Journal { lines, games_file, games })
    }

    /// Appends a game.
    pub(super) fn add(&mut self, row: &GameRow, game: &dyn Entry) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::Failed(format!("cannot save a game: {error}"));
        let line = serde_json::to_value(row).map_err(|error| failed(error.into()))?;
        write_line(&mut self.lines, &line).map_err(failed)?;
        self.games_file.write_all(record(row).write(game).as_bytes()).map_err(failed)
    }
}

fn write_line(file: &mut File, line: &Value) -> std::io::Result<()> {
    file.write_all(format!("{line}\n").as_bytes())?;
    file.sync_data()
}

/// All settings that the games depend on. The number of games and of concurrent games may change from start to start.
fn header(contest: &Contest) -> Value {
    let (referee, control) = (&contest.referee, &contest.referee.control);
    let openings = match &contest.openings {
        Openings::Random { plies, seed } => json!({ "plies": plies, "seed": seed }),
        Openings::Listed(listed) => {
            let listed = listed.iter().map(|opening| json!([opening.position, opening.moves]));
            Value::Array(listed.collect())
        }
    };
    let agreed = |agreement: Option<emtee_engine::arena::Agreement>| agreement.map(|a| [a.value, a.moves]);
    json!({
        "game": contest.game,
        "a": contest.players[0].text,
        "b": contest.players[1].text,
        "time_ms": control.move_time.map(|time| time.as_secs_f64() * 1e3),
        "clock_ms": control.clock.map(|(base, more)| [base, more].map(|time| time.as_secs_f64() * 1e3)),
        "depth": control.depth,
        "nodes": control.nodes,
        "openings": openings,
        "margin_ms": referee.margin.as_secs_f64() * 1e3,
        "win_at": agreed(referee.win_at),
        "draw_at": agreed(referee.draw_at),
        "longest": referee.longest,
    })
}

/// The error for a folder with a different match.
fn mismatch(found: &Value, wanted: &Value, folder: &Path) -> String {
    let differs =
        wanted.as_object().and_then(|wanted| wanted.iter().find(|(key, value)| found.get(key) != Some(value)));
    let why = differs.map_or(String::new(), |(key, value)| {
        format!(" ({key} was {}, and is {value})", found.get(key).unwrap_or(&Value::Null))
    });
    format!("{} holds another match{why}; choose another --out", folder.display())
}

/// A game as a record in the file format of the game.
fn record(row: &GameRow) -> Record {
    let mut notes = vec![("Event".to_owned(), "emtee match".to_owned()), ("Round".to_owned(), row.number.to_string())];
    notes.push(("Termination".to_owned(), row.detail.clone().unwrap_or_else(|| row.ending.clone())));
    Record {
        names: [row.first.clone(), row.second.clone()],
        position: row.position.clone(),
        moves: row.moves.clone(),
        result: row.result.with_points(row.points),
        tags: notes,
    }
}
