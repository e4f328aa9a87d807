//! A few empty squares, where moves are tried in a fixed order: corners and quarters with an odd number of empties first.

use super::board::{Squares, final_score};
use super::last::last_4;
use super::machine::Machine;
use super::stable::stable;

const QUARTERS: [u64; 4] = [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];
pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;
const BESIDE_CORNERS: u64 = 0x42c3_0000_0000_c342;

/// The empty squares in quarters that have an odd number of them.
#[inline(always)]
pub(crate) fn odd_quarters(empty: u64) -> u64 {
    QUARTERS.iter().fold(0, |odd, quarter| odd | quarter & ((empty & quarter).count_ones() as u64 & 1).wrapping_neg())
        & empty
}

/// Whether the opponent's stable discs alone keep the score at or below `alpha`; if so, the bound they give.
#[inline(always)]
pub(crate) fn hopeless(own: u64, opponent: u64, alpha: i32, empties: u32) -> Option<i32> {
    if alpha < 2 * empties as i32 - 2 {
        return None;
    }
    let bound = 64 - 2 * stable(opponent, own).count_ones() as i32;
    (bound <= alpha).then_some(bound)
}

/// Is the score greater than `alpha`? With fewer than [`SORTED`](super::endgame_node::SORTED) empty squares. Fail-soft.
#[inline(always)]
pub(crate) fn few_body<M: Machine>(own: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let empty = !(own | opponent);
    let empties = empty.count_ones();
    let odd = odd_quarters(empty);
    if empties <= 4 {
        return few_squares::<M>(own, opponent, alpha, empty, odd, nodes);
    }
    if let Some(bound) = hopeless(own, opponent, alpha, empties) {
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
    let calm = rest & !BESIDE_CORNERS;
    for group in [
        placements & CORNERS & odd,
        calm & odd,
        placements & CORNERS & !odd,
        rest & !calm & odd,
        calm & !odd,
        rest & !calm & !odd,
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

/// At most four empty squares.
#[inline(always)]
fn few_squares<M: Machine>(own: u64, opponent: u64, alpha: i32, empty: u64, odd: u64, nodes: &mut u64) -> i32 {
    if empty.count_ones() == 4 {
        let mut squares = [0; 4];
        let ordered = Squares(odd).chain(Squares(empty & !odd));
        for (place, square) in squares.iter_mut().zip(ordered) {
            *place = square;
        }
        return last_4::<M>(own, opponent, alpha, squares, nodes);
    }
    // Only a position given with so few empties comes here.
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
