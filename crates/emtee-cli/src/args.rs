//! The command line.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand};
use emtee::research::{Guess, Keep, Reuse};
use emtee::{Algorithm, Budget, MAX_DEPTH, MAX_THREADS, Selective, Size, Value};
use emtee_engine::{Protocol, Settings, read_duration};
use emtee_games::checkers::endings::MOST_PIECES;

use crate::args_match::MatchArgs;
use crate::args_play::PlayArgs;
use crate::failure::Failure;

/// Minimax search by MT and its drivers: SSS*, DUAL*, C*, MTD-f and the Alpha-Beta family, on one table.
///
/// For games of two players without dice or hidden cards. Every command takes --json and then prints one object a line.
#[derive(Parser)]
#[command(
    name = "emtee",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "Examples:\n  emtee reproduce\n  emtee compare connect4 --depth 12\n  emtee search kalah --time 2s --top 3\n  emtee tree paper"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print one JSON object a line
    #[arg(long, global = true, display_order = 900)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Rerun the paper's experiments, and answer whether its claims hold
    #[command(
        after_help = "Examples:\n  emtee reproduce\n  emtee reproduce --scale paper --out paper\n  emtee reproduce --games othello --figures 10,11"
    )]
    Reproduce(ReproduceArgs),
    /// Run an experiment of your own, described in a small TOML file
    #[command(
        after_help = "Examples:\n  emtee experiment kalah.toml --out kalah\n  emtee experiment kalah.toml --shard 3/64 --out part3\n\nSuch a file:\n  title = \"MTD-f on Kalah\"\n  figures = [9, 11, 12, \"passes\"]\n\n  [[game]]\n  name = \"kalah\"\n  depth = 8\n  positions = { random = 10, plies = 6 }"
    )]
    Experiment(ExperimentArgs),
    /// Put the parts of an experiment together
    #[command(after_help = "Examples:\n  emtee merge part1 part2 part3 --out whole")]
    Merge(MergeArgs),
    /// Search a position
    #[command(
        after_help = "Examples:\n  emtee search connect4 --position 4455 --depth 14\n  emtee search kalah --time 2s --top 3"
    )]
    Search(SearchArgs),
    /// Find the exact value of a position, with a line that proves it
    #[command(
        after_help = "Examples:\n  emtee solve connect4 --position 4455\n  emtee solve connect4 --outcome\n  emtee solve chess --position \"7k/8/5K2/8/8/8/8/R7 w - - 0 1\" --mate 2"
    )]
    Solve(SolveArgs),
    /// Play through a protocol: UCI for chess, NBoard for Othello, Hub for checkers
    #[command(
        after_help = "Examples:\n  emtee engine chess\n  emtee engine othello --time 500ms\n  emtee engine checkers --hash 1GB --algorithm mtd-f"
    )]
    Engine(EngineArgs),
    /// Put algorithms side by side on the same positions
    #[command(
        after_help = "Examples:\n  emtee compare connect4 --depth 12\n  emtee compare kalah --depth 9 --algorithms all --json"
    )]
    Compare(CompareArgs),
    /// Run an algorithm on a tree you write down, and show every pass
    #[command(
        after_help = "Examples:\n  emtee tree paper\n  emtee tree tree.txt --algorithm mtd-f --first 12 --svg passes.svg\n  echo '((41 5) (12 90))' | emtee tree -"
    )]
    Tree(TreeArgs),
    /// Count the lines of play of a given length
    #[command(after_help = "Examples:\n  emtee perft connect4 --depth 8\n  emtee perft kalah --depth 6 --divide")]
    Perft(PerftArgs),
    /// Work out an endings database: win, draw or loss for every position with few pieces
    #[command(
        after_help = "Examples:\n  emtee tablebase checkers --pieces 4\n  emtee tablebase checkers --pieces 5 --out five.endings --verify\n\nWithout --out the file goes where engines look for it: the folder EMTEE_DATA, or emtee in the folder for\na user's data, ~/.local/share as a rule. A file that is there already is not made again."
    )]
    Tablebase(TablebaseArgs),
    /// Measure speed, and print the node count that tells whether the search has changed
    #[command(
        after_help = "Examples:\n  emtee bench\n  emtee bench kalah --json\n  emtee bench chess --threads 1,2 --at-least 5s\n  emtee bench othello --threads 4,8,16 --virtual"
    )]
    Bench(BenchArgs),
    /// Play against it, in this terminal
    #[command(
        after_help = "Examples:\n  emtee play connect4\n  emtee play chess --level 3 --side second\n  emtee play othello --clock 5m+3s\n\nMoves are written as players do: Nf3 or g1f3, 11-15, f5, capitals or not. 'help' tells the rest."
    )]
    Play(PlayArgs),
    /// Let two engines play a match, ours or others
    #[command(
        after_help = "Examples:\n  emtee match connect4 mtd-f alpha-beta,depth=4 --games 20 --nodes 10000\n  emtee match chess mtd-f aspiration-negascout --time 100ms --games 200 --concurrency 2 --out drivers\n  emtee match chess mtd-f 'cmd:gnuchess --uci' --time 100ms --sprt 0,20\n\nA player is an algorithm of ours or a program, and settings behind commas:\n  mtd-f,hash=64MB,selective=no,level=4,seed=7    also threads, overhead, endings=FILE\n  cmd:COMMAND,option.Threads=1                   speaks UCI for chess, NBoard for othello, Hub for checkers\n  uci:, nboard:, hub: or gtp:COMMAND             says which protocol\nBoth may have time=, depth= or nodes= instead of the limits of the match, margin= and name=. A comma in a command is\nwritten twice."
    )]
    Match(Box<MatchArgs>),
    /// Check that a game keeps the laws, and that all algorithms agree on it
    #[command(after_help = "Examples:\n  emtee check kalah\n  emtee check connect4 --games 1000 --depth 6")]
    Check(CheckArgs),
}

/// Which position.
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

    /// A set of positions of the game: paper, or tuning
    #[arg(long, value_name = "NAME", conflicts_with_all = ["position", "positions"])]
    pub(crate) set: Option<String>,

    /// Moves to play first, separated by spaces or commas
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}

/// How to search.
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

    /// Enhanced transposition cutoffs from N plies up, 0 for none [default: 3 in checkers, else none]
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
        settings.size = self.hash.or(self.entries.map(Size::of_entries)).unwrap_or_default();
        settings.keep = self.bounds.unwrap_or_default();
        settings.reuse = if self.deeper_answers { Reuse::AtLeastDepth } else { Reuse::EqualDepth };
        settings.store_leaves = !self.skip_leaves;
        settings.etc = self.etc;
        settings.step = self.step;
        settings.threads = self.threads;
        settings.guess = self.guess.unwrap_or_default();
        settings.grain = self.grain;
        settings
    }

    /// Refuses what would change nothing: no option is ignored in silence.
    fn check(&self, algorithm: Algorithm) -> Result<(), Failure> {
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
fn check_guess(algorithm: Algorithm, option: &str) -> Result<(), Failure> {
    match algorithm {
        Algorithm::MtdF
        | Algorithm::MtdFFigure8
        | Algorithm::MtdGallop { .. }
        | Algorithm::MtdBest(_)
        | Algorithm::AspirationNegaScout { .. } => Ok(()),
        _ => Err(Failure::bad(format!("{algorithm} does not begin with a guess; leave {option} out"))),
    }
}

#[derive(ClapArgs)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) at: PositionArgs,

    /// The algorithm; steps and windows go behind a colon, as in mtd-step:50
    #[arg(long, short, value_name = "A", default_value_t)]
    pub(crate) algorithm: Algorithm,

    /// How deep, in plies
    #[arg(long, short, value_name = "N", value_parser = depth)]
    pub(crate) depth: Option<u8>,

    /// How long, like 5s or 200ms [default: 5s if there is no other limit]
    #[arg(long, short, value_name = "T", allow_hyphen_values = true, value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// How many nodes
    #[arg(long, value_name = "N", value_parser = whole(1, u64::MAX))]
    pub(crate) nodes: Option<u64>,

    /// Rank the best N moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1, u8::MAX))]
    pub(crate) top: u8,

    /// Let repetitions and counted moves end the game as its rules say, --moves included
    #[arg(long)]
    pub(crate) in_play: bool,

    /// Ask an endings database of checkers, made by tablebase
    #[arg(long, value_name = "FILE")]
    pub(crate) endings: Option<std::path::PathBuf>,

    #[command(flatten)]
    pub(crate) table: TableArgs,
}

impl SearchArgs {
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        self.table.check(self.algorithm)?;
        let mut settings = self.table.settings();
        settings.algorithm = self.algorithm;
        settings.in_play = self.in_play;
        settings.endings = self.endings.as_deref().map(crate::endings::load).transpose()?;
        Ok(settings)
    }

    pub(crate) fn budget(&self) -> Budget {
        match (self.depth, self.nodes, self.time) {
            (None, None, None) => Budget::ms(5_000),
            (depth, nodes, time) => {
                let mut budget = Budget::UNLIMITED;
                (budget.depth, budget.nodes, budget.time) = (depth, nodes, time);
                budget
            }
        }
    }
}

#[derive(ClapArgs)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) at: PositionArgs,

    /// Only who wins, not how soon or by how much: often much faster
    #[arg(long)]
    pub(crate) outcome: bool,

    /// Chess: a mate in at most N moves, or the proof that there is none [default: any]
    #[arg(long, value_name = "N", value_parser = whole(1, u32::from(MAX_DEPTH / 2)))]
    pub(crate) mate: Option<u32>,

    /// Give up after this long, like 5s or 2m
    #[arg(long, short, value_name = "T", allow_hyphen_values = true, value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// The size of the table, like 1GB [default: 256MB for Connect Four, 64MB for others]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) hash: Option<Size>,

    /// An endings database of checkers, or none [default: the largest made by tablebase]
    #[arg(long, value_name = "FILE|none")]
    pub(crate) endings: Option<String>,
}

#[derive(ClapArgs)]
pub(crate) struct EngineArgs {
    /// The game
    pub(crate) game: String,

    /// The protocol: uci, nboard or hub [default: that of the game]
    #[arg(long, value_name = "NAME")]
    pub(crate) protocol: Option<Protocol>,

    /// The algorithm
    #[arg(long, short, value_name = "A", default_value_t)]
    pub(crate) algorithm: Algorithm,

    /// The size of the table
    #[arg(long, value_name = "SIZE", default_value = "64MB", allow_hyphen_values = true)]
    pub(crate) hash: Size,

    /// What to leave out: all, none, or a list like null-move,reductions [default: what pays]
    #[arg(long, value_name = "SWITCHES", allow_hyphen_values = true)]
    pub(crate) selective: Option<Selective>,

    /// How many threads search, 0 for all cores
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, MAX_THREADS))]
    pub(crate) threads: usize,

    /// Search the end of the game like the rest of it, where the game could solve it
    #[arg(long)]
    pub(crate) no_solving: bool,

    /// What is kept back of every move's time
    #[arg(long, value_name = "T", default_value = "10ms", allow_hyphen_values = true, value_parser = read_duration)]
    pub(crate) overhead: Duration,

    /// How long a move may take, for NBoard, which has no clock
    #[arg(long, short, value_name = "T", allow_hyphen_values = true, value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// An endings database of checkers, or none [default: the largest made by tablebase]
    #[arg(long, value_name = "FILE|none")]
    pub(crate) endings: Option<String>,
}

/// What is compared unless the user says otherwise.
pub(crate) const BEST_KNOWN: &str = "mtd-f,mtd-gallop,sss,dual,aspiration-negascout,negascout,alpha-beta";

#[derive(ClapArgs)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) at: PositionArgs,

    /// How deep, in plies
    #[arg(long, short, value_name = "N", value_parser = depth)]
    pub(crate) depth: u8,

    /// The algorithms, separated by commas, or all [default: the best known]
    #[arg(long, value_name = "A,B", default_value = BEST_KNOWN, hide_default_value = true)]
    pub(crate) algorithms: String,

    #[command(flatten)]
    pub(crate) table: TableArgs,
}

impl CompareArgs {
    /// The algorithms asked for, the baseline among them.
    pub(crate) fn algorithms(&self) -> Result<Vec<Algorithm>, Failure> {
        let mut algorithms = Vec::new();
        for name in self.algorithms.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match name {
                "all" => algorithms.extend(Algorithm::ALL),
                _ => algorithms.push(name.parse()?),
            }
        }
        // Of those that nobody has named, the ones that one thread must search alone are left out.
        if self.table.threads != 1 && [BEST_KNOWN, "all"].contains(&self.algorithms.as_str()) {
            algorithms.retain(|algorithm| algorithm.shares_work());
        }
        if algorithms.is_empty() {
            return Err(Failure::bad("no algorithm was named; try --algorithms all"));
        }
        if !algorithms.iter().any(|a| matches!(a, Algorithm::AspirationNegaScout { .. })) {
            algorithms.push(Algorithm::BASELINE);
        }
        let mut seen = Vec::new();
        algorithms.retain(|a| {
            !seen.contains(a) && {
                seen.push(*a);
                true
            }
        });
        Ok(algorithms)
    }
}

#[derive(ClapArgs)]
pub(crate) struct TreeArgs {
    /// A file with a tree like ((41 5) (12 90)) or [[41,5],[12,90]], - for standard input, or paper
    #[arg(value_name = "FILE|paper")]
    pub(crate) tree: String,

    /// The algorithm
    #[arg(long, short, value_name = "A", default_value = "sss")]
    pub(crate) algorithm: Algorithm,

    /// The first guess, for the algorithms that begin with one
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = score)]
    pub(crate) first: Option<Value>,

    /// What stands for infinity: more than any leaf [default: 1000 for the paper's tree]
    #[arg(long, value_name = "N", value_parser = whole(1, Value::MAX_SCORE))]
    pub(crate) infinity: Option<i32>,

    /// Draw the passes into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<std::path::PathBuf>,
}

impl TreeArgs {
    /// Refuses what would change nothing.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.first.is_some() { check_guess(self.algorithm, "--first") } else { Ok(()) }
    }
}

#[derive(ClapArgs)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) at: PositionArgs,

    /// How many moves long
    #[arg(long, short, value_name = "N", value_parser = whole(0, MAX_DEPTH))]
    pub(crate) depth: u8,

    /// Show the count below each move
    #[arg(long)]
    pub(crate) divide: bool,
}

/// How an experiment is run.
#[derive(ClapArgs)]
pub(crate) struct LabArgs {
    /// Only these figures, separated by commas: 9 to 14, or names
    #[arg(long, value_name = "F,G")]
    pub(crate) figures: Option<String>,

    /// Only these games of the experiment, separated by commas
    #[arg(long, value_name = "A,B")]
    pub(crate) games: Option<String>,

    /// How many runs at once [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = whole(1, 1024usize))]
    pub(crate) jobs: Option<usize>,

    /// How many threads in each search, 0 for all cores; then counts differ [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(0, MAX_THREADS))]
    pub(crate) threads: Option<usize>,

    /// Only one of N equal parts, for job arrays
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(usize, usize)>,
}

#[derive(ClapArgs)]
pub(crate) struct ReproduceArgs {
    /// The folder for results, figures and the report
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub(crate) out: std::path::PathBuf,

    /// How much: quick, paper or deep
    #[arg(long, value_name = "SCALE", default_value = "quick")]
    pub(crate) scale: String,

    #[command(flatten)]
    pub(crate) lab: LabArgs,
}

#[derive(ClapArgs)]
pub(crate) struct ExperimentArgs {
    /// The file that describes it; - reads standard input
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: String,

    /// The folder for results, figures and the report [default: the name of the file]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<std::path::PathBuf>,

    #[command(flatten)]
    pub(crate) lab: LabArgs,
}

#[derive(ClapArgs)]
pub(crate) struct MergeArgs {
    /// The folders of the parts
    #[arg(value_name = "DIR", required = true)]
    pub(crate) parts: Vec<std::path::PathBuf>,

    /// The folder for the whole
    #[arg(long, value_name = "DIR")]
    pub(crate) out: std::path::PathBuf,
}

#[derive(ClapArgs)]
pub(crate) struct TablebaseArgs {
    /// The game (checkers has such databases)
    pub(crate) game: String,

    /// The most pieces on the board, 2 to 6 (5 take a minute and 300 MB of memory, 6 many times that)
    #[arg(long, value_name = "N", value_parser = whole(2, MOST_PIECES))]
    pub(crate) pieces: usize,

    /// The file [default: where engines look for it]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<std::path::PathBuf>,

    /// Check every value in the file against those of the positions after it
    #[arg(long)]
    pub(crate) verify: bool,
}

#[derive(ClapArgs)]
pub(crate) struct BenchArgs {
    /// Only this game
    pub(crate) game: Option<String>,

    /// Measure speedups: the numbers of threads, separated by commas
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = whole(0, MAX_THREADS))]
    pub(crate) threads: Vec<usize>,

    /// How long a search with one thread takes at least
    #[arg(long, value_name = "T", default_value = "2s", requires = "threads", value_parser = read_duration)]
    pub(crate) at_least: Duration,

    /// How many positions of each game
    #[arg(long, value_name = "N", default_value_t = 5, requires = "threads", value_parser = whole(1, 1000usize))]
    pub(crate) positions: usize,

    /// Which algorithm
    #[arg(long, value_name = "A", default_value_t, requires = "threads")]
    pub(crate) algorithm: Algorithm,

    /// Share the table alone, instead of putting off what others are at
    #[arg(long, requires = "threads")]
    pub(crate) table_only: bool,

    /// Threads take turns by a virtual clock, as if each had a core of its own
    #[arg(long = "virtual", requires = "threads")]
    pub(crate) by_virtual_clock: bool,

    /// The size of the table
    #[arg(long, value_name = "SIZE", default_value = "256MB", requires = "threads")]
    pub(crate) hash: Size,
}

#[derive(ClapArgs)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) at: PositionArgs,

    /// How many random games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(1, u32::MAX))]
    pub(crate) games: u32,

    /// Which random games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub(crate) seed: u64,

    /// How deep the algorithms are compared [default: 4, or less in a game of many moves]
    #[arg(long, short, value_name = "N", value_parser = depth)]
    pub(crate) depth: Option<u8>,
}

pub(crate) fn depth(text: &str) -> Result<u8, String> {
    let bad = || format!("a depth is a number from 1 to {MAX_DEPTH}");
    text.parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth)).ok_or_else(bad)
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

fn score(text: &str) -> Result<Value, String> {
    let bad = || format!("a value is a number within ±{}", Value::MAX_SCORE);
    text.parse().ok().and_then(Value::score).ok_or_else(bad)
}

/// 3/64: the third of 64 parts.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let bad = || String::from("write a part like 3/64, the third of 64");
    let (which, of) = text.split_once('/').ok_or_else(bad)?;
    let (which, of) = (which.trim().parse().map_err(|_| bad())?, of.trim().parse().map_err(|_| bad())?);
    if (1..=of).contains(&which) { Ok((which, of)) } else { Err(bad()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }
}
