//! The evaluation: a weighted sum of features, tapered from opening to ending by the number of pieces.

use super::board::{Board, bit_of};
use super::features::{self, COUNT, KING, KING_AT, MAN, MAN_AT, Perspective, positional_features};
use super::weights::WEIGHTS;

/// With this many pieces or fewer the weights of the ending apply alone, with all pieces those of the opening.
const ENDING_PIECES: i32 = 4;
const ALL_PIECES: i32 = 24;

/// The share of the opening weights, in twentieths.
#[inline(always)]
pub(super) fn opening_share(board: &Board) -> i32 {
    let pieces = (board.pieces[0] | board.pieces[1]).count_ones() as i32;
    pieces.clamp(ENDING_PIECES, ALL_PIECES) - ENDING_PIECES
}

/// An opening and an ending weight in one number, so that one addition adds both.
const fn packed([opening, ending]: [i16; 2]) -> i32 {
    opening as i32 + ((ending as i32) << 16)
}

const PACKED: [i32; COUNT] = {
    let mut all = [0; COUNT];
    let mut feature = 0;
    while feature < COUNT {
        all[feature] = packed(WEIGHTS[feature]);
        feature += 1;
    }
    all
};

/// Material and piece-square weights, summed for eight squares at a time.
type PieceSquareTable = [[i32; 256]; 4];
static MEN: PieceSquareTable = piece_square_table(MAN, MAN_AT, 28);
static KINGS: PieceSquareTable = piece_square_table(KING, KING_AT, 32);

const fn piece_square_table(material: usize, first_square: usize, squares: u8) -> PieceSquareTable {
    let mut weights = [0; 32];
    let mut number = 1;
    while number <= squares {
        weights[bit_of(number) as usize] = PACKED[material] + PACKED[first_square + number as usize - 1];
        number += 1;
    }
    let mut table = [[0; 256]; 4];
    let mut index = 0;
    while index < 4 * 256 {
        let (byte, pattern) = (index / 256, index % 256);
        let mut bit = 0;
        while bit < 8 {
            if pattern >> bit & 1 == 1 {
                table[byte][pattern] += weights[8 * byte + bit];
            }
            bit += 1;
        }
        index += 1;
    }
    table
}

#[inline(always)]
fn look_up(table: &PieceSquareTable, word: u32) -> i32 {
    let [a, b, c, d] = word.to_le_bytes().map(usize::from);
    table[0][a] + table[1][b] + table[2][c] + table[3][d]
}

#[inline(always)]
fn piece_square_sum(board: &Board, perspectives: &[Perspective; 2]) -> i32 {
    let men = look_up(&MEN, perspectives[0].men) - look_up(&MEN, perspectives[1].men);
    if board.kings == 0 {
        return men;
    }
    men + look_up(&KINGS, perspectives[0].kings) - look_up(&KINGS, perspectives[1].kings)
}

impl Board {
    /// The tuned evaluation; a man is worth about 100 points.
    #[inline(always)]
    pub(super) fn evaluate_portable(&self) -> i32 {
        let perspectives = Perspective::both(self);
        let mut sum = piece_square_sum(self, &perspectives);
        positional_features(self, &perspectives, |feature, count| sum += PACKED[feature] * count);
        self.taper(sum)
    }

    /// Material and piece-square weights alone.
    #[inline(always)]
    pub(super) fn material_and_squares(&self) -> i32 {
        self.taper(piece_square_sum(self, &Perspective::both(self)))
    }

    /// Tapers a packed sum by the number of pieces.
    #[inline(always)]
    fn taper(&self, sum: i32) -> i32 {
        let opening = i32::from(sum as i16);
        let ending = (sum - opening) >> 16;
        let share = opening_share(self);
        (opening * share + ending * (ALL_PIECES - ENDING_PIECES - share)) / (ALL_PIECES - ENDING_PIECES)
    }

    /// Material alone, a man at 100 points and a king at 130: the baseline for other evaluations.
    pub fn material(&self) -> i32 {
        let [own, other] = [self.turn, !self.turn].map(|side| {
            let (men, kings) = self.count(side);
            (100 * men + 130 * kings) as i32
        });
        own - other
    }
}

/// The parts of the evaluation, for tuning.
pub mod tuning {
    pub use super::features::*;
    use super::*;

    /// The weights of the evaluation, opening and ending.
    pub const fn weights() -> &'static [[i16; 2]; COUNT] {
        &WEIGHTS
    }

    /// The share of the opening weights in a position, from 0 to 1. The rest is the share of the ending weights.
    pub fn opening(board: &Board) -> f64 {
        f64::from(opening_share(board)) / f64::from(ALL_PIECES - ENDING_PIECES)
    }

    /// Whether the side to move need not jump. Only such positions are evaluated statically.
    pub fn is_quiet(board: &Board) -> bool {
        board.jumpers() == 0
    }
}

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves, mix};

    use super::*;

    fn random_games(mut visit: impl FnMut(Board)) {
        for game in 0u64..60 {
            let mut board = Board::default();
            for ply in 0..150 {
                visit(board);
                let moves = legal_moves(&board);
                let Some(&m) = moves.get((mix(1000 * game + ply) % moves.len().max(1) as u64) as usize) else { break };
                board = board.play(m);
            }
        }
    }

    #[test]
    fn colours_do_not_matter() {
        random_games(|board| {
            assert_eq!(board.evaluate(), board.mirrored().evaluate(), "{board}");
            assert_eq!(board.material(), board.mirrored().material(), "{board}");
        });
    }

    /// The evaluation with tables and packed weights equals the plain weighted sum that was tuned.
    #[test]
    fn it_is_the_weighted_sum_of_its_features() {
        random_games(|board| {
            let (mut opening, mut ending) = (0, 0);
            tuning::features(&board, |feature, count| {
                opening += i32::from(WEIGHTS[feature][0]) * count;
                ending += i32::from(WEIGHTS[feature][1]) * count;
            });
            let share = opening_share(&board);
            assert_eq!(board.evaluate(), (opening * share + ending * (20 - share)) / 20, "{board}");
        });
    }

    #[test]
    fn more_material_is_better() {
        let value = |fen: &str| fen.parse::<Board>().unwrap().evaluate();
        assert!(value("B:W24,28,32:B1,5,9,10") > 60);
        assert!(value("B:W24,28,32:B1,5,K10") > 20);
        assert!(value("W:W24,28,32:B1,5,K10") < -20);
        let largest = value("B:W32:BK1,K2,K3,K5,K6,K7,K9,K10,K11,K14,K15,K18");
        assert!(largest > 500 && largest < 31_000);
    }

    #[test]
    fn runaway_men_are_counted() {
        let runaways = |fen: &str| {
            let mut found = 0;
            tuning::features(&fen.parse().unwrap(), |feature, count| {
                if (tuning::RUNAWAY..tuning::SAFE_MAN_STEPS).contains(&feature) {
                    found += count * 10i32.pow((feature - tuning::RUNAWAY) as u32);
                }
            });
            found
        };
        assert_eq!(runaways("B:WK1:B25"), 1);
        assert_eq!(runaways("B:WK5:B18"), 100);
        // White's man is two steps from its king row.
        assert_eq!(runaways("B:W9:B25"), 1 - 10);
        assert_eq!(runaways("B:W30,29:B25"), 0);
    }
}
