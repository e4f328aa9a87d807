//! Experiments: the paper's, and your own.
//!
//! An [`Experiment`] is a small TOML file. A [`Plan`] lists its runs; [`run`] makes them, keeps what they find in one SQLite
//! file, and writes figures, tables and a report. What was finished once is never made again.

mod claims;
mod database;
mod draw;
mod error;
mod estimate;
mod execute;
mod experiment;
mod export;
mod figures;
mod measure;
mod outcome;
mod plan;

mod report;
mod results;
mod simulation;
mod spec;
mod study;
mod vary;

use std::fs;
use std::path::{Path, PathBuf};

use emtee_engine::Registry;

pub use crate::claims::{Claim, Source, Verdict};
pub use crate::database::Database;
pub use crate::error::Error;
pub use crate::estimate::{Comparison, Estimate};
pub use crate::execute::{Crew, Execution, File, Progress, machine};
pub use crate::experiment::{Experiment, GameChoice, Named, Positions, Search, Studies, Text};
pub use crate::figures::Figure;
pub use crate::measure::measure;
pub use crate::outcome::{IterationRow, Outcome, TimeRow};
pub use crate::plan::{Plan, Subject};
pub use crate::report::Report;
pub use crate::spec::{RunKind, Spec};
pub use crate::study::Study;
pub use crate::vary::{RatioChoice, RatioRow, Sweep, Variation};

/// The name of the database in its folder.
pub const DATABASE: &str = "results.sqlite";

/// Makes the runs of an experiment that are not made yet, on the cores of this machine.
pub fn run(
    plan: &Plan,
    registry: &Registry,
    folder: &Path,
    how: &Execution,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Error> {
    run_by(None, plan, registry, folder, how, progress)
}

/// The same, where a crew makes the runs if there is one.
pub fn run_by(
    crew: Option<&mut dyn Crew>,
    plan: &Plan,
    registry: &Registry,
    folder: &Path,
    how: &Execution,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Error> {
    make_folder(folder)?;
    let mut database = Database::open(&folder.join(DATABASE), &execute::signatures(plan, registry)?)?;
    database.note(&plan.experiment.to_toml()?)?;
    execute::execute(plan, registry, &mut database, how, crew, progress)
}

/// Writes the report of an experiment whose runs are made: page, text, figures, and the tables as CSV and JSON lines.
pub fn report(plan: &Plan, registry: &Registry, folder: &Path) -> Result<Report, Error> {
    let database = Database::open(&folder.join(DATABASE), &execute::signatures(plan, registry)?)?;
    let report = report::compose(plan, &database)?;
    report.write(folder)?;
    let data = folder.join("data");
    make_folder(&data)?;
    export::export(&database, &data)?;
    Ok(report)
}

/// Puts the parts of an experiment together in another folder. Returns what was run, to be reported.
pub fn merge(registry: &Registry, parts: &[PathBuf], folder: &Path) -> Result<Plan, Error> {
    let file = |part: &PathBuf| if part.is_dir() { part.join(DATABASE) } else { part.clone() };
    let files: Vec<PathBuf> = parts.iter().map(file).collect();
    let mut plan: Option<Plan> = None;
    for file in &files {
        // How it searches is checked once it is known which games matter.
        let toml = Database::peek(file)?;
        let part = Plan::new(toml.parse()?, registry)?;
        match &plan {
            Some(plan) if plan.experiment != part.experiment => {
                return Err(Error::bad(format!(
                    "{} is a part of another experiment than {}",
                    file.display(),
                    files[0].display()
                )));
            }
            Some(_) => {}
            None => plan = Some(part),
        }
    }
    let plan = plan.ok_or_else(|| Error::bad("there is nothing to merge"))?;
    let signatures = execute::signatures(&plan, registry)?;
    for file in &files {
        Database::open(file, &signatures)?;
    }
    make_folder(folder)?;
    let mut whole = Database::open(&folder.join(DATABASE), &signatures)?;
    let target = folder.join(DATABASE).canonicalize().ok();
    for file in files.iter().filter(|file| file.canonicalize().ok() != target) {
        whole.absorb(file)?;
    }
    let finished = whole.finished()?;
    let missing = plan.specs.iter().filter(|spec| !finished.contains(&spec.number())).count();
    if missing > 0 {
        let of = plan.specs.len();
        return Err(Error::bad(format!(
            "{missing} of {of} runs are in none of the parts; run the missing parts and merge again"
        )));
    }
    Ok(plan)
}

fn make_folder(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder)
        .map_err(|error| Error::bad(format!("cannot make the folder {}: {error}", folder.display())))
}
