//! Extensions: forced positions (as in check) and singular moves are searched one ply deeper.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::memory::table::NO_MOVE;
use crate::node::{Keyed, Node, Worker};
use crate::observer::Observer;
use crate::parallel::Sharing;
use crate::run::MAX_PLY;
use crate::value::{Gamma, Value, Window};

/// The least depth of singular extensions.
const MIN_SINGULAR_DEPTH: u8 = 8;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Forced extension: the depth, plus one ply in a forced position, as in check. Extensions make no line longer than twice
    /// the depth of the iteration, nor longer than the search stack.
    #[inline(always)]
    pub(super) fn extend_forced(&self, n: &Keyed<G>, depth: u8, ply: u8) -> u8 {
        let may_extend = ply > 0 && ply < self.setup.horizon.saturating_mul(2);
        let depth = depth + u8::from(may_extend && self.setup.selective.forced_extensions && n.position.forced());
        if ply >= MAX_PLY { 0 } else { depth }
    }

    /// Singular extension: whether a search of half the depth without the table's move stays a margin below its lower bound.
    #[inline]
    pub(super) fn is_singular<S: Sharing<G, E, O>>(&mut self, n: &Keyed<G>, node: &Node) -> Result<bool, Stopped> {
        if !self.setup.selective.singular_extensions
            || node.ply == 0
            || node.depth < MIN_SINGULAR_DEPTH
            || node.table_move == NO_MOVE
            || node.ply >= self.setup.horizon.saturating_mul(2)
        {
            return Ok(false);
        }
        let known = self.setup.table.retrieve(n.key, node.depth - 3).f.lower;
        if known == Value::NEG_INFINITY || known.is_proven() {
            return Ok(false);
        }
        let rest = Gamma::below(known - self.setup.selective.margin_unit * i32::from(node.depth) / 50);
        let here = usize::from(node.ply);
        self.own.stack[here].excluded = node.table_move;
        let v = self.search_selectively::<S>(n, (node.depth - 1) / 2, node.ply, Window::null(rest));
        self.own.stack[here].excluded = NO_MOVE;
        Ok(v? < rest)
    }
}
