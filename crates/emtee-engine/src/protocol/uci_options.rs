//! The options of UCI.

use std::fmt::Write;
use std::time::Duration;

use emtee::{Algorithm, Level, MAX_THREADS, Size};

use super::Setup;
use super::book_option::BookOption;
use super::engine_thread::EngineThread;
use crate::error::Error;
use crate::kit::WinChances;
use crate::now::now;
use crate::registry::Entry;

/// The options that are not part of [`Play`](crate::Play).
pub(crate) struct Options<'g> {
    /// The name of the option for the game's alternate move notation.
    alternate: Option<&'static str>,
    /// The result probabilities by evaluation, if they are known for the game.
    chances: Option<WinChances>,
    show_chances: bool,
    /// Whether the position is analysed, not played.
    analysis: bool,
    max_hash: usize,
    /// The number of best moves to show.
    pub(crate) lines: usize,
    limited: bool,
    elo: u32,
    /// The Elo of each level.
    ratings: [u32; 10],
    book: BookOption<'g>,
}

impl<'g> Options<'g> {
    pub(crate) fn new(game: &'g dyn Entry, setup: &Setup) -> Options<'g> {
        let conventions = game.conventions();
        Options {
            alternate: conventions.alternate_moves,
            chances: conventions.win_chances,
            show_chances: false,
            analysis: false,
            max_hash: setup.max_hash,
            lines: 1,
            limited: false,
            elo: conventions.ratings[9],
            ratings: conventions.ratings,
            book: BookOption::new(game, setup),
        }
    }

    /// The result probabilities, if they are shown.
    pub(crate) fn win_chances(&self) -> Option<WinChances> {
        self.chances.filter(|_| self.show_chances)
    }

    /// The list of options in the answer to `uci`.
    pub(crate) fn list(&self, thread: &EngineThread<'_, '_>) -> String {
        let play = thread.play();
        let mut text = String::new();
        let mut option = |name: &str, kind: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "option name {name} type {kind}");
        };
        let hash = (play.hash().bytes() >> 20).max(1);
        option("Hash", &format!("spin default {hash} min 1 max {}", self.max_hash));
        option("Clear Hash", "button");
        option("Threads", &format!("spin default {} min 1 max {MAX_THREADS}", play.options.threads.max(1)));
        option("MultiPV", "spin default 1 min 1 max 256");
        option("Move Overhead", &format!("spin default {} min 0 max 5000", play.overhead.as_millis()));
        option("Ponder", "check default false");
        option("OwnBook", &format!("check default {}", self.book.is_on()));
        option("Book File", "string default <empty>");
        if let Some(name) = self.alternate {
            option(name, &format!("check default {}", play.alternate));
        }
        if self.chances.is_some() {
            option("UCI_ShowWDL", "check default false");
        }
        option("UCI_AnalyseMode", "check default false");
        option("UCI_LimitStrength", "check default false");
        let [least, most] = self.elo_range();
        option("UCI_Elo", &format!("spin default {most} min {least} max {most}"));
        let names = thread.algorithms().iter().fold(String::new(), |all, name| all + " var " + name);
        option("Algorithm", &format!("combo default {}{names}", play.options.algorithm));
        option("Selective", &format!("check default {}", play.selective));
        text
    }

    /// Handles `setoption`. The error says what is wrong.
    pub(crate) fn set(&mut self, name: &str, value: &str, thread: &mut EngineThread<'_, '_>) -> Result<(), String> {
        let number = |least: usize, most: usize| {
            let bad = || format!("{name} is a number from {least} to {most}");
            value.parse::<usize>().ok().filter(|n| (least..=most).contains(n)).ok_or_else(bad)
        };
        let check = || match value.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{name} is true or false")),
        };
        let changed = match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let hash = Size::of_bytes(number(1, self.max_hash)? << 20);
                thread.change(|play| play.options.size = Some(hash))
            }
            "clear hash" => thread.new_game(),
            "threads" => {
                let threads = number(1, MAX_THREADS)?;
                thread.change(|play| play.options.threads = threads)
            }
            "multipv" => return number(1, 256).map(|lines| self.lines = lines),
            "move overhead" => {
                let overhead = Duration::from_millis(number(0, 5000)? as u64);
                thread.change(|play| play.overhead = overhead)
            }
            // Each `go` command says whether to ponder.
            "ponder" => return check().map(|_| ()),
            _ if self.alternate.is_some_and(|option| option.eq_ignore_ascii_case(name)) => {
                let alternate = check()?;
                thread.change(|play| play.alternate = alternate)
            }
            "uci_showwdl" if self.chances.is_some() => return check().map(|show| self.show_chances = show),
            "ownbook" => return self.book.set(check()?, thread),
            "book file" => return self.book.set_file(value, thread),
            "uci_analysemode" => {
                self.analysis = check()?;
                self.book.apply(thread, !self.analysis)?;
                self.set_level(thread)
            }
            "uci_limitstrength" => {
                self.limited = check()?;
                self.set_level(thread)
            }
            "uci_elo" => {
                let [least, most] = self.elo_range();
                self.elo = number(least as usize, most as usize)? as u32;
                self.set_level(thread)
            }
            "algorithm" => {
                let algorithm: Algorithm = value.parse().map_err(|error: emtee::Error| error.to_string())?;
                thread.change(|play| play.options.algorithm = algorithm)
            }
            "selective" => {
                let selective = check()?;
                thread.change(|play| play.selective = selective)
            }
            _ => return Err(format!("there is no option '{name}'")),
        };
        changed.map_err(|error| error.to_string())
    }

    /// The range of Elo ratings that can be set.
    fn elo_range(&self) -> [u32; 2] {
        [self.ratings[0], self.ratings[9]]
    }

    /// Plays at the level nearest to the chosen rating. An analysis always uses full strength.
    fn set_level(&self, thread: &mut EngineThread<'_, '_>) -> Result<(), Error> {
        let levels = (1..).zip(self.ratings);
        let nearest = levels.min_by_key(|&(_, rating)| rating.abs_diff(self.elo)).map_or(10, |(level, _)| level);
        let level = Level::new(nearest).ok().filter(|_| self.limited && !self.analysis);
        if level == thread.play().level {
            return Ok(());
        }
        // A new seed, so that games differ.
        let seed = now().as_nanos() as u64;
        thread.change(|play| (play.level, play.seed) = (level, seed))
    }
}
