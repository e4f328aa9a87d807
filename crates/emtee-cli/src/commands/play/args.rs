//! The options of `emtee play`.

use std::str::FromStr;
use std::time::Duration;

use clap::Args as ClapArgs;
use emtee::{Algorithm, Level, MAX_THREADS, Side, Size};
use emtee_engine::arena::TimeControl;
use emtee_engine::read_duration;

use crate::commands::args::integer;

/// Play against the engine in the terminal
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee play connect4\n  emtee play chess --level 3 --side second\n  emtee play othello --clock 5m+3s\n  emtee play checkers --time 2s --threads 2\n\nType moves in the usual notation, in any case: Nf3 or g1f3, 11-15, f5. Type 'help' for the commands."
)]
pub(crate) struct PlayArgs {
    /// Game
    pub(crate) game: String,

    /// Playing strength, from 1 to 10 [default: 5]
    #[arg(long, short, value_name = "N", conflicts_with = "time")]
    pub(crate) level: Option<Level>,

    /// Time per move, at full strength
    #[arg(long, short, value_name = "T", value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// Side that you play: first, second, both or none
    #[arg(long, value_name = "SIDE", default_value = "first")]
    pub(crate) side: Sides,

    /// Time per game and increment per move for both sides, like 5m+3s
    #[arg(long, value_name = "T+T", value_parser = TimeControl::read_clock)]
    pub(crate) clock: Option<(Duration, Duration)>,

    /// Start position in the notation of the game
    #[arg(long, value_name = "P", allow_hyphen_values = true, conflicts_with = "load")]
    pub(crate) position: Option<String>,

    /// Game to continue: PGN, PDN, GGF or a list of moves
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<String>,

    /// Search algorithm [default: mtd-f, or mcts for a game without an evaluation]
    #[arg(long, short, value_name = "A")]
    pub(crate) algorithm: Option<Algorithm>,

    /// Size of the table, like 64MB [default: 64MB]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) hash: Option<Size>,

    /// Number of search threads, 0 for all cores; requires --time [default: 1]
    #[arg(long, value_name = "N", value_parser = integer(0, MAX_THREADS))]
    pub(crate) threads: Option<usize>,

    /// Endings database for checkers, or none [default: the largest with --time, else none]
    #[arg(long, value_name = "FILE|none")]
    pub(crate) endings: Option<String>,

    /// Opening book: file, own (included) or none [default: own with --time, else none]
    #[arg(long, value_name = "FILE|own|none")]
    pub(crate) book: Option<String>,

    /// Seed for the choice among good moves [default: from the clock]
    #[arg(long, value_name = "N", value_parser = integer(0, u64::MAX))]
    pub(crate) seed: Option<u64>,
}

/// The sides that the user plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    pub(crate) by_user: [bool; 2],
}

impl Sides {
    pub(crate) fn has(self, side: Side) -> bool {
        self.by_user[side.index()]
    }
}

impl FromStr for Sides {
    type Err = String;
    fn from_str(text: &str) -> Result<Sides, String> {
        let by_user = match text.to_ascii_lowercase().as_str() {
            "first" | "1" => [true, false],
            "second" | "2" => [false, true],
            "both" => [true, true],
            "none" => [false, false],
            _ => return Err(String::from("choose first, second, both or none")),
        };
        Ok(Sides { by_user })
    }
}
