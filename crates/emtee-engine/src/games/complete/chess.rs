//! Chess: mates, with one pass per number of moves.

use emtee::research::Gamma;
use emtee::{Evaluate, MAX_DEPTH, Search, Size, Value, legal_moves, player};
use emtee_games::chess::{Board, MateSearch, Move};

use crate::solve::{Answer, Solution, Solve, SolveError, SolveProgress, over};

/// The default size of the table.
const HASH: Size = Size::of_bytes(64 << 20);

/// Looks for a mate in one, in two, and so on, up to the limit or until there is one.
pub(crate) fn mates(
    board: &Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<Move>, SolveError> {
    if legal_moves(board).is_empty() {
        return Ok(over(board, task));
    }
    let mut search =
        player(|_: &MateSearch| 0).table(task.hash.unwrap_or(HASH)).threads(task.threads).store_leaves(false);
    if let Some(stop) = &task.stop {
        search = search.stop(stop.clone());
    }
    let mut search = search.build()?;
    let most = task.mate.unwrap_or(u32::MAX).min(u32::from(MAX_DEPTH) / 2);
    for moves in 1..=most {
        let plies = (2 * moves - 1) as u8;
        let known = if moves > 1 { format!("no mate in {}; ", moves - 1) } else { String::new() };
        progress.begin_pass(format!("{known}mate in {moves}?"));
        let value = Value::win_in(plies.into());
        let (g, best) = pass(&mut search, &MateSearch::new(board, plies), plies, value, progress)?;
        if g >= value {
            let line = line(&mut search, board, plies, best, progress)?;
            return Ok(Solution { answer: Answer::Mate(moves), line });
        }
    }
    Ok(Solution { answer: Answer::NoMate(most), line: Vec::new() })
}

/// The line to the mate: the best moves of both sides, where the defender delays the mate as long as possible.
fn line(
    search: &mut Search<MateSearch, impl Evaluate<MateSearch>>,
    board: &Board,
    plies: u8,
    first: Option<Move>,
    progress: &mut SolveProgress<'_>,
) -> Result<Vec<Move>, SolveError> {
    use emtee::Game;
    let mut line = Vec::new();
    let (mut n, mut best) = (MateSearch::new(board, plies), first);
    for left in (0..plies).rev() {
        let Some(m) = best else { break };
        line.push(m);
        n = n.play(m);
        if left == 0 {
            break;
        }
        let distance = u32::from(left);
        let value = if left % 2 == 0 { Value::loss_in(distance) } else { Value::win_in(distance) };
        best = pass(search, &n, left, value, progress)?.1;
    }
    Ok(line)
}

/// One pass: is the value at least `value`?
fn pass(
    search: &mut Search<MateSearch, impl Evaluate<MateSearch>>,
    n: &MateSearch,
    plies: u8,
    value: Value,
    progress: &mut SolveProgress<'_>,
) -> Result<(Value, Option<Move>), SolveError> {
    let before = progress.nodes;
    let pass = search.research().pass_observed(n, plies, Gamma::below(value), progress)?;
    // The observer sees one thread only.
    progress.nodes = before + pass.counts.nodes();
    Ok((pass.g, pass.best_move))
}
