//! Make and unmake: games whose positions are all one object, without copies.
//!
//! Games of easyAI change in place. Those with a method `unmake_move` are searched like in easyAI: a move is made before its
//! subtree is searched and unmade after it. The search works on a copy, so the user's own object never changes.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::calls::{call_once, retry_interrupted};
use crate::copy::copy_game;

/// A move on the path from the root of a search to a position.
pub(crate) struct Step {
    before: Option<Arc<Step>>,
    m: Py<PyAny>,
    /// A hash of the path up to this move.
    path: u64,
    /// The length of that path.
    ply: usize,
}

impl Step {
    pub(crate) fn new(before: Option<Arc<Step>>, m: Py<PyAny>, path: u64) -> Arc<Step> {
        let ply = before.as_ref().map_or(0, |before| before.ply) + 1;
        Arc::new(Step { before, m, path, ply })
    }
}

/// A game on which moves are made and unmade.
pub(crate) struct MakeUnmake {
    start: Py<PyAny>,
    shared: Py<PyTuple>,
    /// A game in Python is searched on one thread, so there is no contention for this lock.
    working: Mutex<Working>,
}

/// The working object, and the moves made on it.
#[derive(Default)]
struct Working {
    game: Option<Py<PyAny>>,
    made: Vec<Arc<Step>>,
}

impl MakeUnmake {
    /// Starts from the current position of a game. Objects of the classes in `shared` are not copied with it.
    pub(crate) fn new(game: &Bound<'_, PyAny>, shared: &Py<PyTuple>) -> MakeUnmake {
        let (start, shared) = (game.clone().unbind(), shared.clone_ref(game.py()));
        MakeUnmake { start, shared, working: Mutex::default() }
    }

    /// The working object at a position. The next call with another position changes it.
    pub(crate) fn at<'py>(&self, py: Python<'py>, step: Option<&Arc<Step>>) -> PyResult<Bound<'py, PyAny>> {
        retry_interrupted(py, || {
            let mut working = self.working.lock().unwrap_or_else(PoisonError::into_inner);
            // After an exception the working object may be inconsistent, so a new one is created.
            working.move_to(self, py, step).inspect_err(|_| *working = Working::default())
        })
    }

    /// For the garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.start)?;
        match self.working.try_lock() {
            Ok(working) => working.game.as_ref().map_or(Ok(()), |game| visit.call(game)),
            Err(_) => Ok(()),
        }
    }

    /// A copy of the game at a position.
    pub(crate) fn copy_at<'py>(&self, py: Python<'py>, step: Option<&Arc<Step>>) -> PyResult<Bound<'py, PyAny>> {
        copy_game(&self.at(py, step)?, Some(self.shared.bind(py)))
    }
}

impl Working {
    fn move_to<'py>(
        &mut self,
        source: &MakeUnmake,
        py: Python<'py>,
        to: Option<&Arc<Step>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = match &self.game {
            Some(game) => game.bind(py).clone(),
            None => {
                let copy = copy_game(source.start.bind(py), Some(source.shared.bind(py)))?;
                self.game.insert(copy.unbind()).bind(py).clone()
            }
        };
        let mut missing = Vec::new();
        let mut common = to;
        loop {
            let ply = common.map_or(0, |step| step.ply);
            while self.made.len() > ply {
                self.unmake_last(&game)?;
            }
            match common {
                Some(step) if self.made.get(ply - 1).is_none_or(|made| made.path != step.path) => {
                    missing.push(step);
                    common = step.before.as_ref();
                }
                _ => break,
            }
        }
        for step in missing.into_iter().rev() {
            call_once(&game, intern!(py, "make_move"), Some(step.m.bind_borrowed(py)))?;
            call_once(&game, intern!(py, "switch_player"), None)?;
            self.made.push(step.clone());
        }
        Ok(game)
    }

    fn unmake_last(&mut self, game: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = game.py();
        if let Some(step) = self.made.pop() {
            call_once(game, intern!(py, "switch_player"), None)?;
            call_once(game, intern!(py, "unmake_move"), Some(step.m.bind_borrowed(py)))?;
        }
        Ok(())
    }
}
