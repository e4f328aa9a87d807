//! Counting lines of play, the test of every rule.

use emtee::{Game, Moves};

/// How many lines of exactly `depth` moves there are. The moves of the last ply are counted and not made.
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
        for at in first..moves.len() {
            if let Some(m) = moves.get(at) {
                lines += perft(&n.play(m), depth - 1, moves);
            }
        }
    }
    moves.truncate(first);
    lines
}
