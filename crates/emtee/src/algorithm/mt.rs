//! MT, the search that every driver calls.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::node::{Keyed, Worker};
use crate::observer::{End, Observer};
use crate::value::{Gamma, Value, Window};

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Figure 1: memory-enhanced Test, with the depth and the best move of section 4.2.
    ///
    /// Returns g, fail-soft: if g < γ then f(n) ≤ g, else f(n) ≥ g.
    ///
    /// Deviation: a child is searched with γ as its side to move sees it, one ply nearer to any win ([`Edge::to_child`]):
    /// the same side may move again, and wins carry their distance.
    ///
    /// [`Edge::to_child`]: crate::node::Edge::to_child
    #[inline(always)]
    pub(crate) fn mt(&mut self, n: &Keyed<G>, depth: u8, gamma: Gamma) -> Result<Value, Stopped> {
        // Most visits are at the horizon: a copy compiled for it alone contains no code for children.
        if depth == 0 { self.test::<true>(n, depth, gamma) } else { self.test::<false>(n, depth, gamma) }
    }

    #[inline(never)]
    fn test<const HORIZON: bool>(&mut self, n: &Keyed<G>, depth: u8, gamma: Gamma) -> Result<Value, Stopped> {
        let mut node = self.retrieve::<HORIZON>(n, depth, self.setup.horizon - depth, Window::null(gamma))?;
        if node.f.lower > gamma {
            return Ok(self.answer(n, &node, node.f.lower));
        }
        if node.f.upper < gamma {
            return Ok(self.answer(n, &node, node.f.upper));
        }
        let Some(mut children) = self.children::<HORIZON>(n, &mut node) else {
            let g = self.evaluate::<false>(n, &mut node)?;
            self.store(n, &node, g, End::Evaluated);
            return Ok(g);
        };
        let mut g = self.enhanced_cutoff(n, &mut node, &children);
        if depth == 1 && g < gamma && !self.setup.leaf_keys {
            g = self.visit_leaves(n, &mut node, &mut children, gamma)?;
        }
        while g < gamma
            && let Some((c, edge)) = self.next_child(n, &mut node, &mut children)
        {
            let v = edge.to_parent(self.mt(&c, depth - 1, edge.to_child(gamma))?);
            if v > g {
                g = v;
                node.best = edge.code;
            }
        }
        if g < gamma {
            node.f.upper = g
        } else {
            node.f.lower = g
        }
        self.finish_moves(n, &node, &children, g, true);
        self.store(n, &node, g, End::Expanded);
        Ok(g)
    }
}
