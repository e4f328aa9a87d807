//! Plain minimax, by the definition.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::value::{Value, Window};
use crate::worker::Worker;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// f(n), by looking at everything.
    pub(crate) fn minimax(&mut self, n: &G, depth: u8) -> Result<Value, Stopped> {
        let mut node = self.begin(n, depth, Window::FULL)?;
        let mut g = Value::NEG_INFINITY;
        if self.is_leaf(n, &mut node) {
            g = self.evaluate(n, &mut node)?;
        } else {
            while let Some(c) = self.next_child(n, &mut node) {
                let v = c.back(self.minimax(&c.position, depth - 1)?);
                if v > g {
                    g = v;
                    node.best = c.code;
                }
            }
        }
        self.finish(n, &node, g);
        Ok(g)
    }
}
