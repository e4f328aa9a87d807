//! Keys that hold too much: the same position reached on another way has another key, and the table never knows it again.

use std::collections::HashSet;

use emtee::{Game, legal_moves};

use super::{Finding, Walk};
use crate::position::Playable;

/// So many returns must be seen before anything is said.
const ENOUGH: usize = 6;

/// How many positions are tried, and how many pairs of moves in each.
const TRIED: usize = 40;
const PAIRS: usize = 12;

/// Taking moves back is looked for until so many positions have been compared: it takes long where there are many moves.
const RETURNS: usize = 60;

/// Moves in another order, and moves that are taken back, lead to positions that look alike. If none of them is known again by
/// its key, the key holds something else.
pub(super) fn check<G: Playable>(start: &G, walks: &[Walk<G>]) -> Result<(), Finding> {
    let (mut seen, mut known) = (0, 0);
    let mut example: Option<Vec<usize>> = None;
    let starts = walks.iter().filter(|walk| !walk.path.is_empty());
    let middles = starts.map(|walk| (walk.path.len() / 2, walk)).map(|(at, walk)| (&walk.line[at], &walk.path[..at]));
    for (board, path) in std::iter::once((start, &[][..])).chain(middles).take(TRIED) {
        let back = if path.is_empty() || known + seen < RETURNS { returns(board) } else { None };
        for (there, again) in ways(board).into_iter().chain(back) {
            if !alike(&there, &again) {
                continue;
            }
            seen += 1;
            if there.key() == again.key() {
                known += 1;
            } else if example.is_none() {
                example = Some(path.to_vec());
            }
        }
    }
    match example {
        Some(path) if seen >= ENOUGH && known == 0 => Err(Finding {
            law: "a position has the same key however it is reached".into(),
            detail: format!(
                "of {seen} positions that were reached in two ways none had one key; there seems to be a counter of moves, or \
                 something else that is no part of the position, in the key"
            ),
            path,
        }),
        _ => Ok(()),
    }
}

/// Pairs of positions that ought to be the same: after moves in two orders, and before and after moves that were taken back.
fn ways<G: Game>(board: &G) -> Vec<(G, G)> {
    let mut pairs = Vec::new();
    let moves = legal_moves(board);
    let play = |board: &G, m: G::Move| legal_moves(board).contains(&m).then(|| board.play(m));
    'pairs: for (at, &a) in moves.iter().enumerate() {
        for &c in &moves[at + 1..] {
            if pairs.len() >= PAIRS {
                break 'pairs;
            }
            let Some(after) = play(board, a) else { continue };
            // With a reply between them where the turn changes, and without where it does not.
            let reply =
                if after.turn() == board.turn() { None } else { legal_moves(&after).into_iter().find(|m| *m != c) };
            let order = |one, other| {
                let mut board = play(board, one)?;
                for m in reply.into_iter().chain([other]) {
                    board = play(&board, m)?;
                }
                Some(board)
            };
            if let (Some(there), Some(again)) = (order(a, c), order(c, a)) {
                pairs.push((there, again));
            }
        }
    }
    pairs
}

/// The position itself after four plies that lead back to it, where there are such.
fn returns<G: Game>(board: &G) -> Option<(G, G)> {
    board.halfmove_clock()?;
    for &out in legal_moves(board).iter().take(PAIRS) {
        let gone = board.play(out);
        for &other in legal_moves(&gone).iter().take(3) {
            let both = gone.play(other);
            for &back in &legal_moves(&both) {
                let half = both.play(back);
                let home = legal_moves(&half).into_iter().map(|m| half.play(m)).find(|home| alike(board, home));
                if let Some(home) = home {
                    return Some((board.clone(), home));
                }
            }
        }
    }
    None
}

/// Whether two positions look alike: the same side, outcome, evaluation and moves, and so after each of them.
fn alike<G: Game>(one: &G, other: &G) -> bool {
    let same = |one: &G, other: &G| {
        (one.turn(), one.outcome(), one.evaluate()) == (other.turn(), other.outcome(), other.evaluate())
    };
    let codes = |board: &G| -> HashSet<u16> {
        legal_moves(board).iter().enumerate().map(|(at, &m)| board.code(m, at)).collect()
    };
    if !same(one, other) {
        return false;
    }
    let (mine, theirs) = (legal_moves(one), legal_moves(other));
    mine.len() == theirs.len()
        && mine.iter().zip(&theirs).all(|(a, b)| a == b)
        && mine.iter().all(|&m| {
            let (one, other) = (one.play(m), other.play(m));
            same(&one, &other) && codes(&one) == codes(&other)
        })
}
