//! Connect Four on boards of any shape.

use emtee::{Game, Size, Value, legal_moves};
use emtee_games::connect4::solver::{self, Solver, distance, most_points, next_bound};
use emtee_games::connect4::{Board, Column, sized};

use crate::error::Error;
use crate::now::now;
use crate::solve::{Answer, Solution, Solve, SolveError, SolveProgress, over};

/// The default size of the table, which grows as it fills: a short search uses little of it.
const HASH: Size = Size::of_bytes(256 << 20);

pub(crate) fn connect4(
    board: &Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<Column>, SolveError> {
    let Solution { answer, line } = connect4_of_any_shape(&(*board).into(), task, progress)?;
    Ok(Solution { answer, line: line.into_iter().filter_map(|column| Column::new(column.number())).collect() })
}

/// Is it a win, and if not, is it a draw? At most two passes. Then how soon, by bisection.
pub(crate) fn connect4_of_any_shape(
    board: &sized::Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<sized::Column>, SolveError> {
    if board.outcome().is_some() {
        return Ok(over(board, task));
    }
    let entries = task.entries(HASH, solver::ENTRY_BYTES)?;
    let least = Solver::least_entries(board.shape());
    if entries < least {
        let what = format!("a board of {}", board.shape());
        let least = Size::of_bytes(least * solver::ENTRY_BYTES);
        return Err(SolveError::Error(Error::SmallTable { what, least }));
    }
    let mut solver = Solver::with_entries(board.shape(), entries).threads(task.all_threads());
    let mut pass = |n: &sized::Board, bound: i32, progress: &mut SolveProgress<'_>| {
        let stop = || task.stop.as_ref().is_some_and(|stop| stop.is_due(Some(now)));
        let before = progress.nodes;
        let answer = solver.pass(n, bound, &mut |nodes| {
            progress.visited(nodes);
            stop()
        });
        progress.visited(solver.nodes().max(before));
        answer.filter(|_| !stop()).ok_or(SolveError::Stopped)
    };
    let most = most_points(board.shape());
    let (mut lower, mut upper) = (-most, most);
    while lower < upper && !(task.only_outcome && lower.signum() == upper.signum()) {
        let bound = next_bound(lower, upper);
        let limit = distance(board, bound).unwrap_or_default();
        progress.begin_pass(match (lower, upper) {
            (..=0, 1..) => String::from("a win?"),
            (..=-1, 0) => String::from("no win; a draw?"),
            (1.., _) => format!("a win; in {limit}?"),
            _ => format!("a loss; not before {limit}?"),
        });
        let (g, _) = pass(board, bound, progress)?;
        if g >= bound { lower = g } else { upper = g }
    }
    let mut line = Vec::new();
    let value = if lower == upper { lower } else { lower.signum() };
    let (mut n, mut points) = (*board, value);
    while n.outcome().is_none() {
        // In a lost position of unknown distance, any move will do: all of them lose.
        let best = if lower != upper && points < 0 { None } else { pass(&n, points, progress)?.1 };
        let Some(m) = best.or_else(|| legal_moves(&n).first().copied()) else { break };
        line.push(m);
        n = n.play(m);
        points = -points;
    }
    let answer = match (distance(board, value), value.signum()) {
        (_, outcome) if task.only_outcome => Answer::Outcome(outcome),
        (Some(plies), 1) => Answer::Value(Value::win_in(plies)),
        (Some(plies), _) => Answer::Value(Value::loss_in(plies)),
        (None, _) => Answer::Value(Value::default()),
    };
    Ok(Solution { answer, line })
}
