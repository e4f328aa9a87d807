//! Self-play games: random openings, fixed-depth searches on both sides, draws by rule, and adjudication when both
//! sides agree on the winner. A seed determines everything.

use std::sync::atomic::{AtomicUsize, Ordering};

use emtee::{Budget, Found, Game, Moves, Quiescence, Search, Size, Value, legal_moves, mix, player};
use emtee_games::chess::evaluate::{Weights, evaluate_with};
use emtee_games::chess::{Board, Move};

type Evaluator = Box<dyn Fn(&Board) -> i32 + Sync>;

/// A player: a search with an evaluation, to a fixed depth.
pub(crate) struct Player {
    search: Search<Board, Evaluator>,
    depth: u8,
}

impl Player {
    /// A player with these weights.
    pub(crate) fn new(weights: &Weights, depth: u8) -> Player {
        let weights = weights.clone();
        Player::with_evaluation(Box::new(move |board| evaluate_with(&weights, board)), depth)
    }

    /// A player with this evaluation. Its table is small, which is enough for a shallow search.
    pub(crate) fn with_evaluation(evaluate: Evaluator, depth: u8) -> Player {
        let search = player(evaluate).table(Size::of_entries(1 << 16)).principal_variation(false).build();
        Player { search: search.expect("these options fit together"), depth }
    }

    /// Searches a position.
    pub(crate) fn think(&mut self, board: &Board) -> Found<Move> {
        self.search.think(board, Budget::depth(self.depth)).expect("evaluations are in range")
    }

    /// Clears the search, so that the next game does not depend on the last one.
    pub(crate) fn clear(&mut self) {
        self.search.clear().expect("a table can be cleared");
    }
}

/// The number of random plies before a game.
const OPENING_PLIES: u64 = 8;
/// An opening is rejected if either side is ahead by more than this.
const MAX_OPENING_SCORE: i32 = 120;
/// Adjudication: a game is won if both sides report at least this score for the same side, for this many plies in a
/// row.
const WIN_SCORE: i32 = 800;
const WIN_PLIES: u32 = 5;
/// A game with more plies is drawn.
const MAX_PLIES: u32 = 300;

/// The opening of a seed: the first balanced one of a sequence of random openings.
pub(crate) fn opening(seed: u64, player: &mut Player) -> Board {
    for attempt in 0.. {
        let mut board = Board::default();
        // One ply more in half of the openings, so that either side can be to move.
        let plies = OPENING_PLIES + (mix(seed ^ attempt << 40) & 1);
        for ply in 0..plies {
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            let random = mix(mix(seed.wrapping_add(attempt << 40)) ^ ply);
            board = board.play(moves[(random % moves.len() as u64) as usize]);
        }
        player.clear();
        let value = player.think(&board).value.map(score);
        if !legal_moves(&board).is_empty() && value.is_some_and(|value| value.abs() <= MAX_OPENING_SCORE) {
            return board;
        }
    }
    unreachable!("attempts do not run out")
}

/// A value as a number. Wins and losses are ±30,000.
pub(crate) fn score(value: Value) -> i32 {
    match value.kind() {
        emtee::research::Kind::Score(score) => score,
        _ if value.wins_in().is_some() => 30_000,
        _ => -30_000,
    }
}

/// Plays a game and returns White's points: 1, 0.5 or 0. Calls `visit` with every position and the result of its
/// search.
pub(crate) fn game(
    start: &Board,
    mut choose: impl FnMut(&Board) -> Found<Move>,
    mut visit: impl FnMut(&Board, &Found<Move>),
) -> f32 {
    let mut board = start.clone();
    let mut keys = vec![board.key()];
    let mut won_plies = 0i32; // plies in a row with a winning score, positive for White
    for _ in 0..MAX_PLIES {
        let moves = legal_moves(&board);
        if moves.is_empty() {
            let lost = board.stuck() == emtee::Outcome::Lost;
            return if !lost { 0.5 } else { f32::from(u8::from(board.turn() == emtee::Side::Second)) };
        }
        let repeated = keys.iter().filter(|&&key| key == board.key()).count() >= 3;
        if repeated || board.halfmove_clock() >= 100 || board.is_insufficient_material() {
            return 0.5;
        }
        let found = choose(&board);
        let Some(m) = found.best_move else { return 0.5 };
        visit(&board, &found);
        let value = found.value.map_or(0, score) * if board.turn() == emtee::Side::First { 1 } else { -1 };
        won_plies = match value {
            v if v >= WIN_SCORE => won_plies.max(0) + 1,
            v if v <= -WIN_SCORE => won_plies.min(0) - 1,
            _ => 0,
        };
        if won_plies.unsigned_abs() >= WIN_PLIES {
            return if won_plies > 0 { 1.0 } else { 0.0 };
        }
        board = board.play(m);
        keys.push(board.key());
    }
    0.5
}

/// Quiescence search as in the library, with an open window.
pub(crate) fn quiescence(weights: &Weights, board: &Board, mut alpha: i32, beta: i32) -> i32 {
    let mut moves = Moves::new();
    let kind = board.noisy_moves(&mut moves);
    let mut best = match kind {
        Quiescence::Quiet => return evaluate_with(weights, board),
        Quiescence::Optional => evaluate_with(weights, board),
        Quiescence::Forced => -30_000,
    };
    for m in moves.iter() {
        alpha = alpha.max(best);
        if best >= beta {
            break;
        }
        best = best.max(-quiescence(weights, &board.play(m), -beta, -alpha));
    }
    best
}

/// Runs the jobs 0 to `jobs` - 1 on this many threads. Returns the results in order.
pub(crate) fn in_parallel<T: Send>(
    jobs: usize,
    threads: usize,
    job: impl Fn(&mut dyn FnMut(usize, T), &AtomicUsize) + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    job(&mut |index, result| done.push((index, result)), &next);
                    done
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no job panics")).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    assert_eq!(results.len(), jobs);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The next job, if there is one left.
pub(crate) fn take(next: &AtomicUsize, jobs: usize) -> Option<usize> {
    let job = next.fetch_add(1, Ordering::Relaxed);
    (job < jobs).then_some(job)
}
