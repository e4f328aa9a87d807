//! The options of `emtee match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;
use emtee_engine::arena::{Agreement, Contest, Openings, PlayerKind, PlayerSpec, Sprt, TimeControl};
use emtee_engine::{Entry, Registry, read_duration};
use emtee_games::checkers::endings::Database;

use crate::books;
use crate::commands;
use crate::commands::args::{depth, integer, player};
use crate::endings;
use crate::failure::Failure;

/// Play a match between two engines, built-in or external
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee match connect4 mtd-f alpha-beta,depth=4 --games 20 --nodes 10000\n  emtee match chess mtd-f aspiration-negascout --time 100ms --games 200 --concurrency 2 --out drivers\n  emtee match chess mtd-f 'cmd:gnuchess --uci' --time 100ms --sprt 0,20\n\nA player is a built-in algorithm or an external program, followed by settings after commas:\n  mtd-f,hash=64MB,selective=no,level=4,seed=7    also threads, overhead, evaluator=own, endings=FILE, chances=no,\n                                                 book=own\n  cmd:COMMAND,option.Threads=1                   UCI for chess, NBoard for othello, Hub for checkers\n  uci:, nboard:, hub: or gtp:COMMAND             with an explicit protocol\nBoth accept time=, depth= or nodes= instead of the limits of the match, margin= and name=. Write a comma in a command\ntwice."
)]
pub(crate) struct MatchArgs {
    /// Game
    #[arg(index = 1)]
    pub(crate) game: String,

    /// Player whose score is reported
    #[arg(index = 2, value_name = "A", value_parser = player)]
    pub(crate) a: PlayerSpec,

    /// Opponent
    #[arg(index = 3, value_name = "B", value_parser = player)]
    pub(crate) b: PlayerSpec,

    /// Maximum number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = integer(1, 1_000_000u64))]
    pub(crate) games: u64,

    /// Time per move, like 100ms [default: 100ms without other limits]
    #[arg(long, short, value_name = "T", allow_hyphen_values = true, value_parser = read_duration, conflicts_with = "clock")]
    pub(crate) time: Option<Duration>,

    /// Time per game and increment per move, like 10s+0.1s
    #[arg(long, value_name = "T+T", value_parser = TimeControl::read_clock)]
    pub(crate) clock: Option<(Duration, Duration)>,

    /// Depth limit in plies
    #[arg(long, short, value_name = "N", value_parser = depth)]
    pub(crate) depth: Option<u8>,

    /// Nodes per move
    #[arg(long, value_name = "N", value_parser = integer(1, u64::MAX))]
    pub(crate) nodes: Option<u64>,

    /// Number of concurrent games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(1, 1024usize))]
    pub(crate) concurrency: usize,

    /// Sequential test that ends the match: H0 is the first Elo difference, H1 the second
    #[arg(long, value_name = "E,E[,α,β]", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,

    /// File of openings, one per line: positions, or moves from the start; - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "seed"])]
    pub(crate) openings: Option<String>,

    /// Number of random plies per opening; the most balanced of several is used [default: 6]
    #[arg(long, value_name = "N", value_parser = integer(0, 100u32))]
    pub(crate) plies: Option<u32>,

    /// Seed of the random openings [default: 1]
    #[arg(long, value_name = "N", value_parser = integer(0, u64::MAX))]
    pub(crate) seed: Option<u64>,

    /// Maximum time overrun of a player before it forfeits the game
    #[arg(long, value_name = "T", default_value = "50ms", value_parser = read_duration)]
    pub(crate) margin: Duration,

    /// Maximum time for a move without a time limit
    #[arg(long, value_name = "T", default_value = "10m", value_parser = read_duration)]
    pub(crate) patience: Duration,

    /// Win adjudication: a value that both players report for N moves
    #[arg(long, value_name = "V:N")]
    pub(crate) win_at: Option<Agreement>,

    /// Draw adjudication: a value within which both players report for N moves
    #[arg(long, value_name = "V:N")]
    pub(crate) draw_at: Option<Agreement>,

    /// Number of plies after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = integer(1, 100_000u32))]
    pub(crate) longest: u32,

    /// Folder for the games; an interrupted match is continued
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

impl MatchArgs {
    pub(crate) fn contest(&self, registry: &Registry) -> Result<Contest, Failure> {
        let game = registry.get(&self.game)?;
        let mut contest = Contest::new(game.name(), self.a.clone(), self.b.clone());
        load_files(&mut contest, game)?;
        contest.games = self.games;
        contest.concurrency = self.concurrency;
        contest.sprt = self.sprt;
        contest.openings = match &self.openings {
            Some(file) => {
                let text = commands::read(file)?;
                Openings::read(&text, game).map_err(|why| Failure::bad(format!("{}: {why}", commands::name(file))))?
            }
            None => Openings::Random { plies: self.plies.unwrap_or(6), seed: self.seed.unwrap_or(1) },
        };
        let referee = &mut contest.referee;
        referee.control = TimeControl { move_time: self.time, clock: self.clock, depth: self.depth, nodes: self.nodes };
        if referee.control == TimeControl::default() {
            referee.control.move_time = Some(Duration::from_millis(100));
        }
        (referee.margin, referee.patience, referee.longest) = (self.margin, self.patience, self.longest);
        (referee.win_at, referee.draw_at) = (self.win_at, self.draw_at);
        Ok(contest)
    }
}

/// Loads the endings databases and the opening books of the players. Only named files are used, so that a match does not depend
/// on the files in the data folder.
pub(crate) fn load_files(contest: &mut Contest, game: &dyn Entry) -> Result<(), Failure> {
    let mut loaded: Vec<(String, Option<Database>)> = Vec::new();
    for player in &mut contest.players {
        let PlayerKind::BuiltIn(play) = &mut player.kind else { continue };
        if let Some(file) = &player.endings {
            // The players share a database if both name the same file, since it may be large.
            play.endings = match loaded.iter().find(|(known, _)| known == file) {
                Some((_, database)) => database.clone(),
                None => endings::load_chosen(game, Some(file))?.map(Database::from),
            };
            loaded.push((file.clone(), play.endings.clone()));
        }
        if let Some(named) = &player.book {
            play.book = books::load(game, named)?;
        }
    }
    Ok(())
}
