//! Pawn structure, computed on whole bitboards with shifts and fills.

use cozy_chess::{BitBoard, Color, File, Rank, Square};
use cozy_chess::{Piece, get_king_moves};

use super::board::Board;
use super::evaluate::FeatureSink;
use super::features as f;

const NOT_A: u64 = !File::A.bitboard().0;
const NOT_H: u64 = !File::H.bitboard().0;

/// One side's pawns and the bitboards derived from them.
pub(super) struct Pawns {
    pub(super) set: BitBoard,
    /// The squares they attack.
    pub(super) attacks: BitBoard,
    /// The front spans: all squares in front of them on their files.
    pub(super) front: BitBoard,
    /// The attack spans: all squares that they can ever attack.
    pub(super) attack_span: BitBoard,
    /// The files they stand on.
    pub(super) files: BitBoard,
}

impl Pawns {
    #[inline(always)]
    pub(super) fn new(board: &Board, side: Color) -> Pawns {
        let set = board.rules.colored_pieces(side, Piece::Pawn);
        let attacks = neighbours(forward(set, side));
        let front = fill(forward(set, side), side);
        let attack_span = fill(attacks, side);
        Pawns { set, attacks, front, attack_span, files: fill(fill(set, side), !side) }
    }
}

/// The squares one step ahead.
#[inline(always)]
pub(super) fn forward(set: BitBoard, side: Color) -> BitBoard {
    BitBoard(if matches!(side, Color::White) { set.0 << 8 } else { set.0 >> 8 })
}

/// The squares to the left and to the right.
#[inline(always)]
fn neighbours(set: BitBoard) -> BitBoard {
    BitBoard((set.0 & NOT_A) >> 1 | (set.0 & NOT_H) << 1)
}

/// The set and everything ahead of it.
#[inline(always)]
fn fill(set: BitBoard, side: Color) -> BitBoard {
    let mut set = set.0;
    if matches!(side, Color::White) {
        set |= set << 8;
        set |= set << 16;
        set |= set << 32;
    } else {
        set |= set >> 8;
        set |= set >> 16;
        set |= set >> 32;
    }
    BitBoard(set)
}

/// The number of king moves from one square to another.
#[inline(always)]
pub(super) fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as i32 - b.file() as i32).unsigned_abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).unsigned_abs();
    files.max(ranks) as usize
}

#[inline(always)]
fn relative_rank(square: Square, side: Color) -> usize {
    square.rank() as usize ^ if matches!(side, Color::White) { 0 } else { 7 }
}

/// Adds the features of one side's pawns.
#[inline(always)]
pub(super) fn collect(board: &Board, side: Color, ours: &Pawns, theirs: &Pawns, sink: &mut impl FeatureSink) {
    let rules = &board.rules;
    let set = ours.set;
    let isolated = set & !neighbours(ours.files);
    let connected = set & (ours.attacks | neighbours(set));
    // Stop squares that an enemy pawn attacks and that no own pawn can ever defend.
    let stops = forward(set & !isolated, side) & theirs.attacks & !ours.attack_span;
    let backward = forward(stops, !side) & !connected;
    let doubled = set & fill(forward(set, !side), !side);
    let passed = set & !doubled & !theirs.front & !theirs.attack_span;
    sink.add_each(side, f::ISOLATED, isolated);
    sink.add_each(side, f::BACKWARD, backward);
    sink.add_each(side, f::WEAK_UNOPPOSED, (isolated | backward) & !theirs.front);
    sink.add_each(side, f::DOUBLED, doubled);
    for square in set {
        sink.add_piece(side, Piece::Pawn, square);
    }
    for square in connected {
        sink.add(side, f::CONNECTED + relative_rank(square, side), 1);
    }
    if passed.is_empty() {
        return;
    }
    let (king, enemy_king) = (rules.king(side), rules.king(!side));
    for square in passed {
        let rank = relative_rank(square, side);
        sink.add(side, f::PASSED + rank, 1);
        let stop = forward(square.bitboard(), side);
        if (stop & rules.occupied()).is_empty() {
            sink.add(side, f::PASSED_FREE + rank, 1);
        }
        // The distances of the kings count from the fourth rank on.
        if rank >= Rank::Fourth as usize
            && let Some(stop) = stop.next_square()
        {
            sink.add(side, f::PASSED_OWN_KING + distance(king, stop), 1);
            sink.add(side, f::PASSED_THEIR_KING + distance(enemy_king, stop), 1);
        }
    }
}

/// The king zone: the king, the squares around it, and one more rank ahead.
#[inline(always)]
pub(super) fn king_zone(king: Square, side: Color) -> BitBoard {
    let around = get_king_moves(king) | king.bitboard();
    around | forward(around, side)
}
