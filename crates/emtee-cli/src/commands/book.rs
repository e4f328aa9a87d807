//! `emtee book`: building an opening book.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args as ClapArgs;
use emtee::MAX_THREADS;
use emtee_engine::{BookBuilder, BookTask, Entry, Registry};
use indicatif::ProgressBar;
use serde_json::json;

use crate::commands::args::integer;
use crate::endings::save;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, MARK, Output, counted, seconds, thousands};

/// Build an opening book by searching, from the start or from games
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee book othello --out othello.book\n  emtee book checkers --games games.pdn --positions 5000 --threads 0 --out checkers.book\n  emtee engine checkers --book checkers.book\n\nWithout games, each step searches the end of the most promising line. With games, their most frequent positions are\nsearched first. In both cases the search decides which moves are good. The same command with a greater --positions\ncontinues an existing file; Ctrl-C saves what is finished."
)]
pub(crate) struct BookArgs {
    /// Game
    pub(crate) game: String,

    /// Files of games, or folders of such files: PGN, PDN, GGF, WTHOR, or one game per line
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    pub(crate) games: Vec<PathBuf>,

    /// Number of positions to search, in steps of eight
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = integer(1, 10_000_000usize))]
    pub(crate) positions: usize,

    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = integer(1, u64::MAX))]
    pub(crate) nodes: u64,

    /// Maximum distance from the start in plies
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = integer(1, 200u32))]
    pub(crate) plies: u32,

    /// Number of concurrent searches, 0 for all cores; the book stays the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(0, MAX_THREADS))]
    pub(crate) threads: usize,

    /// File of the book; an existing book is continued
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// The file extension of WTHOR.
const WTHOR: &str = "wtb";

/// The interval between intermediate saves.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);

pub(crate) fn run(registry: &Registry, args: &BookArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    let mut builder = open_or_create(game, &args.out)?;
    let (before, start) = (builder.searched(), Instant::now());
    let (mut games, mut unread) = (0, 0);
    for file in files(&args.games, game)? {
        let cannot = |why: &dyn ToString| Failure::bad(format!("cannot use {}: {}", file.display(), why.to_string()));
        let bytes = fs::read(&file).map_err(|error| cannot(&error))?;
        let (more, bad) = builder.add_games(&bytes, args.plies).map_err(|why| cannot(&why))?;
        (games, unread) = (games + more, unread + bad);
    }
    if !args.games.is_empty() && games == 0 {
        return Err(Failure::bad("no game in the files of --games can be read"));
    }
    let threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let task = BookTask { positions: args.positions, nodes: args.nodes, plies: args.plies, threads };
    let bar: ProgressBar = output.progress(args.positions as u64, "positions").with_position(before as u64);
    let (mut saved, mut last) = (Ok(()), Instant::now());
    let stop = interrupt::flag();
    let complete = builder.run(&task, &stop, &mut |builder| {
        bar.set_position(builder.searched() as u64);
        if last.elapsed() >= SAVE_INTERVAL && saved.is_ok() {
            saved = save(&args.out, builder.text().as_bytes());
            last = Instant::now();
        }
    });
    bar.finish_and_clear();
    let complete = complete?;
    saved?;
    let text = builder.text();
    if builder.searched() > 0 {
        save(&args.out, text.as_bytes())?;
    }
    let (time, bytes) = (start.elapsed().as_secs_f64(), text.len() as u64);
    let (searched, positions) = (builder.searched() as u64, builder.positions() as u64);
    if output.json() {
        output.object(&json!({
            "game": game.name(), "file": args.out, "bytes": bytes, "searched": searched, "positions": positions,
            "new": searched - before as u64, "nodes": args.nodes, "games": games, "unread_games": unread,
            "seconds": time, "complete": complete,
        }))?;
    } else {
        if !args.games.is_empty() {
            output.line(format!("{} read, {unread} unreadable", counted(games as u64, "game", "games")))?;
        }
        let file = args.out.display();
        let known = format!("{} known, {} searched", counted(positions, "position", "positions"), thousands(searched));
        let took = format!("({} bytes, {})", thousands(bytes), seconds(time));
        output.line(format!("{MARK}{file}{MARK:#}: {known} {FAINT}{took}{FAINT:#}"))?;
    }
    if complete {
        return Ok(());
    }
    Err(Failure::Interrupted(format!("stopped after {searched} positions; the same command continues from here")))
}

/// Opens the book of a file, or a new book if there is no file. A file that is not a book of this game is not overwritten.
fn open_or_create<'g>(game: &'g dyn Entry, file: &Path) -> Result<BookBuilder<'g>, Failure> {
    if !file.exists() {
        return Ok(BookBuilder::new(game));
    }
    let refuse = |why: &dyn ToString| {
        let why = why.to_string();
        Failure::bad(format!("cannot continue the book {}: {why}; name another file with --out", file.display()))
    };
    let text = fs::read_to_string(file).map_err(|error| refuse(&error))?;
    BookBuilder::resume(&text, game).map_err(|why| refuse(&why))
}

/// The named files, and the files of games in the named folders, sorted by name.
fn files(named: &[PathBuf], game: &dyn Entry) -> Result<Vec<PathBuf>, Failure> {
    let extensions = [game.conventions().record.extension, WTHOR];
    let has_games = |path: &PathBuf| {
        path.extension().is_some_and(|found| extensions.iter().any(|known| found.eq_ignore_ascii_case(known)))
    };
    let mut files = Vec::new();
    for path in named {
        let cannot = |error: std::io::Error| Failure::bad(format!("cannot read {}: {error}", path.display()));
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries: Result<Vec<_>, _> = fs::read_dir(path).map_err(cannot)?.collect();
        let mut inside: Vec<PathBuf> = entries.map_err(cannot)?.into_iter().map(|entry| entry.path()).collect();
        inside.retain(|path| path.is_file() && has_games(path));
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}
