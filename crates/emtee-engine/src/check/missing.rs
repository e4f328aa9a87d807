//! Methods that a game does without, although a search would use them.

use std::collections::HashSet;

use emtee::research::Counts;
use emtee::{Game, Moves};

use super::Walk;

/// With this share of cutoffs by the first move, in percent, move ordering is good without hints.
const GOOD_ORDER: f64 = 60.0;

/// The least number of cutoffs for a statement about them.
const MIN_CUTS: u64 = 300;

/// The share of cutoffs by the first move in percent, if it shows a bad order of moves.
pub fn bad_order(counts: &Counts) -> Option<f64> {
    let share = 100.0 * counts.first_move_cuts as f64 / counts.cut_nodes.max(1) as f64;
    (counts.cut_nodes >= MIN_CUTS && share < GOOD_ORDER).then_some(share)
}

/// Whether a sequence of keys contains one twice.
pub fn repeats(keys: impl IntoIterator<Item = u64>) -> bool {
    let mut seen = HashSet::new();
    keys.into_iter().any(|key| !seen.insert(key))
}

pub(super) fn warnings<G: Game>(walks: &[Walk<G>], trial: &Counts) -> Vec<String> {
    let mut warnings = Vec::new();
    let (mut numbered, mut listed, mut hinted) = (true, false, false);
    for board in walks.iter().flat_map(|walk| &walk.line) {
        let mut moves = Moves::new();
        if board.outcome().is_none() {
            board.moves(&mut moves);
        }
        for (index, m) in moves.iter().enumerate() {
            listed = true;
            hinted |= moves.hint(index).is_some_and(|hint| hint != 0);
            // The code of a move that `code` knows nothing about.
            numbered &= board.code(m, index) == 1 << 15 | index as u16;
        }
    }
    if listed && numbered {
        warnings.push(
            "moves have no codes, so killers and history are of no use: write `code`, or make moves of a few small numbers".into(),
        );
    }
    if let Some(share) = bad_order(trial).filter(|_| !hinted) {
        warnings.push(format!(
            "moves have no hints, and only {share:.0} % of the cutoffs come from the first move: list good moves first, or add \
             them with `push_hinted`"
        ));
    }
    let unclocked = walks.iter().filter(|walk| walk.line.iter().all(|board| board.halfmove_clock().is_none()));
    if unclocked.into_iter().any(|walk| repeats(walk.line.iter().map(G::key))) {
        warnings.push(
            "positions repeat, but `halfmove_clock` is `None`, so that repetitions are not recognised in play: write it".into(),
        );
    }
    warnings
}
