//! King safety: pawn shield, pawn storm, attacks and safe checks.

use cozy_chess as cozy;
use cozy_chess::{BitBoard, Color, File, Piece, Square};

use super::board::Board;
use super::evaluate::FeatureSink;
use super::features as f;
use super::pawns::Pawns;
use super::pieces::Attacks;

/// The highest danger that has a weight.
const MAX_DANGER: usize = 23;

/// Adds the features of one side's king.
#[inline(always)]
pub(super) fn collect(
    board: &Board,
    side: Color,
    pawns: &Pawns,
    ours: &Attacks,
    theirs: &Attacks,
    sink: &mut impl FeatureSink,
) {
    let rules = &board.rules;
    let king = rules.king(side);
    sink.add_piece(side, Piece::King, king);
    shelter(board, side, king, pawns, sink);

    sink.add(side, f::KING_DANGER + theirs.danger.min(MAX_DANGER), 1);
    // Safe checks: from squares that we do not defend. They are a feature of the other side.
    let occupied = rules.occupied();
    let safe = !rules.colors(!side) & !ours.all;
    let diagonal = cozy::get_bishop_moves(king, occupied) & safe;
    let straight = cozy::get_rook_moves(king, occupied) & safe;
    let checks = [
        cozy::get_knight_moves(king) & safe & theirs.by[Piece::Knight as usize],
        diagonal & theirs.by[Piece::Bishop as usize],
        straight & theirs.by[Piece::Rook as usize],
        (diagonal | straight) & theirs.by[Piece::Queen as usize],
    ];
    for (index, squares) in checks.into_iter().enumerate() {
        sink.add_each(!side, f::SAFE_CHECK + index, squares);
    }
}

/// Pawn shield and pawn storm: the pawns of both sides ahead of the king, on its file and the two beside it.
#[inline(always)]
fn shelter(board: &Board, side: Color, king: Square, pawns: &Pawns, sink: &mut impl FeatureSink) {
    let enemy_pawns = board.rules.colored_pieces(!side, Piece::Pawn);
    // On the a and h files, use the three files nearest to the edge: otherwise a king in the corner has too few shield
    // pawns.
    let centre = (king.file() as usize).clamp(1, 6);
    let ahead = ranks_ahead(king, side);
    for file in centre - 1..=centre + 1 {
        let beside = usize::from(file != king.file() as usize);
        let on_file = File::index(file).bitboard() & ahead;
        let shield = steps(on_file & pawns.set, king, side).map_or(0, |steps| steps.clamp(1, 3));
        sink.add(side, f::PAWN_SHIELD + 4 * beside + shield, 1);
        let storm = steps(on_file & enemy_pawns, king, side).map_or(0, |steps| steps.clamp(1, 5));
        sink.add(side, f::PAWN_STORM + storm, 1);
    }
}

/// The rank of the king and all ranks ahead of it.
#[inline(always)]
fn ranks_ahead(king: Square, side: Color) -> BitBoard {
    let rank = king.rank() as u32;
    BitBoard(if matches!(side, Color::White) { u64::MAX << (8 * rank) } else { u64::MAX >> (8 * (7 - rank)) })
}

/// How many ranks ahead of the king the nearest pawn of a set is.
#[inline(always)]
fn steps(set: BitBoard, king: Square, side: Color) -> Option<usize> {
    let nearest = match side {
        Color::White => set.0.trailing_zeros(),
        Color::Black => 63 - set.0.leading_zeros().min(63),
    };
    if set.is_empty() { None } else { Some((nearest / 8).abs_diff(king.rank() as u32) as usize) }
}
