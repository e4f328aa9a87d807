//! Alpha-Beta.

use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::value::{Value, Window};
use crate::worker::Worker;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Every child is searched with all of the window that is still open.
    pub(crate) fn alpha_beta(&mut self, n: &G, depth: u8, window: Window) -> Result<Value, Stopped> {
        self.search_window(n, depth, window, |search, c, open, _| {
            Ok(c.back(search.alpha_beta(&c.position, depth - 1, c.ask_window(open))?))
        })
    }
}
