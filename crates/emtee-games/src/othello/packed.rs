//! A board in 24 bytes: Black's squares and White's, a1 in bit 0, and eight zeros.

use emtee::Side;

use super::{Board, Move};
use crate::packed::{PACKED, Packed, pack_words, word};

impl Packed for Board {
    fn packed(&self) -> Option<[u8; PACKED]> {
        Some(pack_words([self.black(), self.white()].map(u64::to_le_bytes)))
    }

    fn unpacked(board: &[u8; PACKED], turn: Side) -> Option<Board> {
        let [black, white] = [0, 1].map(|index| u64::from_le_bytes(word(board, index)));
        Board::new(black, white, turn)
    }

    fn is_quiet(&self, _: Move) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_survive_packing() {
        for seed in 0..20 {
            crate::packed::check_round_trip(Board::default(), 1_000 * seed, 70, Board::to_string);
        }
        assert_eq!(Board::unpacked(&[1; PACKED], Side::First), None);
    }
}
