//! `emtee engine`: a player for the programs around a game.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args as ClapArgs;
use emtee::{Algorithm, MAX_THREADS, Selective, Size};
use emtee_engine::{Play, Protocol, Registry, Setup, read_duration, speak};

use crate::books;
use crate::commands::args::{switches, whole};
use crate::endings;
use crate::failure::Failure;
use crate::output::Output;

/// Play through a protocol: UCI for chess, NBoard for Othello, Hub for checkers
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee engine chess\n  emtee engine othello --time 500ms\n  emtee engine checkers --hash 1GB --algorithm mtd-f --book own"
)]
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

    /// Selective search: all, none, or a list like null-move,late-move-reductions [default: what pays]
    #[arg(long, value_name = "SWITCHES", allow_hyphen_values = true, value_parser = switches)]
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

    /// What evaluates: own, network in chess and checkers, learnt in Othello [default: not own]
    #[arg(long, value_name = "NAME")]
    pub(crate) evaluator: Option<String>,

    /// An endings database of checkers, or none [default: the largest made by tablebase]
    #[arg(long, value_name = "FILE|none")]
    pub(crate) endings: Option<String>,

    /// Take all draws of an endings database for equal
    #[arg(long)]
    pub(crate) no_chances: bool,

    /// An opening book, own for the game's, or none; UCI and Hub can change it
    #[arg(long, value_name = "FILE|own|none", default_value = "none")]
    pub(crate) book: String,
}

pub(crate) fn run(registry: &Registry, args: &EngineArgs, output: &Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    if output.json() {
        return Err(Failure::bad("an engine speaks its protocol; leave --json out"));
    }
    let mut play = Play::by(args.algorithm).with_hash(args.hash);
    play.options.threads = args.threads;
    // What is said of it is not ignored, even where it cannot be.
    play.selective |= args.selective.is_some();
    play.switches = args.selective;
    play.solving = !args.no_solving;
    play.overhead = args.overhead;
    play.evaluator = args.evaluator.clone();
    play.endings = endings::chosen_for_play(game, args.endings.as_deref())?;
    play.chances = !args.no_chances;
    play.book = books::chosen(game, &args.book)?;
    // No two sessions need play the same moves of a book.
    play.seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut setup = Setup::new(play);
    setup.read = books::read;
    setup.protocol = args.protocol;
    setup.move_time = args.time;
    let protocol = args.protocol.unwrap_or_else(|| game.conventions().protocol());
    if args.time.is_some() && protocol != Protocol::NBoard {
        return Err(Failure::bad(format!("the clock of {protocol} says how long a move takes; leave --time out")));
    }
    if let Some(most) = endings::available_memory() {
        setup.most_hash = (most >> 20).max(args.hash.bytes() >> 20).max(1);
    }
    speak(game, &setup, &mut io::stdin().lock(), &mut io::stdout())?;
    Ok(())
}
