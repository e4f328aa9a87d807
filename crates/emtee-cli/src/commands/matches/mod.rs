//! `emtee match`: matches between engines.

mod args;
mod journal;
mod summary;

use std::io::{self, IsTerminal};
use std::time::Duration;

use emtee_engine::Registry;
use emtee_engine::arena::{Contest, ContestError, GameRow};
use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use self::args::{MatchArgs, load_files};
use self::journal::Journal;
use self::summary::Summary;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;
use crate::workers::{self, Workers};

pub(crate) fn run(
    registry: &Registry,
    workers: Option<&mut dyn Workers>,
    args: &MatchArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let contest = args.contest(registry)?;
    let game = registry.get(&contest.game)?;
    let mut journal = args.out.as_deref().map(|folder| Journal::open(folder, &contest, game)).transpose()?;
    let mut games = journal.as_ref().map(|journal| journal.games.clone()).unwrap_or_default();
    let done = games.clone();
    if !done.is_empty() && !output.json() {
        output.line(format!("{} games of this match are finished; continuing", done.len()))?;
    }
    if output.json() {
        done.iter().try_for_each(|row| output.object(row))?;
    }

    let bar = progress_bar(output, &contest, done.len());
    let mut saved = Ok(());
    let stop = interrupt::flag();
    let mut on_game = |row: &GameRow| {
        games.push(row.clone());
        let appended = journal.as_mut().map_or(Ok(()), |journal| journal.add(row, game));
        let printed = if output.json() { output.object(row) } else { Ok(()) };
        if let Err(failure) = appended.and(printed) {
            // If a game can be neither saved nor printed, further games are useless.
            stop.store(true, std::sync::atomic::Ordering::SeqCst);
            if saved.is_ok() {
                saved = Err(failure);
            }
        }
        bar.set_message(Summary::new(&contest, &games).live());
        bar.inc(1);
    };
    let ended = match workers {
        None => contest.run(registry, &done, &stop, &mut on_game).map(|_| ()),
        Some(workers) => workers::play_match(workers, &contest, &done, &stop, &mut on_game)?,
    };
    bar.finish_and_clear();
    saved?;
    let summary = Summary::new(&contest, &games);
    match ended {
        Ok(()) => summary.print(output),
        Err(ContestError::Stopped) => {
            summary.print(output)?;
            let hint =
                if args.out.is_some() { "the same command continues the match" } else { "use --out DIR to save games" };
            Err(Failure::Interrupted(format!("stopped after {} of {} games; {hint}", games.len(), contest.games)))
        }
        Err(error) => Err(Failure::bad(error)),
    }
}

/// A progress bar with the score, on a terminal.
fn progress_bar(output: &Output, contest: &Contest, done: usize) -> ProgressBar {
    if output.json() || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(contest.games).with_position(done as u64);
    let style = ProgressStyle::with_template("{msg}\n{wide_bar:.cyan/dim} {pos}/{len}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(Summary::new(contest, &[]).live());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
