//! Helpers for the tests of all games.

use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use emtee::{Game, OwnEvaluation, laws, legal_moves, mix};

/// The number of sequences of exactly `depth` legal moves.
pub(crate) fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => legal_moves(position).into_iter().map(|m| perft(&position.play(m), depth - 1)).sum(),
    }
}

/// Calls `see` with every position of random games. The same seed plays the same games.
pub(crate) fn random_games<G: Game>(start: &G, games: u64, seed: u64, mut see: impl FnMut(&G)) {
    let mut random = mix(seed);
    for _ in 0..games {
        let mut position = start.clone();
        loop {
            see(&position);
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_add(1);
            position = position.play(moves[(mix(random) % moves.len() as u64) as usize]);
        }
    }
}

/// Checks the library's laws, that every text reads back as the same position, and that keys are equal exactly if the positions
/// are the same.
pub(crate) fn check_game<G>(start: &G, same: impl Fn(&G, &G) -> bool)
where
    G: Game + Eq + Debug + Display + FromStr<Err = crate::Error>,
{
    laws::check(start, &OwnEvaluation, 200, 1).unwrap();
    laws::agree(start, &OwnEvaluation, 4).unwrap();
    let mut seen: HashMap<u64, G> = HashMap::new();
    let mut keys: HashMap<G, u64> = HashMap::new();
    random_games(start, 500, 2, |position| {
        let text = position.to_string();
        assert_eq!(text.parse().as_ref(), Ok(position), "{text}");
        let before = seen.entry(position.key()).or_insert_with(|| position.clone());
        assert!(same(before, position), "{before} and {position} share a key");
        assert_eq!(*keys.entry(position.clone()).or_insert(position.key()), position.key());
    });
}

/// The message of the error that a text causes.
pub(crate) fn refusal<T: FromStr<Err = crate::Error> + Debug>(text: &str) -> String {
    text.parse::<T>().unwrap_err().to_string()
}
