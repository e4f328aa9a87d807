//! One run, measured.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use cpu_time::ThreadTime;
use emtee::{Algorithm, Budget, Size, Value};
use emtee_engine::{Position, Registry, Row, Settings};

use crate::error::Error;
use crate::outcome::{EvaluationsRow, HeightRow, IterationRow, MinimalRow, Outcome, PassRow, TimeRow};
use crate::plan::position;
use crate::spec::{Kind, Spec};

/// The processor time of this thread: what others do meanwhile does not count.
fn thread_time() -> Duration {
    ThreadTime::now().as_duration()
}

/// Measures a run; nothing if it was stopped.
pub(crate) fn measure(spec: &Spec, registry: &Registry, stop: &Arc<AtomicBool>) -> Result<Option<Outcome>, Error> {
    let position = position(registry, &spec.game, &spec.position)?;
    let settings = settings(spec, stop);
    let outcome = match spec.kind {
        Kind::Count => count(position.as_ref(), &settings, spec.depth)?,
        Kind::Guessing { offset } => guessing(position.as_ref(), settings, spec.depth, offset)?,
        Kind::Minimal => minimal(position.as_ref(), &settings, spec.depth)?,
        Kind::Evaluations => evaluations(position.as_ref(), &settings, spec.depth)?,
        Kind::Time { rounds, against, against_etc } => {
            let mut other = settings.clone();
            (other.options.algorithm, other.options.etc) = (against, Some(against_etc));
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
    settings.options.etc = Some(spec.etc);
    settings.options.step = (spec.step > 0).then_some(spec.step);
    settings.options.guess = spec.guess;
    settings.options.principal_variation = false;
    settings.options.threads = spec.threads;
    settings.grain = Some(spec.grain);
    settings.stop = Some(stop.clone());
    // The time of this thread alone is no measure of what several do together.
    settings.clock = (spec.threads == 1).then_some(thread_time);
    settings
}

fn count(position: &dyn Position, settings: &Settings, depth: u8) -> Result<Outcome, Error> {
    let mut iterations = Vec::new();
    let row = position.search(settings, Budget::depth(depth), &mut |row| iterations.push(iteration(row)))?;
    let heights = row.heights.iter().flatten().map(|one| HeightRow {
        height: one.height as u32,
        cut_nodes: one.cut_nodes,
        first_move_cuts: one.first_move_cuts,
        moves_at_cuts: one.moves_at_cuts,
    });
    let passes = row.trace.iter().flatten().zip(1..).map(|(pass, number)| PassRow {
        depth: pass.depth,
        pass: number,
        gamma: pass.gamma,
        alpha: pass.alpha,
        beta: pass.beta,
        about: pass.about.clone(),
        g: pass.g,
        lower: pass.lower,
        upper: pass.upper,
        nbp: pass.nbp,
        nodes: pass.nodes,
    });
    Ok(Outcome { heights: heights.collect(), passes: passes.collect(), iterations, ..Outcome::default() })
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

/// A search that is told the value of every iteration, wrong by `offset`.
fn guessing(position: &dyn Position, mut settings: Settings, depth: u8, offset: i32) -> Result<Outcome, Error> {
    let mut values = Vec::new();
    let mut first = settings.clone();
    first.options.algorithm = Algorithm::MtdF;
    position.search(&first, Budget::depth(depth), &mut |row| values.extend(row.value))?;
    let told =
        |value: &i32| Value::score((value + offset).clamp(-Value::MAX_SCORE, Value::MAX_SCORE)).unwrap_or_default();
    settings.guesses = Some(values.iter().map(told).collect());
    count(position, &settings, depth)
}

fn minimal(position: &dyn Position, settings: &Settings, depth: u8) -> Result<Outcome, Error> {
    let graphs = position.minimal_graphs(settings, depth)?;
    let minimal = graphs.iter().map(|graph| MinimalRow {
        depth: graph.depth,
        nbp: graph.nbp,
        nodes: graph.nodes,
        max_tree: graph.max_tree,
        min_tree: graph.min_tree,
    });
    Ok(Outcome { minimal: minimal.collect(), ..Outcome::default() })
}

fn evaluations(position: &dyn Position, settings: &Settings, depth: u8) -> Result<Outcome, Error> {
    let found = position.evaluations(settings, depth)?;
    let evaluations =
        found.iter().map(|one| EvaluationsRow { depth: one.depth, nbp: one.nbp, positions: one.positions });
    Ok(Outcome { evaluations: evaluations.collect(), ..Outcome::default() })
}

/// Times two settings against each other. Each round is ABBA: whatever slows the machine down meets both alike.
fn time(position: &dyn Position, sides: [&Settings; 2], depth: u8, rounds: u32) -> Result<Outcome, Error> {
    let mut times = Vec::new();
    for round in 1..=rounds {
        let mut sums: Vec<TimeRow> = Vec::new();
        for side in [0, 1, 1, 0] {
            let mut at = 0;
            position.search(sides[side], Budget::depth(depth), &mut |row| {
                if sums.len() == at {
                    sums.push(TimeRow { round, depth: row.depth, ..TimeRow::default() });
                }
                let sum = &mut sums[at];
                *(if side == 0 { &mut sum.seconds } else { &mut sum.against }) += row.seconds;
                at += 1;
            })?;
        }
        times.extend(sums);
    }
    Ok(Outcome { times, ..Outcome::default() })
}
