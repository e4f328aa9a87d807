//! The nodes of the endgame search, from six empty squares up.
//!
//! Every function is MT at γ = `alpha` + ½ and returns g, fail-soft: if g > `alpha`, the score is at least g, else at most g.
//! Below the level [`EXACT`] the bound is only likely.

use emtee::mix;

use super::board::{Squares, final_score};
use super::dispatch::Cpu;
use super::endgame::{EXACT, Solver};
use super::endgame_few::{CORNERS, odd_quadrants, stability_cutoff};
use super::evaluate::WEIGHTS_PER_DISC;
use crate::team::{Team, search_shared};

/// From this many empties on, moves are sorted fastest-first.
pub(crate) const SORTED_FROM: u32 = 6;
/// From this many empties on, nodes are stored in the small table.
const SMALL_TABLE_FROM: u32 = 7;
/// From this many empties on, nodes are stored in the large table. It exceeds the processor's cache: a lookup costs as much as
/// searching a small tree.
const LARGE_TABLE_FROM: u32 = 11;
/// With more empties than this, moves are also sorted by the evaluation.
pub(crate) const LOW_NODE_MAX: u32 = 11;

/// From this many empties on, several threads avoid searching the same child.
pub(crate) const SHARED_FROM: u32 = 15;

/// The margin in discs for each level below [`EXACT`]: a node is pruned if its evaluation is this far from `alpha`.
///
/// The error of the evaluation is about four discs. The first level is cheap and approximates the score. The second is rarely
/// wrong and stores the right moves. Together they take 29 % of the nodes in four tournament positions with 24 and 25 empty
/// squares.
const MARGINS: [i32; EXACT as usize] = [5, 12];

/// A move to be sorted, and the position after it.
#[derive(Clone, Copy)]
struct Candidate {
    rank: i32,
    square: u8,
    own: u64,
    opponent: u64,
}

const NO_MOVE: Candidate = Candidate { rank: 0, square: 0, own: 0, opponent: 0 };

/// The body of [`Cpu::node`]: any number of empty squares.
#[inline(always)]
pub(crate) fn node_body<M: Cpu>(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
    let empties = (own | opponent).count_zeros();
    if empties <= LOW_NODE_MAX {
        return M::low_node(solver, own, opponent, alpha);
    }
    solver.nodes += 1;
    if let Some(bound) = stability_cutoff(own, opponent, alpha, empties) {
        return bound;
    }
    let level = solver.level;
    let mut table_move = 64;
    if let Some(known) = solver.large.retrieve(own, opponent) {
        if known.level >= level
            && let Some(g) = known.cutoff(alpha)
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
    if solver.must_stop() {
        solver.stopped = true;
        return alpha;
    }
    let mut buffer = [NO_MOVE; 34];
    let mut count = 0;
    for square in Squares(placements) {
        let flipped = M::flips(own, opponent, square);
        let (child_own, child_opponent) = (opponent ^ flipped, own | flipped | 1 << square);
        if child_own == 0 {
            return 64;
        }
        buffer[count] = Candidate { rank: 0, square, own: child_own, opponent: child_opponent };
        count += 1;
    }
    let candidates = &mut buffer[..count];
    // Enhanced transposition cutoff, in a separate loop so that the cache misses of all children overlap.
    for c in candidates.iter() {
        if let Some(known) = solver.large.retrieve(c.own, c.opponent)
            && known.level >= level
            && -i32::from(known.upper) > alpha
        {
            return -i32::from(known.upper);
        }
    }
    if count > 1 {
        let estimate = sort_by_evaluation::<M>(solver, candidates, !(own | opponent), table_move);
        if level < EXACT
            && let Some(bound) = likely_bound(estimate, MARGINS[usize::from(level)], alpha)
        {
            return bound;
        }
    }
    if empties >= SHARED_FROM
        && let Some(team) = solver.team.clone()
    {
        let (best, best_square) = search_all_shared::<M>(solver, &team, candidates, alpha);
        if solver.stopped {
            return alpha;
        }
        solver.large.store((own, opponent), alpha, best, best_square, level);
        return best;
    }
    let mut best = -127;
    let mut best_square = 64;
    for i in 0..count {
        let c = next(candidates, i);
        let v = -M::node(solver, c.own, c.opponent, -alpha - 1);
        if solver.stopped {
            return alpha; // `v` is not a bound.
        }
        if v > best {
            best = v;
            best_square = c.square;
            if v > alpha {
                break;
            }
        }
    }
    solver.large.store((own, opponent), alpha, best, best_square, level);
    best
}

/// Searches the children with several threads. Returns g and its square.
#[inline(never)]
fn search_all_shared<M: Cpu>(solver: &mut Solver, team: &Team, candidates: &mut [Candidate], alpha: i32) -> (i32, u8) {
    let (mut best, mut best_square) = (-127, 64);
    let ordered = (0..candidates.len()).map(|i| next(candidates, i));
    let key = |c: Candidate| child_key(c.own, c.opponent);
    search_shared(team, ordered, key, |c| {
        let v = -M::node(solver, c.own, c.opponent, -alpha - 1);
        if !solver.stopped && v > best {
            (best, best_square) = (v, c.square);
        }
        solver.stopped || v > alpha
    });
    (best, best_square)
}

/// The key of a child for the threads of a pass.
pub(crate) fn child_key(own: u64, opponent: u64) -> u64 {
    mix(own ^ mix(opponent)) | 1
}

/// Ranks moves by a shallow search, the number of replies, corners and parity. Returns the best evaluation, in 1/32 of a disc.
#[inline(always)]
fn sort_by_evaluation<M: Cpu>(solver: &Solver, candidates: &mut [Candidate], empty: u64, table_move: u8) -> i32 {
    let depth = match empty.count_ones() {
        ..15 => 0,
        15..18 => 1,
        18..21 => 2,
        21..24 => 3,
        _ => 4,
    };
    let odd = odd_quadrants(empty);
    let mut estimate = -i32::MAX;
    for c in candidates {
        let value = -M::shallow(solver, c.own, c.opponent, depth, -i32::MAX, i32::MAX);
        estimate = estimate.max(value);
        // A reply weighs as much as two discs: prefers a small tree that is likely to cut.
        c.rank = value * 16 / WEIGHTS_PER_DISC - 32 * weighted_replies::<M>(c.own, c.opponent)
            + 8 * i32::from(odd >> c.square & 1 == 1)
            + 12 * i32::from(CORNERS >> c.square & 1 == 1);
        if c.square == table_move {
            c.rank = i32::MAX;
        }
    }
    estimate
}

/// The likely bound from an evaluation and its margin, if it lies entirely on one side of `alpha`.
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

/// The number of replies, those on corners counted twice.
#[inline(always)]
fn weighted_replies<M: Cpu>(own: u64, opponent: u64) -> i32 {
    let replies = M::mobility(own, opponent);
    (replies.count_ones() + (replies & CORNERS).count_ones()) as i32
}

/// Selection sort step: swaps the best candidate from `start` on to `start` and returns it.
#[inline(always)]
fn next(candidates: &mut [Candidate], start: usize) -> Candidate {
    let best = (start + 1..candidates.len())
        .fold(start, |best, other| if candidates[other].rank > candidates[best].rank { other } else { best });
    candidates.swap(start, best);
    candidates[start]
}

/// The body of [`Cpu::low_node`]: at most [`LOW_NODE_MAX`] empty squares.
#[inline(always)]
pub(crate) fn low_node_body<M: Cpu>(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
    let empty = !(own | opponent);
    let empties = empty.count_ones();
    if empties < SORTED_FROM {
        return M::few(own, opponent, alpha, &mut solver.nodes);
    }
    solver.nodes += 1;
    if let Some(bound) = stability_cutoff(own, opponent, alpha, empties) {
        return bound;
    }
    let mut table_move = 64;
    if empties >= SMALL_TABLE_FROM {
        let table = if empties >= LARGE_TABLE_FROM { &*solver.large } else { &solver.small };
        if let Some(known) = table.retrieve(own, opponent) {
            if let Some(g) = known.cutoff(alpha) {
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
    let mut buffer = [NO_MOVE; LOW_NODE_MAX as usize];
    let mut count = 0;
    let odd = odd_quadrants(empty);
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
        buffer[count] = Candidate { rank, square, own: child_own, opponent: child_opponent };
        count += 1;
    }
    let candidates = &mut buffer[..count];
    let mut best = -127;
    let mut best_square = 64;
    for i in 0..count {
        let c = next(candidates, i);
        let v = -M::low_node(solver, c.own, c.opponent, -alpha - 1);
        if v > best {
            best = v;
            best_square = c.square;
            if v > alpha {
                break;
            }
        }
    }
    if empties >= SMALL_TABLE_FROM {
        let table = if empties >= LARGE_TABLE_FROM { &*solver.large } else { &solver.small };
        table.store((own, opponent), alpha, best, best_square, EXACT);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_bounds_keep_the_margin() {
        let discs = |discs: i32| discs * WEIGHTS_PER_DISC;
        assert_eq!(likely_bound(discs(10), 5, 4), Some(5));
        assert_eq!(likely_bound(discs(10) - 1, 5, 4), None);
        assert_eq!(likely_bound(discs(10), 5, 15), Some(15));
        assert_eq!(likely_bound(discs(10) + 1, 5, 15), None);
        assert_eq!(likely_bound(discs(-10), 5, -16), Some(-15));
        assert_eq!((likely_bound(discs(90), 5, 1), likely_bound(discs(-90), 5, 1)), (Some(64), Some(-64)));
    }
}
