//! Balanced openings for checkers matches.

use emtee::{Budget, Game, legal_moves, mix, player};
use emtee_games::checkers::Board;

/// An endless iterator of openings of random moves, in which a search of 7 plies finds equal material.
pub(crate) fn openings(seed: u64, plies: usize) -> impl Iterator<Item = Board> {
    let mut random = mix(seed);
    let mut search = player(|board: &Board| board.material()).build().expect("the defaults work");
    std::iter::from_fn(move || {
        loop {
            let mut board = Board::default();
            for _ in 0..plies {
                random = random.wrapping_add(1);
                let moves = legal_moves(&board);
                board = board.play(moves[(mix(random) % moves.len() as u64) as usize]);
            }
            let found = search.think(&board, Budget::depth(7)).expect("the start is a position");
            if found.value.is_some_and(|value| value.get() == 0) {
                return Some(board);
            }
        }
    })
}
