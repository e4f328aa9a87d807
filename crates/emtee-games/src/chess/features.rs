//! The features of the evaluation. Each has a number, a middlegame weight and an endgame weight.

use cozy_chess::{Color, Piece, Square};

/// A run of features of one kind.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) first: usize,
    pub(super) len: usize,
}

/// Declares the groups: names them, numbers their features consecutively, and counts the features.
macro_rules! groups {
    ($($name:ident: $len:expr, $about:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy)]
        enum GroupIndex { $($name),* }
        const LENGTHS: &[usize] = &[$($len),*];
        const fn first(group: GroupIndex) -> usize {
            let (mut sum, mut index) = (0, 0);
            while index < group as usize {
                sum += LENGTHS[index];
                index += 1;
            }
            sum
        }
        $(#[doc = $about] pub(super) const $name: usize = first(GroupIndex::$name);)*
        /// All groups, in order.
        pub(super) const GROUPS: &[Group] = &[$(Group { name: stringify!($name), first: $name, len: $len }),*];
        /// The number of features.
        pub const COUNT: usize = {
            let (mut sum, mut index) = (0, 0);
            while index < LENGTHS.len() {
                sum += LENGTHS[index];
                index += 1;
            }
            sum
        };
    };
}

groups! {
    MATERIAL: 5, "A pawn, knight, bishop, rook, queen.";
    PIECE_SQUARE: 6 * 32, "Each piece on each square; files are mirrored.";
    KNIGHT_MOBILITY: 9, "A knight, by the number of squares it can safely move to.";
    BISHOP_MOBILITY: 14, "A bishop, likewise.";
    ROOK_MOBILITY: 15, "A rook, likewise.";
    QUEEN_MOBILITY: 28, "A queen, likewise.";
    DOUBLED: 1, "A doubled pawn: one of its own is in front of it.";
    ISOLATED: 1, "An isolated pawn: no pawn of its own on the neighbouring files.";
    BACKWARD: 1, "A backward pawn: behind its neighbours, and its next square is attacked by a pawn.";
    WEAK_UNOPPOSED: 1, "An isolated or backward pawn without an enemy pawn in front of it on its file.";
    CONNECTED: 8, "A connected pawn: beside a pawn or defended by one, by rank.";
    PASSED: 8, "A passed pawn, by rank.";
    PASSED_FREE: 8, "A passed pawn whose next square is empty, by rank.";
    PASSED_OWN_KING: 8, "A passed pawn, by the distance of its own king to the next square.";
    PASSED_THEIR_KING: 8, "A passed pawn, by the distance of the enemy king to that square.";
    BISHOP_PAIR: 1, "The bishop pair: two bishops or more.";
    BAD_BISHOP: 1, "A bad bishop: one for each own pawn on a square of the only bishop's colour.";
    OUTPOST: 2, "A knight, or a bishop, on an outpost: defended by a pawn, and never attackable by one.";
    ROOK_OPEN: 1, "A rook on an open file.";
    ROOK_HALF_OPEN: 1, "A rook on a half-open file: no own pawns, some enemy pawns.";
    ROOK_SEVENTH: 1, "A rook on the seventh rank.";
    PAWN_THREAT: 3, "A minor piece, rook or queen attacked by a pawn.";
    MINOR_THREAT: 2, "A rook, or queen, attacked by a minor piece.";
    ROOK_THREAT: 1, "A queen attacked by a rook.";
    HANGING: 2, "A hanging pawn, or piece: attacked and not defended.";
    PAWN_SHIELD: 8, "The king's file, or a file beside it, by the distance of the nearest own pawn ahead.";
    PAWN_STORM: 6, "One of these three files, by the distance of the nearest enemy pawn ahead.";
    KING_DANGER: 24, "The king, by the weight of the attacks on the squares around it.";
    SAFE_CHECK: 4, "A square from which a knight, bishop, rook or queen can safely give check.";
    TEMPO: 1, "The side to move.";
}

/// The piece-square feature of a piece on a square.
#[inline(always)]
pub(super) const fn on_square(piece: Piece, square: Square, side: Color) -> usize {
    let square = square as usize ^ if matches!(side, Color::Black) { 56 } else { 0 };
    let (rank, file) = (square >> 3, square & 7);
    let file = if file > 3 { 7 - file } else { file };
    PIECE_SQUARE + 32 * piece as usize + 4 * rank + file
}
