//! `emtee compare`: algorithms on the same positions, relative to the baseline.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use clap::Args as ClapArgs;
use cpu_time::ThreadTime;
use emtee::Algorithm;
use emtee::research::{Counts, Guess, Reuse};
use emtee_engine::{Comparison, Cost, Entry, Height, Position, Registry, Row, Settings, Standing};
use serde::Serialize;

use crate::commands::args::{PositionArgs, TableArgs, depth};
use crate::commands::positions;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, HEADING, MARK, Output, POOR, seconds, thousands};
use crate::text_table::{Cell, TextTable};

/// The algorithms compared by default.
pub(crate) const DEFAULT_ALGORITHMS: &str = "mtd-f,mtd-gallop,sss,dual,aspiration-negascout,negascout,alpha-beta";

/// Compare algorithms on the same positions
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee compare connect4 --depth 12\n  emtee compare kalah --depth 9 --algorithms all --json\n  emtee compare othello --set tune --depth 6 --algorithms mtd-f,baselines\n\nBaselines: aspiration-negascout:opened, :tuned and :practice, with the windows of the game"
)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) positions: PositionArgs,

    /// Depth limit in plies
    #[arg(long, short, value_name = "N", value_parser = depth)]
    pub(crate) depth: u8,

    /// Algorithms, separated by commas; also all, and baselines [default: the list below]
    #[arg(long, value_name = "A,B", default_value = DEFAULT_ALGORITHMS, hide_default_value = true)]
    pub(crate) algorithms: String,

    /// Evaluator: own, network (chess, checkers), learnt (Othello) or learned:FILE [default: own]
    #[arg(long, value_name = "NAME")]
    pub(crate) evaluator: Option<String>,

    #[command(flatten)]
    pub(crate) table: TableArgs,
}

impl CompareArgs {
    /// The chosen algorithms and the baseline.
    fn comparison(&self, game: &dyn Entry) -> Result<Comparison, Failure> {
        let mut names: Vec<String> = self.algorithms.split(',').map(|name| name.trim().to_owned()).collect();
        if names.iter().all(String::is_empty) {
            return Err(Failure::bad("no algorithm was named; try --algorithms all"));
        }
        // With several threads, the default list and `all` omit algorithms that search with one thread only.
        if self.table.threads != 1 && [DEFAULT_ALGORITHMS, "all"].contains(&self.algorithms.as_str()) {
            let all = Comparison::new(game, names.iter().map(String::as_str))?.algorithms;
            names = all.into_iter().filter(|(_, algorithm)| algorithm.shares_work()).map(|(name, _)| name).collect();
        }
        let comparison = Comparison::new(game, names.iter().map(String::as_str))?;
        match comparison.algorithms.iter().find(|(name, _)| Comparison::own_guess(name).is_some()) {
            Some((name, _)) if self.table.guess.is_some() => {
                Err(Failure::bad(format!("{name} has its own guess; leave --guess out, or give a window instead")))
            }
            _ => Ok(comparison),
        }
    }

    /// The settings of the comparison, with those that were chosen.
    fn settings(&self, game: &dyn Entry) -> Settings {
        let default = Comparison::settings(game).options;
        let mut settings = self.table.settings();
        settings.evaluator = self.evaluator.clone();
        settings.options.principal_variation = default.principal_variation;
        settings.options.guess = self.table.guess.unwrap_or(default.guess);
        if self.table.etc.is_none() {
            settings.options.mode = default.mode;
        }
        // The processor time of one thread says nothing about a search with several.
        if self.table.threads == 1 {
            settings.clock = Some(processor_time);
        }
        settings
    }
}

/// The width of a cell with the ordering at one height.
const CUTS_WIDTH: usize = "100.0 %   1.00".len();

/// Searches are repeated until each algorithm has used this many seconds of processor time. An algorithm with less than half
/// of it has no time in the table.
const MIN_TIMED: f64 = 0.2;

/// The limit of all repetitions together, in seconds of processor time.
const MAX_TIMING: f64 = 4.0;

/// After this many seconds, repetition stops if the algorithm with the least time would not reach half of `MIN_TIMED` within
/// `MAX_TIMING`.
const TIMING_TRIAL: f64 = 0.5;

/// The results of one algorithm: for each depth, the rows of the positions in which it was reached.
struct Runs {
    name: String,
    algorithm: Algorithm,
    /// Its own guess, if it has one.
    guess: Option<Guess>,
    last: Vec<Row>,
    by_depth: BTreeMap<u8, Vec<(usize, Row)>>,
    /// Number of searches of each position.
    rounds: u32,
}

#[derive(Serialize)]
struct Summary<'s> {
    summary: bool,
    game: &'s str,
    algorithm: String,
    depth: u8,
    #[serde(flatten)]
    standing: Standing,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    heights: Vec<Height>,
}

pub(crate) fn run(registry: &Registry, args: &CompareArgs, output: &mut Output) -> Result<(), Failure> {
    let game = registry.get(&args.positions.game)?;
    let comparison = args.comparison(game)?;
    let positions = positions(registry, &args.positions)?;
    if let Some(over) = positions.iter().find(|position| position.moves().is_empty()) {
        return Err(Failure::bad(format!("the game is over in the position '{}'", over.text())));
    }
    let settings = args.settings(game);
    let run = |(name, algorithm): &(String, Algorithm)| {
        let (guess, name, algorithm) = (Comparison::own_guess(name), name.clone(), *algorithm);
        Runs { name, algorithm, guess, last: Vec::new(), by_depth: BTreeMap::new(), rounds: 1 }
    };
    let mut runs: Vec<Runs> = comparison.algorithms.iter().map(run).collect();
    let bar = output.progress((positions.len() * runs.len()) as u64, "comparing");
    for (index, position) in positions.iter().enumerate() {
        for run in &mut runs {
            run.search(index, position.as_ref(), &settings, args.depth)?;
            bar.inc(1);
            if output.json() {
                output.object(&run.last[index])?;
            }
        }
    }
    bar.finish_and_clear();
    if args.table.threads == 1 {
        repeat_timing(&mut runs, &positions, &settings, args.depth, output)?;
    }

    if output.json() {
        // One row per algorithm and depth, algorithm by algorithm.
        let depths: BTreeSet<u8> = runs.iter().flat_map(|run| run.by_depth.keys().copied()).collect();
        let summaries: Vec<(u8, Vec<Summary>)> =
            depths.into_iter().map(|depth| (depth, summaries(&comparison, &positions, &runs, depth))).collect();
        for (index, run) in runs.iter().enumerate() {
            for (_, of_depth) in summaries.iter().filter(|(depth, _)| run.by_depth.contains_key(depth)) {
                output.object(&of_depth[index])?;
            }
        }
    } else {
        print(&comparison, &positions, &runs, args, output)?;
    }
    // With --deeper-answers values may differ.
    let comparable = settings.options.reuse != Some(Reuse::AtLeastDepth);
    if comparable {
        check_values(&positions, &runs, args.depth, &settings)?;
    }
    match comparable {
        _ if output.json() => Ok(()),
        true => output.line(format!("{GOOD}all values agree{GOOD:#}")),
        false => output.line(format!("{FAINT}values are not compared: --deeper-answers may change them{FAINT:#}")),
    }
}

/// The processor time used by this thread.
fn processor_time() -> Duration {
    ThreadTime::now().as_duration()
}

/// Repeats short searches until their times are significant. The order of the algorithms alternates between forward and
/// backward, so that a change in the speed of the machine affects all of them.
fn repeat_timing(
    runs: &mut [Runs],
    positions: &[Box<dyn Position>],
    settings: &Settings,
    depth: u8,
    output: &Output,
) -> Result<(), Failure> {
    // Limited by processor time too, so that other load on the machine does not reduce the number of repetitions.
    let start = processor_time();
    let spinner = output.spinner("timing");
    let short = |run: &Runs| run.measured() < MIN_TIMED && !run.algorithm.is_oracle();
    let elapsed = || (processor_time() - start).as_secs_f64();
    while elapsed() < MAX_TIMING && runs.iter().any(short) {
        let elapsed = elapsed();
        let least = runs.iter().filter(|run| short(run)).map(Runs::measured).fold(f64::INFINITY, f64::min);
        if elapsed > TIMING_TRIAL && least / elapsed * MAX_TIMING < MIN_TIMED / 2.0 {
            break;
        }
        for backwards in [true, false] {
            let all: Vec<usize> = (0..runs.len()).collect();
            let order = if backwards { all.into_iter().rev().collect() } else { all };
            for index in order {
                if !runs[index].algorithm.is_oracle() {
                    runs[index].repeat(positions, settings, depth)?;
                }
            }
        }
    }
    spinner.finish_and_clear();
    Ok(())
}

impl Runs {
    fn search(&mut self, index: usize, position: &dyn Position, settings: &Settings, depth: u8) -> Result<(), Failure> {
        let (rows, last) = self.run(position, settings, depth)?;
        for row in rows {
            self.by_depth.entry(row.depth).or_default().push((index, row));
        }
        self.last.push(last);
        Ok(())
    }

    /// Repeats the searches. Counts are identical; times become the mean of all rounds.
    fn repeat(&mut self, positions: &[Box<dyn Position>], settings: &Settings, depth: u8) -> Result<(), Failure> {
        let rounds = f64::from(self.rounds);
        let mean = |before: f64, again: f64| (before * rounds + again) / (rounds + 1.0);
        for (index, position) in positions.iter().enumerate() {
            let (rows, last) = self.run(position.as_ref(), settings, depth)?;
            for again in rows {
                let rows = self.by_depth.entry(again.depth).or_default();
                if let Some((_, row)) = rows.iter_mut().find(|(other, _)| *other == index) {
                    row.seconds = mean(row.seconds, again.seconds);
                }
            }
            self.last[index].seconds = mean(self.last[index].seconds, last.seconds);
        }
        self.rounds += 1;
        Ok(())
    }

    /// The total time of all rounds in seconds.
    fn measured(&self) -> f64 {
        f64::from(self.rounds) * self.last.iter().map(|row| row.seconds).sum::<f64>()
    }

    /// Searches a position: the rows of the iterations, and the result.
    fn run(&self, position: &dyn Position, settings: &Settings, depth: u8) -> Result<(Vec<Row>, Row), Failure> {
        let mut settings = settings.clone();
        settings.options.algorithm = self.algorithm;
        settings.options.guess = self.guess.unwrap_or(settings.options.guess);
        let budget = Comparison::budget(self.algorithm, depth);
        let untraced = |row: &Row| {
            let mut row = row.clone();
            (row.trace, row.algorithm) = (None, self.name.clone());
            row
        };
        let mut rows = Vec::new();
        let last = position.search(&settings, budget, &mut |event| rows.extend(event.iteration().map(untraced)))?;
        if let Some(row) = rows.last_mut().filter(|_| last.complete) {
            row.heights.clone_from(&last.heights);
        }
        Ok((rows, untraced(&last)))
    }
}

/// The algorithms relative to the baseline at one depth, over the positions in which they reached it.
fn summaries<'s>(
    comparison: &Comparison,
    positions: &'s [Box<dyn Position>],
    runs: &[Runs],
    depth: u8,
) -> Vec<Summary<'s>> {
    let empty = Vec::new();
    let rows: Vec<&Vec<(usize, Row)>> = runs.iter().map(|run| run.by_depth.get(&depth).unwrap_or(&empty)).collect();
    let costs = |rows: &&Vec<(usize, Row)>| rows.iter().map(|(index, row)| (*index, Cost::from(row))).collect();
    let standings = comparison.standings(&rows.iter().map(costs).collect::<Vec<_>>());
    let all = runs.iter().zip(rows).zip(standings).map(|((run, rows), standing)| Summary {
        summary: true,
        game: positions[0].game(),
        algorithm: run.name.clone(),
        depth,
        standing,
        heights: Height::sum(rows.iter().filter_map(|(_, row)| row.heights.as_deref())),
    });
    all.collect()
}

fn print(
    comparison: &Comparison,
    positions: &[Box<dyn Position>],
    runs: &[Runs],
    args: &CompareArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let game = positions[0].game();
    let what = match positions {
        [one] => one.text(),
        many => format!("{} positions", many.len()),
    };
    output.prose(&format!("{game}, depth {}, {what}", args.depth), HEADING)?;
    let baseline = match &comparison.algorithms[comparison.baseline] {
        (name, Algorithm::AspirationNegaScout { width, widen }) => {
            format!("{name}, the baseline (window ±{width}, then {widen})")
        }
        (name, _) => format!("{name}, the baseline"),
    };
    let about = format!(
        "leaves, nodes, passes and time are totals of all iterations; % is relative to {baseline}; time is processor time"
    );
    output.prose(&about, FAINT)?;
    output.line("")?;
    let last = || runs.iter().flat_map(|run| &run.last);
    let differ = |of: &dyn Fn(&Row) -> Option<String>| {
        let all: Vec<String> = last().filter(|row| row.complete).filter_map(of).collect();
        positions.len() == 1 && all.iter().any(|text| *text != all[0])
    };
    let value = |row: &Row| row.value.map(|_| row.value_text.clone());
    let (values, moves) = (differ(&value), differ(&|row| row.best_move.clone()));
    let mut headings = vec!["<algorithm"];
    headings.extend(values.then_some("value"));
    headings.extend(moves.then_some("<move"));
    headings.extend(["leaves", "%", "nodes", "%", "passes", "time", "%", "?1st", "?tried"]);
    let mut table = TextTable::new(headings);
    let summaries = summaries(comparison, positions, runs, args.depth);
    for (index, (run, summary)) in runs.iter().zip(&summaries).enumerate() {
        let standing = &summary.standing;
        if standing.positions == 0 {
            let reached = run.last.iter().map(|row| row.depth).max().unwrap_or(0);
            table.row(vec![Cell::styled(format!("{} (to depth {reached} only)", run.name), FAINT)]);
            continue;
        }
        let mut cells = vec![match index == comparison.baseline {
            true => Cell::styled(run.name.clone(), MARK),
            false => run.name.clone().into(),
        }];
        if let [row] = &run.last[..] {
            cells.extend(values.then(|| row.value_text.as_str().into()));
            cells.extend(moves.then(|| row.best_move.as_deref().unwrap_or("-").into()));
        }
        let counts = run.last.iter().fold(Counts::default(), |sum, row| sum + row.counts);
        let cut_nodes = counts.cut_nodes as f64;
        let per_cut = |text: String| if counts.cut_nodes == 0 { "-".into() } else { text.into() };
        let timed = run.measured() >= MIN_TIMED / 2.0;
        cells.extend([
            thousands(standing.nbp).into(),
            percent(standing.nbp_pct),
            thousands(standing.nodes).into(),
            percent(standing.nodes_pct),
            standing.passes.to_string().into(),
            if timed { seconds(standing.seconds).into() } else { "–".into() },
            percent(standing.seconds_pct.filter(|_| timed)),
            per_cut(format!("{:.1} %", 100.0 * counts.first_move_cuts as f64 / cut_nodes)),
            per_cut(format!("{:.2}", counts.moves_at_cuts as f64 / cut_nodes)),
        ]);
        table.row(cells);
    }
    let dropped = table.print(output)?;
    output.line("")?;
    if let [only] = positions
        && let Some(row) = last().find(|row| row.complete && row.value.is_some())
    {
        let best = row.best_move.as_deref().map_or_else(String::new, |m| format!(", best move {}", only.written(m)));
        let best = if moves { String::new() } else { best };
        output.line(format!("value {}{best}", row.value_text))?;
    }
    if dropped.is_empty() {
        output.prose("1st: share of cut nodes cut off by the first move; tried: moves tried per cut node", FAINT)?;
    }
    output.line("")?;
    print_heights(summaries, output)
}

/// Prints the quality of the move ordering: one line per height, one column per algorithm.
fn print_heights(summaries: Vec<Summary<'_>>, output: &mut Output) -> Result<(), Failure> {
    let mut columns: Vec<Summary> = summaries.into_iter().filter(|summary| !summary.heights.is_empty()).collect();
    let is_baseline = |column: &Summary| column.algorithm.starts_with(Algorithm::BASELINE.name());
    let too_wide = |columns: &[Summary]| {
        let cells = columns.iter().map(|column| 2 + column.algorithm.chars().count().max(CUTS_WIDTH));
        "height".len() + cells.sum::<usize>() > output.width()
    };
    let mut dropped = Vec::new();
    while too_wide(&columns) && columns.len() > 2 {
        // The baseline is always shown.
        let Some(last) = columns.iter().rposition(|column| !is_baseline(column)) else { break };
        dropped.insert(0, columns.remove(last).algorithm);
    }
    let highest = columns.iter().flat_map(|column| &column.heights).map(|cuts| cuts.height).max();
    let Some(highest) = highest else { return Ok(()) };
    output.prose(
        "cut nodes by height, the distance to the horizon: share cut off by the first move, moves tried per cut node",
        FAINT,
    )?;
    output.line("")?;
    let headings = columns.iter().map(|column| column.algorithm.clone());
    let mut table = TextTable::new(std::iter::once(String::from("height")).chain(headings));
    for height in (0..=highest).rev() {
        let cuts: Vec<Option<&Height>> =
            columns.iter().map(|column| column.heights.iter().find(|cuts| cuts.height == height)).collect();
        if cuts.iter().any(Option::is_some) {
            let shown = |cuts: &Height| format!("{:.1} % {:>6.2}", 100.0 * cuts.first_share(), cuts.moves_tried());
            let cells = cuts.into_iter().map(|cuts| cuts.map_or_else(|| "-".into(), |cuts| shown(cuts).into()));
            table.row(std::iter::once(height.to_string().into()).chain(cells).collect());
        }
    }
    table.print(output)?;
    if !dropped.is_empty() {
        output.line("")?;
        output.prose(&format!("too wide for this terminal: {}; --json includes them", dropped.join(", ")), FAINT)?;
    }
    output.line("")
}

fn percent(percent: Option<f64>) -> Cell {
    match percent {
        Some(percent) => {
            let style = if percent < 99.95 {
                GOOD
            } else if percent > 100.05 {
                POOR
            } else {
                FAINT
            };
            let digits = if percent < 1_000.0 { 1 } else { 0 };
            Cell::styled(format!("{percent:.digits$}"), style)
        }
        None => "".into(),
    }
}

/// Checks that all values are equal and that the move of MTD-best has that value.
fn check_values(positions: &[Box<dyn Position>], runs: &[Runs], depth: u8, settings: &Settings) -> Result<(), Failure> {
    for (index, position) in positions.iter().enumerate() {
        let rows = || runs.iter().map(|run| (run.algorithm, &run.last[index])).filter(|(_, row)| row.complete);
        let Some((first, value)) = rows().find_map(|(algorithm, row)| Some((algorithm, row.value?))) else { continue };
        for (algorithm, row) in rows() {
            let found = match row.value {
                Some(value) => value,
                None => value_of_best_move(position.as_ref(), row, depth, settings)?,
            };
            if found != value {
                let text = position.text();
                let message = format!("{first} finds {value}, {algorithm} {found} in the position '{text}'");
                return Err(Failure::Failed(message));
            }
        }
    }
    Ok(())
}

/// The value of the best move of a row.
fn value_of_best_move(position: &dyn Position, row: &Row, depth: u8, settings: &Settings) -> Result<i32, Failure> {
    let best = row.best_move.as_deref().unwrap_or_default();
    let mut settings = settings.clone();
    settings.options.algorithm = Algorithm::MtdF;
    Ok(position.worth(best, &settings, depth)?)
}
