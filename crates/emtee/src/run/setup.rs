//! What all threads of a search read; it does not change while they run.

use super::visits::Limits;
use crate::algorithm::Wide;
use crate::memory::history::MoveOrdering;
use crate::memory::table::Table;
use crate::parallel::Team;
use crate::selective::{Reductions, Selective};

/// What all threads of a search read.
pub(crate) struct Setup<'s, E> {
    pub(crate) evaluator: &'s E,
    pub(crate) table: &'s Table,
    pub(crate) limits: Limits<'s>,
    pub(crate) ordering: MoveOrdering,
    /// Whether leaves are stored in the table too.
    pub(crate) store_leaves: bool,
    /// Whether leaves have keys, for the table, the path or the eval cache.
    pub(crate) leaf_keys: bool,
    /// The least depth with enhanced transposition cutoffs (ETC).
    pub(crate) etc: u8,
    /// How a wide window is searched.
    pub(crate) wide: Wide,
    /// Whether the search is selective; if so, its switches and its table of late-move reductions.
    pub(crate) is_selective: bool,
    pub(crate) selective: Selective,
    pub(crate) reductions: &'s Reductions,
    /// The depth of the root. The root is always expanded, so that a fail-high gives a move.
    pub(crate) horizon: u8,
    /// The codes of excluded root moves, to find the next best.
    pub(crate) excluded: &'s [u16],
    /// Whether killers and history are updated.
    pub(crate) learning: bool,
    /// The team that runs this pass together.
    pub(crate) team: Option<&'s Team>,
}

impl<E> Clone for Setup<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Setup<'_, E> {}
