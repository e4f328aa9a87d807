//! Opening books: positions with what they are worth, asked in play before a search.
//!
//! A book knows positions, not moves. Whoever asks it plays every legal move in turn and looks up where it leads. So no file,
//! however wrong, makes a player play an illegal move; positions that are reached in another way, or mirrored, are recognised;
//! and a move is played only if what follows it, as far as the book goes, is as good as the best.
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

#[cfg(feature = "study")]
mod build;
mod format;
#[cfg(feature = "study")]
mod games;
mod graph;

use std::collections::HashMap;

use emtee::mix;

use crate::error::Error;
use crate::position::Position;
use crate::registry::Entry;

#[cfg(feature = "study")]
pub use build::{BookBuilder, BookTask};
pub(crate) use graph::Graph;

/// An opening book of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// What positions are worth to their side to move, by key.
    pub(crate) values: HashMap<u64, i32>,
    /// By how much a move may be worse than the best.
    pub(crate) near: i32,
}

/// What a book says about a position.
pub(crate) struct BookLine {
    /// The move, and what both sides would play behind it.
    pub(crate) moves: Vec<String>,
    /// What it is worth to the side to move.
    pub(crate) value: i32,
}

impl Book {
    /// Reads a book of a game, or says what is wrong with it.
    pub fn read(text: &str, game: &dyn Entry) -> Result<Book, String> {
        let graph = Graph::read(text, game)?;
        Ok(Book { values: graph.values(), near: game.conventions().clear_lead / NEAR })
    }

    /// The book that comes with a game.
    pub fn own(game: &dyn Entry) -> Result<Book, Error> {
        let none = || Error::NoBook { game: game.name().to_owned() };
        Book::read(game.book().ok_or_else(none)?, game).map_err(|_| none())
    }

    /// How many positions it knows.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// What to play, if the book knows: one of the moves that are nearly as good as the best, by a seed.
    pub(crate) fn line(&self, position: &dyn Position, seed: u64) -> Option<BookLine> {
        let mut good = self.good_moves(position);
        if good.is_empty() {
            return None;
        }
        let which = mix(seed ^ mix(position.book_key())) % good.len() as u64;
        let (value, m, mut now) = good.swap_remove(which as usize);
        let mut moves = vec![m];
        while moves.len() < SHOWN
            && let Some((_, m, after)) = self.good_moves(&*now).into_iter().max_by_key(|(value, ..)| *value)
        {
            moves.push(m);
            now = after;
        }
        Some(BookLine { moves, value })
    }

    /// The moves that are nearly as good as the best, what they are worth and where they lead. None that the game has been at
    /// before.
    fn good_moves(&self, position: &dyn Position) -> Vec<(i32, String, Box<dyn Position>)> {
        let Some(best) = self.values.get(&position.book_key()) else { return Vec::new() };
        let known = |m: String| {
            let after = position.after(&m).ok()?;
            let value = *self.values.get(&after.book_key())?;
            let value = if after.turn() == position.turn() { value } else { -value };
            (value >= best - self.near && !after.has_occurred()).then_some((value, m, after))
        };
        position.moves().into_iter().filter_map(known).collect()
    }
}

/// Moves that are worse by no more than this part of a clear lead are as good as the best.
const NEAR: i32 = 20;

/// How long a line is shown.
const SHOWN: usize = 8;
