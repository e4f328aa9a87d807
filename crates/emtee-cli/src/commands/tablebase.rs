//! `emtee tablebase`: work out an endings database.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use clap::Args as ClapArgs;
use emtee_engine::Registry;
use emtee_games::checkers::endings::{Counts, Endings, MOST_PIECES, positions};
use serde_json::json;

use crate::commands::args::whole;
use crate::endings::{file_name, folder, load, none_of, save};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, MARK, Output, seconds, thousands};
use crate::text_table::{Cell, TextTable};

/// Work out an endings database: win, draw or loss for every position with few pieces
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee tablebase checkers --pieces 4\n  emtee tablebase checkers --pieces 5 --out five.endings --verify\n\nWithout --out the file goes where engines look for it: the folder EMTEE_DATA, or emtee in the folder for\na user's data, ~/.local/share as a rule. A file that is there already is not made again."
)]
pub(crate) struct TablebaseArgs {
    /// The game (checkers has such databases)
    pub(crate) game: String,

    /// The most pieces on the board, 2 to 6 (5 take half a minute and 200 MB, 6 eight minutes and 3.3 GB)
    #[arg(long, value_name = "N", value_parser = whole(2, MOST_PIECES))]
    pub(crate) pieces: usize,

    /// The file [default: where engines look for it]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<std::path::PathBuf>,

    /// Check every value in the file against those of the positions after it
    #[arg(long)]
    pub(crate) verify: bool,

    /// Check so many positions drawn at random instead of all
    #[arg(long, value_name = "N", requires = "verify", value_parser = whole(1, u64::MAX))]
    pub(crate) sample: Option<u64>,
}

pub(crate) fn run(registry: &Registry, args: &TablebaseArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.game)?;
    if !game.has_endings() {
        return Err(none_of(game));
    }
    let file = match &args.out {
        Some(file) => file.clone(),
        None => folder()
            .ok_or_else(|| Failure::bad("there is no folder for the file; name it with --out FILE"))?
            .join(file_name(game, args.pieces)),
    };
    let start = Instant::now();
    let (endings, built) = match there(&file, args.pieces)? {
        Some(endings) => (endings, false),
        None => (make(&file, args.pieces, output)?, true),
    };
    let time = start.elapsed().as_secs_f64();
    counts(game.name(), &endings, output)?;
    let size = std::fs::metadata(&file).map(|about| about.len()).unwrap_or_default();
    if !output.json() {
        let done = if built { format!("built in {}", seconds(time)) } else { String::from("was there already") };
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
        let which = match args.sample {
            None => String::from("every value is the best of those after it"),
            Some(count) => format!("{} values drawn at random are the best of those after them", thousands(count)),
        };
        output.line(format!("verified: {which}, {}", seconds(verify_time)))?;
    }
    Ok(())
}

/// The database, if the file holds it. A file that holds something else is not written over.
fn there(file: &Path, pieces: usize) -> Result<Option<Arc<Endings>>, Failure> {
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

/// Works the database out, writes it and reads it again.
fn make(file: &Path, pieces: usize, output: &Output) -> Result<Arc<Endings>, Failure> {
    let made = watched(output, positions(pieces), "working out", |seen| {
        Endings::build_until(pieces, &interrupt::flag(), seen)
    });
    let made = made.ok_or_else(|| Failure::Interrupted(String::from("stopped; nothing was written")))?;
    save(file, &made.to_bytes())?;
    load(file)
}

/// Any seed will do, and the same one finds the same again.
const SEED: u64 = 1;

fn verify(endings: &Endings, file: &Path, sample: Option<u64>, output: &Output) -> Result<(), Failure> {
    let all = positions(endings.pieces());
    if let Some(sample) = sample.filter(|&sample| sample > all) {
        let why =
            format!("--sample {sample} is more than the {all} positions there are; leave it out to check them all");
        return Err(Failure::bad(why));
    }
    let (stop, steps) = (interrupt::flag(), sample.unwrap_or(all));
    let verified = watched(output, steps, "verifying", |seen| match sample {
        None => endings.verify(&stop, seen),
        Some(count) => endings.verify_some(count, SEED, &stop, seen),
    });
    match verified {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Interrupted(String::from("stopped before all positions were verified"))),
        Err(error) => Err(Failure::Failed(format!("{} is wrong: {error}", file.display()))),
    }
}

/// Shows how far the work is, a thousand times at most.
fn watched<R>(output: &Output, steps: u64, what: &str, work: impl FnOnce(&(dyn Fn(u64) + Sync)) -> R) -> R {
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

/// How many positions are won, drawn and lost: by material for machines, by the number of pieces for all.
fn counts(game: &str, endings: &Endings, output: &mut Output) -> Result<(), Failure> {
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
