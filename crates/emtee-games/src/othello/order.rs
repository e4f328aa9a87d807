//! Which move first.

use emtee::{Moves, Ordering};

use super::board::Squares;
use super::machine::{Avx2, Machine, Portable, available};
use super::{Board, Move};

/// Hints, and what the search remembers.
pub(crate) const ORDERING: Ordering = Ordering::FULL;

/// How good a square is in general.
static CLASS: [i8; 64] = classes();

const fn classes() -> [i8; 64] {
    const QUARTER: [[i8; 4]; 4] = [[12, -4, 3, 2], [-4, -8, -1, -1], [3, -1, 1, 0], [2, -1, 0, 0]];
    let mut classes = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let (row, column) = (if row < 4 { row } else { 7 - row }, if column < 4 { column } else { 7 - column });
        classes[square] = QUARTER[row][column];
        square += 1;
    }
    classes
}

/// Lists the moves of a position.
#[inline(always)]
pub(crate) fn list(board: &Board, moves: &mut Moves<Move>) {
    let placements = board.placements();
    if placements == 0 {
        moves.push(Move::PASS);
        return;
    }
    let (own, opponent) = (board.own(), board.opponent());
    let fast = available();
    for square in Squares(placements) {
        if let Some(m) = Move::to(square) {
            let hint = if fast { Avx2::hint(own, opponent, square) } else { Portable::hint(own, opponent, square) };
            moves.push_hinted(m, hint);
        }
    }
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

#[inline(always)]
pub(crate) fn hint_body<M: Machine>(own: u64, opponent: u64, square: u8) -> i16 {
    let flipped = M::flips(own, opponent, square);
    let (mover, other) = (own | flipped | 1 << square, opponent ^ flipped);
    let empty = !(mover | other);
    let replies = M::mobility(other, mover);
    let mode = mode();
    let w = replies.count_ones() as i32 * mode[1]
        + (replies & CORNERS).count_ones() as i32 * mode[4]
        + mode[5] * ((around(mover) & empty).count_ones() as i32 - (around(other) & empty).count_ones() as i32);
    ((i32::from(CLASS[square as usize & 63]) * mode[2] - w) / mode[3]) as i16
}

/// The squares next to a set, in all eight directions (and some of the set itself).
#[inline(always)]
const fn around(set: u64) -> u64 {
    let wide = set | (set & 0xfefe_fefe_fefe_fefe) >> 1 | (set & 0x7f7f_7f7f_7f7f_7f7f) << 1;
    wide | wide << 8 | wide >> 8
}

fn mode() -> [i32; 6] {
    static M: std::sync::OnceLock<[i32; 6]> = std::sync::OnceLock::new();
    *M.get_or_init(|| {
        let mut m = [3, 2, 1, 2, 4, 4];
        if let Ok(t) = std::env::var("MODE") {
            for (a, b) in m.iter_mut().zip(t.split(',')) {
                *a = b.parse().unwrap()
            }
        }
        m
    })
}
