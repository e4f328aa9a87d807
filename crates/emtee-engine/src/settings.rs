//! How a search is set up, whatever the game.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use emtee::research::{Deepening, Mode, Options, Peers};
use emtee::{Builder, Clock, Game, Grain, OwnEvaluation, Size, Value, player};
use emtee_games::checkers::endings::Database;

use crate::now::now;

/// A game's own evaluation, in the clothes that all our searches have: each kind of evaluator is compiled by itself.
pub(crate) const UNROUNDED: Grain<OwnEvaluation> = Grain { grain: 1, evaluator: OwnEvaluation };

/// The settings of a search: the library's options, and what they do not hold.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The options. What they say of the table is left out for the algorithms that have none.
    pub options: Options,
    /// How many of the best moves are ranked, each of them at every depth.
    pub lines: usize,
    /// The first guess of each iteration, one after the other, instead of what those before found.
    pub guesses: Vec<Value>,
    /// What evaluations are rounded to, instead of the game's own grain.
    pub grain: Option<i32>,
    /// Whether repetitions and counted moves end the game, the moves played before the position included.
    pub in_play: bool,
    /// What positions are evaluated with, by name; the game's own evaluation if not given.
    pub evaluator: Option<String>,
    /// An endings database that the search may ask. Only checkers has such.
    pub endings: Option<Database>,
    /// Whether draws that the database knows are told apart by the evaluation. If not, all are worth 0.
    pub chances: bool,
    /// A flag that stops the search.
    pub stop: Option<Arc<AtomicBool>>,
    /// What time is measured with, instead of the usual clock.
    pub clock: Option<Clock>,
    /// Other machines that make the same search.
    pub peers: Option<Arc<dyn Peers>>,
}

/// The lab's: a table of a fixed size, the paper's, with the leaves in it. So counts are the same whatever the game prefers.
impl Default for Settings {
    fn default() -> Settings {
        let mut options = Options::default();
        options.deepening = Deepening::By(1);
        options.size = Some(Size::default());
        options.store_leaves = Some(true);
        Settings {
            options,
            lines: 1,
            guesses: Vec::new(),
            grain: None,
            in_play: false,
            evaluator: None,
            endings: None,
            chances: false,
            stop: None,
            clock: None,
            peers: None,
        }
    }
}

impl Settings {
    /// The options as the library takes them: nothing about the table for an algorithm that has none.
    pub(crate) fn options(&self) -> Options {
        let mut options = self.options;
        if options.algorithm.is_oracle() {
            (options.size, options.keep, options.reuse) = (None, None, None);
            (options.store_leaves, options.mode) = (None, Mode::EXACT);
        }
        options
    }

    /// The library's builder, so set.
    pub(crate) fn builder<G: Game, E>(&self, evaluator: E) -> Builder<Grain<E>> {
        let builder = player(Grain { grain: self.grain.unwrap_or(G::TUNING.grain), evaluator }).options(self.options());
        let builder = builder.guesses(self.guesses.clone()).clock(self.clock.unwrap_or(now));
        match &self.stop {
            Some(flag) => builder.stop_flag(flag.clone()),
            None => builder,
        }
    }
}
