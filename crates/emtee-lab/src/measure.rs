//! Executes one run and returns its measurements.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use cpu_time::ThreadTime;
use emtee::research::{Deepening, Mode};
use emtee::{Algorithm, Budget, Size, Value};
use emtee_engine::cluster::simulator::VirtualThreads;
use emtee_engine::{Position, Registry, Row, Settings};

use crate::error::Error;
use crate::outcome::{IterationRow, Outcome, TimeRow};
use crate::plan::position;
use crate::spec::{RunKind, Spec};

/// The processor time of this thread. Time of other threads and programs is not included.
fn thread_time() -> Duration {
    ThreadTime::now().as_duration()
}

/// The duration of a node visit on the virtual clock. Reports have only ratios of virtual times.
const VIRTUAL_VISIT_TIME: Duration = Duration::from_micros(1);

/// Executes a run; `None` if it was stopped.
pub fn measure(spec: &Spec, registry: &Registry, stop: &Arc<AtomicBool>) -> Result<Option<Outcome>, Error> {
    let position = position(registry, &spec.game, &spec.position)?;
    let settings = settings(spec, stop);
    let outcome = match spec.kind {
        RunKind::Count => count(position.as_ref(), &settings, spec.depth)?,
        RunKind::Virtual => virtual_threads(position.as_ref(), settings, spec.depth)?,
        RunKind::FirstGuess { offset } => first_guess(position.as_ref(), settings, spec.depth, offset)?,
        RunKind::Minimal => {
            let minimal = position.tools()?.minimal_graphs(&settings, spec.depth)?;
            Outcome { minimal, ..Outcome::default() }
        }
        RunKind::Evaluations => {
            let evaluations = position.tools()?.evaluations(&settings, spec.depth)?;
            Outcome { evaluations, ..Outcome::default() }
        }
        RunKind::Time { rounds, against, against_etc, against_guess } => {
            let mut other = settings.clone();
            (other.options.algorithm, other.options.mode) = (against, Mode::Exact { etc: Some(against_etc) });
            other.options.guess = against_guess.unwrap_or(spec.guess);
            time(position.as_ref(), [&settings, &other], spec.depth, rounds)?
        }
    };
    Ok((!stop.load(Relaxed)).then_some(outcome))
}

fn settings(spec: &Spec, stop: &Arc<AtomicBool>) -> Settings {
    let mut settings = Settings::default();
    settings.options.algorithm = spec.algorithm;
    settings.options.size = Some(Size::of_entries(spec.entries));
    settings.options.keep = Some(spec.keep());
    settings.options.mode = Mode::Exact { etc: Some(spec.etc) };
    settings.options.deepening = if spec.step > 0 { Deepening::By(spec.step) } else { Deepening::Fixed };
    settings.options.guess = spec.guess;
    settings.options.principal_variation = false;
    settings.options.threads = spec.threads;
    settings.grain = Some(spec.grain);
    settings.evaluator = spec.evaluator.clone();
    settings.stop = Some(stop.clone().into());
    // With several threads the processor time of this thread is not the time of the search: the wall clock is used.
    settings.clock = (spec.threads == 1).then_some(thread_time);
    settings
}

fn count(position: &dyn Position, settings: &Settings, depth: u8) -> Result<Outcome, Error> {
    let mut iterations = Vec::new();
    let row = position
        .search(settings, Budget::depth(depth), &mut |event| iterations.extend(event.iteration().map(iteration)))?;
    let (heights, passes) = (row.heights.unwrap_or_default(), row.trace.unwrap_or_default());
    Ok(Outcome { heights, passes, iterations, ..Outcome::default() })
}

/// Like [`count`], on virtual threads. Their clock gives the time at the end of the search only.
fn virtual_threads(position: &dyn Position, mut settings: Settings, depth: u8) -> Result<Outcome, Error> {
    let threads = VirtualThreads::new(settings.options.threads, VIRTUAL_VISIT_TIME);
    settings.peers = Some(threads.peers());
    let mut outcome = count(position, &settings, depth)?;
    outcome.iterations.iter_mut().for_each(|row| row.seconds = 0.0);
    if let Some(last) = outcome.iterations.last_mut() {
        last.seconds = threads.time().as_secs_f64();
    }
    Ok(outcome)
}

fn iteration(row: &Row) -> IterationRow {
    IterationRow {
        depth: row.depth,
        value: row.value,
        lower: row.lower,
        upper: row.upper,
        best_move: row.best_move.clone(),
        counts: row.counts,
        passes: row.passes as u64,
        confirmed: row.first_candidate_confirmed,
        seconds: row.seconds,
    }
}

/// A search whose first guess in every iteration is the value of that iteration plus `offset`. MTD-f finds the values first.
fn first_guess(position: &dyn Position, mut settings: Settings, depth: u8, offset: i32) -> Result<Outcome, Error> {
    let mut values = Vec::new();
    let mut value_search = settings.clone();
    value_search.options.algorithm = Algorithm::MtdF;
    position.search(&value_search, Budget::depth(depth), &mut |event| {
        values.extend(event.iteration().and_then(|row| row.value))
    })?;
    let guess =
        |value: &i32| Value::score((value + offset).clamp(-Value::MAX_SCORE, Value::MAX_SCORE)).unwrap_or_default();
    settings.guesses = values.iter().map(guess).collect();
    count(position, &settings, depth)
}

/// Times two settings against each other. The order in each round is ABBA, so slow phases of the machine affect both equally.
fn time(position: &dyn Position, sides: [&Settings; 2], depth: u8, rounds: u32) -> Result<Outcome, Error> {
    let mut times = Vec::new();
    for round in 1..=rounds {
        let mut sums: Vec<TimeRow> = Vec::new();
        for side in [0, 1, 1, 0] {
            let mut iteration = 0;
            position.search(sides[side], Budget::depth(depth), &mut |event| {
                let Some(row) = event.iteration() else { return };
                if sums.len() == iteration {
                    sums.push(TimeRow { round, depth: row.depth, ..TimeRow::default() });
                }
                let sum = &mut sums[iteration];
                *(if side == 0 { &mut sum.seconds } else { &mut sum.against }) += row.seconds;
                iteration += 1;
            })?;
        }
        times.extend(sums);
    }
    Ok(Outcome { times, ..Outcome::default() })
}
