//! Moves and move generation: [`mobility`], the squares where a side can play, and [`flips`], the discs a move flips.
//!
//! Squares are bits: a1 is bit 0, b1 bit 1, h8 bit 63. Both functions have a portable version here and one for AVX2 in `simd`;
//! the version is selected at run time.

use super::dispatch::{Avx2, Cpu, available};

/// A move: a square, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl Move {
    /// A pass, legal if the side to move cannot place a disc and the other side can.
    pub const PASS: Move = Move(64);

    /// A disc on a square, 0 (a1), 1 (b1) … 63 (h8); `None` for a larger number.
    pub const fn to(square: u8) -> Option<Move> {
        if square < 64 { Some(Move(square)) } else { None }
    }

    /// The square, 0 to 63, or 64 for a pass.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Whether this is a pass.
    pub const fn is_pass(self) -> bool {
        self.0 == 64
    }
}

/// Columns b to g. The flipped discs of a horizontal or diagonal line all lie within them.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The empty squares on which the side `own` can place a disc against `opponent`.
#[inline(always)]
pub fn mobility(own: u64, opponent: u64) -> u64 {
    if available() { Avx2::mobility(own, opponent) } else { mobility_portable(own, opponent) }
}

/// The discs of `opponent` that a disc of `own` on the empty square `square` (below 64) flips. 0 if the move is not legal.
#[inline(always)]
pub fn flips(own: u64, opponent: u64, square: u8) -> u64 {
    if available() { Avx2::flips(own, opponent, square) } else { flips_portable(own, opponent, square) }
}

/// [`mobility`] by parallel prefix: runs of the opponent's discs next to own discs grow by 1, 2, then twice by 2 more
/// squares, in all eight directions.
#[inline(always)]
pub(crate) fn mobility_portable(own: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    let reach = grow::<1>(own, inner) | grow::<8>(own, opponent) | grow::<7>(own, inner) | grow::<9>(own, inner);
    reach & !(own | opponent)
}

/// The squares after the runs of `through` that begin next to `own`, in both directions of a line.
#[inline(always)]
fn grow<const STEP: u32>(own: u64, through: u64) -> u64 {
    let mut up = through & (own << STEP);
    let mut down = through & (own >> STEP);
    up |= through & (up << STEP);
    down |= through & (down >> STEP);
    let pairs_up = through & (through << STEP);
    let pairs_down = pairs_up >> STEP;
    up |= pairs_up & (up << (2 * STEP));
    down |= pairs_down & (down >> (2 * STEP));
    up |= pairs_up & (up << (2 * STEP));
    down |= pairs_down & (down >> (2 * STEP));
    (up << STEP) | (down >> STEP)
}

/// The eight rays of a square: four towards higher bits, then the same lines in the opposite direction.
pub(crate) static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    const STEPS: [(i32, i32); 8] = [(0, 1), (1, 0), (1, -1), (1, 1), (0, -1), (-1, 0), (-1, 1), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (down, right) = STEPS[direction];
            let (mut row, mut column) = (square as i32 / 8 + down, square as i32 % 8 + right);
            while 0 <= row && row < 8 && 0 <= column && column < 8 {
                rays[square][direction] |= 1 << (8 * row + column);
                (row, column) = (row + down, column + right);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
}

/// [`flips`] by carries. Towards higher bits: if all bits outside the ray are set, adding 1 carries through the opponent's
/// run to the first square after it. Towards lower bits, that square is found by counting leading zeros.
#[inline(always)]
pub(crate) fn flips_portable(own: u64, opponent: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square & 63)];
    let mut flipped = 0;
    for ray in &rays[..4] {
        let outflank = (opponent | !ray).wrapping_add(1) & own & ray;
        flipped |= outflank.wrapping_sub(u64::from(outflank != 0)) & ray;
    }
    for ray in &rays[4..] {
        // Sentinel for a ray full of opponent's discs: bit 0 is either outside the ray or not an own disc.
        let first = (1 << 63) >> (!opponent & ray | 1).leading_zeros();
        let outflank = first & own & ray;
        flipped |= outflank.wrapping_neg().wrapping_shl(1) & ray;
    }
    flipped
}

#[cfg(test)]
mod tests {
    use super::*;
    use emtee::mix;

    /// The rules, square by square.
    fn flips_by_the_rules(own: u64, opponent: u64, square: u8) -> u64 {
        let mut flipped = 0;
        for (down, right) in [(0, 1), (1, 0), (1, -1), (1, 1), (0, -1), (-1, 0), (-1, 1), (-1, -1)] {
            let (mut row, mut column) = (i32::from(square) / 8 + down, i32::from(square) % 8 + right);
            let mut run = 0;
            while (0..8).contains(&row) && (0..8).contains(&column) {
                let bit = 1 << (8 * row + column);
                if own & bit != 0 {
                    flipped |= run;
                }
                if opponent & bit == 0 {
                    break;
                }
                run |= bit;
                (row, column) = (row + down, column + right);
            }
        }
        flipped
    }

    fn random_boards(count: u64) -> impl Iterator<Item = (u64, u64)> {
        (0..count).map(|n| {
            let (a, b, c) = (mix(3 * n + 1), mix(3 * n + 2), mix(3 * n + 3));
            // Sparse, crowded and balanced boards.
            match n % 3 {
                0 => (a & b, c & !(a & b)),
                1 => (a, b & !a),
                _ => (a & !(b & c), !a & !(b & c)),
            }
        })
    }

    #[test]
    fn portable_code_agrees_with_the_rules() {
        for (own, opponent) in random_boards(20_000) {
            let mut moves = 0;
            for square in 0..64 {
                if (own | opponent) >> square & 1 == 0 {
                    let flipped = flips_by_the_rules(own, opponent, square);
                    assert_eq!(flips_portable(own, opponent, square), flipped, "{own:#x} {opponent:#x} {square}");
                    moves |= u64::from(flipped != 0) << square;
                }
            }
            assert_eq!(mobility_portable(own, opponent), moves, "{own:#x} {opponent:#x}");
        }
    }

    #[test]
    fn avx2_agrees_with_portable_code_on_a_million_boards() {
        if !available() {
            return; // This CPU has no AVX2.
        }
        for (n, (own, opponent)) in random_boards(1_000_000).enumerate() {
            assert_eq!(Avx2::mobility(own, opponent), mobility_portable(own, opponent), "{own:#x} {opponent:#x}");
            let empty = !(own | opponent);
            // One square of most boards, every square of each sixteenth.
            let some = empty.rotate_right(n as u32 % 64).trailing_zeros() + n as u32 % 64;
            let squares = if n % 16 == 0 { 0..64 } else { some % 64..some % 64 + 1 };
            for square in squares {
                if empty >> square & 1 == 1 {
                    let square = square as u8;
                    let portable = flips_portable(own, opponent, square);
                    assert_eq!(Avx2::flips(own, opponent, square), portable, "{own:#x} {opponent:#x} {square}");
                }
            }
        }
    }
}
