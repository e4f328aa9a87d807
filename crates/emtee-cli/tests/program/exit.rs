//! Exit codes with closed pipes, Ctrl-C, full disks and little memory; colours; repeatable counts.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::{Run, command, emtee, words};

/// A search that takes hours.
const ENDLESS: &str = "search connect4 --depth 200 --json";

/// Starts the program and reads the first line it prints.
fn started(line: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = command(&words(line)).spawn().expect("the program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    lines.read_line(&mut first).expect("a line");
    assert!(first.ends_with('\n'), "{first}");
    (child, lines)
}

/// Waits for the program to exit, for a minute at most.
fn wait_for_exit(mut child: Child) -> Run {
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it can be killed");
            panic!("the program still runs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Run::of(child.wait_with_output().expect("its output"))
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    for line in [
        "perft connect4 --depth 6 --json",
        "perft connect4 --depth 6",
        "search connect4 --depth 6",
        "compare tictactoe --depth 5 --json",
        "tree paper",
        "check tictactoe",
        "--help",
        "search --help",
    ] {
        let mut child = command(&words(line)).spawn().unwrap();
        drop(child.stdout.take());
        let run = wait_for_exit(child);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn a_search_without_a_reader_stops() {
    let (child, lines) = started(ENDLESS);
    drop(lines);
    let run = wait_for_exit(child);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn control_c_exits_130() {
    for line in [ENDLESS, "perft connect4 --depth 40"] {
        let (child, _lines) = started(line);
        let killed = std::process::Command::new("sh").arg("-c").arg(format!("kill -INT {}", child.id())).status();
        assert!(killed.unwrap().success());
        let run = wait_for_exit(child);
        assert_eq!((run.code, run.stderr.as_str()), (Some(130), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_without_a_panic() {
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let run = Run::of(command(&words("perft kalah --depth 3")).stdout(full()).output().unwrap());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.starts_with("error: cannot write the output: "), "{run:?}");
    assert_eq!(run.stderr.lines().count(), 1);
    // If the error cannot be written either, the exit code remains.
    let run = Run::of(command(&["search", "bridge"]).stderr(full()).output().unwrap());
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
}

/// The stacks of 256 threads do not fit into the memory. The threads that have started must end, though the search takes hours.
#[cfg(target_os = "linux")]
#[test]
fn a_thread_that_cannot_start_is_an_error() {
    let program = env!("CARGO_BIN_EXE_emtee");
    let search = "search othello --depth 28 --step 10 --threads 256 --entries 1024";
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(format!("ulimit -v 350000; exec '{program}' {search}"));
    let run = wait_for_exit(shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let message = "error: the system could not start another thread; choose fewer\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), message));
}

#[test]
fn output_to_a_pipe_has_no_colours() {
    let lines = [
        "compare tictactoe --depth 4",
        "search kalah --depth 4 --top 2",
        "tree paper",
        "perft kalah --depth 2",
        "check tictactoe",
        "--help",
    ];
    for line in lines {
        assert!(!emtee(line).text().contains('\x1b'), "{line}");
        let coloured = |no_color: bool| {
            let mut command = command(&words(line));
            command.env("CLICOLOR_FORCE", "1");
            if no_color {
                command.env("NO_COLOR", "1");
            }
            Run::of(command.output().unwrap()).stdout.contains('\x1b')
        };
        assert!(coloured(false), "{line} has colours with CLICOLOR_FORCE");
        assert!(!coloured(true), "{line} has no colours with NO_COLOR");
    }
    let refused = Run::of(command(&["search", "bridge"]).output().unwrap());
    assert!(!refused.stderr.contains('\x1b'));
}

#[test]
fn counts_are_repeatable() {
    for game in ["tictactoe", "kalah"] {
        let counts = || -> Vec<(Json, Json, Json)> {
            let rows = emtee(&format!("bench {game} --json")).rows();
            rows.iter().map(|row| (row["nodes"].clone(), row["nbp"].clone(), row["signature"].clone())).collect()
        };
        let once = counts();
        assert_eq!(once.len(), 2);
        assert_eq!(once[0].0, once[1].2, "the signature of one game is its nodes");
        assert!(once[0].0.as_u64().unwrap() > 1_000);
        assert_eq!(once, counts());
    }
    let counted = |_| {
        let mut row = emtee("search connect4 --depth 8 --json").row();
        row["seconds"] = Json::Null;
        row
    };
    let [once, again] = [(), ()].map(counted);
    assert_eq!(once, again);
}

#[test]
fn every_game_keeps_the_laws() {
    for game in ["connect4", "kalah", "tictactoe"] {
        let row = emtee(&format!("check {game} --json")).row();
        assert_eq!((&row["game"], &row["ok"]), (&Json::from(game), &Json::from(true)));
        assert!(row["positions"].as_u64().unwrap() > row["keys"].as_u64().unwrap());
        assert!(
            emtee(&format!("check {game} --games 5 --depth 2")).text().starts_with(&format!("{game} obeys the laws: "))
        );
    }
    // From another position, with another seed.
    emtee("check connect4 --moves 4␣4 --games 10 --seed 7 --depth 3").text();
}
