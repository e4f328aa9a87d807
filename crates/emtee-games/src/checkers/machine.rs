//! The evaluation compiled twice: for any machine, and for those that count and find bits in one instruction. The program
//! is built for any x86-64, where counting bits takes a dozen instructions, and an evaluation counts forty times.
#![allow(unsafe_code)]

use super::board::Board;

/// The value for the side to move, in the machine's own way.
#[inline(always)]
pub(super) fn evaluate(board: &Board) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") {
        // SAFETY: the machine has the instructions that the function needs, as was just asked.
        return unsafe { evaluate_with_bit_instructions(board) };
    }
    board.judged()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1")]
fn evaluate_with_bit_instructions(board: &Board) -> i32 {
    board.judged()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::{paper_set, tuning_set};

    #[test]
    fn both_ways_give_the_same_value() {
        for position in paper_set().iter().chain(tuning_set()) {
            let board: Board = position.text.parse().unwrap();
            for board in [board, board.mirrored()] {
                assert_eq!(evaluate(&board), board.judged());
            }
        }
    }
}
