//! Times the small operations of Othello in nanoseconds: mobility, flips, keys, moves with hints, evaluations.
//!
//! ```text
//! cargo xtask measure parts
//! ```

use std::hint::black_box;
use std::time::Instant;

use emtee::{Game, mix};
use emtee_games::othello::{Board, evaluate, flips, mobility};

/// Positions from random games. As in a search, consecutive positions are similar.
fn boards() -> Vec<Board> {
    let mut boards = Vec::new();
    for game in 0..200 {
        let mut board = Board::default();
        for ply in 0..70 {
            let moves = emtee::legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            boards.extend(moves.iter().map(|&m| board.play(m)));
            board = board.play(moves[(mix(game * 128 + ply) % moves.len() as u64) as usize]);
        }
    }
    boards
}

fn time<R>(name: &str, boards: &[Board], mut work: impl FnMut(&Board) -> R) {
    let mut best = f64::INFINITY;
    for _ in 0..9 {
        let start = Instant::now();
        for board in boards {
            black_box(work(black_box(board)));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:<24} {:7.1} ns", best * 1e9 / boards.len() as f64);
}

fn main() {
    let boards = boards();
    println!("{} positions", boards.len());
    time("mobility", &boards, |board| mobility(board.own(), board.opponent()));
    time("flips", &boards, |board| {
        let square = (!(board.own() | board.opponent())).trailing_zeros() as u8;
        flips(board.own(), board.opponent(), square & 63)
    });
    time("key", &boards, Board::key);
    time("outcome", &boards, Board::outcome);
    let mut moves = emtee::Moves::new();
    time("moves, with hints", &boards, |board| {
        moves = emtee::Moves::new();
        if board.outcome().is_none() {
            board.moves(&mut moves);
        }
        moves.len()
    });
    time("evaluation, trained", &boards, Board::evaluate);
    time("evaluation, plain", &boards, evaluate::plain);
}
