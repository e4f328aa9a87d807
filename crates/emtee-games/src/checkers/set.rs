//! The positions on which the paper's experiments are rerun, and others to tune on.

use crate::paper::{PaperPosition, position};

/// 20 positions of the world championship match between Marion Tinsley and Chinook, the paper's own program, London
/// 1992: five consecutive positions of each of four decisive games, from the opening to the ending. As in section 4.2
/// they are move sequences, not chosen for a property. Positions with one legal move are skipped.
pub const fn paper_set() -> &'static [PaperPosition] {
    &PAPER_SET
}

/// 20 positions of the same players' match of Boston 1994, chosen the same way: for tuning move ordering, windows, step
/// sizes and first guesses before the paper's set is run.
pub const fn tuning_set() -> &'static [PaperPosition] {
    &TUNING_SET
}

const PAPER_SET: [PaperPosition; 20] = [
    position("B:W20,21,22,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,10,12,13,15", "London 1992, game 25, ply 6"),
    position("W:W20,21,22,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,10,11,12,13,15", "London 1992, game 25, ply 7"),
    position("B:W20,21,22,24,25,26,27,29,30,31,32:B1,2,3,4,5,6,10,11,12,13,15", "London 1992, game 25, ply 8"),
    position("W:W20,21,22,24,25,26,27,29,30,31,32:B1,2,3,5,6,8,10,11,12,13,15", "London 1992, game 25, ply 9"),
    position("B:W20,21,22,23,24,25,26,29,30,31,32:B1,2,3,5,6,8,10,11,12,13,15", "London 1992, game 25, ply 10"),
    position("W:W13,19,24,25,26,27,28,30,31,32:B1,2,3,5,6,7,8,12,17,18", "London 1992, game 5, ply 15"),
    position("B:W13,19,20,25,26,27,28,30,31,32:B1,2,3,5,6,7,8,12,17,18", "London 1992, game 5, ply 16"),
    position("W:W13,19,20,25,26,27,28,30,31,32:B1,2,3,5,6,7,8,12,18,21", "London 1992, game 5, ply 17"),
    position("B:W13,19,20,23,25,27,28,30,31,32:B1,2,3,5,6,7,8,12,18,21", "London 1992, game 5, ply 18"),
    position("W:W13,19,20,25,27,28,30,31,32:B1,2,3,5,7,8,12,17,21", "London 1992, game 5, ply 21"),
    position("W:W13,15,17,21,27,29,30,31,32:B1,2,3,5,6,8,16,18,19", "London 1992, game 8, ply 23"),
    position("B:W13,15,17,21,25,27,30,31,32:B1,2,3,5,6,8,16,18,19", "London 1992, game 8, ply 24"),
    position("W:W13,15,17,21,25,27,30,31,32:B1,2,3,5,6,8,18,19,20", "London 1992, game 8, ply 25"),
    position("B:W13,14,15,21,25,27,30,31,32:B1,2,3,5,6,8,18,19,20", "London 1992, game 8, ply 26"),
    position("W:W13,14,15,21,25,27,30,31,32:B1,3,5,6,7,8,18,19,20", "London 1992, game 8, ply 27"),
    position("B:W12,21,22,24:B3,13,23,K32", "London 1992, game 39, ply 56"),
    position("W:W12,21,22,24:B3,13,26,K32", "London 1992, game 39, ply 57"),
    position("B:W12,20,21,22:B3,13,26,K32", "London 1992, game 39, ply 58"),
    position("W:W12,20,21,22:B3,13,26,K27", "London 1992, game 39, ply 59"),
    position("B:W12,18,20,21:B3,13,26,K27", "London 1992, game 39, ply 60"),
];

const TUNING_SET: [PaperPosition; 20] = [
    position("B:W17,19,21,22,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,10,11,12,14,15", "Boston 1994, game 6, ply 6"),
    position("W:W17,19,21,22,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,10,12,14,15,16", "Boston 1994, game 6, ply 7"),
    position("B:W17,19,21,22,23,24,27,28,29,30,31,32:B1,2,3,4,5,6,8,10,12,14,15,16", "Boston 1994, game 6, ply 8"),
    position("W:W17,19,21,22,23,24,27,28,29,30,31,32:B1,2,3,4,6,8,9,10,12,14,15,16", "Boston 1994, game 6, ply 9"),
    position("B:W13,19,21,22,23,24,27,28,29,30,31,32:B1,2,3,4,6,8,9,10,12,14,15,16", "Boston 1994, game 6, ply 10"),
    position("W:W21,22,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,14,19", "Boston 1994, game 1, ply 11"),
    position("B:W17,21,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,14,19", "Boston 1994, game 1, ply 12"),
    position("W:W17,21,26,27,28,29,30,31,32:B1,2,3,4,7,8,10,14,19", "Boston 1994, game 1, ply 13"),
    position("B:W17,21,24,26,28,29,30,31,32:B1,2,3,4,7,8,10,14,19", "Boston 1994, game 1, ply 14"),
    position("B:W10,21,26,28,29,30,31,32:B1,3,4,6,7,8,19", "Boston 1994, game 1, ply 18"),
    position("W:W17,20,21,26,30,31:B1,3,6,10,11,14", "Boston 1994, game 5, ply 27"),
    position("B:W17,20,21,23,30,31:B1,3,6,10,11,14", "Boston 1994, game 5, ply 28"),
    position("W:W17,20,21,23,30,31:B1,3,9,10,11,14", "Boston 1994, game 5, ply 29"),
    position("B:W17,19,20,21,30,31:B1,3,9,10,11,14", "Boston 1994, game 5, ply 30"),
    position("W:W17,19,20,21,30,31:B1,3,9,10,14,15", "Boston 1994, game 5, ply 31"),
    position("B:W19,21,K6,K20:B10,12,13,K25", "Boston 1994, game 2, ply 60"),
    position("W:W19,21,K6,K20:B12,13,14,K25", "Boston 1994, game 2, ply 61"),
    position("B:W15,21,K6,K20:B12,13,14,K25", "Boston 1994, game 2, ply 62"),
    position("W:W15,21,K6,K20:B12,13,18,K25", "Boston 1994, game 2, ply 63"),
    position("B:W11,21,K6,K20:B12,13,18,K25", "Boston 1994, game 2, ply 64"),
];

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves};

    use super::super::Board;
    use super::*;

    #[test]
    fn positions_are_consecutive() {
        for set in [paper_set(), tuning_set()] {
            assert_eq!(set.len(), 20);
            for five in set.chunks(5) {
                let boards: Vec<Board> = five.iter().map(|position| position.text.parse().unwrap()).collect();
                assert!(boards.iter().zip(five).all(|(board, position)| board.to_string() == position.text));
                assert!(boards.iter().all(|board| legal_moves(board).len() > 1));
                for pair in boards.windows(2) {
                    assert!(reaches(&pair[0], &pair[1], 4), "{} to {}", pair[0], pair[1]);
                }
            }
        }
    }

    fn reaches(from: &Board, to: &Board, plies: u32) -> bool {
        from == to || plies > 0 && legal_moves(from).iter().any(|&m| reaches(&from.play(m), to, plies - 1))
    }
}
