//! The games by name.

use std::any::TypeId;
use std::marker::PhantomData;

use emtee::nearest;
use emtee_games::{PaperPosition, checkers, chess, connect4, kalah, othello, tictactoe};

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
            .with_sets::<chess::Board>("chess", chess::paper_set(), chess::tuning_set())
            .with_sets::<othello::Board>("othello", othello::paper_set(), othello::tuning_set())
            .with_sets::<checkers::Board>("checkers", checkers::paper_set(), checkers::tuning_set())
            .with::<connect4::Board>("connect4")
            .with::<kalah::Board>("kalah")
            .with::<tictactoe::Board>("tictactoe")
    }

    /// And one more, in place of any of the same name.
    pub fn with<G: Playable>(self, name: &str) -> Registry {
        self.with_sets::<G>(name, &[], &[])
    }

    /// And one more, with the positions of its experiments and those that settings are chosen on.
    fn with_sets<G: Playable>(
        mut self,
        name: &str,
        paper: &'static [PaperPosition],
        tuning: &'static [PaperPosition],
    ) -> Registry {
        self.games.retain(|game| game.name() != name);
        // The field counts Othello's lines that end early, and those of no other game.
        let ended = u64::from(TypeId::of::<G>() == TypeId::of::<othello::Board>());
        self.games.push(Box::new(Named::<G> { name: name.to_owned(), paper, tuning, ended, game: PhantomData }));
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

    /// The positions of a set, `paper` or `tuning`.
    fn set(&self, name: &str) -> Result<Vec<Box<dyn Position>>, Error>;
}

struct Named<G> {
    name: String,
    paper: &'static [PaperPosition],
    tuning: &'static [PaperPosition],
    /// What a line counts that ends before its time.
    ended: u64,
    game: PhantomData<fn() -> G>,
}

impl<G: Playable> Entry for Named<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&self) -> Box<dyn Position> {
        Box::new(At { game: self.name.clone(), text: None, ended: self.ended, board: G::default() })
    }

    fn position(&self, text: &str) -> Result<Box<dyn Position>, Error> {
        let board =
            G::parse(text).map_err(|why| Error::BadPosition { game: self.name.clone(), text: text.to_owned(), why })?;
        Ok(Box::new(At { game: self.name.clone(), text: Some(text.trim().to_owned()), ended: self.ended, board }))
    }

    fn set(&self, name: &str) -> Result<Vec<Box<dyn Position>>, Error> {
        let set = match name {
            "paper" => self.paper,
            "tuning" => self.tuning,
            _ => &[],
        };
        if set.is_empty() {
            return Err(Error::UnknownSet { game: self.name.clone(), name: name.to_owned() });
        }
        set.iter().map(|position| self.position(position.text)).collect()
    }
}
