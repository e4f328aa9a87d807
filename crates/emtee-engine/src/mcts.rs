//! Monte-Carlo tree search as a search of the engine.

use emtee::research::{Gamma, Mode, Observer, Options, Pass, SpareTable, Window};
use emtee::{Algorithm, Bounds, Budget, Chosen, Evaluate, Found, Game, Level, Poll, Stop, Value};
use emtee_mcts::{Mcts, Options as MctsOptions};

use crate::error::Error;
use crate::now::now;
use crate::search::{GameSearch, ObservedSearch, SharedEvaluator};
use crate::settings::Settings;

/// A Monte-Carlo tree search. The evaluator is behind an indirect call, so that there is one search per game.
pub(crate) struct MctsSearch<G: Game> {
    mcts: Mcts<G, SharedEvaluator<G>>,
    /// The search in slices: the position, its budget, and the nodes and the time used.
    session: Option<(G, Budget, Found<G::Move>)>,
}

/// The error for something that the algorithm does not have.
fn unsupported(option: &'static str) -> Error {
    emtee::Error::Unsupported { algorithm: Algorithm::Mcts.to_string(), option }.into()
}

/// The options of the search. Those that it has no use for are refused; the table of the defaults stands for the memory.
fn mcts_options(options: &Options) -> Result<MctsOptions, Error> {
    let refused = [
        (options.mode.selective().is_some(), "has no selective search; leave out the switches"),
        (
            matches!(options.mode, Mode::Exact { etc: Some(1..) }),
            "has no enhanced transposition cutoffs; leave them out",
        ),
        (options.keep.is_some(), "has a tree instead of a table; leave out the number of bounds"),
        (options.range != Bounds::UNKNOWN, "does not support a range; leave it out"),
        (options.first_guess.is_some(), "does not begin with a guess; leave it out"),
    ];
    if let Some((_, why)) = refused.iter().find(|(given, _)| *given) {
        return Err(unsupported(why));
    }
    let mut mcts = MctsOptions { threads: options.threads, ..MctsOptions::default() };
    if let Some(size) = options.size {
        mcts.size = size;
    }
    Ok(mcts)
}

impl<G: Game + 'static> MctsSearch<G> {
    pub(crate) fn new<E: Evaluate<G> + Send + 'static>(
        settings: &Settings,
        evaluator: E,
    ) -> Result<MctsSearch<G>, Error> {
        if settings.peers.is_some() {
            return Err(unsupported("is for one process; mtd-f is for several"));
        }
        if !settings.guesses.is_empty() {
            return Err(unsupported("does not begin with a guess; leave it out"));
        }
        let mut mcts = Mcts::new(SharedEvaluator(Box::new(evaluator)), mcts_options(&settings.options)?)?;
        mcts.set_clock(settings.clock.unwrap_or(now));
        mcts.set_stop(settings.stop.clone());
        Ok(MctsSearch { mcts, session: None })
    }
}

impl<G: Game> GameSearch<G> for MctsSearch<G> {
    fn think(
        &mut self,
        position: &G,
        among: &[G::Move],
        lines: usize,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Found<G::Move>, Error> {
        Ok(self.mcts.think_of(position, among, lines, budget, observer)?)
    }

    fn choose(
        &mut self,
        position: &G,
        level: Level,
        seed: u64,
        budget: Budget,
        observer: &mut dyn Observer<G>,
    ) -> Result<Chosen<G::Move>, Error> {
        Ok(self.mcts.choose(position, level, seed, budget, observer)?.into())
    }

    fn worth(&mut self, position: &G, m: G::Move, budget: Budget) -> Result<Option<Value>, Error> {
        Ok(self.mcts.think_of(position, &[m], 1, budget, &mut ())?.value)
    }

    fn set_game(&mut self, before: &[G]) -> Result<(), Error> {
        self.mcts.set_game(before);
        Ok(())
    }

    fn set_stop(&mut self, stop: Stop) {
        self.mcts.set_stop(Some(stop));
    }

    fn reconfigure(&mut self, options: Options) -> Result<(), Error> {
        Ok(self.mcts.set_options(mcts_options(&options)?)?)
    }

    fn forget_bounds(&mut self) {
        self.mcts.clear();
    }

    fn renew(&mut self) {
        if self.mcts.evaluator_mut().renew() {
            self.mcts.clear();
        }
    }

    fn clear(&mut self) -> Result<(), Error> {
        self.mcts.clear();
        Ok(())
    }

    fn touch_table(&mut self) {
        // The tree grows with the search.
    }

    fn release_table(&mut self) -> Result<SpareTable, Error> {
        Err(unsupported("has no table"))
    }

    fn reuse_table(&mut self, _: SpareTable) -> Result<bool, Error> {
        Ok(false)
    }
}

impl<G: Game> ObservedSearch<G> for MctsSearch<G> {
    fn observe_nodes(&mut self, _: bool) {
        // Observers get iterations only.
    }

    fn start(&mut self, position: &G, budget: Budget) -> Result<(), Error> {
        self.session = Some((position.clone(), budget, Found::default()));
        Ok(())
    }

    fn poll(&mut self, slice: Budget) -> Result<Poll<G::Move>, Error> {
        let Some((position, budget, so_far)) = self.session.take() else { return Ok(Poll::Idle) };
        let left =
            |all: Option<u64>, used: u64, slice: Option<u64>| match (all.map(|all| all.saturating_sub(used)), slice) {
                (Some(left), Some(slice)) => Some(left.min(slice)),
                (left, slice) => left.or(slice),
            };
        let nanos = |time: Option<std::time::Duration>| time.map(|time| time.as_nanos() as u64);
        let now = Budget {
            depth: budget.depth,
            nodes: left(budget.nodes, so_far.counts.nodes(), slice.nodes),
            time: left(nanos(budget.time), nanos(Some(so_far.time)).unwrap_or_default(), nanos(slice.time))
                .map(std::time::Duration::from_nanos),
        };
        // The tree of the last slice is continued.
        let mut found = self.mcts.think_of(&position, &[], 1, now, &mut ())?;
        found.counts += so_far.counts;
        found.time += so_far.time;
        let is_over = |all: Option<u64>, used: u64| all.is_some_and(|all| used >= all);
        if found.complete
            || is_over(budget.nodes, found.counts.nodes())
            || is_over(nanos(budget.time), found.time.as_nanos() as u64)
        {
            return Ok(Poll::Done(Box::new(found)));
        }
        let poll = Poll::Thinking { best_move: found.best_move, depth: found.depth, nodes: found.counts.nodes() };
        self.session = Some((position, budget, found));
        Ok(poll)
    }

    fn stop(&mut self) -> Option<Found<G::Move>> {
        self.session.take().map(|(_, _, found)| found)
    }

    fn pass(&mut self, _: &G, _: u8, _: Gamma, _: &mut dyn Observer<G>) -> Result<Pass<G::Move>, Error> {
        Err(unsupported("has no passes; choose another algorithm"))
    }

    fn window(&mut self, _: &G, _: u8, _: Window) -> Result<Pass<G::Move>, Error> {
        Err(unsupported("has no windows; choose another algorithm"))
    }

    fn forget_game(&mut self) {
        self.mcts.forget_game();
    }

    fn table_entries(&self) -> usize {
        self.mcts.tree_nodes()
    }
}
