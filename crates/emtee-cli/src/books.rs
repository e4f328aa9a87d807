//! Opening books: which one a player asks, and how it is read.

use std::sync::Arc;

use emtee_engine::{Book, Entry};

use crate::commands;
use crate::failure::Failure;

/// The book that a player of a game asks: none, the one that comes with the game for `own`, or that of a file.
pub(crate) fn chosen(game: &dyn Entry, named: &str) -> Result<Option<Arc<Book>>, Failure> {
    let book = match named {
        "none" => return Ok(None),
        "own" => Book::own(game)?,
        file => Book::read(&commands::read(file)?, game)
            .map_err(|why| Failure::bad(format!("cannot use {}: {why}", commands::name(file))))?,
    };
    Ok(Some(Arc::new(book)))
}

/// The text of a file that somebody names to an engine, or why there is none.
pub(crate) fn read(file: &str) -> Result<String, String> {
    // Standard input is where the engine is spoken to.
    let file = if file == "-" { "./-" } else { file };
    commands::read(file).map_err(|failure| failure.to_string())
}
