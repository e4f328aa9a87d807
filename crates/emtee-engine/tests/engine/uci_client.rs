//! The commands sent to external engines.

use std::time::Duration;

use emtee_engine::Registry;
use emtee_engine::arena::{Clocks, GameSoFar, Limits};
use emtee_engine::internals::{uci_go as go, uci_position as position};

#[test]
fn commands_follow_the_uci_protocol() {
    let registry = Registry::standard();
    let start = registry.get("chess").unwrap().start();
    let now = start.after("e2e4").unwrap();
    let moves = [String::from("e2e4")];
    let game = GameSoFar { start: start.as_ref(), from_start: true, moves: &moves, current: now.as_ref() };
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(position(&game), format!("position fen {fen} moves e2e4"));
    let seconds = Duration::from_secs;
    let clocks = Clocks { left: [seconds(10), seconds(9)], increment: Duration::from_millis(100) };
    let limits = Limits { clocks: Some(clocks), ..Limits::default() };
    assert_eq!(go(&limits), "go wtime 10000 btime 9000 winc 100 binc 100");
    let limits = Limits { move_time: Some(seconds(1)), depth: Some(7), nodes: Some(5), ..Limits::default() };
    assert_eq!(go(&limits), "go movetime 1000 depth 7 nodes 5");
    assert_eq!(go(&Limits::default()), "go infinite");
}
