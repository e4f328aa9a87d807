//! Knights, bishops, rooks and queens: piece-square features, mobility, attacks and threats.

use cozy_chess as cozy;
use cozy_chess::{BitBoard, Color, Piece, Rank};

use super::board::Board;
use super::evaluate::FeatureSink;
use super::features as f;
use super::pawns::{Pawns, king_zone};

/// The attacks of one side.
pub(super) struct Attacks {
    /// The squares attacked by each kind of piece.
    pub(super) by: [BitBoard; Piece::NUM],
    /// The squares attacked by any piece.
    pub(super) all: BitBoard,
    /// The weight of the attacks on the zone of the enemy king.
    pub(super) danger: usize,
}

/// How much a piece that attacks the king zone adds to the danger, in addition to 1 for each square that it attacks
/// there.
const KING_ATTACK_WEIGHTS: [usize; Piece::NUM] = [0, 2, 2, 3, 4, 0];

const PIECES: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
const MOBILITY: [usize; 4] = [f::KNIGHT_MOBILITY, f::BISHOP_MOBILITY, f::ROOK_MOBILITY, f::QUEEN_MOBILITY];
const WHITE_OUTPOSTS: u64 = 0x0000_ffff_ff00_0000;
const BLACK_OUTPOSTS: u64 = 0x0000_00ff_ffff_0000;

/// Adds the features of one side's pieces and returns its attacks.
#[inline(always)]
pub(super) fn collect(
    board: &Board,
    side: Color,
    ours: &Pawns,
    theirs: &Pawns,
    sink: &mut impl FeatureSink,
) -> Attacks {
    let rules = &board.rules;
    let occupied = rules.occupied();
    let king = rules.king(side);
    let zone = king_zone(rules.king(!side), !side);
    let king_attacks = cozy::get_king_moves(king);
    // The mobility area: without its own pawns and king, and without squares that enemy pawns attack.
    let mobility_area = !(ours.set | king.bitboard() | theirs.attacks);
    let outposts = ours.attacks & !theirs.attack_span & outpost_ranks(side);
    let mut attacks = Attacks { by: [BitBoard::EMPTY; Piece::NUM], all: BitBoard::EMPTY, danger: 0 };
    attacks.by[Piece::Pawn as usize] = ours.attacks;
    attacks.by[Piece::King as usize] = king_attacks;
    let mut attackers = 0;

    for (piece, mobility) in PIECES.into_iter().zip(MOBILITY) {
        let set = rules.colored_pieces(side, piece);
        for square in set {
            sink.add_piece(side, piece, square);
            // X-rays: a ray continues through own pieces that move the same way.
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
            sink.add(side, mobility + (reach & mobility_area).len() as usize, 1);
            let near = reach & zone;
            if !near.is_empty() {
                attackers += 1;
                attacks.danger += KING_ATTACK_WEIGHTS[piece as usize] + near.len() as usize;
            }
        }
    }
    attacks.all = attacks.by.into_iter().fold(BitBoard::EMPTY, |all, by| all | by);
    if attackers < 2 {
        attacks.danger = 0;
    }

    let knights = rules.colored_pieces(side, Piece::Knight);
    let bishops = rules.colored_pieces(side, Piece::Bishop);
    sink.add_each(side, f::OUTPOST, knights & outposts);
    sink.add_each(side, f::OUTPOST + 1, bishops & outposts);
    if bishops.len() >= 2 {
        sink.add(side, f::BISHOP_PAIR, 1);
    } else if !bishops.is_empty() {
        let dark = !(bishops & BitBoard::DARK_SQUARES).is_empty();
        let color = if dark { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
        sink.add_each(side, f::BAD_BISHOP, ours.set & color);
    }
    let rooks = rules.colored_pieces(side, Piece::Rook);
    let half_open = rooks & !ours.files;
    sink.add_each(side, f::ROOK_OPEN, half_open & !theirs.files);
    sink.add_each(side, f::ROOK_HALF_OPEN, half_open & theirs.files);
    sink.add_each(side, f::ROOK_SEVENTH, rooks & Rank::Seventh.relative_to(side).bitboard());
    attacks
}

#[inline(always)]
fn outpost_ranks(side: Color) -> BitBoard {
    BitBoard(if matches!(side, Color::White) { WHITE_OUTPOSTS } else { BLACK_OUTPOSTS })
}

/// Adds the threats of one side.
#[inline(always)]
pub(super) fn threats(board: &Board, side: Color, ours: &Attacks, theirs: &Attacks, sink: &mut impl FeatureSink) {
    let rules = &board.rules;
    let enemy = |piece| rules.colored_pieces(!side, piece);
    let minors = enemy(Piece::Knight) | enemy(Piece::Bishop);
    let by = |piece: Piece| ours.by[piece as usize];
    for (index, set) in [minors, enemy(Piece::Rook), enemy(Piece::Queen)].into_iter().enumerate() {
        sink.add_each(side, f::PAWN_THREAT + index, by(Piece::Pawn) & set);
    }
    let by_minors = by(Piece::Knight) | by(Piece::Bishop);
    sink.add_each(side, f::MINOR_THREAT, by_minors & enemy(Piece::Rook));
    sink.add_each(side, f::MINOR_THREAT + 1, by_minors & enemy(Piece::Queen));
    sink.add_each(side, f::ROOK_THREAT, by(Piece::Rook) & enemy(Piece::Queen));
    let hanging = ours.all & !theirs.all & rules.colors(!side);
    sink.add_each(side, f::HANGING, hanging & rules.pieces(Piece::Pawn));
    sink.add_each(side, f::HANGING + 1, hanging & !rules.pieces(Piece::Pawn));
}
