//! Finished experiments and matches: the folders that `reproduce`, `experiment` and `match` write.
//!
//! Folders are found by looking, never by a name that a client sends: a client asks for one by its number in the list, and
//! for nothing inside it.

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
use crate::server::{Asked, Site, aside};

/// So many folders are listed, and so far down they are looked for.
const MOST_FOLDERS: usize = 200;
const LEVELS: usize = 2;
/// Files larger than this stay where they are.
const LARGEST_FILE: u64 = 48 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Experiment,
    Match,
}

/// The folders there are, in the order of their names.
fn folders(site: &Site) -> Vec<(PathBuf, Kind)> {
    let mut found = BTreeMap::new();
    for root in &site.reports {
        look(root, LEVELS, &mut found);
    }
    found.into_iter().collect()
}

fn look(folder: &Path, levels: usize, found: &mut BTreeMap<PathBuf, Kind>) {
    if found.len() >= MOST_FOLDERS {
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
        // Links could lead anywhere.
        if levels > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) && !hidden(&entry.path()) {
            look(&entry.path(), levels - 1, found);
        }
    }
}

fn hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.') || name == "target")
}

pub(crate) async fn list(State(site): State<Arc<Site>>) -> Result<Json<Value>, Refusal> {
    aside(move || {
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
        Ok(json!({ "folders": folders(&site).into_iter().enumerate().map(shown).collect::<Vec<_>>() }))
    })
    .await
    .map(Json)
}

/// A folder of the list, by its number and, in case the list has changed, its name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FolderAsked {
    id: usize,
    name: String,
}

fn folder(site: &Site, asked: &FolderAsked, kind: Kind) -> Result<PathBuf, Refusal> {
    let all = folders(site);
    let found = all.get(asked.id).filter(|(path, own)| {
        *own == kind && path.file_name().unwrap_or(path.as_os_str()).to_string_lossy() == asked.name
    });
    found
        .map(|(path, _)| path.clone())
        .ok_or_else(|| Refusal::missing("there is no such folder; look at the list again"))
}

fn text(path: &Path) -> Result<String, Refusal> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let size = fs::metadata(path).map_err(|_| Refusal::missing(format!("there is no {name} in the folder")))?.len();
    if size > LARGEST_FILE {
        return Err(Refusal::bad(format!("{name} is larger than {} MB", LARGEST_FILE >> 20)));
    }
    fs::read_to_string(path).map_err(|_| Refusal::bad(format!("{name} cannot be read as text")))
}

/// The rows of a table, an object a line.
fn rows(path: &Path) -> Result<Vec<Value>, Refusal> {
    let bad = |_| Refusal::bad(format!("{} is damaged", path.file_name().unwrap_or_default().to_string_lossy()));
    text(path)?.lines().map(|line| serde_json::from_str(line).map_err(bad)).collect()
}

/// An experiment: its runs and their iterations, and its figures.
pub(crate) async fn report(
    State(site): State<Arc<Site>>,
    Asked(asked): Asked<FolderAsked>,
) -> Result<Json<Value>, Refusal> {
    aside(move || {
        let folder = folder(&site, &asked, Kind::Experiment)?;
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
            "name": asked.name,
            "experiment": text(&folder.join("experiment.toml")).ok(),
            "runs": rows(&data.join("runs.jsonl"))?,
            "iterations": rows(&data.join("iterations.jsonl"))?,
            "figures": figures,
        }))
    })
    .await
    .map(Json)
}

/// A match: what it is, its games, and what they come to.
pub(crate) async fn contest(
    State(site): State<Arc<Site>>,
    Asked(asked): Asked<FolderAsked>,
) -> Result<Json<Value>, Refusal> {
    aside(move || {
        let folder = folder(&site, &asked, Kind::Match)?;
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
            "name": asked.name,
            "match": header,
            "games": games,
            "score": { "wins": score.wins, "draws": score.draws, "losses": score.losses, "pairs": score.pairs },
            "estimate": estimate,
        }))
    })
    .await
    .map(Json)
}
