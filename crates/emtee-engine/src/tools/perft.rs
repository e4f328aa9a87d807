//! Perft: counts lines of play, to test move generation.

use emtee::{Game, Moves};

/// The number of lines of exactly `depth` moves. The moves of the last ply are counted without playing them.
pub(crate) fn perft<G: Game>(n: &G, depth: u8, moves: &mut Moves<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if n.outcome().is_some() {
        return 0;
    }
    let first = moves.len();
    n.moves(moves);
    let mut lines = 0;
    if depth == 1 {
        lines = (moves.len() - first) as u64;
    } else {
        for index in first..moves.len() {
            if let Some(m) = moves.get(index) {
                lines += perft(&n.play(m), depth - 1, moves);
            }
        }
    }
    moves.truncate(first);
    lines
}
