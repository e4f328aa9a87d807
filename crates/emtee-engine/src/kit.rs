//! What the registry knows about a game beyond its rules.

use emtee::research::Guess;
use emtee::{Algorithm, Game, MoveOrdering, OwnEvaluation, Side, Value};
use emtee_games::PaperPosition;
use emtee_games::drawing::{Drawing, Drawn};
#[cfg(feature = "study")]
use emtee_games::packed::{PACKED, Packed};

#[cfg(feature = "study")]
use crate::datagen::TrainingGames;
use crate::error::Error;
use crate::position::Playable;
use crate::protocol::Protocol;
use crate::record::RecordFormat;
use crate::search::{AnySearch, build};
use crate::session::MakeEndgameSolver;
use crate::settings::Settings;
#[cfg(feature = "study")]
use crate::solve::{Solution, Solve, SolveError, SolveProgress, plain};

/// Reads a move, or several moves run together, as players write them.
pub(crate) type ReadMoves<G> = fn(&G, &str) -> Result<Vec<<G as Game>::Move>, String>;

/// Explains why a move is illegal. `None`: the move is legal, or the text does not look like a move.
pub(crate) type IllegalReason<G> = fn(&G, &str) -> Option<String>;

/// Writes a legal move as players write it.
pub(crate) type WriteMove<G> = fn(&G, <G as Game>::Move) -> String;

/// Solves a position.
#[cfg(feature = "study")]
pub(crate) type SolveBy<G> = fn(&G, &Solve, &mut SolveProgress<'_>) -> Result<Solution<<G as Game>::Move>, SolveError>;

/// How positions of a game are stored as training data, and how the games that they come from are played.
#[cfg(feature = "study")]
pub(crate) struct Training<G: Game> {
    pub(crate) packed: fn(&G) -> Option<[u8; PACKED]>,
    pub(crate) unpacked: fn(&[u8; PACKED], Side) -> Option<G>,
    pub(crate) is_quiet: fn(&G, G::Move) -> bool,
    pub(crate) games: TrainingGames,
}

#[cfg(feature = "study")]
impl<G: Packed> Training<G> {
    /// Training data from games played like this.
    pub(crate) const fn from(games: TrainingGames) -> Training<G> {
        Training { packed: G::packed, unpacked: G::unpacked, is_quiet: G::is_quiet, games }
    }
}

#[cfg(feature = "study")]
impl<G: Game> Clone for Training<G> {
    fn clone(&self) -> Self {
        *self
    }
}

#[cfg(feature = "study")]
impl<G: Game> Copy for Training<G> {}

/// Builds a search with another evaluator than the game's own evaluation.
pub(crate) type Evaluator<G> = fn(&Settings) -> Result<Box<dyn AnySearch<G>>, Error>;

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
    };

    /// The protocol that our engines speak unless another one is chosen.
    pub fn protocol(&self) -> Protocol {
        self.protocols.first().copied().unwrap_or(Protocol::Uci)
    }
}

/// Everything the registry knows about a game. A new game is a file of its own and one `Kit`.
pub(crate) struct Kit<G: Playable> {
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
    /// More sets of positions, each position from a different game: the names of the sets, and their texts with one
    /// position per line.
    pub(crate) samples: &'static [(&'static str, &'static str)],
    /// The baseline of all comparisons: Aspiration NegaScout with the window and the re-search rule that took the
    /// fewest nodes on the positions of `tune`.
    pub(crate) baseline: Algorithm,
    /// The best source of an iteration's first guess, by the same measure.
    pub(crate) guess: Guess,
    /// A perft of its own. `None`: by generating and playing moves. A line that ends early is not counted, unless
    /// programs for this game usually count it.
    #[cfg(feature = "study")]
    pub(crate) perft: Option<fn(&G, u32) -> u64>,
    /// Draws the board as cells. `None`: the board is drawn as text only.
    pub(crate) draw: Option<fn(&G) -> Drawing>,
    /// Reads the notation of players. `None`: only the game's own notation is read.
    pub(crate) read: Option<ReadMoves<G>>,
    /// Explains why a move is illegal. `None`: the game has no explanations.
    pub(crate) illegal_reason: Option<IllegalReason<G>>,
    /// Writes the notation of players. `None`: moves are written in the game's own notation.
    pub(crate) write: Option<WriteMove<G>>,
    /// The key of a position in opening books, equal for mirror images. `None`: the position's own key.
    pub(crate) book_key: Option<fn(&G) -> u64>,
    /// The built-in opening book.
    pub(crate) book: Option<&'static str>,
    /// Whether neither side can win any more. `None`: this does not end the game.
    pub(crate) dead: Option<fn(&G) -> bool>,
    /// The solver.
    #[cfg(feature = "study")]
    pub(crate) solve: SolveBy<G>,
    /// Whether the solver accepts a limit on the number of moves to mate.
    pub(crate) mates: bool,
    /// Makes the solver that plays the end of the game under a clock.
    pub(crate) endgame_solver: Option<MakeEndgameSolver<G>>,
    /// Other evaluators, by name. They probe an endings database if the settings have one. Engines use the first of
    /// them by default, experiments none.
    pub(crate) evaluators: &'static [(&'static str, Evaluator<G>)],
    /// Makes a search that probes an endings database, with the game's own evaluation elsewhere. `None`: the game has
    /// no databases.
    pub(crate) endings: Option<Evaluator<G>>,
    /// How training data is made. `None`: there is none for this game.
    #[cfg(feature = "study")]
    pub(crate) training: Option<Training<G>>,
}

impl<G: Playable> Clone for Kit<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Playable> Copy for Kit<G> {}

impl<G: Playable> Kit<G> {
    /// The sets of positions: their names, and the texts.
    pub(crate) fn sets(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let chosen = [("paper", self.paper), ("tuning", self.tuning)];
        let chosen = chosen.into_iter().map(|(name, set)| (name, set.iter().map(|position| position.text).collect()));
        let drawn = self.samples.iter().map(|&(name, text)| (name, positions(text).collect()));
        chosen.chain(drawn).filter(|(_, texts): &(_, Vec<_>)| !texts.is_empty()).collect()
    }

    /// The kit of a game that has only its text.
    pub(crate) const PLAIN: Kit<G> = Kit {
        start: G::default,
        parse: G::parse,
        ordering: None,
        conventions: Conventions::PLAIN,
        paper: &[],
        tuning: &[],
        samples: &[],
        baseline: Algorithm::BASELINE,
        guess: Guess::Better,
        #[cfg(feature = "study")]
        perft: None,
        draw: None,
        read: None,
        illegal_reason: None,
        write: None,
        book_key: None,
        book: None,
        dead: None,
        #[cfg(feature = "study")]
        solve: plain,
        mates: false,
        endgame_solver: None,
        evaluators: &[],
        endings: None,
        #[cfg(feature = "study")]
        training: None,
    };

    /// The name of the game's own evaluation.
    pub(crate) const OWN: &str = "own";

    /// A search with these settings. This is the one place that chooses the evaluator: the game's own evaluation,
    /// another one by name, or one that probes an endings database.
    pub(crate) fn search(&self, game: &str, settings: &Settings) -> Result<Box<dyn AnySearch<G>>, Error> {
        let settings = self.settings(settings.clone());
        match (&settings.endings, settings.evaluator.as_deref()) {
            (Some(_), None | Some(Self::OWN)) => self.endings_evaluator(game)?(&settings),
            (None, None | Some(Self::OWN)) => build(&settings, OwnEvaluation),
            (Some(_), Some(_)) if self.endings.is_none() => Err(Error::NoEndings { game: game.to_owned() }),
            (_, Some(name)) => {
                let found = self.evaluators.iter().find(|(known, _)| *known == name);
                let unknown = || Error::UnknownEvaluator {
                    game: game.to_owned(),
                    name: name.to_owned(),
                    known: self.evaluator_names().collect(),
                };
                found.ok_or_else(unknown)?.1(&settings)
            }
        }
    }

    /// The names of the evaluators, the game's own evaluation first.
    pub(crate) fn evaluator_names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(Self::OWN).chain(self.evaluators.iter().map(|(name, _)| *name))
    }

    /// The default evaluator of engines.
    pub(crate) fn play_evaluator(&self) -> Option<String> {
        self.evaluators.first().map(|(name, _)| (*name).to_owned())
    }

    /// The settings, with the game's default move ordering if they have none.
    pub(crate) fn settings(&self, mut settings: Settings) -> Settings {
        settings.options.ordering = settings.options.ordering.or(self.ordering);
        settings
    }

    /// The evaluator that probes an endings database, or an error if the game has no databases.
    pub(crate) fn endings_evaluator(&self, game: &str) -> Result<Evaluator<G>, Error> {
        self.endings.ok_or_else(|| Error::NoEndings { game: game.to_owned() })
    }
}

impl<G: Playable + Drawn> Kit<G> {
    /// The kit of a game whose boards can be drawn as cells.
    pub(crate) const DRAWN: Kit<G> = Kit { draw: Some(G::drawing), ..Kit::PLAIN };
}

/// The positions in a text: one per line. `#` starts a comment.
pub fn positions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|line| !line.is_empty())
}
