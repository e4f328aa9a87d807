//! Hand-written weights: the baseline for tuned weights, and the start of the tuner.

use cozy_chess::{Color, File, Piece, Square};

use super::features::{self as f, COUNT, on_square};

/// Material and piece-square weights.
pub(super) fn plain() -> [(i16, i16); COUNT] {
    let mut pairs = [(0, 0); COUNT];
    for (index, value) in [100, 320, 330, 500, 950].into_iter().enumerate() {
        pairs[f::MATERIAL + index] = (value, value);
    }
    for piece in Piece::ALL {
        for square in Square::ALL.into_iter().filter(|square| square.file() <= File::D) {
            let rank = square.rank() as i16;
            let home = rank == 0;
            // From 0 at the edge to 3 in the centre, for the file and for the rank.
            let (across, along) = (square.file() as i16, rank.min(7 - rank));
            let centre = across + along;
            let on_edge = i16::from(across == 0 || along == 0);
            pairs[on_square(piece, square, Color::White)] = match piece {
                Piece::Pawn => (4 * across * along.min(2) / 2 + 3 * (rank - 1), 8 * (rank - 1)),
                Piece::Knight => (7 * centre - 22 - 6 * on_edge, 6 * centre - 18 - 6 * on_edge),
                Piece::Bishop => (4 * centre - 10 - 6 * i16::from(home), 3 * centre - 9),
                Piece::Rook => (3 * across - 4 + 18 * i16::from(rank == 6), 6 * i16::from(rank == 6)),
                Piece::Queen => (centre - 3, 4 * centre - 12),
                Piece::King => (20 - 14 * rank.min(4) - 10 * across, 8 * centre - 24),
            };
        }
    }
    pairs
}

/// Material, piece-square weights, and hand-written weights of all other features.
pub(super) fn pairs() -> [(i16, i16); COUNT] {
    let mut pairs = plain();
    let mut set = |first: usize, group: &[(i16, i16)]| pairs[first..first + group.len()].copy_from_slice(group);
    let by = |len: i16, weight: fn(i16) -> (i16, i16)| (0..len).map(weight).collect::<Vec<_>>();
    set(f::KNIGHT_MOBILITY, &by(9, |squares| (4 * (squares - 4), 4 * (squares - 4))));
    set(f::BISHOP_MOBILITY, &by(14, |squares| (4 * (squares - 6), 4 * (squares - 6))));
    set(f::ROOK_MOBILITY, &by(15, |squares| (2 * (squares - 7), 4 * (squares - 7))));
    set(f::QUEEN_MOBILITY, &by(28, |squares| (squares - 13, 2 * (squares - 13))));
    set(f::DOUBLED, &[(-8, -15)]);
    set(f::ISOLATED, &[(-8, -8)]);
    set(f::BACKWARD, &[(-6, -8)]);
    set(f::WEAK_UNOPPOSED, &[(-8, -4)]);
    set(f::CONNECTED, &by(8, |rank| (rank * rank, rank * rank / 2)));
    set(f::PASSED, &by(8, |rank| (rank * rank, 2 * rank * rank)));
    set(f::PASSED_FREE, &by(8, |rank| (rank * rank / 4, rank * rank)));
    set(f::PASSED_OWN_KING, &by(8, |distance| (0, 4 * (3 - distance))));
    set(f::PASSED_THEIR_KING, &by(8, |distance| (0, 6 * (distance - 3))));
    set(f::BISHOP_PAIR, &[(25, 45)]);
    set(f::BAD_BISHOP, &[(-2, -4)]);
    set(f::OUTPOST, &[(20, 10), (12, 5)]);
    set(f::ROOK_OPEN, &[(22, 5)]);
    set(f::ROOK_HALF_OPEN, &[(10, 4)]);
    set(f::ROOK_SEVENTH, &[(5, 12)]);
    set(f::PAWN_THREAT, &[(50, 35), (60, 35), (60, 35)]);
    set(f::MINOR_THREAT, &[(30, 20), (35, 25)]);
    set(f::ROOK_THREAT, &[(35, 20)]);
    set(f::HANGING, &[(8, 15), (30, 20)]);
    // No pawn, a pawn next to the king, one rank further, far away.
    set(f::PAWN_SHIELD, &[(-25, 0), (12, 0), (4, 0), (-6, 0), (-18, 0), (10, 0), (4, 0), (-4, 0)]);
    set(f::PAWN_STORM, &[(0, 0), (0, 0), (-22, 0), (-12, 0), (-4, 0), (0, 0)]);
    set(f::KING_DANGER, &by(24, |danger| (-danger * danger / 4, 0)));
    set(f::SAFE_CHECK, &[(12, 2), (6, 2), (12, 2), (8, 2)]);
    set(f::TEMPO, &[(12, 8)]);
    pairs
}
