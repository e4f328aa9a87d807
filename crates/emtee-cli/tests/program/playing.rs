//! `emtee play` with scripts on standard input.

use serde_json::Value as Json;

use crate::{Folder, Run, emtee, emtee_reading};

fn play(line: &str, script: &str) -> Run {
    emtee_reading(&format!("play {line}"), script.as_bytes())
}

#[test]
fn a_game_can_be_played_and_quit() {
    let run = play("tictactoe --level 1 --seed 1", "5\nquit\n");
    let text = run.text();
    for part in ["level 1 of 10", "O plays ", "bye"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    // The end of the input quits too.
    assert!(play("tictactoe --seed 1", "5\n").text().ends_with("bye\n"));
    assert!(play("chess", "").text().contains("bye"));
}

#[test]
fn both_sides_can_be_played_and_the_result_is_shown() {
    let run = play("chess --side both", "f3\ne5\ng4\nqh4\nmoves\ne4\nundo\nqh5\nquit\n");
    let text = run.text();
    for part in ["Black wins\n", "no legal moves", "the game is over", "no queen of yours can go to h5"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let run = play("connect4 --side both", "1\n2\n1\n2\n1\n2\n1\n");
    assert!(run.text().ends_with("\nX wins\nbye\n"), "the winner is shown once: {}", run.text());
    assert_eq!(run.text().matches("to move").count(), 7, "no side is to move after the end: {}", run.text());
}

#[test]
fn the_engine_can_play_both_sides() {
    let run = play("othello --side none --level 1 --seed 4 --json", "");
    let rows = run.rows();
    let moves = rows.iter().filter(|row| row["by"] == "emtee").count();
    assert!(moves >= 20, "{moves}");
    let last = rows.iter().rev().find(|row| row["result"].is_string()).unwrap();
    assert_eq!(last["why"], "by the rules");
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let game = |seed: u32| play(&format!("kalah --side none --level 2 --seed {seed} --json"), "").stdout;
    assert_eq!(game(7), game(7));
    assert!((1..6).any(|seed| game(seed) != game(7)));
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = Folder::new("play-saves");
    for (game, moves, file) in [
        ("chess", "e4\n", "g.pgn"),
        ("checkers", "11-15\n", "g.pdn"),
        ("othello", "f5\n", "g.ggf"),
        ("kalah", "1\n", "g.txt"),
    ] {
        let path = folder.path(file);
        let run = play(&format!("{game} --level 1 --seed 2"), &format!("{moves}save {path}\nposition\n"));
        assert!(run.text().contains(&format!("saved as {path}")), "{}", run.stdout);
        let position = |text: &str| text.lines().rev().nth(1).unwrap().to_owned();
        let loaded = play(&format!("{game} --side both --load {path}"), "position\n");
        assert_eq!(position(loaded.text()), position(run.text()), "{game}");
        let loaded = play(&format!("{game} --side both"), &format!("load {path}\nposition\n"));
        assert_eq!(position(loaded.text()), position(run.text()), "{game}");
    }
    let bad = play("chess", "load /no/such/file\nsave\nsave /no/such/folder/x\nload\nquit\n");
    for part in ["cannot read /no/such/file", "which file?", "cannot write /no/such/folder/x"] {
        assert!(bad.text().contains(part), "{part} is not in {}", bad.stdout);
    }
    let run = emtee("play chess --load /no/such/file");
    assert_eq!(run.code, Some(2));
}

#[test]
fn commands_work() {
    let script = "help\nhint\neval\nlevel\nlevel 2\nlevel 99\nflip\nboard\nundo\ndraw\ngo\nresign\nresign\nnew\nquit\n";
    let run = play("connect4 --seed 1 --level 1", script);
    let text = run.text();
    for part in [
        "take your last move back",
        "show or hide the search result",
        "best move: 4",
        ", depth ",
        "the engine plays at level 1 of 10",
        "the engine now plays at level 2 of 10",
        "'99' is not a level",
        "no move to take back",
        "the engine declines the draw",
        "X plays ",
        "by resignation",
        "the game is over already",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn undo_returns_to_the_user() {
    let run = play("chess --level 1 --seed 1 --json", "e4\nundo\nposition\nquit\n");
    let rows: Vec<Json> = run.rows();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(rows.iter().any(|row| row["message"] == start), "{rows:?}");
}

#[test]
fn clocks_are_shown_and_can_run_out() {
    assert!(play("chess --side both --clock 5m+3s", "").text().contains("clocks: White 5:00, Black 5:00"));
    let run = play("chess --side none --clock 1ms --level 6 --seed 1", "");
    assert!(run.text().contains("wins on time"), "{}", run.stdout);
}

#[test]
fn impossible_games_are_refused() {
    for (line, message) in [
        ("play ches", "did you mean 'chess'?"),
        ("play chess --level 0", "choose a number from 1 to 10"),
        ("play chess --level 3 --time 1s", "--time"),
        ("play chess --threads 2", "--threads needs --time"),
        ("play chess --threads 2 --level 4", "--threads needs --time"),
        ("play chess --side left", "first, second, both or none"),
        ("play chess --position nonsense", "is not a position of chess"),
        ("play chess --algorithm minimax", "does not use the game history"),
    ] {
        let run = emtee(line);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}: {run:?}");
        assert!(run.stderr.contains(message) && run.stderr.lines().count() == 1, "{line}: {}", run.stderr);
    }
}

#[test]
fn any_input_has_a_reply() {
    let run = play("checkers --level 1 --seed 1", "é\n\u{7}\n9999999999-1\n--\nxx\n1-1-1-1\n   \n\\\nquit now\n");
    assert!(run.text().matches("neither a legal move nor a command").count() >= 4, "{}", run.stdout);
    let long = "x".repeat(100_000);
    assert!(play("kalah --level 1", &format!("{long}\nquit\n")).text().contains("bye"));
}

#[test]
fn errors_give_reasons_and_close_suggestions() {
    let check = |game: &str, script: &str, reason: &str| {
        let run = play(&format!("{game} --side both"), script);
        assert!(run.text().contains(reason), "{script:?}: {reason} is not in {}", run.text());
    };
    check("chess", "O-O\n", "you cannot castle: there is a piece in between");
    check("chess", "e4\nf6\nqh5\na6\n", "your king is in check and would still be");
    check("tictactoe", "5\n5\n", "that square is taken");
    check("othello", "d4\n", "that square is taken");
    check("checkers", "11-15\n22-18\n12-16\n", "you must capture: 15x22");
    check("kalah", "3\n3\n", "your pit 3 is empty");
    let run = play("chess --side both", "zzz\n");
    assert!(run.text().contains("try 'help' or 'moves'") && !run.text().contains("did you mean"), "{}", run.text());
}

#[test]
fn info_shows_the_search_result() {
    let run = play("kalah --level 2 --seed 1", "info\n1\ninfo\nquit\n");
    let line = run.text().lines().find(|line| line.starts_with("depth ")).unwrap_or_else(|| panic!("{}", run.text()));
    assert!(line.contains(" nodes in ") && (line.contains(" for ") || line.contains("even")), "{line}");
    assert!(run.text().contains("the search result is hidden"));
}

#[test]
fn moves_are_listed_in_order() {
    let run = play("checkers --side both", "moves\n");
    assert!(run.text().contains("9-13 9-14 10-14 10-15 11-15 11-16 12-16"), "{}", run.text());
    let run = play("chess --side both", "moves\n");
    assert!(run.text().contains("a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4 Na3 Nc3 Nf3 Nh3"), "{}", run.text());
}

#[test]
fn several_threads_play_too() {
    let run = play("connect4 --time 30ms --threads 2", "4\nquit\n");
    assert!(run.text().contains("O plays "), "{}", run.text());
}

/// The first Ctrl-C makes the engine move at once, the second one saves the game and quits.
#[cfg(unix)]
#[test]
fn ctrl_c_makes_the_engine_move_and_then_saves_the_game() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let folder = Folder::new("play-interrupted");
    // Plays a move once the board is shown: from then on the handler of the game is installed.
    let start = || {
        let mut command = crate::command(&["play", "chess", "--time", "600s", "--book", "none"]);
        command.current_dir(folder.path("")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.any(|line| line.contains("White to move")));
        child.stdin.as_mut().unwrap().write_all(b"e4\n").unwrap();
        (child, lines)
    };
    let interrupt = |id: u32| {
        std::thread::sleep(Duration::from_millis(4_000));
        assert!(Command::new("kill").args(["-INT", &id.to_string()]).status().unwrap().success());
    };
    let (mut child, mut lines) = start();
    interrupt(child.id());
    assert!(lines.any(|line| line.contains("Black plays ")), "the engine moves before its time is used");
    drop(child.stdin.take());
    let _ = child.wait();

    let (mut child, mut lines) = start();
    interrupt(child.id());
    assert!(lines.any(|line| line.contains("Black plays ")));
    // `wait` closes the standard input of the child, which would quit by itself then.
    let stdin = child.stdin.take();
    interrupt(child.id());
    let status = child.wait().unwrap();
    drop(stdin);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((status.code(), stderr.as_str()), (Some(130), "game saved as chess-1.pgn\n"));
    let saved = std::fs::read_to_string(folder.path("chess-1.pgn")).unwrap();
    assert!(saved.contains("1. e4 "), "{saved}");
}
