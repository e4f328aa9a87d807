//! `emtee experiment` and `merge`: results, parts, and interrupted runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::{Folder, Run, command, emtee, words};

const KALAH: &str = r#"
title = "MTD-f on Kalah"
figures = [9, 10, 11, 12, 14, "passes", "ordering", "minimal-graph", "grain"]
algorithms = ["mtd-f", "sss", "alpha-beta"]

[[game]]
name = "kalah"
depth = 5
positions = { random = 3, plies = 6 }

[study]
offsets = [-5, 0, 5]
grains = [1, 10]
minimal_entries = 65536

[search]
entries = 65536
"#;

/// The tables of a folder without the columns for time and machine.
fn tables(folder: &str) -> BTreeMap<&'static str, Vec<Json>> {
    let rows = |name: &str| -> Vec<Json> {
        let text = fs::read_to_string(Path::new(folder).join("data").join(format!("{name}.jsonl"))).expect("a table");
        let timeless = |line: &str| {
            let mut row: Json = serde_json::from_str(line).expect("an object");
            let columns = row.as_object_mut().expect("an object");
            columns.retain(|column, _| !["seconds", "machine"].contains(&column.as_str()));
            row
        };
        let rows: Vec<Json> = text.lines().map(timeless).collect();
        assert!(!rows.is_empty(), "{name} is empty");
        let csv = fs::read_to_string(Path::new(folder).join("data").join(format!("{name}.csv"))).expect("a table");
        assert_eq!(csv.lines().count(), rows.len() + 1, "a line of headings, then the same rows");
        rows
    };
    ["runs", "iterations", "passes", "heights", "minimal"].into_iter().map(|name| (name, rows(name))).collect()
}

#[test]
fn an_experiment_makes_figures_and_a_report() {
    let folder = Folder::new("lab-kalah");
    let file = folder.file("kalah.toml", KALAH);
    let out = folder.path("out");
    let run = emtee(&format!("experiment {file} --out {out}"));
    let text = run.text();
    assert!(
        text.starts_with("MTD-f on Kalah\n") && !text.contains("holds?"),
        "the claims of the paper are about other games: {text}"
    );
    assert!(text.lines().last().unwrap().starts_with("9 figures and the full report: "), "{text}");

    let page = fs::read_to_string(Path::new(&out).join("report.html")).unwrap();
    assert_eq!(page.matches("<figure ").count(), 9);
    assert!(page.matches("<svg ").count() >= 9 && !page.contains("id=\"claims\""));
    for part in ["commit: ", "compiler: rustc ", "date: 20"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("Kalah") && page.contains("prefers-color-scheme:dark") && page.contains("kalah"));
    let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
    for part in ["http:", "https:", "<script", "<link", "@import", "url("] {
        assert!(!elsewhere.contains(part), "the page is self-contained: {part}");
    }
    let text = fs::read_to_string(Path::new(&out).join("report.md")).unwrap();
    for drawing in text.lines().filter_map(|line| line.strip_prefix("![")?.split_once("](")?.1.strip_suffix(')')) {
        let svg = fs::read_to_string(Path::new(&out).join(drawing)).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{drawing}");
    }

    // In another folder the counts are identical; in the same folder no run is repeated.
    let again = folder.path("again");
    emtee(&format!("experiment {file} --out {again} --jobs 1")).text();
    assert_eq!(tables(&out), tables(&again));
    let seconds = || fs::read_to_string(Path::new(&out).join("data/iterations.csv")).unwrap();
    let before = seconds();
    // With `claims = true` the claims are tested.
    let file = folder.file("claims.toml", format!("claims = true\n{KALAH}"));
    let rows = emtee(&format!("experiment {file} --out {out} --json")).rows();
    assert_eq!(before, seconds());
    assert!(
        rows.iter().any(|row| row["claim"] == "MTD-f evaluates fewer leaves than Aspiration NegaScout: tuned"),
        "{rows:?}"
    );
    assert_eq!(rows.last().unwrap()["figures"].as_array().unwrap().len(), 9);
}

#[test]
fn merged_parts_equal_the_whole() {
    let folder = Folder::new("lab-parts");
    let file = folder.file("kalah.toml", KALAH);
    let whole = folder.path("whole");
    emtee(&format!("experiment {file} --out {whole}")).text();
    let mut parts = Vec::new();
    for part in 1..=4 {
        let out = folder.path(&format!("part{part}"));
        let run = emtee(&format!("experiment {file} --shard {part}/4 --out {out}"));
        assert!(run.text().contains(&format!("part {part} of 4: ")), "{run:?}");
        parts.push(out);
    }
    let merged = folder.path("merged");
    let run = emtee(&format!("merge {} {} --out {merged}", parts[0], parts[1]));
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("runs are in none of the parts"), "{run:?}");
    let parts = parts.join(" ");
    emtee(&format!("merge {parts} --out {merged}")).text();
    assert_eq!(tables(&whole), tables(&merged));
    // The reports, which have no times, are identical too.
    let report = |folder: &str| fs::read_to_string(Path::new(folder).join("report.md")).unwrap();
    assert_eq!(report(&whole), report(&merged));
}

#[test]
fn twenty_kills_do_not_change_the_results() {
    let folder = Folder::new("lab-killed");
    let file = folder.file("kalah.toml", KALAH.replace("depth = 5", "depth = 11").replace("random = 3", "random = 6"));
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    let start = Instant::now();
    emtee(&format!("experiment {file} --out {whole} --jobs 2")).text();
    let took = start.elapsed();
    let runs = || {
        let database = rusqlite::Connection::open(Path::new(&killed).join("results.sqlite")).ok()?;
        database.query_row("SELECT count(*) FROM runs", [], |row| row.get::<_, i64>(0)).ok()
    };
    let all = tables(&whole)["runs"].len() as i64;
    let mut seen = BTreeSet::new();
    for time in 0..20u32 {
        let mut child = command(&words(&format!("experiment {file} --out {killed} --jobs 2"))).spawn().unwrap();
        // Spread over the duration of the experiment, at different times.
        std::thread::sleep(took / 14 * (2 + time * time * 7 % 15) / 10);
        let _ = child.kill();
        child.wait().unwrap();
        seen.extend(runs().filter(|&runs| runs < all));
    }
    assert!(seen.len() > 2, "kills came at different numbers of finished runs: {seen:?} of {all}");
    emtee(&format!("experiment {file} --out {killed}")).text();
    assert_eq!(tables(&whole), tables(&killed));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_finished_runs() {
    let folder = Folder::new("lab-stopped");
    let file = folder.file("kalah.toml", KALAH.replace("depth = 5", "depth = 14"));
    let out = folder.path("out");
    let child = command(&words(&format!("experiment {file} --out {out}"))).spawn().unwrap();
    let database = Path::new(&out).join("results.sqlite");
    while !database.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    let killed = std::process::Command::new("sh").arg("-c").arg(format!("kill -INT {}", child.id())).status();
    assert!(killed.unwrap().success());
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.lines().count()), (Some(130), "", 1), "{run:?}");
    assert!(run.stderr.contains("run the same command again to continue"), "{run:?}");
}

fn refused(line: &str, message: &str) {
    let run = emtee(line);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.lines().count()), (Some(2), "", 1), "{line}: {run:?}");
    assert!(run.stderr.starts_with("error: ") && run.stderr.contains(message), "{line}: {run:?}");
}

#[test]
fn bad_input_is_refused_on_one_line() {
    let folder = Folder::new("lab-refused");
    let file = folder.file("kalah.toml", KALAH);
    let plain = folder.file("plain.txt", "not a folder");
    let out = folder.path("out");
    for (line, message) in [
        (format!("reproduce --scale papper --out {out}"), "there is no scale 'papper'; did you mean 'paper'?"),
        (format!("reproduce --figures 10,15 --out {out}"), "there is no figure '15'; did you mean '10'?"),
        (format!("reproduce --games otello --out {out}"), "did you mean 'othello'?"),
        (format!("reproduce --games , --out {out}"), "an experiment needs a [[game]]"),
        (format!("reproduce --figures , --out {out}"), "an experiment needs a figure"),
        (format!("reproduce --shard 5/4 --out {out}"), "write a part like 3/64"),
        (format!("reproduce --jobs 0 --out {out}"), "choose a whole number"),
        (format!("experiment {file} --out {plain}/below"), "cannot create the folder"),
        (format!("experiment {file} --out /dev/full"), "cannot create the folder"),
        (format!("experiment {file} --games chess --out {out}"), "did you mean 'kalah'?"),
        (format!("experiment {plain} --out {out}"), "plain.txt: line 1: "),
        (String::from("experiment no-such.toml"), "cannot read no-such.toml"),
        (format!("merge {out} --out {out}2"), "there is no database"),
        (format!("merge {plain} --out {out}2"), "is not an emtee results database"),
        (String::from("merge"), "--out"),
    ] {
        refused(&line, message);
    }
    for (change, message) in [
        (("kalah", "kala"), "there is no game 'kala'; did you mean 'kalah'?"),
        (("{ random = 3, plies = 6 }", "\"paper\""), "kalah has no sets of positions"),
        (("{ random = 3, plies = 6 }", "[\"nonsense\"]"), "'nonsense' is not a position of kalah"),
        (("\"sss\"", "\"sssss\""), "there is no algorithm 'sssss'"),
        (("depth = 5", "depth = 0"), "kalah: depth 0 is impossible"),
        (("entries = 65536", "entries = 0"), "a table of 0 entries is impossible"),
    ] {
        let file = folder.file("changed.toml", KALAH.replace(change.0, change.1));
        refused(&format!("experiment {file} --out {out}"), message);
    }
    assert!(!Path::new(&out).join("results.sqlite").exists(), "no database was created");
}

#[test]
fn a_database_of_another_version_is_not_changed() {
    let folder = Folder::new("lab-versions");
    let file = folder.file(
        "kalah.toml",
        KALAH.replace("[9, 10, 11, 12, 14, \"passes\", \"ordering\", \"minimal-graph\", \"grain\"]", "[11]"),
    );
    let out = folder.path("out");
    emtee(&format!("experiment {file} --out {out}")).text();
    let database = Path::new(&out).join("results.sqlite");
    let set = |name: &str, value: &str| {
        let connection = rusqlite::Connection::open(&database).unwrap();
        let was: String =
            connection.query_row("SELECT value FROM about WHERE name LIKE ?1", [name], |row| row.get(0)).unwrap();
        connection.execute("UPDATE about SET value = ?2 WHERE name LIKE ?1", [name, value]).unwrap();
        was
    };
    for (name, message) in [
        ("emtee", "was created by emtee 9.9 (tables 4), this is "),
        ("schema", "(tables 9.9), this is "),
        ("kalah%", "searches kalah"),
    ] {
        let was = set(name, "9.9");
        let before = fs::read(&database).unwrap();
        refused(&format!("experiment {file} --out {out}"), message);
        refused(&format!("merge {out} --out {out}2"), message);
        assert_eq!(fs::read(&database).unwrap(), before);
        set(name, &was);
    }
    emtee(&format!("experiment {file} --out {out}")).text();
    let other = folder.path("other");
    fs::create_dir(&other).unwrap();
    fs::write(
        Path::new(&other).join("results.sqlite"),
        "something else altogether, and long enough to be read as a file",
    )
    .unwrap();
    refused(&format!("experiment {file} --out {other}"), "is not a results database");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("lab-full");
    let file = folder.file("kalah.toml", KALAH);
    let (out, whole) = (folder.path("out"), folder.path("whole"));
    let program = env!("CARGO_BIN_EXE_emtee");
    // `ulimit -f` limits files to this number of 512-byte blocks; its signal is ignored, so that writes fail as on a full disk.
    let full = |blocks: u32| {
        let line = format!("trap '' XFSZ; ulimit -f {blocks}; exec {program} experiment {file} --out {out}");
        Run::of(std::process::Command::new("sh").arg("-c").arg(line).output().unwrap())
    };
    for blocks in [8, 60, 120] {
        let run = full(blocks);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.lines().count()), (Some(1), "", 1), "{blocks}: {run:?}");
        assert!(run.stderr.starts_with("error: cannot "), "{run:?}");
    }
    emtee(&format!("experiment {file} --out {out}")).text();
    emtee(&format!("experiment {file} --out {whole}")).text();
    assert_eq!(tables(&out), tables(&whole));
}
