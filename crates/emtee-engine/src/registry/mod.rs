//! The games by name.

#[cfg(feature = "games")]
mod games;

#[cfg(feature = "study")]
use emtee::Side;
use emtee::research::Guess;
use emtee::{Algorithm, Size};
use emtee_games::drawing::Drawn;
#[cfg(feature = "study")]
use emtee_games::packed::PACKED;

#[cfg(feature = "study")]
use crate::datagen::TrainingGames;
use crate::error::Error;
use crate::kit::{Conventions, Kit};
use crate::names::near;
use crate::position::{At, Playable, Position};
use crate::session::{Engine, GameEngine, Play};

/// A list of games: empty by default.
#[derive(Default)]
pub struct Registry {
    games: Vec<Box<dyn Entry>>,
}

impl Registry {
    /// And one more, in place of any of the same name. `{:#}` draws its boards.
    pub fn with<G: Playable>(self, name: &str) -> Registry {
        self.add::<G>(name, Kit::PLAIN)
    }

    /// And one more, whose boards can be painted.
    pub fn with_drawing<G: Playable + Drawn>(self, name: &str) -> Registry {
        self.add::<G>(name, Kit::DRAWN)
    }

    /// And one more, with all that belongs to it.
    fn add<G: Playable>(mut self, name: &str, kit: Kit<G>) -> Registry {
        self.games.retain(|game| game.name() != name);
        self.games.push(Box::new(Named { name: name.to_owned(), kit }));
        self
    }

    /// The games that come with emtee: none here.
    #[cfg(not(feature = "games"))]
    pub fn standard() -> Registry {
        Registry::default()
    }

    /// The game of this name.
    pub fn get(&self, name: &str) -> Result<&dyn Entry, Error> {
        let plain = |text: &str| text.to_ascii_lowercase().replace(['-', '_', ' '], "");
        self.iter().find(|game| plain(game.name()) == plain(name)).ok_or_else(|| Error::UnknownGame {
            name: name.to_owned(),
            near: near(name, self.names()).map(str::to_owned),
            games: self.names().map(str::to_owned).collect(),
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

    /// What the people and programs around it have agreed on.
    fn conventions(&self) -> &Conventions;

    /// Whether it can ask an endings database.
    fn has_endings(&self) -> bool;

    /// The text of the opening book that comes with it.
    fn book(&self) -> Option<&'static str>;

    /// What its evaluations are rounded to where nobody says otherwise.
    fn grain(&self) -> i32;

    /// What its positions can be evaluated with, by name, its own evaluation first.
    fn evaluators(&self) -> Vec<&'static str>;

    /// Aspiration NegaScout as it is best for this game: what everything is measured against.
    fn baseline(&self) -> Algorithm;

    /// Where the first guess of an iteration best comes from, when each is a ply deeper than the last.
    fn guess(&self) -> Guess;

    /// Where it begins.
    fn start(&self) -> Box<dyn Position>;

    /// The position that a text describes.
    fn position(&self, text: &str) -> Result<Box<dyn Position>, Error>;

    /// A player of the game. Its table is taken from the system now, which takes its time.
    fn engine(&self, play: &Play) -> Result<Box<dyn Engine>, Error>;

    /// The algorithms that an engine can change to, everything else being as it is.
    fn algorithms(&self, play: &Play) -> Vec<Algorithm>;

    /// The names of its sets of positions.
    fn sets(&self) -> Vec<&'static str>;

    /// The positions of a set.
    fn set(&self, name: &str) -> Result<Vec<Box<dyn Position>>, Error>;

    /// The games that positions for training come from; nothing if there are none of this game.
    #[cfg(feature = "study")]
    fn training_games(&self) -> Option<&TrainingGames>;

    /// The position that a record of training stands for; nothing if it stands for none.
    #[cfg(feature = "study")]
    fn unpacked(&self, board: &[u8; PACKED], turn: Side) -> Option<Box<dyn Position>>;
}

struct Named<G: Playable> {
    name: String,
    kit: Kit<G>,
}

impl<G: Playable> Named<G> {
    fn at(&self, text: Option<String>, board: G) -> At<G> {
        At { game: self.name.clone(), text, kit: self.kit, board, before: Vec::new() }
    }
}

impl<G: Playable> Entry for Named<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn conventions(&self) -> &Conventions {
        &self.kit.conventions
    }

    fn has_endings(&self) -> bool {
        self.kit.endings.is_some()
    }

    fn book(&self) -> Option<&'static str> {
        self.kit.book
    }

    fn grain(&self) -> i32 {
        G::TUNING.grain
    }

    fn evaluators(&self) -> Vec<&'static str> {
        self.kit.evaluator_names().collect()
    }

    fn baseline(&self) -> Algorithm {
        self.kit.baseline
    }

    fn guess(&self) -> Guess {
        self.kit.guess
    }

    fn start(&self) -> Box<dyn Position> {
        Box::new(self.at(None, (self.kit.start)()))
    }

    fn position(&self, text: &str) -> Result<Box<dyn Position>, Error> {
        let board = (self.kit.parse)(text).map_err(|why| Error::BadPosition {
            game: self.name.clone(),
            text: text.to_owned(),
            why,
        })?;
        Ok(Box::new(self.at(Some(text.trim().to_owned()), board)))
    }

    fn engine(&self, play: &Play) -> Result<Box<dyn Engine>, Error> {
        Ok(Box::new(GameEngine::new(&self.name, self.kit, play)?))
    }

    fn algorithms(&self, play: &Play) -> Vec<Algorithm> {
        let now = play.options.algorithm;
        // Whoever plays with a step of its own offers that step.
        let named = |algorithm: Algorithm| if algorithm.name() == now.name() { now } else { algorithm };
        // Only whoever builds a search knows which options go together: a small one is built to see.
        let accepted = |&algorithm: &Algorithm| {
            let mut play = play.clone().with_hash(Size::of_entries(1));
            play.options.algorithm = algorithm;
            GameEngine::search(&self.name, &self.kit, &play).is_ok()
        };
        Algorithm::ALL.into_iter().map(named).filter(accepted).collect()
    }

    fn sets(&self) -> Vec<&'static str> {
        self.kit.sets().into_iter().map(|(name, _)| name).collect()
    }

    fn set(&self, name: &str) -> Result<Vec<Box<dyn Position>>, Error> {
        let unknown = || Error::UnknownSet { game: self.name.clone(), name: name.to_owned(), sets: self.sets() };
        let (_, texts) = self.kit.sets().into_iter().find(|(set, _)| *set == name).ok_or_else(unknown)?;
        texts.into_iter().map(|text| self.position(text)).collect()
    }

    #[cfg(feature = "study")]
    fn training_games(&self) -> Option<&TrainingGames> {
        self.kit.training.as_ref().map(|training| &training.games)
    }

    #[cfg(feature = "study")]
    fn unpacked(&self, board: &[u8; PACKED], turn: Side) -> Option<Box<dyn Position>> {
        let board = (self.kit.training?.unpacked)(board, turn)?;
        Some(Box::new(self.at(None, board)))
    }
}
