//! `emtee tablebase`: building an endings database.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use clap::Args as ClapArgs;
use emtee_engine::Registry;
use emtee_games::checkers::endings::{Counts, Endings, MOST_PIECES, positions};
use serde_json::json;

use crate::commands::args::integer;
use crate::endings::{file_name, folder, load, no_endings, save};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, MARK, Output, seconds, thousands};
use crate::text_table::{Cell, TextTable};

/// Build an endings database: win, draw or loss for every position with few pieces
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee tablebase checkers --pieces 4\n  emtee tablebase checkers --pieces 5 --out five.endings --verify\n\nWithout --out the file is written to the folder in which engines look for it: EMTEE_DATA, or emtee in the\nuser's data folder, usually ~/.local/share. An existing file is not built again."
)]
pub(crate) struct TablebaseArgs {
    /// Game
    pub(crate) game: String,

    /// Maximum number of pieces, 2 to 6 (5 take half a minute and 200 MB, 6 eight minutes and 3.3 GB)
    #[arg(long, value_name = "N", value_parser = integer(2, MOST_PIECES))]
    pub(crate) pieces: usize,

    /// File of the database [default: in the folder in which engines look for it]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<std::path::PathBuf>,

    /// Check every value in the file against the values of its successors
    #[arg(long)]
    pub(crate) verify: bool,

    /// Number of random positions to check instead of all
    #[arg(long, value_name = "N", requires = "verify", value_parser = integer(1, u64::MAX))]
    pub(crate) sample: Option<u64>,
}

pub(crate) fn run(registry: &Registry, args: &TablebaseArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    if !game.has_endings() {
        return Err(no_endings(game));
    }
    let file = match &args.out {
        Some(file) => file.clone(),
        None => folder()
            .ok_or_else(|| Failure::bad("there is no data folder for the file; name a file with --out FILE"))?
            .join(file_name(game, args.pieces)),
    };
    let start = Instant::now();
    let (endings, built) = match existing(&file, args.pieces)? {
        Some(endings) => (endings, false),
        None => (build(&file, args.pieces, output)?, true),
    };
    let time = start.elapsed().as_secs_f64();
    print_counts(game.name(), &endings, output)?;
    let size = std::fs::metadata(&file).map(|about| about.len()).unwrap_or_default();
    if !output.json() {
        let done = if built { format!("built in {}", seconds(time)) } else { String::from("already built") };
        let size = thousands(size);
        output.line(format!("\n{MARK}{}{MARK:#}, {size} bytes {FAINT}({done}){FAINT:#}", file.display()))?;
    }
    let start = Instant::now();
    if args.verify {
        verify(&endings, &file, args.sample, output)?;
    }
    let verify_time = start.elapsed().as_secs_f64();
    if output.json() {
        let verified = args.verify.then_some(verify_time);
        return output.object(&json!({
            "file": file, "bytes": size, "pieces": endings.pieces(), "positions": positions(endings.pieces()),
            "built": built, "seconds": time, "verified": args.verify, "sample": args.sample,
            "verify_seconds": verified,
        }));
    }
    if args.verify {
        let scope = match args.sample {
            None => String::from("every value is the best of its successors"),
            Some(count) => format!("{} random values are the best of their successors", thousands(count)),
        };
        output.line(format!("verified: {scope}, {}", seconds(verify_time)))?;
    }
    Ok(())
}

/// The database of an existing file. A file with other content is an error and is not overwritten.
fn existing(file: &Path, pieces: usize) -> Result<Option<Arc<Endings>>, Failure> {
    if !file.exists() {
        return Ok(None);
    }
    let endings = load(file).map_err(|failure| match failure {
        Failure::BadInput(text) => Failure::bad(format!("{text}; remove it, or name another file with --out")),
        other => other,
    })?;
    match endings.pieces() {
        n if n == pieces => Ok(Some(endings)),
        n => Err(Failure::bad(format!("{} has {n} pieces; name another file with --out", file.display()))),
    }
}

/// Builds the database, writes it and reads it again.
fn build(file: &Path, pieces: usize, output: &Output) -> Result<Arc<Endings>, Failure> {
    let built = with_progress(output, positions(pieces), "building", |progress| {
        Endings::build_until(pieces, &interrupt::flag(), progress)
    });
    let built = built.ok_or_else(|| Failure::Interrupted(String::from("stopped; nothing was written")))?;
    save(file, &built.to_bytes())?;
    load(file)
}

/// The seed of `--sample`, fixed so that a failure is repeatable.
const SEED: u64 = 1;

fn verify(endings: &Endings, file: &Path, sample: Option<u64>, output: &Output) -> Result<(), Failure> {
    let all = positions(endings.pieces());
    if let Some(sample) = sample.filter(|&sample| sample > all) {
        let why =
            format!("--sample {sample} exceeds the number of positions, {all}; leave it out to check all of them");
        return Err(Failure::bad(why));
    }
    let (stop, steps) = (interrupt::flag(), sample.unwrap_or(all));
    let verified = with_progress(output, steps, "verifying", |progress| match sample {
        None => endings.verify(&stop, progress),
        Some(count) => endings.verify_some(count, SEED, &stop, progress),
    });
    match verified {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Interrupted(String::from("stopped before all positions were verified"))),
        Err(error) => Err(Failure::Failed(format!("{} is wrong: {error}", file.display()))),
    }
}

/// Runs `work` with a progress bar, which is updated a thousand times at most.
fn with_progress<R>(output: &Output, steps: u64, what: &str, work: impl FnOnce(&(dyn Fn(u64) + Sync)) -> R) -> R {
    let bar = output.progress(steps, what);
    let shown = AtomicU64::new(0);
    let result = work(&|done| {
        if done * 1_000 / steps > shown.load(Relaxed) * 1_000 / steps {
            shown.fetch_max(done, Relaxed);
            bar.set_position(done);
        }
    });
    bar.finish_and_clear();
    result
}

/// Prints the numbers of won, drawn and lost positions by the number of pieces; in JSON also by material.
fn print_counts(game: &str, endings: &Endings, output: &mut Output) -> Result<(), Failure> {
    let mut table = TextTable::new(["pieces", "positions", "won", "drawn", "lost"]);
    for pieces in 2..=endings.pieces() {
        let mut all = Counts::default();
        for (material, counts) in endings.counts().filter(|(material, _)| material.pieces() == pieces) {
            all = all.and(counts);
            if output.json() {
                let Counts { wins, draws, losses } = counts;
                let positions = counts.positions();
                output.object(&json!({
                    "game": game, "pieces": pieces, "material": material.to_string(),
                    "positions": positions, "wins": wins, "draws": draws, "losses": losses,
                }))?;
            }
        }
        let (positions, Counts { wins, draws, losses }) = (all.positions(), all);
        if output.json() {
            output.object(&json!({
                "game": game, "pieces": pieces, "summary": true,
                "positions": positions, "wins": wins, "draws": draws, "losses": losses,
            }))?;
        }
        let cells = [pieces as u64, positions, wins, draws, losses].map(thousands);
        table.row(cells.into_iter().map(Cell::from).collect());
    }
    if output.json() { Ok(()) } else { table.print(output).map(drop) }
}
