//! `emtee engine`: an engine for graphical interfaces and servers.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args as ClapArgs;
use emtee::{Algorithm, MAX_THREADS, Selective, Size};
use emtee_engine::{Play, Protocol, Registry, Setup, read_duration, run_protocol};

use crate::books;
use crate::commands::args::{integer, play_algorithm, switches};
use crate::endings;
use crate::failure::Failure;
use crate::output::Output;

/// Run as an engine: UCI for chess, NBoard for Othello, Hub for checkers
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee engine chess\n  emtee engine othello --time 500ms\n  emtee engine checkers --hash 1GB --algorithm mtd-f --book own"
)]
pub(crate) struct EngineArgs {
    /// Game
    pub(crate) game: String,

    /// Protocol: uci, nboard or hub [default: that of the game]
    #[arg(long, value_name = "NAME")]
    pub(crate) protocol: Option<Protocol>,

    /// Search algorithm [default: mtd-f, or mcts for a game without an evaluation]
    #[arg(long, short, value_name = "A")]
    pub(crate) algorithm: Option<Algorithm>,

    /// Size of the table
    #[arg(long, value_name = "SIZE", default_value = "64MB", allow_hyphen_values = true)]
    pub(crate) hash: Size,

    /// Selective search switches: all, none or names like null-move,probcut [default: per game]
    #[arg(long, value_name = "SWITCHES", allow_hyphen_values = true, value_parser = switches)]
    pub(crate) selective: Option<Selective>,

    /// Number of search threads, 0 for all cores
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(0, MAX_THREADS))]
    pub(crate) threads: usize,

    /// Do not use the endgame solver of the game
    #[arg(long)]
    pub(crate) no_solving: bool,

    /// Reserve subtracted from the time of every move
    #[arg(long, value_name = "T", default_value = "10ms", allow_hyphen_values = true, value_parser = read_duration)]
    pub(crate) overhead: Duration,

    /// Time per move, for NBoard only, which has no clock
    #[arg(long, short, value_name = "T", allow_hyphen_values = true, value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// own, network (chess, checkers), learnt (Othello) or learned:FILE [default: the strongest]
    #[arg(long, value_name = "NAME")]
    pub(crate) evaluator: Option<String>,

    /// Endings database for checkers, or none [default: the largest one built by tablebase]
    #[arg(long, value_name = "FILE|none")]
    pub(crate) endings: Option<String>,

    /// Treat all draws in the endings database as equal
    #[arg(long)]
    pub(crate) no_chances: bool,

    /// Opening book: file, own (included) or none; UCI and Hub can change it
    #[arg(long, value_name = "FILE|own|none", default_value = "none")]
    pub(crate) book: String,
}

pub(crate) fn run(registry: &Registry, args: &EngineArgs, output: &Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    if output.json() {
        return Err(Failure::bad("an engine speaks its protocol; leave --json out"));
    }
    let mut play = Play::by(play_algorithm(game, args.algorithm, args.evaluator.as_deref())).with_hash(args.hash);
    play.options.threads = args.threads;
    // Explicit switches are never ignored: an algorithm without selective search is refused.
    play.selective |= args.selective.is_some();
    play.switches = args.selective;
    play.solving = !args.no_solving;
    play.overhead = args.overhead;
    play.evaluator = args.evaluator.clone();
    play.endings = endings::load_for_play(game, args.endings.as_deref())?;
    play.chances = !args.no_chances;
    play.book = books::load(game, &args.book)?;
    // Different sessions may choose different book moves.
    play.seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut setup = Setup::new(play);
    setup.read_file = books::read;
    setup.protocol = args.protocol;
    setup.move_time = args.time;
    let protocol = args.protocol.unwrap_or_else(|| game.conventions().protocol());
    if args.time.is_some() && protocol != Protocol::NBoard {
        return Err(Failure::bad(format!("{protocol} sets the time of each move; leave --time out")));
    }
    if let Some(most) = endings::available_memory() {
        setup.max_hash = (most >> 20).max(args.hash.bytes() >> 20).max(1);
    }
    run_protocol(game, &setup, &mut io::stdin().lock(), &mut io::stdout())?;
    Ok(())
}
