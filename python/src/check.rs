//! The laws of a game, checked on one that the user wrote.

use emtee::{Game, OwnEvaluation, laws, legal_moves, mix};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::{guarded, refused};
use crate::game::root;
use crate::position::Position;
use crate::rules::{Manner, Rules};

/// What is checked at most.
const AGREED: u32 = 10;

/// Runs the laws on a game: plays random games from a position and looks for broken promises, then runs every algorithm
/// against plain minimax. Returns how many games, positions and keys were looked at; a broken law is an `emtee.Error` that says
/// which.
#[pyfunction]
#[pyo3(signature = (position, *, games=20, seed=1, depth=3))]
pub(crate) fn check_laws(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    games: u32,
    seed: u64,
    depth: u8,
) -> PyResult<(u32, u64, usize)> {
    let checked = if let Ok(ours) = position.cast::<Position>() {
        let board = ours.get().0.clone();
        py.detach(|| {
            let checked = board.check(games, seed)?;
            board.agree(depth).map(|()| checked)
        })
    } else {
        // Nothing is kept here: a law may be broken the second time something is asked.
        let (rules, object) = Rules::of(position, Manner::TRUSTING_NOTHING)?;
        let start = root(&object, &rules, 0)?;
        guarded(|| {
            let checked = laws::check(&start, &OwnEvaluation, games, seed)?;
            let mut at = start.clone();
            for game in 0..games.min(AGREED) {
                laws::agree(&at, &OwnEvaluation, depth)?;
                let moves = legal_moves(&at);
                if moves.is_empty() {
                    break;
                }
                let which = mix(seed ^ u64::from(game) << 32) % moves.len() as u64;
                at = at.play(moves[which as usize]);
            }
            Ok(checked)
        })?
    };
    let checked = checked.map_err(|broken: laws::Broken| refused(broken))?;
    Ok((checked.games, checked.positions, checked.keys))
}

/// Whether an object can be searched, or a TypeError that says what it lacks.
#[pyfunction]
pub(crate) fn is_game(position: &Bound<'_, PyAny>) -> PyResult<bool> {
    match position.cast::<Position>() {
        Ok(_) => Ok(true),
        Err(_) => match Rules::of(position, Manner::TRUSTING_NOTHING) {
            Ok(_) => Ok(true),
            Err(error) if error.is_instance_of::<PyTypeError>(position.py()) => Ok(false),
            Err(error) => Err(error),
        },
    }
}
