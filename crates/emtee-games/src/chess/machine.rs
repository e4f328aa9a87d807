//! The evaluation compiled twice: for any machine, and for those that count and find bits in one instruction. The program
//! is built for any x86-64, where counting bits takes a dozen instructions, and evaluations count bits all the time: an
//! evaluation takes 15 % fewer instructions so.
#![allow(unsafe_code)]

use super::board::Board;
use super::evaluate::{Weights, evaluate_anywhere};

/// The value for the side to move, in the machine's own way.
#[inline]
pub(super) fn evaluate(weights: &Weights, board: &Board) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") {
        // SAFETY: the machine has the instructions that the function needs, as was just asked.
        return unsafe { evaluate_with_bit_instructions(weights, board) };
    }
    evaluate_anywhere(weights, board)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1")]
fn evaluate_with_bit_instructions(weights: &Weights, board: &Board) -> i32 {
    evaluate_anywhere(weights, board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{paper_set, tuning_set};

    #[test]
    fn both_ways_give_the_same_value() {
        for position in paper_set().iter().chain(tuning_set()) {
            let board: Board = position.text.parse().unwrap();
            for weights in [Weights::tuned(), Weights::plain()] {
                assert_eq!(evaluate(weights, &board), evaluate_anywhere(weights, &board));
            }
        }
    }
}
