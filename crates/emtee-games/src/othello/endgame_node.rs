//! The nodes of the endgame's search, from six empty squares up.
//!
//! Every one is asked whether its score is greater than `alpha` and returns g, fail-soft: above `alpha` the score is at least
//! g, else at most g. Below the level [`EXACT`] that is only likely.

use super::board::{Squares, final_score};
use super::endgame::{EXACT, Solver};
use super::endgame_few::{CORNERS, hopeless, odd_quarters};
use super::evaluate::WEIGHTS_PER_DISC;
use super::machine::Machine;

/// From this many empties on, moves are sorted by the replies they leave.
pub(crate) const SORTED: u32 = 6;
/// From this many empties on, nodes are kept in the near table,
const NEAR: u32 = 7;
/// and from this many on in the far one, which is too large for the processor's cache: a look costs as much as a small tree.
const FAR: u32 = 11;
/// With more empties than this, moves are also sorted by the evaluation.
pub(crate) const EVALUATED: u32 = 11;

/// How far the evaluation must be from `alpha`, in discs, for a node of each level below [`EXACT`] to be left out.
///
/// The evaluation misses by four discs or so. The first level is cheap and finds about where the score is; the second is
/// seldom wrong, and leaves the right moves in the table. Together they make 29 % of the nodes of four tournament positions
/// with 24 and 25 empty squares.
const MARGINS: [i32; EXACT as usize] = [5, 12];

/// A move being sorted, and where it leads.
#[derive(Clone, Copy)]
struct Candidate {
    rank: i32,
    square: u8,
    own: u64,
    opponent: u64,
}

const NOBODY: Candidate = Candidate { rank: 0, square: 0, own: 0, opponent: 0 };

/// The body of [`Machine::node`]: any number of empty squares.
#[inline(always)]
pub(crate) fn node_body<M: Machine>(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
    let empties = (own | opponent).count_zeros();
    if empties <= EVALUATED {
        return M::low_node(solver, own, opponent, alpha);
    }
    solver.nodes += 1;
    if let Some(bound) = hopeless(own, opponent, alpha, empties) {
        return bound;
    }
    let level = solver.level;
    let mut table_move = 64;
    if let Some(known) = solver.far.retrieve(own, opponent) {
        if known.level >= level
            && let Some(g) = known.answer(alpha)
        {
            return g;
        }
        table_move = known.best;
    }
    let placements = M::mobility(own, opponent);
    if placements == 0 {
        if M::mobility(opponent, own) == 0 {
            return final_score(own, opponent);
        }
        return -M::node(solver, opponent, own, -alpha - 1);
    }
    if solver.nodes >= solver.limit || solver.stop.as_ref().is_some_and(|stop| stop()) {
        solver.stopped = true;
        return alpha;
    }
    let mut room = [NOBODY; 34];
    let mut count = 0;
    for square in Squares(placements) {
        let flipped = M::flips(own, opponent, square);
        let (child_own, child_opponent) = (opponent ^ flipped, own | flipped | 1 << square);
        if child_own == 0 {
            return 64;
        }
        room[count] = Candidate { rank: 0, square, own: child_own, opponent: child_opponent };
        count += 1;
    }
    let candidates = &mut room[..count];
    // In a loop of its own, so that the processor waits for all of these places of the table at once.
    for c in candidates.iter() {
        if let Some(known) = solver.far.retrieve(c.own, c.opponent)
            && known.level >= level
            && -i32::from(known.upper) > alpha
        {
            return -i32::from(known.upper);
        }
    }
    if count > 1 {
        let estimate = sort_by_evaluation::<M>(solver, candidates, !(own | opponent), table_move);
        if level < EXACT
            && let Some(likely) = likely_bound(estimate, MARGINS[usize::from(level)], alpha)
        {
            return likely;
        }
    }
    let mut best = -127;
    let mut best_square = 64;
    for at in 0..count {
        let c = next(candidates, at);
        let v = -M::node(solver, c.own, c.opponent, -alpha - 1);
        if solver.stopped {
            return alpha; // Whatever this is, it is no bound.
        }
        if v > best {
            best = v;
            best_square = c.square;
            if v > alpha {
                break;
            }
        }
    }
    solver.far.store((own, opponent), alpha, best, best_square, level);
    best
}

/// Ranks moves by a few plies of the evaluation, the replies they leave, corners and odd quarters. Returns the evaluation of
/// the best, in 1/32 of a disc.
#[inline(always)]
fn sort_by_evaluation<M: Machine>(solver: &Solver, candidates: &mut [Candidate], empty: u64, table_move: u8) -> i32 {
    let depth = match empty.count_ones() {
        ..15 => 0,
        15..18 => 1,
        18..21 => 2,
        21..24 => 3,
        _ => 4,
    };
    let odd = odd_quarters(empty);
    let mut estimate = -i32::MAX;
    for c in candidates {
        let value = -M::shallow(solver, c.own, c.opponent, depth, -i32::MAX, i32::MAX);
        estimate = estimate.max(value);
        // A reply weighs as much as two discs: the smallest tree that may do comes first.
        c.rank = value * 16 / WEIGHTS_PER_DISC - 32 * weighted_replies::<M>(c.own, c.opponent)
            + 8 * i32::from(odd >> c.square & 1 == 1)
            + 12 * i32::from(CORNERS >> c.square & 1 == 1);
        if c.square == table_move {
            c.rank = i32::MAX;
        }
    }
    estimate
}

/// What an evaluation makes likely, if that is on one side of `alpha`.
#[inline(always)]
fn likely_bound(estimate: i32, margin: i32, alpha: i32) -> Option<i32> {
    let least = estimate.div_euclid(WEIGHTS_PER_DISC) - margin;
    let most = -(-estimate).div_euclid(WEIGHTS_PER_DISC) + margin;
    if least > alpha {
        Some(least.min(64))
    } else if most <= alpha {
        Some(most.max(-64))
    } else {
        None
    }
}

/// How many replies there are, those on corners counted twice.
#[inline(always)]
fn weighted_replies<M: Machine>(own: u64, opponent: u64) -> i32 {
    let replies = M::mobility(own, opponent);
    (replies.count_ones() + (replies & CORNERS).count_ones()) as i32
}

/// Puts the best of the candidates from `at` on there.
#[inline(always)]
fn next(candidates: &mut [Candidate], at: usize) -> Candidate {
    let best = (at + 1..candidates.len())
        .fold(at, |best, other| if candidates[other].rank > candidates[best].rank { other } else { best });
    candidates.swap(at, best);
    candidates[at]
}

/// The body of [`Machine::low_node`]: at most [`EVALUATED`] empty squares.
#[inline(always)]
pub(crate) fn low_node_body<M: Machine>(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
    let empty = !(own | opponent);
    let empties = empty.count_ones();
    if empties < SORTED {
        return M::few(own, opponent, alpha, &mut solver.nodes);
    }
    solver.nodes += 1;
    if let Some(bound) = hopeless(own, opponent, alpha, empties) {
        return bound;
    }
    let mut table_move = 64;
    if empties >= NEAR {
        let table = if empties >= FAR { &solver.far } else { &solver.near };
        if let Some(known) = table.retrieve(own, opponent) {
            if let Some(g) = known.answer(alpha) {
                return g;
            }
            table_move = known.best;
        }
    }
    let placements = M::mobility(own, opponent);
    if placements == 0 {
        if M::mobility(opponent, own) == 0 {
            return final_score(own, opponent);
        }
        return -M::low_node(solver, opponent, own, -alpha - 1);
    }
    let mut room = [NOBODY; EVALUATED as usize];
    let mut count = 0;
    let odd = odd_quarters(empty);
    for square in Squares(placements) {
        let flipped = M::flips(own, opponent, square);
        let (child_own, child_opponent) = (opponent ^ flipped, own | flipped | 1 << square);
        if child_own == 0 {
            return 64;
        }
        let rank = if square == table_move {
            i32::MAX
        } else {
            -16 * weighted_replies::<M>(child_own, child_opponent)
                + 8 * i32::from(odd >> square & 1 == 1)
                + 12 * i32::from(CORNERS >> square & 1 == 1)
        };
        room[count] = Candidate { rank, square, own: child_own, opponent: child_opponent };
        count += 1;
    }
    let candidates = &mut room[..count];
    let mut best = -127;
    let mut best_square = 64;
    for at in 0..count {
        let c = next(candidates, at);
        let v = -M::low_node(solver, c.own, c.opponent, -alpha - 1);
        if v > best {
            best = v;
            best_square = c.square;
            if v > alpha {
                break;
            }
        }
    }
    if empties >= NEAR {
        let table = if empties >= FAR { &mut solver.far } else { &mut solver.near };
        table.store((own, opponent), alpha, best, best_square, EXACT);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_is_likely_within_its_margin() {
        let discs = |discs: i32| discs * WEIGHTS_PER_DISC;
        assert_eq!(likely_bound(discs(10), 5, 4), Some(5));
        assert_eq!(likely_bound(discs(10) - 1, 5, 4), None);
        assert_eq!(likely_bound(discs(10), 5, 15), Some(15));
        assert_eq!(likely_bound(discs(10) + 1, 5, 15), None);
        assert_eq!(likely_bound(discs(-10), 5, -16), Some(-15));
        assert_eq!((likely_bound(discs(90), 5, 1), likely_bound(discs(-90), 5, 1)), (Some(64), Some(-64)));
    }
}
