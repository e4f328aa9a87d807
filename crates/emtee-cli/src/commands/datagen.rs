//! `emtee datagen`: training positions from self-play.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use clap::Args as ClapArgs;
use emtee::MAX_THREADS;
use emtee_engine::datagen::{Datagen, Header, TrainingRecord};
use emtee_engine::{Error, Registry};
use serde_json::json;

use crate::commands::args::integer;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, MARK, Output, counted, seconds, thousands};

/// Generate training positions by self-play, each with its score and the result of its game
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee datagen othello --games 1000 --threads 0 --out othello.data\n  emtee datagen chess --positions 10000000 --nodes 8000 --out chess.data\n\nThe file has a header of 64 bytes, then 32 bytes per position:\n  0-23 the board, 24-25 the score, 26 the result, 27 the side to move and flags, 28-31 the number of the game\nThe chapter Training of the book describes the fields. Games begin with random moves, chosen by the seed. The file\ncontains complete games in order. The same command continues its file; Ctrl-C finishes the games in progress, and a\nsecond Ctrl-C abandons them."
)]
pub(crate) struct DatagenArgs {
    /// Game
    pub(crate) game: String,

    /// Number of games in the file
    #[arg(long, value_name = "N", conflicts_with = "positions", value_parser = integer(1, u32::MAX))]
    pub(crate) games: Option<u32>,

    /// Number of positions in the file; the last game is always complete [default: 1000000]
    #[arg(long, value_name = "N", value_parser = integer(1, u64::MAX))]
    pub(crate) positions: Option<u64>,

    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = integer(1, u64::MAX))]
    pub(crate) nodes: u64,

    /// Number of concurrent games, 0 for all cores; the file stays the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(0, MAX_THREADS))]
    pub(crate) threads: usize,

    /// Seed of the games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(0, u64::MAX))]
    pub(crate) seed: u64,

    /// File of the positions; an existing file is continued
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// The default number of positions.
const DEFAULT_POSITIONS: u64 = 1_000_000;

pub(crate) fn run(registry: &Registry, args: &DatagenArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    if game.training_games().is_none() {
        return Err(Error::NoTraining { game: game.name().to_owned(), games: registry.with_training() }.into());
    }
    let threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let task = Datagen { game: game.name().to_owned(), nodes: args.nodes, seed: args.seed, threads };
    let mut data = Data::open(&args.out, &Header::of(&task))?;
    if data.positions > 0 && !output.json() {
        let existing = counted(data.positions, "position", "positions");
        output.line(format!("the file has {existing}; new ones are appended"))?;
    }
    let target = args.positions.unwrap_or(if args.games.is_some() { u64::MAX } else { DEFAULT_POSITIONS });
    let games = data.games..args.games.unwrap_or(u32::MAX).max(data.games);
    let (before, start) = (data.positions, Instant::now());
    let stop = interrupt::flag();
    let mut saved = Ok(());
    if data.positions < target && !games.is_empty() {
        let by_games = args.games.is_some();
        let bar = match args.games {
            Some(games) => output.progress(games.into(), "games").with_position(data.games.into()),
            None => output.progress(target, "positions").with_position(data.positions),
        };
        let played = task.run(registry, games.clone(), &stop, &mut |records| {
            saved = data.add(records);
            bar.set_position(if by_games { data.games.into() } else { data.positions });
            saved.is_ok() && data.positions < target
        });
        bar.finish_and_clear();
        played?;
    }
    saved?;
    let complete = data.positions >= target || data.games >= games.end;
    let time = start.elapsed().as_secs_f64();
    if output.json() {
        output.object(&json!({
            "game": task.game, "file": args.out, "positions": data.positions, "games": data.games,
            "new_positions": data.positions - before, "nodes": task.nodes, "seed": task.seed, "seconds": time,
            "complete": complete,
        }))?;
    } else {
        let (positions, games) = (thousands(data.positions), counted(data.games.into(), "game", "games"));
        let file = args.out.display();
        output.line(format!(
            "{MARK}{file}{MARK:#}: {positions} positions of {games} {FAINT}({}){FAINT:#}",
            seconds(time)
        ))?;
    }
    if !complete && stop.load(Relaxed) {
        let games = counted(data.games.into(), "game", "games");
        return Err(Failure::Interrupted(format!("stopped after {games}; the same command continues from here")));
    }
    Ok(())
}

/// A file of positions, open for appending.
struct Data {
    file: File,
    path: PathBuf,
    positions: u64,
    /// The number of games in the file, including those without positions.
    games: u32,
}

const BYTES: u64 = TrainingRecord::BYTES as u64;

impl Data {
    /// Opens or creates the file. An incomplete game at the end is cut off.
    fn open(path: &Path, header: &Header) -> Result<Data, Failure> {
        let failed = |error: std::io::Error| Failure::bad(format!("{}: {error}", path.display()));
        let mut options = OpenOptions::new();
        let mut file = options.create(true).read(true).write(true).truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::bad(format!("another process is writing {}", path.display())));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Ok(()) => {}
        }
        let length = file.metadata().map_err(failed)?.len();
        if length == 0 {
            file.write_all(&header.to_bytes()).map_err(failed)?;
            return Ok(Data { file, path: path.to_owned(), positions: 0, games: 0 });
        }
        let mut bytes = [0; Header::BYTES];
        let read = if length >= Header::BYTES as u64 { file.read_exact(&mut bytes) } else { Ok(()) };
        read.map_err(failed)?;
        let found = Header::from_bytes(&bytes).ok_or_else(|| {
            Failure::bad(format!(
                "{} is not a file of training positions; name another file with --out",
                path.display()
            ))
        })?;
        if found != *header {
            return Err(Failure::bad(mismatch(&found, header, path)));
        }
        let (positions, games) = complete_games(&mut file, length).map_err(failed)?;
        let end = Header::BYTES as u64 + positions * BYTES;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(failed)?;
        Ok(Data { file, path: path.to_owned(), positions, games })
    }

    /// Appends the positions of a game.
    fn add(&mut self, records: &[TrainingRecord]) -> Result<(), Failure> {
        let bytes: Vec<u8> = records.iter().flat_map(TrainingRecord::to_bytes).collect();
        let failed = |error| Failure::Failed(format!("{}: {error}", self.path.display()));
        self.file.write_all(&bytes).map_err(failed)?;
        self.positions += records.len() as u64;
        self.games = records.last().map_or(self.games + 1, |record| record.game + 1);
        Ok(())
    }
}

/// The numbers of positions and of games up to the end of the last complete game.
fn complete_games(file: &mut File, length: u64) -> std::io::Result<(u64, u32)> {
    let mut positions = (length - Header::BYTES as u64) / BYTES;
    while positions > 0 {
        let mut bytes = [0; TrainingRecord::BYTES];
        file.seek(SeekFrom::Start(Header::BYTES as u64 + (positions - 1) * BYTES))?;
        file.read_exact(&mut bytes)?;
        let record = TrainingRecord::from_bytes(&bytes);
        if record.last {
            return Ok((positions, record.game.saturating_add(1)));
        }
        positions -= 1;
    }
    Ok((0, 0))
}

/// The error for a file with different settings.
fn mismatch(found: &Header, wanted: &Header, path: &Path) -> String {
    let fields = |header: &Header| {
        [
            ("the game", header.game.clone()),
            ("--nodes", header.nodes.to_string()),
            ("--seed", header.seed.to_string()),
            ("emtee's version", header.player.clone()),
        ]
    };
    let differs = fields(found).into_iter().zip(fields(wanted)).find(|(was, is)| was != is);
    let why = differs.map_or(String::new(), |((what, was), (_, is))| format!(" ({what} was {was}, and is {is})"));
    format!("{} holds other positions{why}; choose another --out", path.display())
}
