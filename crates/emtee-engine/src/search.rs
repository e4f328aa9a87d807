//! Searches of one game, with any evaluator.
//!
//! A search is compiled for each evaluator type, so that evaluation costs no indirect call. This trait hides the
//! evaluator type, so that the code built on it is compiled once per game.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use emtee::research::{Observer, Options, Passes};
use emtee::{Alarm, Budget, Chosen, Evaluate, Found, Grain, Level, Search, Value};

use crate::error::Error;
use crate::position::Playable;
use crate::settings::Settings;

/// A search of G. Its methods are those of [`Search`]. The observer sees passes and iterations, but no nodes.
pub(crate) trait AnySearch<G: Playable>: Send {
    fn think(
        &mut self,
        position: &G,
        among: &[G::Move],
        lines: usize,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Found<G::Move>, Error>;

    fn choose(
        &mut self,
        position: &G,
        level: Level,
        seed: u64,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Chosen<G::Move>, Error>;

    fn worth(&mut self, position: &G, m: G::Move, budget: Budget) -> Result<Option<Value>, Error>;

    fn set_game(&mut self, before: &[G]) -> Result<(), Error>;

    fn set_alarm(&mut self, alarm: Arc<Alarm>);

    fn set_stop_flag(&mut self, flag: Arc<AtomicBool>);

    fn reconfigure(&mut self, options: Options) -> Result<(), Error>;

    fn forget_bounds(&mut self);

    fn renew(&mut self);

    fn clear(&mut self) -> Result<(), Error>;

    fn touch_table(&mut self);
}

/// A search with these settings and this evaluator.
pub(crate) fn build<G: Playable, E: Evaluate<G> + Send + 'static>(
    settings: &Settings,
    evaluator: E,
) -> Result<Box<dyn AnySearch<G>>, Error> {
    let mut search = settings.builder::<G, E>(evaluator).build::<G>()?;
    if let Some(peers) = &settings.peers {
        search.research().set_peers(Some(peers.clone()))?;
    }
    Ok(Box::new(search))
}

impl<G: Playable, E: Evaluate<G> + Send> AnySearch<G> for Search<G, Grain<E>> {
    fn think(
        &mut self,
        position: &G,
        among: &[G::Move],
        lines: usize,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        Ok(self.think_of(position, among, lines, budget, &mut Passes(observer))?)
    }

    fn choose(
        &mut self,
        position: &G,
        level: Level,
        seed: u64,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Chosen<G::Move>, Error> {
        Ok(self.choose_observed(position, level, seed, budget, &mut Passes(observer))?)
    }

    fn worth(&mut self, position: &G, m: G::Move, budget: Budget) -> Result<Option<Value>, Error> {
        Ok(Search::worth(self, position, m, budget)?)
    }

    fn set_game(&mut self, before: &[G]) -> Result<(), Error> {
        Ok(Search::set_game(self, before)?)
    }

    fn set_alarm(&mut self, alarm: Arc<Alarm>) {
        Search::set_alarm(self, Some(alarm));
    }

    fn set_stop_flag(&mut self, flag: Arc<AtomicBool>) {
        Search::set_stop_flag(self, Some(flag));
    }

    fn reconfigure(&mut self, options: Options) -> Result<(), Error> {
        Ok(Search::reconfigure(self, options)?)
    }

    fn forget_bounds(&mut self) {
        self.research().forget_bounds();
    }

    fn renew(&mut self) {
        Search::renew(self);
    }

    fn clear(&mut self) -> Result<(), Error> {
        Ok(Search::clear(self)?)
    }

    fn touch_table(&mut self) {
        Search::touch_table(self);
    }
}
