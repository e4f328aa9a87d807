//! The methods and settings of a game in Python, for one search.

use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use pyo3::exceptions::{PyFutureWarning, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::interface::Interface;
use crate::make_unmake::MakeUnmake;

/// The number of positions whose method results are cached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caching {
    /// The default for games of this kind.
    Default,
    /// This many positions.
    Positions(u64),
    /// No caching at all: every method is called each time its result is needed.
    Off,
}

/// The default number of cached positions, for games whose positions are slow to create.
const DEFAULT_CACHED_POSITIONS: u64 = 1 << 16;

/// The least height at which states of OpenSpiel have keys: writing the text of a state takes as long as creating several states.
const OPENSPIEL_MIN_KEY_HEIGHT: u8 = 2;

/// The options of [`Rules`] that do not depend on the class of the game.
#[derive(Clone, Copy)]
pub(crate) struct RulesOptions {
    pub(crate) caching: Caching,
    /// Whether the evaluation is the game's own.
    pub(crate) own_evaluation: bool,
    /// Whether repetitions are detected, also near the horizon.
    pub(crate) in_play: bool,
}

impl RulesOptions {
    /// The defaults of a player.
    pub(crate) const CACHED: RulesOptions =
        RulesOptions { caching: Caching::Default, own_evaluation: true, in_play: false };

    pub(crate) const UNCACHED: RulesOptions =
        RulesOptions { caching: Caching::Off, own_evaluation: true, in_play: false };
}

/// The interface, the optional methods and the settings of a game in Python, for one search.
pub(crate) struct Rules {
    pub(crate) interface: Interface,
    pub(crate) has: Has,
    /// The number of positions that may still be cached.
    cache_room: AtomicU64,
    /// Whether moves have codes. They have none if the search does not order moves by them.
    pub(crate) use_codes: AtomicBool,
    /// Whether method results are cached. They are not for checks of the laws.
    pub(crate) caches: bool,
    /// The least height at which positions have keys; below it, a hash of the path is used instead.
    pub(crate) min_key_height: u8,
    /// Whether a score of 0 at the horizon is the value, whether or not the game is over.
    pub(crate) zero_score_is_final: bool,
    /// The object on which moves are made and unmade, if the game supports it; otherwise every position is an object of its own.
    pub(crate) make_unmake: Option<MakeUnmake>,
}

/// The optional methods that the class has.
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

/// Renamed methods: the name in earlier versions, and the current name.
const RENAMED: [(&str, &str); 4] =
    [("loud", "noisy_moves"), ("reversible", "halfmove_clock"), ("passed", "null_move"), ("gain", "tactical_gain")];

impl Rules {
    /// The rules of a position's class, and the object whose methods are called; a TypeError if it is not a game.
    pub(crate) fn of<'py>(
        position: &Bound<'py, PyAny>,
        options: RulesOptions,
    ) -> PyResult<(Arc<Rules>, Bound<'py, PyAny>)> {
        for needed in ["turn", "moves", "play", "outcome"] {
            if !position.hasattr(needed)? {
                let name = position.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "{name} is not a position of a game: it has no method {needed}(); a game has turn(), moves(), play(move) and outcome()"
                )));
            }
        }
        let caches = options.caching != Caching::Off;
        let (interface, object) = Interface::of(position, caches)?;
        let has = |name: &str| object.hasattr(name);
        for (old, new) in RENAMED {
            if matches!(interface, Interface::Emtee { .. }) && has(old)? && !has(new)? {
                let message = format!("{old}() is now called {new}(), and {old}() is not called; rename it");
                let category = position.py().get_type::<PyFutureWarning>();
                PyErr::warn(position.py(), &category, &CString::new(message)?, 1)?;
            }
        }
        let has = match &interface {
            Interface::Emtee { .. } => Has {
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
        let openspiel = matches!(interface, Interface::OpenSpiel(_));
        let cache_room = match options.caching {
            // Creating a state is faster than looking it up.
            Caching::Default if openspiel => 0,
            Caching::Default => DEFAULT_CACHED_POSITIONS,
            Caching::Positions(count) => count,
            Caching::Off => 0,
        };
        let min_key_height = if openspiel && !options.in_play { OPENSPIEL_MIN_KEY_HEIGHT } else { 0 };
        let zero_score_is_final = matches!(interface, Interface::EasyAi(_)) && options.own_evaluation && caches;
        let make_unmake = match interface.shared_by_copies(&object)? {
            Some(shared) if caches => Some(MakeUnmake::new(&object, shared)),
            _ => None,
        };
        let (cache_room, use_codes) = (AtomicU64::new(cache_room), AtomicBool::new(true));
        Ok((
            Arc::new(Rules {
                interface,
                has,
                cache_room,
                use_codes,
                caches,
                min_key_height,
                zero_score_is_final,
                make_unmake,
            }),
            object,
        ))
    }

    /// Whether moves have codes, so that killers and history are useful.
    pub(crate) fn has_codes(&self) -> bool {
        self.has.code || self.has.moves_are_codes
    }

    /// Whether the game has keys. Without keys there is no table.
    pub(crate) fn has_keys(&self) -> bool {
        self.interface.has_key()
    }

    /// Whether leaves have keys, so that they may be stored in the table.
    pub(crate) fn store_leaves(&self) -> bool {
        self.has_keys() && self.min_key_height == 0
    }

    /// Reserves room in the cache for one position. Returns false if it is full.
    pub(crate) fn reserve_cache_room(&self) -> bool {
        // A game in Python is searched on one thread: load and store need not be one atomic operation.
        let cache_room = self.cache_room.load(Relaxed);
        self.cache_room.store(cache_room.saturating_sub(1), Relaxed);
        cache_room > 0
    }

    /// For the garbage collector: the game on which moves are made and unmade.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.make_unmake.as_ref().map_or(Ok(()), |make_unmake| make_unmake.traverse(visit))
    }

    /// Stops the caching of further positions.
    pub(crate) fn stop_caching(&self) {
        self.cache_room.store(0, Relaxed);
    }

    pub(crate) fn has_cache_room(&self) -> bool {
        self.cache_room.load(Relaxed) > 0
    }
}
