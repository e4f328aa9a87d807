//! Connect Four: MT to the end of the game.

use emtee::research::Gamma;
use emtee::{Evaluate, Game, Moves, Search, Size, Value, legal_moves, player};
use emtee_games::connect4::{Board, Column, MOST_POINTS, Solving};

use super::{Answer, Halt, Solution, Solve, SolveProgress, over};

/// The table, unless the user says otherwise. Only what is used of it is taken from the system.
const HASH: Size = Size::of_bytes(256 << 20);

/// Children are looked up before they are searched at nodes with so many plies left. Measured from `444441`: a quarter fewer
/// nodes than without.
const ETC: u8 = 4;

/// Is it a win, and if not, is it a draw? Two passes at most. Then how soon, by halving what is open.
pub(crate) fn connect4(
    board: &Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<Column>, Halt> {
    let Some(start) = Solving::new(board) else { return Ok(over(board, task)) };
    let mut search = player(|_: &Solving| 0).table(task.hash.unwrap_or(HASH)).store_leaves(false).etc(ETC);
    if let Some(stop) = &task.stop {
        search = search.stop_flag(stop.clone());
    }
    let mut search = search.build()?;
    let (mut lower, mut upper) = (-MOST_POINTS, MOST_POINTS);
    while lower < upper && !(task.only_outcome && lower.signum() == upper.signum()) {
        let (bound, question) = match (lower, upper) {
            (..=0, 1..) => (1, String::from("a win?")),
            (..=-1, 0) => (0, String::from("no win; a draw?")),
            _ => {
                let bound = lower + (upper - lower + 1) / 2;
                let limit = start.distance(bound).unwrap_or_default();
                let kind = if lower > 0 { "a win; in" } else { "a loss; not before" };
                (bound, format!("{kind} {limit}?"))
            }
        };
        progress.asks(question);
        let (g, _) = pass(&mut search, &start, bound, progress)?;
        if g >= bound { lower = g } else { upper = g }
    }
    let mut line = Vec::new();
    let value = if lower == upper { lower } else { lower.signum() };
    let (mut n, mut points) = (start, value);
    while n.board().outcome().is_none() {
        let best = match finish(&n) {
            Some(m) => Some(m),
            // A draw that nobody can help.
            None if n.outcome().is_some() && points == 0 => None,
            // Who has lost may do as they please.
            None if lower != upper && points < 0 => easiest(&n),
            None => pass(&mut search, &n, points, progress)?.1.or_else(|| easiest(&n)),
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

/// The move that completes four, if there is one.
fn finish(n: &Solving) -> Option<Column> {
    legal_moves(n.board()).into_iter().find(|&m| n.board().play(m).outcome().is_some())
}

/// A move for a side that has lost: one that does not lose at once if there is one.
fn easiest(n: &Solving) -> Option<Column> {
    let mut safe = Moves::new();
    n.moves(&mut safe);
    safe.get(0).or_else(|| legal_moves(n.board()).first().copied())
}

/// One pass: are there at least `bound` points in it?
fn pass(
    search: &mut Search<Solving, impl Evaluate<Solving>>,
    n: &Solving,
    bound: i32,
    progress: &mut SolveProgress<'_>,
) -> Result<(i32, Option<Column>), Halt> {
    let gamma = Gamma::below(Value::score(bound).unwrap_or_default());
    let pass = search.research().pass_observed(n, n.plies_left() as u8, gamma, progress)?;
    Ok((pass.g.get(), pass.best_move))
}
