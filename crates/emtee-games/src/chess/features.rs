//! What the evaluation looks at: every feature has a number, and a weight for the middlegame and one for the endgame.

use cozy_chess::{Color, Piece, Square};

/// A run of features of one kind.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) first: usize,
    pub(super) len: usize,
}

/// Names the groups, numbers them one after the other, and counts the features.
macro_rules! groups {
    ($($name:ident: $len:expr, $about:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy)]
        enum Place { $($name),* }
        const LENGTHS: &[usize] = &[$($len),*];
        const fn first(place: Place) -> usize {
            let (mut sum, mut at) = (0, 0);
            while at < place as usize {
                sum += LENGTHS[at];
                at += 1;
            }
            sum
        }
        $(#[doc = $about] pub(super) const $name: usize = first(Place::$name);)*
        /// All groups, in order.
        pub(super) const GROUPS: &[Group] = &[$(Group { name: stringify!($name), first: $name, len: $len }),*];
        /// How many features there are.
        pub const COUNT: usize = {
            let (mut sum, mut at) = (0, 0);
            while at < LENGTHS.len() {
                sum += LENGTHS[at];
                at += 1;
            }
            sum
        };
    };
}

groups! {
    MATERIAL: 5, "A pawn, knight, bishop, rook, queen.";
    SQUARES: 6 * 32, "Each piece on each square; left and right are the same.";
    KNIGHT_MOBILITY: 9, "A knight by the number of squares it can safely go to.";
    BISHOP_MOBILITY: 14, "A bishop likewise.";
    ROOK_MOBILITY: 15, "A rook likewise.";
    QUEEN_MOBILITY: 28, "A queen likewise.";
    DOUBLED: 1, "A pawn with one of its own in front.";
    ISOLATED: 1, "A pawn without neighbours.";
    BACKWARD: 1, "A pawn that its neighbours have left behind and that cannot advance safely.";
    WEAK_OPEN: 1, "An isolated or backward pawn that no pawn hides from rooks.";
    CONNECTED: 8, "A pawn beside another or defended by one, by rank.";
    PASSED: 8, "A pawn that no pawn can stop, by rank.";
    PASSED_FREE: 8, "A passed pawn that can step forward, by rank.";
    PASSED_OWN_KING: 8, "A passed pawn by the distance of its king to the square in front of it.";
    PASSED_THEIR_KING: 8, "A passed pawn by the distance of the other king to that square.";
    BISHOP_PAIR: 1, "Two bishops or more.";
    BAD_BISHOP: 1, "A pawn on a square of its bishop's colour.";
    OUTPOST: 2, "A knight, or a bishop, on a square that pawns defend and no pawn can attack.";
    ROOK_OPEN: 1, "A rook on a file without pawns.";
    ROOK_HALF_OPEN: 1, "A rook on a file without pawns of its own.";
    ROOK_SEVENTH: 1, "A rook on the seventh rank.";
    PAWN_THREAT: 3, "A minor piece, rook or queen attacked by a pawn.";
    MINOR_THREAT: 2, "A rook, or queen, attacked by a minor piece.";
    ROOK_THREAT: 1, "A queen attacked by a rook.";
    HANGING: 2, "A pawn, or a piece, attacked and not defended.";
    SHIELD: 8, "The king's file, and a file beside it, by the distance of the nearest pawn of its own in front.";
    STORM: 6, "The same three files by the distance of the nearest pawn of the enemy in front.";
    DANGER: 24, "The king by how much attacks the squares around it.";
    SAFE_CHECK: 4, "A square from which a knight, bishop, rook or queen could safely give check.";
    TEMPO: 1, "The right to move.";
}

/// The feature of a piece on a square.
#[inline(always)]
pub(super) const fn on_square(piece: Piece, square: Square, side: Color) -> usize {
    let square = square as usize ^ if matches!(side, Color::Black) { 56 } else { 0 };
    let (rank, file) = (square >> 3, square & 7);
    let file = if file > 3 { 7 - file } else { file };
    SQUARES + 32 * piece as usize + 4 * rank + file
}
