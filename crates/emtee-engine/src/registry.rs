//! The registry: games by name.

use std::sync::Arc;

use emtee::research::Guess;
use emtee::{Algorithm, Side, Size};
use emtee_games::packed::PACKED;

use crate::baseline::{Baseline, BaselineSettings, Windows};
use crate::datagen::TrainingGames;
use crate::error::Error;
use crate::history::History;
use crate::kit::{Conventions, Kit};
use crate::names::near;
use crate::position::{GamePosition, Playable, Position};
use crate::search::{PositionSearch, Search};
use crate::session::{Engine, GameEngine, Play};
use crate::set_up::SetUp;
use crate::settings::Settings;

/// A list of games, empty by default.
#[derive(Default)]
pub struct Registry {
    games: Vec<Box<dyn Entry>>,
}

impl Registry {
    /// Adds a game with its kit; [`Kit::new`] has no more than the rules. It replaces a game of the same name.
    pub fn with<G: Playable>(mut self, name: &str, kit: Kit<G>) -> Registry {
        self.games.retain(|game| game.name() != name);
        self.games.push(Box::new(RegisteredGame { name: name.into(), kit: Arc::new(kit) }));
        self
    }

    /// The built-in games: none without the feature `games`.
    #[cfg(not(all(feature = "games", feature = "std")))]
    pub fn standard() -> Registry {
        Registry::default()
    }

    /// The names of the games for which there is training data.
    pub fn with_training(&self) -> Vec<String> {
        self.iter().filter(|game| game.training_games().is_some()).map(|game| game.name().to_owned()).collect()
    }

    /// A baseline for trees that are not a game of a registry.
    pub fn default_baseline(kind: Baseline) -> BaselineSettings {
        Windows::DEFAULT.settings(kind, Guess::default())
    }

    /// The game of this name. Case, spaces, `-` and `_` are ignored.
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

    /// Its protocols, record format and scales.
    fn conventions(&self) -> &Conventions;

    /// Whether it has endings databases.
    fn has_endings(&self) -> bool;

    /// The same game on boards of any shape, for solving. A position's text begins with the shape: `8x7 4453`. `None`: the
    /// board has one shape.
    fn any_shape(&self) -> Option<Registry>;

    /// The text of its built-in opening book.
    fn book(&self) -> Option<&'static str>;

    /// The default rounding of its evaluations.
    fn grain(&self) -> i32;

    /// The names of its evaluators, the game's own evaluation first.
    fn evaluators(&self) -> Vec<&'static str>;

    /// A baseline of comparisons: Aspiration NegaScout with the best window of its kind for this game.
    fn baseline(&self, kind: Baseline) -> BaselineSettings;

    /// The best source of an iteration's first guess, when the depth grows by one ply per iteration.
    fn guess(&self) -> Guess;

    /// The start position.
    fn start(&self) -> Box<dyn Position>;

    /// The position described by a text.
    fn position(&self, text: &str) -> Result<Box<dyn Position>, Error>;

    /// How positions are set up on the board. `None`: they cannot be set up.
    fn set_up(&self) -> Option<SetUp>;

    /// An engine for the game. It allocates its table now, which takes time.
    fn engine(&self, play: &Play) -> Result<Box<dyn Engine>, Error>;

    /// The default algorithm of an engine with this evaluator, `None` for the default one: MTD-f, and MCTS if the game has no
    /// evaluation.
    fn play_algorithm(&self, evaluator: Option<&str>) -> Algorithm;

    /// The algorithms that an engine with these options can change to.
    fn algorithms(&self, play: &Play) -> Vec<Algorithm>;

    /// The names of the sets of positions.
    fn sets(&self) -> Vec<&'static str>;

    /// The positions of a set.
    fn set(&self, name: &str) -> Result<Vec<Box<dyn Position>>, Error>;

    /// A search of the game with these settings.
    fn search(&self, settings: &Settings) -> Result<Box<dyn Search>, Error>;

    /// Learns an evaluation of the game. The name of the game in the task must be that of this game.
    #[cfg(feature = "std")]
    fn learning(&self, task: emtee_learn::Task) -> Result<Box<dyn crate::learn::Learning>, Error>;

    /// A learned evaluation of the game's boards, from the bytes of its file. The error says why they cannot be used.
    #[cfg(feature = "std")]
    fn learned(&self, bytes: &[u8]) -> Result<crate::learn::EvaluateAny, String>;

    /// How games for training data are played. `None`: there is no training data for this game.
    fn training_games(&self) -> Option<&TrainingGames>;

    /// The position of a training record. `None`: the record is not valid.
    fn unpacked(&self, board: &[u8; PACKED], turn: Side) -> Option<Box<dyn Position>>;
}

struct RegisteredGame<G: Playable> {
    name: Arc<str>,
    kit: Arc<Kit<G>>,
}

impl<G: Playable> RegisteredGame<G> {
    fn game_position(&self, text: Option<String>, board: G) -> GamePosition<G> {
        GamePosition { game: self.name.clone(), text, kit: self.kit.clone(), board, history: History::default() }
    }
}

impl<G: Playable> Entry for RegisteredGame<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn conventions(&self) -> &Conventions {
        &self.kit.conventions
    }

    fn has_endings(&self) -> bool {
        self.kit.endings.is_some()
    }

    fn any_shape(&self) -> Option<Registry> {
        self.kit.any_shape.map(|registry| registry())
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

    fn baseline(&self, kind: Baseline) -> BaselineSettings {
        self.kit.windows.settings(kind, self.kit.guess)
    }

    fn guess(&self) -> Guess {
        self.kit.guess
    }

    fn start(&self) -> Box<dyn Position> {
        Box::new(self.game_position(None, (self.kit.start)()))
    }

    fn position(&self, text: &str) -> Result<Box<dyn Position>, Error> {
        let board = (self.kit.parse)(text).map_err(|why| Error::BadPosition {
            game: self.name.to_string(),
            text: text.to_owned(),
            why,
        })?;
        Ok(Box::new(self.game_position(Some(text.trim().to_owned()), board)))
    }

    fn set_up(&self) -> Option<SetUp> {
        self.kit.set_up
    }

    fn engine(&self, play: &Play) -> Result<Box<dyn Engine>, Error> {
        Ok(Box::new(GameEngine::new(&self.name, self.kit.clone(), play)?))
    }

    fn play_algorithm(&self, evaluator: Option<&str>) -> Algorithm {
        self.kit.play_algorithm(evaluator)
    }

    fn algorithms(&self, play: &Play) -> Vec<Algorithm> {
        let now = play.options.algorithm;
        // An algorithm with a parameter, such as a step, is listed with the current parameter.
        let named = |algorithm: Algorithm| if algorithm.name() == now.name() { now } else { algorithm };
        // Only the builder knows which options can be combined, so a small search is built to find out.
        let accepted = |&algorithm: &Algorithm| {
            let mut play = play.clone().with_hash(Size::of_entries(1));
            play.options.algorithm = algorithm;
            GameEngine::search(&self.name, &self.kit, &play).is_ok()
        };
        Algorithm::named().map(named).filter(accepted).collect()
    }

    fn sets(&self) -> Vec<&'static str> {
        self.kit.all_sets().into_iter().map(|(name, _)| name).collect()
    }

    fn set(&self, name: &str) -> Result<Vec<Box<dyn Position>>, Error> {
        let unknown = || Error::UnknownSet { game: self.name.to_string(), name: name.to_owned(), sets: self.sets() };
        let (_, texts) = self.kit.all_sets().into_iter().find(|(set, _)| *set == name).ok_or_else(unknown)?;
        texts.into_iter().map(|text| self.position(text)).collect()
    }

    fn search(&self, settings: &Settings) -> Result<Box<dyn Search>, Error> {
        Ok(Box::new(PositionSearch::new(&self.name, &self.kit, settings)?))
    }

    #[cfg(feature = "std")]
    fn learning(&self, task: emtee_learn::Task) -> Result<Box<dyn crate::learn::Learning>, Error> {
        Ok(Box::new(crate::learn::GameLearning::new(&self.kit, task)?))
    }

    #[cfg(feature = "std")]
    fn learned(&self, bytes: &[u8]) -> Result<crate::learn::EvaluateAny, String> {
        crate::learn::evaluate_from(&self.name, &self.kit, bytes)
    }

    fn training_games(&self) -> Option<&TrainingGames> {
        self.kit.training.as_ref().map(|training| &training.games)
    }

    fn unpacked(&self, board: &[u8; PACKED], turn: Side) -> Option<Box<dyn Position>> {
        let board = (self.kit.training.as_ref()?.unpacked)(board, turn)?;
        Some(Box::new(self.game_position(None, board)))
    }
}
