//! `emtee datagen`: positions for training, from games of an engine against itself.

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

use crate::commands::args::whole;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, MARK, Output, counted, seconds, thousands};

/// Make positions for training: an engine plays itself, and every position is kept with its score and its result
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee datagen othello --games 1000 --threads 0 --out othello.data\n  emtee datagen chess --positions 10000000 --nodes 8000 --out chess.data\n\nThe file begins with 64 bytes that say what it is; each position has 32:\n  0-23 the board, 24-25 the score, 26 the result, 27 whose turn it is and more, 28-31 the number of the game\nThe book says what stands in them, under Training. Games begin with random moves that the seed decides. They are\nwritten whole, one behind the other. The same command goes on with a file that it began; Ctrl-C finishes the games\nthat are being played, and a second one leaves them."
)]
pub(crate) struct DatagenArgs {
    /// The game (chess, othello or checkers)
    pub(crate) game: String,

    /// How many games the file is to have
    #[arg(long, value_name = "N", conflicts_with = "positions", value_parser = whole(1, u32::MAX))]
    pub(crate) games: Option<u32>,

    /// How many positions the file is to have; the last game is kept whole [default: 1000000]
    #[arg(long, value_name = "N", value_parser = whole(1, u64::MAX))]
    pub(crate) positions: Option<u64>,

    /// How many nodes a move
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = whole(1, u64::MAX))]
    pub(crate) nodes: u64,

    /// How many games at once, 0 for all cores; the file is the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, MAX_THREADS))]
    pub(crate) threads: usize,

    /// Which games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub(crate) seed: u64,

    /// The file; one that is there already is gone on with
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// Where nobody says how many positions there are to be.
const POSITIONS: u64 = 1_000_000;

pub(crate) fn run(registry: &Registry, args: &DatagenArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    if game.training_games().is_none() {
        return Err(Error::NoTraining { game: game.name().to_owned() }.into());
    }
    let threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let task = Datagen { game: game.name().to_owned(), nodes: args.nodes, seed: args.seed, threads };
    let mut data = Data::open(&args.out, &Header::of(&task))?;
    if data.positions > 0 && !output.json() {
        let there = counted(data.positions, "position is", "positions are");
        output.line(format!("{there} there already; it goes on from there"))?;
    }
    let most = args.positions.unwrap_or(if args.games.is_some() { u64::MAX } else { POSITIONS });
    let games = data.games..args.games.unwrap_or(u32::MAX).max(data.games);
    let (before, start) = (data.positions, Instant::now());
    let stop = interrupt::flag();
    let mut kept = Ok(());
    if data.positions < most && !games.is_empty() {
        let by_games = args.games.is_some();
        let bar = match args.games {
            Some(games) => output.progress(games.into(), "games").with_position(data.games.into()),
            None => output.progress(most, "positions").with_position(data.positions),
        };
        let played = task.run(registry, games.clone(), &stop, &mut |records| {
            kept = data.add(records);
            bar.set_position(if by_games { data.games.into() } else { data.positions });
            kept.is_ok() && data.positions < most
        });
        bar.finish_and_clear();
        played?;
    }
    kept?;
    let complete = data.positions >= most || data.games >= games.end;
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
        return Err(Failure::Interrupted(format!("stopped after {games}; the same command goes on from here")));
    }
    Ok(())
}

/// A file of positions, behind which more are written.
struct Data {
    file: File,
    path: PathBuf,
    positions: u64,
    /// How many games are in it, those without a position included.
    games: u32,
}

const BYTES: u64 = TrainingRecord::BYTES as u64;

impl Data {
    /// Opens the file, or begins it. What is left of a game that was not written whole is cut off.
    fn open(path: &Path, header: &Header) -> Result<Data, Failure> {
        let failed = |error: std::io::Error| Failure::bad(format!("{}: {error}", path.display()));
        let mut options = OpenOptions::new();
        let mut file = options.create(true).read(true).write(true).truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::bad(format!("{} is being written to already", path.display())));
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
            Failure::bad(format!("{} holds something else; name another file with --out", path.display()))
        })?;
        if found != *header {
            return Err(Failure::bad(another(&found, header, path)));
        }
        let (positions, games) = whole_games(&mut file, length).map_err(failed)?;
        let end = Header::BYTES as u64 + positions * BYTES;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(failed)?;
        Ok(Data { file, path: path.to_owned(), positions, games })
    }

    /// Keeps a game.
    fn add(&mut self, records: &[TrainingRecord]) -> Result<(), Failure> {
        let bytes: Vec<u8> = records.iter().flat_map(TrainingRecord::to_bytes).collect();
        let failed = |error| Failure::Failed(format!("{}: {error}", self.path.display()));
        self.file.write_all(&bytes).map_err(failed)?;
        self.positions += records.len() as u64;
        self.games = records.last().map_or(self.games + 1, |record| record.game + 1);
        Ok(())
    }
}

/// The positions up to the end of the last game that is there whole, and how many games that are.
fn whole_games(file: &mut File, length: u64) -> std::io::Result<(u64, u32)> {
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

/// What makes the positions of a file other ones.
fn another(found: &Header, wanted: &Header, path: &Path) -> String {
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
