//! Options shared by several commands, and parsers of option values.

use std::fmt::Display;
use std::str::FromStr;

use clap::Args as ClapArgs;
use emtee::research::{Deepening, Guess, Keep, Mode, Reuse};
use emtee::{Algorithm, MAX_DEPTH, MAX_THREADS, Selective, Size, Value};
use emtee_engine::arena::PlayerSpec;
use emtee_engine::{Entry, Settings, uses_first_guess};

use crate::failure::Failure;

// Not a doc comment: it would become the description of every command that includes these options.
#[derive(ClapArgs)]
pub(crate) struct PositionArgs {
    /// Game
    pub(crate) game: String,

    /// Position in the notation of the game; repeatable [default: the start]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Vec<String>,

    /// File of positions, one per line; - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) positions: Option<String>,

    /// Position set of the game: paper, tuning, tune, held-out or judging
    #[arg(long, value_name = "NAME", conflicts_with_all = ["position", "positions"])]
    pub(crate) set: Option<String>,

    /// Moves to play from the position first, separated by spaces or commas
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}

// Not a doc comment, for the same reason.
#[derive(ClapArgs)]
pub(crate) struct TableArgs {
    /// Size of the table, like 64MB [default: 2^20 entries, 16MB]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) hash: Option<Size>,

    /// Number of entries in the table, of 16 bytes each
    #[arg(long, value_name = "N", conflicts_with = "hash", value_parser = integer(1, usize::MAX))]
    pub(crate) entries: Option<usize>,

    /// Number of bounds per entry, one or two [default: two]
    #[arg(long, value_name = "ONE|TWO")]
    pub(crate) bounds: Option<Keep>,

    /// Use deeper table entries too: stronger, but the value may differ from minimax
    #[arg(long)]
    pub(crate) deeper_answers: bool,

    /// Do not store leaves: faster if an evaluation costs less than a table access
    #[arg(long)]
    pub(crate) skip_leaves: bool,

    /// Least height of enhanced transposition cutoffs, 0 for none [default: per game; in compare 0]
    #[arg(long, value_name = "N", value_parser = integer(0, u8::MAX))]
    pub(crate) etc: Option<u8>,

    /// Depth step from one iteration to the next, in plies
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(1, 10u8))]
    pub(crate) step: u8,

    /// First guess: previous, two-back, better or average [default: better; in compare per game]
    #[arg(long, value_name = "FROM")]
    pub(crate) guess: Option<Guess>,

    /// Grain: round evaluations to multiples of N [default: 8 in chess, 4 in checkers, else 1]
    #[arg(long, value_name = "N", value_parser = integer(1, Value::MAX_SCORE))]
    pub(crate) grain: Option<i32>,

    /// Number of search threads, 0 for all cores: same values, other counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(0, MAX_THREADS))]
    pub(crate) threads: usize,
}

impl TableArgs {
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.grain = self.grain;
        let options = &mut settings.options;
        options.size = self.hash.or(self.entries.map(Size::of_entries)).or(options.size);
        options.keep = self.bounds;
        options.reuse = self.deeper_answers.then_some(Reuse::AtLeastDepth);
        options.store_leaves = Some(!self.skip_leaves);
        options.mode = Mode::Exact { etc: self.etc };
        options.deepening = Deepening::By(self.step);
        options.threads = self.threads;
        options.guess = self.guess.unwrap_or_default();
        settings
    }

    /// Refuses options without effect for this algorithm, so that none is ignored silently.
    pub(crate) fn check(&self, algorithm: Algorithm) -> Result<(), Failure> {
        let table_options = [
            ("--hash", self.hash.is_some()),
            ("--entries", self.entries.is_some()),
            ("--bounds", self.bounds.is_some()),
            ("--deeper-answers", self.deeper_answers),
            ("--skip-leaves", self.skip_leaves),
            ("--etc", self.etc.is_some()),
        ];
        let others = [("--step", self.step != 1), ("--guess", self.guess.is_some()), ("--grain", self.grain.is_some())];
        let mcts = || table_options.iter().chain(&others).find(|(option, given)| *given && *option != "--hash");
        match table_options.iter().find(|(_, given)| *given) {
            _ if algorithm == Algorithm::Mcts
                && let Some((option, _)) = mcts() =>
            {
                Err(Failure::bad(format!("{algorithm} grows a tree of simulations; leave {option} out")))
            }
            Some((option, _)) if algorithm.is_oracle() => {
                Err(Failure::bad(format!("{algorithm} uses no table; leave {option} out")))
            }
            _ if self.guess.is_some() => check_guess(algorithm, "--guess"),
            _ => Ok(()),
        }
    }
}

/// Refuses an option for the first guess if the algorithm does not use one.
pub(crate) fn check_guess(algorithm: Algorithm, option: &str) -> Result<(), Failure> {
    if uses_first_guess(algorithm) {
        return Ok(());
    }
    Err(Failure::bad(format!("{algorithm} does not begin with a guess; leave {option} out")))
}

/// The algorithm of an engine: the chosen one, or the default for the game and the evaluator. A default that is not the usual
/// one is announced.
pub(crate) fn play_algorithm(game: &dyn Entry, chosen: Option<Algorithm>, evaluator: Option<&str>) -> Algorithm {
    let usual = Algorithm::default();
    let algorithm = chosen.unwrap_or_else(|| game.play_algorithm(evaluator));
    if chosen.is_none() && algorithm != usual {
        eprintln!(
            "note: {} has no evaluation, so the engine uses {algorithm}; choose another with --algorithm {usual}",
            game.name()
        );
    }
    algorithm
}

/// Parses a depth.
pub(crate) fn depth(text: &str) -> Result<u8, String> {
    let bad = || format!("a depth is a number from 1 to {MAX_DEPTH}");
    text.parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth)).ok_or_else(bad)
}

/// Parses the switches of selective search. Names of earlier versions are accepted with a warning.
pub(crate) fn switches(text: &str) -> Result<Selective, emtee::Error> {
    for (old, new) in Selective::deprecated(text) {
        eprintln!("warning: '{old}' is now called {new}; the next version accepts only the new name");
    }
    text.parse()
}

/// Parses a player of a match, with the same warning for its switches.
pub(crate) fn player(text: &str) -> Result<PlayerSpec, String> {
    for setting in text.split(',') {
        if let Some(list) = setting.trim().strip_prefix("selective=") {
            let _ = switches(&list.replace('+', ","));
        }
    }
    text.parse()
}

/// A parser of integers in a range.
pub(crate) fn integer<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + Display + PartialOrd + Copy + Send + Sync + 'static,
{
    move |text| {
        let bad = || format!("choose a whole number from {least} to {most}");
        text.parse().ok().filter(|n| (least..=most).contains(n)).ok_or_else(bad)
    }
}
