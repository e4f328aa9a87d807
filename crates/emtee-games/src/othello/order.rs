//! Move ordering.
//!
//! A hint evaluates the position after the move by terms that are cheap to count: the number of replies, the corners among
//! them, the two frontiers (empty squares next to a side's discs, potential moves of the other side), and the square itself.
//! The weights were tuned by hand on [`tuning_set`](super::tuning_set). Nodes of MTD-f at depth 8, all else equal:
//!
//! | hints | nodes, thousands | cut by the first move | moves at cut nodes |
//! |---|---|---|---|
//! | none (killers and history) | 1914 | 88.8 % | 1.25 |
//! | square | 2306 | 81.2 % | 1.45 |
//! | replies | 1144 | 91.0 % | 1.17 |
//! | replies, corners, square | 1087 | 92.7 % | 1.15 |
//! | replies, corners, frontiers, square | 909 | 96.2 % | 1.07 |
//! | the evaluation itself | 1017 | 99.4 % | 1.01 |
//!
//! The evaluation orders even better near the leaves, but each move costs as much as the leaf it can save, and the search takes
//! twice the time. `emtee compare othello --set tuning --depth 8` prints such lines.

use emtee::{MoveOrdering, Moves};

use super::board::Squares;
use super::dispatch::{Avx2, Cpu, Portable, available};
use super::{Board, Move};

/// Hints differ for almost all moves, so killers and history would only break ties: 909 thousand nodes with them in the table
/// above, 908 thousand without.
pub(crate) const ORDERING: MoveOrdering = MoveOrdering::HINTS;

/// The static value of a square.
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

const REPLY: i32 = 4;
const CORNER_REPLY: i32 = 8;
const FRONTIER: i32 = 4;

/// Lists the moves of a position, with hints.
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

/// The hint of a move.
#[inline(always)]
pub(crate) fn hint_body<M: Cpu>(own: u64, opponent: u64, square: u8) -> i16 {
    let flipped = M::flips(own, opponent, square);
    let (mover, other) = (own | flipped | 1 << square, opponent ^ flipped);
    let empty = !(mover | other);
    let replies = M::mobility(other, mover);
    let count = |set: u64| set.count_ones() as i32;
    let frontier = count(around(mover) & empty) - count(around(other) & empty);
    let cost = REPLY * count(replies) + CORNER_REPLY * count(replies & CORNERS) + FRONTIER * frontier;
    (i32::from(CLASS[usize::from(square & 63)]) - cost) as i16
}

/// The squares of a set and their neighbours in all eight directions.
#[inline(always)]
const fn around(set: u64) -> u64 {
    let wide = set | (set & 0xfefe_fefe_fefe_fefe) >> 1 | (set & 0x7f7f_7f7f_7f7f_7f7f) << 1;
    wide | wide << 8 | wide >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_a_corner_are_three_squares() {
        assert_eq!(around(1) & !1, 0x0302);
        assert_eq!(around(1 << 63) & !(1 << 63), 0x40c0_0000_0000_0000);
    }

    #[test]
    fn a_corner_comes_before_other_moves() {
        let board: Board = "-OX---------------------O------OX------XO----------------------- X".parse().unwrap();
        let hints: Vec<(i16, String)> = emtee::legal_moves(&board)
            .iter()
            .map(|m| (Portable::hint(board.own(), board.opponent(), m.index()), m.to_string()))
            .collect();
        assert!(hints.len() > 2);
        assert_eq!(hints.iter().max().map(|(_, m)| m.as_str()), Some("a1"), "{hints:?}");
    }

    #[test]
    fn a_pass_is_listed_if_there_is_no_other_move() {
        let board: Board = format!("OX{} X", "-".repeat(62)).parse().unwrap();
        assert_eq!(emtee::legal_moves(&board), [Move::PASS]);
    }
}
