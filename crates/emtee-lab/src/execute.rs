//! Executes the runs. Counting runs use all cores at once; timed runs are executed one at a time, alone. Other machines can
//! execute the runs instead ([`Executor`]).

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, mpsc};

use emtee::research::{Counts, Mode};
use emtee::{Algorithm, Budget};
use emtee_engine::{Registry, Settings};

use crate::database::{Database, Signatures};
use crate::error::Error;
use crate::measure::measure;
use crate::outcome::Outcome;
use crate::plan::{Plan, Subject, position};
use crate::spec::Spec;

/// The options of executing the runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Execution {
    /// Number of concurrent runs; 0 for the number of cores divided by the threads per search.
    pub jobs: usize,
    /// The part to execute and the number of parts; parts are numbered from 1.
    pub shard: (usize, usize),
    /// A flag that stops the execution. Finished runs are kept.
    pub stop: Arc<AtomicBool>,
}

impl Default for Execution {
    fn default() -> Execution {
        Execution { jobs: 0, shard: (1, 1), stop: Arc::default() }
    }
}

/// Progress, reported after each run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Number of finished runs, including those of earlier executions.
    pub done: usize,
    /// Total number of runs.
    pub of: usize,
    /// Whether the timed runs have started.
    pub timing: bool,
}

/// Stores a finished run: its specification, its outcome and the machine that executed it.
pub type Store<'f> = dyn FnMut(&Spec, &Outcome, &str) -> Result<(), Error> + 'f;

/// Executes runs, on this machine or on others.
pub trait Executor {
    /// Executes these runs in any order and passes each outcome to `store`. If `exclusive` is set, each machine executes one
    /// run at a time. Runs that the `stop` flag interrupts are omitted.
    fn execute(
        &mut self,
        specs: &[Spec],
        exclusive: bool,
        stop: &Arc<AtomicBool>,
        store: &mut Store<'_>,
    ) -> Result<(), Error>;
}

/// Executes runs on the cores of this machine.
struct Cores<'r> {
    registry: &'r Registry,
    jobs: usize,
}

impl Executor for Cores<'_> {
    fn execute(
        &mut self,
        specs: &[Spec],
        exclusive: bool,
        stop: &Arc<AtomicBool>,
        store: &mut Store<'_>,
    ) -> Result<(), Error> {
        let machine = machine();
        let jobs = if exclusive { 1 } else { self.jobs };
        run_in_parallel(specs, self.registry, jobs, stop, &mut |spec, outcome| store(spec, outcome, &machine))
    }
}

/// The budget of a signature search: short in any game, but long enough to detect a change of the search.
const SIGNATURE_BUDGET: Budget = Budget::nodes(20_000).and_depth(8);

/// The search signatures of this program for the games of a plan, and for the evaluators used in them: node counts of
/// short searches.
pub(crate) fn signatures(plan: &Plan, registry: &Registry) -> Result<Signatures, Error> {
    let mut signatures = Vec::new();
    for subject in &plan.subjects {
        let mut evaluators: Vec<Option<String>> = Vec::new();
        for spec in plan.specs.iter().filter(|spec| spec.game == subject.name) {
            if !evaluators.contains(&spec.evaluator) {
                evaluators.push(spec.evaluator.clone());
            }
        }
        for evaluator in evaluators {
            // The signature depends on the first position, so the position is part of the name.
            let with = evaluator.as_ref().map(|name| format!(" by {name}")).unwrap_or_default();
            let name = format!("{} [{}]{with}", subject.name, subject.positions[0]);
            signatures.push((name, signature(subject, evaluator, registry)?));
        }
    }
    Ok(signatures)
}

fn signature(subject: &Subject, evaluator: Option<String>, registry: &Registry) -> Result<String, Error> {
    let position = position(registry, &subject.name, &subject.positions[0])?;
    let mut nodes = Vec::new();
    for algorithm in [Algorithm::default(), Algorithm::BASELINE] {
        let mut settings = Settings::default();
        settings.options.algorithm = algorithm;
        settings.options.principal_variation = false;
        settings.options.mode = Mode::Exact { etc: Some(0) };
        settings.evaluator = evaluator.clone();
        let row = position.search(&settings, SIGNATURE_BUDGET, &mut |_| ())?;
        let Counts { interior, nbp, table_answers, .. } = row.counts;
        nodes.push(format!("{interior}+{nbp}+{table_answers}"));
    }
    Ok(nodes.join(" "))
}

/// Executes all runs that are not in the database yet.
pub(crate) fn execute(
    plan: &Plan,
    registry: &Registry,
    database: &mut Database,
    execution: &Execution,
    executor: Option<&mut dyn Executor>,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Error> {
    let finished = database.finished()?;
    let all = plan.shard(execution.shard.0, execution.shard.1);
    let total = all.len();
    let (counting, timed): (Vec<Spec>, Vec<Spec>) =
        all.into_iter().filter(|spec| !finished.contains(&spec.number())).partition(|spec| !spec.is_timing());
    let mut done = total - counting.len() - timed.len();
    progress(Progress { done, of: total, timing: false });
    let jobs = match execution.jobs {
        0 => {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let threads = plan.experiment.search.threads;
            cores.checked_div(threads).unwrap_or(1).max(1)
        }
        jobs => jobs,
    };
    let mut cores = Cores { registry, jobs };
    let executor: &mut dyn Executor = match executor {
        Some(executor) => executor,
        None => &mut cores,
    };
    for (specs, timing) in [(&counting, false), (&timed, true)] {
        if execution.stop.load(Relaxed) {
            break;
        }
        executor.execute(specs, timing, &execution.stop, &mut |spec, outcome, machine| {
            database.insert_run(spec, outcome, machine)?;
            done += 1;
            progress(Progress { done, of: total, timing });
            Ok(())
        })?;
    }
    if execution.stop.load(Relaxed) { Err(Error::Stopped { done, of: total }) } else { Ok(()) }
}

/// Executes runs on several threads and passes each outcome to `store` on the calling thread.
fn run_in_parallel(
    specs: &[Spec],
    registry: &Registry,
    jobs: usize,
    stop: &Arc<AtomicBool>,
    store: &mut dyn FnMut(&Spec, &Outcome) -> Result<(), Error>,
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    // Stops the other threads after a failure. The user's flag has another meaning: a regular stop.
    let failed = AtomicBool::new(false);
    let (send, receive) = mpsc::sync_channel::<(&Spec, Result<Option<Outcome>, Error>)>(2 * jobs);
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(specs.len()) {
            let (send, next, failed) = (send.clone(), &next, &failed);
            scope.spawn(move || {
                while let Some(spec) = specs.get(next.fetch_add(1, Relaxed)) {
                    if stop.load(Relaxed)
                        || failed.load(Relaxed)
                        || send.send((spec, measure(spec, registry, stop))).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut result = Ok(());
        for (spec, outcome) in receive {
            let stored = match outcome {
                Ok(Some(outcome)) if result.is_ok() => store(spec, &outcome),
                Ok(_) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = stored {
                failed.store(true, Relaxed);
                result = result.and(Err(error));
            }
        }
        result
    })
}

/// A one-line description of this machine.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':')).map(|(_, name)| name.trim());
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{}, {cores} cores, {os} {arch}", model.unwrap_or("unknown processor"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;

    #[test]
    fn every_evaluator_has_a_signature() {
        let text = "title = \"t\"\nfigures = [11]\n[[game]]\nname = \"chess\"\ndepth = 2\npositions = { random = 1, plies = 4 }\n\
                    [[ratio]]\nname = \"r\"\nof = { evaluator = \"network\" }";
        let registry = Registry::standard();
        let experiment: Experiment = text.parse().unwrap();
        let signatures = signatures(&Plan::new(experiment, &registry).unwrap(), &registry).unwrap();
        assert_eq!(signatures.len(), 2);
        assert_ne!(signatures[0].1, signatures[1].1, "{signatures:?}");
    }
}
