//! One pass of MT that can be watched and stopped, for whoever writes the loop around it.

use crate::error::Error;
use crate::game::{Evaluate, Game};
use crate::limits::Limits;
use crate::observer::Observer;
use crate::search::{Search, check_depth};
use crate::stats::{Pass, Tally};
use crate::value::{Gamma, Window};

impl<G: Game, E: Evaluate<G>> Search<G, E> {
    /// As [`pass`](Search::pass), shown to an observer; nothing if the [stop flag](crate::Builder::stop_flag) went up before
    /// the pass was finished. What the table learned until then stays, so that the same pass goes on from there.
    pub fn try_pass(
        &mut self,
        position: &G,
        depth: u8,
        gamma: Gamma,
        observer: &mut impl Observer<G>,
    ) -> Result<Option<Pass<G::Move>>, Error> {
        check_depth(depth)?;
        let stop = self.stop.clone();
        let mut tally = Tally::new();
        let window = Window::null(gamma);
        observer.pass(window);
        let (mut worker, _) = self.worker(&mut tally, Limits::new(None, None, stop.as_deref()), observer, &[]);
        worker.horizon = depth;
        let g = worker.mt(position, depth, gamma);
        let best_move = worker.root_move.map(|best| best.m);
        worker.fault.map_or(Ok(()), Err)?;
        Ok(g.ok().map(|g| Pass { window, g, f: window.proves(g), about: None, best_move, counts: tally.counts }))
    }
}
