//! `emtee search`: one position, one algorithm, one line an iteration.

use emtee_engine::{Position, Registry, Row};

use crate::args::SearchArgs;
use crate::commands::positions;
use crate::failure::Failure;
use crate::output::{FAINT, HEADING, MARK, Output, seconds, thousands};

pub(crate) fn run(registry: &Registry, args: &SearchArgs, output: &mut Output) -> Result<(), Failure> {
    for position in positions(registry, &args.at)? {
        search(position.as_ref(), args, output)?;
    }
    Ok(())
}

fn search(position: &dyn Position, args: &SearchArgs, output: &mut Output) -> Result<(), Failure> {
    let mut settings = args.table.settings();
    settings.algorithm = args.algorithm;
    if !output.json() {
        output.line(format!("{}\n", position.drawing().trim_end()))?;
        let headings = format!(
            "{:>5}  {:>10}  {:<8}{:>13}{:>7}  {:>9}  line",
            "depth", "value", "move", "nodes", "passes", "time"
        );
        output.line(format!("{HEADING}{headings}{HEADING:#}"))?;
    }
    // Each row is held back until the next comes, since the last one is the result and may say more.
    let (mut held, mut problem): (Option<Row>, _) = (None, Ok(()));
    let mut last = position.search(&settings, args.budget(), &mut |row| {
        if problem.is_ok()
            && let Some(row) = held.replace(row.clone())
        {
            problem = show(&row, output);
        }
    })?;
    problem?;
    if let Some(row) = held.filter(|row| !last.complete || row.depth != last.depth) {
        show(&row, output)?;
    }
    if args.top > 1 {
        last.top = Some(position.top(&settings, args.budget(), usize::from(args.top))?);
    }
    show(&last, output)?;
    if !output.json() {
        conclude(&last, output)?;
    }
    Ok(())
}

fn show(row: &Row, output: &mut Output) -> Result<(), Failure> {
    if output.json() {
        return output.object(row);
    }
    let best = row.best_move.as_deref().unwrap_or("-");
    output.line(format!(
        "{:>5}  {:>10}  {:<8}{:>13}{:>7}  {:>9}  {FAINT}{}{FAINT:#}",
        row.depth,
        row.value_text,
        best,
        thousands(row.nodes),
        row.passes,
        seconds(row.seconds),
        row.pv.join(" ")
    ))
}

fn conclude(row: &Row, output: &mut Output) -> Result<(), Failure> {
    output.line("")?;
    match &row.best_move {
        Some(best) => output.line(format!("best move {MARK}{best}{MARK:#}, value {}", row.value_text))?,
        None if row.complete => output.line(format!("the game is over: {}", row.value_text))?,
        None => output.line("stopped before the first iteration was finished: nothing is known")?,
    }
    if !row.complete {
        output.line(format!("{FAINT}stopped by a limit after depth {}{FAINT:#}", row.depth))?;
    }
    for (place, top) in row.top.iter().flatten().enumerate() {
        output.line(format!("{:>3}. {:<8} {}", place + 1, top.m, top.text))?;
    }
    let speed = row.nodes as f64 / row.seconds.max(1e-9) / 1e6;
    let cuts = 100.0 * row.first_move_cuts as f64 / row.cut_nodes.max(1) as f64;
    output.line(format!(
        "{FAINT}{}: {} leaves, {} nodes, {} passes, {} ({speed:.1} million nodes/s); first move cuts {cuts:.1} %{FAINT:#}",
        row.algorithm,
        thousands(row.nbp),
        thousands(row.nodes),
        row.passes,
        seconds(row.seconds)
    ))
}
