//! Work that other processes do: the runs of an experiment, the games of a match.
//!
//! A job is described once, in a text that every process can read, and then consists of tasks. Whoever carries texts from one
//! process to another is a [`Crew`]; at the other end is a [`Worker`]. Neither has to know what is in them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use emtee::Budget;
use emtee::research::Peers;
use emtee_engine::arena::{Contest, ContestError, GameRow, Openings, Referee};
use emtee_engine::{Position, Registry, Settings};
use serde::{Deserialize, Serialize};

use crate::commands::contest::load_files;
use crate::commands::search::SearchArgs;
use crate::failure::Failure;

/// Other processes that do the work.
pub trait Crew {
    /// Hands out tasks in their order to whoever is free. `result` gets the place of a task among them and one of its results,
    /// and says whether to go on. Returns when all is done, or the flag is raised, or why neither will ever be.
    fn work(
        &mut self,
        job: &Job,
        tasks: &[String],
        stop: &AtomicBool,
        result: &mut dyn FnMut(usize, &str) -> bool,
    ) -> Result<(), String>;

    /// Lets all processes make one search together: each of the others is given the job and [searches](Worker::search), this one
    /// does so with what is returned. The flag is raised when the search is to end.
    fn together(&mut self, job: &str, stop: &Arc<AtomicBool>) -> Result<Arc<dyn Peers>, String>;

    /// The search is over: what the others found.
    fn apart(&mut self) -> Result<Vec<String>, String>;
}

/// What tasks have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Job {
    /// What [`Program::worker`](crate::Program::worker) needs to know.
    pub text: String,
    /// How many tasks a process does at once; 0 for as many as it has cores.
    pub at_once: usize,
    /// How many threads each of them takes; 0 for all cores.
    pub threads: usize,
    /// Whether a task must be alone on its machine.
    pub alone: bool,
}

/// The work, as it is sent.
#[derive(Serialize, Deserialize)]
enum Work {
    /// The runs of this experiment, as TOML. A task is the place of a run in its plan.
    #[cfg(feature = "lab")]
    Experiment(String),
    /// The games of a match. A task is a pair of them, by their numbers.
    Match { game: String, players: [String; 2], referee: Box<Referee>, openings: Openings },
    /// A position that all search together, and how, as arguments.
    Search { arguments: Vec<String>, position: String },
}

/// A process that does tasks of a job, several at once if need be.
pub struct Worker<'r> {
    registry: &'r Registry,
    /// The machine, as results name it.
    #[cfg(feature = "lab")]
    machine: String,
    kind: Kind,
}

enum Kind {
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
        let kind = match serde_json::from_str(job).map_err(|error| format!("this is no job: {error}"))? {
            #[cfg(feature = "lab")]
            Work::Experiment(toml) => {
                let plan = toml.parse().and_then(|experiment| emtee_lab::Plan::new(experiment, registry));
                Kind::Runs(Box::new(plan.map_err(|error| error.to_string())?))
            }
            Work::Search { arguments, position } => {
                let args = SearchArgs::read(registry, &arguments).map_err(|failure| failure.to_string())?;
                let game = registry.get(&args.at.game).map_err(|error| error.to_string())?;
                let position = game.position(&position).map_err(|error| error.to_string())?;
                let mut settings = args.settings().map_err(|failure| failure.to_string())?;
                settings.options.principal_variation = false;
                // The limits are those of the process that prints.
                let mut budget = args.budget();
                (budget.nodes, budget.time) = (None, None);
                Kind::Search { position, settings: Box::new(settings), budget }
            }
            Work::Match { game, players: [a, b], referee, openings } => {
                let mut contest = Contest::new(&game, a.parse()?, b.parse()?);
                (contest.referee, contest.openings) = (*referee, openings);
                let game = registry.get(&game).map_err(|error| error.to_string())?;
                load_files(&mut contest, game).map_err(|failure| failure.to_string())?;
                Kind::Games(Box::new(contest))
            }
        };
        #[cfg(feature = "lab")]
        let machine = format!("{host}: {}", emtee_lab::machine());
        Ok(Worker {
            registry,
            #[cfg(feature = "lab")]
            machine,
            kind,
        })
    }

    /// Does a task, and hands on each result as soon as it is there. What the flag stops has none.
    pub fn work(&self, task: &str, stop: &Arc<AtomicBool>, result: &mut dyn FnMut(String)) -> Result<(), String> {
        let unreadable = |error: serde_json::Error| format!("this is no task: {error}");
        let mut send = |found: serde_json::Result<String>| found.map(&mut *result).map_err(|error| error.to_string());
        match &self.kind {
            Kind::Search { .. } => Err(String::from("a search that all make has no tasks")),
            #[cfg(feature = "lab")]
            Kind::Runs(plan) => {
                let place: usize = serde_json::from_str(task).map_err(unreadable)?;
                let spec = plan.specs.get(place).ok_or("there is no such run")?;
                let found = emtee_lab::measure(spec, self.registry, stop).map_err(|error| error.to_string())?;
                found.map_or(Ok(()), |found| send(serde_json::to_string(&(&self.machine, found))))
            }
            Kind::Games(contest) => {
                let pair: Vec<u64> = serde_json::from_str(task).map_err(unreadable)?;
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
    /// Takes part in a search that all processes make. Returns what this one counted.
    pub fn search(&self, peers: Arc<dyn Peers>, stop: &Arc<AtomicBool>) -> Result<String, String> {
        let Kind::Search { position, settings, budget } = &self.kind else {
            return Err(String::from("this is no search"));
        };
        let mut settings = settings.clone();
        (settings.peers, settings.stop) = (Some(peers), Some(stop.clone()));
        let row = position.search(&settings, *budget, &mut |_| ()).map_err(|error| error.to_string())?;
        Ok(row.counts.nodes().to_string())
    }
}

/// Begins a search that all processes make, with these arguments.
pub(crate) fn search_together(
    crew: &mut dyn Crew,
    arguments: &[String],
    position: &dyn Position,
    stop: &Arc<AtomicBool>,
) -> Result<Arc<dyn Peers>, Failure> {
    let job = written(&Work::Search { arguments: arguments.to_vec(), position: position.text() })?;
    crew.together(&job, stop).map_err(Failure::Failed)
}

/// A crew that makes the runs of a plan.
#[cfg(feature = "lab")]
pub(crate) struct Runs<'c> {
    crew: &'c mut dyn Crew,
    plan: &'c emtee_lab::Plan,
    job: Job,
}

#[cfg(feature = "lab")]
impl<'c> Runs<'c> {
    pub(crate) fn new(crew: &'c mut dyn Crew, plan: &'c emtee_lab::Plan, jobs: usize) -> Result<Runs<'c>, Failure> {
        let text = written(&Work::Experiment(plan.experiment.to_toml()?))?;
        let threads = plan.experiment.search.threads;
        Ok(Runs { crew, plan, job: Job { text, at_once: jobs, threads, alone: false } })
    }
}

#[cfg(feature = "lab")]
impl emtee_lab::Crew for Runs<'_> {
    fn make(
        &mut self,
        specs: &[emtee_lab::Spec],
        alone: bool,
        stop: &Arc<AtomicBool>,
        file: &mut emtee_lab::File<'_>,
    ) -> Result<(), emtee_lab::Error> {
        let failed = |why: String| emtee_lab::Error::Failed(why);
        let places: std::collections::HashMap<i64, usize> =
            self.plan.specs.iter().enumerate().map(|(place, spec)| (spec.number(), place)).collect();
        // The longest first: whatever comes last, nobody waits long for it.
        let mut order: Vec<&emtee_lab::Spec> = specs.iter().collect();
        order.sort_by(|a, b| self.plan.effort(b).total_cmp(&self.plan.effort(a)));
        let tasks: Vec<String> = order.iter().map(|spec| places[&spec.number()].to_string()).collect();
        self.job.alone = alone;
        let mut trouble = Ok(());
        let worked = self.crew.work(&self.job, &tasks, stop, &mut |task, text| {
            if trouble.is_ok() {
                trouble = serde_json::from_str::<(String, emtee_lab::Outcome)>(text)
                    .map_err(|error| failed(format!("a run came back unreadable: {error}")))
                    .and_then(|(machine, outcome)| file(order[task], &outcome, &machine));
            }
            trouble.is_ok()
        });
        trouble.and(worked.map_err(failed))
    }
}

/// A crew plays the games of a match that are not `done` yet.
pub(crate) fn play(
    crew: &mut dyn Crew,
    contest: &Contest,
    done: &[GameRow],
    stop: &Arc<AtomicBool>,
    shown: &mut dyn FnMut(&GameRow),
) -> Result<Result<(), ContestError>, Failure> {
    let text = written(&Work::Match {
        game: contest.game.clone(),
        players: contest.players.clone().map(|player| player.text),
        referee: Box::new(contest.referee.clone()),
        openings: contest.openings.clone(),
    })?;
    let pairs = contest.pairs_left(done);
    let tasks: Vec<String> = pairs.iter().map(|pair| format!("{pair:?}")).collect();
    let mut games = done.to_vec();
    let mut trouble = Ok(());
    let job = Job { text, at_once: contest.concurrency, threads: 1, alone: false };
    let worked = crew.work(&job, &tasks, stop, &mut |_, text| match serde_json::from_str::<GameRow>(text) {
        Ok(row) => {
            shown(&row);
            games.push(row);
            !contest.decided(&Contest::score(&games))
        }
        Err(error) => {
            trouble = Err(Failure::Failed(format!("a game came back unreadable: {error}")));
            false
        }
    });
    trouble.and(worked.map_err(Failure::Failed))?;
    Ok(if stop.load(Relaxed) { Err(ContestError::Stopped) } else { Ok(()) })
}

fn written(work: &Work) -> Result<String, Failure> {
    serde_json::to_string(work).map_err(|error| Failure::Failed(format!("this work cannot be sent: {error}")))
}
