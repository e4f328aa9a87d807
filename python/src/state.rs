//! The state of a player: its search, and the positions, built-in or in Python, that the search accepts.

use std::any::Any;
use std::sync::Arc;

use emtee::research::Mode;
use emtee::{Algorithm, MoveOrdering, Size, Stop};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::boards::AnyBoard;
use crate::error::emtee_error;
use crate::game::{PyPosition, earlier_position, root};
use crate::learn::Learned;
use crate::options::PlayerArguments;
use crate::position::Position;
use crate::rules::{Caching, Rules, RulesOptions};
use crate::search::{AnySearch, PyPositionWithHistory, Setup, build_python};

/// The game that a search is built for: a built-in game, or a class in Python.
pub(crate) enum GameKind {
    BuiltIn(String),
    /// A class in Python, with or without keys, and the settings of an adapter.
    Python {
        class: Py<PyType>,
        keyed: bool,
        settings: Option<Py<PyAny>>,
    },
}

impl GameKind {
    pub(crate) fn of(position: &Bound<'_, PyAny>, keyed: bool) -> PyResult<GameKind> {
        let adapted = position.hasattr("_emtee_interface")?;
        let settings = if adapted { Some(position.getattr("settings")?.unbind()) } else { None };
        Ok(GameKind::Python { class: position.get_type().unbind(), keyed, settings })
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> GameKind {
        match self {
            GameKind::BuiltIn(game) => GameKind::BuiltIn(game.clone()),
            GameKind::Python { class, keyed, settings } => GameKind::Python {
                class: class.clone_ref(py),
                keyed: *keyed,
                settings: settings.as_ref().map(|settings| settings.clone_ref(py)),
            },
        }
    }

    pub(crate) fn same_as(&self, other: &GameKind, py: Python<'_>) -> PyResult<bool> {
        Ok(match (self, other) {
            (GameKind::BuiltIn(one), GameKind::BuiltIn(two)) => one == two,
            (
                GameKind::Python { class, keyed, settings },
                GameKind::Python { class: other, keyed: other_keyed, settings: other_settings },
            ) => {
                let same_settings = match (settings, other_settings) {
                    (Some(settings), Some(other_settings)) => settings.bind(py).eq(other_settings)?,
                    (settings, other_settings) => settings.is_none() && other_settings.is_none(),
                };
                class.is(other) && keyed == other_keyed && same_settings
            }
            _ => false,
        })
    }
}

/// A position to be searched.
pub(crate) enum SearchPosition {
    BuiltIn(Arc<dyn AnyBoard>),
    Python(PyPositionWithHistory),
}

impl SearchPosition {
    pub(crate) fn as_any(&self) -> &dyn Any {
        match self {
            SearchPosition::BuiltIn(board) => board.as_any(),
            SearchPosition::Python(with_history) => with_history,
        }
    }

    /// The root for converting moves to Python.
    pub(crate) fn root(&self) -> Option<PyPosition> {
        match self {
            SearchPosition::BuiltIn(_) => None,
            SearchPosition::Python(with_history) => Some(with_history.position.clone()),
        }
    }

    /// The indices of moves in the move list of the position.
    pub(crate) fn indices(&self, py: Python<'_>, among: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<u32>> {
        let Some(among) = among else { return Ok(Vec::new()) };
        let listed = if let SearchPosition::BuiltIn(board) = self { board.moves() } else { Vec::new() };
        let mut indices = Vec::new();
        for m in among.try_iter()? {
            let m = m?;
            let index = match self {
                SearchPosition::BuiltIn(_) => {
                    let text = m.str()?;
                    let text = text.to_cow()?;
                    listed.iter().position(|listed| *listed == text).map(|index| index as u32)
                }
                SearchPosition::Python(with_history) => with_history.position.index_of(py, &m)?,
            };
            indices.push(index.ok_or_else(|| emtee_error(format!("among: {m} is not a legal move")))?);
        }
        if indices.is_empty() {
            return Err(emtee_error("among: name at least one move"));
        }
        Ok(indices)
    }
}

/// The mutable state of a player.
#[derive(Default)]
pub(crate) struct PlayerState {
    pub(crate) search: Option<(GameKind, Box<dyn AnySearch>)>,
    /// The number of searches of games in Python so far.
    search_number: u64,
    /// The root of a search in slices.
    pub(crate) sliced_root: Option<Option<PyPosition>>,
}

impl PlayerState {
    /// For the garbage collector: the class and the settings of the game that is searched.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.search {
            Some((GameKind::Python { class, settings, .. }, _)) => {
                visit.call(class)?;
                visit.call(settings)
            }
            _ => Ok(()),
        }
    }

    /// Reads the position of a request, and makes sure that the search is for its game.
    pub(crate) fn prepare(
        &mut self,
        arguments: &PlayerArguments,
        stop: &Stop,
        position: &Bound<'_, PyAny>,
        before: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SearchPosition> {
        let py = position.py();
        let adopted;
        let mut position = position;
        if !position.is_instance_of::<Position>() && position.hasattr("fen")? && position.hasattr("push_uci")? {
            adopted = py.import("emtee")?.getattr("chess")?.call1((position,))?;
            position = &adopted;
        }
        if let Ok(built_in) = position.cast::<Position>() {
            if before.is_some() {
                return Err(emtee_error(
                    "a built-in position contains the moves before it; before= is for games in Python",
                ));
            }
            let board = built_in.get().0.clone();
            self.ensure_search(py, arguments, stop, GameKind::BuiltIn(board.game().to_owned()), |setup| {
                board.search(setup)
            })?;
            return Ok(SearchPosition::BuiltIn(board));
        }
        let caching = arguments.keep_positions.map_or(Caching::Default, Caching::Positions);
        let options =
            RulesOptions { caching, own_evaluation: arguments.evaluate.is_none(), in_play: arguments.in_play };
        let (rules, object) = Rules::of(position, options)?;
        if arguments.in_play && !rules.has_keys() {
            return Err(emtee_error("in_play needs keys to detect repetitions; give the game a method key()"));
        }
        self.ensure_search(py, arguments, stop, GameKind::of(position, rules.has_keys())?, |setup| {
            build_python(python_setup(setup, &rules)?)
        })?;
        self.search_number += 1;
        let search_number = self.search_number;
        let options = RulesOptions { caching: Caching::Positions(0), ..options };
        let before = match before {
            Some(before) => before
                .try_iter()?
                .map(|one| earlier_position(&Rules::of(&one?, options)?.1, &rules, search_number))
                .collect::<PyResult<Vec<_>>>()?,
            None => Vec::new(),
        };
        let position = root(&object, &rules, search_number)?;
        Ok(SearchPosition::Python(PyPositionWithHistory { position, before }))
    }

    /// Builds a search for this game, unless the current search is for the same game.
    fn ensure_search(
        &mut self,
        py: Python<'_>,
        arguments: &PlayerArguments,
        stop: &Stop,
        kind: GameKind,
        build: impl FnOnce(Setup) -> PyResult<Box<dyn AnySearch>>,
    ) -> PyResult<()> {
        if let Some((current, _)) = &self.search
            && current.same_as(&kind, py)?
        {
            return Ok(());
        }
        let learned = arguments.evaluate.as_ref().and_then(|function| function.bind(py).cast::<Learned>().ok());
        if let Some(learned) = learned {
            learned.get().check(&kind, py)?;
        } else if arguments.evaluate.is_some() && arguments.options.threads != 1 {
            return Err(emtee_error(
                "an evaluation in Python runs on one thread, because Python runs one thread at a time; leave threads at 1",
            ));
        }
        self.search = Some((kind, build(arguments.setup(stop.clone()))?));
        self.sliced_root = None;
        Ok(())
    }
}

/// Checks the options for a game in Python, and sets the defaults that depend on its methods.
pub(crate) fn python_setup(mut setup: Setup, rules: &Rules) -> PyResult<Setup> {
    let options = &mut setup.options;
    if options.threads != 1 {
        return Err(emtee_error(
            "a game in Python is searched on one thread, because Python runs one thread at a time; leave threads at 1",
        ));
    }
    if options.ordering.is_none() && rules.has_codes() {
        options.ordering = Some(MoveOrdering::FULL);
    }
    if options.algorithm.is_oracle() || options.algorithm == Algorithm::Mcts {
        return Ok(setup);
    }
    if rules.has_keys() {
        options.store_leaves = options.store_leaves.or(Some(rules.store_leaves()));
        return Ok(setup);
    }
    let has_table_options = options.size.is_some() || options.keep.is_some() || options.reuse.is_some();
    if has_table_options || options.store_leaves == Some(true) || matches!(options.mode, Mode::Exact { etc: Some(1..) })
    {
        return Err(emtee_error(
            "a game without key() is searched without a table; leave out the options of the table, or give the game a method key()",
        ));
    }
    // A table of one entry: without keys of the game, no two positions have the same key, and the root is stored last.
    (options.size, options.store_leaves) = (Some(Size::of_entries(1)), Some(false));
    Ok(setup)
}
