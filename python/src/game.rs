//! A game that the user wrote in Python, as the search sees it.
//!
//! Calling Python is what takes the time, so nothing is asked twice: a node keeps what the game has said of it, and its
//! children, up to a limit. That changes how often the game is called, and nothing else.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use emtee::{Game, Liveliness, Moves, Ordering, Outcome, Side, mix};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use pyo3::{Bound, intern};

use crate::error::raise;
use crate::face::{Face, call, call_with, read_outcome, read_score};

/// How much is kept of what positions said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// As many positions as pay in games of this kind.
    AsPays,
    /// So many.
    Positions(u64),
    /// Nothing at all: everything is asked again, and nothing is taken on trust.
    Nothing,
}

/// How many positions it pays to keep, where making one takes a while.
const KEPT: u64 = 1 << 16;

/// How many where it does not: memory that is not in the cache takes longer than a state of OpenSpiel's.
const FEW_KEPT: u64 = 1 << 11;

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
    /// What the class of a position offers, and the object to be asked; or that it is no game.
    pub(crate) fn of<'py>(position: &Bound<'py, PyAny>, keeping: Keeping) -> PyResult<(Arc<Rules>, Bound<'py, PyAny>)> {
        for needed in ["turn", "moves", "play", "outcome"] {
            if !position.hasattr(needed)? {
                let name = position.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "a {name} is no position: it has no method {needed}(); a game has turn(), moves(), play(move) and outcome()"
                )));
            }
        }
        let (face, object) = Face::of(position, keeping == Keeping::Nothing)?;
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
        let room = match keeping {
            Keeping::AsPays if matches!(face, Face::OpenSpiel(_)) => FEW_KEPT,
            Keeping::AsPays => KEPT,
            Keeping::Positions(count) => count,
            Keeping::Nothing => 0,
        };
        let keeps = keeping != Keeping::Nothing;
        Ok((Arc::new(Rules { face, has, room: AtomicU64::new(room), keeps }), object))
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
    /// Those that were visited, by the place of the move. Most nodes need their first move alone.
    children: Mutex<Vec<Option<PyPosition>>>,
}

/// The moves of a position, as the user lists them.
struct Listed {
    moves: Py<PyList>,
    count: usize,
    hints: Vec<i16>,
    /// What names the moves in other positions too, where the game says so.
    codes: Vec<u16>,
}

impl Listed {
    fn get<'py>(&self, py: Python<'py>, m: u32) -> PyResult<Bound<'py, PyAny>> {
        self.moves.bind(py).get_item(m as usize).map_err(|_| changed())
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
        // A copy: the user may go on with the list.
        let moves = match listed.cast::<PyList>() {
            Ok(list) => list.get_slice(0, list.len()),
            Err(_) => PyList::new(py, listed.try_iter()?.collect::<PyResult<Vec<_>>>()?)?,
        };
        let mut hints = Vec::new();
        if self.rules.has.hint {
            for m in &moves {
                let hint = call_with(object, intern!(py, "hint"), &m)?;
                let bad = || PyTypeError::new_err("hint(move) returns an int from -32768 to 32767");
                hints.push(hint.extract::<i64>().ok().and_then(|hint| hint.try_into().ok()).ok_or_else(bad)?);
            }
        }
        let mut codes = Vec::new();
        if self.rules.has_codes() {
            codes.reserve_exact(moves.len());
            for m in &moves {
                let code = if self.rules.has.code { call_with(object, intern!(py, "code"), &m)? } else { m };
                let bad = || PyTypeError::new_err("a code is an int from 0 to 65534");
                codes.push(code.extract::<u16>().ok().filter(|&code| code < u16::MAX).ok_or_else(bad)?);
            }
        }
        Ok(Listed { count: moves.len(), moves: moves.unbind(), hints, codes })
    }

    fn try_child(&self, py: Python<'_>, m: u32) -> PyResult<PyPosition> {
        let object = self.object.bind(py);
        let played = self.with_moves(py, |listed| self.rules.face.play(object, &listed.get(py, m)?))??;
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
        self.with_moves(py, |listed| listed.get(py, m))?
    }

    /// The place of a move in the list.
    pub(crate) fn place_of(&self, py: Python<'_>, m: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        self.with_moves(py, |listed| {
            for (place, listed) in listed.moves.bind(py).iter().enumerate() {
                if listed.eq(m)? {
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
        let place = m as usize;
        // Nobody else has this lock for longer than it takes to look: the user's code runs without it.
        let children = || node.children.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Some(child)) = children().get(place) {
            return Ok(child.clone());
        }
        let child = node.try_child(py, m)?;
        if node.rules.take_room() {
            let mut children = children();
            if children.len() <= place {
                children.resize(place + 1, None);
            }
            children[place] = Some(child.clone());
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

    /// Places in the list tell nothing about other positions. A game with codes is searched with everything.
    const ORDERING: Ordering = Ordering::HINTS;
    /// Every question to Python takes longer than a look into the table.
    const STORE_LEAVES: bool = true;

    fn turn(&self) -> Side {
        self.0.side
    }

    fn moves(&self, moves: &mut Moves<u32>) {
        let mut list = |listed: &Listed| {
            for m in 0..listed.count {
                moves.push_hinted(m as u32, listed.hints.get(m).copied().unwrap_or(0));
            }
        };
        match self.0.moves.get() {
            Some(listed) => list(listed),
            None => self.0.ask(|py| self.0.with_moves(py, list)),
        }
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
        let code = |listed: &Listed| listed.codes.get(m as usize).copied().ok_or_else(changed);
        match self.0.moves.get() {
            Some(listed) => code(listed).unwrap_or_else(|error| raise(error)),
            None => self.0.ask(|py| self.0.with_moves(py, code)?),
        }
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
