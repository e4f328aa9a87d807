//! The class `Position`: positions of built-in games.

use std::sync::Arc;

use emtee::Outcome;
use emtee_engine::Solve;
use emtee_games::drawing::{Ground, Ink};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::boards::{AnyBoard, position_of};
use crate::error::emtee_error;

/// A position of a built-in game. It is immutable: `play` returns a new one.
///
/// >>> import emtee
/// >>> position = emtee.connect4("44")
/// >>> position.moves()
/// ['4', '3', '5', '2', '6', '1', '7']
/// >>> after = position.play("4")
/// >>> after.line
/// ['4']
/// >>> print(emtee.tictactoe("X-O-X----"))
/// X 2 O
/// 4 X 6
/// 7 8 9
/// O to move
#[pyclass(name = "Position", module = "emtee", frozen, weakref)]
pub(crate) struct Position(pub(crate) Arc<dyn AnyBoard>);

/// An outcome in the form that a game in Python returns.
fn outcome(py: Python<'_>, outcome: Outcome) -> PyResult<Py<PyAny>> {
    let word = match outcome {
        Outcome::Won => "won",
        Outcome::Lost => "lost",
        Outcome::Drawn => "drawn",
        Outcome::Points(points) => return Ok(points.into_pyobject(py)?.into_any().unbind()),
    };
    Ok(word.into_pyobject(py)?.into_any().unbind())
}

#[pymethods]
impl Position {
    /// The name of the game.
    #[getter]
    fn game(&self) -> &str {
        self.0.game()
    }

    /// The position in one line, as its players write it: it can be read again.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// The known moves that led to this position, oldest first.
    #[getter]
    fn line(&self) -> Vec<String> {
        self.0.line()
    }

    /// The side to move: 0 for the side that moves first in the game, 1 for the other.
    fn turn(&self) -> usize {
        self.0.turn()
    }

    /// The legal moves, as text. None when the game is over.
    fn moves(&self) -> Vec<String> {
        self.0.moves()
    }

    /// The position after a move. All common notations are read: `e2e4` or `e4` in chess, `f5d6c3` for three moves of Othello.
    /// A move that cannot be read is an `emtee.Error`.
    fn play(&self, m: &Bound<'_, PyAny>) -> PyResult<Position> {
        // Moves of python-chess have the same text.
        let text = m.str()?;
        self.0.play(&text.to_cow()?).map(Position)
    }

    /// The position after several moves.
    #[pyo3(signature = (*moves))]
    fn after(&self, moves: &Bound<'_, PyTuple>) -> PyResult<Position> {
        moves.iter().try_fold(Position(self.0.clone()), |position, m| position.play(&m))
    }

    /// The outcome for the side to move, by the position alone: None while the game goes on, then "won", "lost", "drawn", or the
    /// points in a game that ends with a score.
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.outcome().map(|over| outcome(py, over)).transpose()
    }

    /// How the game has ended, including repetitions and move-count draws: a dict with `winner` (0, 1 or None), `points` (those
    /// of side 0, or None) and `why`; None while the game goes on.
    fn ending<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(ending) = self.0.in_engine()?.ending() else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("winner", ending.winner.map(|side| side.index()))?;
        dict.set_item("points", ending.points)?;
        dict.set_item("why", ending.reason.name())?;
        Ok(Some(dict))
    }

    /// The static evaluation for the side to move.
    fn evaluate(&self) -> i32 {
        self.0.evaluate()
    }

    /// The hash key of the position. Mirror images of equal value may share a key.
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// A legal move in the usual notation: `Nf3` for `g1f3`.
    fn written(&self, m: &str) -> PyResult<String> {
        Ok(self.0.in_engine()?.written(m))
    }

    /// The number of lines of exactly `depth` moves from this position.
    fn perft(&self, py: Python<'_>, depth: u8) -> PyResult<u64> {
        let position = self.0.in_engine()?;
        py.detach(|| position.tools().map(|tools| tools.perft(depth))).map_err(emtee_error)
    }

    /// The exact value, found by the game's own solver: a dict as `emtee solve --json` prints it. Ctrl-C stops it.
    #[pyo3(signature = (*, seconds=None))]
    fn solve(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<Py<PyAny>> {
        let position = self.0.in_engine()?;
        let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let mut task = Solve::default();
        task.stop = Some(stop.clone().into());
        let solve = move || position.tools().and_then(|tools| tools.solve(&task, &mut |_| ()));
        let solved = crate::lab::run_interruptible(py, &stop, seconds, solve)?;
        crate::lab::to_python(py, &solved.map_err(emtee_error)?)
    }

    /// The board as cells, for drawing: rows from the top, each cell with its text, ink, ground and whether the last move changed
    /// it. None for a game without a board.
    fn drawing<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(drawing) = self.0.in_engine().ok().and_then(|position| position.drawing()) else { return Ok(None) };
        let rows = PyList::empty(py);
        for row in &drawing.rows {
            let cells = PyList::empty(py);
            for cell in &row.cells {
                cells.append((&cell.text, ink(cell.ink), ground(cell.ground), cell.changed))?;
            }
            rows.append((&row.names[0], cells, &row.names[1]))?;
        }
        let dict = PyDict::new(py);
        dict.set_item("rows", rows)?;
        dict.set_item("columns", (&drawing.columns[0], &drawing.columns[1]))?;
        dict.set_item("caption", &drawing.caption)?;
        Ok(Some(dict))
    }

    fn __str__(&self) -> String {
        let drawing = self.0.in_engine().map_or_else(|_| self.0.text(), |position| position.plain_drawing());
        drawing.trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!("emtee.{}(\"{}\")", self.0.game(), self.0.text())
    }

    /// The board, for a notebook.
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.py().import("emtee.draw")?.call_method1("position", (slf,))?.unbind())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Position>()
            .is_ok_and(|other| other.get().0.game() == self.0.game() && other.get().0.text() == self.0.text())
    }

    fn __hash__(&self) -> u64 {
        emtee::key_of(&(self.0.game(), self.0.text()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("emtee._emtee")?.getattr("position")?;
        (restore, (self.0.game(), self.0.start_text(), self.0.line())).into_pyobject(py)
    }
}

fn ink(ink: Ink) -> &'static str {
    match ink {
        Ink::White => "white",
        Ink::Black => "black",
        Ink::Yellow => "yellow",
        _ => "faint",
    }
}

fn ground(ground: Ground) -> &'static str {
    match ground {
        Ground::Light => "light",
        Ground::Dark => "dark",
        Ground::Green => "green",
        Ground::Blue => "blue",
        _ => "bare",
    }
}

/// A position of a game by name: the start position or that of a text, after the given moves.
///
/// >>> import emtee
/// >>> emtee.position("othello").moves()
/// ['d3', 'c4', 'f5', 'e6']
#[pyfunction]
#[pyo3(name = "position", signature = (game, text=None, moves=None))]
pub(crate) fn read_position(game: &str, text: Option<&str>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Position> {
    let position = Position(position_of(game, text)?);
    let Some(moves) = moves else { return Ok(position) };
    if moves.is_instance_of::<pyo3::types::PyString>() {
        return Err(PyTypeError::new_err("moves must be a list of moves, like [\"e4\", \"e5\"]"));
    }
    moves.try_iter()?.try_fold(position, |position, m| position.play(&m?))
}
