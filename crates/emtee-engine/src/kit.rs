//! What is particular to a game, beyond its rules.

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
use crate::session::Finisher;
use crate::settings::Settings;
#[cfg(feature = "study")]
use crate::solve::{Halt, Solution, Solve, SolveProgress, plain};

/// Reads a word as the moves that players mean by it.
pub(crate) type ReadMoves<G> = fn(&G, &str) -> Result<Vec<<G as Game>::Move>, String>;

/// Says what is wrong with a move; nothing to a text that is none.
pub(crate) type Object<G> = fn(&G, &str) -> Option<String>;

/// Writes a legal move as players do.
pub(crate) type WriteMove<G> = fn(&G, <G as Game>::Move) -> String;

/// Solves a position.
#[cfg(feature = "study")]
pub(crate) type SolveBy<G> = fn(&G, &Solve, &mut SolveProgress<'_>) -> Result<Solution<<G as Game>::Move>, Halt>;

/// How positions of a game are kept for training, and how the games are played that they come from.
#[cfg(feature = "study")]
pub(crate) struct Training<G: Game> {
    pub(crate) packed: fn(&G) -> Option<[u8; PACKED]>,
    pub(crate) unpacked: fn(&[u8; PACKED], Side) -> Option<G>,
    pub(crate) is_quiet: fn(&G, G::Move) -> bool,
    pub(crate) games: TrainingGames,
}

#[cfg(feature = "study")]
impl<G: Packed> Training<G> {
    /// From games like these.
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

/// Makes a search that evaluates positions in another way than the game itself.
pub(crate) type Evaluator<G> = fn(&Settings) -> Result<Box<dyn AnySearch<G>>, Error>;

/// What the people and programs around a game have agreed on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Conventions {
    /// What programs for the game speak, the usual protocol first. An engine of ours speaks UCI of any game.
    pub protocols: &'static [Protocol],
    /// How games are written down.
    pub record: RecordFormat,
    /// The UCI option that has moves written the game's other way, with `{:#}`.
    pub alternate_moves: Option<&'static str>,
    /// An evaluation that players call a clear lead.
    pub clear_lead: i32,
    /// How often a game is won with so much of an advantage, where that was measured.
    pub win_chances: Option<WinChances>,
    /// The Elo of each level, the weakest first: measured, or a scale that is as good as any.
    pub ratings: [u32; 10],
    /// Which side sits at the bottom of the board, where the sides face each other.
    pub bottom: Option<Side>,
}

/// How often a game is won, drawn and lost, by the value that a search finds: a win and a loss are each a logistic curve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WinChances {
    /// With this advantage half of the games are won.
    pub even: f64,
    /// By so much more, the odds are e times as good.
    pub spread: f64,
}

impl WinChances {
    /// Wins, draws and losses in a thousand games, for whoever has this value.
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
    /// Those of a game that nobody has agreed on anything about.
    pub(crate) const PLAIN: Conventions = Conventions {
        protocols: &[],
        record: RecordFormat::PLAIN,
        alternate_moves: None,
        clear_lead: 50,
        win_chances: None,
        ratings: [800, 970, 1_130, 1_300, 1_470, 1_630, 1_800, 1_970, 2_130, 2_300],
        bottom: None,
    };

    /// The protocol that an engine of ours speaks where nobody says otherwise.
    pub fn protocol(&self) -> Protocol {
        self.protocols.first().copied().unwrap_or(Protocol::Uci)
    }
}

/// Everything that the registry has to know of a game. A new game is its own file and one of these.
pub(crate) struct Kit<G: Playable> {
    /// Where it begins.
    pub(crate) start: fn() -> G,
    /// Reads a position, or says what is wrong with it.
    pub(crate) parse: fn(&str) -> Result<G, String>,
    /// How moves are put in order where nobody says otherwise, if not as the type has it.
    pub(crate) ordering: Option<MoveOrdering>,
    /// What is agreed on.
    pub(crate) conventions: Conventions,
    /// The positions of its experiments.
    pub(crate) paper: &'static [PaperPosition],
    /// The positions that settings are chosen on.
    pub(crate) tuning: &'static [PaperPosition],
    /// More of them, each from another game: the names of sets, and their texts, a position a line.
    pub(crate) samples: &'static [(&'static str, &'static str)],
    /// What everything is measured against: the window and the re-search rule that took Aspiration NegaScout the fewest nodes on the
    /// positions of `tune`.
    pub(crate) baseline: Algorithm,
    /// Where the first guess of an iteration best comes from, by the same measure.
    pub(crate) guess: Guess,
    /// How its lines of play are counted, if not by listing and playing its moves. A line that ends early counts nothing, unless
    /// the field counts it.
    #[cfg(feature = "study")]
    pub(crate) perft: Option<fn(&G, u32) -> u64>,
    /// How its boards are drawn, if they are more than text.
    pub(crate) draw: Option<fn(&G) -> Drawing>,
    /// How players write moves, if not only as the game itself does.
    pub(crate) read: Option<ReadMoves<G>>,
    /// Why a move that looks like one cannot be played, if the game can tell.
    pub(crate) objection: Option<Object<G>>,
    /// How players write a move, if not as the game itself does.
    pub(crate) write: Option<WriteMove<G>>,
    /// What an opening book knows a position by, if not by its key: a number that mirror images share.
    pub(crate) book_key: Option<fn(&G) -> u64>,
    /// The opening book that comes with it.
    pub(crate) book: Option<&'static str>,
    /// Whether nobody can win any more, if that ends the game.
    pub(crate) dead: Option<fn(&G) -> bool>,
    /// How it is solved.
    #[cfg(feature = "study")]
    pub(crate) solve: SolveBy<G>,
    /// Whether its solver can be asked for a mate in so many moves.
    pub(crate) mates: bool,
    /// Who plays its end.
    pub(crate) finisher: Option<Finisher<G>>,
    /// Other ways to evaluate its positions, by name, which ask an endings database where the settings have one. Engines use the
    /// first of them, and experiments none unless told to.
    pub(crate) evaluators: &'static [(&'static str, Evaluator<G>)],
    /// How it asks an endings database, if it has such.
    pub(crate) endings: Option<Evaluator<G>>,
    /// How positions for training are made, if they are.
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
    /// Its sets of positions: their names, and the texts.
    pub(crate) fn sets(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let chosen = [("paper", self.paper), ("tuning", self.tuning)];
        let chosen = chosen.into_iter().map(|(name, set)| (name, set.iter().map(|position| position.text).collect()));
        let drawn = self.samples.iter().map(|&(name, text)| (name, positions(text).collect()));
        chosen.chain(drawn).filter(|(_, texts): &(_, Vec<_>)| !texts.is_empty()).collect()
    }

    /// That of a game that has no more than its text.
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
        objection: None,
        write: None,
        book_key: None,
        book: None,
        dead: None,
        #[cfg(feature = "study")]
        solve: plain,
        mates: false,
        finisher: None,
        evaluators: &[],
        endings: None,
        #[cfg(feature = "study")]
        training: None,
    };

    /// The game's own evaluation, by name.
    pub(crate) const OWN: &str = "own";

    /// A search with these settings. What it evaluates positions with is decided here and nowhere else: the game's own
    /// evaluation, another by name, or that of an endings database.
    pub(crate) fn search(&self, game: &str, settings: &Settings) -> Result<Box<dyn AnySearch<G>>, Error> {
        let settings = self.settings(settings.clone());
        match (&settings.endings, settings.evaluator.as_deref()) {
            (Some(_), None | Some(Self::OWN)) => self.asked(game)?(&settings),
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

    /// The names of its evaluators, its own evaluation first.
    pub(crate) fn evaluator_names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(Self::OWN).chain(self.evaluators.iter().map(|(name, _)| *name))
    }

    /// What its engines evaluate positions with, where nobody says otherwise.
    pub(crate) fn played_with(&self) -> Option<String> {
        self.evaluators.first().map(|(name, _)| (*name).to_owned())
    }

    /// The settings, with the game's own choice where they leave one.
    pub(crate) fn settings(&self, mut settings: Settings) -> Settings {
        settings.options.ordering = settings.options.ordering.or(self.ordering);
        settings
    }

    /// How a database is asked, or that there is none to ask.
    pub(crate) fn asked(&self, game: &str) -> Result<Evaluator<G>, Error> {
        self.endings.ok_or_else(|| Error::NoEndings { game: game.to_owned() })
    }
}

impl<G: Playable + Drawn> Kit<G> {
    /// That of a game whose boards can be painted.
    pub(crate) const DRAWN: Kit<G> = Kit { draw: Some(G::drawing), ..Kit::PLAIN };
}

/// The positions of a text: one a line; what follows a # is a remark.
pub fn positions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|line| !line.is_empty())
}
