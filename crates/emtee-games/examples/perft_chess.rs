//! Counts the rules of chess, deeper than the tests do, and says how fast:
//!
//! ```text
//! cargo run --release -p emtee-games --example perft_chess
//! ```
//!
//! Every move is made, the last ply's too.

use std::time::Instant;

use emtee::{Game, Moves};
use emtee_games::chess::Board;

const KNOWN: [(&str, u32, u64); 3] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
];

fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Moves::new();
    board.moves(&mut moves);
    moves.iter().map(|m| perft(&board.play(m), depth - 1)).sum()
}

/// The same with the bare rules crate: no hints, no lists.
fn bare(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    board.generate_moves(|moves| {
        for m in moves {
            let mut next = board.clone();
            next.play_unchecked(m);
            count += bare(&next, depth - 1);
        }
        false
    });
    count
}

fn main() {
    let mut wrong = false;
    for (fen, depth, known) in KNOWN {
        let board: Board = fen.parse().expect("the position is legal");
        let rules: cozy_chess::Board = fen.parse().expect("the position is legal");
        let began = Instant::now();
        let count = perft(&board, depth);
        let ours = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let bare = bare(&rules, depth);
        let theirs = began.elapsed().as_secs_f64();
        wrong |= count != known || bare != known;
        let speed = |seconds| count as f64 / seconds / 1e6;
        println!(
            "{fen}\n  depth {depth}: {count}, {known} expected; {:.1} million a second, the bare rules {:.1}",
            speed(ours),
            speed(theirs)
        );
    }
    std::process::exit(i32::from(wrong));
}
