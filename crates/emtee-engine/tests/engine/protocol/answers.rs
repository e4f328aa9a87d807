//! What is said, and when: scores, counts and refusals.

use super::*;

/// The number behind a word of a line.
fn number(line: &str, word: &str) -> Option<u64> {
    line.split_whitespace().skip_while(|other| *other != word).nth(1)?.parse().ok()
}

const LIVELY: &str = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn seldepth_is_how_far_lines_were_followed() {
    let talk = Talk::about("chess");
    talk.say(LIVELY);
    talk.say("go depth 8");
    let lines = talk.until("bestmove");
    let depths: Vec<[u64; 2]> =
        lines.iter().filter_map(|line| Some([number(line, "depth")?, number(line, "seldepth")?])).collect();
    assert!(depths.iter().all(|[depth, deepest]| (depth..=&(2 * depth)).contains(&deepest)), "{depths:?}");
    assert!(depths.iter().any(|[depth, deepest]| deepest > depth), "checks are followed further: {depths:?}");
    // A line that a mate ends early says nothing of how far others went.
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    talk.say("go depth 4");
    let last = talk.until("bestmove").into_iter().rev().find(|line| line.starts_with("info depth")).unwrap();
    assert!(number(&last, "seldepth") >= Some(4), "{last}");
    talk.say("setoption name Selective value false");
    talk.say(LIVELY);
    talk.say("go depth 4");
    for line in talk.until("bestmove").iter().filter(|line| line.starts_with("info depth")) {
        assert_eq!(number(line, "seldepth"), number(line, "depth"), "every line ends at one depth: {line}");
    }
    talk.end();
}

#[test]
fn nodes_and_time_never_run_backwards_and_root_moves_are_told_after_a_second() {
    let talk = Talk::about("chess");
    talk.say(LIVELY);
    talk.say("go movetime 2500");
    let lines = talk.until("bestmove");
    let rows: Vec<&String> = lines.iter().filter(|line| line.contains(" score ")).collect();
    for word in ["nodes", "time"] {
        let numbers: Vec<u64> = rows.iter().filter_map(|line| number(line, word)).collect();
        assert_eq!(numbers.len(), rows.len());
        assert!(numbers.is_sorted(), "{word}: {lines:#?}");
    }
    let nodes = |line: &str| number(line, "nodes").unwrap();
    for pair in rows.windows(2).filter(|pair| pair[1].contains("bound")) {
        assert!(nodes(pair[1]) > nodes(pair[0]), "the nodes of the pass are counted: {pair:?}");
    }
    let first = lines.iter().position(|line| line.contains(" currmove ")).expect("it thinks for more than a second");
    let before = lines[..first].iter().filter_map(|line| number(line, "time")).max();
    assert!(before.is_some() && lines[first].contains(" currmovenumber "), "{lines:#?}");
    assert!(number(&lines[first], "depth") >= Some(5), "{}", lines[first]);
    talk.say("go movetime 300");
    assert!(talk.until("bestmove").iter().all(|line| !line.contains("currmove")), "not before");
    talk.end();
}

#[test]
fn no_move_is_told_for_a_position_that_was_refused() {
    let talk = Talk::about("chess");
    for refused in ["position startpos moves e2e5", "position fen 8/8/8/8 w - - 0 1", "position nowhere"] {
        talk.say("position startpos");
        talk.say(refused);
        talk.expect("info string ");
        talk.say("go depth 2");
        let lines = talk.until("bestmove");
        assert_eq!(lines, ["info string the last position was refused, and there is no other", "bestmove (none)"]);
    }
    talk.say("position startpos moves e2e4");
    talk.say("go depth 1");
    assert!(!talk.expect("bestmove").contains("none"));
    talk.end();

    let talk = Talk::about("checkers");
    talk.say("level depth=1");
    talk.say("pos pos=nonsense");
    talk.expect("error message=");
    talk.say("go think");
    assert_eq!(talk.until("done"), ["error message=\"the last position was refused, and there is no other\"", "done"]);
    talk.say("pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
    talk.say("go think");
    talk.expect("done move=");
    talk.end();

    let talk = Talk::about("othello");
    talk.say("set depth 1");
    for refused in ["set game nonsense", "move A1"] {
        talk.say("set game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[10]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)");
        talk.say(refused);
        talk.expect("status ");
        for go in ["go", "hint 1", "analyze", "move F5"] {
            talk.say(go);
            assert_eq!(talk.expect("status"), "status the last position was refused: set game comes first", "{go}");
        }
    }
    talk.end();
}

#[test]
fn a_game_that_is_over_has_a_score() {
    let talk = Talk::about("chess");
    for (fen, score) in [("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "mate 0"), ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "cp 0")] {
        talk.say(format!("position fen {fen}"));
        for go in ["go depth 3", "go movetime 10"] {
            talk.say(go);
            let lines = talk.until("bestmove (none)");
            let begin = format!("info depth 0 seldepth 0 multipv 1 score {score} ");
            assert!(lines.len() == 2 && lines[0].starts_with(&begin), "{lines:?}");
        }
    }
    talk.end();
}

#[test]
fn whoever_speaks_the_other_protocol_is_told() {
    let talk = Talk::about("chess");
    talk.say("xboard");
    assert!(talk.expect("tellusererror ").contains("UCI"));
    talk.say("uci");
    talk.expect("uciok");
    talk.end();
}

#[test]
fn chances_are_shown_to_whoever_wants_them() {
    let talk = Talk::about("chess");
    talk.say("uci");
    assert!(talk.until("uciok").contains(&String::from("option name UCI_ShowWDL type check default false")));
    talk.say("go depth 3");
    assert!(talk.until("bestmove").iter().all(|line| !line.contains(" wdl ")));
    talk.say("setoption name UCI_ShowWDL value true");
    let chances = |fen: &str| {
        talk.say(format!("position fen {fen}"));
        talk.say("go depth 4");
        let line = talk.until("bestmove").into_iter().rev().find(|line| line.contains(" wdl ")).unwrap();
        let words = line.split(" wdl ").nth(1).unwrap().split(' ').take(3);
        let [win, draw, loss] = words.map(|word| word.parse::<u32>().unwrap()).collect::<Vec<_>>()[..] else {
            panic!()
        };
        assert_eq!(win + draw + loss, 1_000, "{line}");
        [win, draw, loss]
    };
    let [win, draw, loss] = chances("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(draw > win && win > 0 && loss > 0 && win.abs_diff(loss) < 200, "{win} {draw} {loss}");
    let [win, _, loss] = chances("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNB1KBNR w KQkq - 0 1");
    assert!(loss > 900 && win < 10, "{win} {loss}");
    assert_eq!(chances("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), [1_000, 0, 0]);
    assert_eq!(chances("7k/8/5KQ1/8/8/8/8/8 b - - 0 1"), [0, 1_000, 0]);
    assert_eq!(chances("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"), [0, 0, 1_000]);
    talk.end();

    let talk = Talk::with("kalah", |setup| setup.protocol = Some(Protocol::Uci));
    talk.say("uci");
    assert!(talk.until("uciok").iter().all(|line| !line.contains("UCI_ShowWDL")), "nobody has counted");
    talk.say("setoption name UCI_ShowWDL value true");
    talk.expect("info string there is no option 'UCI_ShowWDL'");
    talk.end();
}

#[test]
fn in_analysis_it_is_as_strong_as_it_can_be() {
    let talk = Talk::about("chess");
    talk.say("setoption name UCI_LimitStrength value true");
    talk.say("setoption name UCI_Elo value 1000");
    let most = || {
        talk.say("go nodes 20000");
        talk.until("bestmove").iter().filter_map(|line| number(line, "nodes")).max()
    };
    assert!(most() <= Some(2_000));
    talk.say("setoption name UCI_AnalyseMode value true");
    assert!(most() > Some(5_000));
    talk.say("setoption name UCI_AnalyseMode value false");
    assert!(most() <= Some(2_000));
    talk.say("setoption name UCI_AnalyseMode value perhaps");
    talk.expect("info string UCI_AnalyseMode is true or false");
    talk.end();
}
