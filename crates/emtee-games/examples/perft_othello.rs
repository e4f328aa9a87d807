//! Othello's perft(11), last ply in bulk, against the `magpie` crate: interleaved runs, ratios of the best and of the medians.
//!
//! ```text
//! cargo run --release -p emtee-games --example perft_othello
//! ```

use std::time::Instant;

use emtee_games::othello::{Board, perft};
use magpie::othello::{Bitboard, Board as MagpieBoard, Stone};

/// The same count with magpie's board, used as its documentation says a fast program would.
fn magpie_perft(board: &MagpieBoard, stone: Stone, depth: u32) -> u64 {
    let moves: Bitboard = board.moves_for(stone);
    if moves.is_empty() {
        if depth == 1 || board.moves_for(stone.flip()).is_empty() {
            return 1;
        }
        return magpie_perft(board, stone.flip(), depth - 1);
    }
    if depth == 1 {
        return u64::from(moves.count_set());
    }
    moves
        .hot_bits()
        .map(|square| {
            let mut next = board.clone();
            next.play(stone, square);
            magpie_perft(&next, stone.flip(), depth - 1)
        })
        .sum()
}

fn main() {
    let depth = std::env::args().nth(1).and_then(|depth| depth.parse().ok()).unwrap_or(11);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut expected = None;
    for _ in 0..7 {
        for who in [true, false, false, true] {
            let start = Instant::now();
            let count = if who {
                perft(&Board::default(), depth)
            } else {
                magpie_perft(&MagpieBoard::standard(), Stone::Black, depth)
            };
            let seconds = start.elapsed().as_secs_f64();
            assert_eq!(*expected.get_or_insert(count), count, "the two programs must count alike");
            if who { ours.push(seconds) } else { theirs.push(seconds) }
        }
    }
    ours.sort_by(f64::total_cmp);
    theirs.sort_by(f64::total_cmp);
    let middle = ours.len() / 2;
    println!("perft({depth}) = {}", expected.unwrap_or(0));
    println!("best:   emtee {:.3} s, magpie {:.3} s, ratio {:.2}", ours[0], theirs[0], ours[0] / theirs[0]);
    println!(
        "median: emtee {:.3} s, magpie {:.3} s, ratio {:.2}",
        ours[middle],
        theirs[middle],
        ours[middle] / theirs[middle]
    );
}
