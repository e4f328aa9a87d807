//! `emtee engine` with scripts on standard input.

use crate::{emtee, emtee_reading};

#[test]
fn searches_of_a_script_are_finished() {
    for (line, script, found, answer) in [
        ("engine chess", "position startpos\ngo depth 6\n", "info depth 6 ", "\nbestmove "),
        ("engine checkers", "level depth=6\ngo think\n", "info depth=6 ", "\ndone move="),
        ("engine othello", "set depth 6\ngo\n", " 0 6\n", "\n=== "),
        ("engine kalah", "go depth 6\n", "info depth 6 ", "\nbestmove "),
        ("engine chess --algorithm alpha-beta", "go depth 3\n", "info depth 3 ", "\nbestmove "),
    ] {
        let run = emtee_reading(line, script.as_bytes());
        assert!(run.text().contains(found) && run.text().contains(answer), "{line}: {}", run.stdout);
    }
}

#[test]
fn an_infinite_search_stops_at_the_end_of_the_script() {
    for (line, script, answer) in [
        ("engine chess", "go infinite\n", "bestmove "),
        ("engine chess", "go depth 200\nquit\n", "bestmove "),
        ("engine checkers", "level infinite\ngo think\n", "done move="),
    ] {
        let run = emtee_reading(line, script.as_bytes());
        assert_eq!(run.text().matches(answer).count(), 1, "{line}: {}", run.stdout);
    }
}

/// Random bytes cause no panic, and exit code 0.
#[test]
fn random_bytes_are_ignored() {
    let bytes: Vec<u8> = (0..20_000u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    for game in ["chess", "checkers", "othello", "connect4"] {
        for script in [&bytes[..], b"", b"\n", b"\0", b"go", b"position fen"] {
            let run = emtee_reading(&format!("engine {game} --hash 1MB"), script);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{game}");
        }
    }
}

#[test]
fn an_evaluation_is_chosen_by_name() {
    let drawn = "chess --position k7/8/K7/P7/8/8/8/8␣w␣-␣-␣0␣1";
    let value = |more: &str| emtee(&format!("search {drawn} --depth 4 --json {more}")).row()["value"].as_i64();
    assert_eq!(value("--evaluator network"), Some(0));
    assert!(value("") > Some(50) && value("") == value("--evaluator own"));
    let go = b"position fen k7/8/K7/P7/8/8/8/8 w - - 0 1\ngo depth 4\n";
    assert!(emtee_reading("engine chess", go).text().contains("score cp 0 "));
    assert!(!emtee_reading("engine chess --evaluator own", go).text().contains("score cp 0 "));
    for line in
        ["search chess", "engine chess", "compare chess --depth 2"].map(|line| format!("{line} --evaluator none"))
    {
        let run = emtee(&line);
        let message = "error: chess has no evaluator 'none' here; choose own or network or learned:FILE\n";
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), message));
    }
    let run = emtee("match chess mtd-f,evaluator=none mtd-f --games 2 --nodes 10");
    assert_eq!((run.code, run.stderr.contains("choose own or network")), (Some(2), true), "{run:?}");
}
