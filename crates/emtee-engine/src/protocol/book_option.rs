//! The opening book options of UCI and Hub: whether an engine uses a book, and which one.

use std::sync::Arc;

use super::Setup;
use super::engine_thread::EngineThread;
use crate::book::Book;
use crate::registry::Entry;

pub(super) struct BookOption<'g> {
    game: &'g dyn Entry,
    /// Reads a file.
    read_file: fn(&str) -> Result<String, String>,
    on: bool,
    /// The chosen book. `None`: the game's own book.
    chosen: Option<Arc<Book>>,
}

impl<'g> BookOption<'g> {
    pub(super) fn new(game: &'g dyn Entry, setup: &Setup) -> BookOption<'g> {
        let chosen = setup.play.book.clone();
        BookOption { game, read_file: setup.read_file, on: chosen.is_some(), chosen }
    }

    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    /// Turns the book on or off.
    pub(super) fn set(&mut self, on: bool, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let was = std::mem::replace(&mut self.on, on);
        self.apply(thread, true).inspect_err(|_| self.on = was)
    }

    /// Chooses a book file. An empty name chooses the game's own book.
    pub(super) fn set_file(&mut self, file: &str, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        self.chosen = match file {
            // An empty string in UCI.
            "" | "<empty>" => None,
            file => {
                let read = |text: String| Book::read(&text, self.game);
                let book = (self.read_file)(file).and_then(|text| read(text).map_err(|why| format!("{file}: {why}")));
                Some(Arc::new(book?))
            }
        };
        self.apply(thread, true)
    }

    /// Gives the engine its book. In analysis it gets none.
    pub(super) fn apply(&self, thread: &mut EngineThread<'_, '_>, playing: bool) -> Result<(), String> {
        let book = match &self.chosen {
            _ if !self.on || !playing => None,
            Some(named) => Some(named.clone()),
            None => Some(Arc::new(Book::own(self.game).map_err(|error| error.to_string())?)),
        };
        thread.change(|play| play.book = book).map_err(|error| error.to_string())
    }
}
