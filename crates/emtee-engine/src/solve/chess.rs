//! Chess: mates, a pass for each number of moves.

use emtee::research::Gamma;
use emtee::{Evaluate, MAX_DEPTH, Search, Size, Value, legal_moves, player};
use emtee_games::chess::{Board, Mating, Move};

use super::{Answer, Halt, Solution, Solve, SolveProgress, over};

/// The table, unless the user says otherwise.
const HASH: Size = Size::of_bytes(64 << 20);

/// Mate in one? In two? And so on, to the number asked for or until there is one.
pub(crate) fn mates(board: &Board, task: &Solve, progress: &mut SolveProgress<'_>) -> Result<Solution<Move>, Halt> {
    if legal_moves(board).is_empty() {
        return Ok(over(board, task));
    }
    let mut search = player(|_: &Mating| 0).table(task.hash.unwrap_or(HASH)).store_leaves(false);
    if let Some(stop) = &task.stop {
        search = search.stop_flag(stop.clone());
    }
    let mut search = search.build()?;
    let most = task.mate.unwrap_or(u32::MAX).min(u32::from(MAX_DEPTH) / 2);
    for moves in 1..=most {
        let plies = (2 * moves - 1) as u8;
        let known = if moves > 1 { format!("no mate in {}; ", moves - 1) } else { String::new() };
        progress.asks(format!("{known}in {moves}?"));
        let value = Value::win_in(plies.into());
        let (g, best) = pass(&mut search, &Mating::new(board, plies), plies, value, progress)?;
        if g >= value {
            let line = line(&mut search, board, plies, best, progress)?;
            return Ok(Solution { answer: Answer::Mate(moves), line });
        }
    }
    Ok(Solution { answer: Answer::NoMate(most), line: Vec::new() })
}

/// The mate: each side's best, the defender's being to hold out as long as it can.
fn line(
    search: &mut Search<Mating, impl Evaluate<Mating>>,
    board: &Board,
    plies: u8,
    first: Option<Move>,
    progress: &mut SolveProgress<'_>,
) -> Result<Vec<Move>, Halt> {
    use emtee::Game;
    let mut line = Vec::new();
    let (mut n, mut best) = (Mating::new(board, plies), first);
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

/// One pass: is it worth as much as that?
fn pass(
    search: &mut Search<Mating, impl Evaluate<Mating>>,
    n: &Mating,
    plies: u8,
    value: Value,
    progress: &mut SolveProgress<'_>,
) -> Result<(Value, Option<Move>), Halt> {
    let pass = search.research().pass_observed(n, plies, Gamma::below(value), progress)?;
    Ok((pass.g, pass.best_move))
}
