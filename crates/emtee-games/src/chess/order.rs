//! Which move first: what captures and promotions are worth a try before, and after, the quiet moves.
//!
//! Positive hints go to moves that do not lose material, negative ones to those that do; quiet moves have about 0 and are
//! told apart by killers and history.

use cozy_chess::{BitBoard, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::board::Board;
use super::exchange::{VALUES, is_sound};
use super::moves::{Move, pawn_sources};

/// The hint of a move that takes something.
///
/// The most valuable victim comes first, then the least valuable attacker. Taking something worth as much as the attacker
/// loses nothing, whatever comes; only the rest has to be calculated.
#[inline(always)]
pub(super) fn capture(board: &Board, attacker: Piece, m: Move) -> i16 {
    let victim = board.rules.piece_on(m.to()).unwrap_or(Piece::Pawn); // en passant
    let hint = 8 * victim as i16 + (8 - attacker as i16);
    if VALUES[victim as usize] >= VALUES[attacker as usize] || is_sound(board, m) { hint + 1 } else { hint - 100 }
}

/// The hint of a promotion: a queen that is not lost at once is good, anything less is hardly ever wanted.
#[inline(always)]
pub(super) fn promotion(board: &Board, m: Move, promotion: Piece) -> i16 {
    match promotion {
        Piece::Queen if is_sound(board, m) => 80,
        Piece::Queen => -50,
        Piece::Knight => -60,
        _ => -120,
    }
}

/// The squares where the other side attacks with something worth less.
pub(super) struct Danger([BitBoard; Piece::NUM]);

impl Danger {
    #[inline(always)]
    pub(super) fn new(board: &Board) -> Danger {
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
        Danger([BitBoard::EMPTY, pawns, pawns, minors, rooks, BitBoard::EMPTY])
    }

    /// Where a piece is in danger: it had better leave, and not go there.
    #[inline(always)]
    pub(super) fn to(&self, piece: Piece) -> BitBoard {
        self.0[piece as usize]
    }
}
