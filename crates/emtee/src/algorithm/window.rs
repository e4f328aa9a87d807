//! The exact search of a window of any width: NegaScout, Alpha-Beta and Scout, on one thread or several.
//!
//! [`mt`](Worker::mt) is the specification, and searches every null window on one thread: MTD-f and NegaScout differ in the
//! windows that they search, not in their code. This recursion visits the same nodes when it is given a null window.

use crate::game::{Evaluate, Game};
use crate::limits::Answer;
use crate::node::{Edge, Keyed, Worker};
use crate::observer::{End, Observer};
use crate::parallel::{MIN_SHARED_DEPTH, Sharing, Unshared};
use crate::value::{Gamma, Value, Window};

/// How the children of a wide window are searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wide {
    /// Reinefeld's NegaScout: all but the first are searched with a null window, and re-searched only if they fail high.
    NegaScout,
    /// Alpha-Beta: each with the full remaining window.
    AlphaBeta,
    /// Pearl's Scout, with MT as its Test: as NegaScout, but re-searched with (−∞, +∞).
    Scout,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Runs a pass: searches a window, exactly or selectively as the setup says.
    pub(crate) fn run_pass<S: Sharing<G, E, O>>(&mut self, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        match self.setup.is_selective {
            true => self.search_selectively::<S>(n, depth, ply, window),
            false => self.search::<S>(n, depth, ply, window),
        }
    }

    /// The exact search of a window, with the table, `ply` moves from the root.
    ///
    /// Returns g, fail-soft: below the window f(n) ≤ g, above it f(n) ≥ g, and within it f(n) = g.
    #[inline(always)]
    pub(crate) fn search<S: Sharing<G, E, O>>(&mut self, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        let unshared = S::UNSHARED || depth < MIN_SHARED_DEPTH;
        if unshared && window.is_null() {
            return self.mt(n, depth, window.low);
        }
        match depth {
            0 => self.visit_window::<Unshared, true>(n, depth, ply, window),
            _ if unshared => self.visit_window::<Unshared, false>(n, depth, ply, window),
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
        S::check_answered(self)?;
        let mut node = self.retrieve::<HORIZON>(n, depth, ply, window)?;
        if let Some(g) = window.answer(node.f) {
            return Ok(self.answer(n, &node, g));
        }
        let Some(mut children) = self.children::<HORIZON>(n, &mut node) else {
            let g = self.evaluate::<false>(n, &mut node)?;
            self.store(n, &node, g, End::Evaluated);
            return Ok(g);
        };
        // The table's bounds narrow a wide window. They cannot narrow a null window without answering it.
        let narrowed = if window.is_null() { window } else { window.within(node.f) };
        let mut g = self.enhanced_cutoff(n, &mut node, &children);
        let mut shared = S::expand(self, n, &node, narrowed, true);
        while g < narrowed.high {
            if let Some(known) = S::lookup(self, &shared, n, &mut node) {
                g = known;
                break;
            }
            let Some(child) = S::next_child(self, &shared, n, &mut node, &mut children) else { break };
            let first = children.tried == 1;
            if !S::begin_child(self, &mut shared, &node, &child, &mut children) {
                continue;
            }
            let (c, edge) = &child;
            let v = self.search_child(edge, narrowed.above(g), first, self.setup.wide, |worker, window| {
                worker.search::<S>(c, depth - 1, ply + 1, window)
            });
            let Some(v) = S::end_child(self, &shared, edge, &mut children, v)? else { continue };
            if v > g {
                (g, node.best) = (v, edge.code);
            }
        }
        if g > narrowed.low {
            node.f.lower = g;
        }
        if g < narrowed.high {
            node.f.upper = g;
        }
        self.finish_moves(n, &node, &children, g, self.own.moves.list.len() <= children.end);
        self.store(n, &node, g, End::Expanded);
        S::finish(self, &shared, n, &node, true);
        Ok(g)
    }

    /// Searches a child with the parent's `window`: once if it is a null window, else as `wide` says. `search` takes a window
    /// as the child sees it. The returned value is as the parent sees it.
    #[inline(always)]
    pub(crate) fn search_child(
        &mut self,
        edge: &Edge<G::Move>,
        window: Window,
        first: bool,
        wide: Wide,
        mut search: impl FnMut(&mut Self, Window) -> Answer,
    ) -> Answer {
        if window.is_null() {
            return Ok(edge.to_parent(search(self, Window::null(edge.to_child(window.low)))?));
        }
        self.search_child_wide(edge, window, first, wide, &mut search)
    }

    #[inline(never)]
    fn search_child_wide(
        &mut self,
        edge: &Edge<G::Move>,
        mut window: Window,
        first: bool,
        wide: Wide,
        search: &mut impl FnMut(&mut Self, Window) -> Answer,
    ) -> Answer {
        let mut at_least = Value::NEG_INFINITY;
        if !first && wide != Wide::AlphaBeta {
            let v = edge.to_parent(search(self, Window::null(edge.to_child(window.low)))?);
            if v < window.low || v > window.high && wide == Wide::NegaScout {
                return Ok(v);
            }
            if wide == Wide::NegaScout {
                (window.low, at_least) = (Gamma::above(v), v);
            }
        }
        let window = if wide == Wide::Scout { Window::FULL } else { edge.window_to_child(window) };
        Ok(at_least.max(edge.to_parent(search(self, window)?)))
    }
}
