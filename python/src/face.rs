//! How a position in Python is asked: as a game with our methods, or as one of easyAI's or OpenSpiel's, without an adapter's calls
//! in between.

use emtee::{Outcome, Side};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyString, PyTuple, PyType};

use crate::ask::{asked, call, call_function, call_once, call_with};
use crate::copy::{copy_game, state_key};
use crate::error::refused;
use crate::key;

/// Whose methods a position has.
pub(crate) enum Face {
    Ours { evaluate: bool, key: bool },
    EasyAi(EasyAi),
    OpenSpiel(OpenSpiel),
}

/// What all positions of a game of easyAI's have in common; see `emtee/easyai.py`.
pub(crate) struct EasyAi {
    scoring: Option<Py<PyAny>>,
    points: bool,
    scale: f64,
    shared: Py<PyTuple>,
    key: EasyAiKey,
}

/// How positions of easyAI's games are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EasyAiKey {
    /// By their own method `ttentry`.
    Own,
    /// By all that they hold.
    State,
    /// Not at all.
    None,
}

/// What all states of a game of OpenSpiel's have in common; see `emtee/openspiel.py`.
pub(crate) struct OpenSpiel {
    value_function: Option<Py<PyAny>>,
    scale: f64,
    by_points: bool,
    key: Option<Py<PyAny>>,
    /// Whether the key is the text of the state.
    by_text: bool,
    methods: Methods,
}

/// The methods of a class of states. Found once: to look one up in each state would take longer than some of them do.
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

    /// Calls one of them, or the method of this name where a state is of another class.
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
            asked(state.py(), || call_once(state, name, m))
        }
    }
}

impl Face {
    /// The face of a position, and the object to be asked. Adapters say whose it is; `plainly` they are asked themselves.
    pub(crate) fn of<'py>(position: &Bound<'py, PyAny>, plainly: bool) -> PyResult<(Face, Bound<'py, PyAny>)> {
        let py = position.py();
        let name = position.getattr_opt(intern!(py, "_emtee_face"))?.filter(|_| !plainly);
        match name.map(|name| name.extract::<String>()).transpose()?.as_deref() {
            Some("easyai") => {
                type How = (Option<Py<PyAny>>, bool, f64, Py<PyTuple>, Option<String>, Py<PyAny>);
                let (scoring, points, scale, shared, key, _): How = position.getattr("how")?.extract()?;
                let key = match key.as_deref() {
                    Some("ttentry") => EasyAiKey::Own,
                    Some(_) => EasyAiKey::State,
                    None => EasyAiKey::None,
                };
                Ok((Face::EasyAi(EasyAi { scoring, points, scale, shared, key }), position.getattr("game")?))
            }
            Some("openspiel") => {
                type How = (Option<Py<PyAny>>, f64, bool, Option<Py<PyAny>>, Py<PyAny>);
                let (value_function, scale, by_points, key, _): How = position.getattr("how")?.extract()?;
                let text = py.get_type::<PyString>();
                let by_text = key.as_ref().is_some_and(|key| key.is(&text));
                let state = position.getattr("state")?;
                let methods = Methods::of(&state)?;
                Ok((Face::OpenSpiel(OpenSpiel { value_function, scale, by_points, key, by_text, methods }), state))
            }
            _ => {
                let (evaluate, key) = (position.hasattr("evaluate")?, position.hasattr("key")?);
                Ok((Face::Ours { evaluate, key }, position.clone()))
            }
        }
    }

    /// Whether positions can be told apart.
    pub(crate) fn has_key(&self) -> bool {
        match self {
            Face::Ours { key, .. } => *key,
            Face::EasyAi(face) => face.key != EasyAiKey::None,
            Face::OpenSpiel(face) => face.key.is_some(),
        }
    }

    /// Whether moves mean the same everywhere.
    pub(crate) fn moves_are_codes(&self) -> bool {
        !matches!(self, Face::Ours { .. })
    }

    /// What names a move in other positions too; nothing from one that has no name. Names may clash, but those of whole numbers do not.
    pub(crate) fn code(&self, m: &Bound<'_, PyAny>) -> Option<u16> {
        let number = m.extract::<u16>().ok().filter(|&code| code < u16::MAX);
        match self {
            Face::EasyAi(_) => number.or_else(|| Some((key::key(0, m).ok()? % u64::from(u16::MAX)) as u16)),
            _ => number,
        }
    }

    /// Whether moves may be anything, with a name or without.
    pub(crate) fn may_be_nameless(&self) -> bool {
        matches!(self, Face::EasyAi(_))
    }

    /// What is not copied with a game that takes moves back; nothing of one that does not.
    pub(crate) fn shared_by_a_walker(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<&Py<PyTuple>>> {
        Ok(match self {
            Face::EasyAi(face) if object.hasattr(intern!(object.py(), "unmake_move"))? => Some(&face.shared),
            _ => None,
        })
    }

    /// Whose turn it is, and how the game has ended, if that comes with the answer.
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
            Face::Ours { .. } => Ok((side(&call(object, intern!(py, "turn"))?, 0, "turn()")?, None)),
            Face::EasyAi(_) => {
                let player = object.getattr(intern!(py, "current_player"))?;
                Ok((side(&player, 1, "current_player")?, None))
            }
            Face::OpenSpiel(face) => {
                let methods = &face.methods;
                let player = methods.call(object, &methods.current_player, intern!(py, "current_player"), None)?;
                if player.extract::<i64>().is_ok_and(|player| player < 0) {
                    return Ok((Side::First, Some(Some(face.ended(object)?))));
                }
                Ok((side(&player, 0, "current_player()")?, Some(None)))
            }
        }
    }

    /// The key; nothing where there is none.
    pub(crate) fn key(&self, object: &Bound<'_, PyAny>, side: Side) -> PyResult<Option<u64>> {
        let (py, seed) = (object.py(), side.index() as u64);
        let key = match self {
            Face::Ours { key: true, .. } => call(object, intern!(py, "key"))?,
            Face::EasyAi(EasyAi { key: EasyAiKey::Own, .. }) => call(object, intern!(py, "ttentry"))?,
            Face::EasyAi(EasyAi { key: EasyAiKey::State, shared, .. }) => {
                return Ok(Some(emtee::mix(state_key(object, Some(shared.bind(py)))? ^ seed)));
            }
            Face::OpenSpiel(OpenSpiel { by_text: true, .. }) => asked(py, || object.str())?.into_any(),
            Face::OpenSpiel(OpenSpiel { key: Some(key), .. }) => call_function(key, object, None)?,
            _ => return Ok(None),
        };
        key::key(seed, &key).map(Some)
    }

    /// How the game has ended, where [`turn`](Face::turn) did not say.
    pub(crate) fn outcome(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
        let py = object.py();
        match self {
            Face::Ours { .. } => read_outcome(&call(object, intern!(py, "outcome"))?, "outcome"),
            Face::EasyAi(face) => {
                if !call(object, intern!(py, "is_over"))?.is_truthy()? {
                    return Ok(None);
                }
                let score = self.score(object)?;
                Ok(Some(if face.points { Outcome::Points(score) } else { by_sign(score) }))
            }
            Face::OpenSpiel(_) => Ok(None),
        }
    }

    /// The evaluation for the side to move.
    pub(crate) fn score(&self, object: &Bound<'_, PyAny>) -> PyResult<i32> {
        let py = object.py();
        match self {
            Face::Ours { evaluate: true, .. } => read_score(&call(object, intern!(py, "evaluate"))?, "evaluate"),
            Face::EasyAi(face) => {
                let score = match &face.scoring {
                    Some(scoring) => call_function(scoring, object, None)?,
                    None => call(object, intern!(py, "scoring"))?,
                };
                whole(&score, face.scale, "a score of ")
            }
            Face::OpenSpiel(OpenSpiel { value_function: Some(function), scale, .. }) => {
                whole(&call_function(function, object, None)?, *scale, "")
            }
            _ => Ok(0),
        }
    }

    /// The moves, a list or anything that can be gone through.
    pub(crate) fn moves<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        match self {
            Face::Ours { .. } => call(object, intern!(py, "moves")),
            Face::EasyAi(_) => call(object, intern!(py, "possible_moves")),
            Face::OpenSpiel(OpenSpiel { methods, .. }) => {
                methods.call(object, &methods.legal_actions, intern!(py, "legal_actions"), None)
            }
        }
    }

    /// The position after a move.
    pub(crate) fn play<'py>(&self, object: &Bound<'py, PyAny>, m: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        match self {
            Face::Ours { .. } => call_with(object, intern!(py, "play"), m.as_borrowed()),
            Face::OpenSpiel(OpenSpiel { methods, .. }) => {
                methods.call(object, &methods.child, intern!(py, "child"), Some(m))
            }
            Face::EasyAi(face) => asked(py, || {
                let copy = copy_game(object, Some(face.shared.bind(py)))?;
                call_once(&copy, intern!(py, "make_move"), Some(m.as_borrowed()))?;
                call_once(&copy, intern!(py, "switch_player"), None)?;
                Ok(copy)
            }),
        }
    }
}

impl OpenSpiel {
    /// How a state at its end is for player 0.
    fn ended(&self, state: &Bound<'_, PyAny>) -> PyResult<Outcome> {
        let won = call(state, intern!(state.py(), "returns"))?.get_item(0)?;
        if self.by_points {
            return whole(&won, self.scale, "").map(Outcome::Points);
        }
        let won: f64 = won.extract()?;
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

/// A number that others call a score, as a whole one.
fn whole(number: &Bound<'_, PyAny>, scale: f64, what: &str) -> PyResult<i32> {
    let number: f64 = number.extract()?;
    let score = (number * scale).round();
    if (score - number * scale).abs() > 1e-9 {
        return Err(refused(format!("{what}{number} is not whole; give scale=100 or so, which counts in hundredths")));
    }
    Ok(score.clamp(-1e9, 1e9) as i32)
}

/// What a game in Python says of its end.
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

/// A whole number. One that is too large for any score stays too large.
fn score(value: &Bound<'_, PyAny>, method: &str, wanted: &str) -> PyResult<i32> {
    match value.extract::<i64>() {
        Ok(number) => Ok(number.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
        Err(_) => Err(PyTypeError::new_err(format!("{method}() returned {}; {wanted}", value.repr()?))),
    }
}

/// An evaluation.
pub(crate) fn read_score(value: &Bound<'_, PyAny>, method: &str) -> PyResult<i32> {
    score(value, method, "return an int, so many points for the side to move")
}
