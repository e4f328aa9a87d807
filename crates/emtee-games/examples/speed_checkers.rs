//! How fast the rules of checkers are, beside those of chess in the same run:
//! `cargo run --release -p emtee-games --example speed_checkers`.
//!
//! Checkers perft(11) with the last ply counted in bulk should take less time than chess perft(6) made move by move.

use std::time::{Duration, Instant};

use emtee_games::checkers;

fn chess_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lines = 0;
    board.generate_moves(|moves| {
        for m in moves {
            let mut after = board.clone();
            after.play_unchecked(m);
            lines += chess_perft(&after, depth - 1);
        }
        false
    });
    lines
}

fn timed(count: impl Fn() -> u64, expected: u64) -> Duration {
    let start = Instant::now();
    assert_eq!(count(), expected);
    start.elapsed()
}

fn main() {
    let (chess, checkers) = (cozy_chess::Board::default(), checkers::Board::default());
    let mut ratios = Vec::new();
    for round in 1..=3 {
        // First one, then the other, then the other way round: a machine that slows down slows both.
        let a = timed(|| checkers.perft(11), 85_242_128);
        let b = timed(|| chess_perft(&chess, 6), 119_060_324);
        let c = timed(|| chess_perft(&chess, 6), 119_060_324);
        let d = timed(|| checkers.perft(11), 85_242_128);
        let ratio = (a + d).as_secs_f64() / (b + c).as_secs_f64();
        println!("round {round}: checkers perft(11) {a:.2?} {d:.2?}, chess perft(6) {b:.2?} {c:.2?}, ratio {ratio:.3}");
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median ratio {:.3}", ratios[1]);
}
