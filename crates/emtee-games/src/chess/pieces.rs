//! Knights, bishops, rooks and queens: where they stand, what they can reach, what they attack.

use cozy_chess as cozy;
use cozy_chess::{BitBoard, Color, Piece, Rank};

use super::board::Board;
use super::evaluate::Listener;
use super::features as f;
use super::pawns::{Pawns, king_zone};

/// What one side attacks.
pub(super) struct Attacks {
    /// By each kind of piece.
    pub(super) by: [BitBoard; Piece::NUM],
    /// By any.
    pub(super) all: BitBoard,
    /// How much bears on the other king.
    pub(super) danger: usize,
}

/// How much a piece that reaches the squares around the king adds to the danger, besides one for each square.
const BEARS: [usize; Piece::NUM] = [0, 2, 2, 3, 4, 0];

const PIECES: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
const MOBILITY: [usize; 4] = [f::KNIGHT_MOBILITY, f::BISHOP_MOBILITY, f::ROOK_MOBILITY, f::QUEEN_MOBILITY];
const WHITE_OUTPOSTS: u64 = 0x0000_ffff_ff00_0000;
const BLACK_OUTPOSTS: u64 = 0x0000_00ff_ffff_0000;

/// Looks at one side's pieces.
#[inline(always)]
pub(super) fn look(board: &Board, side: Color, ours: &Pawns, theirs: &Pawns, listener: &mut impl Listener) -> Attacks {
    let rules = &board.rules;
    let occupied = rules.occupied();
    let king = rules.king(side);
    let zone = king_zone(rules.king(!side), !side);
    let king_attacks = cozy::get_king_moves(king);
    // Where a piece is of use: not among its own pawns, not where a pawn takes it.
    let area = !(ours.set | king.bitboard() | theirs.attacks);
    let holes = ours.attacks & !theirs.attack_span & outpost_ranks(side);
    let mut attacks = Attacks { by: [BitBoard::EMPTY; Piece::NUM], all: BitBoard::EMPTY, danger: 0 };
    attacks.by[Piece::Pawn as usize] = ours.attacks;
    attacks.by[Piece::King as usize] = king_attacks;
    let mut attackers = 0;

    for (piece, mobility) in PIECES.into_iter().zip(MOBILITY) {
        let set = rules.colored_pieces(side, piece);
        for square in set {
            listener.see_piece(side, piece, square);
            // Rays pass through pieces that move the same way.
            let reach = match piece {
                Piece::Knight => cozy::get_knight_moves(square),
                Piece::Bishop => cozy::get_bishop_moves(square, occupied ^ rules.colored_pieces(side, Piece::Queen)),
                Piece::Rook => {
                    let partners = rules.colored_pieces(side, Piece::Rook) | rules.colored_pieces(side, Piece::Queen);
                    cozy::get_rook_moves(square, occupied & !partners)
                }
                _ => cozy::get_bishop_moves(square, occupied) | cozy::get_rook_moves(square, occupied),
            };
            attacks.by[piece as usize] |= reach;
            listener.see(side, mobility + (reach & area).len() as usize, 1);
            let near = reach & zone;
            if !near.is_empty() {
                attackers += 1;
                attacks.danger += BEARS[piece as usize] + near.len() as usize;
            }
        }
    }
    attacks.all = attacks.by.into_iter().fold(BitBoard::EMPTY, |all, by| all | by);
    if attackers < 2 {
        attacks.danger = 0;
    }

    let knights = rules.colored_pieces(side, Piece::Knight);
    let bishops = rules.colored_pieces(side, Piece::Bishop);
    listener.see_few(side, f::OUTPOST, knights & holes);
    listener.see_few(side, f::OUTPOST + 1, bishops & holes);
    if bishops.len() >= 2 {
        listener.see(side, f::BISHOP_PAIR, 1);
    } else if !bishops.is_empty() {
        let dark = !(bishops & BitBoard::DARK_SQUARES).is_empty();
        let color = if dark { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
        listener.see_few(side, f::BAD_BISHOP, ours.set & color);
    }
    let rooks = rules.colored_pieces(side, Piece::Rook);
    let half_open = rooks & !ours.files;
    listener.see_few(side, f::ROOK_OPEN, half_open & !theirs.files);
    listener.see_few(side, f::ROOK_HALF_OPEN, half_open & theirs.files);
    listener.see_few(side, f::ROOK_SEVENTH, rooks & Rank::Seventh.relative_to(side).bitboard());
    attacks
}

#[inline(always)]
fn outpost_ranks(side: Color) -> BitBoard {
    BitBoard(if matches!(side, Color::White) { WHITE_OUTPOSTS } else { BLACK_OUTPOSTS })
}

/// Looks at what one side threatens to take.
#[inline(always)]
pub(super) fn threats(board: &Board, side: Color, ours: &Attacks, theirs: &Attacks, listener: &mut impl Listener) {
    let rules = &board.rules;
    let enemy = |piece| rules.colored_pieces(!side, piece);
    let minors = enemy(Piece::Knight) | enemy(Piece::Bishop);
    let by = |piece: Piece| ours.by[piece as usize];
    for (at, set) in [minors, enemy(Piece::Rook), enemy(Piece::Queen)].into_iter().enumerate() {
        listener.see_few(side, f::PAWN_THREAT + at, by(Piece::Pawn) & set);
    }
    let by_minors = by(Piece::Knight) | by(Piece::Bishop);
    listener.see_few(side, f::MINOR_THREAT, by_minors & enemy(Piece::Rook));
    listener.see_few(side, f::MINOR_THREAT + 1, by_minors & enemy(Piece::Queen));
    listener.see_few(side, f::ROOK_THREAT, by(Piece::Rook) & enemy(Piece::Queen));
    let loose = ours.all & !theirs.all & rules.colors(!side);
    listener.see_few(side, f::HANGING, loose & rules.pieces(Piece::Pawn));
    listener.see_few(side, f::HANGING + 1, loose & !rules.pieces(Piece::Pawn));
}
