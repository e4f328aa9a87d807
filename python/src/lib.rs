//! The Rust part of the Python package. The Python part is `python/emtee`.

mod boards;
mod calls;
mod check;
mod convert;
mod copy;
mod driver;
mod error;
mod found;
mod game;
mod interface;
mod interrupt;
mod key;
mod lab;
mod learn;
mod make_unmake;
mod notebook;
mod options;
mod pickle;
mod player;
mod position;
mod report;
mod rules;
mod search;
mod state;
mod tree;

use emtee::Algorithm;
use pyo3::prelude::*;

/// The names of the algorithms that find minimax values, the drivers of MT first. A player can also use "mcts".
///
/// >>> import emtee
/// >>> emtee.algorithms()[:3]
/// ['mtd-f', 'mtd-f-figure8', 'mtd-gallop']
#[pyfunction]
fn algorithms() -> Vec<&'static str> {
    Algorithm::ALL.into_iter().map(Algorithm::name).collect()
}

/// The names of the built-in games.
///
/// >>> import emtee
/// >>> emtee.games()
/// ['chess', 'othello', 'checkers', 'connect4', 'kalah', 'tictactoe']
#[pyfunction]
fn games() -> Vec<String> {
    boards::REGISTRY.names().map(str::to_owned).collect()
}

/// The texts of the positions in a named position set of a game.
#[pyfunction]
fn position_set(game: &str, name: &str) -> PyResult<Vec<String>> {
    let entry = boards::REGISTRY.get(game).map_err(error::emtee_error)?;
    let set = entry.set(name).map_err(error::emtee_error)?;
    Ok(set.iter().map(|position| position.text()).collect())
}

#[pymodule]
fn _emtee(module: &Bound<'_, PyModule>) -> PyResult<()> {
    interrupt::remember_main(module.py())?;
    module.add("Error", module.py().get_type::<error::Error>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<position::Position>()?;
    module.add_class::<player::Player>()?;
    module.add_class::<driver::PyProgress>()?;
    module.add_class::<found::PyVerdict>()?;
    module.add_class::<found::PyFound>()?;
    module.add_class::<found::PyIteration>()?;
    module.add_class::<found::PyPass>()?;
    module.add_class::<found::PyRankedMove>()?;
    module.add_class::<found::PyChosen>()?;
    module.add_class::<found::PyPoll>()?;
    module.add_class::<found::PyCounts>()?;
    module.add_function(wrap_pyfunction!(algorithms, module)?)?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(position_set, module)?)?;
    module.add_function(wrap_pyfunction!(position::read_position, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::restore_found, module)?)?;
    module.add_function(wrap_pyfunction!(check::check_laws, module)?)?;
    module.add_function(wrap_pyfunction!(check::is_game, module)?)?;
    module.add_function(wrap_pyfunction!(copy::copy_game, module)?)?;
    module.add_function(wrap_pyfunction!(copy::state_key, module)?)?;
    module.add_function(wrap_pyfunction!(notebook::stepper_page, module)?)?;
    module.add_function(wrap_pyfunction!(notebook::board_page, module)?)?;
    module.add_class::<learn::PyFeatures>()?;
    module.add_class::<learn::Learned>()?;
    module.add_function(wrap_pyfunction!(learn::learn_evaluation, module)?)?;
    module.add_function(wrap_pyfunction!(lab::comparison, module)?)?;
    module.add_function(wrap_pyfunction!(lab::standings, module)?)?;
    module.add_function(wrap_pyfunction!(lab::run_experiment, module)?)?;
    module.add_function(wrap_pyfunction!(lab::run_reproduce, module)?)
}
