//! `emtee match`: rows, records, resuming, and faulty opponents.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::{Folder, Run, column, command, emtee, words};

fn summary(run: &Run) -> serde_json::Value {
    let row = run.row();
    assert_eq!(row["summary"], true);
    row
}

#[test]
fn a_match_has_one_row_per_game_and_a_summary() {
    let line = "match connect4 mtd-f,seed=3 alpha-beta,depth=1 --games 6 --nodes 500 --json";
    let run = emtee(line);
    let rows = run.rows();
    assert_eq!(rows.len(), 7);
    let games = &rows[..6];
    for pair in games.chunks(2) {
        // The same opening with colours swapped.
        assert_eq!((&pair[0]["first"], &pair[0]["second"]), (&pair[1]["second"], &pair[1]["first"]));
        let opening = pair[0]["opening"].as_u64().unwrap() as usize;
        let opening_moves = |row: &serde_json::Value| row["moves"].as_array().unwrap()[..opening].to_vec();
        assert_eq!(opening_moves(&pair[0]), opening_moves(&pair[1]));
    }
    let summary = summary(&run);
    assert_eq!((&summary["games"], &summary["a"]), (&6.into(), &"mtd-f,seed=3".into()));
    let points: u64 = games.iter().map(|row| row["half_points"].as_u64().unwrap()).sum();
    let [wins, draws] = ["wins", "draws"].map(|field| summary[field].as_u64().unwrap());
    assert_eq!(2 * wins + draws, points);
    assert!(points >= 10, "depth 1 is no match for 500 nodes: {points}");
    let pairs: u64 = summary["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(pairs, 3);
    // With a node limit the games are repeatable, also with two concurrent ones.
    let again = emtee(&format!("{line} --concurrency 2"));
    let mut others = again.rows();
    others.pop();
    others.sort_by_key(|row| row["number"].as_u64());
    assert_eq!(column(&others, "moves"), column(games, "moves"));
}

#[test]
fn every_game_can_be_played_by_level_and_algorithm() {
    for game in ["chess", "othello", "checkers", "connect4", "kalah", "tictactoe"] {
        let run = emtee(&format!(
            "match {game} mtd-f,level=1,hash=1MB aspiration-negascout,depth=1,hash=1MB,selective=no --games 2 --longest 40 --json"
        ));
        let summary = summary(&run);
        assert_eq!((&summary["games"], &summary["forfeits"]), (&2.into(), &serde_json::json!([0, 0])), "{game}");
    }
}

#[test]
fn text_output_is_a_table() {
    let run = emtee("match tictactoe mtd-f minimax,depth=9 --games 2 --depth 9");
    assert_eq!(run.code, Some(2), "oracles do not play: {run:?}");
    let run = emtee("match tictactoe mtd-f alpha-beta --games 4 --depth 9 --sprt 0,100");
    let text = run.text();
    for part in [
        "tictactoe, depth 9",
        "mtd-f",
        "alpha-beta",
        "50.0 %",
        "Elo +0",
        "there is no interval",
        "SPRT 0,100,0.05,0.05: LLR",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn old_names_of_switches_are_accepted_with_a_warning() {
    let run = emtee("match tictactoe mtd-f,selective=all+-exchanges mtd-f --games 2 --nodes 50 --json");
    assert_eq!((run.code, run.stdout.lines().count()), (Some(0), 3), "{run:?}");
    let warning = "warning: 'exchanges' is now called see-pruning; the next version accepts only the new name";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
}

#[test]
fn a_decided_sprt_ends_the_match() {
    let run = emtee("match connect4 mtd-f,depth=6 mtd-f,depth=1 --games 1000 --sprt 0,300 --json");
    let summary = summary(&run);
    assert_eq!(summary["sprt"]["verdict"], "elo1");
    assert!(summary["games"].as_u64().unwrap() < 200);
}

#[test]
fn a_match_is_resumed() {
    let folder = Folder::new("match-resumes");
    let line = format!("match connect4 mtd-f alpha-beta,depth=2 --nodes 200 --out {}", folder.path("m"));
    let journal = folder.0.join("m/match.jsonl");
    assert_eq!(emtee(&format!("{line} --games 3 --json")).rows().len(), 4);
    let before = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(before.lines().count(), 4);
    // An incomplete line, as after a power failure.
    std::fs::write(&journal, format!("{before}{{\"game\":\"conn")).unwrap();
    let rows = emtee(&format!("{line} --games 6 --concurrency 2 --json")).rows();
    assert_eq!(rows.len(), 7);
    let after = std::fs::read_to_string(&journal).unwrap();
    assert!(after.starts_with(&before) && after.lines().count() == 7, "{after}");
    // All games are finished: none is played again, and the summary is the same.
    let again = emtee(&format!("{line} --games 6 --json")).rows();
    assert_eq!(again, rows);
    let games = std::fs::read_to_string(folder.0.join("m/games.txt")).unwrap();
    assert_eq!(games.matches("[Game \"connect4\"]").count(), 6);
    // A different match is refused in this folder.
    let run = emtee(&format!("{line} --games 6 --plies 2"));
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("holds another match (openings was"), "{}", run.stderr);
}

#[test]
fn games_are_saved_in_the_usual_formats() {
    let folder = Folder::new("match-saves");
    for (game, file) in [("chess", "games.pgn"), ("checkers", "games.pdn"), ("othello", "games.ggf")] {
        let out = folder.path(game);
        let line =
            format!("match {game} mtd-f,name=Ann alpha-beta,name=Bob --games 2 --depth 2 --longest 30 --out {out}");
        assert_eq!(emtee(&line).code, Some(0));
        let text = std::fs::read_to_string(folder.0.join(game).join(file)).unwrap();
        assert!(text.contains("Ann") && text.contains("Bob"), "{text}");
        match game {
            "chess" => {
                let games: Vec<_> = emtee_games::chess::pgn::games(&text).collect();
                assert!(games.len() == 2 && games.iter().all(Result::is_ok), "{text}");
            }
            "checkers" => assert_eq!(emtee_games::checkers::read_pdn(&text).unwrap().len(), 2),
            _ => {
                let games = text.lines().filter(|line| !line.is_empty());
                let read: Vec<emtee_games::othello::Ggf> = games.map(|line| line.parse().unwrap()).collect();
                assert_eq!(read.len(), 2);
            }
        }
    }
}

#[test]
fn a_kill_loses_no_finished_game() {
    let folder = Folder::new("match-killed");
    let line = format!("match connect4 mtd-f alpha-beta --nodes 3000 --games 100000 --json --out {}", folder.path("m"));
    let journal = folder.0.join("m/match.jsonl");
    let finished = || std::fs::read_to_string(&journal).map_or(0, |text| text.matches('\n').count());
    for kill in 1..=3 {
        let mut child = command(&words(&line)).stdout(Stdio::null()).spawn().unwrap();
        let (before, deadline) = (finished(), Instant::now() + Duration::from_secs(120));
        while finished() < before + 3 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        let kept = finished();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(kept >= 3 * kill, "{kept}");
        let games = kept.max(finished()) - 1;
        // The next run continues with all finished games.
        let rows = emtee(&line.replace("--games 100000", &format!("--games {games}"))).rows();
        assert_eq!(rows.len(), games + 1);
        let mut numbers: Vec<u64> = rows[..games].iter().map(|row| row["number"].as_u64().unwrap()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=games as u64).collect::<Vec<_>>());
    }
}

/// Faulty UCI engines.
#[cfg(unix)]
#[test]
fn a_faulty_engine_forfeits_and_the_match_continues() {
    let folder = Folder::new("match-faults");
    let hello = "while read w r; do case $w in uci) echo uciok;; isready) echo readyok;; quit) exit;; go)";
    for (name, answer, ending) in [
        ("dies", "exit 3", "died"),
        ("cheats", "echo bestmove e2e5", "illegal"),
        ("resigns", "echo bestmove", "illegal"),
        ("babbles", "echo info score cp 99999999999999999999 depth x pv; echo 'bestmove (none)'", "illegal"),
        ("dawdles", "sleep 0.4; echo bestmove e2e4", "overran"),
        ("sleeps", "sleep 60", "silent"),
    ] {
        let script = folder.file(name, format!("{hello} {answer};; esac; done"));
        let run = emtee(&format!(
            "match chess mtd-f,depth=1,hash=1MB cmd:sh␣{script},name=X --games 2 --time 20ms --plies 0 --json"
        ));
        let rows = run.rows();
        assert_eq!(rows.len(), 3, "{name}");
        for row in &rows[..2] {
            assert_eq!(
                (&row["ending"], &row["forfeit"], &row["half_points"]),
                (&ending.into(), &"X".into(), &2.into()),
                "{name}: {row}"
            );
        }
        assert_eq!(rows[2]["forfeits"], serde_json::json!([0, 2]), "{name}");
    }
}

/// `emtee engine` as an external opponent, in each protocol.
#[cfg(unix)]
#[test]
fn the_program_can_play_against_itself_through_a_protocol() {
    let program = env!("CARGO_BIN_EXE_emtee");
    for game in ["chess", "othello", "checkers"] {
        let run = emtee(&format!(
            "match {game} mtd-f,depth=1,hash=1MB cmd:{program}␣engine␣{game},depth=2,name=pipe --games 2 --longest 60 --json"
        ));
        let rows = run.rows();
        assert_eq!(rows[2]["forfeits"], serde_json::json!([0, 0]), "{game}: {rows:?}");
    }
}

#[test]
fn impossible_matches_are_refused() {
    for (line, message) in [
        ("match chess mtd-f", "<B> is missing"),
        ("match ches mtd-f sss", "did you mean 'chess'?"),
        ("match chess mtd-g sss", "did you mean 'mtd-f'?"),
        ("match chess mtd-f,hsh=1MB sss", "did you mean 'hash'?"),
        ("match chess mtd-f cmd:/no/such/engine", "'/no/such/engine' cannot be started"),
        ("match chess mtd-f hub:x", "programs for chess speak UCI, not Hub"),
        ("match kalah mtd-f cmd:x", "there is no protocol for kalah"),
        ("match chess mtd-f sss --clock soon", "write a clock like 10s+0.1s"),
        ("match chess mtd-f sss --time 1s --clock 1m", "--time"),
        ("match chess mtd-f sss --sprt 5", "elo0,elo1,alpha,beta"),
        ("match chess mtd-f sss --win-at often", "like 600:4"),
        ("match chess mtd-f sss --openings /no/such/file", "cannot read /no/such/file"),
        ("match chess mtd-f minimax", "does not use the game history"),
    ] {
        let run = emtee(line);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}: {run:?}");
        assert!(run.stderr.contains(message) && run.stderr.lines().count() == 1, "{line}: {}", run.stderr);
    }
}
