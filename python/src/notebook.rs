//! Parts of the explorer as HTML, for cells of notebooks.

use emtee::Algorithm;
use emtee_games::tree::Tree;
use emtee_web::{Recording, Run};
use pyo3::prelude::*;

use crate::error::emtee_error;

/// The stepper as an HTML page: these algorithms on an explicit tree.
#[pyfunction]
pub(crate) fn stepper_page(py: Python<'_>, tree: &str, algorithms: Vec<String>, title: &str) -> PyResult<String> {
    py.detach(|| {
        let tree: Tree = if tree == "paper" { Tree::paper() } else { tree.parse().map_err(emtee_error)? };
        let run = |name: &String| name.parse::<Algorithm>().map(Run::by).map_err(emtee_error);
        let runs = algorithms.iter().map(run).collect::<PyResult<Vec<_>>>()?;
        let recording = Recording::of(&tree, &runs).map_err(emtee_error)?;
        Ok(emtee_web::stepper(&recording, title))
    })
}

/// A board as an HTML page, which sends its requests to its own address.
#[pyfunction]
pub(crate) fn board_page(title: &str) -> String {
    emtee_web::board_page(title)
}
