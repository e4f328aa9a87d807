//! The king: the pawns before it, and what bears down on it.

use cozy_chess as cozy;
use cozy_chess::{BitBoard, Color, File, Piece, Square};

use super::board::Board;
use super::evaluate::Listener;
use super::features as f;
use super::pawns::Pawns;
use super::pieces::Attacks;

/// The worst there is a weight for.
const WORST_DANGER: usize = 23;

/// Looks at one side's king.
#[inline(always)]
pub(super) fn look(
    board: &Board,
    side: Color,
    pawns: &Pawns,
    ours: &Attacks,
    theirs: &Attacks,
    listener: &mut impl Listener,
) {
    let rules = &board.rules;
    let king = rules.king(side);
    listener.see_piece(side, Piece::King, king);
    shelter(board, side, king, pawns, listener);

    listener.see(side, f::DANGER + theirs.danger.min(WORST_DANGER), 1);
    // Checks from squares that nothing of ours guards. Seen as theirs to have.
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
    for (at, squares) in checks.into_iter().enumerate() {
        listener.see_few(!side, f::SAFE_CHECK + at, squares);
    }
}

/// The pawns of both sides ahead of the king, on its file and the two beside it.
#[inline(always)]
fn shelter(board: &Board, side: Color, king: Square, pawns: &Pawns, listener: &mut impl Listener) {
    let enemy_pawns = board.rules.colored_pieces(!side, Piece::Pawn);
    // At the edge the three files next to it count, or a corner would have too few pawns to hide behind.
    let centre = (king.file() as usize).clamp(1, 6);
    let ahead = ranks_ahead(king, side);
    for file in centre - 1..=centre + 1 {
        let beside = usize::from(file != king.file() as usize);
        let on_file = File::index(file).bitboard() & ahead;
        let shield = steps(on_file & pawns.set, king, side).map_or(0, |steps| steps.clamp(1, 3));
        listener.see(side, f::SHIELD + 4 * beside + shield, 1);
        let storm = steps(on_file & enemy_pawns, king, side).map_or(0, |steps| steps.clamp(1, 5));
        listener.see(side, f::STORM + storm, 1);
    }
}

/// The rank of the king and all ahead of it.
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
