//! How a search is set up, whatever the game.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use emtee::{Algorithm, Builder, Grain, Guess, Keep, Ordering, OwnEvaluation, Reuse, Size, Value, player};

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
    /// Enhanced transposition cutoffs from this depth up.
    pub etc: Option<u8>,
    /// Plies from one iteration to the next.
    pub step: u8,
    /// Where first guesses come from.
    pub guess: Guess,
    /// The very first guess.
    pub first_guess: Option<Value>,
    /// What evaluations are rounded to.
    pub grain: i32,
    /// What sorts the moves, instead of what the game chooses.
    pub ordering: Option<Ordering>,
    /// Whether to prove principal variations.
    pub principal_variation: bool,
    /// Whether repetitions and counted moves end the game, the moves played before the position included.
    pub in_play: bool,
    /// A flag that stops the search.
    pub stop: Option<Arc<AtomicBool>>,
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
            grain: 1,
            ordering: None,
            principal_variation: true,
            in_play: false,
            stop: None,
        }
    }
}

impl Settings {
    /// The library's builder, so set. What concerns the table is left out for the algorithms that have none.
    pub(crate) fn builder(&self) -> Builder<Grain<OwnEvaluation>> {
        let mut builder = player(Grain { grain: self.grain, evaluator: OwnEvaluation })
            .algorithm(self.algorithm)
            .deepen_by(self.step)
            .guess(self.guess)
            .principal_variation(self.principal_variation);
        if !self.algorithm.is_oracle() {
            builder = builder.table(self.size).keep(self.keep).reuse(self.reuse).store_leaves(self.store_leaves);
            if let Some(depth) = self.etc {
                builder = builder.etc(depth);
            }
        }
        if let Some(value) = self.first_guess {
            builder = builder.first_guess(value);
        }
        if let Some(ordering) = self.ordering {
            builder = builder.ordering(ordering);
        }
        match &self.stop {
            Some(flag) => builder.stop_flag(flag.clone()),
            None => builder,
        }
    }
}
