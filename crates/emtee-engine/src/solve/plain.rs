//! Any game: deeper and deeper, until nothing rests on an evaluation.

use emtee::{Budget, Game, MAX_DEPTH, Poll, Size, legal_moves, player};

use super::{Answer, Halt, Solution, Solve, SolveProgress, over};
use crate::settings::UNROUNDED;

/// The table, unless the user says otherwise.
const HASH: Size = Size::of_bytes(64 << 20);

/// How many nodes pass before the next word about them.
const SLICE: u64 = 1 << 16;

/// MTD-f at one depth after the other. It ends when all lines have come to their ends, or when one side wins for sure.
pub(crate) fn plain<G: Game>(
    board: &G,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<G::Move>, Halt> {
    if legal_moves(board).is_empty() {
        return Ok(over(board, task));
    }
    let mut search = player(UNROUNDED).table(task.hash.unwrap_or(HASH));
    if let Some(stop) = &task.stop {
        search = search.stop_flag(stop.clone());
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
            Poll::Idle => return Err(Halt::Stopped),
        }
    };
    progress.nodes = found.counts.nodes();
    progress.passes = found.passes() as u32;
    let line = found.pv.clone();
    match found.value {
        Some(value) if found.complete && (value.is_proven() || found.depth < MAX_DEPTH) => {
            Ok(Solution { answer: Answer::value(value, task), line })
        }
        _ => Err(Halt::Stopped),
    }
}
