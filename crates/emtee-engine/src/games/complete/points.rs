//! Games that end with points, with solvers of their own: Kalah, and Othello from as many empty squares as time allows.

use emtee::{Game, Size, legal_moves};
use emtee_games::othello::endgame;
use emtee_games::{kalah, othello as othello_game};

use crate::now::now;
use crate::solve::{Answer, Solution, Solve, SolveError, SolveProgress};

/// The default size of the table.
const HASH: Size = Size::of_bytes(64 << 20);

/// A game's own solver, which runs null-window passes.
trait PointsSolver<G: Game> {
    /// Is the score greater than `alpha`? Returns g, fail-soft, and the best move. `None` if it was stopped.
    fn pass(&mut self, n: &G, alpha: i32) -> Option<(i32, Option<G::Move>)>;

    /// Positions visited so far.
    fn nodes(&self) -> u64;
}

impl PointsSolver<othello_game::Board> for endgame::Solver {
    fn pass(&mut self, n: &othello_game::Board, alpha: i32) -> Option<(i32, Option<othello_game::Move>)> {
        self.try_pass(n, alpha)
    }

    fn nodes(&self) -> u64 {
        self.nodes()
    }
}

impl PointsSolver<kalah::Board> for kalah::Solver {
    fn pass(&mut self, n: &kalah::Board, alpha: i32) -> Option<(i32, Option<kalah::Pit>)> {
        self.try_pass(n, alpha)
    }

    fn nodes(&self) -> u64 {
        self.nodes()
    }
}

/// Othello's endgame solver, starting at its own estimate of the score.
pub(crate) fn othello(
    board: &othello_game::Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<othello_game::Move>, SolveError> {
    let mut solver =
        endgame::Solver::with_entries(task.entries(HASH, endgame::ENTRY_BYTES)?).threads(task.all_threads());
    if let Some(stop) = &task.stop {
        solver = solver.stop(stop.clone()).clock(now);
    }
    // The outcome is found with windows around a draw, whatever the estimate.
    let guess = if task.only_outcome { 0 } else { solver.estimate(board) };
    by_points(board, &mut solver, ScoreRange { most: 64, guess, unit: "discs" }, task, progress)
}

/// Kalah's solver, starting at the difference of the stores.
pub(crate) fn kalah(
    board: &kalah::Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<kalah::Pit>, SolveError> {
    let mut solver = kalah::Solver::with_entries(task.entries(HASH, kalah::ENTRY_BYTES)?).threads(task.all_threads());
    if let Some(stop) = &task.stop {
        solver = solver.stop(stop.clone()).clock(now);
    }
    let guess = board.evaluate() & !1;
    by_points(board, &mut solver, ScoreRange { most: 48, guess, unit: "seeds" }, task, progress)
}

/// The range of scores of a game. All scores are even.
struct ScoreRange {
    most: i32,
    guess: i32,
    unit: &'static str,
}

/// MTD-f from the guess, in steps of two points; for the outcome only, at most two passes around a draw.
fn by_points<G: Game>(
    board: &G,
    solver: &mut impl PointsSolver<G>,
    range: ScoreRange,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<G::Move>, SolveError> {
    let mut pass = |n: &G, alpha: i32, progress: &mut SolveProgress<'_>| {
        let answer = solver.pass(n, alpha).ok_or(SolveError::Stopped);
        progress.visited(solver.nodes());
        answer
    };
    let (mut lower, mut upper, mut guess) = (-range.most, range.most, range.guess);
    while lower < upper && !(task.only_outcome && lower.signum() == upper.signum()) {
        let alpha = match (lower, upper) {
            _ if !task.only_outcome && guess == lower => guess + 1,
            _ if !task.only_outcome => guess - 1,
            (..=0, 1..) => 1,
            _ => -1,
        };
        progress.begin_pass(format!("between {lower} and {upper} {}; more than {alpha}?", range.unit));
        let (g, _) = pass(board, alpha, progress)?;
        if g > alpha {
            lower = g
        } else {
            upper = g
        }
        guess = g;
    }
    let mut line = Vec::new();
    let (mut n, mut score) = (board.clone(), if lower == upper { lower } else { lower.signum() });
    loop {
        let moves = legal_moves(&n);
        // In a position with the worst possible score, any move will do.
        let free = score == -range.most || lower != upper && score < 0;
        let best = if free || moves.len() < 2 { None } else { pass(&n, score - 1, progress)?.1 };
        let Some(m) = best.or_else(|| moves.first().copied()) else { break };
        line.push(m);
        let next = n.play(m);
        score = if next.turn() == n.turn() { score } else { -score };
        n = next;
    }
    let answer = if task.only_outcome { Answer::Outcome(lower.signum()) } else { Answer::Points(lower, range.unit) };
    Ok(Solution { answer, line })
}
