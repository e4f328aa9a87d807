//! Draws charts as SVG: panels of small multiples in one style for all figures.

mod axis;
mod canvas;
mod colour;
mod dots;
mod lines;

pub(crate) use axis::Axis;
pub(crate) use canvas::panels;
pub(crate) use colour::Colour;
pub(crate) use dots::{DotPanel, DotRow, dots};
pub(crate) use lines::{Mark, Panel, Series, lines};
