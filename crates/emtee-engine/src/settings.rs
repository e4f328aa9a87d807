//! The settings of a search, for any game.

use std::sync::Arc;

use emtee::research::{Deepening, Mode, Options, Peers};
use emtee::{Builder, Clock, Game, Grain, OwnEvaluation, Size, Stop, Value, player};
use emtee_games::checkers::endings::Database;

use crate::now::now;

/// The game's own evaluation without rounding, in the evaluator type that all our searches share: each evaluator type
/// compiles its own search.
pub(crate) const UNROUNDED: Grain<OwnEvaluation> = Grain { grain: 1, evaluator: OwnEvaluation };

/// The settings of a search: the library's options and everything else it needs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The options. Table options are ignored by the algorithms without a table.
    pub options: Options,
    /// The number of best moves to rank. All of them are searched at every depth.
    pub lines: usize,
    /// The first guess of each iteration, in order, instead of values from earlier iterations.
    pub guesses: Vec<Value>,
    /// The rounding of evaluations, instead of the game's own grain.
    pub grain: Option<i32>,
    /// Whether repetitions and the count of moves end the game, including the moves played before the position.
    pub in_play: bool,
    /// The evaluator, by name. `None`: the game's own evaluation.
    pub evaluator: Option<String>,
    /// An endings database for the search to probe. Only checkers has databases.
    pub endings: Option<Database>,
    /// Whether the evaluation distinguishes draws in the database. If not, all of them have the value 0.
    pub chances: bool,
    /// What stops the search from outside.
    pub stop: Option<Stop>,
    /// The clock, instead of the default one.
    pub clock: Option<Clock>,
    /// The other processes of a distributed search.
    pub peers: Option<Arc<dyn Peers>>,
}

/// The settings of the lab: a table of a fixed size, as in the paper, that stores leaves. Counts then do not depend on
/// a game's preferences.
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
    /// The options for the library, without the table options if the algorithm has no table.
    pub(crate) fn options(&self) -> Options {
        let mut options = self.options;
        if options.algorithm.is_oracle() {
            (options.size, options.keep, options.reuse) = (None, None, None);
            (options.store_leaves, options.mode) = (None, Mode::EXACT);
        }
        options
    }

    /// The library's builder with these settings.
    pub(crate) fn builder<G: Game, E>(&self, evaluator: E) -> Builder<Grain<E>> {
        let builder = player(Grain { grain: self.grain.unwrap_or(G::TUNING.grain), evaluator }).options(self.options);
        let builder = builder.guesses(self.guesses.clone()).clock(self.clock.unwrap_or(now));
        match &self.stop {
            Some(stop) => builder.stop(stop.clone()),
            None => builder,
        }
    }
}
