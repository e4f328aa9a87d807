//! `emtee book`: build an opening book.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args as ClapArgs;
use emtee::MAX_THREADS;
use emtee_engine::{BookBuilder, BookTask, Entry, Registry};
use indicatif::ProgressBar;
use serde_json::json;

use crate::commands::args::whole;
use crate::endings::save;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, MARK, Output, counted, seconds, thousands};

/// Build an opening book, from games and by searching
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee book othello --out othello.book\n  emtee book checkers --games games.pdn --positions 5000 --threads 0 --out checkers.book\n  emtee engine checkers --book checkers.book\n\nWithout games the most promising line is searched further, again and again. With games, the positions that occur\noften in them are searched first, most often first. Either way the search decides which moves are good. The same\ncommand with a greater --positions goes on with a file that is there; Ctrl-C keeps what is done."
)]
pub(crate) struct BookArgs {
    /// The game
    pub(crate) game: String,

    /// Collections of games, or folders of them: PGN, PDN, GGF and WTHOR, or a game in a line
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    pub(crate) games: Vec<PathBuf>,

    /// How many positions are searched, in steps of eight
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(1, 10_000_000usize))]
    pub(crate) positions: usize,

    /// How many nodes a position
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = whole(1, u64::MAX))]
    pub(crate) nodes: u64,

    /// How many plies from the start at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(1, 200u32))]
    pub(crate) plies: u32,

    /// How many positions at once, 0 for all cores; the book is the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, MAX_THREADS))]
    pub(crate) threads: usize,

    /// The file; a book that is there already is gone on with
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// What the names of WTHOR's files end in.
const WTHOR: &str = "wtb";

/// What is done is kept this often.
const KEPT: Duration = Duration::from_secs(30);

pub(crate) fn run(registry: &Registry, args: &BookArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    let mut builder = opened(game, &args.out)?;
    let (begun, start) = (builder.searched(), Instant::now());
    let (mut games, mut unread) = (0, 0);
    for file in files(&args.games, game)? {
        let cannot = |why: &dyn ToString| Failure::bad(format!("cannot use {}: {}", file.display(), why.to_string()));
        let bytes = fs::read(&file).map_err(|error| cannot(&error))?;
        let (more, bad) = builder.add_games(&bytes, args.plies).map_err(|why| cannot(&why))?;
        (games, unread) = (games + more, unread + bad);
    }
    if !args.games.is_empty() && games == 0 {
        return Err(Failure::bad("there is no game to be read in what --games names"));
    }
    let threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let task = BookTask { positions: args.positions, nodes: args.nodes, plies: args.plies, threads };
    let bar: ProgressBar = output.progress(args.positions as u64, "positions").with_position(begun as u64);
    let (mut kept, mut last) = (Ok(()), Instant::now());
    let stop = interrupt::flag();
    let complete = builder.run(&task, &stop, &mut |builder| {
        bar.set_position(builder.searched() as u64);
        if last.elapsed() >= KEPT && kept.is_ok() {
            kept = save(&args.out, builder.text().as_bytes());
            last = Instant::now();
        }
    });
    bar.finish_and_clear();
    let complete = complete?;
    kept?;
    let text = builder.text();
    if builder.searched() > 0 {
        save(&args.out, text.as_bytes())?;
    }
    let (time, bytes) = (start.elapsed().as_secs_f64(), text.len() as u64);
    let (searched, positions) = (builder.searched() as u64, builder.positions() as u64);
    if output.json() {
        output.object(&json!({
            "game": game.name(), "file": args.out, "bytes": bytes, "searched": searched, "positions": positions,
            "new": searched - begun as u64, "nodes": args.nodes, "games": games, "unread_games": unread,
            "seconds": time, "complete": complete,
        }))?;
    } else {
        if !args.games.is_empty() {
            let unread = counted(unread as u64, "game", "games");
            output.line(format!("{} read, {unread} not", counted(games as u64, "game", "games")))?;
        }
        let file = args.out.display();
        let known = format!("{} known, {} searched", counted(positions, "position", "positions"), thousands(searched));
        let took = format!("({} bytes, {})", thousands(bytes), seconds(time));
        output.line(format!("{MARK}{file}{MARK:#}: {known} {FAINT}{took}{FAINT:#}"))?;
    }
    if complete {
        return Ok(());
    }
    Err(Failure::Interrupted(format!("stopped after {searched} positions; the same command goes on from here")))
}

/// The book of the file, if there is one. A file that holds something else is not written over.
fn opened<'g>(game: &'g dyn Entry, file: &Path) -> Result<BookBuilder<'g>, Failure> {
    if !file.exists() {
        return Ok(BookBuilder::new(game));
    }
    let refuse = |why: &dyn ToString| {
        let why = why.to_string();
        Failure::bad(format!("{} is no book to go on with: {why}; name another file with --out", file.display()))
    };
    let text = fs::read_to_string(file).map_err(|error| refuse(&error))?;
    BookBuilder::resume(&text, game).map_err(|why| refuse(&why))
}

/// The files named, and the collections in the folders named, in the order of their names.
fn files(named: &[PathBuf], game: &dyn Entry) -> Result<Vec<PathBuf>, Failure> {
    let usual = [game.conventions().record.extension, WTHOR];
    let is_collection =
        |path: &PathBuf| path.extension().is_some_and(|end| usual.iter().any(|usual| end.eq_ignore_ascii_case(usual)));
    let mut files = Vec::new();
    for path in named {
        let cannot = |error: std::io::Error| Failure::bad(format!("cannot read {}: {error}", path.display()));
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries: Result<Vec<_>, _> = fs::read_dir(path).map_err(cannot)?.collect();
        let mut inside: Vec<PathBuf> = entries.map_err(cannot)?.into_iter().map(|entry| entry.path()).collect();
        inside.retain(|path| path.is_file() && is_collection(path));
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}
