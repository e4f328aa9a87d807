//! A board in 24 bytes: Black's pieces, White's pieces and the kings of both, 32 bits each with square 1 in bit 0, then
//! 12 zeros.

use emtee::{Game, Side};

use super::board::{Square, squares_of};
use super::{Board, Move};
use crate::packed::{PACKED, Packed, pack_words, word};

/// From the bits of the board to the numbering of the squares.
fn by_number(squares: u32) -> u32 {
    squares_of(squares).map(|square| 1 << (square.number() - 1)).sum()
}

/// The inverse of [`by_number`].
fn by_bit(numbers: u32) -> u32 {
    (1..=32).filter(|number| numbers >> (number - 1) & 1 == 1).filter_map(Square::new).map(Square::mask).sum()
}

impl Packed for Board {
    fn packed(&self) -> Option<[u8; PACKED]> {
        let [black, white] = self.pieces;
        Some(pack_words([black, white, self.kings].map(|squares| by_number(squares).to_le_bytes())))
    }

    fn unpacked(board: &[u8; PACKED], turn: Side) -> Option<Board> {
        let [black, white, kings] = [0, 1, 2].map(|index| by_bit(u32::from_le_bytes(word(board, index))));
        let men_on_king_row = black & super::KING_ROWS[0] & !kings | white & super::KING_ROWS[1] & !kings;
        let is_legal = black & white == 0 && kings & !(black | white) == 0 && men_on_king_row == 0;
        is_legal.then_some(Board { pieces: [black, white], kings, turn })
    }

    /// Whether the side to move need not jump and can move. Other positions are not evaluated statically.
    fn is_quiet(&self, _: Move) -> bool {
        !self.forced()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_boards_round_trip() {
        for seed in 0..20 {
            crate::packed::check_round_trip(Board::default(), 1_000 * seed, 120, Board::to_string);
        }
        let start = Board::default().packed().unwrap();
        assert_eq!(start[..8], [0xff, 0x0f, 0, 0, 0, 0, 0xf0, 0xff]);
        assert_eq!(Board::unpacked(&[1; PACKED], Side::First), None, "two pieces on a square");
        let man_on_king_row = pack_words([8u32 << 28, 0, 0].map(u32::to_le_bytes));
        assert_eq!(Board::unpacked(&man_on_king_row, Side::First), None, "a man on its king row");
    }

    #[test]
    fn positions_with_jumps_are_not_quiet() {
        for (fen, quiet) in [("B:W18:B14", false), ("B:W22:B14", true)] {
            let board: Board = fen.parse().unwrap();
            assert_eq!(board.is_quiet(emtee::legal_moves(&board)[0]), quiet, "{fen}");
        }
    }
}
