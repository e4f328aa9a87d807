//! A shallow Alpha-Beta search on the evaluation, for sorting the moves of the endgame search.

use super::board::{Squares, final_score};
use super::dispatch::Cpu;
use super::endgame::Solver;
use super::evaluate::WEIGHTS_PER_DISC;

/// The body of [`Cpu::shallow`]: the value at this depth, in 1/32 of a disc like the weights. Fail-soft.
#[inline(always)]
pub(crate) fn shallow_body<M: Cpu>(
    solver: &Solver,
    own: u64,
    opponent: u64,
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    let placements = M::mobility(own, opponent);
    if placements == 0 {
        if M::mobility(opponent, own) == 0 {
            return final_score(own, opponent) * WEIGHTS_PER_DISC;
        }
        return -M::shallow(solver, opponent, own, depth, -beta, -alpha);
    }
    if depth == 0 {
        return M::score(solver.patterns, own, opponent);
    }
    let mut best = -i32::MAX;
    let mut visit = |square: u8| {
        let flipped = M::flips(own, opponent, square);
        let v = -M::shallow(solver, opponent ^ flipped, own | flipped | 1 << square, depth - 1, -beta, -alpha);
        best = best.max(v);
        alpha = alpha.max(v);
        alpha >= beta
    };
    if depth == 1 {
        for square in Squares(placements) {
            if visit(square) {
                break;
            }
        }
        return best;
    }
    // Best hint first: hints are cheap compared with the evaluations below.
    let mut hints = [0i32; 34];
    let mut count = 0;
    for square in Squares(placements) {
        hints[count] = i32::from(M::hint(own, opponent, square)) << 8 | i32::from(square);
        count += 1;
    }
    let hints = &mut hints[..count];
    hints.sort_unstable_by_key(|hint| -hint);
    for hint in hints {
        if visit(*hint as u8) {
            break;
        }
    }
    best
}
