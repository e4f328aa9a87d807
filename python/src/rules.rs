//! What one search knows of the user's class.

use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use pyo3::exceptions::{PyFutureWarning, PyTypeError};
use pyo3::prelude::*;

use crate::face::Face;
use crate::walk::Walker;

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

/// The least number of plies below a state of OpenSpiel's that is looked up: to write it down takes as long as to make several.
const KEYED_FROM: u8 = 2;

/// What is asked of positions, apart from the class.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub(crate) keeping: Keeping,
    /// Whether the evaluation is the game's own.
    pub(crate) own_evaluation: bool,
    /// Whether positions that recur are looked for, near the horizon too.
    pub(crate) in_play: bool,
}

impl Manner {
    pub(crate) const TRUSTING_NOTHING: Manner =
        Manner { keeping: Keeping::Nothing, own_evaluation: true, in_play: false };
}

/// What one search knows of the user's class.
pub(crate) struct Rules {
    pub(crate) face: Face,
    pub(crate) has: Has,
    /// How many more positions may be kept.
    room: AtomicU64,
    /// Whether moves are to have their codes: not where nothing sorts by them.
    pub(crate) wants_codes: AtomicBool,
    /// Whether anything is kept: not where the laws are checked.
    pub(crate) keeps: bool,
    /// The least height at which positions are told apart by their keys; below it, by the moves that led to them.
    pub(crate) keyed_from: u8,
    /// Whether a score of 0 at the horizon is the value, over or not.
    pub(crate) zero_settles: bool,
    /// The game at work, where it takes moves back; elsewhere every position is an object of its own.
    pub(crate) walker: Option<Walker>,
}

/// Which of the methods that may be left out the class has.
#[derive(Clone, Copy, Default)]
pub(crate) struct Has {
    pub(crate) hint: bool,
    pub(crate) code: bool,
    pub(crate) stuck: bool,
    pub(crate) noisy_moves: bool,
    pub(crate) halfmove_clock: bool,
    pub(crate) repeated: bool,
    pub(crate) forced: bool,
    pub(crate) null_move: bool,
    pub(crate) tactical_gain: bool,
    moves_are_codes: bool,
}

/// Methods that an earlier version asked for by another name.
const RENAMED: [(&str, &str); 4] =
    [("loud", "noisy_moves"), ("reversible", "halfmove_clock"), ("passed", "null_move"), ("gain", "tactical_gain")];

impl Rules {
    /// What the class of a position offers, and the object to be asked; or that it is no game.
    pub(crate) fn of<'py>(position: &Bound<'py, PyAny>, manner: Manner) -> PyResult<(Arc<Rules>, Bound<'py, PyAny>)> {
        for needed in ["turn", "moves", "play", "outcome"] {
            if !position.hasattr(needed)? {
                let name = position.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "a {name} is no position: it has no method {needed}(); a game has turn(), moves(), play(move) and outcome()"
                )));
            }
        }
        let keeps = manner.keeping != Keeping::Nothing;
        let (face, object) = Face::of(position, !keeps)?;
        let has = |name: &str| object.hasattr(name);
        for (old, new) in RENAMED {
            if matches!(face, Face::Ours { .. }) && has(old)? && !has(new)? {
                let message = format!("{old}() is called {new}() now, and {old}() is not used; rename it");
                let category = position.py().get_type::<PyFutureWarning>();
                PyErr::warn(position.py(), &category, &CString::new(message)?, 1)?;
            }
        }
        let has = match &face {
            Face::Ours { .. } => Has {
                hint: has("hint")?,
                code: has("code")?,
                stuck: has("stuck")?,
                noisy_moves: has("noisy_moves")?,
                halfmove_clock: has("halfmove_clock")?,
                repeated: has("repeated")?,
                forced: has("forced")?,
                null_move: has("null_move")?,
                tactical_gain: has("tactical_gain")?,
                moves_are_codes: has("moves_are_codes")? && object.getattr("moves_are_codes")?.is_truthy()?,
            },
            other => Has { moves_are_codes: other.moves_are_codes(), ..Has::default() },
        };
        let openspiel = matches!(face, Face::OpenSpiel(_));
        let room = match manner.keeping {
            // They are made sooner than looked up.
            Keeping::AsPays if openspiel => 0,
            Keeping::AsPays => KEPT,
            Keeping::Positions(count) => count,
            Keeping::Nothing => 0,
        };
        let keyed_from = if openspiel && !manner.in_play { KEYED_FROM } else { 0 };
        let zero_settles = matches!(face, Face::EasyAi(_)) && manner.own_evaluation && keeps;
        let walker = match face.shared_by_a_walker(&object)? {
            Some(shared) if keeps => Some(Walker::new(&object, shared)),
            _ => None,
        };
        let (room, wants_codes) = (AtomicU64::new(room), AtomicBool::new(true));
        Ok((Arc::new(Rules { face, has, room, wants_codes, keeps, keyed_from, zero_settles, walker }), object))
    }

    /// Whether moves have codes, so that killers and history help.
    pub(crate) fn has_codes(&self) -> bool {
        self.has.code || self.has.moves_are_codes
    }

    /// Whether positions are told apart by a key of the user's: without one there is no table.
    pub(crate) fn has_keys(&self) -> bool {
        self.face.has_key()
    }

    /// Whether leaves have keys, and so may go through the table.
    pub(crate) fn store_leaves(&self) -> bool {
        self.has_keys() && self.keyed_from == 0
    }

    /// Whether one more position may be kept.
    pub(crate) fn take_room(&self) -> bool {
        // One thread searches a game in Python: nobody else takes any.
        let room = self.room.load(Relaxed);
        self.room.store(room.saturating_sub(1), Relaxed);
        room > 0
    }

    /// Keeps no more positions.
    pub(crate) fn keep_no_more(&self) {
        self.room.store(0, Relaxed);
    }

    pub(crate) fn has_room(&self) -> bool {
        self.room.load(Relaxed) > 0
    }
}
