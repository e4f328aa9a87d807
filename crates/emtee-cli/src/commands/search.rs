//! `emtee search`: one position, one algorithm, one line per iteration.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clap::{Args as ClapArgs, FromArgMatches};
use emtee::{Algorithm, Budget};
use emtee_engine::{Position, Registry, Row, Settings, TopMove, read_duration};
use serde_json::json;

use crate::args::{Args, Command};
use crate::commands::args::{PositionArgs, TableArgs, depth, integer};
use crate::commands::positions;
use crate::failure::Failure;
use crate::output::{FAINT, HEADING, MARK, Output, counted, seconds, thousands};
use crate::paint::paint;
use crate::usage;
use crate::workers::{self, Workers};

/// Search a position
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee search connect4 --position 4455 --depth 14\n  emtee search kalah --time 2s --top 3"
)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) positions: PositionArgs,

    /// Search algorithm; a step or window follows a colon, as in mtd-step:50
    #[arg(long, short, value_name = "A", default_value_t)]
    pub(crate) algorithm: Algorithm,

    /// Depth limit in plies
    #[arg(long, short, value_name = "N", value_parser = depth)]
    pub(crate) depth: Option<u8>,

    /// Time limit, like 5s or 200ms [default: 5s without other limits]
    #[arg(long, short, value_name = "T", allow_hyphen_values = true, value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// Node limit
    #[arg(long, value_name = "N", value_parser = integer(1, u64::MAX))]
    pub(crate) nodes: Option<u64>,

    /// Number of best moves to rank
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(1, u8::MAX))]
    pub(crate) top: u8,

    /// Apply the rules on repetitions and move counts, with the history of --moves
    #[arg(long)]
    pub(crate) in_play: bool,

    /// Evaluator: own, network (chess, checkers), learnt (Othello) or learned:FILE [default: own]
    #[arg(long, value_name = "NAME")]
    pub(crate) evaluator: Option<String>,

    /// Endings database for checkers, built by tablebase
    #[arg(long, value_name = "FILE")]
    pub(crate) endings: Option<std::path::PathBuf>,

    #[command(flatten)]
    pub(crate) table: TableArgs,
}

impl SearchArgs {
    /// Parses the command line of a search.
    pub(crate) fn read(registry: &Registry, arguments: &[String]) -> Result<SearchArgs, Failure> {
        let read = usage::command(registry, "emtee").try_get_matches_from(arguments);
        match read.and_then(|read| Args::from_arg_matches(&read)).map(|args| args.command) {
            Ok(Command::Search(args)) => Ok(args),
            _ => Err(Failure::bad("these are not the arguments of a search")),
        }
    }

    /// Refuses options that a joint search of several processes does not support.
    fn check_distributed(&self) -> Result<(), Failure> {
        let algorithm = self.algorithm;
        if !algorithm.shares_work() || matches!(algorithm, Algorithm::MtdBest(_)) {
            return Err(Failure::bad(format!("{algorithm} is for one process; mtd-f is for several")));
        }
        if self.in_play {
            return Err(Failure::bad("--in-play is for one process: the others do not have the game history"));
        }
        Ok(())
    }

    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        self.table.check(self.algorithm)?;
        let mut settings = self.table.settings();
        settings.options.algorithm = self.algorithm;
        settings.lines = usize::from(self.top);
        settings.in_play = self.in_play;
        settings.evaluator = self.evaluator.clone();
        settings.endings = self.endings.as_deref().map(crate::endings::load).transpose()?.map(Into::into);
        Ok(settings)
    }

    pub(crate) fn budget(&self) -> Budget {
        match (self.depth, self.nodes, self.time) {
            (None, None, None) => Budget::ms(5_000),
            (depth, nodes, time) => {
                let mut budget = Budget::UNLIMITED;
                (budget.depth, budget.nodes, budget.time) = (depth, nodes, time);
                budget
            }
        }
    }
}

/// Searches, jointly with other processes if there are `workers`; `arguments` are those of the program.
pub(crate) fn run(
    registry: &Registry,
    mut workers: Option<&mut dyn Workers>,
    arguments: &[OsString],
    args: &SearchArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let settings = args.settings()?;
    let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    if workers.is_some() {
        args.check_distributed()?;
    }
    for (index, position) in positions(registry, &args.positions)?.iter().enumerate() {
        if index > 0 && !output.json() {
            output.line("")?;
        }
        // Set when the output fails, so that the search stops if nothing reads it.
        let stop = Arc::new(AtomicBool::new(false));
        let mut settings = settings.clone();
        settings.stop = Some(stop.clone().into());
        let Some(workers) = workers.as_deref_mut() else {
            search(position.as_ref(), settings, &stop, args, output)?;
            continue;
        };
        settings.options.principal_variation = false;
        settings.peers = Some(workers::start_joint_search(workers, &arguments, position.as_ref(), &stop)?);
        let nodes = search(position.as_ref(), settings, &stop, args, output)?;
        let others: Vec<u64> =
            workers.finish_search().map_err(Failure::Failed)?.iter().map(|nodes| nodes.parse().unwrap_or(0)).collect();
        let (ranks, all) = (others.len() + 1, nodes + others.iter().sum::<u64>());
        if output.json() {
            output.object(&json!({ "summary": true, "ranks": ranks, "nodes": all }))?;
        } else {
            output.line(format!("{FAINT}{ranks} ranks: {} in total{FAINT:#}", counted(all, "node", "nodes")))?;
        }
    }
    Ok(())
}

fn search(
    position: &dyn Position,
    settings: Settings,
    stop: &AtomicBool,
    args: &SearchArgs,
    output: &mut Output,
) -> Result<u64, Failure> {
    // The last row has more fields than those of the iterations. With JSON, a row that may be the last is held back until the
    // next one, or replaced by the result.
    let may_be_last = |row: &Row| args.depth == Some(row.depth) || row.win_in.or(row.loss_in).is_some();
    let (mut held, mut shown, mut problem): (Option<Row>, Option<Row>, _) = (None, None, Ok(()));
    let json = output.json();
    let last = position.search(&settings, args.budget(), &mut |event| {
        let Some(row) = event.iteration() else { return };
        // Only the last row has the ranking: it is long, and the next iteration replaces it.
        let mut row = row.clone();
        row.top = None;
        let may_be_last = json && may_be_last(&row);
        let (next, hold) = if may_be_last { (None, Some(row)) } else { (Some(row), None) };
        for row in std::mem::replace(&mut held, hold).into_iter().chain(next) {
            if problem.is_ok() {
                problem = show(position, &row, shown.is_none(), output);
                stop.store(problem.is_err(), Relaxed);
                shown = Some(row);
            }
        }
    })?;
    problem?;
    if let Some(row) = held.filter(|row| !last.complete || row.depth != last.depth) {
        show(position, &row, shown.is_none(), output)?;
        shown = Some(row);
    }
    if json || shown.as_ref().is_none_or(|row| row.best_move != last.best_move) {
        show(position, &last, shown.is_none(), output)?;
    }
    if !output.json() {
        print_result(&last, output)?;
    }
    Ok(last.counts.nodes())
}

/// Prints a row; text output has the board and the headings before the `first`.
fn show(position: &dyn Position, row: &Row, first: bool, output: &mut Output) -> Result<(), Failure> {
    if output.json() {
        return output.object(row);
    }
    if first {
        match position.drawing().filter(|_| output.colours()) {
            Some(drawing) => output.line(paint(&drawing))?,
            None => output.line(position.plain_drawing().trim_end())?,
        }
    }
    if row.depth == 0 {
        return Ok(());
    }
    let cells = |depth: &str, value: &str, best: &str, nodes: &str, passes: &str, time: &str| {
        format!("{depth:>5}  {value:>12}  {best:<8}{nodes:>13}{passes:>8}  {time:>9}  ")
    };
    if first {
        let headings = cells("depth", "value", "move", "nodes", "passes", "time");
        output.line(format!("\n{HEADING}{headings}line{HEADING:#}"))?;
    }
    let cells = cells(
        &row.depth.to_string(),
        &row.value_text,
        row.best_move.as_deref().unwrap_or("-"),
        &thousands(row.counts.nodes()),
        &row.passes.to_string(),
        &seconds(row.seconds),
    );
    output.line(format!("{cells}{FAINT}{}{FAINT:#}", row.pv.join(" ")))
}

fn print_result(row: &Row, output: &mut Output) -> Result<(), Failure> {
    output.line("")?;
    let Some(best) = &row.best_move else {
        return output.line(match (row.complete, row.win_in, row.loss_in) {
            (false, ..) => String::from("stopped before the first iteration was finished: no result"),
            (true, Some(_), _) => String::from("the game is over: the side to move has won"),
            (true, _, Some(_)) => String::from("the game is over: the side to move has lost"),
            (true, ..) => format!("the game is over; its value for the side to move is {}", row.value_text),
        });
    };
    output.line(format!("best move {MARK}{best}{MARK:#}, value {}", row.value_text))?;
    if !row.complete {
        output.line(format!("{FAINT}stopped by a limit after depth {}{FAINT:#}", row.depth))?;
    }
    let width = row.top.iter().flatten().map(|top| top.text.chars().count()).max().unwrap_or_default();
    for (place, top) in row.top.iter().flatten().enumerate() {
        let TopMove { m, text, depth, .. } = top;
        output.line(format!("{:>3}. {m:<6} {text:>width$}  {FAINT}depth {depth}{FAINT:#}", place + 1))?;
    }
    let speed = row.counts.nodes() as f64 / row.seconds.max(1e-9) / 1e6;
    let cutoffs = match row.counts.cut_nodes {
        0 => String::new(),
        nodes => {
            let percent = 100.0 * row.counts.first_move_cuts as f64 / nodes as f64;
            format!("; {percent:.1} % of the cutoffs by the first move")
        }
    };
    output.line(format!(
        "{FAINT}{}: {}, {}, {}, {} ({speed:.1} million nodes/s){cutoffs}{FAINT:#}",
        row.algorithm,
        counted(row.counts.nbp, "leaf", "leaves"),
        counted(row.counts.nodes(), "node", "nodes"),
        counted(row.passes as u64, "pass", "passes"),
        seconds(row.seconds)
    ))
}
