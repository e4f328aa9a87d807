//! Plain minimax, by its definition: an oracle without a table.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::node::{Keyed, Worker};
use crate::observer::{End, Observer};
use crate::value::{Value, Window};

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// f(n), by searching every node.
    pub(crate) fn minimax(&mut self, n: &Keyed<G>, depth: u8) -> Result<Value, Stopped> {
        let mut node = self.begin(n, depth, self.setup.horizon - depth, Window::FULL)?;
        self.own.estimated = false;
        let children =
            if depth == 0 { self.children::<true>(n, &mut node) } else { self.children::<false>(n, &mut node) };
        let Some(mut children) = children else {
            let g = self.evaluate::<false>(n, &mut node)?;
            self.finish(n, &node, g, End::Evaluated);
            return Ok(g);
        };
        let mut g = Value::NEG_INFINITY;
        while let Some((c, edge)) = self.next_child(n, &mut node, &mut children) {
            let v = edge.to_parent(self.minimax(&c, depth - 1)?);
            if v > g {
                g = v;
                node.best = edge.code;
            }
        }
        self.release_moves(&node, &children, g);
        self.finish(n, &node, g, End::Expanded);
        Ok(g)
    }
}
