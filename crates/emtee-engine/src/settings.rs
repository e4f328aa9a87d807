//! How a search is set up, whatever the game.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use emtee::research::{Driver, Guess, Keep, Mtd, Options, Progress, Reuse, Sharing};
use emtee::{Algorithm, Bounds, Builder, Clock, Game, Grain, Ordering, OwnEvaluation, Selective, Size, Value, player};
use emtee_games::checkers::endings::Endings;

/// A game's own evaluation, in the clothes that all our searches have: each kind of evaluator is compiled by itself.
pub(crate) const UNROUNDED: Grain<OwnEvaluation> = Grain { grain: 1, evaluator: OwnEvaluation };

/// The settings of a search. The default is the library's own.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The size of the table.
    pub size: Size,
    /// One bound an entry or two.
    pub keep: Keep,
    /// Which entries may answer.
    pub reuse: Reuse,
    /// Whether leaves go through the table too.
    pub store_leaves: bool,
    /// Enhanced transposition cutoffs from this depth up, none if 0, instead of what the game says.
    pub etc: Option<u8>,
    /// Plies from one iteration to the next; 0 for one iteration at the full depth.
    pub step: u8,
    /// Where first guesses come from.
    pub guess: Guess,
    /// The very first guess.
    pub first_guess: Option<Value>,
    /// The first guess of each iteration, one after the other, for drivers of MT that begin with one.
    pub guesses: Option<Vec<Value>>,
    /// What to leave out: nothing in the lab.
    pub selective: Selective,
    /// What evaluations are rounded to, instead of the game's own grain.
    pub grain: Option<i32>,
    /// How many threads search; 0 for all cores.
    pub threads: usize,
    /// How they keep out of each other's way.
    pub sharing: Sharing,
    /// What a visit takes on a virtual clock, by which the threads take turns.
    pub virtual_visit: Option<Duration>,
    /// What sorts the moves, instead of what the game chooses.
    pub ordering: Option<Ordering>,
    /// Whether to prove principal variations.
    pub principal_variation: bool,
    /// Whether repetitions and counted moves end the game, the moves played before the position included.
    pub in_play: bool,
    /// An endings database that the search may ask. Only checkers has such.
    pub endings: Option<Arc<Endings>>,
    /// A flag that stops the search.
    pub stop: Option<Arc<AtomicBool>>,
    /// What time is measured with, instead of the system's clock.
    pub clock: Option<Clock>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            algorithm: Algorithm::default(),
            size: Size::default(),
            keep: Keep::default(),
            reuse: Reuse::default(),
            store_leaves: true,
            etc: None,
            step: 1,
            guess: Guess::default(),
            first_guess: None,
            guesses: None,
            selective: Selective::NONE,
            grain: None,
            threads: 1,
            sharing: Sharing::default(),
            virtual_visit: None,
            ordering: None,
            principal_variation: true,
            in_play: false,
            endings: None,
            stop: None,
            clock: None,
        }
    }
}

impl Settings {
    /// The library's builder, so set. What concerns the table is left out for the algorithms that have none.
    pub(crate) fn builder<G: Game>(&self) -> Builder<Grain<OwnEvaluation>> {
        self.builder_with::<G, _>(OwnEvaluation)
    }

    /// The same, with another evaluator.
    pub(crate) fn builder_with<G: Game, E>(&self, evaluator: E) -> Builder<Grain<E>> {
        let mut options = Options::default();
        options.algorithm = self.algorithm;
        options.guess = self.guess;
        options.selective = self.selective;
        options.threads = self.threads;
        options.sharing = self.sharing;
        options.principal_variation = self.principal_variation;
        options.step = (self.step > 0).then_some(self.step);
        options.virtual_visit = self.virtual_visit;
        options.first_guess = self.first_guess;
        options.ordering = self.ordering;
        if !self.algorithm.is_oracle() {
            (options.size, options.keep, options.reuse) = (Some(self.size), Some(self.keep), Some(self.reuse));
            (options.store_leaves, options.etc) = (Some(self.store_leaves), self.etc);
        }
        let mut builder = player(Grain { grain: self.grain.unwrap_or(G::GRAIN), evaluator }).options(options);
        if let (Some(guesses), Some(driver)) = (&self.guesses, self.algorithm.driver()) {
            builder = builder.driver(Told { driver, guesses: guesses.clone(), next: Cell::new(0) });
        }
        if let Some(clock) = self.clock {
            builder = builder.clock(clock);
        }
        match &self.stop {
            Some(flag) => builder.stop_flag(flag.clone()),
            None => builder,
        }
    }
}

/// A driver that is told the first guess of each iteration.
struct Told {
    driver: Mtd,
    guesses: Vec<Value>,
    next: Cell<usize>,
}

impl Driver for Told {
    fn first(&self, approximation: Value, range: Bounds) -> Value {
        let at = self.next.replace(self.next.get() + 1);
        self.driver.first(self.guesses.get(at).copied().unwrap_or(approximation), range)
    }

    fn next(&mut self, progress: &Progress) -> Value {
        self.driver.next(progress)
    }
}
