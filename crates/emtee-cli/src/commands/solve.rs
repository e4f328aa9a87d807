//! `emtee solve`: exact values, each with a line that proves it.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, atomic::AtomicBool};

use emtee_engine::{Position, Registry, Solve, Solved};
use emtee_games::checkers::endings::Endings;

use crate::args::SolveArgs;
use crate::commands::positions;
use crate::endings;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{FAINT, MARK, Output, counted, seconds, thousands};
use crate::paint::paint;

pub(crate) fn run(registry: &Registry, args: &SolveArgs, output: &mut Output) -> Result<(), Failure> {
    let endings = endings::chosen(registry.get(&args.at.game)?.name(), args.endings.as_deref())?;
    let positions = positions(registry, &args.at)?;
    for (at, position) in positions.iter().enumerate() {
        if at > 0 && !output.json() {
            output.line("")?;
        }
        solve(position.as_ref(), endings.clone(), args, output)?;
    }
    Ok(())
}

fn solve(
    position: &dyn Position,
    endings: Option<Arc<Endings>>,
    args: &SolveArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    if !output.json() {
        match position.drawing().filter(|_| output.colours()) {
            Some(drawing) => output.line(paint(&drawing))?,
            None => output.line(position.plain_drawing().trim_end())?,
        }
    }
    let interrupted = interrupt::flag();
    let stop = Arc::new(AtomicBool::new(false));
    let (late, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let watch = watchman(args, interrupted.clone(), stop.clone(), late.clone(), over.clone());
    let mut task = Solve::default();
    (task.hash, task.only_outcome, task.mate, task.stop) = (args.hash, args.outcome, args.mate, Some(stop));
    task.endings = endings;
    let spinner = output.spinner("");
    let solved = position.solve(&task, &mut |at| {
        spinner.set_message(format!("{} {FAINT}{} nodes{FAINT:#}", at.text, thousands(at.nodes)));
    });
    spinner.finish_and_clear();
    over.store(true, Relaxed);
    let _ = watch.join();
    let solved = solved?;
    if output.json() {
        output.object(&solved)?;
    } else if solved.exact {
        show(&solved, output)?;
    }
    let known = if solved.text.is_empty() { String::new() } else { format!("; so far: {}", solved.text) };
    let spent = format!("{}, {}", counted(solved.nodes, "node", "nodes"), seconds(solved.seconds));
    match (solved.exact, interrupted.load(Relaxed), late.load(Relaxed)) {
        (true, ..) => Ok(()),
        (_, true, _) => Err(Failure::Interrupted(format!("stopped after {spent}{known}"))),
        (_, _, true) => Err(Failure::Failed(format!("not solved within the time given, {spent}{known}"))),
        _ => Err(Failure::Failed(format!("this cannot be proved by search, {spent}{known}"))),
    }
}

/// Stops the solver when Ctrl-C or the time asks for it.
fn watchman(
    args: &SolveArgs,
    interrupted: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    late: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
) -> std::thread::JoinHandle<()> {
    let (time, start) = (args.time, std::time::Instant::now());
    std::thread::spawn(move || {
        while !over.load(Relaxed) {
            if interrupted.load(Relaxed) {
                stop.store(true, Relaxed);
            } else if time.is_some_and(|time| start.elapsed() >= time) {
                late.store(true, Relaxed);
                stop.store(true, Relaxed);
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    })
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
