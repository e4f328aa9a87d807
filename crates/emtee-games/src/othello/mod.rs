//! Othello: bitboards, a pattern evaluation trained on tournament games, and an exact endgame solver.
//!
//! * [`Board`] is the game for a search. A pass is a move, legal only if there is no other. If neither side can place a disc,
//!   the game is over.
//! * [`evaluate`] has the evaluation by patterns trained on tournament games, and a plain one by mobility and corners for
//!   comparison. [`Learnt`] uses the same patterns with weights learnt from self-play.
//! * [`endgame`] solves positions with few empty squares exactly.
//! * [`notation`] reads and writes boards, games and move lists. [`Ggf`] is the format of servers. [`wthor`] reads the WTHOR
//!   collection of tournament games.
//! * [`paper_set`] has the positions of the paper's experiments.
//!
//! Scores count **discs**: the difference of the two sides' discs at the end, with the empty squares counted for the winner, as
//! in the FFO test suite and by the world federation. Evaluations and final scores of a search are in points,
//! [`POINTS_PER_DISC`] per disc.

mod board;
mod dispatch;
pub mod endgame;
mod endgame_few;
mod endgame_node;
mod endgame_shallow;
mod endgame_table;
pub mod evaluate;
mod ggf;
mod last_moves;
mod moves;
pub mod notation;
mod order;
mod packed;
pub mod patterns;
pub mod probcut;
mod set;
mod simd;
mod stable;
pub mod wthor;

pub use board::{Board, POINTS_PER_DISC, Squares, perft};
pub use evaluate::Learnt;
pub use ggf::{Ggf, GgfMove};
pub use moves::{Move, flips, mobility};
pub use set::{paper_set, tuning_set};

#[cfg(test)]
mod tests {
    use super::*;
    use emtee::{Algorithm, Budget, OwnEvaluation, laws, player};

    #[test]
    fn othello_keeps_the_laws() {
        let checked = laws::check(&Board::default(), &OwnEvaluation, 60, 1).unwrap();
        assert!(checked.positions > 3000);
        assert!(checked.keys > 2900);
        laws::check(&Board::default(), &evaluate::plain, 10, 2).unwrap();
    }

    /// Every algorithm with a table, on every position of the set.
    #[test]
    fn all_algorithms_agree_on_the_paper_set() {
        for position in paper_set() {
            let board: Board = position.text.parse().unwrap();
            let mut value = None;
            for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| !algorithm.is_oracle()) {
                let mut search = player(OwnEvaluation).algorithm(algorithm).hash("1MB").build().unwrap();
                let found = search.think(&board, Budget::depth(4)).unwrap();
                if let Some(found) = found.value {
                    assert_eq!(*value.get_or_insert(found), found, "{algorithm} on {}", position.source);
                }
            }
        }
    }

    #[test]
    fn every_algorithm_agrees() {
        for (index, depth) in [(0, 4), (9, 3), (12, 4)] {
            let board: Board = paper_set()[index].text.parse().unwrap();
            laws::agree(&board, &OwnEvaluation, depth).unwrap();
        }
        // Near the end: passes and finished games in the tree.
        let late: Board = "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X".parse().unwrap();
        laws::agree(&late, &OwnEvaluation, 4).unwrap();
        let last: Board = "OOOOOOO-OOXXOOO-OOXOXOOXOOOXOXOXOOXOXXOXOOOXOXXXOOOOXXXX-OOOO--X X".parse().unwrap();
        laws::agree(&last, &OwnEvaluation, 8).unwrap();
    }
}
