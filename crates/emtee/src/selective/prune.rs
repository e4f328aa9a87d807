//! Pruning: nodes that are cut off, and moves that are skipped, because an estimate says that they do not matter.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::memory::table::NO_MOVE;
use crate::node::{Child, Cursor, Keyed, Node, Worker};
use crate::observer::{End, Observer};
use crate::parallel::Sharing;
use crate::value::{Value, Window};

/// Reverse futility, futility and late-move pruning work up to this depth.
const MOST_FUTILE: u8 = 7;
/// Losing exchanges are pruned up to this depth.
const MOST_LOSING: u8 = 2;

/// What pruning at a node depends on.
pub(super) struct PruneContext {
    /// The static evaluation; `None` in a forced position, where it means nothing.
    pub(super) estimate: Option<Value>,
    /// Whether it is better than two plies before.
    pub(super) improving: bool,
    /// Whether nothing is pruned: at the root, on the expected line, and in a wide window.
    pub(super) on_pv: bool,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Cuts a node off by its static evaluation, by a null move or by ProbCut. Returns the value in that case.
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
        let Some(estimate) = context.estimate else { return Ok(None) };
        if let Some(g) = self.prune_by_estimate::<S>(n, node, context, estimate)? {
            return Ok(Some(g));
        }
        if self.setup.selective.probcut { self.probcut::<S>(n, node, estimate) } else { Ok(None) }
    }

    /// Reverse futility and null move: the position is good enough already.
    #[inline(always)]
    fn prune_by_estimate<S: Sharing<G, E, O>>(
        &mut self,
        n: &Keyed<G>,
        node: &mut Node,
        context: &PruneContext,
        estimate: Value,
    ) -> Result<Option<Value>, Stopped> {
        let (by, gamma) = (self.setup.selective, node.window.low);
        if estimate < gamma {
            return Ok(None);
        }
        // Where passing is not allowed, zugzwang is possible and the estimate no lower bound.
        let Some(passed) = n.position.null_move() else { return Ok(None) };
        let margin = by.margin_unit * 5 / 4 * (i32::from(node.depth) - i32::from(context.improving));
        if by.reverse_futility && node.depth <= MOST_FUTILE && estimate - margin > gamma {
            return Ok(Some(self.finish_selectively(n, *node, estimate - margin, End::Evaluated)));
        }
        if by.null_move && node.depth >= 2 && !self.own.stack[usize::from(node.ply)].null_move {
            return self.null_move::<S>(n, passed, node);
        }
        Ok(None)
    }

    /// Null move: if the other side moves twice and γ is still reached, some move reaches it.
    fn null_move<S: Sharing<G, E, O>>(
        &mut self,
        n: &Keyed<G>,
        passed: G,
        node: &mut Node,
    ) -> Result<Option<Value>, Stopped> {
        let gamma = node.window.low;
        let below = node.depth.saturating_sub(4 + node.depth / 6);
        let next = &mut self.own.stack[usize::from(node.ply) + 1];
        (next.played, next.null_move, next.on_pv) = (NO_MOVE, true, false);
        let question = Window::null(-gamma.unage());
        let passed = Keyed { key: passed.key(), position: passed };
        let v = -self.search_selectively::<S>(&passed, below, node.ply + 1, question)?.age();
        if v < gamma {
            return Ok(None);
        }
        node.by_path = self.take_by_path();
        // A win that begins with a pass is not a win.
        let g = if v.is_proven() { gamma.bound() } else { v };
        Ok(Some(self.finish_selectively(n, *node, g, End::Expanded)))
    }

    /// The most that a move could be worth, if it is pruned.
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
        if edge.code == self.own.stack[usize::from(node.ply)].excluded {
            return Some(Value::NEG_INFINITY);
        }
        // Once a move is known that does not lose, pruning others cannot make the position a loss.
        let safe = g > Value::loss_in(Value::MAX_DISTANCE);
        let may_prune = safe && !context.on_pv && children.taken_up == 0;
        let estimate = context.estimate.filter(|_| may_prune && node.depth <= MOST_FUTILE)?;
        if c.position.forced() {
            return None;
        }
        let by = self.setup.selective;
        if n.position.tactical_gain(edge.m).is_some() {
            // The hint of a capture is below 0 if it loses more than it wins.
            let losing = by.see_pruning && edge.rank < 0 && node.depth <= MOST_LOSING;
            return losing.then_some(Value::NEG_INFINITY);
        }
        let (depth, place) = (usize::from(node.depth), children.tried - 1);
        if by.late_move_pruning && place >= (6 + 2 * depth * depth) / (2 - usize::from(context.improving)) {
            return Some(Value::NEG_INFINITY);
        }
        let most = estimate + by.margin_unit * 3 / 2 * (i32::from(node.depth) + 1);
        (by.futility && most < node.window.low).then_some(most)
    }
}
