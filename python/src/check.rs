//! Checks of the laws of a game, for games in Python.

use std::time::{Duration, Instant};

use emtee::{Budget, Game, OwnEvaluation, Stop, laws, legal_moves, mix};
use emtee_engine::{bad_order, repeats};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::{catch_exception, emtee_error, raise};
use crate::game::{PyPosition, root};
use crate::interface::Interface;
use crate::options::PlayerArguments;
use crate::position::Position;
use crate::rules::{Rules, RulesOptions};
use crate::search::{Callbacks, PyPositionWithHistory, build_python};

/// The largest number of positions at which the algorithms are compared with minimax.
const MAX_AGREE_POSITIONS: u32 = 10;

/// The random games that are looked at for missing methods, and their greatest length.
const SAMPLED_GAMES: u64 = 5;
const SAMPLED_PLIES: u64 = 100;

/// The limits of the search that shows whether moves are well ordered.
const TRIAL: Budget = Budget { depth: Some(6), nodes: None, time: Some(Duration::from_millis(200)) };

/// What a check reports while it runs: steps are random games, then positions at which the algorithms are compared.
struct Progress {
    end: Option<Instant>,
    steps: u32,
    callback: Option<Py<PyAny>>,
}

impl Progress {
    /// Reports finished steps. Returns whether there is time for more. Exceptions, also of Ctrl-C, unwind the check.
    fn proceed(&self, done: u32) -> bool {
        Python::attach(|py| {
            let report = || {
                py.check_signals()?;
                self.callback.as_ref().map_or(Ok(()), |callback| callback.call1(py, (done, self.steps)).map(|_| ()))
            };
            report().unwrap_or_else(|error| raise(error));
        });
        self.end.is_none_or(|end| Instant::now() < end)
    }
}

/// The numbers of games, positions and keys that were checked, and notes.
type Checked = (u32, u64, usize, Vec<String>);

/// Checks the laws of a game: plays random games from a position and tests every law, then compares every algorithm with plain
/// minimax. Returns the numbers of games, positions and keys checked, and notes. A violation is an `emtee.Error` that names the
/// law. `progress` is called with the numbers of finished steps and of all steps. After `seconds` no further step begins.
#[pyfunction]
#[pyo3(signature = (position, *, games=20, seed=1, depth=3, seconds=None, progress=None))]
pub(crate) fn check_laws(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    games: u32,
    seed: u64,
    depth: u8,
    seconds: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Checked> {
    let time = seconds.map(crate::player::seconds).transpose()?;
    let end = time.and_then(|time| Instant::now().checked_add(time));
    let violated = |violation: laws::Violation| emtee_error(violation);
    if let Ok(built_in) = position.cast::<Position>() {
        let board = built_in.get().0.clone();
        let progress = Progress { end, steps: games + 1, callback: progress };
        let check = || {
            let checked = board.check(games, seed, &mut |done| progress.proceed(done))?;
            if progress.proceed(checked.games) {
                board.agree(depth)?;
                progress.proceed(games + 1);
            }
            Ok(checked)
        };
        let checked = py.detach(|| catch_exception(check))?.map_err(violated)?;
        return Ok((checked.games, checked.positions, checked.keys, Vec::new()));
    }
    // Nothing is cached here: a law may be violated only by the second call of a method.
    let (rules, object) = Rules::of(position, RulesOptions::UNCACHED)?;
    let start = root(&object, &rules, 0)?;
    let compared = games.min(MAX_AGREE_POSITIONS);
    let progress = Progress { end, steps: games + compared, callback: progress };
    let checked = catch_exception(|| {
        let checked = laws::check_while(&start, &OwnEvaluation, games, seed, |done| progress.proceed(done.games))?;
        let mut at = start.clone();
        for game in 0..compared {
            if !progress.proceed(games + game) {
                return Ok(checked);
            }
            laws::agree(&at, &OwnEvaluation, depth)?;
            let moves = legal_moves(&at);
            if moves.is_empty() {
                break;
            }
            let which = mix(seed ^ u64::from(game) << 32) % moves.len() as u64;
            at = at.play(moves[which as usize]);
        }
        progress.proceed(games + compared);
        Ok(checked)
    })?;
    let checked = checked.map_err(violated)?;
    let notes = if matches!(rules.interface, Interface::Emtee { .. }) && end.is_none_or(|end| Instant::now() < end) {
        catch_exception(|| notes(py, position, &rules, &start, seed))??
    } else {
        Vec::new()
    };
    Ok((checked.games, checked.positions, checked.keys, notes))
}

/// Methods that the game does without, although a search would use them.
fn notes(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    rules: &Rules,
    start: &PyPosition,
    seed: u64,
) -> PyResult<Vec<String>> {
    let mut notes = Vec::new();
    let member = py.import("enum")?.getattr("Enum")?;
    let (mut repetition, mut of_enum) = (false, None);
    for game in 0..SAMPLED_GAMES {
        let (mut at, mut keys) = (start.clone(), Vec::new());
        for ply in 0..SAMPLED_PLIES {
            keys.push(at.key());
            let moves = legal_moves(&at);
            let Some(&first) = moves.first() else { break };
            let listed = at.move_at(py, crate::game::move_index(first))?;
            if of_enum.is_none() && listed.is_instance(&member)? {
                of_enum = Some(listed.get_type().name()?.to_string());
            }
            at = at.play(moves[(mix(mix(seed ^ game) ^ ply) % moves.len() as u64) as usize]);
        }
        repetition |= rules.has_keys() && repeats(keys);
    }
    if let Some(name) = of_enum.filter(|_| !rules.has_codes()) {
        notes.push(format!(
            "moves are members of the enum {name}, which have no codes, so killers and history are not used: add \
             code(m) that returns a number for each of them"
        ));
    }
    if !rules.has.hint
        && let Some(share) = bad_order(&trial(position)?)
    {
        notes.push(format!(
            "there is no hint(m), and only {share:.0} % of the cutoffs come from the first move: list good moves first, or \
             give them hints"
        ));
    }
    if repetition && !rules.has.halfmove_clock {
        notes.push(String::from(
            "positions repeat, but there is no halfmove_clock(), so that repetitions are not recognised with in_play: add it",
        ));
    }
    Ok(notes)
}

/// The counts of a short search with the default options.
fn trial(position: &Bound<'_, PyAny>) -> PyResult<emtee::research::Counts> {
    let (rules, object) = Rules::of(position, RulesOptions::CACHED)?;
    let setup = PlayerArguments::new(None)?.setup(Stop::default());
    let mut search = build_python(crate::state::python_setup(setup, &rules)?)?;
    let at = PyPositionWithHistory { position: root(&object, &rules, 1)?, before: Vec::new() };
    let found = search.think(&at, &[], 1, TRIAL, &Callbacks::default(), false)?;
    Ok(found.verdict.counts)
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
