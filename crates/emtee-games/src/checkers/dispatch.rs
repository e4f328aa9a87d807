//! Runtime dispatch of the evaluation: compiled for any x86-64, and for CPUs with `popcnt` and `bmi1`.
//!
//! The program is built for any x86-64, where counting bits takes a dozen instructions, and an evaluation counts bits
//! forty times.
#![allow(unsafe_code)]

use super::board::Board;

/// The value for the side to move, with the instructions that the CPU has.
#[inline(always)]
pub(super) fn evaluate(board: &Board) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") {
        // SAFETY: the CPU has the instructions that the function is compiled for, as just checked.
        return unsafe { evaluate_popcnt(board) };
    }
    board.evaluate_portable()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1")]
fn evaluate_popcnt(board: &Board) -> i32 {
    board.evaluate_portable()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::{paper_set, tuning_set};

    #[test]
    fn both_builds_give_the_same_value() {
        for position in paper_set().iter().chain(tuning_set()) {
            let board: Board = position.text.parse().unwrap();
            for board in [board, board.mirrored()] {
                assert_eq!(evaluate(&board), board.evaluate_portable());
            }
        }
    }
}
