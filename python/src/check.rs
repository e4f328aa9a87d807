//! Checks of the laws of a game, for games in Python.

use emtee::{Game, OwnEvaluation, laws, legal_moves, mix};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::{catch_exception, emtee_error};
use crate::game::root;
use crate::position::Position;
use crate::rules::{Rules, RulesOptions};

/// The largest number of positions at which the algorithms are compared with minimax.
const MAX_AGREE_POSITIONS: u32 = 10;

/// Checks the laws of a game: plays random games from a position and tests every law, then compares every algorithm with plain
/// minimax. Returns the numbers of games, positions and keys checked. A violation is an `emtee.Error` that names the law.
#[pyfunction]
#[pyo3(signature = (position, *, games=20, seed=1, depth=3))]
pub(crate) fn check_laws(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    games: u32,
    seed: u64,
    depth: u8,
) -> PyResult<(u32, u64, usize)> {
    let checked = if let Ok(built_in) = position.cast::<Position>() {
        let board = built_in.get().0.clone();
        py.detach(|| {
            let checked = board.check(games, seed)?;
            board.agree(depth).map(|()| checked)
        })
    } else {
        // Nothing is cached here: a law may be violated only by the second call of a method.
        let (rules, object) = Rules::of(position, RulesOptions::UNCACHED)?;
        let start = root(&object, &rules, 0)?;
        catch_exception(|| {
            let checked = laws::check(&start, &OwnEvaluation, games, seed)?;
            let mut at = start.clone();
            for game in 0..games.min(MAX_AGREE_POSITIONS) {
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
    let checked = checked.map_err(|violation: laws::Violation| emtee_error(violation))?;
    Ok((checked.games, checked.positions, checked.keys))
}

/// Whether an object can be searched as a game.
#[pyfunction]
pub(crate) fn is_game(position: &Bound<'_, PyAny>) -> PyResult<bool> {
    match position.cast::<Position>() {
        Ok(_) => Ok(true),
        Err(_) => match Rules::of(position, RulesOptions::UNCACHED) {
            Ok(_) => Ok(true),
            Err(error) if error.is_instance_of::<PyTypeError>(position.py()) => Ok(false),
            Err(error) => Err(error),
        },
    }
}
