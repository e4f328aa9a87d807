//! The exact search of windows of any width: NegaScout, Alpha-Beta and Scout, on one thread or several.
//!
//! [`mt`](Worker::mt) is the specification, and searches every null window on one thread: MTD-f and NegaScout differ by the
//! windows they ask for, not by their code. This recursion visits the same nodes when it is given a null window.

use crate::game::{Evaluate, Game};
use crate::limits::Answer;
use crate::node::{Edge, Keyed, Worker};
use crate::observer::{End, Observer};
use crate::parallel::{Alone, LEAST_SHARED, Sharing};
use crate::value::{Gamma, Value, Window};

/// How the children of a wide window are searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wide {
    /// Reinefeld's NegaScout: all but the first are tested with a null window, and searched only if they are better.
    NegaScout,
    /// Alpha-Beta: each with the whole open window.
    AlphaBeta,
    /// Pearl's Scout, with MT as its Test: as NegaScout, but with a full window when they are better.
    Scout,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Searches a window, exactly or selectively as the search is set up.
    pub(crate) fn pass<S: Sharing<G, E, O>>(&mut self, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        match self.setup.is_selective {
            true => self.search_selectively::<S>(n, depth, ply, window),
            false => self.search::<S>(n, depth, ply, window),
        }
    }

    /// Searches a window with memory, `ply` moves from the root.
    ///
    /// Returns g, fail-soft: below the window f(n) ≤ g, above it f(n) ≥ g, and within it f(n) = g.
    #[inline(always)]
    pub(crate) fn search<S: Sharing<G, E, O>>(&mut self, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        let alone = S::ALONE || depth < LEAST_SHARED;
        if alone && window.is_null() {
            return self.mt(n, depth, window.low);
        }
        match depth {
            0 => self.visit_window::<Alone, true>(n, depth, ply, window),
            _ if alone => self.visit_window::<Alone, false>(n, depth, ply, window),
            _ => self.visit_window::<S, false>(n, depth, ply, window),
        }
    }

    #[inline(never)]
    fn visit_window<S: Sharing<G, E, O>, const HORIZON: bool>(
        &mut self,
        n: &Keyed<G>,
        depth: u8,
        ply: u8,
        window: Window,
    ) -> Answer {
        S::check(self)?;
        let mut node = self.retrieve::<HORIZON>(n, depth, ply, window)?;
        if let Some(g) = window.answer(node.f) {
            return Ok(self.answer(n, &node, g));
        }
        let Some(mut children) = self.children::<HORIZON>(n, &mut node) else {
            let g = self.evaluate::<false>(n, &mut node)?;
            self.store(n, &node, g, End::Evaluated);
            return Ok(g);
        };
        // The bounds cannot narrow a null window without answering it.
        let open = if window.is_null() { window } else { window.within(node.f) };
        let mut g = self.enhanced_cutoff(n, &mut node, &children);
        let mut shared = S::open(self, n, &node, open, true);
        while g < open.high {
            if let Some(known) = S::answer(self, &shared, n, &mut node) {
                g = known;
                break;
            }
            let Some(child) = S::next(self, &shared, n, &mut node, &mut children) else { break };
            let first = children.tried == 1;
            if !S::enter(self, &mut shared, &node, &child, &mut children) {
                continue;
            }
            let (c, edge) = &child;
            let v = self.search_child(edge, open.above(g), first, self.setup.wide, |worker, window| {
                worker.search::<S>(c, depth - 1, ply + 1, window)
            });
            let Some(v) = S::leave(self, &shared, edge, &mut children, v)? else { continue };
            if v > g {
                (g, node.best) = (v, edge.code);
            }
        }
        if g > open.low {
            node.f.lower = g;
        }
        if g < open.high {
            node.f.upper = g;
        }
        self.close(n, &node, &children, g, self.own.moves.list.len() <= children.end);
        self.store(n, &node, g, End::Expanded);
        S::close(self, &shared, n, &node, true);
        Ok(g)
    }

    /// A child, in the window that is `open` at its parent: one null window where that is null, else as `wide` says. `search`
    /// searches it in a window as the child sees it; the value is as the parent sees it.
    #[inline(always)]
    pub(crate) fn search_child(
        &mut self,
        edge: &Edge<G::Move>,
        open: Window,
        first: bool,
        wide: Wide,
        mut search: impl FnMut(&mut Self, Window) -> Answer,
    ) -> Answer {
        if open.is_null() {
            return Ok(edge.to_parent(search(self, Window::null(edge.to_child(open.low)))?));
        }
        self.search_child_wide(edge, open, first, wide, &mut search)
    }

    #[inline(never)]
    fn search_child_wide(
        &mut self,
        edge: &Edge<G::Move>,
        mut open: Window,
        first: bool,
        wide: Wide,
        search: &mut impl FnMut(&mut Self, Window) -> Answer,
    ) -> Answer {
        let mut at_least = Value::NEG_INFINITY;
        if !first && wide != Wide::AlphaBeta {
            let v = edge.to_parent(search(self, Window::null(edge.to_child(open.low)))?);
            if v < open.low || v > open.high && wide == Wide::NegaScout {
                return Ok(v);
            }
            if wide == Wide::NegaScout {
                (open.low, at_least) = (Gamma::above(v), v);
            }
        }
        let window = if wide == Wide::Scout { Window::FULL } else { edge.window_to_child(open) };
        Ok(at_least.max(edge.to_parent(search(self, window)?)))
    }
}
