//! `emtee reproduce`, `experiment` and `merge`: the lab.

use std::path::{Path, PathBuf};

use emtee_engine::Registry;
use emtee_lab::{Claim, Execution, Experiment, Plan, Verdict};
use serde_json::json;

use crate::args::{ExperimentArgs, LabArgs, MergeArgs, ReproduceArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{GOOD, HEADING, MARK, Output, POOR, counted};
use crate::table::{Cell, Table};

pub(crate) fn reproduce(registry: &Registry, args: &ReproduceArgs, output: &mut Output) -> Result<(), Failure> {
    let experiment = Experiment::reproduce(&args.scale)?;
    run(registry, experiment, &args.out, &args.lab, output)
}

pub(crate) fn experiment(registry: &Registry, args: &ExperimentArgs, output: &mut Output) -> Result<(), Failure> {
    let text = super::read(&args.file)?;
    let experiment = text.parse().map_err(|error| Failure::bad(format!("{}: {error}", super::name(&args.file))))?;
    let stem = || Path::new(&args.file).file_stem().filter(|_| args.file != "-").map(PathBuf::from);
    let folder = args.out.clone().or_else(stem).unwrap_or_else(|| PathBuf::from("experiment"));
    run(registry, experiment, &folder, &args.lab, output)
}

pub(crate) fn merge(registry: &Registry, args: &MergeArgs, output: &mut Output) -> Result<(), Failure> {
    let plan = emtee_lab::merge(registry, &args.parts, &args.out)?;
    finish(&plan, registry, &args.out, output)
}

fn run(
    registry: &Registry,
    mut experiment: Experiment,
    folder: &Path,
    args: &LabArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let listed = |list: &Option<String>| -> Option<Vec<String>> {
        let names = list.as_ref()?.split(',').map(|name| name.trim().to_owned());
        Some(names.filter(|name| !name.is_empty()).collect())
    };
    if let Some(names) = listed(&args.games) {
        experiment = experiment.only_games(&names)?;
    }
    if let Some(names) = listed(&args.figures) {
        experiment = experiment.only_figures(&names)?;
    }
    if let Some(threads) = args.threads {
        experiment = experiment.with_threads(threads)?;
    }
    let plan = Plan::new(experiment, registry)?;
    let mut how = Execution::default();
    how.jobs = args.jobs.unwrap_or(0);
    how.shard = args.shard.unwrap_or((1, 1));
    how.stop = interrupt::flag();
    let bar = output.progress(plan.specs.len() as u64, "counting");
    let made = emtee_lab::run(&plan, registry, folder, &how, &mut |progress| {
        bar.set_length(progress.of as u64);
        if progress.timing {
            bar.set_message("timing");
        }
        bar.set_position(progress.done as u64);
    });
    bar.finish_and_clear();
    made?;
    match args.shard {
        None => finish(&plan, registry, folder, output),
        Some((which, of)) if output.json() => {
            let runs = plan.shard(which, of).len();
            output.object(&json!({ "shard": which, "of": of, "runs": runs, "folder": folder }))
        }
        Some((which, of)) => {
            let runs = plan.shard(which, of).len();
            let folder = folder.display();
            output.line(format!("part {which} of {of}: {runs} runs are in {folder}; 'merge' puts the parts together"))
        }
    }
}

/// Writes the report, and tells the claims.
fn finish(plan: &Plan, registry: &Registry, folder: &Path, output: &mut Output) -> Result<(), Failure> {
    let report = emtee_lab::report(plan, registry, folder)?;
    let page = folder.join("report.html");
    if output.json() {
        for Claim { section, claim, paper, here, verdict, .. } in &report.claims {
            let verdict = verdict.to_string();
            output.object(
                &json!({ "section": section, "claim": claim, "paper": paper, "here": here, "holds": verdict }),
            )?;
        }
        let figures: Vec<String> = report.figures.iter().map(|figure| figure.study.to_string()).collect();
        return output.object(&json!({ "summary": report.summary, "figures": figures, "report": page }));
    }
    output.line(format!("{HEADING}{}{HEADING:#}\n\n{}\n", report.title, report.summary))?;
    if !report.claims.is_empty() {
        let mut table = Table::new(["<claim", "<paper", "<here", "<holds?"]);
        for claim in &report.claims {
            let style = match claim.verdict {
                Verdict::Holds => GOOD,
                Verdict::Fails => POOR,
                _ => MARK,
            };
            let here: Vec<String> = claim.here.split("; ").flat_map(|game| wrapped(game, 44)).collect();
            let claimed = wrapped(&format!("{}: {}", claim.section, claim.claim), 44);
            let (paper, holds) = (wrapped(claim.paper, 18), wrapped(&claim.verdict.to_string(), 12));
            let line = |lines: &[String], at: usize| lines.get(at).cloned().unwrap_or_default();
            for at in 0..here.len().max(claimed.len()).max(paper.len()).max(holds.len()) {
                let cells = [&claimed, &paper, &here].map(|lines| Cell::from(line(lines, at)));
                table.row(cells.into_iter().chain([Cell::styled(line(&holds, at), style)]).collect());
            }
        }
        table.print(output)?;
    }
    let figures = counted(report.figures.len() as u64, "figure", "figures");
    output.line(format!("\n{figures} and the whole report: {}", page.display()))
}

/// A text in lines of at most this many characters, where its words allow it.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().map(|line| line.chars().count()).unwrap_or_default();
        match lines.last_mut() {
            Some(line) if last == 0 => line.push_str(word),
            Some(line) if last + 1 + word.chars().count() <= width => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
