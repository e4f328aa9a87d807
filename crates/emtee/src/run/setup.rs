//! What a search reads: the same for all its threads, and never changed while they run.

use super::limits::Limits;
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
    /// Whether leaves go through the table as well.
    pub(crate) store_leaves: bool,
    /// Whether leaves have keys: the table or the path asks about them.
    pub(crate) leaf_keys: bool,
    /// The least depth at which children are looked up before they are searched.
    pub(crate) etc: u8,
    /// How a wide window is searched.
    pub(crate) wide: Wide,
    /// Whether windows are searched selectively; then what is pruned, and by how many plies moves are reduced.
    pub(crate) is_selective: bool,
    pub(crate) selective: Selective,
    pub(crate) reductions: &'s Reductions,
    /// The depth of the root, which is always expanded so that it names a move.
    pub(crate) horizon: u8,
    /// Root moves left out, by code, to find the next best.
    pub(crate) excluded: &'s [u16],
    /// Whether killers and history are kept.
    pub(crate) learning: bool,
    /// The threads that are at work on the same question.
    pub(crate) team: Option<&'s Team>,
}

impl<E> Clone for Setup<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Setup<'_, E> {}
