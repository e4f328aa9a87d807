//! The results: one SQLite file.
//!
//! A run is written in one transaction, with all its rows. So a run is there wholly or not at all, whatever happens to the
//! process, and a run that is there need not be made again.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Error;
use crate::outcome::{EvaluationsRow, HeightRow, IterationRow, MinimalRow, Outcome, PassRow, TimeRow};
use crate::spec::{Kind, Spec};

/// The version of the tables below.
const SCHEMA: &str = "2";

const TABLES: &str = "
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE experiments (toml TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE runs (
    run INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, game TEXT NOT NULL, position TEXT NOT NULL,
    algorithm TEXT NOT NULL, depth INTEGER NOT NULL, step INTEGER NOT NULL, entries INTEGER NOT NULL, bounds TEXT NOT NULL,
    etc INTEGER NOT NULL, grain INTEGER NOT NULL, guess TEXT NOT NULL, guess_offset INTEGER, against TEXT, against_etc INTEGER,
    machine TEXT NOT NULL);
CREATE TABLE iterations (
    run INTEGER NOT NULL, depth INTEGER NOT NULL, value INTEGER, lower INTEGER NOT NULL, upper INTEGER NOT NULL, best_move TEXT,
    nbp INTEGER NOT NULL, interior INTEGER NOT NULL, table_answers INTEGER NOT NULL, nodes INTEGER NOT NULL,
    quiet_nodes INTEGER NOT NULL, passes INTEGER NOT NULL, cut_nodes INTEGER NOT NULL, first_move_cuts INTEGER NOT NULL,
    moves_at_cuts INTEGER NOT NULL, enhanced_cuts INTEGER NOT NULL, confirmed INTEGER, seconds REAL NOT NULL,
    PRIMARY KEY (run, depth)) WITHOUT ROWID;
CREATE TABLE passes (
    run INTEGER NOT NULL, pass INTEGER NOT NULL, depth INTEGER NOT NULL, gamma REAL, alpha INTEGER, beta INTEGER, about TEXT,
    g INTEGER NOT NULL, lower INTEGER NOT NULL, upper INTEGER NOT NULL, nbp INTEGER NOT NULL, nodes INTEGER NOT NULL,
    PRIMARY KEY (run, pass)) WITHOUT ROWID;
CREATE TABLE heights (
    run INTEGER NOT NULL, height INTEGER NOT NULL, cut_nodes INTEGER NOT NULL, first_move_cuts INTEGER NOT NULL,
    moves_at_cuts INTEGER NOT NULL, PRIMARY KEY (run, height)) WITHOUT ROWID;
CREATE TABLE minimal (
    run INTEGER NOT NULL, depth INTEGER NOT NULL, nbp INTEGER NOT NULL, nodes INTEGER NOT NULL, max_tree INTEGER NOT NULL,
    min_tree INTEGER NOT NULL, PRIMARY KEY (run, depth)) WITHOUT ROWID;
CREATE TABLE evaluations (
    run INTEGER NOT NULL, depth INTEGER NOT NULL, nbp INTEGER NOT NULL, positions INTEGER NOT NULL,
    PRIMARY KEY (run, depth)) WITHOUT ROWID;
CREATE TABLE times (
    run INTEGER NOT NULL, round INTEGER NOT NULL, depth INTEGER NOT NULL, seconds REAL NOT NULL, against REAL NOT NULL,
    PRIMARY KEY (run, round, depth)) WITHOUT ROWID;
";

/// The tables, as they are merged and exported.
pub(crate) const NAMES: [&str; 7] = ["runs", "iterations", "passes", "heights", "minimal", "evaluations", "times"];

/// A database of results.
pub struct Database {
    pub(crate) connection: Connection,
    path: PathBuf,
}

/// What a database must have in common with the program that goes on with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    /// The version of emtee.
    pub(crate) emtee: String,
    /// For each game, a node count that changes when the search does.
    pub(crate) signatures: Vec<(String, String)>,
}

impl Database {
    /// Opens a database, or makes one.
    pub(crate) fn open(path: &Path, version: &Version) -> Result<Database, Error> {
        let cannot = |error: rusqlite::Error| Error::file("open", path, told(&error));
        let connection = Connection::open(path).map_err(cannot)?;
        let mut database = Database { connection, path: path.to_owned() };
        database.connection.busy_timeout(std::time::Duration::from_secs(10)).map_err(cannot)?;
        // Anything but a database shows here.
        let tables: i64 = database
            .connection
            .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
            .map_err(|error| Error::bad(format!("{} is no database of results: {}", path.display(), told(&error))))?;
        if tables == 0 {
            database.create(version).map_err(cannot)?;
        } else {
            database.check(version)?;
        }
        database.connection.pragma_update(None, "journal_mode", "WAL").map_err(cannot)?;
        database.connection.pragma_update(None, "synchronous", "NORMAL").map_err(cannot)?;
        database.sign(version).map_err(cannot)?;
        Ok(database)
    }

    /// The one experiment that a database holds a part of, as TOML.
    pub(crate) fn peek(path: &Path) -> Result<String, Error> {
        if !path.is_file() {
            return Err(Error::bad(format!("there is no database {}", path.display())));
        }
        let no_database =
            |why: String| Error::bad(format!("{} is no database of emtee's results: {why}", path.display()));
        let connection = Connection::open(path).map_err(|error| no_database(told(&error)))?;
        let read = || -> Result<Vec<String>, rusqlite::Error> {
            connection.prepare("SELECT toml FROM experiments")?.query_map([], |row| row.get(0))?.collect()
        };
        let mut all = read().map_err(|error| no_database(told(&error)))?;
        match (all.pop(), all.len()) {
            (Some(toml), 0) => Ok(toml),
            _ => Err(no_database(String::from("it holds not one experiment but several, or none"))),
        }
    }

    fn create(&mut self, version: &Version) -> Result<(), rusqlite::Error> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(TABLES)?;
        for (name, value) in [("schema", SCHEMA), ("emtee", &version.emtee)] {
            transaction.execute("INSERT INTO about VALUES (?1, ?2)", [name, value])?;
        }
        transaction.commit()
    }

    fn check(&self, version: &Version) -> Result<(), Error> {
        let about = |name: &str| -> Option<String> {
            let query = "SELECT value FROM about WHERE name = ?1";
            self.connection.query_row(query, [name], |row| row.get(0)).optional().ok().flatten()
        };
        let path = self.path.display();
        let Some(schema) = about("schema") else {
            return Err(Error::bad(format!("{path} is no database of emtee's results")));
        };
        let made_by = about("emtee").unwrap_or_default();
        if schema != SCHEMA || made_by != version.emtee {
            let ours = &version.emtee;
            return Err(Error::bad(format!(
                "{path} was made by emtee {made_by} (tables {schema}), this is {ours} (tables {SCHEMA}); choose another folder"
            )));
        }
        for (game, signature) in &version.signatures {
            if about(game).is_some_and(|known| known != *signature) {
                return Err(Error::bad(format!(
                    "{path} was made by a program that searches {game} differently; choose another folder"
                )));
            }
        }
        Ok(())
    }

    /// Notes how this program searches.
    fn sign(&self, version: &Version) -> Result<(), rusqlite::Error> {
        for (game, signature) in &version.signatures {
            self.connection.execute("INSERT OR IGNORE INTO about VALUES (?1, ?2)", [game, signature])?;
        }
        Ok(())
    }

    /// What went wrong with this file.
    fn failed(&self, error: &rusqlite::Error) -> Error {
        Error::file("use", &self.path, told(error))
    }

    /// Notes that this experiment was run here.
    pub(crate) fn note(&mut self, toml: &str) -> Result<(), Error> {
        let noted = self.connection.execute("INSERT OR IGNORE INTO experiments VALUES (?1)", [toml]);
        noted.map(|_| ()).map_err(|error| self.failed(&error))
    }

    /// The runs that are finished.
    pub(crate) fn finished(&self) -> Result<HashSet<i64>, Error> {
        let read = || -> Result<HashSet<i64>, rusqlite::Error> {
            self.connection.prepare("SELECT run FROM runs")?.query_map([], |row| row.get(0))?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// Files a run, wholly or not at all.
    pub(crate) fn file(&mut self, spec: &Spec, outcome: &Outcome, machine: &str) -> Result<(), Error> {
        let filed = insert(&mut self.connection, spec, outcome, machine);
        filed.map_err(|error| self.failed(&error))
    }

    /// Takes over all runs of another database.
    pub(crate) fn absorb(&mut self, other: &Path) -> Result<(), Error> {
        let copy = |connection: &mut Connection| -> Result<(), rusqlite::Error> {
            connection.execute("ATTACH DATABASE ?1 AS other", [other.to_string_lossy()])?;
            let transaction = connection.transaction()?;
            for table in NAMES.iter().chain(&["experiments"]) {
                transaction.execute(&format!("INSERT OR IGNORE INTO main.{table} SELECT * FROM other.{table}"), [])?;
            }
            transaction.commit()?;
            connection.execute("DETACH DATABASE other", []).map(|_| ())
        };
        copy(&mut self.connection).map_err(|error| Error::file("merge", other, told(&error)))
    }

    /// What all runs found, without their passes.
    pub(crate) fn outcomes(&self) -> Result<HashMap<i64, Outcome>, Error> {
        outcomes(&self.connection).map_err(|error| self.failed(&error))
    }

    /// The passes of a run.
    pub(crate) fn passes(&self, run: i64) -> Result<Vec<PassRow>, Error> {
        passes(&self.connection, run).map_err(|error| self.failed(&error))
    }

    /// The machines that measured times here.
    pub(crate) fn machines(&self) -> Result<Vec<String>, Error> {
        let read = || -> Result<Vec<String>, rusqlite::Error> {
            let query = "SELECT DISTINCT machine FROM runs ORDER BY machine";
            self.connection.prepare(query)?.query_map([], |row| row.get(0))?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }
}

/// What SQLite says, in a line.
pub(crate) fn told(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(text)) => text.clone(),
        other => other.to_string(),
    }
}

fn insert(connection: &mut Connection, spec: &Spec, outcome: &Outcome, machine: &str) -> Result<(), rusqlite::Error> {
    let (offset, against) = match spec.kind {
        Kind::Guessing { offset } => (Some(offset), None),
        Kind::Time { against, against_etc, .. } => (None, Some((against.to_string(), against_etc))),
        _ => (None, None),
    };
    let (against, against_etc) = against.unzip();
    let run = spec.number();
    let transaction = connection.transaction()?;
    let added = transaction
        .prepare_cached(
            "INSERT OR IGNORE INTO runs VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17)",
        )?
        .execute(params![
            run,
            spec.identity(),
            spec.kind_name(),
            spec.game,
            spec.position,
            spec.algorithm.to_string(),
            spec.depth,
            spec.step,
            spec.entries as i64,
            crate::experiment::bounds(spec.keep()),
            spec.etc,
            spec.grain,
            spec.guess.to_string(),
            offset,
            against,
            against_etc,
            machine
        ])?;
    if added == 0 {
        // Another process at work in the same folder was faster.
        return Ok(());
    }
    let mut add = transaction.prepare_cached(
        "INSERT INTO iterations VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18)",
    )?;
    for one in &outcome.iterations {
        add.execute(params![
            run,
            one.depth,
            one.value,
            one.lower,
            one.upper,
            one.best_move,
            one.nbp as i64,
            one.interior as i64,
            one.table_answers as i64,
            one.nodes as i64,
            one.quiet_nodes as i64,
            one.passes as i64,
            one.cut_nodes as i64,
            one.first_move_cuts as i64,
            one.moves_at_cuts as i64,
            one.enhanced_cuts as i64,
            one.confirmed,
            one.seconds
        ])?;
    }
    drop(add);
    let mut add = transaction.prepare_cached("INSERT INTO passes VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)")?;
    for one in &outcome.passes {
        let (nbp, nodes) = (one.nbp as i64, one.nodes as i64);
        let PassRow { depth, pass, gamma, alpha, beta, about, g, lower, upper, .. } = one;
        add.execute(params![run, pass, depth, gamma, alpha, beta, about, g, lower, upper, nbp, nodes])?;
    }
    drop(add);
    let mut add = transaction.prepare_cached("INSERT INTO heights VALUES (?1,?2,?3,?4,?5)")?;
    for one in &outcome.heights {
        let counts = [one.cut_nodes, one.first_move_cuts, one.moves_at_cuts].map(|count| count as i64);
        add.execute(params![run, one.height, counts[0], counts[1], counts[2]])?;
    }
    drop(add);
    let mut add = transaction.prepare_cached("INSERT INTO minimal VALUES (?1,?2,?3,?4,?5,?6)")?;
    for one in &outcome.minimal {
        let counts = [one.nbp, one.nodes, one.max_tree, one.min_tree].map(|count| count as i64);
        add.execute(params![run, one.depth, counts[0], counts[1], counts[2], counts[3]])?;
    }
    drop(add);
    let mut add = transaction.prepare_cached("INSERT INTO evaluations VALUES (?1,?2,?3,?4)")?;
    for one in &outcome.evaluations {
        add.execute(params![run, one.depth, one.nbp as i64, one.positions as i64])?;
    }
    drop(add);
    let mut add = transaction.prepare_cached("INSERT INTO times VALUES (?1,?2,?3,?4,?5)")?;
    for one in &outcome.times {
        add.execute(params![run, one.round, one.depth, one.seconds, one.against])?;
    }
    drop(add);
    transaction.commit()
}

fn outcomes(connection: &Connection) -> Result<HashMap<i64, Outcome>, rusqlite::Error> {
    let mut all: HashMap<i64, Outcome> = HashMap::new();
    let mut query = connection.prepare("SELECT run FROM runs")?;
    for run in query.query_map([], |row| row.get(0))? {
        all.insert(run?, Outcome::default());
    }
    let count = |row: &rusqlite::Row, at: usize| row.get::<_, i64>(at).map(|count| count as u64);
    let mut query = connection.prepare("SELECT * FROM iterations ORDER BY run, depth")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let one = IterationRow {
            depth: row.get(1)?,
            value: row.get(2)?,
            lower: row.get(3)?,
            upper: row.get(4)?,
            best_move: row.get(5)?,
            nbp: count(row, 6)?,
            interior: count(row, 7)?,
            table_answers: count(row, 8)?,
            nodes: count(row, 9)?,
            quiet_nodes: count(row, 10)?,
            passes: count(row, 11)?,
            cut_nodes: count(row, 12)?,
            first_move_cuts: count(row, 13)?,
            moves_at_cuts: count(row, 14)?,
            enhanced_cuts: count(row, 15)?,
            confirmed: row.get(16)?,
            seconds: row.get(17)?,
        };
        all.entry(row.get(0)?).or_default().iterations.push(one);
    }
    let mut query = connection.prepare("SELECT * FROM heights ORDER BY run, height")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (height, cut_nodes) = (row.get(1)?, count(row, 2)?);
        let one = HeightRow { height, cut_nodes, first_move_cuts: count(row, 3)?, moves_at_cuts: count(row, 4)? };
        all.entry(row.get(0)?).or_default().heights.push(one);
    }
    let mut query = connection.prepare("SELECT * FROM minimal ORDER BY run, depth")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (depth, nbp, nodes) = (row.get(1)?, count(row, 2)?, count(row, 3)?);
        let one = MinimalRow { depth, nbp, nodes, max_tree: count(row, 4)?, min_tree: count(row, 5)? };
        all.entry(row.get(0)?).or_default().minimal.push(one);
    }
    let mut query = connection.prepare("SELECT * FROM evaluations ORDER BY run, depth")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let one = EvaluationsRow { depth: row.get(1)?, nbp: count(row, 2)?, positions: count(row, 3)? };
        all.entry(row.get(0)?).or_default().evaluations.push(one);
    }
    let mut query = connection.prepare("SELECT * FROM times ORDER BY run, round, depth")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let one = TimeRow { round: row.get(1)?, depth: row.get(2)?, seconds: row.get(3)?, against: row.get(4)? };
        all.entry(row.get(0)?).or_default().times.push(one);
    }
    Ok(all)
}

fn passes(connection: &Connection, run: i64) -> Result<Vec<PassRow>, rusqlite::Error> {
    let mut query = connection.prepare("SELECT * FROM passes WHERE run = ?1 ORDER BY pass")?;
    let rows = query.query_map([run], |row| {
        Ok(PassRow {
            pass: row.get(1)?,
            depth: row.get(2)?,
            gamma: row.get(3)?,
            alpha: row.get(4)?,
            beta: row.get(5)?,
            about: row.get(6)?,
            g: row.get(7)?,
            lower: row.get(8)?,
            upper: row.get(9)?,
            nbp: row.get::<_, i64>(10)? as u64,
            nodes: row.get::<_, i64>(11)? as u64,
        })
    })?;
    rows.collect()
}
