//! Games that end with points, by solvers of their own: Othello from as many empty squares as there is time for, and
//! Kalah.

use emtee::{Game, Size, legal_moves};
use emtee_games::othello::endgame;
use emtee_games::{kalah, othello as othello_game};

use super::{Answer, Halt, Solution, Solve, SolveProgress};

/// The table, unless the user says otherwise.
const HASH: Size = Size::of_bytes(64 << 20);

/// A solver that knows its game, and answers one question at a time.
trait Test<G: Game> {
    /// Is the score greater than `alpha`? Returns g, fail-soft, and the move that has it; nothing if it was stopped.
    fn pass(&mut self, n: &G, alpha: i32) -> Option<(i32, Option<G::Move>)>;

    /// Positions visited so far.
    fn nodes(&self) -> u64;
}

impl Test<othello_game::Board> for endgame::Solver {
    fn pass(&mut self, n: &othello_game::Board, alpha: i32) -> Option<(i32, Option<othello_game::Move>)> {
        self.try_pass(n, alpha)
    }

    fn nodes(&self) -> u64 {
        self.nodes()
    }
}

impl Test<kalah::Board> for kalah::Solver {
    fn pass(&mut self, n: &kalah::Board, alpha: i32) -> Option<(i32, Option<kalah::Pit>)> {
        self.try_pass(n, alpha)
    }

    fn nodes(&self) -> u64 {
        self.nodes()
    }
}

/// Othello's endgame solver, from the score that its estimate expects.
pub(crate) fn othello(
    board: &othello_game::Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<othello_game::Move>, Halt> {
    let mut solver = endgame::Solver::with_entries(entries(task, endgame::ENTRY_BYTES)?);
    if let Some(stop) = &task.stop {
        solver = solver.stop_flag(stop.clone());
    }
    // Who wins is asked around a draw, whatever the score may be.
    let guess = if task.only_outcome { 0 } else { solver.estimate(board) };
    by_points(board, &mut solver, Scale { most: 64, guess, unit: "discs" }, task, progress)
}

/// Kalah's solver, from what is in the stores.
pub(crate) fn kalah(
    board: &kalah::Board,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<kalah::Pit>, Halt> {
    let mut solver = kalah::Solver::with_entries(entries(task, kalah::ENTRY_BYTES)?);
    if let Some(stop) = &task.stop {
        solver = solver.stop_flag(stop.clone());
    }
    let guess = board.evaluate() & !1;
    by_points(board, &mut solver, Scale { most: 48, guess, unit: "seeds" }, task, progress)
}

/// The entries of a solver's table, if there is memory for them: where there is none, a solver would end the program.
fn entries(task: &Solve, bytes: usize) -> Result<usize, Halt> {
    let size = task.hash.unwrap_or(HASH);
    let had = Vec::<u8>::new().try_reserve_exact(size.bytes());
    had.map_err(|_| emtee::Error::TableTooLarge { size: size.to_string() })?;
    Ok(size.bytes() / bytes)
}

/// The scores of a game. All of them are even.
struct Scale {
    most: i32,
    guess: i32,
    unit: &'static str,
}

/// MTD-f from the guess, two points a pass; or, to know who wins, two passes around a draw.
fn by_points<G: Game>(
    board: &G,
    solver: &mut impl Test<G>,
    scale: Scale,
    task: &Solve,
    progress: &mut SolveProgress<'_>,
) -> Result<Solution<G::Move>, Halt> {
    let mut pass = |n: &G, alpha: i32, progress: &mut SolveProgress<'_>| {
        let answer = solver.pass(n, alpha).ok_or(Halt::Stopped);
        progress.visited(solver.nodes());
        answer
    };
    let (mut lower, mut upper, mut guess) = (-scale.most, scale.most, scale.guess);
    while lower < upper && !(task.only_outcome && lower.signum() == upper.signum()) {
        let alpha = match (lower, upper) {
            _ if !task.only_outcome && guess == lower => guess + 1,
            _ if !task.only_outcome => guess - 1,
            (..=0, 1..) => 1,
            _ => -1,
        };
        progress.asks(format!("between {lower} and {upper} {}; more than {alpha}?", scale.unit));
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
        // Who has lost all there is to lose may play anything.
        let free = score == -scale.most || lower != upper && score < 0;
        let best = if free || moves.len() < 2 { None } else { pass(&n, score - 1, progress)?.1 };
        let Some(m) = best.or_else(|| moves.first().copied()) else { break };
        line.push(m);
        let next = n.play(m);
        score = if next.turn() == n.turn() { score } else { -score };
        n = next;
    }
    let answer = if task.only_outcome { Answer::Outcome(lower.signum()) } else { Answer::Points(lower, scale.unit) };
    Ok(Solution { answer, line })
}
