//! Perft.

use emtee_engine::{Position, Registry};

/// Perft through the public interface, with moves as text.
fn perft_by_text(position: &dyn Position, depth: u8, ended: u64) -> u64 {
    match (depth, position.moves()) {
        (0, _) => 1,
        (_, moves) if moves.is_empty() => ended,
        (_, moves) => moves.iter().map(|m| perft_by_text(&*position.after(m).unwrap(), depth - 1, ended)).sum(),
    }
}

/// At the start, in the middle and near the end of games, where there are passes, mates and finished games.
#[test]
fn perft_agrees_with_the_listed_moves() {
    for game in Registry::standard().iter() {
        let ended = u64::from(game.name() == "othello");
        for plies in [0, 6, 20, 37, 53, 57] {
            let position = game.start().after_random(plies, 5);
            for depth in 0..4 {
                let counted = position.tools().unwrap().perft(depth);
                assert_eq!(counted, perft_by_text(&*position, depth, ended), "{} {depth}", position.text());
            }
        }
    }
}
