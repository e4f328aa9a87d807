//! Real ranks, started by mpirun: their results are those of one machine, and if a rank fails or hangs, the job ends soon.

mod launch;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use launch::{Folder, Job, counted};

/// Two games, several kinds of runs, none of them timed; seconds of work.
const COUNTS: &str = r#"
title = "Ranks"
figures = [9, 10, 11, 12, "minimal-graph"]

[[game]]
name = "kalah"
depth = 6
positions = { random = 3, plies = 6 }

[[game]]
name = "connect4"
depth = 7
positions = { random = 2, plies = 4 }
"#;

/// Timed runs as well.
const TIMES: &str = r#"
title = "Times"
figures = [13]
algorithms = ["mtd-f"]

[study]
rounds = 1

[[game]]
name = "tictactoe"
depth = 5
positions = { random = 3, plies = 2 }
"#;

/// Long enough to be disturbed, even if the test has to wait for a core first.
const LONG: &str = r#"
title = "Disturbed"
figures = [11]

[[game]]
name = "connect4"
depth = 14
positions = { random = 20, plies = 4 }
"#;

fn experiment(folder: &Folder, toml: &str) -> PathBuf {
    let file = folder.path("experiment.toml");
    fs::write(&file, toml).unwrap();
    file
}

/// Runs an experiment on this many ranks, to its end.
fn run(ranks: usize, file: &Path, out: &Path) {
    let output = Job::new(ranks, &["experiment", file.to_str().unwrap(), "--out", out.to_str().unwrap()]).output();
    assert!(output.status.success(), "{}", output.stderr);
    assert!(output.stdout.contains("report.html"), "{}", output.stdout);
}

#[test]
fn an_experiment_on_three_ranks_has_the_rows_of_one_machine() {
    let folder = Folder::new("equal");
    let file = experiment(&folder, COUNTS);
    run(1, &file, &folder.path("one"));
    run(3, &file, &folder.path("three"));
    let (one, three) = (counted(&folder.path("one")), counted(&folder.path("three")));
    assert!(one.len() > 200, "{}", one.len());
    assert_eq!(one, three);
}

#[test]
fn timed_runs_name_their_host() {
    let folder = Folder::new("timed");
    let file = experiment(&folder, TIMES);
    run(3, &file, &folder.path("out"));
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let machines = launch::column(&folder.path("out"), "SELECT DISTINCT machine FROM runs WHERE kind = 'time'");
    assert_eq!(machines.len(), 1);
    assert!(machines[0].starts_with(&format!("{}: ", host.trim())), "{machines:?}");
}

#[test]
fn a_match_on_three_ranks_has_the_games_of_one_machine() {
    let games = |ranks: usize| {
        let arguments = ["match", "connect4", "mtd-f,depth=4", "alpha-beta,depth=3", "--games", "8", "--json"];
        let output = Job::new(ranks, &arguments).output();
        assert!(output.status.success(), "{}", output.stderr);
        let mut games: Vec<String> =
            output.stdout.lines().filter(|line| line.contains("\"moves\"")).map(game).collect();
        games.sort();
        games
    };
    let one = games(1);
    assert_eq!(one.len(), 8);
    assert_eq!(one, games(3));
}

/// A game without its time.
fn game(line: &str) -> String {
    let row: serde_json::Value = serde_json::from_str(line).unwrap();
    format!("{} {} {} {}", row["number"], row["first"], row["moves"], row["result"])
}

#[test]
fn errors_are_reported_once() {
    for (arguments, says) in [
        (vec!["experiment", "nowhere.toml"], "cannot read nowhere.toml"),
        (vec!["reproduce", "--scale", "huge"], "huge"),
        (vec!["match", "connect4", "mtd-f", "nobody"], "nobody"),
        (vec!["tree", "paper"], "this command is for one process"),
        (vec!["simulate", "checkers", "--real"], "--depth <N>"),
        (vec!["simulate", "connect4", "--depth", "4", "--position", "99"], "99"),
        (vec!["simulate", "connect4", "--real", "--depth", "4", "--set", "nowhere"], "connect4 has no sets"),
        (vec!["simulate", "connect4", "--real", "--depth", "4", "--position", "1212121"], "the game is over"),
        (vec!["simulate", "connect4", "--real", "--depth", "4", "--rest", "-1"], "--rest must be between"),
        (vec!["experimnet"], "did you mean 'experiment'"),
    ] {
        let output = Job::new(3, &arguments).output();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", output.stderr);
        assert_eq!(output.stderr.matches("error:").count(), 1, "{}", output.stderr);
        assert!(output.stderr.contains(says), "{}", output.stderr);
    }
}

/// The first search, which rank 0 makes alone, finds out that the tables do not fit into memory, unless they do.
#[test]
fn all_ranks_end_if_rank_0_cannot_search() {
    let output = Job::new(3, &["simulate", "checkers", "--real", "--depth", "3", "--entries", "4294967295"]).output();
    let refused = output.status.code() == Some(2) && output.stderr.matches("error:").count() == 1;
    assert!(output.status.success() || refused, "{}", output.stderr);
}

#[test]
fn ranks_with_other_arguments_are_refused_at_the_start() {
    let output =
        Job::two_kinds(&["match", "connect4", "mtd-f", "sss"], &["match", "connect4", "mtd-f", "dual"]).output();
    assert_eq!(output.status.code(), Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("rank 1 on ") && output.stderr.contains("has other arguments than rank 0"));
    assert_eq!(output.stderr.matches("error:").count(), 1, "{}", output.stderr);
}

/// Starts the long experiment on three ranks and disturbs it when some runs are in the database. Checks that it ends soon with
/// an error, that no run is lost, and that the same command continues to the rows of one machine.
fn disturbed(name: &str, disturb: impl Fn(&Job), says: &str) {
    let folder = Folder::new(name);
    let (file, out) = (experiment(&folder, LONG), folder.path("out"));
    let arguments = ["experiment", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let job = Job::new(3, &arguments).patience("2s").start();
    launch::wait_until(Duration::from_secs(60), || launch::runs(&out) >= 2);
    disturb(&job);
    let output = job.ends_within(Duration::from_secs(30));
    assert!(!output.status.success(), "{}", output.stdout);
    assert!(output.stderr.contains(says), "{}", output.stderr);
    let kept = launch::runs(&out);
    assert!(kept >= 2);
    run(3, &file, &out);
    assert!(launch::runs(&out) > kept, "it ended before it was disturbed");
    assert_eq!(&counted(&out), undisturbed());
}

/// The rows of the long experiment on one machine.
fn undisturbed() -> &'static Vec<String> {
    static ROWS: OnceLock<Vec<String>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let folder = Folder::new("undisturbed");
        let (file, out) = (experiment(&folder, LONG), folder.path("out"));
        run(1, &file, &out);
        counted(&out)
    })
}

#[test]
fn a_rank_that_is_killed_ends_the_job_and_loses_nothing() {
    disturbed("killed", |job| job.signal_rank(2, "KILL"), "the same command");
}

#[test]
fn a_rank_that_hangs_ends_the_job_and_loses_nothing() {
    disturbed("hung", |job| job.signal_rank(1, "STOP"), "rank 1 on ");
}

/// The message of rank 0 is not checked: the launcher may have stopped forwarding the output of its ranks by then.
#[test]
fn ctrl_c_ends_the_job_and_loses_nothing() {
    disturbed("interrupted", |job| job.signal("INT"), "");
}
