//! Games written in Python, as a [`Game`] for the search.
//!
//! Calls into Python take most of the time. So each node caches the results of its method calls, and its children, up to a
//! limit. The cache changes the number of calls and nothing else.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use emtee::{Game, MoveOrdering, Moves, Outcome, Quiescence, Side, Tuning, mix};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use pyo3::{Bound, intern};

use crate::calls::{call, call_with, interpreter, is_unshared};
use crate::error::raise;
use crate::interface::{read_outcome, read_score};
use crate::make_unmake::Step;
use crate::rules::Rules;

/// The cached results of the method calls of one position.
pub(crate) struct Node {
    /// The object of the position, once its moves are listed. Objects of leaves are dropped: keeping them costs more than
    /// creating them again.
    object: OnceLock<Py<PyAny>>,
    rules: Arc<Rules>,
    side: Side,
    /// The number of plies searched below it, if known. It decides which methods are called, never a result.
    height: AtomicU8,
    /// A hash of the moves from the root to this node.
    path: u64,
    key: Cached,
    outcome: Cached,
    score: Cached,
    moves: OnceLock<MoveList>,
}

/// A cached result, packed into a number other than 0; 0 if there is none. A game in Python is searched on one thread, so
/// relaxed atomics suffice.
#[derive(Default)]
struct Cached(AtomicU64);

impl Cached {
    #[inline(always)]
    fn get(&self) -> Option<u64> {
        Some(self.0.load(Relaxed)).filter(|&value| value != 0)
    }

    #[inline(always)]
    fn set(&self, rules: &Rules, value: u64) {
        if rules.caches {
            self.0.store(value, Relaxed);
        }
    }
}

fn pack(outcome: Option<Outcome>) -> u64 {
    match outcome {
        None => 1,
        Some(Outcome::Won) => 2,
        Some(Outcome::Lost) => 3,
        Some(Outcome::Drawn) => 4,
        Some(Outcome::Points(points)) => pack_number(points) | 4,
    }
}

fn unpack(outcome: u64) -> Option<Outcome> {
    match outcome as u32 {
        1 => None,
        2 => Some(Outcome::Won),
        3 => Some(Outcome::Lost),
        4 => Some(Outcome::Drawn),
        _ => Some(Outcome::Points(unpack_number(outcome))),
    }
}

fn pack_number(number: i32) -> u64 {
    u64::from(number as u32) << 32 | 1
}

fn unpack_number(number: u64) -> i32 {
    (number >> 32) as i32
}

/// The moves of a position, in the order of the game.
struct MoveList {
    moves: Py<PyList>,
    count: usize,
    hints: Vec<i16>,
    /// The codes of the moves, which mean the same moves in all positions, if the game has codes.
    codes: Vec<u16>,
    /// The cached children, by the index of the move; empty if the cache is full.
    children: Box<[OnceLock<Arc<Node>>]>,
}

impl MoveList {
    fn get<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        self.moves.bind(py).get_item(index).map_err(|_| changed())
    }
}

/// The error for a position that lists fewer moves than before.
fn changed() -> PyErr {
    PyValueError::new_err(
        "moves() returned a different list than before; a position must not change, and play() must return a new one",
    )
}

/// A position of a game in Python: its node, and the user's object or the way to create it.
pub(crate) struct PyPosition {
    node: Arc<Node>,
    object: OnceLock<Py<PyAny>>,
    /// The parent and the index of the move from it, if the node is cached and the object has been dropped.
    parent: Option<(Arc<Node>, usize)>,
    /// The moves from the root, if the game is searched by making and unmaking moves on one object.
    steps: Option<Option<Arc<Step>>>,
}

impl Clone for PyPosition {
    fn clone(&self) -> PyPosition {
        let object = self.object.get().map(|object| object.clone_ref(self.interpreter()));
        let (node, parent, steps) = (self.node.clone(), self.parent.clone(), self.steps.clone());
        PyPosition { node, object: object.map_or_else(OnceLock::new, OnceLock::from), parent, steps }
    }
}

/// The root of a search. The number of the search keeps the path hashes of different searches apart.
pub(crate) fn root(object: &Bound<'_, PyAny>, rules: &Arc<Rules>, number: u64) -> PyResult<PyPosition> {
    let root = earlier_position(object, rules, number)?;
    Ok(PyPosition { steps: rules.make_unmake.is_some().then_some(None), ..root })
}

/// A position of the game before the root.
pub(crate) fn earlier_position(object: &Bound<'_, PyAny>, rules: &Arc<Rules>, number: u64) -> PyResult<PyPosition> {
    new_position(object.clone(), rules, mix(number ^ ROOT_PATH), u8::MAX)
}

const ROOT_PATH: u64 = 0x5bd1_e995_7f4a_7c15;

#[inline]
fn new_position(object: Bound<'_, PyAny>, rules: &Arc<Rules>, path: u64, height: u8) -> PyResult<PyPosition> {
    let (side, ended) = rules.interface.turn(&object)?;
    let node = Node::new(rules, side, path, height);
    if let Some(ended) = ended {
        node.outcome.set(rules, pack(ended));
    }
    Ok(PyPosition { node: Arc::new(node), object: OnceLock::from(object.unbind()), parent: None, steps: None })
}

impl Node {
    fn new(rules: &Arc<Rules>, side: Side, path: u64, height: u8) -> Node {
        let (object, key, outcome, score, moves) = Default::default();
        let (rules, height) = (rules.clone(), AtomicU8::new(height));
        Node { object, rules, side, height, path, key, outcome, score, moves }
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.object.get().map_or(Ok(()), |object| visit.call(object))?;
        let Some(listed) = self.moves.get() else { return Ok(()) };
        visit.call(&listed.moves)?;
        let children = listed.children.iter().filter_map(OnceLock::get);
        children.filter(|child| Arc::strong_count(child) == 1).try_for_each(|child| child.traverse(visit))
    }

    /// The cached child at an index of the move list.
    #[inline(always)]
    fn cached_child(&self, index: usize) -> Option<&Arc<Node>> {
        self.moves.get()?.children.get(index)?.get()
    }
}

impl PyPosition {
    /// The user's object, created again if it was dropped.
    #[inline(always)]
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let (Some(step), Some(make_unmake)) = (&self.steps, &self.node.rules.make_unmake) {
            return make_unmake.at(py, step.as_ref());
        }
        match self.object.get().or_else(|| self.node.object.get()) {
            Some(object) => Ok(object.bind(py).clone()),
            None => self.recreate_object(py),
        }
    }

    /// The user's object, or a copy of it if the search goes on to change the object.
    pub(crate) fn to_owned_object(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match (&self.steps, &self.node.rules.make_unmake) {
            (Some(step), Some(make_unmake)) => make_unmake.copy_at(py, step.as_ref()).map(Bound::unbind),
            _ => self.object(py).map(Bound::unbind),
        }
    }

    #[cold]
    fn recreate_object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let made = self.parent.as_ref().and_then(|(before, index)| {
            let (object, listed) = (before.object.get()?.bind(py), before.moves.get()?);
            Some(listed.get(py, *index).and_then(|m| before.rules.interface.play(object, &m)))
        });
        let made = made.ok_or_else(|| PyValueError::new_err("the object of a position is missing"))??;
        Ok(self.object.get_or_init(|| made.unbind()).bind(py).clone())
    }

    fn list_moves(&self, py: Python<'_>) -> PyResult<MoveList> {
        let (object, rules) = (&self.object(py)?, &self.node.rules);
        let listed = rules.interface.moves(object)?;
        let moves = match listed.cast_into::<PyList>() {
            Ok(list) if is_unshared(&list) => list,
            // A copy: the user's code may still change the list.
            Ok(list) => list.get_slice(0, list.len()),
            Err(other) => PyList::new(py, other.into_inner().try_iter()?.collect::<PyResult<Vec<_>>>()?)?,
        };
        let count = moves.len();
        if count > MAX_MOVES {
            return Err(PyValueError::new_err(format!("moves() lists {count} moves; a position can have {MAX_MOVES}")));
        }
        let mut hints = Vec::new();
        if rules.has.hint {
            for m in &moves {
                let hint = call_with(object, intern!(py, "hint"), m.as_borrowed())?;
                let bad = || PyTypeError::new_err("hint(move) returns an int from -32768 to 32767");
                hints.push(hint.extract::<i64>().ok().and_then(|hint| hint.try_into().ok()).ok_or_else(bad)?);
            }
        }
        let mut codes = Vec::new();
        if rules.has_codes() && rules.use_codes.load(Relaxed) {
            codes.reserve_exact(count);
            for m in &moves {
                let code = if rules.has.code { call_with(object, intern!(py, "code"), m.as_borrowed())? } else { m };
                match rules.interface.code(&code) {
                    Some(code) => codes.push(code),
                    None if rules.interface.codes_are_optional() => break,
                    None => return Err(PyTypeError::new_err("a code is an int from 0 to 65534")),
                }
            }
            if codes.len() < count || !are_distinct(&codes) {
                if !rules.interface.codes_are_optional() {
                    return Err(equal_codes(&moves, &codes)?);
                }
                codes.clear();
            }
        }
        let kept = if rules.has_cache_room() { count } else { 0 };
        let children = (0..kept).map(|_| OnceLock::new()).collect();
        Ok(MoveList { count, moves: moves.unbind(), hints, codes, children })
    }

    /// Calls a closure with the moves, which are listed now unless they are cached.
    #[inline]
    fn with_moves<T>(&self, py: Python<'_>, work: impl FnOnce(&MoveList) -> T) -> PyResult<T> {
        let node = &*self.node;
        if !node.rules.caches {
            return self.list_moves(py).map(|listed| work(&listed));
        }
        if let Some(listed) = node.moves.get() {
            return Ok(work(listed));
        }
        let listed = self.list_moves(py)?;
        if self.steps.is_none() {
            node.object.get_or_init(|| self.object.get().map_or_else(|| py.None(), |object| object.clone_ref(py)));
        }
        Ok(work(node.moves.get_or_init(|| listed)))
    }

    /// The position after the move at an index of the list, created now unless it is cached.
    fn child(&self, py: Python<'_>, index: usize) -> PyResult<PyPosition> {
        let node = &*self.node;
        let height = node.height.load(Relaxed).saturating_sub(1);
        let path = mix(node.path ^ mix(index as u64 + 1));
        if let Some(kept) = node.cached_child(index) {
            kept.height.store(height, Relaxed);
            let (parent, steps) = match &self.steps {
                None => (Some((self.node.clone(), index)), None),
                Some(_) => (None, self.with_moves(py, |listed| self.step(py, listed, index, path))??),
            };
            return Ok(PyPosition { node: kept.clone(), object: OnceLock::new(), parent, steps });
        }
        self.with_moves(py, |listed| {
            let steps = self.step(py, listed, index, path)?;
            let played = match (&steps, &node.rules.make_unmake) {
                (Some(step), Some(make_unmake)) => make_unmake.at(py, step.as_ref())?,
                _ => node.rules.interface.play(&self.object(py)?, &listed.get(py, index)?)?,
            };
            let child = PyPosition { steps, ..new_position(played, &node.rules, path, height)? };
            if let Some(slot) = listed.children.get(index)
                && node.rules.reserve_cache_room()
            {
                let _ = slot.set(child.node.clone());
            }
            Ok(child)
        })?
    }

    /// The steps to a child, if the game is searched by making and unmaking moves.
    fn step(&self, py: Python<'_>, listed: &MoveList, index: usize, path: u64) -> PyResult<Option<Option<Arc<Step>>>> {
        let Some(here) = &self.steps else { return Ok(None) };
        Ok(Some(Some(Step::new(here.clone(), listed.get(py, index)?.unbind(), path))))
    }

    /// The move at an index of the list.
    pub(crate) fn move_at<'py>(&self, py: Python<'py>, m: u32) -> PyResult<Bound<'py, PyAny>> {
        self.with_moves(py, |listed| listed.get(py, m as usize))?
    }

    /// The index of a move in the list.
    pub(crate) fn index_of(&self, py: Python<'_>, m: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        self.with_moves(py, |listed| {
            for (index, listed) in listed.moves.bind(py).iter().enumerate() {
                if listed.eq(m)? {
                    return Ok(Some(index as u32));
                }
            }
            Ok(None)
        })?
    }

    /// The outcome, from the cache or the game.
    fn query_outcome(&self) -> Option<Outcome> {
        let node = &*self.node;
        if let Some(known) = node.outcome.get() {
            return unpack(known);
        }
        let outcome = self.call_user(|py| node.rules.interface.outcome(&self.object(py)?));
        node.outcome.set(&node.rules, pack(outcome));
        outcome
    }

    /// Calls a method that returns a bool; false if the game does not have it.
    fn flag(&self, has: bool, name: &str) -> bool {
        has && self.call_user(|py| call(&self.object(py)?, &PyString::intern(py, name))?.is_truthy())
    }

    /// Runs a closure that calls the user's code. An exception unwinds the search.
    #[inline(always)]
    fn call_user<T>(&self, work: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        work(self.interpreter()).unwrap_or_else(|error| raise(error))
    }

    #[inline(always)]
    #[expect(unsafe_code, reason = "a check at every call of the game's methods takes a tenth of the time of a search")]
    fn interpreter(&self) -> Python<'static> {
        // SAFETY: positions are created, searched and dropped only by threads that are attached to the interpreter: games in
        // Python are searched on one thread, which `Player::run` keeps attached.
        unsafe { interpreter() }
    }

    /// For the garbage collector: the objects that only this position refers to. It must be the only one with its node.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let node = &self.node;
        self.object.get().map_or(Ok(()), |object| visit.call(object))?;
        node.traverse(visit)?;
        match Arc::strong_count(&node.rules) {
            1 => node.rules.traverse(visit),
            // Other positions refer to the same rules.
            _ => Ok(()),
        }
    }
}

/// The greatest number of moves of a position: their indices have 16 bits, and one code stands for no move.
const MAX_MOVES: usize = 65_534;

/// The error for two moves with the same code.
#[cold]
fn equal_codes(moves: &Bound<'_, PyList>, codes: &[u16]) -> PyResult<PyErr> {
    let mut first: HashMap<u16, usize> = HashMap::new();
    let pair = codes.iter().enumerate().find_map(|(index, code)| Some((first.insert(*code, index)?, index)));
    let (one, other) = pair.unwrap_or_default();
    let [a, b] = [moves.get_item(one)?.repr()?, moves.get_item(other)?.repr()?];
    let code = codes.get(other).copied().unwrap_or_default();
    Ok(PyValueError::new_err(format!(
        "the moves {a} and {b} have the same code {code}; the moves of a position need different codes"
    )))
}

fn are_distinct(codes: &[u16]) -> bool {
    if codes.len() < 16 {
        return codes.iter().enumerate().all(|(index, code)| !codes[..index].contains(code));
    }
    let mut sorted = codes.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// A move in the form of the search: its index in the list in the lower 16 bits, its code in the upper 16.
fn packed(index: usize, code: u16) -> u32 {
    index as u32 & 0xffff | u32::from(code) << 16
}

/// The index of a move in the list.
pub(crate) fn move_index(m: u32) -> u32 {
    m & 0xffff
}

impl PyPosition {
    /// Records the number of plies that are about to be searched below this position.
    #[inline(always)]
    pub(crate) fn set_height(&self, depth: u8) {
        self.node.height.store(depth, Relaxed);
    }

    /// The same position without its cached subtree.
    pub(crate) fn without_children(&self, py: Python<'_>) -> PyResult<PyPosition> {
        self.node.rules.stop_caching();
        self.alone(py)
    }

    /// The same position with a node of its own.
    pub(crate) fn alone(&self, py: Python<'_>) -> PyResult<PyPosition> {
        let node = Node::new(&self.node.rules, self.node.side, self.node.path, u8::MAX);
        let (object, steps) = match &self.steps {
            None => (OnceLock::from(self.object(py)?.unbind()), None),
            steps => (OnceLock::new(), steps.clone()),
        };
        Ok(PyPosition { node: Arc::new(node), object, parent: None, steps })
    }

    /// The moves of a line from this position, as the user's objects.
    pub(crate) fn line<'py>(&self, py: Python<'py>, indices: &[u32]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut at = self.clone();
        let mut line = Vec::new();
        for (ply, &index) in indices.iter().enumerate() {
            line.push(at.move_at(py, index)?);
            if ply + 1 < indices.len() {
                at = at.child(py, index as usize)?;
            }
        }
        Ok(line)
    }

    /// Sets whether moves have codes from now on, in all positions of this search.
    pub(crate) fn set_use_codes(&self, wanted: bool) {
        self.node.rules.use_codes.store(wanted, Relaxed);
    }

    /// Whether the cache of positions has room.
    pub(crate) fn has_cache_room(&self) -> bool {
        self.node.rules.has_cache_room()
    }

    /// Whether the game has keys.
    pub(crate) fn has_keys(&self) -> bool {
        self.node.rules.has_keys()
    }

    /// Whether all positions along a few random lines, as long as the search is deep, have the same evaluation. Then only moves
    /// that end the game are better than others, and a search half as deep finds most of these.
    pub(crate) fn evaluations_are_equal(&self, depth: u8, evaluate: impl Fn(&PyPosition) -> i32) -> bool {
        // A game with quiescence search is assumed to have a meaningful evaluation.
        if self.node.rules.has.noisy_moves {
            return false;
        }
        if self.outcome().is_some() {
            return true;
        }
        let first = evaluate(self);
        (0..SAMPLE_LINES).all(|line| {
            let mut at = self.clone();
            (1..=depth).all(|ply| {
                let moves = emtee::legal_moves(&at);
                let Some(last) = moves.len().checked_sub(1) else { return true };
                let dice = mix(u64::from(line) << 8 | u64::from(ply));
                at = at.play(moves[(dice % (last as u64 + 1)) as usize]);
                at.outcome().is_some() || evaluate(&at) == first
            })
        })
    }
}

/// The number of random lines that are played to see whether evaluations differ.
const SAMPLE_LINES: u8 = 4;

impl Hash for PyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Game for PyPosition {
    /// The index of the move in the list, and its code.
    type Move = u32;

    const TUNING: Tuning = Tuning {
        // Indices in the list mean nothing in other positions. A game with codes is searched with the full move ordering.
        ordering: MoveOrdering::HINTS,
        // Every call into Python takes longer than a table lookup.
        store_leaves: true,
        // Creating a child only to look it up takes longer than it saves.
        etc: None,
        ..Tuning::DEFAULT
    };

    #[inline(always)]
    fn turn(&self) -> Side {
        self.node.side
    }

    fn moves(&self, moves: &mut Moves<u32>) {
        let node = &*self.node;
        // `outcome` skipped the check for the end of the game because of a score of 0. It is made here: if the game is over, there are
        // no moves, and the draw by `stuck` has the same value as that score.
        if node.rules.zero_score_is_final && self.query_outcome().is_some() {
            return;
        }
        let mut list = |listed: &MoveList| {
            for index in 0..listed.count {
                let code = listed.codes.get(index).copied().unwrap_or(index as u16);
                moves.push_hinted(packed(index, code), listed.hints.get(index).copied().unwrap_or(0));
            }
        };
        match node.moves.get() {
            Some(listed) => list(listed),
            None => self.call_user(|py| self.with_moves(py, list)),
        }
    }

    fn play(&self, m: u32) -> PyPosition {
        self.call_user(|py| self.child(py, move_index(m) as usize))
    }

    fn outcome(&self) -> Option<Outcome> {
        let node = &*self.node;
        if node.rules.zero_score_is_final
            && node.height.load(Relaxed) == 0
            && node.outcome.get().is_none()
            && self.evaluate() == 0
        {
            return None;
        }
        self.query_outcome()
    }

    fn evaluate(&self) -> i32 {
        let node = &*self.node;
        if let Some(known) = node.score.get() {
            return unpack_number(known);
        }
        let score = self.call_user(|py| node.rules.interface.score(&self.object(py)?));
        node.score.set(&node.rules, pack_number(score));
        score
    }

    fn key(&self) -> u64 {
        let node = &*self.node;
        // Without a key of the game, and at heights where calling `key` costs more than it saves, the key is a hash of the path.
        if !node.rules.has_keys() || node.height.load(Relaxed) < node.rules.min_key_height {
            return node.path;
        }
        if let Some(known) = node.key.get() {
            return known;
        }
        let key =
            self.call_user(|py| node.rules.interface.key(&self.object(py)?, node.side)).unwrap_or(node.path).max(1);
        node.key.set(&node.rules, key);
        key
    }

    #[inline(always)]
    fn code(&self, m: u32, _index: usize) -> u16 {
        (m >> 16) as u16
    }

    fn stuck(&self) -> Outcome {
        if !self.node.rules.has.stuck {
            return Outcome::Drawn;
        }
        self.call_user(|py| {
            let stuck = call(&self.object(py)?, intern!(py, "stuck"))?;
            read_outcome(&stuck, "stuck")?.ok_or_else(|| {
                PyValueError::new_err("stuck() returned None; return \"won\", \"lost\", \"drawn\" or an int")
            })
        })
    }

    fn halfmove_clock(&self) -> Option<u32> {
        if !self.node.rules.has.halfmove_clock {
            return None;
        }
        self.call_user(|py| {
            let bad = |_| PyTypeError::new_err("halfmove_clock() returns an int, or None if positions never repeat");
            call(&self.object(py)?, intern!(py, "halfmove_clock"))?.extract::<Option<u32>>().map_err(bad)
        })
    }

    fn repeated(&self) -> Outcome {
        if !self.node.rules.has.repeated {
            return Outcome::Drawn;
        }
        self.call_user(|py| {
            let repeated = call(&self.object(py)?, intern!(py, "repeated"))?;
            let none =
                || PyValueError::new_err("repeated() returned None; return \"won\", \"lost\", \"drawn\" or an int");
            read_outcome(&repeated, "repeated")?.ok_or_else(none)
        })
    }

    fn noisy_moves(&self, moves: &mut Moves<u32>) -> Quiescence {
        if !self.node.rules.has.noisy_moves {
            return Quiescence::Quiet;
        }
        let (quiescence, indices) = self.call_user(|py| {
            let noisy = call(&self.object(py)?, intern!(py, "noisy_moves"))?;
            if noisy.is_none() {
                return Ok((Quiescence::Quiet, Vec::new()));
            }
            let bad = || PyTypeError::new_err(NOISY_MOVES_USAGE);
            let (word, listed): (String, Vec<Bound<'_, PyAny>>) = noisy.extract().map_err(|_| bad())?;
            let quiescence = match word.as_str() {
                "optional" => Quiescence::Optional,
                "forced" => Quiescence::Forced,
                _ => return Err(bad()),
            };
            let mut indices = Vec::new();
            for m in &listed {
                let index = self.index_of(py, m)?;
                let index = index.ok_or_else(|| {
                    PyValueError::new_err("noisy_moves() returned a move that moves() does not return")
                })? as usize;
                let code = self.with_moves(py, |listed| listed.codes.get(index).copied())?;
                indices.push(packed(index, code.unwrap_or(index as u16)));
            }
            Ok((quiescence, indices))
        });
        indices.into_iter().for_each(|m| moves.push(m));
        quiescence
    }

    fn forced(&self) -> bool {
        self.flag(self.node.rules.has.forced, "forced")
    }

    fn null_move(&self) -> Option<PyPosition> {
        if !self.node.rules.has.null_move {
            return None;
        }
        self.call_user(|py| {
            let position = call(&self.object(py)?, intern!(py, "null_move"))?;
            if position.is_none() {
                return Ok(None);
            }
            new_position(position, &self.node.rules, mix(self.node.path ^ NULL_MOVE_PATH), u8::MAX).map(Some)
        })
    }

    fn tactical_gain(&self, m: u32) -> Option<i32> {
        if !self.node.rules.has.tactical_gain {
            return None;
        }
        self.call_user(|py| {
            let gain = call_with(
                &self.object(py)?,
                intern!(py, "tactical_gain"),
                self.move_at(py, move_index(m))?.as_borrowed(),
            )?;
            if gain.is_none() { Ok(None) } else { read_score(&gain, "tactical_gain").map(Some) }
        })
    }
}

const NULL_MOVE_PATH: u64 = 0xd6e8_feb8_6659_fd93;

const NOISY_MOVES_USAGE: &str =
    "noisy_moves() returns None if the position is quiet, or (\"optional\", moves) or (\"forced\", moves)";
