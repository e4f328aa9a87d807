//! Keys that contain too much: a position that is reached in another way gets another key, so the table never finds it
//! again.

use std::collections::HashSet;

use emtee::{Game, legal_moves};

use super::{Finding, Walk};
use crate::position::Playable;

/// The minimum number of pairs for a verdict.
const MIN_PAIRS: usize = 6;

/// The maximum number of positions, and of pairs of moves in each.
const MAX_POSITIONS: usize = 40;
const MAX_PAIRS: usize = 12;

/// Moves that undo each other are searched for until this many positions are compared: with many legal moves, that is
/// slow.
const MAX_COMPARED: usize = 60;

/// Positions after the same moves in another order, or after moves that undo each other, look equal. If none of these
/// pairs have equal keys, the key contains something else.
pub(super) fn check<G: Playable>(start: &G, walks: &[Walk<G>]) -> Result<(), Finding> {
    let (mut seen, mut known) = (0, 0);
    let mut example: Option<Vec<usize>> = None;
    let starts = walks.iter().filter(|walk| !walk.path.is_empty());
    let middles =
        starts.map(|walk| (walk.path.len() / 2, walk)).map(|(ply, walk)| (&walk.line[ply], &walk.path[..ply]));
    for (board, path) in std::iter::once((start, &[][..])).chain(middles).take(MAX_POSITIONS) {
        let back = if path.is_empty() || known + seen < MAX_COMPARED { return_pair(board) } else { None };
        for (one, other) in transposed_pairs(board).into_iter().chain(back) {
            if !looks_equal(&one, &other) {
                continue;
            }
            seen += 1;
            if one.key() == other.key() {
                known += 1;
            } else if example.is_none() {
                example = Some(path.to_vec());
            }
        }
    }
    match example {
        Some(path) if seen >= MIN_PAIRS && known == 0 => Err(Finding {
            law: "a position has the same key however it is reached".into(),
            detail: format!(
                "{seen} positions were reached in two ways, and none of them had equal keys; the key seems to contain a move \
                 counter, or something else that is not part of the position"
            ),
            path,
        }),
        _ => Ok(()),
    }
}

/// Pairs of positions that should be equal: after the same moves in two orders.
fn transposed_pairs<G: Game>(board: &G) -> Vec<(G, G)> {
    let mut pairs = Vec::new();
    let moves = legal_moves(board);
    let play = |board: &G, m: G::Move| legal_moves(board).contains(&m).then(|| board.play(m));
    'pairs: for (index, &a) in moves.iter().enumerate() {
        for &c in &moves[index + 1..] {
            if pairs.len() >= MAX_PAIRS {
                break 'pairs;
            }
            let Some(after) = play(board, a) else { continue };
            // With a reply in between if the turn changes, and without one if it does not.
            let reply =
                if after.turn() == board.turn() { None } else { legal_moves(&after).into_iter().find(|m| *m != c) };
            let order = |one, other| {
                let mut board = play(board, one)?;
                for m in reply.into_iter().chain([other]) {
                    board = play(&board, m)?;
                }
                Some(board)
            };
            if let (Some(one), Some(other)) = (order(a, c), order(c, a)) {
                pairs.push((one, other));
            }
        }
    }
    pairs
}

/// The position itself, and the same position after four plies that lead back to it, if there are such plies.
fn return_pair<G: Game>(board: &G) -> Option<(G, G)> {
    board.halfmove_clock()?;
    for &out in legal_moves(board).iter().take(MAX_PAIRS) {
        let after = board.play(out);
        for &other in legal_moves(&after).iter().take(3) {
            let both = after.play(other);
            for &back in &legal_moves(&both) {
                let half = both.play(back);
                let end = legal_moves(&half).into_iter().map(|m| half.play(m)).find(|end| looks_equal(board, end));
                if let Some(end) = end {
                    return Some((board.clone(), end));
                }
            }
        }
    }
    None
}

/// Whether two positions look equal: the same side to move, outcome, evaluation and moves, and the same after each
/// move.
fn looks_equal<G: Game>(one: &G, other: &G) -> bool {
    let same = |one: &G, other: &G| {
        (one.turn(), one.outcome(), one.evaluate()) == (other.turn(), other.outcome(), other.evaluate())
    };
    let codes = |board: &G| -> HashSet<u16> {
        legal_moves(board).iter().enumerate().map(|(index, &m)| board.code(m, index)).collect()
    };
    if !same(one, other) {
        return false;
    }
    let (left, right) = (legal_moves(one), legal_moves(other));
    left.len() == right.len()
        && left.iter().zip(&right).all(|(a, b)| a == b)
        && left.iter().all(|&m| {
            let (one, other) = (one.play(m), other.play(m));
            same(&one, &other) && codes(&one) == codes(&other)
        })
}
