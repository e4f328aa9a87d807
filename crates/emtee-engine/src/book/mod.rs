//! Opening books: positions with values, probed in play before a search.
//!
//! A book stores positions, not moves. To choose a move, every legal move is played and the position after it is looked
//! up. So a damaged file can never cause an illegal move; transpositions and mirror images are found; and a move is
//! chosen only if its value, backed up from the rest of the book, is as good as the best.
//!
//! ```
//! use emtee_engine::{Book, Clock, Control, Play, Registry};
//!
//! let registry = Registry::standard();
//! let game = registry.get("othello")?;
//! let book = Book::read("emtee book othello\nf5 0\n f6 -3\n d6 0\n", game)?;
//! let play = Play { book: Some(book.into()), ..Play::default() };
//! let position = game.start().after("c4")?; // A mirror image of f5.
//! let choice = game.engine(&play)?.think(&*position, &Clock::ms(30), &Control::default(), &mut |_| ())?;
//! assert_eq!((choice.best_move.as_deref(), choice.from_book), (Some("e3"), true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod format;
mod games;
mod graph;

use std::collections::HashMap;

use emtee::mix;

use crate::error::Error;
use crate::position::Position;
use crate::registry::Entry;

pub use build::{BookBuilder, BookTask};
pub(crate) use graph::Graph;

/// An opening book of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// The values of positions for their side to move, by key.
    pub(crate) values: HashMap<u64, i32>,
    /// How much worse than the best a chosen move may be.
    pub(crate) margin: i32,
}

/// What a book contains for a position.
pub(crate) struct BookLine {
    /// The move, and the expected moves after it.
    pub(crate) moves: Vec<String>,
    /// The value for the side to move.
    pub(crate) value: i32,
}

impl Book {
    /// Reads a book. The error says what is wrong with it.
    pub fn read(text: &str, game: &dyn Entry) -> Result<Book, String> {
        let graph = Graph::read(text, game)?;
        Ok(Book { values: graph.values(), margin: game.conventions().clear_lead / MARGIN_PART })
    }

    /// The built-in book of a game.
    pub fn own(game: &dyn Entry) -> Result<Book, Error> {
        let none = || Error::NoBook { game: game.name().to_owned() };
        Book::read(game.book().ok_or_else(none)?, game).map_err(|_| none())
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// A line from this position, if the book contains it. Its first move is chosen by a seed among those within the
    /// margin of the best one.
    pub(crate) fn line(&self, position: &dyn Position, seed: u64) -> Option<BookLine> {
        let mut good = self.good_moves(position);
        if good.is_empty() {
            return None;
        }
        let which = mix(seed ^ mix(position.book_key())) % good.len() as u64;
        let (value, m, mut now) = good.swap_remove(which as usize);
        let mut moves = vec![m];
        while moves.len() < MAX_LINE
            && let Some((_, m, after)) = self.good_moves(&*now).into_iter().max_by_key(|(value, ..)| *value)
        {
            moves.push(m);
            now = after;
        }
        Some(BookLine { moves, value })
    }

    /// The moves within the margin of the best one, with their values and the positions after them. Moves to a position
    /// that has already occurred in the game are left out.
    fn good_moves(&self, position: &dyn Position) -> Vec<(i32, String, Box<dyn Position>)> {
        let Some(best) = self.values.get(&position.book_key()) else { return Vec::new() };
        let known = |m: String| {
            let after = position.after(&m).ok()?;
            let value = *self.values.get(&after.book_key())?;
            let value = if after.turn() == position.turn() { value } else { -value };
            (value >= best - self.margin && !after.has_occurred()).then_some((value, m, after))
        };
        position.moves().into_iter().filter_map(known).collect()
    }
}

/// The margin is this fraction of a clear lead.
const MARGIN_PART: i32 = 20;

/// The maximum length of a line.
const MAX_LINE: usize = 8;
