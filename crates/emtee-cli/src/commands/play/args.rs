//! The command line of `emtee play`.

use std::str::FromStr;
use std::time::Duration;

use clap::Args as ClapArgs;
use emtee::{Algorithm, Level, MAX_THREADS, Side, Size};
use emtee_engine::arena::TimeControl;
use emtee_engine::read_duration;

use crate::commands::args::whole;

/// Play against it, in this terminal
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee play connect4\n  emtee play chess --level 3 --side second\n  emtee play othello --clock 5m+3s\n  emtee play checkers --time 2s --threads 2\n\nMoves are written as players do: Nf3 or g1f3, 11-15, f5, capitals or not. 'help' tells the rest."
)]
pub(crate) struct PlayArgs {
    /// The game
    pub(crate) game: String,

    /// How strong, from 1 to 10 [default: 5]
    #[arg(long, short, value_name = "N", conflicts_with = "time")]
    pub(crate) level: Option<Level>,

    /// Think so long a move, as strong as it can
    #[arg(long, short, value_name = "T", value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// Which side you play: first, second, both or none
    #[arg(long, value_name = "SIDE", default_value = "first")]
    pub(crate) side: Sides,

    /// Clocks: the time for the game and what each move adds, like 5m+3s
    #[arg(long, value_name = "T+T", value_parser = TimeControl::read_clock)]
    pub(crate) clock: Option<(Duration, Duration)>,

    /// The position to begin with, in the game's own text
    #[arg(long, value_name = "P", allow_hyphen_values = true, conflicts_with = "load")]
    pub(crate) position: Option<String>,

    /// A game to go on with: PGN, PDN, GGF or a list of moves
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<String>,

    /// The algorithm
    #[arg(long, short, value_name = "A", default_value_t)]
    pub(crate) algorithm: Algorithm,

    /// The size of the table, like 64MB [default: 64MB]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) hash: Option<Size>,

    /// How many threads think, 0 for all cores; with --time [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(0, MAX_THREADS))]
    pub(crate) threads: Option<usize>,

    /// An endings database of checkers, or none [default: the largest there is, without a level]
    #[arg(long, value_name = "FILE|none")]
    pub(crate) endings: Option<String>,

    /// An opening book, own for the game's, or none [default: own, without a level]
    #[arg(long, value_name = "FILE|own|none")]
    pub(crate) book: Option<String>,

    /// What the choice among good moves is made by [default: another one every time]
    #[arg(long, value_name = "N", value_parser = whole(0, u64::MAX))]
    pub(crate) seed: Option<u64>,
}

/// The sides that a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    pub(crate) by_person: [bool; 2],
}

impl Sides {
    pub(crate) fn has(self, side: Side) -> bool {
        self.by_person[side.index()]
    }
}

impl FromStr for Sides {
    type Err = String;
    fn from_str(text: &str) -> Result<Sides, String> {
        let by_person = match text.to_ascii_lowercase().as_str() {
            "first" | "1" => [true, false],
            "second" | "2" => [false, true],
            "both" => [true, true],
            "none" => [false, false],
            _ => return Err(String::from("choose first, second, both or none")),
        };
        Ok(Sides { by_person })
    }
}
