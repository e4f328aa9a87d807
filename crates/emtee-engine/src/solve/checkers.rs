//! Checkers: by search into an endings database, and by the database alone.

use std::sync::Arc;

use emtee::{Budget, Evaluate, Game, MAX_DEPTH, Search, Size, Value, legal_moves, player};
use emtee_games::checkers::endings::{Endings, Judge, Wdl};
use emtee_games::checkers::{Board, Move};

use super::{Answer, Halt, Solution, Solve, SolveProgress, over, plain};

/// The table, unless the user says otherwise.
const HASH: Size = Size::of_bytes(64 << 20);
/// What is spent on each move of the line.
const NODES_A_MOVE: u64 = 100_000;
/// No line is longer.
const LONGEST: usize = 300;

/// With a database, who wins is known where it is reached, and every draw with it: no search ends in those without one. The
/// line is one that both sides play well, each move of it keeping what the position is worth; it need not be the shortest.
pub(crate) fn checkers(board: &Board, task: &Solve, progress: &mut SolveProgress<'_>) -> Result<Solution<Move>, Halt> {
    let Some(endings) = &task.endings else { return plain(board, task, progress) };
    if legal_moves(board).is_empty() {
        return Ok(over(board, task));
    }
    let builder = player(Judge::new(endings.clone())).table(task.hash.unwrap_or(HASH));
    let mut search = match &task.stop {
        Some(stop) => builder.stop_flag(stop.clone()).build()?,
        None => builder.build()?,
    };
    let (answer, mut line) = match endings.value(board) {
        Some(value) => (Answer::Outcome(value as i32 - 1), Vec::new()),
        None => deepen(board, endings, task, &mut search, progress)?,
    };
    if let Answer::Value(value) = answer
        && !task.only_outcome
        && value.is_proven()
    {
        return Ok(Solution { answer, line });
    }
    play_on(board, &mut line, endings, &mut search, progress)?;
    Ok(Solution { answer, line })
}

/// Deeper and deeper, until the value lies in a class of the database or does not rest on an evaluation.
fn deepen(
    board: &Board,
    endings: &Endings,
    task: &Solve,
    search: &mut Search<Board, Judge>,
    progress: &mut SolveProgress<'_>,
) -> Result<(Answer, Vec<Move>), Halt> {
    let mut guess = None;
    for depth in 1..=MAX_DEPTH {
        progress.asks(format!("depth {depth} above the endings of {} pieces", endings.pieces()));
        let found = search.iterate_among(board, &[], guess, Budget::depth(depth), progress)?;
        let (true, Some(value), Some(last)) = (found.complete, found.value, found.iterations.last()) else { break };
        if value.is_proven() {
            return Ok((Answer::value(value, task), found.pv));
        }
        match Judge::class(value) {
            Some(class) if class != Wdl::Draw || last.exact => {
                return Ok((Answer::Outcome(class as i32 - 1), found.pv));
            }
            _ => guess = Some(value),
        }
    }
    Err(Halt::Stopped)
}

/// Goes on with a line until the game is over, or a drawn one comes back to where it was.
fn play_on<E: Evaluate<Board>>(
    board: &Board,
    line: &mut Vec<Move>,
    endings: &Arc<Endings>,
    search: &mut Search<Board, E>,
    progress: &mut SolveProgress<'_>,
) -> Result<(), Halt> {
    let (mut board, mut before) = (*board, Vec::new());
    for m in &*line {
        before.push(board);
        board = board.play(*m);
    }
    while line.len() < LONGEST && !legal_moves(&board).is_empty() && !before.contains(&board) {
        progress.text = format!("the line, {} plies so far", line.len());
        search.set_game(&before)?;
        let found = search.think_observed(&board, Budget::nodes(NODES_A_MOVE), progress)?;
        let proven = found.value.is_some_and(Value::is_proven);
        let next: Vec<Move> = match found.best_move {
            Some(_) if proven && found.pv.len() > 1 => found.pv,
            Some(m) => vec![m],
            None => break,
        };
        for m in next {
            line.push(m);
            before.push(board);
            board = board.play(m);
        }
        if endings.value(&board).is_none() {
            break; // Stopped before the first iteration was finished.
        }
    }
    Ok(())
}
