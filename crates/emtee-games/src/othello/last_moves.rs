//! The last four empty squares, where an exact search spends most of its nodes: flips only, in a fixed order.

use super::board::final_score;
use super::dispatch::Cpu;

/// Twice the number of discs that a disc on one square of a full line flips, by its index on the line and the line's own discs.
static FLIPPED_TWICE: [[u8; 256]; 8] = flipped_twice();

const fn flipped_twice() -> [[u8; 256]; 8] {
    let mut counts = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let mut count = 0;
            let mut other = place + 1;
            while other < 8 {
                if own >> other & 1 == 1 {
                    count += other - place - 1;
                    break;
                }
                other += 1;
            }
            other = place;
            while other > 0 {
                other -= 1;
                if own >> other & 1 == 1 {
                    count += place - other - 1;
                    break;
                }
            }
            counts[place][own] = 2 * count as u8;
            own += 1;
        }
        place += 1;
    }
    counts
}

/// The two diagonals of each square, and its neighbours.
static AROUND: [[u64; 3]; 64] = around();

const fn around() -> [[u64; 3]; 64] {
    let mut around = [[0; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (rows, columns) = (other as i32 / 8 - square as i32 / 8, other as i32 % 8 - square as i32 % 8);
            if rows == columns {
                around[square][0] |= 1 << other;
            }
            if rows == -columns {
                around[square][1] |= 1 << other;
            }
            if square != other && rows * rows <= 1 && columns * columns <= 1 {
                around[square][2] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    around
}

/// Twice the number of discs that a disc of `own` flips on `square`, the last empty square.
#[inline(always)]
fn flipped_by_last(own: u64, square: u8) -> i32 {
    let (row, column) = (square >> 3, usize::from(square & 7));
    let [falling, rising, _] = AROUND[usize::from(square & 63)];
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    let by_column = &FLIPPED_TWICE[column & 7];
    let line = |bits: u64| usize::from((bits.wrapping_mul(COLUMN) >> 56) as u8);
    let count = u32::from(by_column[usize::from((own >> (8 * row)) as u8)])
        + u32::from(by_column[line(own & falling)])
        + u32::from(by_column[line(own & rising)])
        + u32::from(
            FLIPPED_TWICE[usize::from(row & 7)]
                [usize::from(((own >> column & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8)],
        );
    count as i32
}

/// The score with one empty square.
#[inline(always)]
fn last_1(own: u64, opponent: u64, square: u8) -> i32 {
    let discs = 2 * own.count_ones() as i32;
    match flipped_by_last(own, square) {
        0 => match flipped_by_last(opponent, square) {
            // Neither side can play: the empty square counts for the winner.
            0 => {
                if discs > 63 {
                    discs - 62
                } else {
                    discs - 64
                }
            }
            flipped => discs - 64 - flipped,
        },
        flipped => discs - 62 + flipped,
    }
}

/// Whether `square` has a neighbour of `opponent`: else a disc there flips nothing.
#[inline(always)]
fn touches(square: u8, opponent: u64) -> bool {
    AROUND[usize::from(square & 63)][2] & opponent != 0
}

/// The score of no move.
const NO_MOVE: i32 = -127;

/// MT at γ = `alpha` + ½ with two empty squares.
#[inline(always)]
fn last_2<M: Cpu>(own: u64, opponent: u64, alpha: i32, [a, b]: [u8; 2], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = try_2::<M>(own, opponent, alpha, a, b, nodes);
    if best == NO_MOVE {
        // A pass: the same window from the other side's view.
        best = try_2::<M>(opponent, own, -alpha - 1, a, b, nodes);
        best = if best == NO_MOVE { final_score(own, opponent) } else { -best };
    }
    best
}

#[inline(always)]
fn try_2<M: Cpu>(own: u64, opponent: u64, alpha: i32, a: u8, b: u8, nodes: &mut u64) -> i32 {
    let mut best = NO_MOVE;
    for (square, other) in [(a, b), (b, a)] {
        if touches(square, opponent) {
            let flipped = M::flips(own, opponent, square);
            if flipped != 0 {
                *nodes += 1;
                best = best.max(-last_1(opponent ^ flipped, own | flipped | 1 << square, other));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    best
}

/// Whether two squares lie in the same quadrant of the board.
#[inline(always)]
fn same_quadrant(a: u8, b: u8) -> bool {
    (a ^ b) & 0b100_100 == 0
}

/// MT at γ = `alpha` + ½ with three empty squares. Parity: a square alone in its quadrant comes first.
#[inline(always)]
fn last_3<M: Cpu>(own: u64, opponent: u64, alpha: i32, [a, b, c]: [u8; 3], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let order = if same_quadrant(a, b) {
        [c, a, b]
    } else if same_quadrant(a, c) {
        [b, a, c]
    } else {
        [a, b, c]
    };
    let mut best = try_3::<M>(own, opponent, alpha, order, nodes);
    if best == NO_MOVE {
        best = try_3::<M>(opponent, own, -alpha - 1, order, nodes);
        best = if best == NO_MOVE { final_score(own, opponent) } else { -best };
    }
    best
}

#[inline(always)]
fn try_3<M: Cpu>(own: u64, opponent: u64, alpha: i32, [a, b, c]: [u8; 3], nodes: &mut u64) -> i32 {
    let mut best = NO_MOVE;
    for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        if touches(square, opponent) {
            let flipped = M::flips(own, opponent, square);
            if flipped != 0 {
                let v = -last_2::<M>(opponent ^ flipped, own | flipped | 1 << square, -alpha - 1, rest, nodes);
                best = best.max(v);
                if best > alpha {
                    return best;
                }
            }
        }
    }
    best
}

/// MT at γ = `alpha` + ½ with four empty squares, in the order they are tried. Fail-soft: a result above `alpha` is a lower
/// bound, else an upper bound.
#[inline(always)]
pub(crate) fn last_4<M: Cpu>(own: u64, opponent: u64, alpha: i32, squares: [u8; 4], nodes: &mut u64) -> i32 {
    let mut best = try_4::<M>(own, opponent, alpha, squares, nodes);
    if best == NO_MOVE {
        best = try_4::<M>(opponent, own, -alpha - 1, squares, nodes);
        best = if best == NO_MOVE { final_score(own, opponent) } else { -best };
    }
    best
}

#[inline(always)]
fn try_4<M: Cpu>(own: u64, opponent: u64, alpha: i32, [a, b, c, d]: [u8; 4], nodes: &mut u64) -> i32 {
    let mut best = NO_MOVE;
    for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
        if touches(square, opponent) {
            let flipped = M::flips(own, opponent, square);
            if flipped != 0 {
                let v = -M::last_3(opponent ^ flipped, own | flipped | 1 << square, -alpha - 1, rest, nodes);
                best = best.max(v);
                if best > alpha {
                    return best;
                }
            }
        }
    }
    best
}

/// The body of [`Cpu::last_3`].
#[inline(always)]
pub(crate) fn last_3_body<M: Cpu>(own: u64, opponent: u64, alpha: i32, squares: [u8; 3], nodes: &mut u64) -> i32 {
    last_3::<M>(own, opponent, alpha, squares, nodes)
}

#[cfg(test)]
mod tests {
    use super::super::moves::flips_portable;
    use super::*;
    use emtee::mix;

    #[test]
    fn the_last_disc_flips_what_flips_returns() {
        for n in 0..200_000 {
            let own = mix(n);
            let square = (n % 64) as u8;
            let own = own & !(1 << square);
            let opponent = !own & !(1 << square);
            let count = 2 * flips_portable(own, opponent, square).count_ones() as i32;
            assert_eq!(flipped_by_last(own, square), count, "{own:#x} {square}");
        }
    }
}
