//! Whether an engine plays from a book, and from which: what UCI and Hub have options for.

use std::sync::Arc;

use super::Setup;
use super::engine_thread::EngineThread;
use crate::book::Book;
use crate::registry::Entry;

pub(super) struct BookOption<'g> {
    game: &'g dyn Entry,
    /// How files are read.
    read: fn(&str) -> Result<String, String>,
    on: bool,
    /// The book that was named; that of the game if none was.
    named: Option<Arc<Book>>,
}

impl<'g> BookOption<'g> {
    pub(super) fn new(game: &'g dyn Entry, setup: &Setup) -> BookOption<'g> {
        let named = setup.play.book.clone();
        BookOption { game, read: setup.read, on: named.is_some(), named }
    }

    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    /// Plays from a book from now on, or no longer.
    pub(super) fn set(&mut self, on: bool, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let was = std::mem::replace(&mut self.on, on);
        self.apply(thread, true).inspect_err(|_| self.on = was)
    }

    /// Plays from this file, if from a book at all; from the game's own book where there is no name.
    pub(super) fn set_file(&mut self, file: &str, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        self.named = match file {
            // UCI's word for nothing.
            "" | "<empty>" => None,
            file => {
                let read = |text: String| Book::read(&text, self.game);
                let book = (self.read)(file).and_then(|text| read(text).map_err(|why| format!("{file}: {why}")));
                Some(Arc::new(book?))
            }
        };
        self.apply(thread, true)
    }

    /// Has the engine play so, where somebody plays and does not analyse.
    pub(super) fn apply(&self, thread: &mut EngineThread<'_, '_>, playing: bool) -> Result<(), String> {
        let book = match &self.named {
            _ if !self.on || !playing => None,
            Some(named) => Some(named.clone()),
            None => Some(Arc::new(Book::own(self.game).map_err(|error| error.to_string())?)),
        };
        thread.change(|play| play.book = book).map_err(|error| error.to_string())
    }
}
