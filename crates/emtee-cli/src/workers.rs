//! Work in other processes: the runs of an experiment, the games of a match, a joint search.
//!
//! A job is described once, as text that every process can read, and is divided into tasks. An implementation of [`Workers`]
//! carries the texts from one process to another; a [`Worker`] runs them at the other end. The transport does not interpret
//! the texts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use emtee::Budget;
use emtee::research::Peers;
use emtee_engine::arena::{Contest, ContestError, GameRow, Openings, Referee};
use emtee_engine::{Position, Registry, Settings};
use serde::{Deserialize, Serialize};

use crate::commands::matches::load_files;
use crate::commands::search::SearchArgs;
use crate::failure::Failure;

/// Other processes that run tasks.
pub trait Workers {
    /// Assigns the tasks in order to idle processes. `result` is called with the index of a task and one of its results, and
    /// returns whether to continue. Returns when all tasks are finished or `stop` is set; the error is the reason why neither
    /// can happen.
    fn run_tasks(
        &mut self,
        job: &Job,
        tasks: &[String],
        stop: &AtomicBool,
        result: &mut dyn FnMut(usize, &str) -> bool,
    ) -> Result<(), String>;

    /// Starts a joint search of all processes: every other process receives the job and [searches](Worker::search); this
    /// process searches with the returned peers. `stop` is set when the search has to end.
    fn start_search(&mut self, job: &str, stop: &Arc<AtomicBool>) -> Result<Arc<dyn Peers>, String>;

    /// Finishes the joint search and returns the results of the other processes.
    fn finish_search(&mut self) -> Result<Vec<String>, String>;
}

/// The data that all tasks of a job share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Job {
    /// The description for [`Program::worker`](crate::Program::worker).
    pub text: String,
    /// Number of concurrent tasks per process; 0 for as many as it has cores.
    pub concurrency: usize,
    /// Number of threads per task; 0 for all cores.
    pub threads: usize,
    /// Whether a task must be the only one on its machine, so that it can be timed.
    pub exclusive: bool,
}

/// A job as it is serialized.
#[derive(Serialize, Deserialize)]
enum JobDescription {
    /// The runs of this experiment, as TOML. A task is the index of a run in its plan.
    #[cfg(feature = "lab")]
    Experiment(String),
    /// The games of a match. A task is a pair of games, by their numbers.
    Match { game: String, players: [String; 2], referee: Box<Referee>, openings: Openings },
    /// A position for a joint search, and the command line with its options.
    Search { arguments: Vec<String>, position: String },
}

/// Runs the tasks of a job in this process, several concurrently if required.
pub struct Worker<'r> {
    registry: &'r Registry,
    /// The name of the machine in results.
    #[cfg(feature = "lab")]
    machine: String,
    work: Work,
}

/// A job, parsed.
enum Work {
    #[cfg(feature = "lab")]
    Runs(Box<emtee_lab::Plan>),
    Games(Box<Contest>),
    Search {
        position: Box<dyn Position>,
        settings: Box<Settings>,
        budget: Budget,
    },
}

impl<'r> Worker<'r> {
    #[cfg_attr(not(feature = "lab"), allow(unused_variables))]
    pub(crate) fn new(registry: &'r Registry, job: &str, host: &str) -> Result<Worker<'r>, String> {
        let work = match serde_json::from_str(job).map_err(|error| format!("invalid job: {error}"))? {
            #[cfg(feature = "lab")]
            JobDescription::Experiment(toml) => {
                let plan = toml.parse().and_then(|experiment| emtee_lab::Plan::new(experiment, registry));
                Work::Runs(Box::new(plan.map_err(|error| error.to_string())?))
            }
            JobDescription::Search { arguments, position } => {
                let args = SearchArgs::read(registry, &arguments).map_err(|failure| failure.to_string())?;
                let game = registry.get(&args.positions.game).map_err(|error| error.to_string())?;
                let position = game.position(&position).map_err(|error| error.to_string())?;
                let mut settings = args.settings().map_err(|failure| failure.to_string())?;
                settings.options.principal_variation = false;
                // Only the process that prints applies the limits.
                let mut budget = args.budget();
                (budget.nodes, budget.time) = (None, None);
                Work::Search { position, settings: Box::new(settings), budget }
            }
            JobDescription::Match { game, players: [a, b], referee, openings } => {
                let mut contest = Contest::new(&game, a.parse()?, b.parse()?);
                (contest.referee, contest.openings) = (*referee, openings);
                let game = registry.get(&game).map_err(|error| error.to_string())?;
                load_files(&mut contest, game).map_err(|failure| failure.to_string())?;
                Work::Games(Box::new(contest))
            }
        };
        #[cfg(feature = "lab")]
        let machine = format!("{host}: {}", emtee_lab::machine());
        Ok(Worker {
            registry,
            #[cfg(feature = "lab")]
            machine,
            work,
        })
    }

    /// Runs a task and passes each result to `result` as soon as it is known. A task stopped by `stop` has no further results.
    pub fn run_task(&self, task: &str, stop: &Arc<AtomicBool>, result: &mut dyn FnMut(String)) -> Result<(), String> {
        let invalid = |error: serde_json::Error| format!("invalid task: {error}");
        let mut send = |found: serde_json::Result<String>| found.map(&mut *result).map_err(|error| error.to_string());
        match &self.work {
            Work::Search { .. } => Err(String::from("a joint search has no tasks")),
            #[cfg(feature = "lab")]
            Work::Runs(plan) => {
                let index: usize = serde_json::from_str(task).map_err(invalid)?;
                let spec = plan.specs.get(index).ok_or("there is no such run")?;
                let found = emtee_lab::measure(spec, self.registry, stop).map_err(|error| error.to_string())?;
                found.map_or(Ok(()), |found| send(serde_json::to_string(&(&self.machine, found))))
            }
            Work::Games(contest) => {
                let pair: Vec<u64> = serde_json::from_str(task).map_err(invalid)?;
                let mut sent = Ok(());
                let played = contest.play_pair(self.registry, &pair, stop, &mut |row| {
                    if sent.is_ok() {
                        sent = send(serde_json::to_string(row));
                    }
                });
                match played {
                    Ok(()) | Err(ContestError::Stopped) => sent,
                    Err(error) => Err(error.to_string()),
                }
            }
        }
    }
}

impl Worker<'_> {
    /// Takes part in a joint search of all processes. Returns the node count of this process.
    pub fn search(&self, peers: Arc<dyn Peers>, stop: &Arc<AtomicBool>) -> Result<String, String> {
        let Work::Search { position, settings, budget } = &self.work else {
            return Err(String::from("this job is not a search"));
        };
        let mut settings = settings.clone();
        (settings.peers, settings.stop) = (Some(peers), Some(stop.clone().into()));
        let row = position.search(&settings, *budget, &mut |_| ()).map_err(|error| error.to_string())?;
        Ok(row.counts.nodes().to_string())
    }
}

/// Starts a joint search of all processes with the options of these command-line arguments.
pub(crate) fn start_joint_search(
    workers: &mut dyn Workers,
    arguments: &[String],
    position: &dyn Position,
    stop: &Arc<AtomicBool>,
) -> Result<Arc<dyn Peers>, Failure> {
    let job = serialized(&JobDescription::Search { arguments: arguments.to_vec(), position: position.text() })?;
    workers.start_search(&job, stop).map_err(Failure::Failed)
}

/// Workers that carry out the runs of a plan.
#[cfg(feature = "lab")]
pub(crate) struct PlanWorkers<'w> {
    workers: &'w mut dyn Workers,
    plan: &'w emtee_lab::Plan,
    job: Job,
}

#[cfg(feature = "lab")]
impl<'w> PlanWorkers<'w> {
    pub(crate) fn new(
        workers: &'w mut dyn Workers,
        plan: &'w emtee_lab::Plan,
        jobs: usize,
    ) -> Result<PlanWorkers<'w>, Failure> {
        let text = serialized(&JobDescription::Experiment(plan.experiment.to_toml()?))?;
        let threads = plan.experiment.search.threads;
        Ok(PlanWorkers { workers, plan, job: Job { text, concurrency: jobs, threads, exclusive: false } })
    }
}

#[cfg(feature = "lab")]
impl emtee_lab::Executor for PlanWorkers<'_> {
    fn execute(
        &mut self,
        specs: &[emtee_lab::Spec],
        exclusive: bool,
        stop: &Arc<AtomicBool>,
        file: &mut emtee_lab::Store<'_>,
    ) -> Result<(), emtee_lab::Error> {
        let failed = |why: String| emtee_lab::Error::Failed(why);
        let indices: std::collections::HashMap<i64, usize> =
            self.plan.specs.iter().enumerate().map(|(index, spec)| (spec.number(), index)).collect();
        // Longest first, so that the last tasks to finish are short ones.
        let mut order: Vec<&emtee_lab::Spec> = specs.iter().collect();
        order.sort_by(|a, b| self.plan.effort(b).total_cmp(&self.plan.effort(a)));
        let tasks: Vec<String> = order.iter().map(|spec| indices[&spec.number()].to_string()).collect();
        self.job.exclusive = exclusive;
        let mut saved = Ok(());
        let finished = self.workers.run_tasks(&self.job, &tasks, stop, &mut |task, text| {
            if saved.is_ok() {
                saved = serde_json::from_str::<(String, emtee_lab::Outcome)>(text)
                    .map_err(|error| failed(format!("cannot read the result of a run: {error}")))
                    .and_then(|(machine, outcome)| file(order[task], &outcome, &machine));
            }
            saved.is_ok()
        });
        saved.and(finished.map_err(failed))
    }
}

/// Plays the games of a match that are not `done` yet.
pub(crate) fn play_match(
    workers: &mut dyn Workers,
    contest: &Contest,
    done: &[GameRow],
    stop: &Arc<AtomicBool>,
    shown: &mut dyn FnMut(&GameRow),
) -> Result<Result<(), ContestError>, Failure> {
    let text = serialized(&JobDescription::Match {
        game: contest.game.clone(),
        players: contest.players.clone().map(|player| player.text),
        referee: Box::new(contest.referee.clone()),
        openings: contest.openings.clone(),
    })?;
    let pairs = contest.pairs_left(done);
    let tasks: Vec<String> = pairs.iter().map(|pair| format!("{pair:?}")).collect();
    let mut games = done.to_vec();
    let mut read = Ok(());
    let job = Job { text, concurrency: contest.concurrency, threads: 1, exclusive: false };
    let finished = workers.run_tasks(&job, &tasks, stop, &mut |_, text| match serde_json::from_str::<GameRow>(text) {
        Ok(row) => {
            shown(&row);
            games.push(row);
            !contest.decided(&Contest::score(&games))
        }
        Err(error) => {
            read = Err(Failure::Failed(format!("cannot read the result of a game: {error}")));
            false
        }
    });
    read.and(finished.map_err(Failure::Failed))?;
    Ok(if stop.load(Relaxed) { Err(ContestError::Stopped) } else { Ok(()) })
}

fn serialized(job: &JobDescription) -> Result<String, Failure> {
    serde_json::to_string(job).map_err(|error| Failure::Failed(format!("cannot serialize the job: {error}")))
}
