//! Any game: deeper and deeper, until nothing rests on an evaluation.

use emtee::{Budget, Game, Iteration, MAX_DEPTH, Observer, OwnEvaluation, Size, Window, legal_moves, player};

use super::{Answer, Halt, Proof, Solve, Watch, over};

/// The table, unless the user says otherwise.
const HASH: Size = Size::of_bytes(64 << 20);

/// MTD-f at one depth after the other. It ends when all lines have come to their ends, or when one side wins for sure.
pub(crate) fn plain<G: Game>(board: &G, task: &Solve, watch: &mut Watch<'_>) -> Result<Proof<G::Move>, Halt> {
    if legal_moves(board).is_empty() {
        return Ok(over(board, task));
    }
    let mut search = player(OwnEvaluation).table(task.hash.unwrap_or(HASH));
    if let Some(stop) = &task.stop {
        search = search.stop_flag(stop.clone());
    }
    let found = search.build()?.think_observed(board, Budget::UNLIMITED, &mut Deepening { watch })?;
    let line = found.pv.clone();
    match found.value {
        Some(value) if found.complete && (value.is_proven() || found.depth < MAX_DEPTH) => {
            Ok(Proof { answer: Answer::value(value, task), line })
        }
        _ => Err(Halt::Stopped),
    }
}

/// Shows the depths.
struct Deepening<'w, 's> {
    watch: &'w mut Watch<'s>,
}

impl<G: Game> Observer<G> for Deepening<'_, '_> {
    fn pass(&mut self, _: Window) {
        self.watch.passes += 1;
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        let known = iteration.value.map(|value| format!(", {value} so far")).unwrap_or_default();
        self.watch.text = format!("depth {}{known}", iteration.depth);
    }

    #[inline(always)]
    fn enter(&mut self, position: &G, depth: u8, window: Window) {
        self.watch.enter(position, depth, window);
    }
}
