//! Move ordering hints: which captures and promotions are searched before the quiet moves, and which after.
//!
//! Captures and promotions that do not lose material have positive hints, those that do have negative ones. Quiet moves
//! have hints of about 0; killers and history order them.

use cozy_chess::{BitBoard, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::board::Board;
use super::moves::{Move, pawn_sources};
use super::see::{SEE_VALUES, see_ge_zero};

/// The hint of a capture: MVV-LVA, most valuable victim first, then least valuable attacker.
///
/// Capturing a piece that is worth at least as much as the attacker cannot lose material. SEE decides only the other
/// captures.
#[inline(always)]
pub(super) fn capture(board: &Board, attacker: Piece, m: Move) -> i16 {
    let victim = board.rules.piece_on(m.to()).unwrap_or(Piece::Pawn); // en passant
    let hint = 8 * victim as i16 + (8 - attacker as i16);
    if SEE_VALUES[victim as usize] >= SEE_VALUES[attacker as usize] || see_ge_zero(board, m) {
        hint + 1
    } else {
        hint - 100
    }
}

/// The hint of a promotion. A queen that is not lost in the exchange comes early; underpromotions come last.
#[inline(always)]
pub(super) fn promotion(board: &Board, m: Move, promotion: Piece) -> i16 {
    match promotion {
        Piece::Queen if see_ge_zero(board, m) => 80,
        Piece::Queen => -50,
        Piece::Knight => -60,
        _ => -120,
    }
}

/// For each kind of piece, the squares that the other side attacks with a less valuable piece.
pub(super) struct Threats([BitBoard; Piece::NUM]);

impl Threats {
    #[inline(always)]
    pub(super) fn new(board: &Board) -> Threats {
        let rules = &board.rules;
        let side = rules.side_to_move();
        let theirs = rules.colors(!side);
        let occupied = rules.occupied();
        // The squares from which one of our pawns would attack theirs.
        let pawns = pawn_sources(theirs & rules.pieces(Piece::Pawn), side);
        let mut minors = pawns;
        for square in theirs & rules.pieces(Piece::Knight) {
            minors |= get_knight_moves(square);
        }
        for square in theirs & rules.pieces(Piece::Bishop) {
            minors |= get_bishop_moves(square, occupied);
        }
        let mut rooks = minors;
        for square in theirs & rules.pieces(Piece::Rook) {
            rooks |= get_rook_moves(square, occupied);
        }
        Threats([BitBoard::EMPTY, pawns, pawns, minors, rooks, BitBoard::EMPTY])
    }

    /// The squares on which this kind of piece is threatened.
    #[inline(always)]
    pub(super) fn against(&self, piece: Piece) -> BitBoard {
        self.0[piece as usize]
    }
}
