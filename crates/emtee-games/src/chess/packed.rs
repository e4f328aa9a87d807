//! A board in 24 bytes: the bitboard of the occupied squares (a1 in bit 0), then four bits for each piece in that
//! order, the lower half of a byte first.
//!
//! The four bits are 0 to 5 for pawn, knight, bishop, rook, queen and king, 6 for a rook with castling rights and 7 for
//! a pawn that can be captured en passant; 8 is added for Black. The halfmove clock is not stored.

use cozy_chess as cozy;
use cozy_chess::{BitBoard, Color, Piece, Rank, Square};
use emtee::Side;

use super::{Board, Move};
use crate::packed::{PACKED, Packed, word};

const CASTLING_ROOK: u8 = 6;
const EN_PASSANT_PAWN: u8 = 7;
const BLACK: u8 = 8;

/// The offset of the pieces.
const PIECES: usize = size_of::<u64>();

impl Board {
    /// The rooks with castling rights of a side: kingside, then queenside.
    fn castling_rooks(&self, color: Color) -> [Option<Square>; 2] {
        let rights = self.rules.castle_rights(color);
        [rights.short, rights.long].map(|file| file.map(|file| Square::new(file, Rank::First.relative_to(color))))
    }

    /// The pawn that can be captured en passant.
    fn en_passant_pawn(&self) -> Option<Square> {
        let rank = Rank::Fourth.relative_to(!self.rules.side_to_move());
        self.rules.en_passant().map(|file| Square::new(file, rank))
    }
}

impl Packed for Board {
    fn packed(&self) -> Option<[u8; PACKED]> {
        let occupied = self.rules.occupied();
        if occupied.len() as usize > 2 * (PACKED - PIECES) {
            return None;
        }
        let rooks = Color::ALL.map(|color| self.castling_rooks(color));
        let mut bytes = [0; PACKED];
        bytes[..PIECES].copy_from_slice(&occupied.0.to_le_bytes());
        for (index, square) in occupied.into_iter().enumerate() {
            let kind = match self.rules.piece_on(square)? as u8 {
                _ if rooks.as_flattened().contains(&Some(square)) => CASTLING_ROOK,
                _ if self.en_passant_pawn() == Some(square) => EN_PASSANT_PAWN,
                piece => piece,
            };
            let colour = if self.rules.colors(Color::Black).has(square) { BLACK } else { 0 };
            bytes[PIECES + index / 2] |= (kind | colour) << (index % 2 * 4);
        }
        Some(bytes)
    }

    fn unpacked(board: &[u8; PACKED], turn: Side) -> Option<Board> {
        let occupied = BitBoard(u64::from_le_bytes(word(board, 0)));
        if occupied.len() as usize > 2 * (PACKED - PIECES) {
            return None;
        }
        let mut builder = cozy::BoardBuilder::empty();
        builder.side_to_move = if turn == Side::First { Color::White } else { Color::Black };
        let mut castling = Vec::new();
        for (index, square) in occupied.into_iter().enumerate() {
            let code = board[PIECES + index / 2] >> (index % 2 * 4) & 15;
            let color = if code & BLACK == 0 { Color::White } else { Color::Black };
            let piece = match code & !BLACK {
                CASTLING_ROOK => {
                    castling.push((square, color));
                    Piece::Rook
                }
                EN_PASSANT_PAWN => {
                    builder.en_passant = Some(Square::new(square.file(), Rank::Third.relative_to(color)));
                    Piece::Pawn
                }
                piece => Piece::try_index(usize::from(piece))?,
            };
            *builder.square_mut(square) = Some((piece, color));
        }
        for (rook, color) in castling {
            let king = occupied.into_iter().find(|&square| builder.square(square) == Some((Piece::King, color)))?;
            let rights = builder.castle_rights_mut(color);
            let right = if rook.file() > king.file() { &mut rights.short } else { &mut rights.long };
            *right = Some(rook.file());
        }
        builder.build().ok().map(|rules| Board { rules })
    }

    /// Not in check, and the best move is neither a capture nor a promotion.
    fn is_quiet(&self, best: Move) -> bool {
        !self.in_check() && !self.is_capture(best) && !best.is_promotion()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The FEN without its two clocks, which are not stored.
    fn without_clocks(board: &Board) -> String {
        board.to_string().split(' ').take(4).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn packed_boards_round_trip() {
        for (seed, fen) in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ]
        .into_iter()
        .cycle()
        .take(40)
        .enumerate()
        {
            crate::packed::check_round_trip(fen.parse().unwrap(), 1_000 * seed as u64, 150, without_clocks);
        }
    }

    #[test]
    fn invalid_bytes_are_refused() {
        for bytes in [[0; PACKED], [0xff; PACKED], [0x55; PACKED]] {
            assert_eq!(Board::unpacked(&bytes, Side::First), None);
        }
    }

    #[test]
    fn checks_captures_and_promotions_are_not_quiet() {
        for (fen, m, quiet) in [
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2", true),
            ("4k3/8/8/8/8/8/r7/R3K3 w - - 0 1", "a1a2", false),
            ("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1e2", false),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", false),
        ] {
            let board: Board = fen.parse().unwrap();
            let best = emtee::legal_moves(&board).into_iter().find(|legal| legal.to_string() == m).unwrap();
            assert_eq!(board.is_quiet(best), quiet, "{fen} {m}");
        }
    }
}
