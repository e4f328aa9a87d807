//! Loading the opening book of a player.

use std::sync::Arc;

use emtee_engine::{Book, Entry};

use crate::commands;
use crate::failure::Failure;

/// The opening book by its option value: `none`, `own` for the book included with the game, or a file.
pub(crate) fn load(game: &dyn Entry, value: &str) -> Result<Option<Arc<Book>>, Failure> {
    let book = match value {
        "none" => return Ok(None),
        "own" => Book::own(game)?,
        file => Book::read(&commands::read(file)?, game)
            .map_err(|why| Failure::bad(format!("cannot use {}: {why}", commands::name(file))))?,
    };
    Ok(Some(Arc::new(book)))
}

/// The text of a file named in an engine option, or the reason why it cannot be read.
pub(crate) fn read(file: &str) -> Result<String, String> {
    // Standard input carries the protocol, so `-` is an ordinary file name.
    let file = if file == "-" { "./-" } else { file };
    commands::read(file).map_err(|failure| failure.to_string())
}
