//! `emtee solve`: exact values, each with a line of best play.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use clap::Args as ClapArgs;
use emtee::{MAX_DEPTH, MAX_THREADS, Size, Stop};
use emtee_engine::{Position, Registry, Solve, Solved, read_duration};
use emtee_games::checkers::endings::Endings;
use emtee_games::connect4::Shape;

use crate::commands::args::{PositionArgs, integer};
use crate::commands::{positions, positions_on};
use crate::failure::Failure;
use crate::output::{FAINT, MARK, Output, counted, seconds, thousands};
use crate::paint::paint;
use crate::{endings, interrupt};

/// Solve a position: its exact value, and a line of best play
#[derive(ClapArgs)]
#[command(
    after_help = "Examples:\n  emtee solve connect4 --position 4455\n  emtee solve connect4 --outcome\n  emtee solve connect4 --columns 6 --rows 5 --threads 2\n  emtee solve chess --position \"7k/8/5K2/8/8/8/8/R7 w - - 0 1\" --mate 2"
)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) positions: PositionArgs,

    /// Find win, draw or loss only, not the distance or the score: often much faster
    #[arg(long)]
    pub(crate) outcome: bool,

    /// Mate in at most N moves in chess, or a proof that there is none [default: any]
    #[arg(long, value_name = "N", value_parser = integer(1, u32::from(MAX_DEPTH / 2)))]
    pub(crate) mate: Option<u32>,

    /// Time limit, like 5s or 2m
    #[arg(long, short, value_name = "T", allow_hyphen_values = true, value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// Columns in Connect Four, 4 or more; columns × (rows + 1) is at most 64 [default: 7]
    #[arg(long, value_name = "N", value_parser = integer(1, u8::MAX))]
    pub(crate) columns: Option<u8>,

    /// Rows of the board in Connect Four [default: 6]
    #[arg(long, value_name = "N", value_parser = integer(1, u8::MAX))]
    pub(crate) rows: Option<u8>,

    /// Number of threads, 0 for all cores: same values, other counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(0, MAX_THREADS))]
    pub(crate) threads: usize,

    /// Size of the table, like 1GB [default: 256MB for Connect Four, 64MB for others]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) hash: Option<Size>,

    /// Endings database for checkers, or none [default: the largest one built by tablebase]
    #[arg(long, value_name = "FILE|none")]
    pub(crate) endings: Option<String>,
}

pub(crate) fn run(registry: &Registry, args: &SolveArgs, output: &mut Output) -> Result<(), Failure> {
    let endings = endings::load_chosen(registry.get(&args.positions.game)?, args.endings.as_deref())?;
    let positions = match args.sized(registry)? {
        Some((sized, shape)) => positions_on(&sized, &args.positions, &shape.to_string())?,
        None => positions(registry, &args.positions)?,
    };
    for (index, position) in positions.iter().enumerate() {
        if index > 0 && !output.json() {
            output.line("")?;
        }
        solve(position.as_ref(), endings.clone(), args, output)?;
    }
    Ok(())
}

impl SolveArgs {
    /// The game on boards of any shape and the shape of the board, if one was given.
    fn sized(&self, registry: &Registry) -> Result<Option<(Registry, Shape)>, Failure> {
        if self.columns.is_none() && self.rows.is_none() {
            return Ok(None);
        }
        let game = registry.get(&self.positions.game)?;
        let Some(sized) = game.any_shape() else {
            let name = game.name();
            return Err(Failure::bad(format!("the board of {name} has one size; leave --columns and --rows out")));
        };
        let (columns, rows) = (self.columns.unwrap_or(7), self.rows.unwrap_or(6));
        let shape = format!("{columns}x{rows}").parse().map_err(|error: emtee_games::Error| Failure::bad(error))?;
        Ok(Some((sized, shape)))
    }
}

fn solve(
    position: &dyn Position,
    endings: Option<Arc<Endings>>,
    args: &SolveArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let interrupted = interrupt::flag();
    let stop = Stop::from(interrupted.clone());
    let due = args.time.map(|time| emtee::system_clock() + time);
    if let Some(due) = due {
        stop.at(due);
    }
    let mut task = Solve::default();
    (task.hash, task.only_outcome, task.mate, task.stop) = (args.hash, args.outcome, args.mate, Some(stop));
    (task.endings, task.threads) = (endings, args.threads);
    let spinner = output.spinner("");
    // A position that the solver refuses is not drawn: the board is shown with the first progress.
    let mut drawn = None;
    let solved = position.tools()?.solve(&task, &mut |progress| {
        drawn.get_or_insert_with(|| spinner.suspend(|| draw(position, output)));
        spinner.set_message(format!("{} {FAINT}{} nodes{FAINT:#}", progress.text, thousands(progress.nodes)));
    });
    spinner.finish_and_clear();
    let solved = solved?;
    drawn.unwrap_or_else(|| draw(position, output))?;
    if output.json() {
        output.object(&solved)?;
    } else if solved.exact {
        show(&solved, output)?;
    }
    let known = if solved.text.is_empty() { String::new() } else { format!("; so far: {}", solved.text) };
    let spent = format!("{}, {}", counted(solved.nodes, "node", "nodes"), seconds(solved.seconds));
    match (solved.exact, interrupted.load(Relaxed), due.is_some_and(|due| emtee::system_clock() >= due)) {
        (true, ..) => Ok(()),
        (_, true, _) => Err(Failure::Interrupted(format!("stopped after {spent}{known}"))),
        (_, _, true) => Err(Failure::Failed(format!("not solved within the time limit, {spent}{known}"))),
        _ => Err(Failure::Failed(format!("this cannot be proved by search, {spent}{known}"))),
    }
}

/// Prints the board, unless the output is JSON.
fn draw(position: &dyn Position, output: &mut Output) -> Result<(), Failure> {
    match position.drawing().filter(|_| output.colours()) {
        _ if output.json() => Ok(()),
        Some(drawing) => output.line(paint(&drawing)),
        None => output.line(position.plain_drawing().trim_end()),
    }
}

fn show(solved: &Solved, output: &mut Output) -> Result<(), Failure> {
    let best = match &solved.best_move {
        Some(best) => format!(", by {MARK}{best}{MARK:#}"),
        None => String::new(),
    };
    output.line(format!("\n{MARK}{}{MARK:#} for the side to move{best}", solved.text))?;
    if !solved.pv.is_empty() {
        output.line(format!("{FAINT}line{FAINT:#} {}", solved.pv.join(" ")))?;
    }
    output.line(format!(
        "{FAINT}proved in {}: {}, {}{FAINT:#}",
        seconds(solved.seconds),
        counted(solved.nodes, "node", "nodes"),
        counted(solved.passes.into(), "pass", "passes"),
    ))
}
