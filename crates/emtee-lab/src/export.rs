//! Exports the tables of the database as CSV and as JSON lines.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use rusqlite::types::ValueRef;

use crate::database::{Database, NAMES, sqlite_message};
use crate::error::Error;

/// Writes every table as `NAME.csv` and `NAME.jsonl`.
pub(crate) fn export(database: &Database, folder: &Path) -> Result<(), Error> {
    for table in NAMES {
        let csv = folder.join(format!("{table}.csv"));
        let lines = folder.join(format!("{table}.jsonl"));
        write(database, table, &csv, &lines).map_err(|why| Error::file("write", &csv, why))?;
    }
    Ok(())
}

fn write(database: &Database, table: &str, csv: &Path, lines: &Path) -> Result<(), String> {
    let create = |path| File::create(path).map(BufWriter::new).map_err(|error| error.to_string());
    let (mut csv, mut lines) = (create(csv)?, create(lines)?);
    let sql = |error: rusqlite::Error| sqlite_message(&error);
    let io = |error: std::io::Error| error.to_string();
    // Ordered by primary key, independent of the order of insertion.
    let mut query = database.connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2, 3")).map_err(sql)?;
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    writeln!(csv, "{}", columns.join(",")).map_err(io)?;
    let mut rows = query.query([]).map_err(sql)?;
    while let Some(row) = rows.next().map_err(sql)? {
        let mut object = serde_json::Map::new();
        let mut cells = Vec::new();
        for (index, column) in columns.iter().enumerate() {
            let (cell, json) = match row.get_ref(index).map_err(sql)? {
                ValueRef::Null => (String::new(), serde_json::Value::Null),
                ValueRef::Integer(n) => (n.to_string(), n.into()),
                ValueRef::Real(x) => (x.to_string(), x.into()),
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    let text = String::from_utf8_lossy(text);
                    (quoted(&text), text.into_owned().into())
                }
            };
            cells.push(cell);
            object.insert(column.clone(), json);
        }
        writeln!(csv, "{}", cells.join(",")).map_err(io)?;
        writeln!(lines, "{}", serde_json::Value::Object(object)).map_err(io)?;
    }
    csv.flush().map_err(io)?;
    lines.flush().map_err(io)
}

/// A CSV cell, quoted if necessary.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
