//! Experiments with minimax search: the paper's and user-defined ones.
//!
//! An [`Experiment`] is a small TOML file. A [`Plan`] lists its runs. [`run`] executes them and stores the results in one
//! SQLite file; [`report()`] writes figures, tables and a report. Finished runs are not repeated.

mod baselines;
mod claims;
mod database;
mod draw;
mod error;
mod estimate;
mod execute;
mod experiment;
mod export;
mod figure_kind;
mod figures;
mod measure;
mod outcome;
mod plan;
mod ratios;
mod report;
mod results;
mod simulation;
mod spec;

use std::fs;
use std::path::{Path, PathBuf};

use emtee_engine::Registry;

pub use crate::baselines::{BaselineRow, Committed, Measure};
pub use crate::claims::{Claim, Source, Verdict};
pub use crate::database::Database;
pub use crate::error::Error;
pub use crate::estimate::Comparison;
#[doc(alias("bootstrap", "confidence interval"))]
pub use crate::estimate::Estimate;
pub use crate::execute::{Execution, Executor, Progress, Store, machine};
pub use crate::experiment::{Experiment, GameChoice, Named, Positions, Search, StudySettings, Text};
pub use crate::figure_kind::FigureKind;
pub use crate::figures::Figure;
pub use crate::measure::measure;
pub use crate::outcome::{IterationRow, Outcome, TimeRow};
pub use crate::plan::{Plan, Subject};
pub use crate::ratios::{RatioChoice, RatioRow, Sweep, Variation};
pub use crate::report::Report;
pub use crate::spec::{RunKind, Spec};

/// File name of the results database in an output folder.
pub const DATABASE: &str = "results.sqlite";

/// Executes the unfinished runs of an experiment on the cores of this machine.
pub fn run(
    plan: &Plan,
    registry: &Registry,
    folder: &Path,
    execution: &Execution,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Error> {
    run_by(None, plan, registry, folder, execution, progress)
}

/// Like [`run`], but a [`Executor`] executes the runs if one is given.
pub fn run_by(
    executor: Option<&mut dyn Executor>,
    plan: &Plan,
    registry: &Registry,
    folder: &Path,
    execution: &Execution,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Error> {
    make_folder(folder)?;
    let mut database = Database::open(&folder.join(DATABASE), &execute::signatures(plan, registry)?)?;
    database.add_experiment(&plan.experiment.to_toml()?)?;
    execute::execute(plan, registry, &mut database, execution, executor, progress)
}

/// Writes the report of an experiment whose runs are finished: HTML, Markdown, figures, and the tables as CSV and JSON lines.
pub fn report(plan: &Plan, registry: &Registry, folder: &Path) -> Result<Report, Error> {
    let database = Database::open(&folder.join(DATABASE), &execute::signatures(plan, registry)?)?;
    let report = report::compose(plan, &database)?;
    report.write(folder)?;
    let data = folder.join("data");
    make_folder(&data)?;
    export::export(&database, &data)?;
    Ok(report)
}

/// Merges the databases of the parts of an experiment into one folder. Returns the plan, for [`report()`].
pub fn merge(registry: &Registry, parts: &[PathBuf], folder: &Path) -> Result<Plan, Error> {
    let file = |part: &PathBuf| if part.is_dir() { part.join(DATABASE) } else { part.clone() };
    let files: Vec<PathBuf> = parts.iter().map(file).collect();
    let mut plan: Option<Plan> = None;
    for file in &files {
        // The search signatures are checked below: they need the games of the plan.
        let toml = Database::read_experiment(file)?;
        let part = Plan::new(toml.parse()?, registry)?;
        match &plan {
            Some(plan) if plan.experiment != part.experiment => {
                return Err(Error::bad(format!(
                    "{} and {} are parts of different experiments",
                    file.display(),
                    files[0].display()
                )));
            }
            Some(_) => {}
            None => plan = Some(part),
        }
    }
    let plan = plan.ok_or_else(|| Error::bad("no parts to merge"))?;
    let signatures = execute::signatures(&plan, registry)?;
    for file in &files {
        Database::open(file, &signatures)?;
    }
    make_folder(folder)?;
    let mut merged = Database::open(&folder.join(DATABASE), &signatures)?;
    let target = folder.join(DATABASE).canonicalize().ok();
    for file in files.iter().filter(|file| file.canonicalize().ok() != target) {
        merged.merge_from(file)?;
    }
    let finished = merged.finished()?;
    let missing = plan.specs.iter().filter(|spec| !finished.contains(&spec.number())).count();
    if missing > 0 {
        let total = plan.specs.len();
        return Err(Error::bad(format!(
            "{missing} of {total} runs are in none of the parts; run the missing parts and merge again"
        )));
    }
    Ok(plan)
}

fn make_folder(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder)
        .map_err(|error| Error::bad(format!("cannot create the folder {}: {error}", folder.display())))
}
