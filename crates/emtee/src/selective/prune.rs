//! Pruning: nodes that are cut off, and moves that are skipped, because of a static evaluation.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::memory::table::NO_MOVE;
use crate::node::{Child, Cursor, Keyed, Node, Worker};
use crate::observer::{End, Observer};
use crate::parallel::Sharing;
use crate::value::{Value, Window};

/// The greatest depth of reverse futility, futility and late-move pruning.
const MAX_FUTILITY_DEPTH: u8 = 7;
/// The greatest depth of SEE pruning.
const MAX_SEE_DEPTH: u8 = 2;

/// What pruning and reductions at a node depend on.
pub(super) struct PruneContext {
    /// The static evaluation; `None` in a forced position, where it is meaningless.
    pub(super) static_value: Option<Value>,
    /// Whether the static evaluation is better than two plies before.
    pub(super) improving: bool,
    /// Whether this is a PV node, where nothing is pruned: the root, the expected principal variation, and wide windows.
    pub(super) on_pv: bool,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Cuts a node off by reverse futility, null move or ProbCut. Returns the value if it does.
    #[inline(always)]
    pub(super) fn prune_node<S: Sharing<G, E, O>>(
        &mut self,
        n: &Keyed<G>,
        node: &mut Node,
        context: &PruneContext,
    ) -> Result<Option<Value>, Stopped> {
        if context.on_pv || node.window.low.bound().is_proven() {
            return Ok(None);
        }
        let Some(static_value) = context.static_value else { return Ok(None) };
        if let Some(g) = self.prune_by_static_value::<S>(n, node, context, static_value)? {
            return Ok(Some(g));
        }
        if self.setup.selective.probcut { self.probcut::<S>(n, node, static_value) } else { Ok(None) }
    }

    /// Reverse futility and null move, if the static evaluation is at least γ.
    #[inline(always)]
    fn prune_by_static_value<S: Sharing<G, E, O>>(
        &mut self,
        n: &Keyed<G>,
        node: &mut Node,
        context: &PruneContext,
        static_value: Value,
    ) -> Result<Option<Value>, Stopped> {
        let (by, gamma) = (self.setup.selective, node.window.low);
        if static_value < gamma {
            return Ok(None);
        }
        // Without a null move, zugzwang is possible, and the static evaluation is not a lower bound.
        let Some(passed) = n.position.null_move() else { return Ok(None) };
        // Reverse futility: the static evaluation exceeds γ by a margin.
        let margin = by.margin_unit * 5 / 4 * (i32::from(node.depth) - i32::from(context.improving));
        if by.reverse_futility && node.depth <= MAX_FUTILITY_DEPTH && static_value - margin > gamma {
            return Ok(Some(self.finish_selectively(n, *node, static_value - margin, End::Evaluated)));
        }
        // Null move, but not twice in a row.
        if by.null_move && node.depth >= 2 && !self.own.stack[usize::from(node.ply)].null_move {
            return self.null_move::<S>(n, passed, node);
        }
        Ok(None)
    }

    /// Null move: if a reduced search after passing still fails high, some move is assumed to fail high.
    fn null_move<S: Sharing<G, E, O>>(
        &mut self,
        n: &Keyed<G>,
        passed: G,
        node: &mut Node,
    ) -> Result<Option<Value>, Stopped> {
        let gamma = node.window.low;
        let reduced_depth = node.depth.saturating_sub(4 + node.depth / 6);
        let next = &mut self.own.stack[usize::from(node.ply) + 1];
        (next.played, next.null_move, next.on_pv) = (NO_MOVE, true, false);
        let window = Window::null(-gamma.unage());
        let passed = Keyed { key: passed.key(), position: passed };
        let v = -self.search_selectively::<S>(&passed, reduced_depth, node.ply + 1, window)?.age();
        if v < gamma {
            return Ok(None);
        }
        node.by_path = self.take_by_path();
        // A win after a null move is not a proven win.
        let g = if v.is_proven() { gamma.bound() } else { v };
        Ok(Some(self.finish_selectively(n, *node, g, End::Expanded)))
    }

    /// An upper bound on the value of a move if it is pruned; `None` if it is searched.
    #[inline(always)]
    pub(super) fn prune_move(
        &self,
        n: &Keyed<G>,
        node: &Node,
        context: &PruneContext,
        (c, edge): &Child<G>,
        children: &Cursor<G>,
        g: Value,
    ) -> Option<Value> {
        // The excluded move of a singular-extension search.
        if edge.code == self.own.stack[usize::from(node.ply)].excluded {
            return Some(Value::NEG_INFINITY);
        }
        // Prune only when a move is known that does not lose: pruning then cannot turn the position into a loss.
        let safe = g > Value::loss_in(Value::MAX_DISTANCE);
        let may_prune = safe && !context.on_pv && children.resumed == 0;
        let static_value = context.static_value.filter(|_| may_prune && node.depth <= MAX_FUTILITY_DEPTH)?;
        if c.position.forced() {
            return None;
        }
        let by = self.setup.selective;
        if n.position.tactical_gain(edge.m).is_some() {
            // SEE pruning: the hint of a capture is below 0 if it loses more than it wins.
            let losing = by.see_pruning && edge.rank < 0 && node.depth <= MAX_SEE_DEPTH;
            return losing.then_some(Value::NEG_INFINITY);
        }
        // Late-move pruning.
        let (depth, move_index) = (usize::from(node.depth), children.tried - 1);
        if by.late_move_pruning && move_index >= (6 + 2 * depth * depth) / (2 - usize::from(context.improving)) {
            return Some(Value::NEG_INFINITY);
        }
        // Futility: even with a margin, a quiet move does not reach γ.
        let at_most = static_value + by.margin_unit * 3 / 2 * (i32::from(node.depth) + 1);
        (by.futility && at_most < node.window.low).then_some(at_most)
    }
}
