//! Players with a clock: an engine that remembers between moves, and how long it thinks.
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
mod engine;
mod finish;
mod manager;

use std::sync::Arc;
use std::time::Duration;

use emtee::research::{Options, Reuse};
use emtee::{Algorithm, Level, Selective, Size};
use emtee_games::checkers::endings::Database;

use crate::book::Book;
use crate::error::Error;
use crate::position::Position;
use crate::row::Row;
use crate::settings::Settings;

pub use clock::Clock;
pub use control::Control;
pub(crate) use engine::GameEngine;
pub(crate) use finish::{Finisher, OthelloEnd};

/// The size of the table, where nobody says otherwise.
const HASH: Size = Size::of_bytes(64 << 20);

/// How an engine plays, as opposed to [`Settings`], how the lab searches.
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    /// The options of its search, but for what it leaves out.
    pub options: Options,
    /// Whether the search leaves out what hardly matters in the game; if not, every line is searched to the same depth.
    pub selective: bool,
    /// What it leaves out then, instead of what the game says pays in it.
    pub switches: Option<Selective>,
    /// Whether the end of the game is solved where the game has a solver for it: Othello does.
    pub solving: bool,
    /// What is kept back of every move's time for whoever carries the moves.
    pub overhead: Duration,
    /// What positions are evaluated with, by name; what is best for the game if not given, and `own` for its own evaluation.
    pub evaluator: Option<String>,
    /// An endings database that the search asks, and a larger one from the next move on when that has arrived. Only checkers
    /// has such.
    pub endings: Option<Database>,
    /// Whether draws that the database knows are told apart by the evaluation: the engine goes for those in which the other
    /// side can still go wrong. At a level all are worth 0.
    pub chances: bool,
    /// An opening book that is asked before a search.
    pub book: Option<Arc<Book>>,
    /// How strong, as a number of nodes and a choice among good moves; as strong as the clock allows if not given. A level
    /// leaves nothing out, so that a win it sees is one.
    pub level: Option<Level>,
    /// What the choice is made by, and that among the moves of a book.
    pub seed: u64,
    /// Whether moves are written the game's other way, with `{:#}`: for chess, castling as king takes rook.
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
    /// As usual with this algorithm: selective, unless it searches everything.
    pub fn by(algorithm: Algorithm) -> Play {
        let everything = algorithm.is_oracle() || matches!(algorithm, Algorithm::AlphaBeta | Algorithm::Scout);
        let mut play = Play { selective: !everything, ..Play::default() };
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

    /// The search that plays so a game in which this pays.
    pub(crate) fn settings(&self, pays: Selective) -> Settings {
        let mut options = self.options;
        options.mode = match self.level {
            None if self.selective => self.switches.unwrap_or(pays).into(),
            _ => options.mode,
        };
        let (evaluator, endings, chances) = (self.evaluator.clone(), self.endings.clone(), self.tells_draws_apart());
        Settings { options, in_play: true, evaluator, endings, chances, ..Settings::default() }
    }

    /// Whether draws that a database knows are told apart.
    fn tells_draws_apart(&self) -> bool {
        self.chances && self.level.is_none()
    }
}

/// A player of one game, that remembers between moves. Made by [`Entry::engine`](crate::Entry::engine).
pub trait Engine: Send {
    /// Forgets everything. Takes its time with a large table, so that no move has to.
    fn new_game(&mut self) -> Result<(), Error>;

    /// Plays otherwise from now on. What it remembers is kept, unless the table has another size. Where something else is left
    /// out, the values are forgotten and the best moves kept. What cannot be is refused, and nothing is lost.
    fn reconfigure(&mut self, play: &Play) -> Result<(), Error>;

    /// Thinks about a position, the moves before it included, until the clock or the control ends it.
    ///
    /// Blocks: whoever has other things to do calls it on a thread of its own. Every finished iteration is shown as it
    /// comes; in an iteration that takes long, so is every pass, as a row with bounds, without a value and not complete.
    ///
    /// A move of an opening book is chosen at once and not shown, unless the clock says that somebody wants to know more.
    ///
    /// There is a best move whenever there is a legal one, however little time there was.
    fn think(
        &mut self,
        position: &dyn Position,
        clock: &Clock,
        control: &Control,
        shown: &mut dyn FnMut(&Row),
    ) -> Result<Choice, Error>;
}

/// What an engine chose.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Choice {
    /// The move; nothing only if there is none.
    pub best_move: Option<String>,
    /// The reply it expects.
    pub ponder: Option<String>,
    /// Whether it comes from an opening book, and nothing was searched.
    pub from_book: bool,
    /// What it found.
    pub row: Row,
}
