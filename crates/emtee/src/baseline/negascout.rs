//! NegaScout, Reinefeld's.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::value::{Gamma, Value, Window};
use crate::worker::Worker;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The first child is searched with the whole window. The others are asked by [`mt`](Worker::mt) whether they are any
    /// better, and searched again only if they are.
    pub(crate) fn negascout(&mut self, n: &G, depth: u8, window: Window) -> Result<Value, Stopped> {
        self.search_window(n, depth, window, |search, c, mut open, first| {
            let mut v = Value::NEG_INFINITY;
            if !first {
                v = c.back(search.mt(&c.position, depth - 1, c.ask(open.low))?);
                if v < open.low || v > open.high {
                    return Ok(v);
                }
                open.low = Gamma::above(v);
            }
            Ok(v.max(c.back(search.negascout(&c.position, depth - 1, c.ask_window(open))?)))
        })
    }
}
