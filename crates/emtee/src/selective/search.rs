//! The selective recursion, in the order of its steps. Each technique is a function in a file beside this one.

use super::prune::PruneContext;
use crate::algorithm::Wide;
use crate::game::{Evaluate, Game};
use crate::limits::Answer;
use crate::memory::history;
use crate::memory::table::NO_MOVE;
use crate::node::{Child, Cursor, Edge, Keyed, Node, Worker};
use crate::observer::{End, Observer};
use crate::parallel::{Alone, LEAST_SHARED, Sharing};
use crate::value::{Bounds, Value, Window};

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Searches a window selectively, `ply` moves from the root.
    ///
    /// Returns g, fail-soft: below the window f(n) ≤ g, above it f(n) ≥ g, and within it f(n) = g, as far as the pruning is right.
    #[inline(always)]
    pub(crate) fn search_selectively<S: Sharing<G, E, O>>(
        &mut self,
        n: &Keyed<G>,
        depth: u8,
        ply: u8,
        window: Window,
    ) -> Answer {
        match self.extend_forced(n, depth, ply) {
            0 => self.visit_selectively::<Alone, true>(n, 0, ply, window),
            // Smaller nodes are not worth sharing.
            depth if depth < LEAST_SHARED => self.visit_selectively::<Alone, false>(n, depth, ply, window),
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
        S::check(self)?;

        // Transposition table. A singular search leaves out one move, so the entry is not about it.
        let mut node = self.retrieve::<HORIZON>(n, depth, ply, window)?;
        let singular_search = self.own.stack[usize::from(ply)].excluded != NO_MOVE;
        if singular_search {
            node.f = Bounds::UNKNOWN;
        } else if let Some(g) = window.answer(node.f) {
            return Ok(self.answer(n, &node, g));
        }

        // Quiescence search, or the end of the game.
        if self.is_leaf::<HORIZON>(n, &mut node) {
            return self.leaf_selectively(n, node);
        }

        // Static evaluation, and cutoffs by it: reverse futility, null move, ProbCut.
        let context = self.prune_context(n, &node);
        if !singular_search && let Some(g) = self.prune_node::<S>(n, &mut node, &context)? {
            return Ok(g);
        }

        // Internal iterative reduction, and the singular extension.
        let mut singular = false;
        if !singular_search {
            self.reduce_without_table_move(&mut node);
            singular = self.is_singular::<S>(n, &node)?;
        }
        self.take_by_path(); // Whatever these searches found, the children decide.

        // Moves.
        let quiet_history = self.setup.selective.late_move_reductions;
        let early = !singular_search && self.may_try_early(&node) && (quiet_history || n.position.has_choice());
        let Some(mut children) = self.expand(n, &mut node, early) else {
            return self.leaf_selectively(n, node);
        };
        // The bounds cannot narrow a null window without answering it.
        let open = if window.is_null() { window } else { window.within(node.f) };
        let mut g = Value::NEG_INFINITY;
        let mut shared = S::open(self, n, &node, open, !singular_search);
        while g < open.high {
            if let Some(known) = S::answer(self, &shared, n, &mut node) {
                g = known;
                break;
            }
            let Some(child) = S::next(self, &shared, n, &mut node, &mut children) else { break };
            let (edge, first) = (&child.1, children.tried == 1);

            // Pruned moves, and late-move reductions.
            if let Some(at_most) = self.prune_move(n, &node, &context, &child, &children, g) {
                g = g.max(at_most);
                children.tried -= 1;
                continue;
            }
            let reduction = self.reduction(n, &node, &context, &child, &children);

            // Principal variation search.
            if !S::enter(self, &mut shared, &node, &child, &mut children) {
                continue;
            }
            let below = node.depth - 1 + u8::from(singular && edge.code == node.table_move);
            self.follow(&node, edge, children.tried);
            let v = self.search_child_selectively::<S>(&child, below, ply + 1, reduction, open.above(g), first);
            let Some(v) = S::leave(self, &shared, edge, &mut children, v)? else { continue };

            let by_path = self.take_by_path();
            if v > g {
                (g, node.best, node.by_path) = (v, edge.code, by_path);
            }
            if g > open.high && quiet_history {
                self.learn_quiet(n, &node, edge, &children);
            }
        }

        if quiet_history {
            self.give_back(&node, &children, g);
        } else {
            let in_order = children.next <= children.first + children.tried;
            self.close(n, &node, &children, g, in_order && self.own.moves.list.len() <= children.end);
        }
        S::close(self, &shared, n, &node, false);
        Ok(self.finish_selectively(n, node, g, End::Expanded))
    }

    /// A child: at reduced depth first, then by principal variation search.
    #[inline(always)]
    fn search_child_selectively<S: Sharing<G, E, O>>(
        &mut self,
        (c, edge): &Child<G>,
        depth: u8,
        ply: u8,
        reduction: u8,
        open: Window,
        first: bool,
    ) -> Answer {
        if reduction > 0 {
            let question = Window::null(edge.to_child(open.low));
            let v = edge.to_parent(self.search_selectively::<S>(c, depth - reduction, ply, question)?);
            if v < open.low {
                return Ok(v);
            }
        }
        self.search_child(edge, open, first, Wide::NegaScout, |worker, window| {
            worker.search_selectively::<S>(c, depth, ply, window)
        })
    }

    /// A visit to a leaf.
    #[inline(always)]
    fn leaf_selectively(&mut self, n: &Keyed<G>, mut node: Node) -> Answer {
        let g = self.evaluate::<true>(n, &mut node)?;
        Ok(self.finish_selectively(n, node, g, End::Evaluated))
    }

    /// Records on the stack which move leads to the next node.
    #[inline(always)]
    fn follow(&mut self, node: &Node, edge: &Edge<G::Move>, tried: usize) {
        let here = usize::from(node.ply);
        let on_pv = if node.ply == 0 { self.follow_from_root(edge.m, tried) } else { self.own.stack[here].on_pv };
        let next = &mut self.own.stack[here + 1];
        (next.played, next.null_move, next.on_pv) = (edge.code, false, on_pv && tried == 1);
    }

    /// The line behind every root move may become the principal variation.
    #[cold]
    fn follow_from_root(&mut self, m: G::Move, number: usize) -> bool {
        self.observer.root_move(self.setup.horizon, m, number);
        true
    }

    /// A move has failed high. Killers, replies and history are about quiet moves alone here: captures have their hints.
    #[inline(always)]
    fn learn_quiet(&mut self, n: &Keyed<G>, node: &Node, edge: &Edge<G::Move>, children: &Cursor<G>) {
        let own = &mut *self.own;
        own.tally.cut(node.depth, children.tried as u64);
        if n.position.tactical_gain(edge.m).is_some() {
            return;
        }
        let (side, bonus) = (n.position.turn().index(), history::selective_bonus(node.depth));
        own.history.add_killer(node.ply, edge.code);
        own.history.learn_reply(side, own.stack[usize::from(node.ply)].played, edge.code);
        own.history.update(side, edge.code, bonus);
        for other in &own.moves.list[children.first..children.next] {
            if other.code != edge.code && n.position.tactical_gain(other.m).is_none() {
                own.history.update(side, other.code, -bonus);
            }
        }
    }

    /// Whether the value found last rests on the path to it; the answer is forgotten.
    #[inline(always)]
    pub(super) fn take_by_path(&mut self) -> bool {
        self.own.path.as_mut().is_some_and(|path| core::mem::take(&mut path.decided))
    }

    /// Ends a visit: counts it and stores it, unless it rests on the path or a move was excluded. Bounds of deeper searches
    /// stay.
    ///
    /// Deviation: in the exact search any draw by the path below a node that fails low keeps its bound out of the table.
    /// Here it does so only if it is the value; otherwise few bounds would be stored.
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
            self.remember(n, &node, g);
        }
        self.finish(n, &node, g, end);
        g
    }

    /// The static evaluation of a node, and whether it may be pruned by it.
    #[inline(always)]
    fn prune_context(&mut self, n: &Keyed<G>, node: &Node) -> PruneContext {
        let here = usize::from(node.ply);
        let estimate = if n.position.forced() { None } else { Some(self.estimate(&n.position, n.key)) };
        let before = if here >= 2 { self.own.stack[here - 2].estimate } else { None };
        let improving = estimate.is_some() && before.is_none_or(|before| estimate > Some(before));
        let ply = &mut self.own.stack[here];
        ply.estimate = estimate;
        let on_pv = here == 0 || ply.on_pv || !node.window.is_null();
        PruneContext { estimate, improving, on_pv }
    }
}
