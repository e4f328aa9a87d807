//! Engines with a clock: they keep their table between moves and manage their time.
//!
//! ```
//! use emtee_engine::{Clock, Control, Play, Registry};
//!
//! let registry = Registry::standard();
//! let game = registry.get("connect4")?;
//! let mut engine = game.engine(&Play::default())?;
//! let position = game.position("4455")?;
//! let choice = engine.think(&*position, &Clock::ms(30), &Control::default(), &mut |_| ())?;
//! assert!(position.after(&choice.best_move.unwrap()).is_ok());
//! # Ok::<(), emtee_engine::Error>(())
//! ```

mod clock;
mod control;
mod endgame;
mod engine;
mod manager;

use std::sync::Arc;
use std::time::Duration;

use emtee::research::{Options, Reuse};
use emtee::{Algorithm, Level, Selective, Size};
use emtee_games::checkers::endings::Database;

use crate::book::Book;
use crate::error::Error;
use crate::event::Event;
use crate::position::Position;
use crate::row::Row;
use crate::settings::Settings;

pub use clock::Clock;
pub use control::Control;
pub(crate) use endgame::nodes_in;
pub use endgame::{EndgameSolution, EndgameSolver, MakeEndgameSolver};
pub(crate) use engine::GameEngine;

/// The default size of the table.
const HASH: Size = Size::of_bytes(64 << 20);

/// How an engine plays. The lab's searches use [`Settings`] instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    /// The options of the search, except selectivity.
    pub options: Options,
    /// Whether the search is selective. If not, all lines are searched to the same depth.
    pub selective: bool,
    /// The selective techniques, instead of the game's own choice.
    pub switches: Option<Selective>,
    /// Whether the end of the game is solved, if the game has an endgame solver: Othello has one.
    pub solving: bool,
    /// The part of each move's time that is kept back for communication.
    pub overhead: Duration,
    /// The evaluator, by name. `None`: the game's best one; `own`: the game's own evaluation.
    pub evaluator: Option<String>,
    /// An endings database to probe. A larger one is used from the next move on once it is available. Only checkers has
    /// databases.
    pub endings: Option<Database>,
    /// Whether the evaluation distinguishes draws in the database: the engine prefers draws in which the opponent
    /// can still go wrong. At a level, all draws have the value 0.
    pub chances: bool,
    /// An opening book that is probed before a search.
    pub book: Option<Arc<Book>>,
    /// The playing strength, as a number of nodes and a choice among good moves. `None`: full strength. At a level the
    /// search is not selective, so that every win it finds is proved.
    pub level: Option<Level>,
    /// The seed of random choices: among good moves at a level, and among book moves.
    pub seed: u64,
    /// Whether moves are written in the game's alternate notation, with `{:#}`. In chess, castling is then written as
    /// king takes rook.
    pub alternate: bool,
}

impl Default for Play {
    fn default() -> Play {
        let mut options = Settings::default().options;
        options.size = Some(HASH);
        options.reuse = Some(Reuse::AtLeastDepth);
        Play {
            options,
            selective: true,
            switches: None,
            solving: true,
            overhead: Duration::from_millis(10),
            evaluator: None,
            endings: None,
            chances: true,
            book: None,
            level: None,
            seed: 0,
            alternate: false,
        }
    }
}

impl Play {
    /// The default settings of an engine with this algorithm: selective, unless the algorithm searches everything.
    pub fn by(algorithm: Algorithm) -> Play {
        let mut play = Play { selective: algorithm.shares_work(), ..Play::default() };
        play.options.algorithm = algorithm;
        play
    }

    /// The same, with a table of this size.
    pub fn with_hash(mut self, size: Size) -> Play {
        self.options.size = Some(size);
        self
    }

    /// The size of the table.
    pub fn hash(&self) -> Size {
        self.options.size.unwrap_or(HASH)
    }

    /// The settings of the search, for a game in which these selective techniques pay.
    pub(crate) fn settings(&self, pays: Selective) -> Settings {
        let mut options = self.options;
        // MCTS has no selective search, so the default of the other algorithms does not apply to it. Explicit switches are
        // refused.
        let selective = self.selective && (options.algorithm != Algorithm::Mcts || self.switches.is_some());
        options.mode = match self.level {
            None if selective => self.switches.unwrap_or(pays).into(),
            _ => options.mode,
        };
        let (evaluator, endings, chances) = (self.evaluator.clone(), self.endings.clone(), self.distinguishes_draws());
        Settings { options, in_play: true, evaluator, endings, chances, ..Settings::default() }
    }

    /// Whether the evaluation distinguishes draws in a database.
    fn distinguishes_draws(&self) -> bool {
        self.chances && self.level.is_none()
    }
}

/// An engine for one game that keeps its table between moves. Made by [`Entry::engine`](crate::Entry::engine).
pub trait Engine: Send {
    /// Starts a new game: clears everything. With a large table this takes time, so call it before the clock runs.
    fn new_game(&mut self) -> Result<(), Error>;

    /// Changes how the engine plays. The table is kept unless its size changes. If the selective techniques change, its
    /// values are dropped and its best moves kept. Invalid options are refused, and nothing changes.
    fn reconfigure(&mut self, play: &Play) -> Result<(), Error>;

    /// Thinks about a position, with its game history, until the clock or the control ends the search.
    ///
    /// This call blocks; use a thread if the program has other work. `event` gets every finished iteration and the result,
    /// and in a long iteration also every pass.
    ///
    /// A book move is chosen at once, without an event, unless the clock requests an analysis.
    ///
    /// There is always a best move if there is a legal move, even with no time left.
    fn think(
        &mut self,
        position: &dyn Position,
        clock: &Clock,
        control: &Control,
        event: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Choice, Error>;
}

/// The result of thinking.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Choice {
    /// The move. `None` only if there is no legal move.
    pub best_move: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
    /// Whether the move comes from an opening book, without a search.
    pub from_book: bool,
    /// The result of the search.
    pub row: Row,
}
