//! The selective recursion, in the order of its steps. Each technique is a function in another file of this module.

use super::prune::PruneContext;
use crate::algorithm::Wide;
use crate::game::{Evaluate, Game};
use crate::limits::Answer;
use crate::memory::history;
use crate::memory::table::NO_MOVE;
use crate::node::{Child, Cursor, Edge, Keyed, Node, Worker};
use crate::observer::{End, Observer};
use crate::parallel::{MIN_SHARED_DEPTH, Sharing, Unshared};
use crate::value::{Bounds, Value, Window};

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Searches a window selectively, `ply` moves from the root.
    ///
    /// Returns g, fail-soft: below the window f(n) ≤ g, above it f(n) ≥ g, and within it f(n) = g, if the pruning is correct.
    #[inline(always)]
    pub(crate) fn search_selectively<S: Sharing<G, E, O>>(
        &mut self,
        n: &Keyed<G>,
        depth: u8,
        ply: u8,
        window: Window,
    ) -> Answer {
        match self.extend_forced(n, depth, ply) {
            0 => self.visit_selectively::<Unshared, true>(n, 0, ply, window),
            // Shallow nodes are too small to be shared.
            depth if depth < MIN_SHARED_DEPTH => self.visit_selectively::<Unshared, false>(n, depth, ply, window),
            depth => self.visit_selectively::<S, false>(n, depth, ply, window),
        }
    }

    #[inline(never)]
    fn visit_selectively<S: Sharing<G, E, O>, const HORIZON: bool>(
        &mut self,
        n: &Keyed<G>,
        depth: u8,
        ply: u8,
        window: Window,
    ) -> Answer {
        S::check_answered(self)?;

        // Transposition table. A singular-extension search excludes a move, so the entry does not apply to it.
        let mut node = self.retrieve::<HORIZON>(n, depth, ply, window)?;
        let singular_search = self.own.stack[usize::from(ply)].excluded != NO_MOVE;
        if singular_search {
            node.f = Bounds::UNKNOWN;
        } else if let Some(g) = window.answer(node.f) {
            return Ok(self.answer(n, &node, g));
        }

        // Leaves: the end of the game, or quiescence search.
        if self.is_leaf::<HORIZON>(n, &mut node) {
            return self.leaf_selectively(n, node);
        }

        // Static evaluation; reverse futility, null move, ProbCut.
        let context = self.prune_context(n, &node);
        if !singular_search && let Some(g) = self.prune_node::<S>(n, &mut node, &context)? {
            return Ok(g);
        }

        // Internal iterative reduction; singular extension.
        let mut singular = false;
        if !singular_search {
            self.internal_iterative_reduction(&mut node);
            singular = self.is_singular::<S>(n, &node)?;
        }
        self.take_by_path(); // The node's value comes from its children, not from these searches.

        // Move generation.
        let quiet_history = self.setup.selective.late_move_reductions;
        let early = !singular_search && self.may_try_early(&node) && (quiet_history || n.position.has_choice());
        let Some(mut children) = self.expand(n, &mut node, early) else {
            return self.leaf_selectively(n, node);
        };
        // The table's bounds narrow a wide window. They cannot narrow a null window without answering it.
        let narrowed = if window.is_null() { window } else { window.within(node.f) };
        let mut g = Value::NEG_INFINITY;
        let mut shared = S::expand(self, n, &node, narrowed, !singular_search);
        while g < narrowed.high {
            if let Some(known) = S::lookup(self, &shared, n, &mut node) {
                g = known;
                break;
            }
            let Some(child) = S::next_child(self, &shared, n, &mut node, &mut children) else { break };
            let (edge, first) = (&child.1, children.tried == 1);

            // Futility, late-move pruning, SEE pruning; late-move reductions.
            if let Some(at_most) = self.prune_move(n, &node, &context, &child, &children, g) {
                g = g.max(at_most);
                children.tried -= 1;
                continue;
            }
            let reduction = self.reduction(n, &node, &context, &child, &children);

            // Principal variation search.
            if !S::begin_child(self, &mut shared, &node, &child, &mut children) {
                continue;
            }
            let extended = node.depth - 1 + u8::from(singular && edge.code == node.table_move);
            self.follow(&node, edge, children.tried);
            let v = self.search_child_selectively::<S>(&child, extended, ply + 1, reduction, narrowed.above(g), first);
            let Some(v) = S::end_child(self, &shared, edge, &mut children, v)? else { continue };

            let by_path = self.take_by_path();
            if v > g {
                (g, node.best, node.by_path) = (v, edge.code, by_path);
            }
            if g > narrowed.high && quiet_history {
                self.learn_quiet(n, &node, edge, &children);
            }
        }

        if quiet_history {
            self.release_moves(&node, &children, g);
        } else {
            let in_order = children.next <= children.first + children.tried;
            self.finish_moves(n, &node, &children, g, in_order && self.own.moves.list.len() <= children.end);
        }
        S::finish(self, &shared, n, &node, false);
        Ok(self.finish_selectively(n, node, g, End::Expanded))
    }

    /// Searches a child: with LMR first if it is reduced, then by principal variation search.
    #[inline(always)]
    fn search_child_selectively<S: Sharing<G, E, O>>(
        &mut self,
        (c, edge): &Child<G>,
        depth: u8,
        ply: u8,
        reduction: u8,
        window: Window,
        first: bool,
    ) -> Answer {
        if reduction > 0 {
            let null_window = Window::null(edge.to_child(window.low));
            let v = edge.to_parent(self.search_selectively::<S>(c, depth - reduction, ply, null_window)?);
            if v < window.low {
                return Ok(v);
            }
        }
        self.search_child(edge, window, first, Wide::NegaScout, |worker, window| {
            worker.search_selectively::<S>(c, depth, ply, window)
        })
    }

    /// Evaluates a leaf and ends its visit.
    #[inline(always)]
    fn leaf_selectively(&mut self, n: &Keyed<G>, mut node: Node) -> Answer {
        let g = self.evaluate::<true>(n, &mut node)?;
        Ok(self.finish_selectively(n, node, g, End::Evaluated))
    }

    /// Records on the search stack the move that leads to the next node.
    #[inline(always)]
    fn follow(&mut self, node: &Node, edge: &Edge<G::Move>, tried: usize) {
        let here = usize::from(node.ply);
        let on_pv = if node.ply == 0 { self.follow_from_root(edge.m, tried) } else { self.own.stack[here].on_pv };
        let next = &mut self.own.stack[here + 1];
        (next.played, next.null_move, next.on_pv) = (edge.code, false, on_pv && tried == 1);
    }

    /// Reports a root move to the observer. The root is on the expected principal variation.
    #[cold]
    fn follow_from_root(&mut self, m: G::Move, number: usize) -> bool {
        self.observer.root_move(self.setup.horizon, m, number);
        true
    }

    /// Counts a cutoff, and updates killers, countermoves and history if the move is quiet: captures are ordered by their
    /// hints.
    #[inline(always)]
    fn learn_quiet(&mut self, n: &Keyed<G>, node: &Node, edge: &Edge<G::Move>, children: &Cursor<G>) {
        let own = &mut *self.own;
        own.tally.cut(node.depth, children.tried as u64);
        if n.position.tactical_gain(edge.m).is_some() {
            return;
        }
        let (side, bonus) = (n.position.turn().index(), history::selective_bonus(node.depth));
        own.history.add_killer(node.ply, edge.code);
        own.history.set_countermove(side, own.stack[usize::from(node.ply)].played, edge.code);
        own.history.update(side, edge.code, bonus);
        for other in &own.moves.list[children.first..children.next] {
            if other.code != edge.code && n.position.tactical_gain(other.m).is_none() {
                own.history.update(side, other.code, -bonus);
            }
        }
    }

    /// Returns and resets whether the last value depends on the path.
    #[inline(always)]
    pub(super) fn take_by_path(&mut self) -> bool {
        self.own.path.as_mut().is_some_and(|path| core::mem::take(&mut path.decided))
    }

    /// Ends a visit: counts it and stores its bounds, unless they depend on the path or a move was excluded. Bounds of deeper
    /// searches stay.
    ///
    /// Deviation: in the exact search, the bound of a node that fails low is not stored if any value below it is a draw by the
    /// path. Here it is not stored only if that draw is the node's value; otherwise few bounds would be stored.
    #[inline(always)]
    pub(super) fn finish_selectively(&mut self, n: &Keyed<G>, mut node: Node, mut g: Value, end: End) -> Value {
        let singular_search = self.own.stack[usize::from(node.ply)].excluded != NO_MOVE;
        if node.ended.is_none() && !singular_search {
            g = g.max(node.f.lower).min(node.f.upper);
            node.f = node.f.narrowed(node.window.proves(g));
        }
        if let Some(path) = &mut self.own.path {
            path.decided = node.by_path;
        }
        let stored = self.setup.store_leaves || node.depth > 0 && node.ended.is_none();
        if stored && !node.by_path && !singular_search {
            self.write_entry(n, &node, g);
        }
        self.finish(n, &node, g, end);
        g
    }

    /// What pruning and reductions at a node depend on; records the static evaluation on the search stack.
    #[inline(always)]
    fn prune_context(&mut self, n: &Keyed<G>, node: &Node) -> PruneContext {
        let here = usize::from(node.ply);
        let static_value = if n.position.forced() { None } else { Some(self.cached_static_value(&n.position, n.key)) };
        let two_plies_ago = if here >= 2 { self.own.stack[here - 2].static_value } else { None };
        let improving = static_value.is_some() && two_plies_ago.is_none_or(|before| static_value > Some(before));
        let ply = &mut self.own.stack[here];
        ply.static_value = static_value;
        let on_pv = here == 0 || ply.on_pv || !node.window.is_null();
        PruneContext { static_value, improving, on_pv }
    }
}
