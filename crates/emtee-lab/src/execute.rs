//! Making the runs: those that count on all cores at once, those that are timed one by one and alone. Other machines may make
//! them instead.

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

/// How the runs are made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Execution {
    /// How many runs at once; 0 for as many as there are cores.
    pub jobs: usize,
    /// Which part of how many, counted from 1.
    pub shard: (usize, usize),
    /// A flag that stops everything. What is finished is kept.
    pub stop: Arc<AtomicBool>,
}

impl Default for Execution {
    fn default() -> Execution {
        Execution { jobs: 0, shard: (1, 1), stop: Arc::default() }
    }
}

/// How far it has come, after each run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Runs that are finished, those of earlier starts too.
    pub done: usize,
    /// All runs.
    pub of: usize,
    /// Whether times are being measured.
    pub timing: bool,
}

/// Takes what a run found, and the machine that made it.
pub type File<'f> = dyn FnMut(&Spec, &Outcome, &str) -> Result<(), Error> + 'f;

/// Whoever makes the runs.
pub trait Crew {
    /// Makes these runs, in any order, and hands each to `file`; if they are to be `alone`, one at a time on each machine. What
    /// the flag of the user stops is left out.
    fn make(&mut self, specs: &[Spec], alone: bool, stop: &Arc<AtomicBool>, file: &mut File<'_>) -> Result<(), Error>;
}

/// The cores of this machine.
struct Cores<'r> {
    registry: &'r Registry,
    jobs: usize,
}

impl Crew for Cores<'_> {
    fn make(&mut self, specs: &[Spec], alone: bool, stop: &Arc<AtomicBool>, file: &mut File<'_>) -> Result<(), Error> {
        let machine = machine();
        let jobs = if alone { 1 } else { self.jobs };
        side_by_side(specs, self.registry, jobs, stop, &mut |spec, outcome| file(spec, outcome, &machine))
    }
}

/// A search that is soon over in any game, and long enough to show that something has changed.
const SIGNED: Budget = Budget::nodes(20_000).and_depth(8);

/// How this program searches the games of a plan.
pub(crate) fn signatures(plan: &Plan, registry: &Registry) -> Result<Signatures, Error> {
    let signature = |subject: &Subject| -> Result<(String, String), Error> {
        let position = position(registry, &subject.name, &subject.positions[0])?;
        let mut nodes = Vec::new();
        for algorithm in [Algorithm::default(), Algorithm::BASELINE] {
            let mut settings = Settings::default();
            settings.options.algorithm = algorithm;
            settings.options.principal_variation = false;
            settings.options.mode = Mode::Exact { etc: Some(0) };
            let row = position.search(&settings, SIGNED, &mut |_| ())?;
            let Counts { interior, nbp, table_answers, .. } = row.counts;
            nodes.push(format!("{interior}+{nbp}+{table_answers}"));
        }
        // Another first position is another count.
        Ok((format!("{} [{}]", subject.name, subject.positions[0]), nodes.join(" ")))
    };
    plan.subjects.iter().map(signature).collect()
}

/// Makes all runs that are not in the database yet.
pub(crate) fn execute(
    plan: &Plan,
    registry: &Registry,
    database: &mut Database,
    how: &Execution,
    crew: Option<&mut dyn Crew>,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Error> {
    let finished = database.finished()?;
    let all = plan.shard(how.shard.0, how.shard.1);
    let of = all.len();
    let (open, timed): (Vec<Spec>, Vec<Spec>) =
        all.into_iter().filter(|spec| !finished.contains(&spec.number())).partition(|spec| !spec.is_timing());
    let mut done = of - open.len() - timed.len();
    progress(Progress { done, of, timing: false });
    let jobs = match how.jobs {
        0 => {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let threads = plan.experiment.search.threads;
            cores.checked_div(threads).unwrap_or(1).max(1)
        }
        jobs => jobs,
    };
    let mut cores = Cores { registry, jobs };
    let crew: &mut dyn Crew = match crew {
        Some(crew) => crew,
        None => &mut cores,
    };
    for (specs, timing) in [(&open, false), (&timed, true)] {
        if how.stop.load(Relaxed) {
            break;
        }
        crew.make(specs, timing, &how.stop, &mut |spec, outcome, machine| {
            database.file(spec, outcome, machine)?;
            done += 1;
            progress(Progress { done, of, timing });
            Ok(())
        })?;
    }
    if how.stop.load(Relaxed) { Err(Error::Stopped { done, of }) } else { Ok(()) }
}

/// Makes runs on several threads, and hands each result to `file` on this one.
fn side_by_side(
    specs: &[Spec],
    registry: &Registry,
    jobs: usize,
    stop: &Arc<AtomicBool>,
    file: &mut dyn FnMut(&Spec, &Outcome) -> Result<(), Error>,
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    // When something fails the others stop too, which is not what the user's flag means.
    let given_up = AtomicBool::new(false);
    let (send, receive) = mpsc::sync_channel::<(&Spec, Result<Option<Outcome>, Error>)>(2 * jobs);
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(specs.len()) {
            let (send, next, given_up) = (send.clone(), &next, &given_up);
            scope.spawn(move || {
                while let Some(spec) = specs.get(next.fetch_add(1, Relaxed)) {
                    if stop.load(Relaxed)
                        || given_up.load(Relaxed)
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
            let filed = match outcome {
                Ok(Some(outcome)) if result.is_ok() => file(spec, &outcome),
                Ok(_) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = filed {
                given_up.store(true, Relaxed);
                result = result.and(Err(error));
            }
        }
        result
    })
}

/// The machine, in a line.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':')).map(|(_, name)| name.trim());
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{}, {cores} cores, {os} {arch}", model.unwrap_or("a processor that does not tell its name"))
}
