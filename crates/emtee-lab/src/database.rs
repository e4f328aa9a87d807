//! The results database: one SQLite file.
//!
//! Each run is written with all its rows in one transaction. If the process ends early, a run is either complete or absent,
//! and complete runs are not repeated.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use emtee::research::Counts;
use emtee_engine::{Evaluations, Height, MinimalGraph, PassRow};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, Transaction, params_from_iter};

use crate::error::Error;
use crate::outcome::{IterationRow, Outcome, TimeRow};
use crate::spec::{RunKind, Spec};

/// Schema version of the tables below. The names of the counts are checked separately.
const SCHEMA_VERSION: &str = "4";

/// The tables. `COUNTS` is replaced by one column per count, named after the count.
const TABLES: &str = "
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE experiments (toml TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE runs (
    run INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, game TEXT NOT NULL, position TEXT NOT NULL,
    algorithm TEXT NOT NULL, depth INTEGER NOT NULL, step INTEGER NOT NULL, entries INTEGER NOT NULL, bounds TEXT NOT NULL,
    etc INTEGER NOT NULL, grain INTEGER NOT NULL, guess TEXT NOT NULL, guess_offset INTEGER, threads INTEGER NOT NULL, evaluator TEXT,
    rounds INTEGER, against TEXT, against_etc INTEGER, machine TEXT NOT NULL);
CREATE TABLE iterations (
    run INTEGER NOT NULL, depth INTEGER NOT NULL, value INTEGER, lower INTEGER NOT NULL, upper INTEGER NOT NULL, best_move TEXT,
    passes INTEGER NOT NULL, nodes INTEGER NOT NULL, COUNTS, confirmed INTEGER, seconds REAL NOT NULL,
    PRIMARY KEY (run, depth)) WITHOUT ROWID;
CREATE TABLE passes (
    run INTEGER NOT NULL, pass INTEGER NOT NULL, depth INTEGER NOT NULL, gamma REAL, alpha INTEGER, beta INTEGER, about TEXT,
    g INTEGER NOT NULL, lower INTEGER NOT NULL, upper INTEGER NOT NULL, best_move TEXT, nbp INTEGER NOT NULL,
    nodes INTEGER NOT NULL, PRIMARY KEY (run, pass)) WITHOUT ROWID;
CREATE TABLE heights (
    run INTEGER NOT NULL, height INTEGER NOT NULL, cut_nodes INTEGER NOT NULL, first_move_cuts INTEGER NOT NULL,
    moves_at_cuts INTEGER NOT NULL, PRIMARY KEY (run, height)) WITHOUT ROWID;
CREATE TABLE minimal (
    run INTEGER NOT NULL, depth INTEGER NOT NULL, value INTEGER NOT NULL, nbp INTEGER NOT NULL, nodes INTEGER NOT NULL,
    max_tree INTEGER NOT NULL, min_tree INTEGER NOT NULL, rounds INTEGER NOT NULL, PRIMARY KEY (run, depth)) WITHOUT ROWID;
CREATE TABLE evaluations (
    run INTEGER NOT NULL, depth INTEGER NOT NULL, nbp INTEGER NOT NULL, positions INTEGER NOT NULL,
    PRIMARY KEY (run, depth)) WITHOUT ROWID;
CREATE TABLE times (
    run INTEGER NOT NULL, round INTEGER NOT NULL, depth INTEGER NOT NULL, seconds REAL NOT NULL, against REAL NOT NULL,
    PRIMARY KEY (run, round, depth)) WITHOUT ROWID;
";

/// The tables that are merged and exported.
pub(crate) const NAMES: [&str; 7] = ["runs", "iterations", "passes", "heights", "minimal", "evaluations", "times"];

/// A results database.
pub struct Database {
    pub(crate) connection: Connection,
    path: PathBuf,
}

/// The version of this program. Databases of other versions are rejected.
const PROGRAM_VERSION: &str = env!("CARGO_PKG_VERSION");

/// For each game, node counts that change if the search changes. A database is rejected if its signatures differ from those
/// of the program.
pub(crate) type Signatures = Vec<(String, String)>;

impl Database {
    /// Opens a database, or creates it.
    pub(crate) fn open(path: &Path, signatures: &Signatures) -> Result<Database, Error> {
        let open_error = |error: rusqlite::Error| Error::file("open", path, sqlite_message(&error));
        let connection = Connection::open(path).map_err(open_error)?;
        let mut database = Database { connection, path: path.to_owned() };
        database.connection.busy_timeout(std::time::Duration::from_secs(10)).map_err(open_error)?;
        // The first query fails if the file is not a database.
        let tables: i64 =
            database.connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0)).map_err(
                |error| Error::bad(format!("{} is not a results database: {}", path.display(), sqlite_message(&error))),
            )?;
        if tables == 0 {
            database.create().map_err(open_error)?;
        } else {
            database.check(signatures)?;
        }
        database.connection.pragma_update(None, "journal_mode", "WAL").map_err(open_error)?;
        database.connection.pragma_update(None, "synchronous", "NORMAL").map_err(open_error)?;
        database.write_signatures(signatures).map_err(open_error)?;
        Ok(database)
    }

    /// The experiment of a database, as TOML. Fails unless there is exactly one.
    pub(crate) fn read_experiment(path: &Path) -> Result<String, Error> {
        if !path.is_file() {
            return Err(Error::bad(format!("there is no database {}", path.display())));
        }
        let not_results =
            |why: String| Error::bad(format!("{} is not an emtee results database: {why}", path.display()));
        let connection = Connection::open(path).map_err(|error| not_results(sqlite_message(&error)))?;
        let database = Database { connection, path: path.to_owned() };
        // Check the version first: the format of experiments depends on it.
        database.check_tables()?;
        let read = || -> Result<Vec<String>, rusqlite::Error> {
            database.connection.prepare("SELECT toml FROM experiments")?.query_map([], |row| row.get(0))?.collect()
        };
        let mut all = read().map_err(|error| not_results(sqlite_message(&error)))?;
        match (all.pop(), all.len()) {
            (Some(toml), 0) => Ok(toml),
            _ => Err(not_results(String::from("it must have exactly one experiment"))),
        }
    }

    fn create(&mut self) -> Result<(), rusqlite::Error> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(&TABLES.replace("COUNTS", &count_columns(" INTEGER NOT NULL")))?;
        for (name, value) in [("schema", SCHEMA_VERSION), ("emtee", PROGRAM_VERSION), ("counts", &count_columns(""))] {
            transaction.execute("INSERT INTO about VALUES (?1, ?2)", [name, value])?;
        }
        transaction.commit()
    }

    /// A value of the table `about`.
    fn about(&self, name: &str) -> Option<String> {
        let query = "SELECT value FROM about WHERE name = ?1";
        self.connection.query_row(query, [name], |row| row.get(0)).optional().ok().flatten()
    }

    /// Fails if a program with other tables created the database.
    fn check_tables(&self) -> Result<(), Error> {
        let path = self.path.display();
        let Some(schema) = self.about("schema") else {
            return Err(Error::bad(format!("{path} is not an emtee results database")));
        };
        let version = self.about("emtee").unwrap_or_default();
        if schema != SCHEMA_VERSION || version != PROGRAM_VERSION {
            return Err(Error::bad(format!(
                "{path} was created by emtee {version} (tables {schema}), this is {PROGRAM_VERSION} (tables {SCHEMA_VERSION}); choose another folder"
            )));
        }
        if self.about("counts").is_none_or(|counts| counts != count_columns("")) {
            return Err(Error::bad(format!(
                "{path} was created by a program with other counts; choose another folder"
            )));
        }
        Ok(())
    }

    /// Fails if a program with other tables or search signatures created the database.
    fn check(&self, signatures: &Signatures) -> Result<(), Error> {
        self.check_tables()?;
        for (game, signature) in signatures {
            if self.about(game).is_some_and(|stored| stored != *signature) {
                let path = self.path.display();
                return Err(Error::bad(format!(
                    "{path} was created by a program that searches {game} differently; choose another folder"
                )));
            }
        }
        Ok(())
    }

    /// Adds the search signatures of this program.
    fn write_signatures(&self, signatures: &Signatures) -> Result<(), rusqlite::Error> {
        for (game, signature) in signatures {
            self.connection.execute("INSERT OR IGNORE INTO about VALUES (?1, ?2)", [game, signature])?;
        }
        Ok(())
    }

    /// An error of this database file.
    fn failed(&self, error: &rusqlite::Error) -> Error {
        Error::file("use", &self.path, sqlite_message(error))
    }

    /// Adds an experiment.
    pub(crate) fn add_experiment(&mut self, toml: &str) -> Result<(), Error> {
        let inserted = self.connection.execute("INSERT OR IGNORE INTO experiments VALUES (?1)", [toml]);
        inserted.map(|_| ()).map_err(|error| self.failed(&error))
    }

    /// The numbers of the finished runs.
    pub(crate) fn finished(&self) -> Result<HashSet<i64>, Error> {
        let read = || -> Result<HashSet<i64>, rusqlite::Error> {
            self.connection.prepare("SELECT run FROM runs")?.query_map([], |row| row.get(0))?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// Adds a run with all its rows in one transaction.
    pub(crate) fn insert_run(&mut self, spec: &Spec, outcome: &Outcome, machine: &str) -> Result<(), Error> {
        let inserted = insert(&mut self.connection, spec, outcome, machine);
        inserted.map_err(|error| self.failed(&error))
    }

    /// Copies all runs of another database.
    pub(crate) fn merge_from(&mut self, other: &Path) -> Result<(), Error> {
        let copy = |connection: &mut Connection| -> Result<(), rusqlite::Error> {
            connection.execute("ATTACH DATABASE ?1 AS other", [other.to_string_lossy()])?;
            let transaction = connection.transaction()?;
            for table in NAMES.iter().chain(&["experiments"]) {
                transaction.execute(&format!("INSERT OR IGNORE INTO main.{table} SELECT * FROM other.{table}"), [])?;
            }
            transaction.commit()?;
            connection.execute("DETACH DATABASE other", []).map(|_| ())
        };
        copy(&mut self.connection).map_err(|error| Error::file("merge", other, sqlite_message(&error)))
    }

    /// The outcomes of all runs, without their passes.
    pub(crate) fn outcomes(&self) -> Result<HashMap<i64, Outcome>, Error> {
        outcomes(&self.connection).map_err(|error| self.failed(&error))
    }

    /// The passes of a run.
    pub(crate) fn passes(&self, run: i64) -> Result<Vec<PassRow>, Error> {
        passes(&self.connection, run).map_err(|error| self.failed(&error))
    }

    /// The machines that executed the runs.
    pub(crate) fn machines(&self) -> Result<Vec<String>, Error> {
        let read = || -> Result<Vec<String>, rusqlite::Error> {
            let query = "SELECT DISTINCT machine FROM runs ORDER BY machine";
            self.connection.prepare(query)?.query_map([], |row| row.get(0))?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }
}

/// The names of all counts, each followed by a suffix, as a list of columns.
fn count_columns(suffix: &str) -> String {
    Counts::default().named().map(|(name, _)| format!("{name}{suffix}")).join(", ")
}

/// The error message of SQLite, in one line.
pub(crate) fn sqlite_message(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(text)) => text.clone(),
        other => other.to_string(),
    }
}

/// Inserts a row given as column names and values. `insert` is the start of the statement, up to the table name.
fn insert_row(to: &Transaction<'_>, insert: &str, row: &[(&str, &dyn ToSql)]) -> Result<usize, rusqlite::Error> {
    let names: Vec<&str> = row.iter().map(|(name, _)| *name).collect();
    let placeholders = vec!["?"; row.len()].join(",");
    let mut insert = to.prepare_cached(&format!("{insert} ({}) VALUES ({placeholders})", names.join(",")))?;
    insert.execute(params_from_iter(row.iter().map(|(_, value)| *value)))
}

fn insert(connection: &mut Connection, spec: &Spec, outcome: &Outcome, machine: &str) -> Result<(), rusqlite::Error> {
    let offset = if let RunKind::FirstGuess { offset } = spec.kind { Some(offset) } else { None };
    let (rounds, against, against_etc) = match spec.kind {
        RunKind::Time { rounds, against, against_etc, .. } => {
            (Some(rounds), Some(against.to_string()), Some(against_etc))
        }
        _ => (None, None, None),
    };
    let run = spec.number();
    let transaction = connection.transaction()?;
    let added = insert_row(
        &transaction,
        "INSERT OR IGNORE INTO runs",
        &[
            ("run", &run),
            ("identity", &spec.identity()),
            ("kind", &spec.kind_name()),
            ("game", &spec.game),
            ("position", &spec.position),
            ("algorithm", &spec.algorithm.to_string()),
            ("depth", &spec.depth),
            ("step", &spec.step),
            ("entries", &(spec.entries as i64)),
            ("bounds", &crate::experiment::bounds(spec.keep())),
            ("etc", &spec.etc),
            ("grain", &spec.grain),
            ("guess", &spec.guess.to_string()),
            ("guess_offset", &offset),
            ("threads", &(spec.threads as i64)),
            ("evaluator", &spec.evaluator),
            ("rounds", &rounds),
            ("against", &against),
            ("against_etc", &against_etc),
            ("machine", &machine),
        ],
    )?;
    if added == 0 {
        // Another process in the same folder has already inserted this run.
        return Ok(());
    }
    for one in &outcome.iterations {
        let counts = one.counts.named().map(|(name, count)| (name, count as i64));
        let (passes, nodes) = (one.passes as i64, one.counts.nodes() as i64);
        let mut row: Vec<(&str, &dyn ToSql)> = vec![
            ("run", &run),
            ("depth", &one.depth),
            ("value", &one.value),
            ("lower", &one.lower),
            ("upper", &one.upper),
            ("best_move", &one.best_move),
            ("passes", &passes),
            ("nodes", &nodes),
            ("confirmed", &one.confirmed),
            ("seconds", &one.seconds),
        ];
        row.extend(counts.iter().map(|(name, count)| (*name, count as &dyn ToSql)));
        insert_row(&transaction, "INSERT INTO iterations", &row)?;
    }
    for (one, pass) in outcome.passes.iter().zip(1..) {
        insert_row(
            &transaction,
            "INSERT INTO passes",
            &[
                ("run", &run),
                ("pass", &(pass as i64)),
                ("depth", &one.depth),
                ("gamma", &one.gamma),
                ("alpha", &one.alpha),
                ("beta", &one.beta),
                ("about", &one.about),
                ("g", &one.g),
                ("lower", &one.lower),
                ("upper", &one.upper),
                ("best_move", &one.best_move),
                ("nbp", &(one.nbp as i64)),
                ("nodes", &(one.nodes as i64)),
            ],
        )?;
    }
    for one in &outcome.heights {
        insert_row(
            &transaction,
            "INSERT INTO heights",
            &[
                ("run", &run),
                ("height", &(one.height as i64)),
                ("cut_nodes", &(one.cut_nodes as i64)),
                ("first_move_cuts", &(one.first_move_cuts as i64)),
                ("moves_at_cuts", &(one.moves_at_cuts as i64)),
            ],
        )?;
    }
    for one in &outcome.minimal {
        insert_row(
            &transaction,
            "INSERT INTO minimal",
            &[
                ("run", &run),
                ("depth", &one.depth),
                ("value", &one.value),
                ("nbp", &(one.nbp as i64)),
                ("nodes", &(one.nodes as i64)),
                ("max_tree", &(one.max_tree as i64)),
                ("min_tree", &(one.min_tree as i64)),
                ("rounds", &one.rounds),
            ],
        )?;
    }
    for one in &outcome.evaluations {
        let (nbp, positions) = (one.nbp as i64, one.positions as i64);
        let row: [(&str, &dyn ToSql); 4] =
            [("run", &run), ("depth", &one.depth), ("nbp", &nbp), ("positions", &positions)];
        insert_row(&transaction, "INSERT INTO evaluations", &row)?;
    }
    for one in &outcome.times {
        let TimeRow { round, depth, seconds, against } = one;
        let row: [(&str, &dyn ToSql); 5] =
            [("run", &run), ("round", round), ("depth", depth), ("seconds", seconds), ("against", against)];
        insert_row(&transaction, "INSERT INTO times", &row)?;
    }
    transaction.commit()
}

/// A count column of a row.
fn count(row: &Row<'_>, name: &str) -> Result<u64, rusqlite::Error> {
    row.get(name).map(|count: i64| count as u64)
}

/// All count columns of a row.
fn counts(row: &Row<'_>) -> Result<Counts, rusqlite::Error> {
    let mut read = Ok(());
    let counts = Counts::from_named(|name| count(row, name).map_err(|error| read = Err(error)).ok());
    read.map(|()| counts)
}

fn outcomes(connection: &Connection) -> Result<HashMap<i64, Outcome>, rusqlite::Error> {
    let mut all: HashMap<i64, Outcome> = HashMap::new();
    each(connection, "SELECT run FROM runs", |row| {
        all.insert(row.get("run")?, Outcome::default());
        Ok(())
    })?;
    let mut read_table = |table: &str, read: fn(&Row<'_>, &mut Outcome) -> Result<(), rusqlite::Error>| {
        // Ordered by primary key.
        each(connection, &format!("SELECT * FROM {table} ORDER BY 1, 2, 3"), |row| {
            read(row, all.entry(row.get("run")?).or_default())
        })
    };
    read_table("iterations", |row, outcome| {
        outcome.iterations.push(IterationRow {
            depth: row.get("depth")?,
            value: row.get("value")?,
            lower: row.get("lower")?,
            upper: row.get("upper")?,
            best_move: row.get("best_move")?,
            counts: counts(row)?,
            passes: count(row, "passes")?,
            confirmed: row.get("confirmed")?,
            seconds: row.get("seconds")?,
        });
        Ok(())
    })?;
    read_table("heights", |row, outcome| {
        outcome.heights.push(Height {
            height: count(row, "height")? as usize,
            cut_nodes: count(row, "cut_nodes")?,
            first_move_cuts: count(row, "first_move_cuts")?,
            moves_at_cuts: count(row, "moves_at_cuts")?,
        });
        Ok(())
    })?;
    read_table("minimal", |row, outcome| {
        outcome.minimal.push(MinimalGraph {
            depth: row.get("depth")?,
            value: row.get("value")?,
            nbp: count(row, "nbp")?,
            nodes: count(row, "nodes")?,
            max_tree: count(row, "max_tree")?,
            min_tree: count(row, "min_tree")?,
            rounds: row.get("rounds")?,
        });
        Ok(())
    })?;
    read_table("evaluations", |row, outcome| {
        let (depth, nbp, positions) = (row.get("depth")?, count(row, "nbp")?, count(row, "positions")?);
        outcome.evaluations.push(Evaluations { depth, nbp, positions });
        Ok(())
    })?;
    read_table("times", |row, outcome| {
        let (round, depth) = (row.get("round")?, row.get("depth")?);
        outcome.times.push(TimeRow { round, depth, seconds: row.get("seconds")?, against: row.get("against")? });
        Ok(())
    })?;
    Ok(all)
}

/// Calls `read` with every row of a query.
fn each(
    connection: &Connection,
    query: &str,
    mut read: impl FnMut(&Row<'_>) -> Result<(), rusqlite::Error>,
) -> Result<(), rusqlite::Error> {
    let mut query = connection.prepare(query)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        read(row)?;
    }
    Ok(())
}

fn passes(connection: &Connection, run: i64) -> Result<Vec<PassRow>, rusqlite::Error> {
    let mut query = connection.prepare("SELECT * FROM passes WHERE run = ?1 ORDER BY pass")?;
    let rows = query.query_map([run], |row| {
        Ok(PassRow {
            depth: row.get("depth")?,
            gamma: row.get("gamma")?,
            alpha: row.get("alpha")?,
            beta: row.get("beta")?,
            about: row.get("about")?,
            g: row.get("g")?,
            lower: row.get("lower")?,
            upper: row.get("upper")?,
            best_move: row.get("best_move")?,
            nbp: count(row, "nbp")?,
            nodes: count(row, "nodes")?,
        })
    })?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database file that is deleted after the test.
    struct File(PathBuf);

    impl File {
        fn new(name: &str) -> File {
            let path = std::env::temp_dir().join(format!("emtee-{name}-{}.sqlite", std::process::id()));
            let _ = std::fs::remove_file(&path);
            File(path)
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            for end in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{}{end}", self.0.display()));
            }
        }
    }

    fn signatures(counts: &str) -> Signatures {
        vec![(String::from("kalah [start]"), counts.to_owned())]
    }

    #[test]
    fn databases_of_other_versions_are_rejected() {
        let file = File::new("versions");
        drop(Database::open(&file.0, &signatures("1+2+3")).unwrap());
        drop(Database::open(&file.0, &signatures("1+2+3")).unwrap());
        let rejected = || {
            let message = Database::open(&file.0, &signatures("1+2+3")).err().map(|error| error.to_string()).unwrap();
            assert_eq!(Database::read_experiment(&file.0).unwrap_err().to_string(), message);
            assert!(message.starts_with(&file.0.display().to_string()) && message.lines().count() == 1, "{message}");
            message
        };
        let set = |name: &str, value: &str| {
            let database = Connection::open(&file.0).unwrap();
            database.execute("UPDATE about SET value = ?2 WHERE name = ?1", [name, value]).unwrap();
        };
        set("emtee", "0.0.9");
        assert!(
            rejected()
                .contains(&format!("was created by emtee 0.0.9 (tables {SCHEMA_VERSION}), this is {PROGRAM_VERSION}"))
        );
        set("emtee", PROGRAM_VERSION);
        set("schema", "2");
        assert!(rejected().contains(&format!(
            "(tables 2), this is {PROGRAM_VERSION} (tables {SCHEMA_VERSION}); choose another folder"
        )));
        set("schema", SCHEMA_VERSION);
        set("counts", "interior, nbp");
        assert!(rejected().contains("was created by a program with other counts; choose another folder"));
        set("counts", &count_columns(""));
        let error = Database::open(&file.0, &signatures("1+2+4")).err().unwrap().to_string();
        assert!(error.contains("created by a program that searches kalah [start] differently"), "{error}");
        Database::open(&file.0, &signatures("1+2+3")).unwrap();
    }

    #[test]
    fn counts_survive_a_round_trip() {
        let file = File::new("counts");
        let mut database = Database::open(&file.0, &signatures("")).unwrap();
        let mut count = 0;
        let counts = Counts::from_named(|_| {
            count += 1;
            Some(count)
        });
        let iteration = IterationRow { depth: 3, counts, passes: 99, ..IterationRow::default() };
        let outcome = Outcome { iterations: vec![iteration], ..Outcome::default() };
        let plan =
            crate::plan::Plan::new(crate::Experiment::reproduce("quick").unwrap(), &emtee_engine::Registry::standard());
        let spec = &plan.unwrap().specs[0];
        database.insert_run(spec, &outcome, "a machine").unwrap();
        assert_eq!(database.outcomes().unwrap()[&spec.number()], outcome);
        let nodes: i64 = database.connection.query_row("SELECT nodes FROM iterations", [], |row| row.get(0)).unwrap();
        assert_eq!(nodes as u64, counts.nodes());
    }
}
