//! ProbCut: the measured prediction of deep searches by shallow ones. Measured by `cargo xtask measure probcut`.

use emtee::Selective;
use emtee::research::ProbCut;

use super::Board;

/// Selective search in Othello: ProbCut only.
pub(super) const SELECTIVE: Selective =
    Selective { probcut: true, probcut_threshold: 100, margin_unit: 4, ..Selective::NONE };

/// The number of game phases with their own parameters.
pub const BANDS: usize = 4;

/// The game phase of a position by its number of empty squares.
pub const fn band(empties: u32) -> usize {
    match empties {
        ..22 => 0,
        22..32 => 1,
        32..42 => 2,
        _ => 3,
    }
}

/// The depth of the shallow search. It has the same parity, because evaluations at odd and even depths differ systematically.
pub const fn shallow(deep: u8) -> u8 {
    match deep {
        ..=6 => 2 - deep % 2,
        7..=10 => 4 - deep % 2,
        _ => 6 - deep % 2,
    }
}

/// The smallest depth with a prediction.
const MIN_DEPTH: u8 = 3;

/// Slope in thousandths, offset and sigma in hundredths of a disc, by depth from [`MIN_DEPTH`] up and by [`band`]. Measured
/// on 480 positions of tournament games: `cargo xtask measure probcut --games DIR --positions 120 --depth 8 --seed 1000`.
const MEASURED: [[(i32, i32, i32); BANDS]; 6] = [
    [(1024, -92, 416), (929, -34, 357), (908, 11, 320), (921, -2, 374)], // 3 from 1
    [(1020, 6, 329), (983, -55, 309), (975, -57, 282), (931, -18, 302)], // 4 from 2
    [(1037, -102, 534), (956, -85, 390), (891, -30, 407), (813, 77, 414)], // 5 from 1
    [(1009, 14, 473), (1000, -89, 391), (915, -61, 340), (858, -87, 313)], // 6 from 2
    [(1013, 26, 525), (1006, -44, 332), (970, -87, 325), (795, 72, 318)], // 7 from 3
    [(1025, 33, 454), (992, -14, 338), (925, 5, 256), (877, -53, 294)],  // 8 from 4
];

/// There is no ProbCut with this many empty squares or fewer.
const ENDGAME_EMPTIES: u32 = 12;

/// The prediction of a search to depth `deep`.
#[inline]
pub(super) fn probcut(board: &Board, deep: u8) -> Option<ProbCut> {
    let empties = board.empties();
    if deep < MIN_DEPTH || empties <= ENDGAME_EMPTIES || empties <= u32::from(deep) {
        return None;
    }
    let index = usize::from(deep - MIN_DEPTH);
    let past = (index + 1).saturating_sub(MEASURED.len());
    // Beyond the measured depths: the deepest pair of the same parity, with sigma increased by a tenth, as it grew before.
    let (slope, offset, sigma) = MEASURED[index - past.next_multiple_of(2)][band(empties)];
    let sigma = if past > 0 { sigma * 11 / 10 } else { sigma };
    Some(ProbCut { depth: shallow(deep), slope, offset, sigma })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_depth_is_predicted_by_one_of_the_same_parity() {
        let board = Board::default();
        assert_eq!(probcut(&board, 2), None);
        for deep in MIN_DEPTH..40 {
            let prediction = probcut(&board, deep).unwrap();
            let shallow = prediction.depth;
            assert!(shallow < deep && shallow % 2 == deep % 2, "{deep} from {shallow}");
        }
        let sigma = |deep| probcut(&board, deep).unwrap().sigma;
        assert_eq!((sigma(7), sigma(8)), (318, 294));
        assert_eq!([9, 10, 11, 12].map(sigma), [349, 323, 349, 323]);
    }

    #[test]
    fn there_is_no_probcut_near_the_end() {
        let late: Board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X".parse().unwrap();
        assert!(probcut(&late, 10).is_some());
        assert_eq!(probcut(&late, 14), None, "fourteen empty squares");
    }
}
