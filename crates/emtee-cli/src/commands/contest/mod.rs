//! `emtee match`: engine against engine.

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
use crate::crew::{self, Crew};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(
    registry: &Registry,
    crew: Option<&mut dyn Crew>,
    args: &MatchArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let contest = args.contest(registry)?;
    let game = registry.get(&contest.game)?;
    let mut journal = args.out.as_deref().map(|folder| Journal::open(folder, &contest, game)).transpose()?;
    let mut games = journal.as_ref().map(|journal| journal.games.clone()).unwrap_or_default();
    let done = games.clone();
    if !done.is_empty() && !output.json() {
        output.line(format!("{} games of this match are played already; it goes on from there", done.len()))?;
    }
    if output.json() {
        done.iter().try_for_each(|row| output.object(row))?;
    }

    let bar = live(output, &contest, done.len());
    let mut trouble = Ok(());
    let stop = interrupt::flag();
    let mut shown = |row: &GameRow| {
        games.push(row.clone());
        let kept = journal.as_mut().map_or(Ok(()), |journal| journal.add(row, game));
        let told = if output.json() { output.object(row) } else { Ok(()) };
        if let Err(failure) = kept.and(told) {
            // A game that cannot be kept or told is played in vain, and so is the next.
            stop.store(true, std::sync::atomic::Ordering::SeqCst);
            if trouble.is_ok() {
                trouble = Err(failure);
            }
        }
        bar.set_message(Summary::new(&contest, &games).live());
        bar.inc(1);
    };
    let ended = match crew {
        None => contest.run(registry, &done, &stop, &mut shown).map(|_| ()),
        Some(crew) => crew::play(crew, &contest, &done, &stop, &mut shown)?,
    };
    bar.finish_and_clear();
    trouble?;
    let summary = Summary::new(&contest, &games);
    match ended {
        Ok(()) => summary.print(output),
        Err(ContestError::Stopped) => {
            summary.print(output)?;
            let how = if args.out.is_some() { "the same command goes on from here" } else { "--out DIR keeps games" };
            Err(Failure::Interrupted(format!("stopped after {} of {} games; {how}", games.len(), contest.games)))
        }
        Err(error) => Err(Failure::bad(error)),
    }
}

/// The score and a bar, where someone can see them.
fn live(output: &Output, contest: &Contest, done: usize) -> ProgressBar {
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
