//! Which move first.

use emtee::{Moves, Ordering};

use super::board::Squares;
use super::{Board, Move};

/// Hints, and what the search remembers.
pub(crate) const ORDERING: Ordering = Ordering::FULL;

/// Lists the moves of a position.
#[inline(always)]
pub(crate) fn list(board: &Board, moves: &mut Moves<Move>) {
    let placements = board.placements();
    if placements == 0 {
        moves.push(Move::PASS);
        return;
    }
    for square in Squares(placements) {
        if let Some(m) = Move::to(square) {
            moves.push(m);
        }
    }
}
