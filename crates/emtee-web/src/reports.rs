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
use emtee_engine::arena::{Contest, GameRow};
use serde::Deserialize;
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

/// The rows of a table in JSON lines.
fn rows(path: &Path) -> Result<Vec<Value>, Refusal> {
    let bad = |_| Refusal::bad(format!("{} is damaged", path.file_name().unwrap_or_default().to_string_lossy()));
    text(path)?.lines().map(|line| serde_json::from_str(line).map_err(bad)).collect()
}

/// An experiment: its runs and their iterations, and its figures.
pub(crate) async fn report(
    State(site): State<Arc<Site>>,
    JsonBody(request): JsonBody<FolderRequest>,
) -> Result<Json<Value>, Refusal> {
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
        Ok(json!({
            "name": request.name,
            "experiment": text(&folder.join("experiment.toml")).ok(),
            "runs": rows(&data.join("runs.jsonl"))?,
            "iterations": rows(&data.join("iterations.jsonl"))?,
            "figures": figures,
        }))
    })
    .await
    .map(Json)
}

/// A match: its header, its games, the score and the Elo estimate.
pub(crate) async fn match_report(
    State(site): State<Arc<Site>>,
    JsonBody(request): JsonBody<FolderRequest>,
) -> Result<Json<Value>, Refusal> {
    blocking(move || {
        let folder = folder(&site, &request, Kind::Match)?;
        let journal = text(&folder.join("match.jsonl"))?;
        let bad = |_| Refusal::bad("match.jsonl is damaged");
        let mut lines = journal.lines();
        let header: Value = serde_json::from_str(lines.next().unwrap_or_default()).map_err(bad)?;
        let games: Vec<GameRow> =
            lines.map(|line| serde_json::from_str(line).map_err(bad)).collect::<Result<_, _>>()?;
        let score = Contest::score(&games);
        let estimate = score.estimate().map(|estimate| {
            json!({ "elo": estimate.elo, "lower": estimate.lower, "upper": estimate.upper, "los": estimate.superiority })
        });
        Ok(json!({
            "name": request.name,
            "match": header,
            "games": games,
            "score": { "wins": score.wins, "draws": score.draws, "losses": score.losses, "pairs": score.pairs },
            "estimate": estimate,
        }))
    })
    .await
    .map(Json)
}
