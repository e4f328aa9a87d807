//! The games by name.

use emtee::{OwnEvaluation, nearest};
use emtee_games::drawing::Drawn;
use emtee_games::{PaperPosition, checkers, chess, connect4, kalah, othello, tictactoe};

use crate::customs::{Customs, ReadMoves, checkers_moves, chess_moves, othello_moves};
use crate::endings::CheckersEndings;
use crate::error::Error;
use crate::position::{At, Playable, Position};
use crate::session::{Engine, OthelloEnd, Play, Player};
use crate::solve::{self, mates};

/// A list of games.
pub struct Registry {
    games: Vec<Box<dyn Entry>>,
}

impl Registry {
    /// The games that come with emtee.
    pub fn standard() -> Registry {
        Registry { games: Vec::new() }
            .add::<chess::Board>(
                "chess",
                Customs {
                    write: Some(chess::Board::san),
                    dead: Some(chess::Board::is_insufficient_material),
                    ..drawn(0, Some(chess_moves)).solved_by(mates)
                },
                [chess::paper_set(), chess::tuning_set()],
            )
            // The field counts Othello's lines that end early, and those of no other game.
            .add::<othello::Board>(
                "othello",
                drawn(1, Some(othello_moves)).solved_by(solve::othello).finished_by(OthelloEnd::boxed),
                [othello::paper_set(), othello::tuning_set()],
            )
            .add::<checkers::Board>(
                "checkers",
                drawn(0, Some(checkers_moves)).solved_by(solve::checkers).asking(&CheckersEndings),
                [checkers::paper_set(), checkers::tuning_set()],
            )
            .add::<connect4::Board>("connect4", drawn(0, None).solved_by(solve::connect4), [&[]; 2])
            .add::<kalah::Board>("kalah", drawn(0, None).solved_by(solve::kalah), [&[]; 2])
            .with_drawing::<tictactoe::Board>("tictactoe")
    }

    /// And one more, in place of any of the same name. `{:#}` draws its boards.
    pub fn with<G: Playable>(self, name: &str) -> Registry {
        self.add::<G>(name, Customs::PLAIN, [&[]; 2])
    }

    /// And one more, whose boards can be painted.
    pub fn with_drawing<G: Playable + Drawn>(self, name: &str) -> Registry {
        self.add::<G>(name, drawn(0, None), [&[]; 2])
    }

    /// And one more, with the positions of its experiments and those that settings are chosen on.
    fn add<G: Playable>(mut self, name: &str, customs: Customs<G>, [paper, tuning]: [Set; 2]) -> Registry {
        self.games.retain(|game| game.name() != name);
        self.games.push(Box::new(Named { name: name.to_owned(), paper, tuning, customs }));
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

fn drawn<G: Playable + Drawn>(ended: u64, read: Option<ReadMoves<G>>) -> Customs<G> {
    Customs { ended, draw: Some(G::drawing), read, ..Customs::PLAIN }
}

/// A game of the registry.
pub trait Entry: Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// What its evaluations are rounded to where nobody says otherwise.
    fn grain(&self) -> i32;

    /// Where it begins.
    fn start(&self) -> Box<dyn Position>;

    /// The position that a text describes.
    fn position(&self, text: &str) -> Result<Box<dyn Position>, Error>;

    /// A player of the game. Its table is taken from the system now, which takes its time.
    fn engine(&self, play: &Play) -> Result<Box<dyn Engine>, Error>;

    /// The positions of a set, `paper` or `tuning`.
    fn set(&self, name: &str) -> Result<Vec<Box<dyn Position>>, Error>;
}

type Set = &'static [PaperPosition];

struct Named<G: Playable> {
    name: String,
    paper: Set,
    tuning: Set,
    customs: Customs<G>,
}

impl<G: Playable> Named<G> {
    fn at(&self, text: Option<String>, board: G) -> At<G> {
        At { game: self.name.clone(), text, customs: self.customs, board, before: Vec::new() }
    }
}

impl<G: Playable> Entry for Named<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn grain(&self) -> i32 {
        G::GRAIN
    }

    fn start(&self) -> Box<dyn Position> {
        Box::new(self.at(None, G::default()))
    }

    fn position(&self, text: &str) -> Result<Box<dyn Position>, Error> {
        let board =
            G::parse(text).map_err(|why| Error::BadPosition { game: self.name.clone(), text: text.to_owned(), why })?;
        Ok(Box::new(self.at(Some(text.trim().to_owned()), board)))
    }

    fn engine(&self, play: &Play) -> Result<Box<dyn Engine>, Error> {
        match self.customs.probing(&self.name, &play.endings)? {
            None => Ok(Box::new(Player::<G, _>::new(&self.name, play, OwnEvaluation)?.finished_by(self.customs.end))),
            Some((probing, endings)) => probing.engine(&self.name, play, endings),
        }
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
