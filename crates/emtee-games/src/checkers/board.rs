//! The board: 32 squares in three words, and the geometry that makes a step in any direction one rotation.
//!
//! Players number the dark squares 1 to 32, row by row from Black's side. A step from one of them is +3, +4 or +5 by
//! turns, which costs a word two shifts and two masks. Here a square of row r (from the top) and column c has the bit
//! 14 − 4r − 3c (mod 32): then every step up and to the right is +1, up and to the left +7, whatever the row.
//!
//! ```text
//!    11   5  31  25         1   2   3   4
//!  10   4  30  24         5   6   7   8
//!     3  29  23  17         9  10  11  12
//!   2  28  22  16        13  14  15  16
//!    27  21  15   9        17  18  19  20
//!  26  20  14   8        21  22  23  24
//!    19  13   7   1        25  26  27  28
//!  18  12   6   0        29  30  31  32
//! ```

use std::fmt;

use emtee::{Side, mix};

/// A position of English draughts. Black is [`Side::First`], starts on squares 1 to 12 and moves down the board.
///
/// It is written as PDN writes it, and drawn with `{:#}`; see the [module](super).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Black's and White's pieces, by [`Side::index`].
    pub(super) pieces: [u32; 2],
    /// Those of either side that are kings.
    pub(super) kings: u32,
    pub(super) turn: Side,
}

/// The position at the start of a game.
impl Default for Board {
    fn default() -> Board {
        let [black, white] = const { [squares(1, 12), squares(21, 32)] };
        Board { pieces: [black, white], kings: 0, turn: Side::First }
    }
}

/// One of the 32 squares that are played on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Square {
    pub(super) bit: u8,
}

impl Square {
    /// The square with this number, 1 to 32.
    pub const fn new(number: u8) -> Option<Square> {
        if number >= 1 && number <= 32 { Some(Square { bit: bit_of(number) }) } else { None }
    }

    /// Its number, 1 to 32.
    pub const fn number(self) -> u8 {
        NUMBERS[self.bit as usize & 31]
    }

    /// The word with this square alone.
    #[inline(always)]
    pub(super) const fn mask(self) -> u32 {
        1 << (self.bit & 31)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The side that owns it.
    pub side: Side,
    /// Whether it is a king.
    pub king: bool,
}

/// How many bits a step rotates the word to the left: up right, up left, down left, down right. Number d ^ 2 is the way
/// back.
pub(super) const ROTATIONS: [u32; 4] = [1, 7, 31, 25];

/// The squares from which there is a step in each direction.
pub(super) const HAS_STEP: [u32; 4] = [has_step(-1, 1), has_step(-1, -1), has_step(1, -1), has_step(1, 1)];

/// Where men become kings, by [`Side::index`].
pub(super) const KING_ROWS: [u32; 2] = [squares(29, 32), squares(1, 4)];

const NUMBERS: [u8; 32] = {
    let mut numbers = [0; 32];
    let mut number = 1;
    while number <= 32 {
        numbers[bit_of(number) as usize] = number;
        number += 1;
    }
    numbers
};

pub(super) const fn row_and_column(number: u8) -> (i32, i32) {
    let index = number as i32 - 1;
    (index / 4, index % 4 * 2 + 1 - index / 4 % 2)
}

pub(super) const fn bit_of(number: u8) -> u8 {
    let (row, column) = row_and_column(number);
    ((14 - 4 * row - 3 * column) & 31) as u8
}

/// The word of the squares `first` to `last`.
pub(super) const fn squares(first: u8, last: u8) -> u32 {
    let mut word = 0;
    let mut number = first;
    while number <= last {
        word |= 1 << bit_of(number);
        number += 1;
    }
    word
}

const fn has_step(down: i32, right: i32) -> u32 {
    let mut word = 0;
    let mut number = 1;
    while number <= 32 {
        let (row, column) = row_and_column(number);
        let (row, column) = (row + down, column + right);
        if 0 <= row && row < 8 && 0 <= column && column < 8 {
            word |= 1 << bit_of(number);
        }
        number += 1;
    }
    word
}

/// The squares that pieces reach with one step in direction `d`.
#[inline(always)]
pub(super) const fn step(word: u32, d: usize) -> u32 {
    (word & HAS_STEP[d]).rotate_left(ROTATIONS[d])
}

/// The squares of a word.
pub(super) fn squares_of(mut word: u32) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as u8;
        (word != 0).then(|| {
            word &= word - 1;
            Square { bit }
        })
    })
}

/// The word seen by a player on the other side of the board.
#[inline(always)]
pub(super) const fn turned(word: u32) -> u32 {
    word.reverse_bits().rotate_left(12)
}

impl Board {
    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let mask = square.mask();
        let side = match self.pieces.map(|pieces| pieces & mask != 0) {
            [true, _] => Side::First,
            [_, true] => Side::Second,
            _ => return None,
        };
        Some(Piece { side, king: self.kings & mask != 0 })
    }

    /// The same position with the colours changed: the board turned round, every piece of the other colour, the other
    /// side to move.
    pub fn mirrored(&self) -> Board {
        let [black, white] = self.pieces.map(turned);
        Board { pieces: [white, black], kings: turned(self.kings), turn: !self.turn }
    }

    /// How many men and kings a side has.
    pub fn count(&self, side: Side) -> (u32, u32) {
        let pieces = self.pieces[side.index()];
        ((pieces & !self.kings).count_ones(), (pieces & self.kings).count_ones())
    }

    /// The pieces of the side to move, and of the other.
    #[inline(always)]
    pub(super) const fn own_and_other(&self) -> (u32, u32) {
        match self.turn {
            Side::First => (self.pieces[0], self.pieces[1]),
            Side::Second => (self.pieces[1], self.pieces[0]),
        }
    }

    #[inline(always)]
    pub(super) const fn empty(&self) -> u32 {
        !(self.pieces[0] | self.pieces[1])
    }

    /// Three words are mixed faster than tables of random numbers are looked up, and nothing has to be kept up to date.
    #[inline(always)]
    pub(super) const fn mixed(&self) -> u64 {
        const SPREAD: u64 = 0x9fb2_1c65_1e98_df25;
        let pieces = self.pieces[0] as u64 | (self.pieces[1] as u64) << 32;
        let kings = self.kings as u64 | (self.turn as u64) << 32;
        mix(pieces.wrapping_mul(SPREAD).rotate_left(29) ^ mix(kings.wrapping_add(SPREAD)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_where_the_numbers_say() {
        let neighbours = |number: u8| -> Vec<u8> {
            let word = squares(number, number);
            let mut all: Vec<u8> = (0..4).flat_map(|d| squares_of(step(word, d))).map(Square::number).collect();
            all.sort_unstable();
            all
        };
        for (number, expected) in [
            (1, vec![5, 6]),
            (4, vec![8]),
            (5, vec![1, 9]),
            (15, vec![10, 11, 18, 19]),
            (18, vec![14, 15, 22, 23]),
            (29, vec![25]),
            (32, vec![27, 28]),
        ] {
            assert_eq!(neighbours(number), expected, "{number}");
        }
    }

    #[test]
    fn turning_the_board_turns_the_numbers() {
        for number in 1..=32 {
            assert_eq!(turned(squares(number, number)), squares(33 - number, 33 - number));
        }
        assert_eq!(Board::default().mirrored().pieces, Board::default().pieces);
    }
}
