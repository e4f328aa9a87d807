//! How good a position is: the features, weighted by how many pieces are left.

use super::board::{Board, bit_of};
use super::features::{self, COUNT, KING, KING_AT, MAN, MAN_AT, View, shape};
use super::weights::WEIGHTS;

/// Between the opening's weights, in force with all 24 pieces, and the ending's, in force from here on.
const FEWEST: i32 = 4;
const MOST: i32 = 24;

/// How much of the opening is left, from 0 to 20 twentieths.
#[inline(always)]
pub(super) fn opening_share(board: &Board) -> i32 {
    let pieces = (board.pieces[0] | board.pieces[1]).count_ones() as i32;
    pieces.clamp(FEWEST, MOST) - FEWEST
}

/// A weight for the opening and one for the ending in one number, so that one addition adds both.
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

/// Material and places of eight squares at a time.
type Places = [[i32; 256]; 4];
static MEN: Places = places(MAN, MAN_AT, 28);
static KINGS: Places = places(KING, KING_AT, 32);

const fn places(material: usize, at: usize, squares: u8) -> Places {
    let mut of_bit = [0; 32];
    let mut number = 1;
    while number <= squares {
        of_bit[bit_of(number) as usize] = PACKED[material] + PACKED[at + number as usize - 1];
        number += 1;
    }
    let mut places = [[0; 256]; 4];
    let mut index = 0;
    while index < 4 * 256 {
        let (byte, pattern) = (index / 256, index % 256);
        let mut bit = 0;
        while bit < 8 {
            if pattern >> bit & 1 == 1 {
                places[byte][pattern] += of_bit[8 * byte + bit];
            }
            bit += 1;
        }
        index += 1;
    }
    places
}

#[inline(always)]
fn look_up(places: &Places, word: u32) -> i32 {
    let [a, b, c, d] = word.to_le_bytes().map(usize::from);
    places[0][a] + places[1][b] + places[2][c] + places[3][d]
}

#[inline(always)]
fn places_of(board: &Board, views: &[View; 2]) -> i32 {
    let men = look_up(&MEN, views[0].men) - look_up(&MEN, views[1].men);
    if board.kings == 0 {
        return men;
    }
    men + look_up(&KINGS, views[0].kings) - look_up(&KINGS, views[1].kings)
}

impl Board {
    /// The tuned evaluation; a man is worth about 100 points.
    #[inline(always)]
    pub(super) fn judged(&self) -> i32 {
        let views = View::both(self);
        let mut sum = places_of(self, &views);
        shape(self, &views, |feature, count| sum += PACKED[feature] * count);
        self.unpacked(sum)
    }

    /// The part of the evaluation that is looked up: material and places.
    #[inline(always)]
    pub(super) fn placed(&self) -> i32 {
        self.unpacked(places_of(self, &View::both(self)))
    }

    /// The opening's and the ending's points, mixed by how many pieces are left.
    #[inline(always)]
    fn unpacked(&self, sum: i32) -> i32 {
        let opening = i32::from(sum as i16);
        let ending = (sum - opening) >> 16;
        let share = opening_share(self);
        (opening * share + ending * (MOST - FEWEST - share)) / (MOST - FEWEST)
    }

    /// Material alone, a man at 100 points and a king at 130: the evaluation to beat.
    pub fn material(&self) -> i32 {
        let [own, other] = [self.turn, !self.turn].map(|side| {
            let (men, kings) = self.count(side);
            (100 * men + 130 * kings) as i32
        });
        own - other
    }
}

/// The evaluation laid open for tuning and for the curious.
pub mod tuning {
    pub use super::features::*;
    use super::*;

    /// The weights in force, opening and ending.
    pub const fn weights() -> &'static [[i16; 2]; COUNT] {
        &WEIGHTS
    }

    /// How much the opening's weights count in a position, from 0 to 1; the ending's count for the rest.
    pub fn opening(board: &Board) -> f64 {
        f64::from(opening_share(board)) / f64::from(MOST - FEWEST)
    }

    /// Whether the side to move need not jump: the positions that are evaluated as they stand.
    pub fn is_quiet(board: &Board) -> bool {
        board.jumpers() == 0
    }
}

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves, mix};

    use super::*;

    fn some_positions(mut see: impl FnMut(Board)) {
        for game in 0u64..60 {
            let mut board = Board::default();
            for ply in 0..150 {
                see(board);
                let moves = legal_moves(&board);
                let Some(&m) = moves.get((mix(1000 * game + ply) % moves.len().max(1) as u64) as usize) else { break };
                board = board.play(m);
            }
        }
    }

    #[test]
    fn colours_do_not_matter() {
        some_positions(|board| {
            assert_eq!(board.evaluate(), board.mirrored().evaluate(), "{board}");
            assert_eq!(board.material(), board.mirrored().material(), "{board}");
        });
    }

    /// The looked-up and packed evaluation is the plain sum that was tuned.
    #[test]
    fn it_is_the_sum_of_its_features() {
        some_positions(|board| {
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
    fn more_is_better() {
        let value = |fen: &str| fen.parse::<Board>().unwrap().evaluate();
        assert!(value("B:W24,28,32:B1,5,9,10") > 60);
        assert!(value("B:W24,28,32:B1,5,K10") > 20);
        assert!(value("W:W24,28,32:B1,5,K10") < -20);
        let largest = value("B:W32:BK1,K2,K3,K5,K6,K7,K9,K10,K11,K14,K15,K18");
        assert!(largest > 500 && largest < 31_000);
    }

    #[test]
    fn a_man_that_gets_through_counts() {
        let runs = |fen: &str| {
            let mut found = 0;
            tuning::features(&fen.parse().unwrap(), |feature, count| {
                if (tuning::RUNAWAY..tuning::SAFE_MAN_STEPS).contains(&feature) {
                    found += count * 10i32.pow((feature - tuning::RUNAWAY) as u32);
                }
            });
            found
        };
        assert_eq!(runs("B:WK1:B25"), 1);
        assert_eq!(runs("B:WK5:B18"), 100);
        // White's man is two steps from its king row.
        assert_eq!(runs("B:W9:B25"), 1 - 10);
        assert_eq!(runs("B:W30,29:B25"), 0);
    }
}
