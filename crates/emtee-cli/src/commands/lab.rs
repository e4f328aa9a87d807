//! `emtee reproduce`, `experiment` and `merge`: experiments of the lab.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use emtee::MAX_THREADS;
use emtee_engine::Registry;
use emtee_lab::{BaselineRow, Claim, Committed, Estimate, Execution, Experiment, Measure, Plan, RatioRow, Verdict};
use serde_json::json;

use crate::commands::args::integer;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, GOOD, HEADING, MARK, Output, POOR, counted, wrapped};
use crate::text_table::{Cell, TextTable};
use crate::workers::{PlanWorkers, Workers};

/// Rerun the experiments of the paper and test its claims
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee reproduce\n  emtee reproduce --scale paper --out paper\n  emtee reproduce --games othello --figures 10,11"
)]
pub(crate) struct ReproduceArgs {
    /// Folder for results, figures and the report
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub(crate) out: std::path::PathBuf,

    /// Scale of the experiments: quick, paper, primary, full or deep
    #[arg(long, value_name = "SCALE", default_value = "quick")]
    pub(crate) scale: String,

    #[command(flatten)]
    pub(crate) lab: LabArgs,
}

/// Run your own experiment, described in a small TOML file
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee experiment kalah.toml --out kalah\n  emtee experiment kalah.toml --shard 3/64 --out part3\n\nExample of a file:\n  title = \"MTD-f on Kalah\"\n  figures = [9, 11, 12, \"passes\"]\n\n  [[game]]\n  name = \"kalah\"\n  depth = 8\n  positions = { random = 10, plies = 6 }"
)]
pub(crate) struct ExperimentArgs {
    /// File that describes the experiment; - reads standard input
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: String,

    /// Folder for results, figures and the report [default: the name of the file]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<std::path::PathBuf>,

    #[command(flatten)]
    pub(crate) lab: LabArgs,
}

/// Merge the parts of an experiment
#[derive(ClapArgs)]
#[command(after_help = "Examples:\n  emtee merge part1 part2 part3 --out whole")]
pub(crate) struct MergeArgs {
    /// Folders of the parts
    #[arg(value_name = "DIR", required = true)]
    pub(crate) parts: Vec<std::path::PathBuf>,

    /// Folder for the merged experiment
    #[arg(long, value_name = "DIR")]
    pub(crate) out: std::path::PathBuf,
}

// Options for running experiments. Not a doc comment: it would become the description of the commands.
#[derive(ClapArgs)]
pub(crate) struct LabArgs {
    /// Figures to make, separated by commas: 9 to 14, or names [default: all of the experiment]
    #[arg(long, value_name = "F,G")]
    pub(crate) figures: Option<String>,

    /// Games to use, separated by commas [default: all of the experiment]
    #[arg(long, value_name = "A,B")]
    pub(crate) games: Option<String>,

    /// Number of concurrent runs [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer(1, 1024usize))]
    pub(crate) jobs: Option<usize>,

    /// Number of threads per search, 0 for all cores; with several, counts differ [default: 1]
    #[arg(long, value_name = "N", value_parser = integer(0, MAX_THREADS))]
    pub(crate) threads: Option<usize>,

    /// Print the verdict on every claim too
    #[arg(long)]
    pub(crate) claims: bool,

    /// Report the runs that are finished, and run nothing
    #[arg(long, conflicts_with = "shard")]
    pub(crate) finished: bool,

    /// Part to run, one of N equal parts, for job arrays
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(usize, usize)>,
}

pub(crate) fn reproduce(
    registry: &Registry,
    workers: Option<&mut dyn Workers>,
    args: &ReproduceArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let experiment = Experiment::reproduce(&args.scale)?;
    run(registry, workers, experiment, &args.out, &args.lab, output)
}

pub(crate) fn experiment(
    registry: &Registry,
    workers: Option<&mut dyn Workers>,
    args: &ExperimentArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let text = super::read(&args.file)?;
    let experiment = text.parse().map_err(|error| Failure::bad(format!("{}: {error}", super::name(&args.file))))?;
    let stem = || Path::new(&args.file).file_stem().filter(|_| args.file != "-").map(PathBuf::from);
    let folder = args.out.clone().or_else(stem).unwrap_or_else(|| PathBuf::from("experiment"));
    run(registry, workers, experiment, &folder, &args.lab, output)
}

pub(crate) fn merge(registry: &Registry, args: &MergeArgs, output: &mut Output) -> Result<(), Failure> {
    let plan = emtee_lab::merge(registry, &args.parts, &args.out)?;
    finish(&plan, registry, &args.out, true, output)
}

fn run(
    registry: &Registry,
    workers: Option<&mut dyn Workers>,
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
    if args.finished {
        return finish(&plan, registry, folder, args.claims, output);
    }
    let bar = output.progress(plan.specs.len() as u64, "counting");
    let mut workers = workers.map(|workers| PlanWorkers::new(workers, &plan, how.jobs)).transpose()?;
    let workers = workers.as_mut().map(|workers| workers as &mut dyn emtee_lab::Executor);
    let made = emtee_lab::run_by(workers, &plan, registry, folder, &how, &mut |progress| {
        bar.set_length(progress.of as u64);
        if progress.timing {
            bar.set_message("timing");
        }
        bar.set_position(progress.done as u64);
    });
    bar.finish_and_clear();
    made?;
    match args.shard {
        None => finish(&plan, registry, folder, args.claims, output),
        Some((part, of)) if output.json() => {
            let runs = plan.shard(part, of).len();
            output.object(&json!({ "shard": part, "of": of, "runs": runs, "folder": folder }))
        }
        Some((part, of)) => {
            let runs = plan.shard(part, of).len();
            let folder = folder.display();
            output.line(format!("part {part} of {of}: {runs} runs are in {folder}; 'merge' joins the parts"))
        }
    }
}

/// Writes the report. Prints the main comparison, and the claims if requested.
fn finish(
    plan: &Plan,
    registry: &Registry,
    folder: &Path,
    with_claims: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let report = emtee_lab::report(plan, registry, folder)?;
    let page = folder.join("report.html");
    if output.json() {
        for Claim { section, claim, paper, here, verdict, rule, .. } in &report.claims {
            let verdict = verdict.to_string();
            output.object(&json!({
                "section": section, "claim": claim, "paper": paper, "here": here, "holds": verdict, "rule": rule,
            }))?;
        }
        for row in &report.baselines {
            let fields = |ratio: &Estimate| json!({ "ratio": ratio.mean, "low": ratio.low, "high": ratio.high });
            let committed = |measure| Committed::get(&row.game, row.baseline, measure).map(|one| one.percent);
            output.object(&json!({
                "game": row.game, "baseline": row.baseline.name(), "algorithm": row.algorithm.to_string(), "depths": row.depths,
                "positions": row.leaves.positions, "leaves": fields(&row.leaves), "nodes": fields(&row.nodes),
                "quiescence": row.quiescence.as_ref().map(fields), "time": row.time.as_ref().map(fields), "p": row.p,
                "verdict": row.verdict().name(), "committed_leaves": committed(Measure::Leaves),
                "committed_nodes": committed(Measure::Nodes), "committed_time": committed(Measure::Time),
            }))?;
        }
        for RatioRow { name, game, nodes, leaves, virtual_time, .. } in &report.ratios {
            let fields = |ratio: &Estimate| json!({ "ratio": ratio.mean, "low": ratio.low, "high": ratio.high });
            output.object(&json!({
                "ratio": name, "game": game, "positions": nodes.positions, "nodes": fields(nodes), "leaves": fields(leaves),
                "verdict": nodes.comparison().name(), "virtual_time": virtual_time.as_ref().map(fields),
            }))?;
        }
        let figures: Vec<String> = report.figures.iter().map(|figure| figure.kind.to_string()).collect();
        return output.object(&json!({ "summary": report.summary, "figures": figures, "report": page }));
    }
    output.line(format!("{HEADING}{}{HEADING:#}\n", report.title))?;
    output.prose(&report.summary, anstyle::Style::new())?;
    output.line("")?;
    print_baselines(&report.baselines, output)?;
    if with_claims {
        for (heading, claims) in report.sections().into_iter().chain([("Goals and later work", report.goals())]) {
            if !claims.is_empty() {
                output.line(format!("{HEADING}{heading}{HEADING:#}\n"))?;
                print_claims(&claims, output)?;
                output.line("")?;
            }
        }
    } else if !report.claims.is_empty() {
        let claims = report.claims.len() as u64;
        output.line(format!("--claims prints {} too", counted(claims, "claim", "claims")))?;
    }
    print_ratios(&report.ratios, output)?;
    let figures = match report.figures.len() as u64 {
        0 => String::from("The full report"),
        some => format!("{} and the full report", counted(some, "figure", "figures")),
    };
    output.line(format!("{figures}: {}", page.display()))
}

/// The minimum terminal width for the columns with numbers.
const WIDTH_FOR_NUMBERS: usize = 110;

/// Prints the verdict on each claim, with its numbers if the terminal is wide enough. The report always has them.
fn print_claims(claims: &[&Claim], output: &mut Output) -> Result<(), Failure> {
    let (width, gap) = (output.width(), 2);
    let numbers = width >= WIDTH_FOR_NUMBERS;
    // Without numbers, a claim made for each game separately needs the game in its text.
    let text = |claim: &Claim| match claims.iter().filter(|other| other.claim == claim.claim).count() {
        1 => claim.claim.to_owned(),
        _ if numbers => claim.claim.to_owned(),
        _ => format!("{} ({})", claim.claim, claim.here),
    };
    let (holds, section) =
        ((width / 4).clamp(14, 34), claims.iter().map(|claim| claim.section.chars().count()).max().unwrap_or(0).max(7));
    let left = width.saturating_sub(holds + section + 2 * gap);
    let (claimed, paper) = if numbers { ((left - 2 * gap) * 2 / 5, 16) } else { (left, 0) };
    let here = left.saturating_sub(claimed + paper + 2 * gap);
    let headings = ["<holds?", "<section", "<claim", "<paper", "<result"];
    let mut table = TextTable::new(headings[..if numbers { 5 } else { 3 }].to_vec());
    for claim in claims {
        let style = match claim.verdict {
            Verdict::Holds => GOOD,
            Verdict::Fails => POOR,
            _ => MARK,
        };
        let mut columns = vec![
            wrapped(&claim.verdict.to_string(), holds),
            vec![claim.section.to_owned()],
            wrapped(&text(claim), claimed),
        ];
        if numbers {
            columns.push(wrapped(claim.paper, paper));
            columns.push(claim.here.split("; ").flat_map(|game| wrapped(game, here)).collect());
        }
        for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
            let text = |lines: &Vec<String>| lines.get(row).cloned().unwrap_or_default();
            let [first, rest @ ..] = &columns[..] else { continue };
            let rest = rest.iter().map(|lines| Cell::from(text(lines)));
            table.row(std::iter::once(Cell::styled(text(first), style)).chain(rest).collect());
        }
    }
    table.print(output).map(drop)
}

/// Prints MTD-f against the three baselines, with the numbers of the committed run beside those of this run.
fn print_baselines(rows: &[BaselineRow], output: &mut Output) -> Result<(), Failure> {
    if rows.is_empty() {
        return Ok(());
    }
    output.line(format!("{HEADING}MTD-f against the three baselines, %{HEADING:#}\n"))?;
    let mut headings = vec!["<game".to_owned(), "<baseline".to_owned()];
    let measured = |measure: &Measure| rows.iter().any(|row| row.ratio(*measure).is_some());
    let measures: Vec<Measure> = Measure::ALL.into_iter().filter(measured).collect();
    for measure in &measures {
        // On a narrow terminal there is no room for times.
        let optional = if *measure == Measure::Time { "?" } else { "" };
        headings.extend([format!("{optional}{}", measure.name()), format!("{optional}full")]);
    }
    headings.push(String::from("?<leaves"));
    let mut table = TextTable::new(headings);
    for row in rows {
        let mut cells = vec![Cell::from(row.game.as_str()), Cell::from(row.baseline.title())];
        for &measure in &measures {
            let shown = |[mean, low, high]: [f64; 3]| format!("{mean:.1} ({low:.1}–{high:.1})");
            let here = row.ratio(measure).map(|ratio| [ratio.mean, ratio.low, ratio.high].map(|x| 100.0 * x));
            let committed = Committed::get(&row.game, row.baseline, measure).map(|one| one.percent);
            let style = match here {
                Some([_, _, high]) if high < 100.0 => GOOD,
                Some([_, low, _]) if low > 100.0 => POOR,
                _ => MARK,
            };
            cells.push(Cell::styled(here.map_or_else(|| "–".into(), shown), style));
            cells.push(committed.map_or_else(|| "–".into(), |[mean, ..]| format!("{mean:.1}")).into());
        }
        cells.push(row.verdict().name().into());
        table.row(cells);
    }
    table.print(output)?;
    let (here, committed) =
        (rows[0].leaves.positions, Committed::all().iter().map(|one| one.positions).max().unwrap_or(0));
    let text = format!(
        "This run: {here} positions per game. full: the run of docs/primary, up to {committed}, on other positions and \
         depths. Below 100: MTD-f needs less. The verdict on leaves is corrected for all rows."
    );
    output.prose(&text, FAINT)?;
    output.line("")
}

/// Prints the ratios and sweeps of an experiment.
fn print_ratios(ratios: &[RatioRow], output: &mut Output) -> Result<(), Failure> {
    if ratios.is_empty() {
        return Ok(());
    }
    output.line(format!("{HEADING}Ratios and sweeps{HEADING:#}\n"))?;
    let mut table = TextTable::new(["<ratio", "<game", "n", "nodes", "?<verdict on nodes", "?leaves", "?virtual time"]);
    for row in ratios {
        table.row(row.cells().into_iter().map(Cell::from).collect());
    }
    table.print(output)?;
    output.line("")
}

/// Parses a part like 3/64, the third of 64.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let bad = || String::from("write a part like 3/64, the third of 64");
    let (part, of) = text.split_once('/').ok_or_else(bad)?;
    let (part, of) = (part.trim().parse().map_err(|_| bad())?, of.trim().parse().map_err(|_| bad())?);
    if (1..=of).contains(&part) { Ok((part, of)) } else { Err(bad()) }
}
