//! Runtime dispatch of the evaluation: compiled for any x86-64, and for CPUs with `popcnt` and `bmi1`.
//!
//! The program is built for any x86-64, where counting bits takes a dozen instructions. The evaluation counts bits
//! often: with these instructions it executes 15 % fewer.
#![allow(unsafe_code)]

use super::board::Board;
use super::evaluate::{Weights, evaluate_portable};

/// The value for the side to move, with the instructions that the CPU has.
#[inline]
pub(super) fn evaluate(weights: &Weights, board: &Board) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") {
        // SAFETY: the CPU has the instructions that the function is compiled for, as just checked.
        return unsafe { evaluate_popcnt(weights, board) };
    }
    evaluate_portable(weights, board)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1")]
fn evaluate_popcnt(weights: &Weights, board: &Board) -> i32 {
    evaluate_portable(weights, board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{paper_set, tuning_set};

    #[test]
    fn both_builds_give_the_same_value() {
        for position in paper_set().iter().chain(tuning_set()) {
            let board: Board = position.text.parse().unwrap();
            for weights in [Weights::tuned(), Weights::plain()] {
                assert_eq!(evaluate(weights, &board), evaluate_portable(weights, &board));
            }
        }
    }
}
