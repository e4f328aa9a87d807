//! The searches of wide windows, that MT is measured against. They share everything with it but the window.

mod alpha_beta;
mod aspiration;
mod negascout;
mod scout;

pub(crate) use aspiration::aspiration;

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::value::{Bounds, Gamma, Value, Window};
use crate::worker::{Child, Worker};

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// A fail-soft search of a window with memory; `visit` says how a child is searched, given what is still open and whether
    /// it is the first, and returns what it is worth, both as the parent sees it.
    fn search_window(
        &mut self,
        n: &G,
        depth: u8,
        window: Window,
        visit: impl Fn(&mut Self, &Child<G>, Window, bool) -> Result<Value, Stopped>,
    ) -> Result<Value, Stopped> {
        if window.is_null() {
            return self.mt(n, depth, window.low);
        }
        let mut node = self.retrieve(n, depth, window)?;
        if node.f.lower > window.high || node.f.exact().is_some() {
            return Ok(self.answer(n, &node, node.f.lower));
        }
        if node.f.upper < window.low {
            return Ok(self.answer(n, &node, node.f.upper));
        }
        let mut g;
        if self.is_leaf(n, &mut node) {
            g = self.evaluate(n, &mut node)?;
        } else {
            let window = Window {
                low: window.low.max(Gamma::above(node.f.lower)),
                high: window.high.min(Gamma::below(node.f.upper)),
            };
            g = self.enhanced_cutoff(n, &mut node);
            let mut first = true;
            while g < window.high
                && let Some(c) = self.next_child(n, &mut node)
            {
                let open = Window { low: window.low.max(Gamma::above(g)), high: window.high };
                let v = visit(self, &c, open, first)?;
                first = false;
                if v > g {
                    g = v;
                    node.best = c.code;
                }
            }
            let proved = window.proves(g);
            node.f = Bounds { lower: node.f.lower.max(proved.lower), upper: node.f.upper.min(proved.upper) };
        }
        self.store(n, &node, g);
        Ok(g)
    }
}
