//! Counting lines of play, the test of every rule.

use emtee::{Game, Moves};

/// How many lines of exactly `depth` moves there are. The moves of the last ply are counted and not made.
pub(crate) fn perft<G: Game>(n: &G, depth: u8, moves: &mut Moves<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if n.outcome().is_some() {
        return 0;
    }
    let first = moves.len();
    n.moves(moves);
    let mut lines = 0;
    if depth == 1 {
        lines = (moves.len() - first) as u64;
    } else {
        for at in first..moves.len() {
            if let Some(m) = moves.get(at) {
                lines += perft(&n.play(m), depth - 1, moves);
            }
        }
    }
    moves.truncate(first);
    lines
}

#[cfg(test)]
#[cfg(feature = "games")]
mod tests {
    use crate::Registry;

    /// By the texts of the moves, one at a time.
    fn slowly(position: &dyn crate::Position, depth: u8, ended: u64) -> u64 {
        match (depth, position.moves()) {
            (0, _) => 1,
            (_, moves) if moves.is_empty() => ended,
            (_, moves) => moves.iter().map(|m| slowly(&*position.after(m).unwrap(), depth - 1, ended)).sum(),
        }
    }

    /// At the start, in the middle and near the end of games, where there are passes, mates and games that are over.
    #[test]
    fn every_game_counts_what_it_lists() {
        for game in Registry::standard().iter() {
            let ended = u64::from(game.name() == "othello");
            for plies in [0, 6, 20, 37, 53, 57] {
                let position = game.start().after_random(plies, 5);
                for depth in 0..4 {
                    let counted = position.perft(depth);
                    assert_eq!(counted, slowly(&*position, depth, ended), "{} {depth}", position.text());
                }
            }
        }
    }
}
