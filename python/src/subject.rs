//! What a player thinks about: a position of one of our games or of the user's, and the search that is made for it.

use std::any::Any;
use std::sync::Arc;

use emtee::research::Mode;
use emtee::{Alarm, MoveOrdering, Size};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::boards::AnyBoard;
use crate::error::refused;
use crate::game::{earlier, root};
use crate::options::Given;
use crate::position::Position;
use crate::report::Root;
use crate::rules::{Keeping, Manner, Rules};
use crate::search::{AnySearch, Played, Setup, build_python};

/// What a search is of: a game of ours, or a class of the user's.
pub(crate) enum Kind {
    Ours(&'static str),
    /// With keys or without; positions of an adapter also have in common how they are to be seen.
    Theirs {
        class: Py<PyType>,
        keyed: bool,
        how: Option<Py<PyAny>>,
    },
}

impl Kind {
    fn of(position: &Bound<'_, PyAny>, keyed: bool) -> PyResult<Kind> {
        let adapted = position.hasattr("_emtee_face")?;
        let how = if adapted { Some(position.getattr("how")?.unbind()) } else { None };
        Ok(Kind::Theirs { class: position.get_type().unbind(), keyed, how })
    }

    fn is(&self, other: &Kind, py: Python<'_>) -> PyResult<bool> {
        Ok(match (self, other) {
            (Kind::Ours(one), Kind::Ours(two)) => one == two,
            (Kind::Theirs { class, keyed, how }, Kind::Theirs { class: other, keyed: others, how: seen }) => {
                let same_how = match (how, seen) {
                    (Some(how), Some(seen)) => how.bind(py).eq(seen)?,
                    (how, seen) => how.is_none() && seen.is_none(),
                };
                class.is(other) && keyed == others && same_how
            }
            _ => false,
        })
    }
}

/// A position to be searched.
pub(crate) enum Subject {
    Ours(Arc<dyn AnyBoard>),
    Theirs(Played),
}

impl Subject {
    pub(crate) fn as_any(&self) -> &dyn Any {
        match self {
            Subject::Ours(board) => board.as_any(),
            Subject::Theirs(played) => played,
        }
    }

    /// What turns moves into Python.
    pub(crate) fn root(&self) -> Root {
        match self {
            Subject::Ours(_) => None,
            Subject::Theirs(played) => Some(played.position.clone()),
        }
    }

    /// The places of moves in the list of the position.
    pub(crate) fn places(&self, py: Python<'_>, among: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<u32>> {
        let Some(among) = among else { return Ok(Vec::new()) };
        let listed = if let Subject::Ours(board) = self { board.moves() } else { Vec::new() };
        let mut places = Vec::new();
        for m in among.try_iter()? {
            let m = m?;
            let place = match self {
                Subject::Ours(_) => {
                    let text = m.str()?;
                    let text = text.to_cow()?;
                    listed.iter().position(|listed| *listed == text).map(|place| place as u32)
                }
                Subject::Theirs(played) => played.position.place_of(py, &m)?,
            };
            places.push(place.ok_or_else(|| refused(format!("among: {m} is no legal move")))?);
        }
        if places.is_empty() {
            return Err(refused("among: name at least one move"));
        }
        Ok(places)
    }
}

/// What changes as a player thinks.
#[derive(Default)]
pub(crate) struct Thinking {
    pub(crate) search: Option<(Kind, Box<dyn AnySearch>)>,
    /// How many positions of games in Python have been searched.
    number: u64,
    /// The root of a search in slices.
    pub(crate) sliced: Option<Root>,
}

impl Thinking {
    /// The position that the user means, with a search for it.
    pub(crate) fn subject(
        &mut self,
        given: &Given,
        alarm: &Arc<Alarm>,
        position: &Bound<'_, PyAny>,
        before: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Subject> {
        let py = position.py();
        let adopted;
        let mut position = position;
        if !position.is_instance_of::<Position>() && position.hasattr("fen")? && position.hasattr("push_uci")? {
            adopted = py.import("emtee")?.getattr("chess")?.call1((position,))?;
            position = &adopted;
        }
        if let Ok(ours) = position.cast::<Position>() {
            if before.is_some() {
                return Err(refused("a position of ours knows the moves before it; before= is for games in Python"));
            }
            let board = ours.get().0.clone();
            self.make(py, given, alarm, Kind::Ours(board.game()), |setup| board.search(setup))?;
            return Ok(Subject::Ours(board));
        }
        let keeping = given.keep_positions.map_or(Keeping::AsPays, Keeping::Positions);
        let manner = Manner { keeping, own_evaluation: given.evaluate.is_none(), in_play: given.in_play };
        let (rules, object) = Rules::of(position, manner)?;
        if given.in_play && !rules.has_keys() {
            return Err(refused("in_play needs positions that can be told apart: give the game a method key()"));
        }
        self.make(py, given, alarm, Kind::of(position, rules.has_keys())?, |setup| {
            build_python(fitted(setup, &rules)?)
        })?;
        self.number += 1;
        let number = self.number;
        let manner = Manner { keeping: Keeping::Positions(0), ..manner };
        let before = match before {
            Some(before) => before
                .try_iter()?
                .map(|one| earlier(&Rules::of(&one?, manner)?.1, &rules, number))
                .collect::<PyResult<Vec<_>>>()?,
            None => Vec::new(),
        };
        let position = root(&object, &rules, number)?;
        Ok(Subject::Theirs(Played { position, before }))
    }

    /// Makes a search of this kind, unless the one that is there will do.
    fn make(
        &mut self,
        py: Python<'_>,
        given: &Given,
        alarm: &Arc<Alarm>,
        kind: Kind,
        build: impl FnOnce(Setup) -> PyResult<Box<dyn AnySearch>>,
    ) -> PyResult<()> {
        if let Some((is, _)) = &self.search
            && is.is(&kind, py)?
        {
            return Ok(());
        }
        if given.evaluate.is_some() && given.options.threads != 1 {
            return Err(refused(
                "an evaluation in Python runs on one thread, since Python runs one at a time; leave threads at 1",
            ));
        }
        self.search = Some((kind, build(given.setup(alarm.clone()))?));
        self.sliced = None;
        Ok(())
    }
}

/// What the options come to for a game in Python.
fn fitted(mut setup: Setup, rules: &Rules) -> PyResult<Setup> {
    let options = &mut setup.options;
    if options.threads != 1 {
        return Err(refused(
            "a game in Python is searched on one thread, since Python runs one at a time; leave threads at 1",
        ));
    }
    if options.ordering.is_none() && rules.has_codes() {
        options.ordering = Some(MoveOrdering::FULL);
    }
    if options.algorithm.is_oracle() {
        return Ok(setup);
    }
    if rules.has_keys() {
        options.store_leaves = options.store_leaves.or(Some(rules.store_leaves()));
        return Ok(setup);
    }
    let about_table = options.size.is_some() || options.keep.is_some() || options.reuse.is_some();
    if about_table || options.store_leaves == Some(true) || matches!(options.mode, Mode::Exact { etc: Some(1..) }) {
        return Err(refused(
            "a game without key() is searched without a table, so there is nothing to choose about it; give the game a method key()",
        ));
    }
    // One entry, which no two positions share, and which the root is the last to take.
    (options.size, options.store_leaves) = (Some(Size::of_entries(1)), Some(false));
    Ok(setup)
}
