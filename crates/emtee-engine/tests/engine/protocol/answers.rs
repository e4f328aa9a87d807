//! Answers: scores, counts and refusals.

use super::*;

/// The number after a word in a line.
fn number(line: &str, word: &str) -> Option<u64> {
    line.split_whitespace().skip_while(|other| *other != word).nth(1)?.parse().ok()
}

const TACTICAL: &str = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn seldepth_is_the_greatest_distance_searched() {
    let session = Session::new("chess");
    session.send(TACTICAL);
    session.send("go depth 8");
    let lines = session.until("bestmove");
    let depths: Vec<[u64; 2]> =
        lines.iter().filter_map(|line| Some([number(line, "depth")?, number(line, "seldepth")?])).collect();
    assert!(depths.iter().all(|[depth, deepest]| (depth..=&(2 * depth)).contains(&deepest)), "{depths:?}");
    assert!(depths.iter().any(|[depth, deepest]| deepest > depth), "checks are followed further: {depths:?}");
    // A mate that ends a line early does not limit how far other lines were searched.
    session.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    session.send("go depth 4");
    let last = session.until("bestmove").into_iter().rev().find(|line| line.starts_with("info depth")).unwrap();
    assert!(number(&last, "seldepth") >= Some(4), "{last}");
    session.send("setoption name Selective value false");
    session.send(TACTICAL);
    session.send("go depth 4");
    for line in session.until("bestmove").iter().filter(|line| line.starts_with("info depth")) {
        assert_eq!(number(line, "seldepth"), number(line, "depth"), "every line ends at one depth: {line}");
    }
    session.end();
}

#[test]
fn nodes_and_time_increase_and_root_moves_are_shown_after_a_second() {
    let session = Session::new("chess");
    session.send(TACTICAL);
    session.send("go movetime 2500");
    let lines = session.until("bestmove");
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
    let first = lines.iter().position(|line| line.contains(" currmove ")).expect("the search takes more than a second");
    let before = lines[..first].iter().filter_map(|line| number(line, "time")).max();
    assert!(before.is_some() && lines[first].contains(" currmovenumber "), "{lines:#?}");
    assert!(number(&lines[first], "depth") >= Some(5), "{}", lines[first]);
    session.send("go movetime 300");
    assert!(session.until("bestmove").iter().all(|line| !line.contains("currmove")), "not before");
    session.end();
}

#[test]
fn there_is_no_move_for_a_refused_position() {
    let session = Session::new("chess");
    for refused in ["position startpos moves e2e5", "position fen 8/8/8/8 w - - 0 1", "position nowhere"] {
        session.send("position startpos");
        session.send(refused);
        session.expect("info string ");
        session.send("go depth 2");
        let lines = session.until("bestmove");
        assert_eq!(
            lines,
            ["info string the last position was refused, so there is nothing to search", "bestmove (none)"]
        );
    }
    session.send("position startpos moves e2e4");
    session.send("go depth 1");
    assert!(!session.expect("bestmove").contains("none"));
    session.end();

    let session = Session::new("checkers");
    session.send("level depth=1");
    session.send("pos pos=nonsense");
    session.expect("error message=");
    session.send("go think");
    assert_eq!(
        session.until("done"),
        ["error message=\"the last position was refused, so there is nothing to search\"", "done"]
    );
    session.send("pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
    session.send("go think");
    session.expect("done move=");
    session.end();

    let session = Session::new("othello");
    session.send("set depth 1");
    for refused in ["set game nonsense", "move A1"] {
        session.send("set game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[10]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)");
        session.send(refused);
        session.expect("status ");
        for go in ["go", "hint 1", "analyze", "move F5"] {
            session.send(go);
            assert_eq!(session.expect("status"), "status the last position was refused: set game comes first", "{go}");
        }
    }
    session.end();
}

#[test]
fn a_game_that_is_over_has_a_score() {
    let session = Session::new("chess");
    for (fen, score) in [("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "mate 0"), ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "cp 0")] {
        session.send(format!("position fen {fen}"));
        for go in ["go depth 3", "go movetime 10"] {
            session.send(go);
            let lines = session.until("bestmove (none)");
            let prefix = format!("info depth 0 seldepth 0 multipv 1 score {score} ");
            assert!(lines.len() == 2 && lines[0].starts_with(&prefix), "{lines:?}");
        }
    }
    session.end();
}

#[test]
fn cecp_is_refused_with_a_message() {
    let session = Session::new("chess");
    session.send("xboard");
    assert!(session.expect("tellusererror ").contains("UCI"));
    session.send("uci");
    session.expect("uciok");
    session.end();
}

#[test]
fn wdl_is_shown_on_request() {
    let session = Session::new("chess");
    session.send("uci");
    assert!(session.until("uciok").contains(&String::from("option name UCI_ShowWDL type check default false")));
    session.send("go depth 3");
    assert!(session.until("bestmove").iter().all(|line| !line.contains(" wdl ")));
    session.send("setoption name UCI_ShowWDL value true");
    let chances = |fen: &str| {
        session.send(format!("position fen {fen}"));
        session.send("go depth 4");
        let line = session.until("bestmove").into_iter().rev().find(|line| line.contains(" wdl ")).unwrap();
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
    session.end();

    let session = Session::with("kalah", |setup| setup.protocol = Some(Protocol::Uci));
    session.send("uci");
    assert!(session.until("uciok").iter().all(|line| !line.contains("UCI_ShowWDL")), "not measured");
    session.send("setoption name UCI_ShowWDL value true");
    session.expect("info string there is no option 'UCI_ShowWDL'");
    session.end();
}

#[test]
fn analysis_uses_full_strength() {
    let session = Session::new("chess");
    session.send("setoption name UCI_LimitStrength value true");
    session.send("setoption name UCI_Elo value 1000");
    let most = || {
        session.send("go nodes 20000");
        session.until("bestmove").iter().filter_map(|line| number(line, "nodes")).max()
    };
    assert!(most() <= Some(2_000));
    session.send("setoption name UCI_AnalyseMode value true");
    assert!(most() > Some(5_000));
    session.send("setoption name UCI_AnalyseMode value false");
    assert!(most() <= Some(2_000));
    session.send("setoption name UCI_AnalyseMode value perhaps");
    session.expect("info string UCI_AnalyseMode is true or false");
    session.end();
}
