//! What a program knows about a game beyond its rules.

use std::sync::Arc;

use emtee::research::Guess;
use emtee::{Algorithm, Evaluate, Game, MoveOrdering, OwnEvaluation, Side, Value, legal_moves, mix};
use emtee_games::PaperPosition;
use emtee_games::drawing::{Drawing, Drawn};
use emtee_games::packed::{PACKED, Packed};

use crate::baseline::Windows;
use crate::datagen::TrainingGames;
use crate::error::Error;
#[cfg(feature = "std")]
use crate::learn::{FromFile, LEARNED};
use crate::position::{GamePosition, Playable};
use crate::protocol::Protocol;
use crate::record::RecordFormat;
use crate::registry::Registry;
use crate::search::{GameSearch, SharedEvaluator, SpareTables, build};
use crate::session::MakeEndgameSolver;
use crate::set_up::SetUp;
use crate::settings::Settings;
use crate::solve::SolveBy;
use crate::tools::Tools;

/// Reads a move, or several moves run together, as players write them.
pub(crate) type ReadMoves<G> = fn(&G, &str) -> Result<Vec<<G as Game>::Move>, String>;

/// What makes the [`Tools`] of a position. A kit without it keeps them out of a program that never uses them.
pub(crate) type MakeTools<G> = fn(&GamePosition<G>) -> &dyn Tools;

/// How positions of a game are stored as training data, and how the games that they come from are played.
pub(crate) struct Training<G: Game> {
    pub(crate) packed: fn(&G) -> Option<[u8; PACKED]>,
    pub(crate) unpacked: fn(&[u8; PACKED], Side) -> Option<G>,
    pub(crate) is_quiet: fn(&G, G::Move) -> bool,
    pub(crate) games: TrainingGames,
}

/// An evaluator of a game, which depends on the settings of a search.
pub(crate) trait MakeEvaluator<G: Game>: Send + Sync {
    /// A search that is compiled for this evaluator.
    fn search(&self, settings: &Settings) -> Result<Box<dyn GameSearch<G>>, Error>;

    /// The evaluator for the [tools](Tools), which are compiled once per game.
    fn shared(&self, settings: &Settings) -> SharedEvaluator<G>;
}

impl<G: Game + 'static, E: Evaluate<G> + Send + 'static, F: Fn(&Settings) -> E + Send + Sync> MakeEvaluator<G> for F {
    fn search(&self, settings: &Settings) -> Result<Box<dyn GameSearch<G>>, Error> {
        build(settings, self(settings))
    }

    fn shared(&self, settings: &Settings) -> SharedEvaluator<G> {
        SharedEvaluator(Box::new(self(settings)))
    }
}

/// Conventions of a game: protocols, record format, scales.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Conventions {
    /// The protocols that programs for this game speak, the usual one first. Our engines also speak UCI for every game.
    pub protocols: &'static [Protocol],
    /// The file format of game records.
    pub record: RecordFormat,
    /// The UCI option that switches to the game's alternate move notation, written with `{:#}`.
    pub alternate_moves: Option<&'static str>,
    /// An evaluation that players call a clear lead.
    pub clear_lead: i32,
    /// The result probabilities by evaluation. `None`: not measured.
    pub win_chances: Option<WinChances>,
    /// The Elo rating of each level, the weakest first. Measured for chess, an arbitrary scale for the other games.
    pub ratings: [u32; 10],
    /// The side at the bottom of the board, in games where the sides face each other.
    pub bottom: Option<Side>,
    /// The names of the sides, the first one first.
    pub sides: [&'static str; 2],
}

/// The probabilities of a win, a draw and a loss, given the value of a search. Win and loss are each a logistic curve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WinChances {
    /// The value at which half of the games are won.
    pub even: f64,
    /// The increase in value that multiplies the odds by e.
    pub spread: f64,
}

impl WinChances {
    /// Wins, draws and losses per thousand games, for the side that has this value.
    pub fn of(&self, value: Value) -> [u32; 3] {
        if value.is_proven() {
            return if value > Value::default() { [1_000, 0, 0] } else { [0, 0, 1_000] };
        }
        let won = |value: f64| (1_000.0 / (1.0 + ((self.even - value) / self.spread).exp())).round() as u32;
        let [win, loss] = [value.get(), -value.get()].map(|value| won(value.into()));
        [win, 1_000u32.saturating_sub(win + loss), loss]
    }
}

impl Conventions {
    /// The conventions of a game that defines none.
    pub(crate) const PLAIN: Conventions = Conventions {
        protocols: &[],
        record: RecordFormat::PLAIN,
        alternate_moves: None,
        clear_lead: 50,
        win_chances: None,
        ratings: [800, 970, 1_130, 1_300, 1_470, 1_630, 1_800, 1_970, 2_130, 2_300],
        bottom: None,
        sides: ["The first side", "The second side"],
    };

    /// The protocol that our engines speak unless another one is chosen.
    pub fn protocol(&self) -> Protocol {
        self.protocols.first().copied().unwrap_or(Protocol::Uci)
    }
}

/// What a program knows about a game beyond its rules: everything but the rules is optional.
///
/// ```
/// use emtee_engine::{Kit, Registry};
/// use emtee_games::tictactoe::{Board, Square};
///
/// let names = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
/// let kit = Kit::<Board>::new()
///     .drawn()
///     .notation(|_, m| m.to_string(), |_, text| Err(format!("'{text}' is not a square")))
///     .evaluator("zero", |_: &Board| 0)
///     .positions("openings", "X-------- # the corner\n----X---- # the centre");
/// let registry = Registry::default().with("tictactoe", kit);
/// let game = registry.get("tictactoe")?;
/// assert_eq!(game.evaluators(), ["own", "zero"]);
/// assert_eq!(game.set("openings")?.len(), 2);
/// # Ok::<(), emtee_engine::Error>(())
/// ```
pub struct Kit<G: Playable> {
    /// The start position.
    pub(crate) start: fn() -> G,
    /// Reads a position. The error says what is wrong with it.
    pub(crate) parse: fn(&str) -> Result<G, String>,
    /// The default move ordering. `None`: that of the game's type.
    pub(crate) ordering: Option<MoveOrdering>,
    /// Protocols, record format and scales.
    pub(crate) conventions: Conventions,
    /// The positions of the experiments.
    pub(crate) paper: &'static [PaperPosition],
    /// The positions on which settings are tuned.
    pub(crate) tuning: &'static [PaperPosition],
    /// More sets of positions: their names, and their texts with one position per line.
    pub(crate) sets: Vec<(&'static str, &'static str)>,
    /// The windows of the baselines: those that took the fewest nodes on the positions of `tune`.
    pub(crate) windows: Windows,
    /// The best source of an iteration's first guess, by the same measure.
    pub(crate) guess: Guess,
    /// A perft of its own. `None`: by generating and playing moves. A line that ends early is not counted, unless
    /// programs for this game usually count it.
    pub(crate) perft: Option<fn(&G, u32) -> u64>,
    /// Draws the board as cells. `None`: the board is drawn as text only.
    pub(crate) draw: Option<fn(&G) -> Drawing>,
    /// Positions are set up on the board. `None`: they are written as text.
    pub(crate) set_up: Option<SetUp>,
    /// Reads the notation of players. `None`: only the game's own notation is read.
    pub(crate) read: Option<ReadMoves<G>>,
    /// Explains why a move is illegal. `None`: the game has no explanations.
    pub(crate) illegal_reason: Option<fn(&G, &str) -> Option<String>>,
    /// Writes the notation of players. `None`: moves are written in the game's own notation.
    pub(crate) write: Option<fn(&G, G::Move) -> String>,
    /// The key of a position in opening books, equal for mirror images. `None`: the position's own key.
    pub(crate) book_key: Option<fn(&G) -> u64>,
    /// The built-in opening book.
    pub(crate) book: Option<&'static str>,
    /// Whether neither side can win any more. `None`: this does not end the game.
    pub(crate) dead: Option<fn(&G) -> bool>,
    /// The solver. `None`: iterative deepening.
    pub(crate) solve: Option<SolveBy<G>>,
    /// The game on boards of any shape, which is part of the position's text, for solving. `None`: the board has one shape.
    pub(crate) any_shape: Option<fn() -> Registry>,
    /// Whether the solver accepts a limit on the number of moves to mate.
    pub(crate) mates: bool,
    /// Makes the solver that plays the end of the game under a clock.
    pub(crate) endgame_solver: Option<MakeEndgameSolver<G>>,
    /// Other evaluators, by name.
    pub(crate) evaluators: Vec<(&'static str, Arc<dyn MakeEvaluator<G>>)>,
    /// The default evaluator of engines. `None`: the game's own evaluation, as in searches and experiments.
    pub(crate) engine_evaluator: Option<&'static str>,
    /// The evaluator that probes an endings database, with the game's own evaluation elsewhere. `None`: the game has no
    /// databases.
    pub(crate) endings: Option<Arc<dyn MakeEvaluator<G>>>,
    /// Lists the features of a position, for learning. `None`: they are derived from the drawing.
    #[cfg(feature = "std")]
    pub(crate) features: Option<fn(&G, &mut emtee_learn::Features)>,
    /// How training data is made. `None`: there is none for this game.
    pub(crate) training: Option<Training<G>>,
    /// Makes the tools of a position.
    pub(crate) tools: Option<MakeTools<G>>,
    /// Tables of finished searches.
    pub(crate) spare_tables: SpareTables,
}

impl<G: Playable> Default for Kit<G> {
    fn default() -> Kit<G> {
        Kit::new()
    }
}

/// The random games in which an evaluation is looked for, and their plies.
const EVALUATED_GAMES: u64 = 8;
const EVALUATED_PLIES: u64 = 100;

/// The name of the game's own evaluation.
const OWN: &str = "own";

impl<G: Playable> Kit<G> {
    /// The kit of a game that has only its rules, and the texts of its positions and moves.
    pub fn new() -> Kit<G> {
        Kit { tools: Some(|position| position), ..Kit::without_tools() }
    }

    /// The same without the [tools](Tools): for a page without a server, which has to be small.
    pub(crate) fn without_tools() -> Kit<G> {
        Kit {
            start: G::default,
            parse: G::parse,
            ordering: None,
            conventions: Conventions::PLAIN,
            paper: &[],
            tuning: &[],
            sets: Vec::new(),
            windows: Windows::DEFAULT,
            guess: Guess::Better,
            perft: None,
            draw: None,
            set_up: None,
            read: None,
            illegal_reason: None,
            write: None,
            book_key: None,
            book: None,
            dead: None,
            solve: None,
            any_shape: None,
            mates: false,
            endgame_solver: None,
            evaluators: Vec::new(),
            engine_evaluator: None,
            endings: None,
            #[cfg(feature = "std")]
            features: None,
            training: None,
            tools: None,
            spare_tables: SpareTables::default(),
        }
    }

    /// The notation of players: how a legal move is written, and how a move, or several moves run together, are read. The
    /// `Display` of a move stays the notation of files and protocols, and is always read too.
    pub fn notation(mut self, write: fn(&G, G::Move) -> String, read: ReadMoves<G>) -> Kit<G> {
        (self.write, self.read) = (Some(write), Some(read));
        self
    }

    /// Adds an evaluator, chosen by its name with `--evaluator`. The default is [`Game::evaluate`], whose name is `own`.
    pub fn evaluator(self, name: &'static str, evaluator: impl Evaluate<G> + Clone + Send + 'static) -> Kit<G> {
        self.evaluator_by(name, move |_: &Settings| evaluator.clone())
    }

    /// Adds an evaluator that depends on the settings.
    pub(crate) fn evaluator_by(mut self, name: &'static str, make: impl MakeEvaluator<G> + 'static) -> Kit<G> {
        self.evaluators.push((name, Arc::new(make)));
        self
    }

    /// The default evaluator of engines: the name of one that was added. The default of searches and experiments stays `own`.
    pub fn engine_evaluator(mut self, name: &'static str) -> Kit<G> {
        self.engine_evaluator = Some(name);
        self
    }

    /// Lists the features of a position for `emtee learn`: what is on which cell, and counters. For a game without, they are
    /// derived from its drawing as text, which is slower.
    #[cfg(feature = "std")]
    pub fn features(mut self, features: fn(&G, &mut emtee_learn::Features)) -> Kit<G> {
        self.features = Some(features);
        self
    }

    /// Explains to a player why a move is illegal. `None`: the move is legal, or the text does not look like a move.
    pub fn illegal_reason(mut self, reason: fn(&G, &str) -> Option<String>) -> Kit<G> {
        self.illegal_reason = Some(reason);
        self
    }

    /// Draws the board as cells, in colour. Other games are drawn as text, with `{:#}`.
    pub fn drawn(mut self) -> Kit<G>
    where
        G: Drawn,
    {
        self.draw = Some(G::drawing);
        self
    }

    /// Positions can be set up by changing the cells of the drawing.
    pub fn set_up(mut self, set_up: SetUp) -> Kit<G> {
        self.set_up = Some(set_up);
        self
    }

    /// An opening book, in the format of `emtee book`, and the key of a position in it: equal for mirror images.
    pub fn book(mut self, text: &'static str, key: fn(&G) -> u64) -> Kit<G> {
        (self.book, self.book_key) = (Some(text), Some(key));
        self
    }

    /// Adds a set of positions, one per line; `#` starts a comment. Commands have it as `--set NAME`, experiments as
    /// `positions = "NAME"`.
    pub fn positions(mut self, name: &'static str, texts: &'static str) -> Kit<G> {
        self.sets.push((name, texts));
        self
    }

    /// Protocols, record format, the Elo ratings of levels, and other [conventions](Conventions).
    pub fn conventions(mut self, change: impl FnOnce(&mut Conventions)) -> Kit<G> {
        change(&mut self.conventions);
        self
    }

    /// A solver. Other games are solved by iterative deepening.
    pub fn solver(mut self, solve: SolveBy<G>) -> Kit<G> {
        self.solve = Some(solve);
        self
    }

    /// A solver that plays the end of the game under a clock.
    pub fn endgame_solver(mut self, make: MakeEndgameSolver<G>) -> Kit<G> {
        self.endgame_solver = Some(make);
        self
    }

    /// Training data, from games played like this, for `emtee datagen`.
    pub fn training(mut self, games: TrainingGames) -> Kit<G>
    where
        G: Packed,
    {
        self.training = Some(Training { packed: G::packed, unpacked: G::unpacked, is_quiet: G::is_quiet, games });
        self
    }

    /// The sets of positions: their names, and the texts.
    pub(crate) fn all_sets(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let chosen = [("paper", self.paper), ("tuning", self.tuning)];
        let chosen = chosen.into_iter().map(|(name, set)| (name, set.iter().map(|position| position.text).collect()));
        let drawn = self.sets.iter().map(|&(name, text)| (name, positions(text).collect()));
        chosen.chain(drawn).filter(|(_, texts): &(_, Vec<_>)| !texts.is_empty()).collect()
    }

    /// A search with these settings.
    pub(crate) fn search(&self, game: &str, settings: &Settings) -> Result<Box<dyn GameSearch<G>>, Error> {
        let settings = self.settings(settings.clone());
        match self.chosen_evaluator(game, &settings)? {
            Some(evaluator) => evaluator.search(&settings),
            None => build(&settings, OwnEvaluation),
        }
    }

    /// The evaluator that the settings choose. `None`: the game's own evaluation.
    pub(crate) fn chosen_evaluator(
        &self,
        game: &str,
        settings: &Settings,
    ) -> Result<Option<Arc<dyn MakeEvaluator<G>>>, Error> {
        match (&settings.endings, settings.evaluator.as_deref()) {
            (None, None | Some(OWN)) => Ok(None),
            (Some(_), None | Some(OWN)) => Ok(Some(self.endings_evaluator(game)?)),
            (Some(_), Some(_)) if self.endings.is_none() => Err(Error::NoEndings { game: game.to_owned() }),
            #[cfg(feature = "std")]
            (None, Some(name)) if name.starts_with(LEARNED) => {
                Ok(Some(Arc::new(FromFile::new(game, self, name.trim_start_matches(LEARNED))?)))
            }
            (_, Some(name)) => {
                let found = self.evaluators.iter().find(|(known, _)| *known == name);
                let unknown = || Error::UnknownEvaluator {
                    game: game.to_owned(),
                    name: name.to_owned(),
                    known: self.evaluator_names().collect(),
                };
                Ok(Some(found.ok_or_else(unknown)?.1.clone()))
            }
        }
    }

    /// The names of the evaluators, the game's own evaluation first.
    pub(crate) fn evaluator_names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(OWN).chain(self.evaluators.iter().map(|(name, _)| *name))
    }

    /// The default evaluator of engines.
    pub(crate) fn play_evaluator(&self) -> Option<String> {
        self.engine_evaluator.map(str::to_owned)
    }

    /// The default algorithm of an engine with this evaluator, `None` for the default one.
    pub(crate) fn play_algorithm(&self, evaluator: Option<&str>) -> Algorithm {
        let own = evaluator.or(self.engine_evaluator).is_none_or(|name| name == OWN);
        let by_simulations = || !self.is_evaluated() && emtee_mcts::simulations_end(&(self.start)());
        if own && by_simulations() { Algorithm::Mcts } else { Algorithm::default() }
    }

    /// Whether the game's own evaluation tells positions apart. [`Game::evaluate`] is 0 by default, so a game without an
    /// evaluation has the same value in all positions of some random games.
    fn is_evaluated(&self) -> bool {
        (0..EVALUATED_GAMES).any(|game| {
            let mut position = (self.start)();
            (0..EVALUATED_PLIES).any(|ply| {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    return false;
                }
                position = position.play(moves[(mix(game << 32 | ply) % moves.len() as u64) as usize]);
                position.outcome().is_none() && position.evaluate() != 0
            })
        })
    }

    /// The settings, with the game's default move ordering if they have none, and without the table options if the algorithm
    /// has no table.
    pub(crate) fn settings(&self, mut settings: Settings) -> Settings {
        settings.options = settings.options();
        settings.options.ordering = settings.options.ordering.or(self.ordering);
        settings
    }

    /// The evaluator that probes an endings database, or an error if the game has no databases.
    pub(crate) fn endings_evaluator(&self, game: &str) -> Result<Arc<dyn MakeEvaluator<G>>, Error> {
        self.endings.clone().ok_or_else(|| Error::NoEndings { game: game.to_owned() })
    }
}

/// The positions in a text: one per line. `#` starts a comment.
pub fn positions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|line| !line.is_empty())
}
