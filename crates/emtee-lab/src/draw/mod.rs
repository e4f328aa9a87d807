//! Draws charts as SVG: panels of small multiples in one style for all figures.

mod axis;
mod canvas;
mod dots;
mod ink;
mod lines;

pub(crate) use axis::Axis;
pub(crate) use canvas::{escaped, panels};
pub(crate) use dots::{DotPanel, DotRow, dots};
pub(crate) use ink::Ink;
pub(crate) use lines::{Mark, Panel, Series, lines};
