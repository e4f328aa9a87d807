//! Six games, each with its rules, its text, and a function `features` for `emtee learn`.
//!
//! The rules are written as simply as possible: boards are arrays, and nothing is incremental. Breakthrough is that of
//! `examples/own_program`.

pub mod amazons;
pub mod ataxx;
#[path = "../../own_program/src/breakthrough.rs"]
pub mod breakthrough;
pub mod dots;
pub mod gomoku;
pub mod grid;
pub mod hex;
pub mod simple;

use emtee_learn::Features;

/// What `emtee learn` sees of Breakthrough.
pub fn breakthrough_features(board: &breakthrough::Board, f: &mut Features) {
    f.board(8, 8);
    for square in 0..64 {
        if let Some(side) = board.pawn_on(square) {
            f.piece(square.into(), side, 0);
        }
    }
}
