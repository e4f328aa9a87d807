//! Finished experiments and matches: the folders that `reproduce`, `experiment` and `match` write.
//!
//! The server lists the folders itself and never opens a path from a client: a client selects a folder by its number in the
//! list, and cannot name a file in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use emtee_engine::arena::{Contest, GameRow};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::refusal::Refusal;
use crate::server::{JsonBody, Site, blocking};

/// The most folders in the list, and the depth to which they are searched for.
const MAX_FOLDERS: usize = 200;
const SEARCH_DEPTH: usize = 2;
/// The most bytes of a file.
const MAX_FILE_BYTES: u64 = 48 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Experiment,
    Match,
}

/// All report folders, in the order of their paths.
fn report_folders(site: &Site) -> Vec<(PathBuf, Kind)> {
    let mut found = BTreeMap::new();
    for root in &site.reports {
        find_folders(root, SEARCH_DEPTH, &mut found);
    }
    found.into_iter().collect()
}

fn find_folders(folder: &Path, levels: usize, found: &mut BTreeMap<PathBuf, Kind>) {
    if found.len() >= MAX_FOLDERS {
        return;
    }
    if folder.join("data/runs.jsonl").is_file() {
        found.insert(folder.to_owned(), Kind::Experiment);
        return;
    }
    if folder.join("match.jsonl").is_file() {
        found.insert(folder.to_owned(), Kind::Match);
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().take(2_000) {
        // Links are skipped: they could point anywhere.
        if levels > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) && !hidden(&entry.path()) {
            find_folders(&entry.path(), levels - 1, found);
        }
    }
}

fn hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.') || name == "target")
}

pub(crate) async fn list(State(site): State<Arc<Site>>) -> Result<Json<Value>, Refusal> {
    blocking(move || {
        let shown = |(number, (path, kind)): (usize, (PathBuf, Kind))| {
            let changed = fs::metadata(&path).and_then(|data| data.modified()).ok();
            let seconds = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map(|time| time.as_secs());
            json!({
                "id": number,
                "name": path.file_name().unwrap_or(path.as_os_str()).to_string_lossy(),
                "kind": if kind == Kind::Match { "match" } else { "experiment" },
                "changed": seconds,
            })
        };
        Ok(json!({ "folders": report_folders(&site).into_iter().enumerate().map(shown).collect::<Vec<_>>() }))
    })
    .await
    .map(Json)
}

/// A folder of the list, by its number and, in case the list has changed, its name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FolderRequest {
    id: usize,
    name: String,
}

fn folder(site: &Site, request: &FolderRequest, kind: Kind) -> Result<PathBuf, Refusal> {
    let all = report_folders(site);
    let found = all.get(request.id).filter(|(path, own)| {
        *own == kind && path.file_name().unwrap_or(path.as_os_str()).to_string_lossy() == request.name
    });
    found
        .map(|(path, _)| path.clone())
        .ok_or_else(|| Refusal::missing("there is no such folder; look at the list again"))
}

fn text(path: &Path) -> Result<String, Refusal> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let size = fs::metadata(path).map_err(|_| Refusal::missing(format!("there is no {name} in the folder")))?.len();
    if size > MAX_FILE_BYTES {
        return Err(Refusal::bad(format!("{name} is larger than {} MB", MAX_FILE_BYTES >> 20)));
    }
    fs::read_to_string(path).map_err(|_| Refusal::bad(format!("{name} cannot be read as text")))
}

/// The lines of a table, each a JSON object, as one JSON array. They are checked, but not parsed into values and written again:
/// tables are large.
fn rows(path: &Path) -> Result<String, Refusal> {
    let text = text(path)?;
    let mut array = String::with_capacity(text.len() + 2);
    array.push('[');
    for line in text.lines() {
        serde_json::from_str::<IgnoredAny>(line).map_err(|_| damaged(path))?;
        if array.len() > 1 {
            array.push(',');
        }
        array.push_str(line);
    }
    array.push(']');
    Ok(array)
}

fn damaged(path: &Path) -> Refusal {
    Refusal::bad(format!("{} is damaged", path.file_name().unwrap_or_default().to_string_lossy()))
}

/// A response with the fields of an object, and tables that are JSON already.
fn with_tables(object: &Value, tables: &[(&str, String)]) -> impl IntoResponse + use<> {
    let mut body = object.to_string();
    body.truncate(body.len() - 1);
    for (name, table) in tables {
        body += &format!(",\"{name}\":{table}");
    }
    body.push('}');
    ([("content-type", "application/json")], body)
}

/// An experiment: its runs and their iterations, and its figures.
pub(crate) async fn report(
    State(site): State<Arc<Site>>,
    JsonBody(request): JsonBody<FolderRequest>,
) -> Result<impl IntoResponse, Refusal> {
    blocking(move || {
        let folder = folder(&site, &request, Kind::Experiment)?;
        let data = folder.join("data");
        let mut figures = Vec::new();
        let mut names: Vec<PathBuf> =
            fs::read_dir(folder.join("figures")).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        names.sort();
        for path in names.iter().filter(|path| path.extension().is_some_and(|ending| ending == "svg")) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            figures.push(json!({ "name": name, "svg": text(path)? }));
        }
        let experiment = text(&folder.join("experiment.toml")).ok();
        let tables = [("runs", rows(&data.join("runs.jsonl"))?), ("iterations", rows(&data.join("iterations.jsonl"))?)];
        Ok(with_tables(&json!({ "name": request.name, "experiment": experiment, "figures": figures }), &tables))
    })
    .await
}

/// A match: its header, its games, the score and the Elo estimate.
pub(crate) async fn match_report(
    State(site): State<Arc<Site>>,
    JsonBody(request): JsonBody<FolderRequest>,
) -> Result<impl IntoResponse, Refusal> {
    blocking(move || {
        let path = folder(&site, &request, Kind::Match)?.join("match.jsonl");
        let journal = text(&path)?;
        let (header, lines) = journal.split_once('\n').unwrap_or((&journal, ""));
        let header: Value = serde_json::from_str(header).map_err(|_| damaged(&path))?;
        let read = |line| serde_json::from_str(line).map_err(|_| damaged(&path));
        let games: Vec<GameRow> = lines.lines().map(read).collect::<Result<_, _>>()?;
        let score = Contest::score(&games);
        let estimate = score.estimate().map(|estimate| {
            json!({ "elo": estimate.elo, "lower": estimate.lower, "upper": estimate.upper, "los": estimate.superiority })
        });
        let score = json!({ "wins": score.wins, "draws": score.draws, "losses": score.losses, "pairs": score.pairs });
        let about = json!({ "name": request.name, "match": header, "score": score, "estimate": estimate });
        let games = format!("[{}]", lines.lines().collect::<Vec<_>>().join(","));
        Ok(with_tables(&about, &[("games", games)]))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_passed_on_as_they_are() {
        let file = std::env::temp_dir().join(format!("emtee-rows-{}.jsonl", std::process::id()));
        fs::write(&file, "{\"a\": 1.50}\n{\"b\":[]}\n").unwrap();
        assert_eq!(rows(&file).unwrap(), "[{\"a\": 1.50},{\"b\":[]}]");
        fs::write(&file, "").unwrap();
        assert_eq!(rows(&file).unwrap(), "[]");
        fs::write(&file, "{\"a\":1}\n{\"b\":").unwrap();
        assert!(rows(&file).unwrap_err().to_string().ends_with(".jsonl is damaged"));
        fs::remove_file(&file).unwrap();
    }
}
