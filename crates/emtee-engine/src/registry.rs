//! The games by name.

use std::marker::PhantomData;

use emtee::nearest;
use emtee_games::{connect4, kalah, tictactoe};

use crate::error::Error;
use crate::position::{At, Playable, Position};

/// A list of games.
pub struct Registry {
    games: Vec<Box<dyn Entry>>,
}

impl Registry {
    /// The games that come with emtee.
    pub fn standard() -> Registry {
        Registry { games: Vec::new() }
            .with::<connect4::Board>("connect4")
            .with::<kalah::Board>("kalah")
            .with::<tictactoe::Board>("tictactoe")
    }

    /// And one more, in place of any of the same name.
    pub fn with<G: Playable>(mut self, name: &str) -> Registry {
        self.games.retain(|game| game.name() != name);
        self.games.push(Box::new(Named::<G> { name: name.to_owned(), game: PhantomData }));
        self
    }

    /// The game of this name.
    pub fn get(&self, name: &str) -> Result<&dyn Entry, Error> {
        let plain = |text: &str| text.to_ascii_lowercase().replace(['-', '_', ' '], "");
        self.iter().find(|game| plain(game.name()) == plain(name)).ok_or_else(|| Error::UnknownGame {
            name: name.to_owned(),
            nearest: nearest(name, self.names()).unwrap_or_default().to_owned(),
        })
    }

    /// All games.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Entry> {
        self.games.iter().map(AsRef::as_ref)
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(Entry::name)
    }
}

/// A game of the registry.
pub trait Entry: Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// Where it begins.
    fn start(&self) -> Box<dyn Position>;

    /// The position that a text describes.
    fn position(&self, text: &str) -> Result<Box<dyn Position>, Error>;
}

struct Named<G> {
    name: String,
    game: PhantomData<fn() -> G>,
}

impl<G: Playable> Entry for Named<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&self) -> Box<dyn Position> {
        Box::new(At { game: self.name.clone(), text: None, board: G::default() })
    }

    fn position(&self, text: &str) -> Result<Box<dyn Position>, Error> {
        let board =
            G::parse(text).map_err(|why| Error::BadPosition { game: self.name.clone(), text: text.to_owned(), why })?;
        Ok(Box::new(At { game: self.name.clone(), text: Some(text.trim().to_owned()), board }))
    }
}
