//! Openings for matches of checkers.

use emtee::{Budget, Game, legal_moves, mix, player};
use emtee_games::checkers::Board;

/// Endless openings of random moves, none of which leaves a side a man up or about to be.
pub(crate) fn openings(seed: u64, plies: usize) -> impl Iterator<Item = Board> {
    let mut random = mix(seed);
    let mut judge = player(|board: &Board| board.material()).build().expect("the defaults work");
    std::iter::from_fn(move || {
        loop {
            let mut board = Board::default();
            for _ in 0..plies {
                random = random.wrapping_add(1);
                let moves = legal_moves(&board);
                board = board.play(moves[(mix(random) % moves.len() as u64) as usize]);
            }
            let found = judge.think(&board, Budget::depth(7)).expect("the start is a position");
            if found.value.is_some_and(|value| value.get() == 0) {
                return Some(board);
            }
        }
    })
}
