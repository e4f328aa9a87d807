//! How many instructions a visit takes, as valgrind counts them: the same on a busy machine as on an idle one.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::program::{Profile, build};
use crate::target;

/// The searches that are counted, from the start of each game, on one thread: a second or two without valgrind, in all.
const SEARCHES: [(&str, u64); 5] = [("connect4", 12), ("chess", 5), ("othello", 7), ("checkers", 9), ("kalah", 8)];

/// What a search took, once what it takes to start has been taken off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Count {
    game: String,
    depth: u64,
    visits: u64,
    instructions: u64,
    /// Instructions of a search to depth 1: starting, tables, printing.
    start_up: u64,
}

/// What a user asked for.
#[derive(clap::Args)]
pub(crate) struct Asked {
    /// Only these games
    #[arg(value_name = "GAME", value_parser = clap::builder::PossibleValuesParser::new(SEARCHES.map(|(game, _)| game)))]
    games: Vec<String>,
    /// Compare with the target/instructions.json of an earlier run
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
}

/// Counts, prints, and keeps the counts in the build folder.
pub(crate) fn run(asked: &Asked) -> Result<(), String> {
    let before = match &asked.against {
        Some(file) => {
            let text = fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            serde_json::from_str(&text)
                .map_err(|error| format!("{} was not written by cargo xtask instructions: {error}", file.display()))?
        }
        None => Vec::new(),
    };
    let there = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        let how = "apt-get install valgrind, or dnf install valgrind";
        return Err(format!("valgrind counts the instructions, and is not here: {how}"));
    }
    let program = build(Profile::Release)?;
    let folder = target().join("callgrind");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let mut counts = Vec::new();
    let wanted = |game: &str| asked.games.is_empty() || asked.games.iter().any(|asked| asked == game);
    for (game, depth) in SEARCHES.into_iter().filter(|(game, _)| wanted(game)) {
        crate::say(&format!("counting {game} to depth {depth}"));
        let (start_up, few) = search(&program, &folder, game, 1)?;
        let (all, visits) = search(&program, &folder, game, depth)?;
        counts.push(Count {
            game: game.into(),
            depth,
            visits: visits.saturating_sub(few),
            instructions: all.saturating_sub(start_up),
            start_up,
        });
    }
    let file = target().join("instructions.json");
    let written = serde_json::to_string_pretty(&counts).map_err(|error| error.to_string())?;
    fs::write(&file, written).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    println!("{}\nkept in {}, what was called in {}", table(&counts, &before), file.display(), folder.display());
    Ok(())
}

/// Instructions and visits of one search.
fn search(program: &Path, folder: &Path, game: &str, depth: u64) -> Result<(u64, u64), String> {
    let out = folder.join(format!("{game}-{depth}.out"));
    let mut option = OsString::from("--callgrind-out-file=");
    option.push(&out);
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet"]).arg(option).arg(program);
    command.args(["search", game, "--depth", &depth.to_string(), "--threads", "1", "--json"]);
    // A database of the user's own would be another search.
    command.env("EMTEE_DATA", folder.join("no-data"));
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("valgrind: {error}"))?;
    if !output.status.success() {
        return Err(format!("{}: search {game} --depth {depth}: {}", program.display(), output.status));
    }
    let rows = String::from_utf8_lossy(&output.stdout);
    let visits =
        rows.lines().last().and_then(|row| serde_json::from_str::<serde_json::Value>(row).ok()?.get("nodes")?.as_u64());
    let visits = visits.ok_or_else(|| format!("search {game} --depth {depth} --json says nothing of nodes"))?;
    let text = fs::read_to_string(&out).map_err(|error| format!("cannot read {}: {error}", out.display()))?;
    let total = text.lines().rev().find_map(|line| line.strip_prefix("totals:"));
    let total = total.and_then(|total| total.trim().parse().ok());
    Ok((total.ok_or_else(|| format!("{} has no total", out.display()))?, visits))
}

/// A row for each search, one for all, and ratios to what was counted before: below 1 is less than then.
fn table(counts: &[Count], before: &[Count]) -> String {
    let mut rows = counts.to_vec();
    let sum = |of: &[Count]| Count {
        game: "all".into(),
        depth: 0,
        visits: of.iter().map(|count| count.visits).sum(),
        instructions: of.iter().map(|count| count.instructions).sum(),
        start_up: of.iter().map(|count| count.start_up).sum(),
    };
    let was: Option<Vec<Count>> = counts
        .iter()
        .map(|count| before.iter().find(|was| (&was.game, was.depth) == (&count.game, count.depth)).cloned())
        .collect();
    let was = was.filter(|was| !was.is_empty());
    rows.push(sum(counts));
    let mut text = format!(
        "{:<9} {:>5} {:>12} {:>16} {:>9} {:>9}",
        "game", "depth", "visits", "instructions", "a visit", "start-up"
    );
    if !before.is_empty() {
        text += "   visits  instructions  a visit, against before";
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
            a_visit(row)
        );
        let then = match row.depth {
            0 => was.as_deref().map(sum),
            _ => before.iter().find(|was| (&was.game, was.depth) == (&row.game, row.depth)).cloned(),
        };
        if let Some(then) = then {
            let ratio = |now: f64, then: f64| format!("{:.4}", now / then.max(1.0));
            let _ = write!(
                text,
                " {:>8} {:>13} {:>8}",
                ratio(row.visits as f64, then.visits as f64),
                ratio(row.instructions as f64, then.instructions as f64),
                ratio(a_visit(row), a_visit(&then))
            );
        }
    }
    text
}

fn a_visit(count: &Count) -> f64 {
    count.instructions as f64 / count.visits.max(1) as f64
}

/// `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
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
    fn ratios_are_to_what_was_before() {
        let now = [count("chess", 5, 10, 1_000), count("kalah", 8, 40, 4_000)];
        let before = [count("chess", 5, 20, 4_000), count("kalah", 8, 40, 4_000)];
        let lines: Vec<Vec<String>> =
            table(&now, &before).lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect();
        assert_eq!(lines[1].join(" "), "chess 5 10 1,000 100.0 50.0 % 0.5000 0.2500 0.5000");
        assert_eq!(lines[3].join(" "), "all 50 5,000 100.0 28.6 % 0.8333 0.6250 0.7500");
        // A game that was not counted before has no ratio, and neither has the sum.
        let lines = table(&now, &before[..1]);
        assert_eq!(lines.lines().nth(3).map(|line| line.ends_with('%')), Some(true), "{lines}");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
