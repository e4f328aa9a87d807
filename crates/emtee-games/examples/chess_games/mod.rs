//! Games of the program against itself: openings by chance, both sides to a fixed depth, draws by rule, and an end once
//! both agree who is winning. Everything follows from a seed.

use std::sync::atomic::{AtomicUsize, Ordering};

use emtee::{Budget, Found, Game, Moves, Quiescence, Search, Size, Value, legal_moves, mix, player};
use emtee_games::chess::evaluate::{Weights, evaluate_with};
use emtee_games::chess::{Board, Move};

type Evaluator = Box<dyn Fn(&Board) -> i32 + Sync>;

/// A player: a search with these weights, to this depth.
pub(crate) struct Player {
    search: Search<Board, Evaluator>,
    depth: u8,
}

impl Player {
    /// A player with a small table, which is all that a shallow search needs.
    pub(crate) fn new(weights: &Weights, depth: u8) -> Player {
        let weights = weights.clone();
        Player::judging(Box::new(move |board| evaluate_with(&weights, board)), depth)
    }

    /// A player with this evaluation.
    pub(crate) fn judging(evaluate: Evaluator, depth: u8) -> Player {
        let search = player(evaluate).table(Size::of_entries(1 << 16)).principal_variation(false).build();
        Player { search: search.expect("these options fit together"), depth }
    }

    /// What it would play.
    pub(crate) fn think(&mut self, board: &Board) -> Found<Move> {
        self.search.think(board, Budget::depth(self.depth)).expect("evaluations are in range")
    }

    /// Forgets the last game, so that the next one does not depend on it.
    pub(crate) fn forget(&mut self) {
        self.search.clear().expect("a table can be cleared");
    }
}

/// The number of random plies in front of a game.
const OPENING_PLIES: u64 = 8;
/// An opening is given up if either side is ahead by more than this.
const BALANCED: i32 = 120;
/// A game is decided when both sides see at least this much for the same side, this many plies in a row.
const DECIDED: (i32, u32) = (800, 5);
/// A game that goes on for longer is drawn.
const LONGEST: u32 = 300;

/// The opening that belongs to a seed: the first balanced one among random ones.
pub(crate) fn opening(seed: u64, judge: &mut Player) -> Board {
    for attempt in 0.. {
        let mut board = Board::default();
        // One ply more in half of them, so that either side may begin.
        let plies = OPENING_PLIES + (mix(seed ^ attempt << 40) & 1);
        for ply in 0..plies {
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            let random = mix(mix(seed.wrapping_add(attempt << 40)) ^ ply);
            board = board.play(moves[(random % moves.len() as u64) as usize]);
        }
        judge.forget();
        let value = judge.think(&board).value.map(score);
        if !legal_moves(&board).is_empty() && value.is_some_and(|value| value.abs() <= BALANCED) {
            return board;
        }
    }
    unreachable!("attempts do not run out")
}

/// A value as a number, wins far beyond everything else.
pub(crate) fn score(value: Value) -> i32 {
    match value.kind() {
        emtee::research::Kind::Score(score) => score,
        _ if value.wins_in().is_some() => 30_000,
        _ => -30_000,
    }
}

/// Plays a game and returns White's points: 1, 0.5 or 0. `seen` is shown every position with the move found.
pub(crate) fn game(
    start: &Board,
    mut choose: impl FnMut(&Board) -> Found<Move>,
    mut seen: impl FnMut(&Board, &Found<Move>),
) -> f32 {
    let mut board = start.clone();
    let mut keys = vec![board.key()];
    let mut agreed = 0i32; // plies in a row, positive for White
    for _ in 0..LONGEST {
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
        seen(&board, &found);
        let value = found.value.map_or(0, score) * if board.turn() == emtee::Side::First { 1 } else { -1 };
        agreed = match value {
            v if v >= DECIDED.0 => agreed.max(0) + 1,
            v if v <= -DECIDED.0 => agreed.min(0) - 1,
            _ => 0,
        };
        if agreed.unsigned_abs() >= DECIDED.1 {
            return if agreed > 0 { 1.0 } else { 0.0 };
        }
        board = board.play(m);
        keys.push(board.key());
    }
    0.5
}

/// The value at the horizon: everything loud played out. The same rule as the library's, asked for an exact value.
pub(crate) fn settled(weights: &Weights, board: &Board, mut alpha: i32, beta: i32) -> i32 {
    let mut moves = Moves::new();
    let quiescence = board.noisy_moves(&mut moves);
    let mut best = match quiescence {
        Quiescence::Quiet => return evaluate_with(weights, board),
        Quiescence::Optional => evaluate_with(weights, board),
        Quiescence::Forced => -30_000,
    };
    for m in moves.iter() {
        alpha = alpha.max(best);
        if best >= beta {
            break;
        }
        best = best.max(-settled(weights, &board.play(m), -beta, -alpha));
    }
    best
}

/// Does jobs 0 to `jobs` on so many threads, and returns the results in order.
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
                    job(&mut |at, result| done.push((at, result)), &next);
                    done
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no job panics")).collect()
    });
    results.sort_by_key(|(at, _)| *at);
    assert_eq!(results.len(), jobs);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Takes the next job, while there is one.
pub(crate) fn take(next: &AtomicUsize, jobs: usize) -> Option<usize> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    (at < jobs).then_some(at)
}
