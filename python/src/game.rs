//! A game that the user wrote in Python, as the search sees it.
//!
//! Calling Python is what takes the time, so nothing is asked twice: a node keeps what the game has said of it, and its
//! children, up to a limit. That changes how often the game is called, and nothing else.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use emtee::{Game, MoveOrdering, Moves, Outcome, Quiescence, Side, Tuning, mix};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use pyo3::{Bound, intern};

use crate::ask::{call, call_with, interpreter, is_ours_alone};
use crate::error::raise;
use crate::face::{read_outcome, read_score};
use crate::rules::Rules;
use crate::walk::Step;

/// What a position of the user's has said of itself so far.
pub(crate) struct Node {
    /// The position itself, once its moves are listed. A leaf is let go: keeping it would cost more than to make it again.
    object: OnceLock<Py<PyAny>>,
    rules: Arc<Rules>,
    side: Side,
    /// How many plies are searched below it, as far as is known. It decides how a question is put, never what is true.
    height: AtomicU8,
    /// The moves that led here, as a number.
    path: u64,
    key: Said,
    outcome: Said,
    score: Said,
    moves: OnceLock<Listed>,
}

/// What was said, as a number that is not 0; 0 before. One thread searches a game in Python, so nobody waits for anybody.
#[derive(Default)]
struct Said(AtomicU64);

impl Said {
    #[inline(always)]
    fn get(&self) -> Option<u64> {
        Some(self.0.load(Relaxed)).filter(|&said| said != 0)
    }

    #[inline(always)]
    fn keep(&self, rules: &Rules, said: u64) {
        if rules.keeps {
            self.0.store(said, Relaxed);
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

/// The moves of a position, as the user lists them.
struct Listed {
    moves: Py<PyList>,
    count: usize,
    hints: Vec<i16>,
    /// What names the moves in other positions too, where the game says so.
    codes: Vec<u16>,
    /// Those that were visited, by the place of the move; nothing where there is no room to keep them.
    children: Box<[OnceLock<Arc<Node>>]>,
}

impl Listed {
    fn get<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        self.moves.bind(py).get_item(place).map_err(|_| changed())
    }
}

/// Only a position that changes lists fewer moves than before.
fn changed() -> PyErr {
    PyValueError::new_err(
        "moves() lists other moves than before; a position must not change, and play() returns a new one",
    )
}

/// A position of a game in Python: what is known of it, and the user's object, or who can make it.
pub(crate) struct PyPosition {
    node: Arc<Node>,
    object: OnceLock<Py<PyAny>>,
    /// The position before it, and the place of the move that leads here, where what it said is known and the object is not.
    maker: Option<(Arc<Node>, usize)>,
    /// Where it is, if one object walks from position to position: how to get there from the root.
    walked: Option<Option<Arc<Step>>>,
}

impl Clone for PyPosition {
    fn clone(&self) -> PyPosition {
        let object = self.object.get().map(|object| object.clone_ref(interpreter()));
        let (node, maker, walked) = (self.node.clone(), self.maker.clone(), self.walked.clone());
        PyPosition { node, object: object.map_or_else(OnceLock::new, OnceLock::from), maker, walked }
    }
}

/// The root of a search: each search has a number, so that nothing of one is taken for something of another.
pub(crate) fn root(object: &Bound<'_, PyAny>, rules: &Arc<Rules>, number: u64) -> PyResult<PyPosition> {
    let root = earlier(object, rules, number)?;
    Ok(PyPosition { walked: rules.walker.is_some().then_some(None), ..root })
}

/// A position before it.
pub(crate) fn earlier(object: &Bound<'_, PyAny>, rules: &Arc<Rules>, number: u64) -> PyResult<PyPosition> {
    make(object.clone(), rules, mix(number ^ ROOT), u8::MAX)
}

const ROOT: u64 = 0x5bd1_e995_7f4a_7c15;

#[inline]
fn make(object: Bound<'_, PyAny>, rules: &Arc<Rules>, path: u64, height: u8) -> PyResult<PyPosition> {
    let (side, ended) = rules.face.turn(&object)?;
    let node = Node::new(rules, side, path, height);
    if let Some(ended) = ended {
        node.outcome.keep(rules, pack(ended));
    }
    Ok(PyPosition { node: Arc::new(node), object: OnceLock::from(object.unbind()), maker: None, walked: None })
}

impl Node {
    fn new(rules: &Arc<Rules>, side: Side, path: u64, height: u8) -> Node {
        let (object, key, outcome, score, moves) = Default::default();
        let (rules, height) = (rules.clone(), AtomicU8::new(height));
        Node { object, rules, side, height, path, key, outcome, score, moves }
    }

    /// The child that was kept at a place of the list.
    #[inline(always)]
    fn kept(&self, place: usize) -> Option<&Arc<Node>> {
        self.moves.get()?.children.get(place)?.get()
    }
}

impl PyPosition {
    /// The user's object, made again if it was let go.
    #[inline(always)]
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let (Some(step), Some(walker)) = (&self.walked, &self.node.rules.walker) {
            return walker.at(py, step.as_ref());
        }
        match self.object.get().or_else(|| self.node.object.get()) {
            Some(object) => Ok(object.bind(py).clone()),
            None => self.made_again(py),
        }
    }

    /// The same for somebody who may keep it.
    pub(crate) fn shown(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match (&self.walked, &self.node.rules.walker) {
            (Some(step), Some(walker)) => walker.copy_at(py, step.as_ref()).map(Bound::unbind),
            _ => self.object(py).map(Bound::unbind),
        }
    }

    #[cold]
    fn made_again<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let made = self.maker.as_ref().and_then(|(before, place)| {
            let (object, listed) = (before.object.get()?.bind(py), before.moves.get()?);
            Some(listed.get(py, *place).and_then(|m| before.rules.face.play(object, &m)))
        });
        let made = made.ok_or_else(|| PyValueError::new_err("a position was let go"))??;
        Ok(self.object.get_or_init(|| made.unbind()).bind(py).clone())
    }

    fn try_list(&self, py: Python<'_>) -> PyResult<Listed> {
        let (object, rules) = (&self.object(py)?, &self.node.rules);
        let listed = rules.face.moves(object)?;
        let moves = match listed.cast_into::<PyList>() {
            Ok(list) if is_ours_alone(&list) => list,
            // A copy: the user may go on with the list.
            Ok(list) => list.get_slice(0, list.len()),
            Err(other) => PyList::new(py, other.into_inner().try_iter()?.collect::<PyResult<Vec<_>>>()?)?,
        };
        let count = moves.len();
        let mut hints = Vec::new();
        if rules.has.hint {
            for m in &moves {
                let hint = call_with(object, intern!(py, "hint"), m.as_borrowed())?;
                let bad = || PyTypeError::new_err("hint(move) returns an int from -32768 to 32767");
                hints.push(hint.extract::<i64>().ok().and_then(|hint| hint.try_into().ok()).ok_or_else(bad)?);
            }
        }
        let mut codes = Vec::new();
        if rules.has_codes() && rules.wants_codes.load(Relaxed) {
            codes.reserve_exact(count);
            for m in &moves {
                let code = if rules.has.code { call_with(object, intern!(py, "code"), m.as_borrowed())? } else { m };
                match rules.face.code(&code) {
                    Some(code) => codes.push(code),
                    None if rules.face.may_be_nameless() => break,
                    None => return Err(PyTypeError::new_err("a code is an int from 0 to 65534")),
                }
            }
            if rules.face.may_be_nameless() && (codes.len() < count || !are_distinct(&codes)) {
                codes.clear();
            }
        }
        let kept = if rules.has_room() { count } else { 0 };
        let children = (0..kept).map(|_| OnceLock::new()).collect();
        Ok(Listed { count, moves: moves.unbind(), hints, codes, children })
    }

    /// The moves, listed now unless they have been.
    #[inline]
    fn with_moves<T>(&self, py: Python<'_>, work: impl FnOnce(&Listed) -> T) -> PyResult<T> {
        let node = &*self.node;
        if !node.rules.keeps {
            return self.try_list(py).map(|listed| work(&listed));
        }
        if let Some(listed) = node.moves.get() {
            return Ok(work(listed));
        }
        let listed = self.try_list(py)?;
        if self.walked.is_none() {
            node.object.get_or_init(|| self.object.get().map_or_else(|| py.None(), |object| object.clone_ref(py)));
        }
        Ok(work(node.moves.get_or_init(|| listed)))
    }

    /// The position after the move at a place of the list, made now unless it has been kept.
    fn child(&self, py: Python<'_>, place: usize) -> PyResult<PyPosition> {
        let node = &*self.node;
        let height = node.height.load(Relaxed).saturating_sub(1);
        let path = mix(node.path ^ mix(place as u64 + 1));
        if let Some(kept) = node.kept(place) {
            kept.height.store(height, Relaxed);
            let (maker, walked) = match &self.walked {
                None => (Some((self.node.clone(), place)), None),
                Some(_) => (None, self.with_moves(py, |listed| self.step(py, listed, place, path))??),
            };
            return Ok(PyPosition { node: kept.clone(), object: OnceLock::new(), maker, walked });
        }
        self.with_moves(py, |listed| {
            let walked = self.step(py, listed, place, path)?;
            let played = match (&walked, &node.rules.walker) {
                (Some(step), Some(walker)) => walker.at(py, step.as_ref())?,
                _ => node.rules.face.play(&self.object(py)?, &listed.get(py, place)?)?,
            };
            let child = PyPosition { walked, ..make(played, &node.rules, path, height)? };
            if let Some(slot) = listed.children.get(place)
                && node.rules.take_room()
            {
                let _ = slot.set(child.node.clone());
            }
            Ok(child)
        })?
    }

    /// One step further, if one object walks from position to position.
    fn step(&self, py: Python<'_>, listed: &Listed, place: usize, path: u64) -> PyResult<Option<Option<Arc<Step>>>> {
        let Some(here) = &self.walked else { return Ok(None) };
        Ok(Some(Some(Step::new(here.clone(), listed.get(py, place)?.unbind(), path))))
    }

    /// The move at a place of the list.
    pub(crate) fn move_at<'py>(&self, py: Python<'py>, m: u32) -> PyResult<Bound<'py, PyAny>> {
        self.with_moves(py, |listed| listed.get(py, m as usize))?
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

    /// How the game has ended here, asked now unless it has been.
    fn ended(&self) -> Option<Outcome> {
        let node = &*self.node;
        if let Some(known) = node.outcome.get() {
            return unpack(known);
        }
        let outcome = self.ask(|py| node.rules.face.outcome(&self.object(py)?));
        node.outcome.keep(&node.rules, pack(outcome));
        outcome
    }

    /// A question that the game answers with yes or no, no being the default.
    fn says(&self, asked: bool, name: &str) -> bool {
        asked && self.ask(|py| call(&self.object(py)?, &PyString::intern(py, name))?.is_truthy())
    }

    /// Asks the user's code, and leaves the search if it raises.
    #[inline(always)]
    fn ask<T>(&self, question: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        question(interpreter()).unwrap_or_else(|error| raise(error))
    }
}

fn are_distinct(codes: &[u16]) -> bool {
    let mut sorted = codes.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// A move as the search has it: its place in the list, and above that its code.
fn packed(place: usize, code: u16) -> u32 {
    place as u32 & 0xffff | u32::from(code) << 16
}

/// The place of a move in the list.
pub(crate) fn place(m: u32) -> u32 {
    m & 0xffff
}

impl PyPosition {
    /// The search is about to look so many plies further.
    #[inline(always)]
    pub(crate) fn entered(&self, depth: u8) {
        self.node.height.store(depth, Relaxed);
    }

    /// The same position without what was found below it.
    pub(crate) fn without_children(&self, py: Python<'_>) -> PyResult<PyPosition> {
        self.node.rules.keep_no_more();
        let node = Node::new(&self.node.rules, self.node.side, self.node.path, u8::MAX);
        let (object, walked) = match &self.walked {
            None => (OnceLock::from(self.object(py)?.unbind()), None),
            walked => (OnceLock::new(), walked.clone()),
        };
        Ok(PyPosition { node: Arc::new(node), object, maker: None, walked })
    }

    /// The moves of a line that begins here, as the user wrote them.
    pub(crate) fn line<'py>(&self, py: Python<'py>, places: &[u32]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut at = self.clone();
        let mut line = Vec::new();
        for (ply, &place) in places.iter().enumerate() {
            line.push(at.move_at(py, place)?);
            if ply + 1 < places.len() {
                at = at.child(py, place as usize)?;
            }
        }
        Ok(line)
    }

    /// Whether moves are to have codes from now on, in all positions of this search.
    pub(crate) fn want_codes(&self, wanted: bool) {
        self.node.rules.wants_codes.store(wanted, Relaxed);
    }

    /// Whether there is room to keep what positions say.
    pub(crate) fn is_kept(&self) -> bool {
        self.node.rules.has_room()
    }

    /// Whether positions have keys of the user's.
    pub(crate) fn has_keys(&self) -> bool {
        self.node.rules.has_keys()
    }

    /// Whether the positions along a few lines, played at random to the depth of a search, are all worth the same. Then no move is
    /// better than another, but for those that end the game, and a search half as deep finds most of these.
    pub(crate) fn is_worth_the_same(&self, depth: u8, worth: impl Fn(&PyPosition) -> i32) -> bool {
        // Where some positions are not to be evaluated as they stand, the evaluation of the others means something.
        if self.node.rules.has.noisy_moves {
            return false;
        }
        if self.outcome().is_some() {
            return true;
        }
        let first = worth(self);
        (0..LINES).all(|line| {
            let mut at = self.clone();
            (1..=depth).all(|ply| {
                let moves = emtee::legal_moves(&at);
                let Some(last) = moves.len().checked_sub(1) else { return true };
                let dice = mix(u64::from(line) << 8 | u64::from(ply));
                at = at.play(moves[(dice % (last as u64 + 1)) as usize]);
                at.outcome().is_some() || worth(&at) == first
            })
        })
    }
}

/// How many lines are played to see whether an evaluation tells positions apart.
const LINES: u8 = 4;

impl Hash for PyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Game for PyPosition {
    /// The place of the move in the list, and its code.
    type Move = u32;

    const TUNING: Tuning = Tuning {
        // Places in the list tell nothing about other positions. A game with codes is searched with everything.
        ordering: MoveOrdering::HINTS,
        // Every question to Python takes longer than a look into the table.
        store_leaves: true,
        // And so does every child that is looked up and not searched.
        etc: None,
        ..Tuning::DEFAULT
    };

    #[inline(always)]
    fn turn(&self) -> Side {
        self.node.side
    }

    fn moves(&self, moves: &mut Moves<u32>) {
        let node = &*self.node;
        // Where nobody has asked whether the game is over, it is asked now: no moves and a draw is what a score of 0 means.
        if node.rules.zero_settles && self.ended().is_some() {
            return;
        }
        let mut list = |listed: &Listed| {
            for place in 0..listed.count {
                let code = listed.codes.get(place).copied().unwrap_or(place as u16);
                moves.push_hinted(packed(place, code), listed.hints.get(place).copied().unwrap_or(0));
            }
        };
        match node.moves.get() {
            Some(listed) => list(listed),
            None => self.ask(|py| self.with_moves(py, list)),
        }
    }

    fn play(&self, m: u32) -> PyPosition {
        self.ask(|py| self.child(py, place(m) as usize))
    }

    fn outcome(&self) -> Option<Outcome> {
        let node = &*self.node;
        if node.rules.zero_settles
            && node.height.load(Relaxed) == 0
            && node.outcome.get().is_none()
            && self.evaluate() == 0
        {
            return None;
        }
        self.ended()
    }

    fn evaluate(&self) -> i32 {
        let node = &*self.node;
        if let Some(known) = node.score.get() {
            return unpack_number(known);
        }
        let score = self.ask(|py| node.rules.face.score(&self.object(py)?));
        node.score.keep(&node.rules, pack_number(score));
        score
    }

    fn key(&self) -> u64 {
        let node = &*self.node;
        // Without a key of the user's, and where asking for one would not pay, a position is told apart by the moves that led to it.
        if !node.rules.has_keys() || node.height.load(Relaxed) < node.rules.keyed_from {
            return node.path;
        }
        if let Some(known) = node.key.get() {
            return known;
        }
        let key = self.ask(|py| node.rules.face.key(&self.object(py)?, node.side)).unwrap_or(node.path).max(1);
        node.key.keep(&node.rules, key);
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
        self.ask(|py| {
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
        self.ask(|py| {
            let bad = |_| PyTypeError::new_err("halfmove_clock() returns an int, or None where positions never recur");
            call(&self.object(py)?, intern!(py, "halfmove_clock"))?.extract::<Option<u32>>().map_err(bad)
        })
    }

    fn repeated(&self) -> Outcome {
        if !self.node.rules.has.repeated {
            return Outcome::Drawn;
        }
        self.ask(|py| {
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
        let (quiescence, places) = self.ask(|py| {
            let loud = call(&self.object(py)?, intern!(py, "noisy_moves"))?;
            if loud.is_none() {
                return Ok((Quiescence::Quiet, Vec::new()));
            }
            let bad = || PyTypeError::new_err(LOUD);
            let (word, listed): (String, Vec<Bound<'_, PyAny>>) = loud.extract().map_err(|_| bad())?;
            let quiescence = match word.as_str() {
                "optional" => Quiescence::Optional,
                "forced" => Quiescence::Forced,
                _ => return Err(bad()),
            };
            let mut places = Vec::new();
            for m in &listed {
                let place = self.place_of(py, m)?;
                let place = place
                    .ok_or_else(|| PyValueError::new_err("noisy_moves() lists a move that moves() does not"))?
                    as usize;
                let code = self.with_moves(py, |listed| listed.codes.get(place).copied())?;
                places.push(packed(place, code.unwrap_or(place as u16)));
            }
            Ok((quiescence, places))
        });
        places.into_iter().for_each(|m| moves.push(m));
        quiescence
    }

    fn forced(&self) -> bool {
        self.says(self.node.rules.has.forced, "forced")
    }

    fn null_move(&self) -> Option<PyPosition> {
        if !self.node.rules.has.null_move {
            return None;
        }
        self.ask(|py| {
            let passed = call(&self.object(py)?, intern!(py, "null_move"))?;
            if passed.is_none() {
                return Ok(None);
            }
            make(passed, &self.node.rules, mix(self.node.path ^ PASSED), u8::MAX).map(Some)
        })
    }

    fn tactical_gain(&self, m: u32) -> Option<i32> {
        if !self.node.rules.has.tactical_gain {
            return None;
        }
        self.ask(|py| {
            let gain =
                call_with(&self.object(py)?, intern!(py, "tactical_gain"), self.move_at(py, place(m))?.as_borrowed())?;
            if gain.is_none() { Ok(None) } else { read_score(&gain, "tactical_gain").map(Some) }
        })
    }
}

const PASSED: u64 = 0xd6e8_feb8_6659_fd93;

const LOUD: &str = "noisy_moves() returns None where all is quiet, or (\"optional\", moves) or (\"forced\", moves)";
