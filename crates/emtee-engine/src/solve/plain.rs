//! Any other game: iterative deepening until the value no longer depends on an evaluation.

use emtee::{Budget, Game, MAX_DEPTH, Poll, Size, legal_moves, player};

use super::{Answer, Solution, Solve, SolveError, SolveProgress, over};
use crate::settings::UNROUNDED;

/// The default size of the table.
const HASH: Size = Size::of_bytes(64 << 20);

/// The nodes between two progress reports.
const SLICE: u64 = 1 << 16;

/// MTD-f with iterative deepening. It ends when all lines have ended, or when a win is proved.
pub(crate) fn plain<G: Game>(
    board: &G,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<G::Move>, SolveError> {
    if legal_moves(board).is_empty() {
        return Ok(over(board, task));
    }
    let mut search = player(UNROUNDED).table(task.hash.unwrap_or(HASH)).threads(task.threads);
    if let Some(stop) = &task.stop {
        search = search.stop(stop.clone());
    }
    let mut search = search.build()?;
    search.start(board, Budget::UNLIMITED)?;
    let found = loop {
        match search.poll(Budget::nodes(SLICE))? {
            Poll::Thinking { depth, nodes, .. } => {
                progress.text = format!("depth {depth} done");
                progress.visited(nodes);
            }
            Poll::Done(found) => break found,
            Poll::Idle => return Err(SolveError::Stopped),
        }
    };
    progress.nodes = found.counts.nodes();
    progress.passes = found.passes() as u32;
    let line = found.pv.clone();
    match found.value {
        Some(value) if found.complete && (value.is_proven() || found.depth < MAX_DEPTH) => {
            Ok(Solution { answer: Answer::value(value, task), line })
        }
        _ => Err(SolveError::Stopped),
    }
}
