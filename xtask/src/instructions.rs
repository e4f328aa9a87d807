//! Instructions per visit, counted by valgrind: independent of the load of the machine.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::program::{Profile, build};
use crate::target;

/// The games and depths to search from the start position on one thread. They take one or two seconds in total without
/// valgrind.
const SEARCHES: [(&str, u64); 5] = [("connect4", 12), ("chess", 5), ("othello", 7), ("checkers", 9), ("kalah", 8)];

/// The counts of a search. Visits and instructions exclude those of a search to depth 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Count {
    game: String,
    depth: u64,
    visits: u64,
    instructions: u64,
    /// The instructions of a search to depth 1: start-up, tables, printing.
    start_up: u64,
}

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Count only these games
    #[arg(value_name = "GAME", value_parser = clap::builder::PossibleValuesParser::new(SEARCHES.map(|(game, _)| game)))]
    games: Vec<String>,
    /// Compare with this file, the target/instructions.json of an earlier run
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
}

/// Counts, prints a table, and saves the counts in the build folder.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let before = match &options.against {
        Some(file) => {
            let text = fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            serde_json::from_str(&text)
                .map_err(|error| format!("{} was not written by cargo xtask instructions: {error}", file.display()))?
        }
        None => Vec::new(),
    };
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        return Err("valgrind is not installed: apt-get install valgrind, or dnf install valgrind".into());
    }
    let program = build(Profile::Release)?;
    let folder = target().join("callgrind");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let mut counts = Vec::new();
    let is_selected = |game: &str| options.games.is_empty() || options.games.iter().any(|name| name == game);
    for (game, depth) in SEARCHES.into_iter().filter(|(game, _)| is_selected(game)) {
        crate::say(&format!("counting {game} to depth {depth}"));
        let (start_up, shallow_visits) = search(&program, &folder, game, 1)?;
        let (all, visits) = search(&program, &folder, game, depth)?;
        counts.push(Count {
            game: game.into(),
            depth,
            visits: visits.saturating_sub(shallow_visits),
            instructions: all.saturating_sub(start_up),
            start_up,
        });
    }
    let file = target().join("instructions.json");
    let written = serde_json::to_string_pretty(&counts).map_err(|error| error.to_string())?;
    fs::write(&file, written).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    println!("{}\ncounts saved in {}, call graphs in {}", table(&counts, &before), file.display(), folder.display());
    Ok(())
}

/// The instructions and visits of one search.
fn search(program: &Path, folder: &Path, game: &str, depth: u64) -> Result<(u64, u64), String> {
    let out = folder.join(format!("{game}-{depth}.out"));
    let mut option = OsString::from("--callgrind-out-file=");
    option.push(&out);
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet"]).arg(option).arg(program);
    command.args(["search", game, "--depth", &depth.to_string(), "--threads", "1", "--json"]);
    // A database in the user's data folder would change the search.
    command.env("EMTEE_DATA", folder.join("no-data"));
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("valgrind: {error}"))?;
    if !output.status.success() {
        return Err(format!("{}: search {game} --depth {depth}: {}", program.display(), output.status));
    }
    let rows = String::from_utf8_lossy(&output.stdout);
    let visits =
        rows.lines().last().and_then(|row| serde_json::from_str::<serde_json::Value>(row).ok()?.get("nodes")?.as_u64());
    let visits = visits.ok_or_else(|| format!("search {game} --depth {depth} --json prints no nodes"))?;
    let text = fs::read_to_string(&out).map_err(|error| format!("cannot read {}: {error}", out.display()))?;
    let total = text.lines().rev().find_map(|line| line.strip_prefix("totals:"));
    let total = total.and_then(|total| total.trim().parse().ok());
    Ok((total.ok_or_else(|| format!("{} has no total", out.display()))?, visits))
}

/// One row per search and one for all, with the ratios to the counts of an earlier run; below 1 is an improvement.
fn table(counts: &[Count], before: &[Count]) -> String {
    let mut rows = counts.to_vec();
    let sum = |of: &[Count]| Count {
        game: "all".into(),
        depth: 0,
        visits: of.iter().map(|count| count.visits).sum(),
        instructions: of.iter().map(|count| count.instructions).sum(),
        start_up: of.iter().map(|count| count.start_up).sum(),
    };
    let same_searches: Option<Vec<Count>> = counts
        .iter()
        .map(|count| before.iter().find(|old| (&old.game, old.depth) == (&count.game, count.depth)).cloned())
        .collect();
    let same_searches = same_searches.filter(|old| !old.is_empty());
    rows.push(sum(counts));
    let mut text = format!(
        "{:<9} {:>5} {:>12} {:>16} {:>9} {:>9}",
        "game", "depth", "visits", "instructions", "per visit", "start-up"
    );
    if !before.is_empty() {
        text += "   visits  instructions  per visit, relative to before";
    }
    for row in &rows {
        let depth = if row.depth > 0 { row.depth.to_string() } else { String::new() };
        let share = 100.0 * row.start_up as f64 / (row.instructions + row.start_up).max(1) as f64;
        let _ = write!(
            text,
            "\n{:<9} {depth:>5} {:>12} {:>16} {:>9.1} {share:>7.1} %",
            row.game,
            grouped(row.visits),
            grouped(row.instructions),
            per_visit(row)
        );
        let old = match row.depth {
            0 => same_searches.as_deref().map(sum),
            _ => before.iter().find(|old| (&old.game, old.depth) == (&row.game, row.depth)).cloned(),
        };
        if let Some(old) = old {
            let ratio = |new: f64, old: f64| format!("{:.4}", new / old.max(1.0));
            let _ = write!(
                text,
                " {:>8} {:>13} {:>8}",
                ratio(row.visits as f64, old.visits as f64),
                ratio(row.instructions as f64, old.instructions as f64),
                ratio(per_visit(row), per_visit(&old))
            );
        }
    }
    text
}

fn per_visit(count: &Count) -> f64 {
    count.instructions as f64 / count.visits.max(1) as f64
}

/// `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(game: &str, depth: u64, visits: u64, instructions: u64) -> Count {
        Count { game: game.into(), depth, visits, instructions, start_up: 1_000 }
    }

    #[test]
    fn counts_are_read_as_they_are_written() {
        let counts = vec![count("chess", 5, 10, 2_000), count("kalah", 8, 30, 4_000)];
        let text = serde_json::to_string(&counts).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Count>>(&text).unwrap(), counts);
        assert!(serde_json::from_str::<Vec<Count>>("[{\"game\":\"chess\"}]").is_err());
    }

    #[test]
    fn ratios_are_to_the_earlier_run() {
        let now = [count("chess", 5, 10, 1_000), count("kalah", 8, 40, 4_000)];
        let before = [count("chess", 5, 20, 4_000), count("kalah", 8, 40, 4_000)];
        let lines: Vec<Vec<String>> =
            table(&now, &before).lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect();
        assert_eq!(lines[1].join(" "), "chess 5 10 1,000 100.0 50.0 % 0.5000 0.2500 0.5000");
        assert_eq!(lines[3].join(" "), "all 50 5,000 100.0 28.6 % 0.8333 0.6250 0.7500");
        // A game without an earlier count has no ratio, and neither has the sum.
        let lines = table(&now, &before[..1]);
        assert_eq!(lines.lines().nth(3).map(|line| line.ends_with('%')), Some(true), "{lines}");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
