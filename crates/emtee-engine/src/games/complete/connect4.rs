//! Connect Four: MT to the end of the game.

use emtee::research::Gamma;
use emtee::{Evaluate, Game, Moves, Search, Size, Value, legal_moves, player};
use emtee_games::connect4::{Board, Column, MOST_POINTS, Solving};

use crate::solve::{Answer, Solution, Solve, SolveError, SolveProgress, over};

/// The default size of the table. The system only provides the memory that is used.
const HASH: Size = Size::of_bytes(256 << 20);

/// Enhanced transposition cutoffs at nodes with at least this many plies left. Measured from `444441`: a quarter fewer
/// nodes than without.
const ETC: u8 = 4;

/// Is it a win, and if not, is it a draw? At most two passes. Then how soon, by bisection.
pub(crate) fn connect4(
    board: &Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<Column>, SolveError> {
    let Some(start) = Solving::new(board) else { return Ok(over(board, task)) };
    let mut search = player(|_: &Solving| 0).table(task.hash.unwrap_or(HASH)).store_leaves(false).etc(ETC);
    if let Some(stop) = &task.stop {
        search = search.stop_flag(stop.clone());
    }
    let mut search = search.build()?;
    let (mut lower, mut upper) = (-MOST_POINTS, MOST_POINTS);
    while lower < upper && !(task.only_outcome && lower.signum() == upper.signum()) {
        let (bound, text) = match (lower, upper) {
            (..=0, 1..) => (1, String::from("a win?")),
            (..=-1, 0) => (0, String::from("no win; a draw?")),
            _ => {
                let bound = lower + (upper - lower + 1) / 2;
                let limit = start.distance(bound).unwrap_or_default();
                let kind = if lower > 0 { "a win; in" } else { "a loss; not before" };
                (bound, format!("{kind} {limit}?"))
            }
        };
        progress.begin_pass(text);
        let (g, _) = pass(&mut search, &start, bound, progress)?;
        if g >= bound { lower = g } else { upper = g }
    }
    let mut line = Vec::new();
    let value = if lower == upper { lower } else { lower.signum() };
    let (mut n, mut points) = (start, value);
    while n.board().outcome().is_none() {
        let best = match winning_move(&n) {
            Some(m) => Some(m),
            // A draw whatever is played.
            None if n.outcome().is_some() && points == 0 => None,
            // In a lost position of unknown distance, any move will do.
            None if lower != upper && points < 0 => non_losing_move(&n),
            None => pass(&mut search, &n, points, progress)?.1.or_else(|| non_losing_move(&n)),
        };
        let Some(m) = best else { break };
        line.push(m);
        n = n.play(m);
        points = -points;
    }
    let answer = match (start.distance(value), value.signum()) {
        (_, outcome) if task.only_outcome => Answer::Outcome(outcome),
        (Some(plies), 1) => Answer::Value(Value::win_in(plies)),
        (Some(plies), _) => Answer::Value(Value::loss_in(plies)),
        (None, _) => Answer::Value(Value::default()),
    };
    Ok(Solution { answer, line })
}

/// The move that completes four in a row, if there is one.
fn winning_move(n: &Solving) -> Option<Column> {
    legal_moves(n.board()).into_iter().find(|&m| n.board().play(m).outcome().is_some())
}

/// A move for a lost position: one that does not lose at once, if there is one.
fn non_losing_move(n: &Solving) -> Option<Column> {
    let mut safe = Moves::new();
    n.moves(&mut safe);
    safe.get(0).or_else(|| legal_moves(n.board()).first().copied())
}

/// One pass: is the value at least `bound` points?
fn pass(
    search: &mut Search<Solving, impl Evaluate<Solving>>,
    n: &Solving,
    bound: i32,
    progress: &mut SolveProgress<'_>,
) -> Result<(i32, Option<Column>), SolveError> {
    let gamma = Gamma::below(Value::score(bound).unwrap_or_default());
    let pass = search.research().pass_observed(n, n.plies_left() as u8, gamma, progress)?;
    Ok((pass.g.get(), pass.best_move))
}
