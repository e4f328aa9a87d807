//! Pearl's Scout, with MT as its Test.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::value::{Value, Window};
use crate::worker::Worker;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The exact value of n: that of its first child, then of every other child that a test shows to be better.
    pub(crate) fn scout(&mut self, n: &G, depth: u8) -> Result<Value, Stopped> {
        self.search_window(n, depth, Window::FULL, |search, c, open, first| {
            if !first {
                let v = c.back(search.mt(&c.position, depth - 1, c.ask(open.low))?);
                if v < open.low {
                    return Ok(v);
                }
            }
            Ok(c.back(search.scout(&c.position, depth - 1)?))
        })
    }
}
