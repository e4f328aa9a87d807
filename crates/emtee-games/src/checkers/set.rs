//! The positions on which the paper's experiments are rerun, and others to tune on.

use crate::paper::{PaperPosition, at};

/// 20 positions of the match for the world championship between Marion Tinsley and Chinook, the paper's own program, London
/// 1992: five that follow one another in each of four decisive games, from the opening to the ending. As section 4.2 asks they
/// are move sequences and not chosen for anything; positions with one legal move are passed over.
pub const fn paper_set() -> &'static [PaperPosition] {
    &PAPER_SET
}

/// 20 positions of the same players' match of Boston 1994, taken the same way: for tuning ordering, windows, steps and guesses
/// before the paper's set is run.
pub const fn tuning_set() -> &'static [PaperPosition] {
    &TUNING_SET
}

const PAPER_SET: [PaperPosition; 20] = [
    at("B:W20,21,22,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,10,12,13,15", "London 1992, game 25, ply 6"),
    at("W:W20,21,22,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,10,11,12,13,15", "London 1992, game 25, ply 7"),
    at("B:W20,21,22,24,25,26,27,29,30,31,32:B1,2,3,4,5,6,10,11,12,13,15", "London 1992, game 25, ply 8"),
    at("W:W20,21,22,24,25,26,27,29,30,31,32:B1,2,3,5,6,8,10,11,12,13,15", "London 1992, game 25, ply 9"),
    at("B:W20,21,22,23,24,25,26,29,30,31,32:B1,2,3,5,6,8,10,11,12,13,15", "London 1992, game 25, ply 10"),
    at("W:W13,19,24,25,26,27,28,30,31,32:B1,2,3,5,6,7,8,12,17,18", "London 1992, game 5, ply 15"),
    at("B:W13,19,20,25,26,27,28,30,31,32:B1,2,3,5,6,7,8,12,17,18", "London 1992, game 5, ply 16"),
    at("W:W13,19,20,25,26,27,28,30,31,32:B1,2,3,5,6,7,8,12,18,21", "London 1992, game 5, ply 17"),
    at("B:W13,19,20,23,25,27,28,30,31,32:B1,2,3,5,6,7,8,12,18,21", "London 1992, game 5, ply 18"),
    at("W:W13,19,20,25,27,28,30,31,32:B1,2,3,5,7,8,12,17,21", "London 1992, game 5, ply 21"),
    at("W:W13,15,17,21,27,29,30,31,32:B1,2,3,5,6,8,16,18,19", "London 1992, game 8, ply 23"),
    at("B:W13,15,17,21,25,27,30,31,32:B1,2,3,5,6,8,16,18,19", "London 1992, game 8, ply 24"),
    at("W:W13,15,17,21,25,27,30,31,32:B1,2,3,5,6,8,18,19,20", "London 1992, game 8, ply 25"),
    at("B:W13,14,15,21,25,27,30,31,32:B1,2,3,5,6,8,18,19,20", "London 1992, game 8, ply 26"),
    at("W:W13,14,15,21,25,27,30,31,32:B1,3,5,6,7,8,18,19,20", "London 1992, game 8, ply 27"),
    at("B:W12,21,22,24:B3,13,23,K32", "London 1992, game 39, ply 56"),
    at("W:W12,21,22,24:B3,13,26,K32", "London 1992, game 39, ply 57"),
    at("B:W12,20,21,22:B3,13,26,K32", "London 1992, game 39, ply 58"),
    at("W:W12,20,21,22:B3,13,26,K27", "London 1992, game 39, ply 59"),
    at("B:W12,18,20,21:B3,13,26,K27", "London 1992, game 39, ply 60"),
];

const TUNING_SET: [PaperPosition; 20] = [
    at("B:W17,19,21,22,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,10,11,12,14,15", "Boston 1994, game 6, ply 6"),
    at("W:W17,19,21,22,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,10,12,14,15,16", "Boston 1994, game 6, ply 7"),
    at("B:W17,19,21,22,23,24,27,28,29,30,31,32:B1,2,3,4,5,6,8,10,12,14,15,16", "Boston 1994, game 6, ply 8"),
    at("W:W17,19,21,22,23,24,27,28,29,30,31,32:B1,2,3,4,6,8,9,10,12,14,15,16", "Boston 1994, game 6, ply 9"),
    at("B:W13,19,21,22,23,24,27,28,29,30,31,32:B1,2,3,4,6,8,9,10,12,14,15,16", "Boston 1994, game 6, ply 10"),
    at("W:W21,22,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,14,19", "Boston 1994, game 1, ply 11"),
    at("B:W17,21,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,14,19", "Boston 1994, game 1, ply 12"),
    at("W:W17,21,26,27,28,29,30,31,32:B1,2,3,4,7,8,10,14,19", "Boston 1994, game 1, ply 13"),
    at("B:W17,21,24,26,28,29,30,31,32:B1,2,3,4,7,8,10,14,19", "Boston 1994, game 1, ply 14"),
    at("B:W10,21,26,28,29,30,31,32:B1,3,4,6,7,8,19", "Boston 1994, game 1, ply 18"),
    at("W:W17,20,21,26,30,31:B1,3,6,10,11,14", "Boston 1994, game 5, ply 27"),
    at("B:W17,20,21,23,30,31:B1,3,6,10,11,14", "Boston 1994, game 5, ply 28"),
    at("W:W17,20,21,23,30,31:B1,3,9,10,11,14", "Boston 1994, game 5, ply 29"),
    at("B:W17,19,20,21,30,31:B1,3,9,10,11,14", "Boston 1994, game 5, ply 30"),
    at("W:W17,19,20,21,30,31:B1,3,9,10,14,15", "Boston 1994, game 5, ply 31"),
    at("B:W19,21,K6,K20:B10,12,13,K25", "Boston 1994, game 2, ply 60"),
    at("W:W19,21,K6,K20:B12,13,14,K25", "Boston 1994, game 2, ply 61"),
    at("B:W15,21,K6,K20:B12,13,14,K25", "Boston 1994, game 2, ply 62"),
    at("W:W15,21,K6,K20:B12,13,18,K25", "Boston 1994, game 2, ply 63"),
    at("B:W11,21,K6,K20:B12,13,18,K25", "Boston 1994, game 2, ply 64"),
];

#[cfg(test)]
mod tests {
    use emtee::{Game, legal_moves};

    use super::super::Board;
    use super::*;

    #[test]
    fn positions_follow_one_another() {
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
