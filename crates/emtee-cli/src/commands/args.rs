//! Arguments that several commands have, and how values are read.

use std::fmt::Display;
use std::str::FromStr;

use clap::Args as ClapArgs;
use emtee::research::{Deepening, Guess, Keep, Mode, Reuse};
use emtee::{Algorithm, MAX_DEPTH, MAX_THREADS, Selective, Size, Value};
use emtee_engine::arena::PlayerSpec;
use emtee_engine::{Settings, begins_with_a_guess};

use crate::failure::Failure;

// A doc comment here would become that of every command that has these arguments.
#[derive(ClapArgs)]
pub(crate) struct PositionArgs {
    /// The game
    pub(crate) game: String,

    /// A position, in the game's own text [default: the start]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Vec<String>,

    /// A file of positions, one a line; - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) positions: Option<String>,

    /// A set of positions of the game: paper, tuning, tune or held-out
    #[arg(long, value_name = "NAME", conflicts_with_all = ["position", "positions"])]
    pub(crate) set: Option<String>,

    /// Moves to play first, separated by spaces or commas
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}

// Nor has this one a doc comment.
#[derive(ClapArgs)]
pub(crate) struct TableArgs {
    /// The size of the table, like 64MB [default: 2^20 entries, 16MB]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) hash: Option<Size>,

    /// The number of entries in the table, of 16 bytes each
    #[arg(long, value_name = "N", conflicts_with = "hash", value_parser = whole(1, usize::MAX))]
    pub(crate) entries: Option<usize>,

    /// How many bounds an entry keeps, one or two [default: two]
    #[arg(long, value_name = "ONE|TWO")]
    pub(crate) bounds: Option<Keep>,

    /// Let deeper entries answer too: stronger, but the value is no longer that of minimax
    #[arg(long)]
    pub(crate) deeper_answers: bool,

    /// Keep leaves out of the table: faster where evaluating costs less than a look into memory
    #[arg(long)]
    pub(crate) skip_leaves: bool,

    /// Enhanced transposition cutoffs from N plies up, 0 for none [default: what suits the game]
    #[arg(long, value_name = "N", value_parser = whole(0, u8::MAX))]
    pub(crate) etc: Option<u8>,

    /// Plies from one iteration to the next
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1, 10u8))]
    pub(crate) step: u8,

    /// Whose value is the first guess: previous, two-back, or the better so far [default: better]
    #[arg(long, value_name = "FROM")]
    pub(crate) guess: Option<Guess>,

    /// Round evaluations to multiples of N [default: 8 in chess, 4 in checkers, else 1]
    #[arg(long, value_name = "N", value_parser = whole(1, Value::MAX_SCORE))]
    pub(crate) grain: Option<i32>,

    /// How many threads search, 0 for all cores: values are the same, counts are not
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, MAX_THREADS))]
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

    /// Refuses what would change nothing: no option is ignored in silence.
    pub(crate) fn check(&self, algorithm: Algorithm) -> Result<(), Failure> {
        let about_the_table = [
            ("--hash", self.hash.is_some()),
            ("--entries", self.entries.is_some()),
            ("--bounds", self.bounds.is_some()),
            ("--deeper-answers", self.deeper_answers),
            ("--skip-leaves", self.skip_leaves),
            ("--etc", self.etc.is_some()),
        ];
        match about_the_table.iter().find(|(_, given)| *given) {
            Some((option, _)) if algorithm.is_oracle() => {
                Err(Failure::bad(format!("{algorithm} uses no table; leave {option} out")))
            }
            _ if self.guess.is_some() => check_guess(algorithm, "--guess"),
            _ => Ok(()),
        }
    }
}

/// Refuses an option about guesses for an algorithm that makes none.
pub(crate) fn check_guess(algorithm: Algorithm, option: &str) -> Result<(), Failure> {
    if begins_with_a_guess(algorithm) {
        return Ok(());
    }
    Err(Failure::bad(format!("{algorithm} does not begin with a guess; leave {option} out")))
}

/// A depth.
pub(crate) fn depth(text: &str) -> Result<u8, String> {
    let bad = || format!("a depth is a number from 1 to {MAX_DEPTH}");
    text.parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth)).ok_or_else(bad)
}

/// Switches of selective search. Names of earlier versions are read with a warning.
pub(crate) fn switches(text: &str) -> Result<Selective, emtee::Error> {
    for (old, new) in Selective::deprecated(text) {
        eprintln!("warning: '{old}' is called {new} now; the next version reads the new name only");
    }
    text.parse()
}

/// A player of a match, with such switches.
pub(crate) fn player(text: &str) -> Result<PlayerSpec, String> {
    for setting in text.split(',') {
        if let Some(list) = setting.trim().strip_prefix("selective=") {
            let _ = switches(&list.replace('+', ","));
        }
    }
    text.parse()
}

/// A whole number in a range.
pub(crate) fn whole<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + Display + PartialOrd + Copy + Send + Sync + 'static,
{
    move |text| {
        let bad = || format!("choose a whole number from {least} to {most}");
        text.parse().ok().filter(|n| (least..=most).contains(n)).ok_or_else(bad)
    }
}
