//! Simple evaluations, a few lines each, to compare a learned one with. All are for the side to move.

use emtee::Side;

use crate::{amazons, ataxx, gomoku, hex};

/// The difference in stones.
pub fn ataxx(board: &ataxx::Board) -> i32 {
    let [own, other] = both(board, |side| board.stones(side));
    10 * (own - other)
}

/// The difference in stones that are missing for a connection.
pub fn hex(board: &hex::Board) -> i32 {
    let [own, other] = both(board, |side| board.stones_missing(side));
    10 * (other - own)
}

/// The difference in cells that an amazon reaches before those of the other side do.
pub fn amazons(board: &amazons::Board) -> i32 {
    let [own, other] = both(board, |side| board.distances(side));
    10 * own.iter().zip(other).map(|(own, other)| (*own < other) as i32 - (*own > other) as i32).sum::<i32>()
}

/// The rows of five cells that can still be won: each counts for one side, more so the more stones it has.
pub fn gomoku(board: &gomoku::Board) -> i32 {
    const WORTH: [i32; 6] = [0, 1, 5, 25, 125, 0];
    let own = |stones: [i32; 2]| if stones[1] == 0 { WORTH[stones[0] as usize] } else { 0 };
    board.rows_of_five().map(|stones| own(stones) - own([stones[1], stones[0]])).sum()
}

/// A number of the side to move, and of the other side.
fn both<G: emtee::Game, T>(board: &G, number: impl Fn(Side) -> T) -> [T; 2] {
    [number(board.turn()), number(!board.turn())]
}
