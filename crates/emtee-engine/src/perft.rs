//! Counting lines of play, the test of every rule.

use emtee::{Game, Moves};

/// How many lines of exactly `depth` moves there are. A line that ends before counts `ended`.
pub(crate) fn perft<G: Game>(n: &G, depth: u8, ended: u64, moves: &mut Moves<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if n.outcome().is_some() {
        return ended;
    }
    let first = moves.len();
    n.moves(moves);
    let mut lines = 0;
    for at in first..moves.len() {
        if let Some(m) = moves.get(at) {
            lines += perft(&n.play(m), depth - 1, ended, moves);
        }
    }
    moves.truncate(first);
    lines
}
