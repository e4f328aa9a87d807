//! Nodes with few empty squares: a fixed move order by corners and parity.

use super::board::{Squares, final_score};
use super::dispatch::Cpu;
use super::last_moves::last_4;
use super::stable::stable;

const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];
pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;
const BESIDE_CORNERS: u64 = 0x42c3_0000_0000_c342;

/// Parity: the empty squares in quadrants with an odd number of empty squares.
#[inline(always)]
pub(crate) fn odd_quadrants(empty: u64) -> u64 {
    QUADRANTS
        .iter()
        .fold(0, |odd, quadrant| odd | quadrant & ((empty & quadrant).count_ones() as u64 & 1).wrapping_neg())
        & empty
}

/// Stability cutoff: the upper bound from the opponent's stable discs, if it fails low.
#[inline(always)]
pub(crate) fn stability_cutoff(own: u64, opponent: u64, alpha: i32, empties: u32) -> Option<i32> {
    if alpha < 2 * empties as i32 - 2 {
        return None;
    }
    let bound = 64 - 2 * stable(opponent, own).count_ones() as i32;
    (bound <= alpha).then_some(bound)
}

/// MT at γ = `alpha` + ½ with fewer than [`SORTED_FROM`](super::endgame_node::SORTED_FROM) empty squares. Fail-soft.
#[inline(always)]
pub(crate) fn few_body<M: Cpu>(own: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let empty = !(own | opponent);
    let empties = empty.count_ones();
    let odd = odd_quadrants(empty);
    if empties <= 4 {
        return few_squares::<M>(own, opponent, alpha, empty, odd, nodes);
    }
    if let Some(bound) = stability_cutoff(own, opponent, alpha, empties) {
        return bound;
    }
    let placements = M::mobility(own, opponent);
    if placements == 0 {
        if M::mobility(opponent, own) == 0 {
            return final_score(own, opponent);
        }
        return -M::few(opponent, own, -alpha - 1, nodes);
    }
    let mut best = -127;
    let rest = placements & !CORNERS;
    let safe = rest & !BESIDE_CORNERS;
    for group in [
        placements & CORNERS & odd,
        safe & odd,
        placements & CORNERS & !odd,
        rest & !safe & odd,
        safe & !odd,
        rest & !safe & !odd,
    ] {
        for square in Squares(group) {
            let flipped = M::flips(own, opponent, square);
            let v = -M::few(opponent ^ flipped, own | flipped | 1 << square, -alpha - 1, nodes);
            if v > best {
                best = v;
                if v > alpha {
                    return v;
                }
            }
        }
    }
    best
}

/// [`few_body`] with at most four empty squares.
#[inline(always)]
fn few_squares<M: Cpu>(own: u64, opponent: u64, alpha: i32, empty: u64, odd: u64, nodes: &mut u64) -> i32 {
    if empty.count_ones() == 4 {
        let mut squares = [0; 4];
        let ordered = Squares(odd).chain(Squares(empty & !odd));
        for (slot, square) in squares.iter_mut().zip(ordered) {
            *slot = square;
        }
        return last_4::<M>(own, opponent, alpha, squares, nodes);
    }
    // Reached only from a root position with fewer than four empty squares.
    let placements = M::mobility(own, opponent);
    if placements == 0 {
        if M::mobility(opponent, own) == 0 {
            return final_score(own, opponent);
        }
        return -M::few(opponent, own, -alpha - 1, nodes);
    }
    let mut best = -127;
    for square in Squares(placements) {
        let flipped = M::flips(own, opponent, square);
        best = best.max(-M::few(opponent ^ flipped, own | flipped | 1 << square, -alpha - 1, nodes));
    }
    best
}
