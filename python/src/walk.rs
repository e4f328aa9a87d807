//! A game that takes moves back: one object walks from position to position, and nothing is copied.
//!
//! easyAI's games change in place. Those with a method `unmake_move` are searched as easyAI searches them: a move is made on
//! the way down and taken back on the way up. The user's own object is never changed.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::ask::{asked, call_once};
use crate::copy::copy_game;

/// A move on the way from the start of a search to a position.
pub(crate) struct Step {
    before: Option<Arc<Step>>,
    m: Py<PyAny>,
    /// All moves up to this one, as a number.
    path: u64,
    /// How many they are.
    ply: usize,
}

impl Step {
    pub(crate) fn new(before: Option<Arc<Step>>, m: Py<PyAny>, path: u64) -> Arc<Step> {
        let ply = before.as_ref().map_or(0, |before| before.ply) + 1;
        Arc::new(Step { before, m, path, ply })
    }
}

/// The game that walks.
pub(crate) struct Walker {
    start: Py<PyAny>,
    shared: Py<PyTuple>,
    /// One thread searches a game in Python, so nobody waits for anybody.
    walk: Mutex<Walk>,
}

/// Where it is.
#[derive(Default)]
struct Walk {
    game: Option<Py<PyAny>>,
    made: Vec<Arc<Step>>,
}

impl Walker {
    /// One that begins where a game stands. Objects of the classes in `shared` are not copied with it.
    pub(crate) fn new(game: &Bound<'_, PyAny>, shared: &Py<PyTuple>) -> Walker {
        let (start, shared) = (game.clone().unbind(), shared.clone_ref(game.py()));
        Walker { start, shared, walk: Mutex::default() }
    }

    /// The game at a position: the object changes as soon as another position is asked for.
    pub(crate) fn at<'py>(&self, py: Python<'py>, step: Option<&Arc<Step>>) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || {
            let mut walk = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
            // Where a move raises, nobody knows how far it has got: the walk begins anew.
            walk.go(self, py, step).inspect_err(|_| *walk = Walk::default())
        })
    }

    /// The game at a position, for somebody who may keep it.
    pub(crate) fn copy_at<'py>(&self, py: Python<'py>, step: Option<&Arc<Step>>) -> PyResult<Bound<'py, PyAny>> {
        copy_game(&self.at(py, step)?, Some(self.shared.bind(py)))
    }
}

impl Walk {
    fn go<'py>(&mut self, walker: &Walker, py: Python<'py>, to: Option<&Arc<Step>>) -> PyResult<Bound<'py, PyAny>> {
        let game = match &self.game {
            Some(game) => game.bind(py).clone(),
            None => {
                let copy = copy_game(walker.start.bind(py), Some(walker.shared.bind(py)))?;
                self.game.insert(copy.unbind()).bind(py).clone()
            }
        };
        let mut ahead = Vec::new();
        let mut common = to;
        loop {
            let ply = common.map_or(0, |step| step.ply);
            while self.made.len() > ply {
                self.take_back(&game)?;
            }
            match common {
                Some(step) if self.made.get(ply - 1).is_none_or(|made| made.path != step.path) => {
                    ahead.push(step);
                    common = step.before.as_ref();
                }
                _ => break,
            }
        }
        for step in ahead.into_iter().rev() {
            call_once(&game, intern!(py, "make_move"), Some(step.m.bind_borrowed(py)))?;
            call_once(&game, intern!(py, "switch_player"), None)?;
            self.made.push(step.clone());
        }
        Ok(game)
    }

    fn take_back(&mut self, game: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = game.py();
        if let Some(step) = self.made.pop() {
            call_once(game, intern!(py, "switch_player"), None)?;
            call_once(game, intern!(py, "unmake_move"), Some(step.m.bind_borrowed(py)))?;
        }
        Ok(())
    }
}
