//! The interface of a position in Python: emtee's own methods, or those of easyAI or OpenSpiel, which are called directly instead
//! of through the methods of the adapter.

use emtee::{Outcome, Side};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyString, PyTuple, PyType};

use crate::calls::{call, call_function, call_once, call_with, retry_interrupted};
use crate::copy::{copy_game, state_key};
use crate::error::emtee_error;
use crate::key;

/// The interface that a position implements.
pub(crate) enum Interface {
    Emtee { evaluate: bool, key: bool },
    EasyAi(EasyAi),
    OpenSpiel(OpenSpiel),
}

/// The settings that all positions of an easyAI game share; see `emtee/easyai.py`.
pub(crate) struct EasyAi {
    scoring: Option<Py<PyAny>>,
    points: bool,
    scale: f64,
    shared: Py<PyTuple>,
    key: EasyAiKey,
}

/// The key of positions of easyAI games.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EasyAiKey {
    /// The method `ttentry` of the game.
    Own,
    /// A hash of the whole state.
    State,
    /// No key.
    None,
}

/// The settings that all states of an OpenSpiel game share; see `emtee/openspiel.py`.
pub(crate) struct OpenSpiel {
    value_function: Option<Py<PyAny>>,
    scale: f64,
    by_points: bool,
    key: Option<Py<PyAny>>,
    /// Whether the key is the text of the state.
    by_text: bool,
    methods: Methods,
}

/// The methods of a class of states. They are looked up once: a lookup in each state takes longer than some of the calls.
struct Methods {
    class: Py<PyType>,
    current_player: Py<PyAny>,
    legal_actions: Py<PyAny>,
    child: Py<PyAny>,
}

impl Methods {
    fn of(state: &Bound<'_, PyAny>) -> PyResult<Methods> {
        let class = state.get_type();
        let method = |name: &str| class.getattr(name).map(Bound::unbind);
        Ok(Methods {
            current_player: method("current_player")?,
            legal_actions: method("legal_actions")?,
            child: method("child")?,
            class: class.unbind(),
        })
    }

    /// Calls one of them; if the state is of another class, the method of this name.
    #[inline]
    fn call<'py>(
        &self,
        state: &Bound<'py, PyAny>,
        method: &Py<PyAny>,
        name: &Bound<'py, PyString>,
        m: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let m = m.map(|m| m.as_borrowed());
        if state.get_type_ptr() == self.class.as_ptr().cast() {
            call_function(method, state, m)
        } else {
            retry_interrupted(state.py(), || call_once(state, name, m))
        }
    }
}

impl Interface {
    /// The interface of a position, and the object whose methods are called. For an adapter that is the wrapped object; if
    /// `unwrap` is false, it is the adapter itself.
    pub(crate) fn of<'py>(position: &Bound<'py, PyAny>, unwrap: bool) -> PyResult<(Interface, Bound<'py, PyAny>)> {
        let py = position.py();
        let name = position.getattr_opt(intern!(py, "_emtee_interface"))?.filter(|_| unwrap);
        match name.map(|name| name.extract::<String>()).transpose()?.as_deref() {
            Some("easyai") => {
                type Settings = (Option<Py<PyAny>>, bool, f64, Py<PyTuple>, Option<String>, Py<PyAny>);
                let (scoring, points, scale, shared, key, _): Settings = position.getattr("settings")?.extract()?;
                let key = match key.as_deref() {
                    Some("ttentry") => EasyAiKey::Own,
                    Some(_) => EasyAiKey::State,
                    None => EasyAiKey::None,
                };
                Ok((Interface::EasyAi(EasyAi { scoring, points, scale, shared, key }), position.getattr("game")?))
            }
            Some("openspiel") => {
                type Settings = (Option<Py<PyAny>>, f64, bool, Option<Py<PyAny>>, Py<PyAny>);
                let (value_function, scale, by_points, key, _): Settings = position.getattr("settings")?.extract()?;
                let text = py.get_type::<PyString>();
                let by_text = key.as_ref().is_some_and(|key| key.is(&text));
                let state = position.getattr("state")?;
                let methods = Methods::of(&state)?;
                Ok((Interface::OpenSpiel(OpenSpiel { value_function, scale, by_points, key, by_text, methods }), state))
            }
            _ => {
                let (evaluate, key) = (position.hasattr("evaluate")?, position.hasattr("key")?);
                Ok((Interface::Emtee { evaluate, key }, position.clone()))
            }
        }
    }

    /// Whether positions have keys.
    pub(crate) fn has_key(&self) -> bool {
        match self {
            Interface::Emtee { key, .. } => *key,
            Interface::EasyAi(interface) => interface.key != EasyAiKey::None,
            Interface::OpenSpiel(interface) => interface.key.is_some(),
        }
    }

    /// Whether a move means the same in all positions.
    pub(crate) fn moves_are_codes(&self) -> bool {
        !matches!(self, Interface::Emtee { .. })
    }

    /// A code that means the same move in all positions; `None` if there is none. Codes may collide, but not those of integers.
    pub(crate) fn code(&self, m: &Bound<'_, PyAny>) -> Option<u16> {
        let number = m.extract::<u16>().ok().filter(|&code| code < u16::MAX);
        match self {
            Interface::EasyAi(_) => number.or_else(|| Some((key::key(0, m).ok()? % u64::from(u16::MAX)) as u16)),
            _ => number,
        }
    }

    /// Whether moves may be any objects, with or without codes.
    pub(crate) fn codes_are_optional(&self) -> bool {
        matches!(self, Interface::EasyAi(_))
    }

    /// The classes that are not copied with a game that can unmake moves; `None` if it cannot.
    pub(crate) fn shared_by_copies(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<&Py<PyTuple>>> {
        Ok(match self {
            Interface::EasyAi(interface) if object.hasattr(intern!(object.py(), "unmake_move"))? => {
                Some(&interface.shared)
            }
            _ => None,
        })
    }

    /// The side to move and, if the same call returns it, the outcome.
    pub(crate) fn turn(&self, object: &Bound<'_, PyAny>) -> PyResult<(Side, Option<Option<Outcome>>)> {
        let py = object.py();
        let side = |number: &Bound<'_, PyAny>, first: i64, method: &str| match number.extract::<i64>() {
            Ok(side) if side == first => Ok(Side::First),
            Ok(side) if side == first + 1 => Ok(Side::Second),
            _ => Err(PyValueError::new_err(format!(
                "{method} returned {}; return {first} or {}",
                number.repr()?,
                first + 1
            ))),
        };
        match self {
            Interface::Emtee { .. } => Ok((side(&call(object, intern!(py, "turn"))?, 0, "turn()")?, None)),
            Interface::EasyAi(_) => {
                let player = object.getattr(intern!(py, "current_player"))?;
                Ok((side(&player, 1, "current_player")?, None))
            }
            Interface::OpenSpiel(interface) => {
                let methods = &interface.methods;
                let player = methods.call(object, &methods.current_player, intern!(py, "current_player"), None)?;
                if player.extract::<i64>().is_ok_and(|player| player < 0) {
                    return Ok((Side::First, Some(Some(interface.ended(object)?))));
                }
                Ok((side(&player, 0, "current_player()")?, Some(None)))
            }
        }
    }

    /// The key; `None` if there is none.
    pub(crate) fn key(&self, object: &Bound<'_, PyAny>, side: Side) -> PyResult<Option<u64>> {
        let (py, seed) = (object.py(), side.index() as u64);
        let key = match self {
            Interface::Emtee { key: true, .. } => call(object, intern!(py, "key"))?,
            Interface::EasyAi(EasyAi { key: EasyAiKey::Own, .. }) => call(object, intern!(py, "ttentry"))?,
            Interface::EasyAi(EasyAi { key: EasyAiKey::State, shared, .. }) => {
                return Ok(Some(emtee::mix(state_key(object, Some(shared.bind(py)))? ^ seed)));
            }
            Interface::OpenSpiel(OpenSpiel { by_text: true, .. }) => retry_interrupted(py, || object.str())?.into_any(),
            Interface::OpenSpiel(OpenSpiel { key: Some(key), .. }) => call_function(key, object, None)?,
            _ => return Ok(None),
        };
        key::key_of_game(seed, &key).map(Some)
    }

    /// The outcome, if [`turn`](Interface::turn) did not return it.
    pub(crate) fn outcome(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
        let py = object.py();
        match self {
            Interface::Emtee { .. } => read_outcome(&call(object, intern!(py, "outcome"))?, "outcome"),
            Interface::EasyAi(interface) => {
                if !call(object, intern!(py, "is_over"))?.is_truthy()? {
                    return Ok(None);
                }
                let score = self.score(object)?;
                Ok(Some(if interface.points { Outcome::Points(score) } else { by_sign(score) }))
            }
            Interface::OpenSpiel(_) => Ok(None),
        }
    }

    /// The evaluation for the side to move.
    pub(crate) fn score(&self, object: &Bound<'_, PyAny>) -> PyResult<i32> {
        let py = object.py();
        match self {
            Interface::Emtee { evaluate: true, .. } => read_score(&call(object, intern!(py, "evaluate"))?, "evaluate"),
            Interface::EasyAi(interface) => {
                let score = match &interface.scoring {
                    Some(scoring) => call_function(scoring, object, None)?,
                    None => call(object, intern!(py, "scoring"))?,
                };
                whole(&score, interface.scale, "a score of ")
            }
            Interface::OpenSpiel(OpenSpiel { value_function: Some(function), scale, .. }) => {
                whole(&call_function(function, object, None)?, *scale, "")
            }
            _ => Ok(0),
        }
    }

    /// The moves, as a list or another iterable.
    pub(crate) fn moves<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        match self {
            Interface::Emtee { .. } => call(object, intern!(py, "moves")),
            Interface::EasyAi(_) => call(object, intern!(py, "possible_moves")),
            Interface::OpenSpiel(OpenSpiel { methods, .. }) => {
                methods.call(object, &methods.legal_actions, intern!(py, "legal_actions"), None)
            }
        }
    }

    /// The position after a move.
    pub(crate) fn play<'py>(&self, object: &Bound<'py, PyAny>, m: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        match self {
            Interface::Emtee { .. } => call_with(object, intern!(py, "play"), m.as_borrowed()),
            Interface::OpenSpiel(OpenSpiel { methods, .. }) => {
                methods.call(object, &methods.child, intern!(py, "child"), Some(m))
            }
            Interface::EasyAi(interface) => retry_interrupted(py, || {
                let copy = copy_game(object, Some(interface.shared.bind(py)))?;
                call_once(&copy, intern!(py, "make_move"), Some(m.as_borrowed()))?;
                call_once(&copy, intern!(py, "switch_player"), None)?;
                Ok(copy)
            }),
        }
    }
}

impl OpenSpiel {
    /// The outcome of a terminal state for player 0.
    fn ended(&self, state: &Bound<'_, PyAny>) -> PyResult<Outcome> {
        let won = call(state, intern!(state.py(), "returns"))?.get_item(0)?;
        if self.by_points {
            return whole(&won, self.scale, "").map(Outcome::Points);
        }
        let won: f64 = won.extract()?;
        if won.is_nan() {
            return Err(emtee_error("returns() is not a number"));
        }
        Ok(by_sign(if won == 0.0 { 0 } else { won.signum() as i32 }))
    }
}

fn by_sign(score: i32) -> Outcome {
    match score {
        0 => Outcome::Drawn,
        1.. => Outcome::Won,
        _ => Outcome::Lost,
    }
}

/// A score of another library, scaled to an integer.
fn whole(number: &Bound<'_, PyAny>, scale: f64, what: &str) -> PyResult<i32> {
    let number: f64 = number.extract()?;
    let score = (number * scale).round();
    if !(number * scale).is_finite() {
        return Err(emtee_error(format!("{what}{number} is not a finite number")));
    }
    if (score - number * scale).abs() > 1e-9 {
        return Err(emtee_error(format!(
            "{what}{number} is not an integer; give a scale, for example scale=100 to count in hundredths"
        )));
    }
    Ok(score.clamp(-1e9, 1e9) as i32)
}

/// Reads an outcome that a game in Python returned.
pub(crate) fn read_outcome(value: &Bound<'_, PyAny>, method: &str) -> PyResult<Option<Outcome>> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(word) = value.cast::<PyString>() {
        return match word.to_cow()?.as_ref() {
            "won" => Ok(Some(Outcome::Won)),
            "lost" => Ok(Some(Outcome::Lost)),
            "drawn" => Ok(Some(Outcome::Drawn)),
            _ => Err(PyValueError::new_err(format!("{method}() returned {}; {OUTCOMES}", value.repr()?))),
        };
    }
    score(value, method, OUTCOMES).map(|points| Some(Outcome::Points(points)))
}

const OUTCOMES: &str = "return None while the game goes on, and \"won\", \"lost\", \"drawn\" or an int at its end";

/// Reads an integer. One that is too large for any score stays too large.
fn score(value: &Bound<'_, PyAny>, method: &str, wanted: &str) -> PyResult<i32> {
    match value.extract::<i64>() {
        Ok(number) => Ok(number.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
        Err(_) => Err(PyTypeError::new_err(format!("{method}() returned {}; {wanted}", value.repr()?))),
    }
}

/// Reads an evaluation.
pub(crate) fn read_score(value: &Bound<'_, PyAny>, method: &str) -> PyResult<i32> {
    score(value, method, "return an int, the points for the side to move")
}
