//! Checkers: by a search that probes an endings database, or by the database alone.

use std::sync::Arc;

use emtee::{Budget, Evaluate, Game, MAX_DEPTH, Search, Size, Value, legal_moves, player};
use emtee_games::checkers::endings::{Endings, EndingsEvaluator, Wdl};
use emtee_games::checkers::{Board, Move};

use crate::solve::{Answer, Solution, Solve, SolveError, SolveProgress, over, plain};

/// The default size of the table.
const HASH: Size = Size::of_bytes(64 << 20);
/// The nodes for each move of the line.
const NODES_PER_MOVE: u64 = 100_000;
/// The maximum length of the line.
const MAX_LINE: usize = 300;

/// With a database, the winner is known as soon as the search reaches it, and so is every draw; without one, no search
/// proves a draw. Each move of the line keeps the value of the position; the line need not be the shortest.
pub(crate) fn checkers(
    board: &Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<Move>, SolveError> {
    let Some(endings) = &task.endings else { return plain(board, task, progress) };
    if legal_moves(board).is_empty() {
        return Ok(over(board, task));
    }
    let builder = player(EndingsEvaluator::new(endings.clone())).table(task.hash.unwrap_or(HASH)).threads(task.threads);
    let mut search = match &task.stop {
        Some(stop) => builder.stop(stop.clone()).build()?,
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
    extend_line(board, &mut line, endings, &mut search, progress)?;
    Ok(Solution { answer, line })
}

/// Iterative deepening, until the value is a win, a draw or a loss in the database, or no longer depends on an
/// evaluation.
fn deepen(
    board: &Board,
    endings: &Endings,
    task: &Solve,
    search: &mut Search<Board, EndingsEvaluator>,
    progress: &mut SolveProgress<'_>,
) -> Result<(Answer, Vec<Move>), SolveError> {
    let mut guess = None;
    for depth in 1..=MAX_DEPTH {
        progress.begin_pass(format!("depth {depth} above the endings of {} pieces", endings.pieces()));
        let before = progress.nodes;
        let found = search.iterate_among(board, &[], guess, Budget::depth(depth), progress)?;
        // The observer sees one thread only.
        progress.nodes = before + found.counts.nodes();
        let (true, Some(value), Some(last)) = (found.complete, found.value, found.iterations.last()) else { break };
        if value.is_proven() {
            return Ok((Answer::value(value, task), found.pv));
        }
        match EndingsEvaluator::wdl(value) {
            Some(class) if class != Wdl::Draw || last.exact => {
                return Ok((Answer::Outcome(class as i32 - 1), found.pv));
            }
            _ => guess = Some(value),
        }
    }
    Err(SolveError::Stopped)
}

/// Extends a line until the game is over, or until a position of a drawn line repeats.
fn extend_line<E: Evaluate<Board>>(
    board: &Board,
    line: &mut Vec<Move>,
    endings: &Arc<Endings>,
    search: &mut Search<Board, E>,
    progress: &mut SolveProgress<'_>,
) -> Result<(), SolveError> {
    let (mut board, mut before) = (*board, Vec::new());
    for m in &*line {
        before.push(board);
        board = board.play(*m);
    }
    while line.len() < MAX_LINE && !legal_moves(&board).is_empty() && !before.contains(&board) {
        progress.text = format!("the line, {} plies so far", line.len());
        search.set_game(&before)?;
        let found = search.think_observed(&board, Budget::nodes(NODES_PER_MOVE), progress)?;
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
