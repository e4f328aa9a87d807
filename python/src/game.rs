//! A game that the user wrote in Python, as the search sees it.
//!
//! Calling Python is what takes the time, so nothing is asked twice: a node keeps what the game has said of it, and its
//! children, up to a limit. That changes how often the game is called, and nothing else.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use emtee::{Game, Liveliness, Moves, Outcome, Side, mix};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use pyo3::{Bound, intern};

use crate::error::raise;
use crate::face::{Face, call, call_with, read_outcome, read_score};

/// How many positions a search keeps in memory unless its user says otherwise.
pub(crate) const KEPT: u64 = 1 << 16;

/// What one search knows of the user's class.
pub(crate) struct Rules {
    face: Face,
    has: Has,
    /// How many more positions may be kept.
    room: AtomicU64,
    /// Whether anything is kept: not where the laws are checked.
    keeps: bool,
}

/// Which of the methods that may be left out the class has.
#[derive(Clone, Copy, Default)]
struct Has {
    hint: bool,
    code: bool,
    stuck: bool,
    loud: bool,
    reversible: bool,
    repeated: bool,
    forced: bool,
    passed: bool,
    gain: bool,
    moves_are_codes: bool,
}

impl Rules {
    /// What the class of a position offers, and the object to be asked; or that it is no game. Without a number of positions to keep,
    /// nothing is kept and nothing is taken on trust.
    pub(crate) fn of<'py>(
        position: &Bound<'py, PyAny>,
        kept: Option<u64>,
    ) -> PyResult<(Arc<Rules>, Bound<'py, PyAny>)> {
        for needed in ["turn", "moves", "play", "outcome"] {
            if !position.hasattr(needed)? {
                let name = position.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "a {name} is no position: it has no method {needed}(); a game has turn(), moves(), play(move) and outcome()"
                )));
            }
        }
        let (face, object) = Face::of(position, kept.is_none())?;
        let has = |name: &str| object.hasattr(name);
        let has = match &face {
            Face::Ours { .. } => Has {
                hint: has("hint")?,
                code: has("code")?,
                stuck: has("stuck")?,
                loud: has("loud")?,
                reversible: has("reversible")?,
                repeated: has("repeated")?,
                forced: has("forced")?,
                passed: has("passed")?,
                gain: has("gain")?,
                moves_are_codes: has("moves_are_codes")? && object.getattr("moves_are_codes")?.is_truthy()?,
            },
            other => Has { moves_are_codes: other.moves_are_codes(), ..Has::default() },
        };
        let room = AtomicU64::new(kept.unwrap_or(0));
        Ok((Arc::new(Rules { face, has, room, keeps: kept.is_some() }), object))
    }

    /// Whether moves have codes, so that killers and history help.
    pub(crate) fn has_codes(&self) -> bool {
        self.has.code || self.has.moves_are_codes
    }

    /// Whether positions are told apart by a key of the user's, so that memory outlives a search.
    pub(crate) fn has_keys(&self) -> bool {
        self.face.has_key()
    }

    /// Whether a look into the table is worth it at leaves, where positions need a key for that.
    pub(crate) fn store_leaves(&self) -> bool {
        !matches!(self.face, Face::OpenSpiel(_)) || !self.has_keys()
    }

    fn take_room(&self) -> bool {
        self.room.fetch_update(Relaxed, Relaxed, |room| room.checked_sub(1)).is_ok()
    }
}

/// A position of the user's, with what it has said of itself so far.
pub(crate) struct Node {
    pub(crate) object: Py<PyAny>,
    rules: Arc<Rules>,
    side: Side,
    /// The moves that led here, as a number.
    path: u64,
    key: OnceLock<u64>,
    outcome: OnceLock<Option<Outcome>>,
    score: OnceLock<i32>,
    moves: OnceLock<Listed>,
    children: OnceLock<Box<[OnceLock<PyPosition>]>>,
}

/// The moves of a position, as the user lists them.
struct Listed {
    moves: Vec<Py<PyAny>>,
    hints: Vec<i16>,
    /// What names the moves in other positions too, where the game says so.
    codes: Vec<u16>,
}

impl Listed {
    fn get<'a, 'py>(&'a self, py: Python<'py>, m: u32) -> PyResult<&'a Bound<'py, PyAny>> {
        self.moves.get(m as usize).map(|m| m.bind(py)).ok_or_else(changed)
    }
}

/// Only a position that changes lists fewer moves than before.
fn changed() -> PyErr {
    PyValueError::new_err(
        "moves() lists other moves than before; a position must not change, and play() returns a new one",
    )
}

/// A position of a game in Python.
#[derive(Clone)]
pub(crate) struct PyPosition(pub(crate) Arc<Node>);

/// The root of a search without keys: each search has a number, so that nothing of one is taken for something of another.
pub(crate) fn root(object: &Bound<'_, PyAny>, rules: &Arc<Rules>, number: u64) -> PyResult<PyPosition> {
    make(object.clone(), rules, mix(number ^ ROOT))
}

const ROOT: u64 = 0x5bd1_e995_7f4a_7c15;

fn make(object: Bound<'_, PyAny>, rules: &Arc<Rules>, path: u64) -> PyResult<PyPosition> {
    let (side, ended) = rules.face.turn(&object)?;
    let outcome = ended.map_or_else(OnceLock::new, OnceLock::from);
    let (key, score, moves, children) = Default::default();
    let rules = rules.clone();
    Ok(PyPosition(Arc::new(Node { object: object.unbind(), rules, side, path, key, outcome, score, moves, children })))
}

impl Node {
    fn try_list(&self, py: Python<'_>) -> PyResult<Listed> {
        let object = self.object.bind(py);
        let listed = self.rules.face.moves(object)?;
        let moves: Vec<Py<PyAny>> = if let Ok(list) = listed.cast::<PyList>() {
            list.iter().map(Bound::unbind).collect()
        } else if let Ok(tuple) = listed.cast::<PyTuple>() {
            tuple.iter().map(Bound::unbind).collect()
        } else {
            listed.try_iter()?.map(|item| item.map(Bound::unbind)).collect::<PyResult<_>>()?
        };
        let mut hints = Vec::new();
        if self.rules.has.hint {
            for m in &moves {
                let hint = call_with(object, intern!(py, "hint"), m.bind(py))?;
                let bad = || PyTypeError::new_err("hint(move) returns an int from -32768 to 32767");
                hints.push(hint.extract::<i64>().ok().and_then(|hint| hint.try_into().ok()).ok_or_else(bad)?);
            }
        }
        let mut codes = Vec::new();
        if self.rules.has_codes() {
            for m in &moves {
                let m = m.bind(py);
                let code = if self.rules.has.code { call_with(object, intern!(py, "code"), m)? } else { m.clone() };
                let bad = || PyTypeError::new_err("a code is an int from 0 to 65534");
                codes.push(code.extract::<u16>().ok().filter(|&code| code < u16::MAX).ok_or_else(bad)?);
            }
        }
        Ok(Listed { moves, hints, codes })
    }

    fn try_child(&self, py: Python<'_>, m: u32) -> PyResult<PyPosition> {
        let object = self.object.bind(py);
        let played = self.with_moves(py, |listed| self.rules.face.play(object, listed.get(py, m)?))??;
        make(played, &self.rules, mix(self.path ^ mix(u64::from(m) + 1)))
    }

    /// The moves, listed now unless they have been.
    fn with_moves<T>(&self, py: Python<'_>, work: impl FnOnce(&Listed) -> T) -> PyResult<T> {
        if !self.rules.keeps {
            return self.try_list(py).map(|listed| work(&listed));
        }
        if let Some(listed) = self.moves.get() {
            return Ok(work(listed));
        }
        let listed = self.try_list(py)?;
        Ok(work(self.moves.get_or_init(|| listed)))
    }

    /// The move at a place of the list.
    pub(crate) fn move_at<'py>(&self, py: Python<'py>, m: u32) -> PyResult<Bound<'py, PyAny>> {
        self.with_moves(py, |listed| listed.get(py, m).cloned())?
    }

    /// The place of a move in the list.
    pub(crate) fn place_of(&self, py: Python<'_>, m: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        self.with_moves(py, |listed| {
            for (place, listed) in listed.moves.iter().enumerate() {
                if listed.bind(py).eq(m)? {
                    return Ok(Some(place as u32));
                }
            }
            Ok(None)
        })?
    }

    /// A question that the game answers with yes or no, no being the default.
    fn says(&self, asked: bool, name: &str) -> bool {
        asked && self.ask(|py| call(self.object.bind(py), &PyString::intern(py, name))?.is_truthy())
    }

    /// Asks the user's code, and leaves the search if it raises.
    fn ask<T>(&self, question: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        Python::attach(|py| question(py).unwrap_or_else(|error| raise(error)))
    }
}

impl PyPosition {
    pub(crate) fn node(&self) -> &Node {
        &self.0
    }

    /// The same position without what was found below it.
    pub(crate) fn without_children(&self, object: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let rules = self.0.rules.clone();
        rules.room.store(0, Relaxed);
        let (key, outcome, score, moves, children) = Default::default();
        let (side, path, object) = (self.0.side, self.0.path, object.clone().unbind());
        Ok(PyPosition(Arc::new(Node { object, rules, side, path, key, outcome, score, moves, children })))
    }

    fn child(&self, py: Python<'_>, m: u32) -> PyResult<PyPosition> {
        let node = &*self.0;
        if !node.rules.keeps {
            return node.try_child(py, m);
        }
        let count = node.with_moves(py, |listed| listed.moves.len())?;
        let children = node.children.get_or_init(|| (0..count).map(|_| OnceLock::new()).collect());
        let kept = children.get(m as usize).ok_or_else(changed)?;
        if let Some(child) = kept.get() {
            return Ok(child.clone());
        }
        let child = node.try_child(py, m)?;
        if node.rules.take_room() {
            return Ok(kept.get_or_init(|| child).clone());
        }
        Ok(child)
    }

    /// The moves of a line that begins here, as the user wrote them.
    pub(crate) fn line<'py>(&self, py: Python<'py>, places: &[u32]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut at = self.clone();
        let mut line = Vec::new();
        for (ply, &place) in places.iter().enumerate() {
            line.push(at.node().move_at(py, place)?);
            if ply + 1 < places.len() {
                at = at.child(py, place)?;
            }
        }
        Ok(line)
    }
}

impl Hash for PyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Game for PyPosition {
    /// The place of the move in the list.
    type Move = u32;

    /// Every question to Python takes longer than a look into the table.
    const STORE_LEAVES: bool = true;

    fn turn(&self) -> Side {
        self.0.side
    }

    fn moves(&self, moves: &mut Moves<u32>) {
        self.0.ask(|py| {
            self.0.with_moves(py, |listed| {
                for m in 0..listed.moves.len() {
                    moves.push_hinted(m as u32, listed.hints.get(m).copied().unwrap_or(0));
                }
            })
        });
    }

    fn play(&self, m: u32) -> PyPosition {
        self.0.ask(|py| self.child(py, m))
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Some(&known) = self.0.outcome.get() {
            return known;
        }
        let outcome = self.0.ask(|py| self.0.rules.face.outcome(self.0.object.bind(py)));
        if self.0.rules.keeps { *self.0.outcome.get_or_init(|| outcome) } else { outcome }
    }

    fn evaluate(&self) -> i32 {
        if let Some(&known) = self.0.score.get() {
            return known;
        }
        let score = self.0.ask(|py| self.0.rules.face.score(self.0.object.bind(py)));
        if self.0.rules.keeps { *self.0.score.get_or_init(|| score) } else { score }
    }

    fn key(&self) -> u64 {
        let node = &*self.0;
        // Without a key of the user's, a position is told apart by the moves that led to it.
        if !node.rules.has_keys() {
            return node.path;
        }
        if let Some(&known) = node.key.get() {
            return known;
        }
        let key = node.ask(|py| node.rules.face.key(node.object.bind(py), node.side)).unwrap_or(node.path);
        if node.rules.keeps { *node.key.get_or_init(|| key) } else { key }
    }

    fn code(&self, m: u32, index: usize) -> u16 {
        if !self.0.rules.has_codes() {
            return index as u16;
        }
        self.0.ask(|py| self.0.with_moves(py, |listed| listed.codes.get(m as usize).copied().ok_or_else(changed))?)
    }

    fn stuck(&self) -> Outcome {
        if !self.0.rules.has.stuck {
            return Outcome::Drawn;
        }
        self.0.ask(|py| {
            let stuck = call(self.0.object.bind(py), intern!(py, "stuck"))?;
            read_outcome(&stuck, "stuck")?.ok_or_else(|| {
                PyValueError::new_err("stuck() returned None; return \"won\", \"lost\", \"drawn\" or an int")
            })
        })
    }

    fn reversible(&self) -> Option<u32> {
        if !self.0.rules.has.reversible {
            return None;
        }
        self.0.ask(|py| {
            let bad = |_| PyTypeError::new_err("reversible() returns an int, or None where positions never recur");
            call(self.0.object.bind(py), intern!(py, "reversible"))?.extract::<Option<u32>>().map_err(bad)
        })
    }

    fn repeated(&self) -> Outcome {
        if !self.0.rules.has.repeated {
            return Outcome::Drawn;
        }
        self.0.ask(|py| {
            let repeated = call(self.0.object.bind(py), intern!(py, "repeated"))?;
            let none =
                || PyValueError::new_err("repeated() returned None; return \"won\", \"lost\", \"drawn\" or an int");
            read_outcome(&repeated, "repeated")?.ok_or_else(none)
        })
    }

    fn loud(&self, moves: &mut Moves<u32>) -> Liveliness {
        if !self.0.rules.has.loud {
            return Liveliness::Quiet;
        }
        let (liveliness, places) = self.0.ask(|py| {
            let loud = call(self.0.object.bind(py), intern!(py, "loud"))?;
            if loud.is_none() {
                return Ok((Liveliness::Quiet, Vec::new()));
            }
            let bad = || PyTypeError::new_err(LOUD);
            let (word, listed): (String, Vec<Bound<'_, PyAny>>) = loud.extract().map_err(|_| bad())?;
            let liveliness = match word.as_str() {
                "optional" => Liveliness::Optional,
                "forced" => Liveliness::Forced,
                _ => return Err(bad()),
            };
            let mut places = Vec::new();
            for m in &listed {
                let place = self.0.place_of(py, m)?;
                places.push(place.ok_or_else(|| PyValueError::new_err("loud() lists a move that moves() does not"))?);
            }
            Ok((liveliness, places))
        });
        places.into_iter().for_each(|m| moves.push(m));
        liveliness
    }

    fn forced(&self) -> bool {
        self.0.says(self.0.rules.has.forced, "forced")
    }

    fn passed(&self) -> Option<PyPosition> {
        if !self.0.rules.has.passed {
            return None;
        }
        self.0.ask(|py| {
            let passed = call(self.0.object.bind(py), intern!(py, "passed"))?;
            if passed.is_none() {
                return Ok(None);
            }
            make(passed, &self.0.rules, mix(self.0.path ^ PASSED)).map(Some)
        })
    }

    fn gain(&self, m: u32) -> Option<i32> {
        if !self.0.rules.has.gain {
            return None;
        }
        self.0.ask(|py| {
            let gain = call_with(self.0.object.bind(py), intern!(py, "gain"), &self.0.move_at(py, m)?)?;
            if gain.is_none() { Ok(None) } else { read_score(&gain, "gain").map(Some) }
        })
    }
}

const PASSED: u64 = 0xd6e8_feb8_6659_fd93;

const LOUD: &str = "loud() returns None where all is quiet, or (\"optional\", moves) or (\"forced\", moves)";
