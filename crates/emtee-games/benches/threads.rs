//! Parallel search: emtee compared with `minimax`'s `ParallelSearch`, to a fixed depth with the same rules and evaluation.
//!
//! ```text
//! cargo bench -p emtee-games --bench threads [-- THREADS]
//! ```
//!
//! Measured is wall time, so the machine must be idle. The default is two threads. Runs are interleaved, and medians are
//! reported. Tables are created and touched before the measurement. `minimax` runs with several options that search the
//! full tree (no null move, no singular extension), and the fastest counts.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use emtee::{Budget, Evaluate, Game, Grain, Moves, Outcome, OwnEvaluation, Size, player};
use emtee_games::{connect4, othello};
use minimax::{Evaluation, IterativeOptions, ParallelOptions, ParallelSearch, Strategy, Winner};

/// A game for `minimax`.
struct Rules<G>(PhantomData<G>);

impl<G: Game<Move: Eq> + 'static> minimax::Game for Rules<G> {
    type S = G;
    type M = G::Move;

    fn generate_moves(board: &G, moves: &mut Vec<G::Move>) -> Option<Winner> {
        if let Some(winner) = Self::get_winner(board) {
            return Some(winner);
        }
        let mut list = Moves::new();
        board.moves(&mut list);
        moves.extend(list.iter());
        None
    }
    fn apply(board: &mut G, m: G::Move) -> Option<G> {
        Some(board.play(m))
    }
    fn get_winner(board: &G) -> Option<Winner> {
        board.outcome().map(|outcome| match outcome {
            Outcome::Points(..=-1) | Outcome::Lost => Winner::PlayerJustMoved,
            Outcome::Points(1..) | Outcome::Won => Winner::PlayerToMove,
            _ => Winner::Draw,
        })
    }
    fn zobrist_hash(board: &G) -> u64 {
        emtee::mix(board.key())
    }
    fn table_index(_: G::Move) -> u16 {
        0
    }
    fn max_table_index() -> u16 {
        1
    }
}

/// The same evaluation for `minimax`.
struct SameEvaluation<G>(PhantomData<G>);

impl<G> Clone for SameEvaluation<G> {
    fn clone(&self) -> Self {
        SameEvaluation(PhantomData)
    }
}

impl<G: Game<Move: Eq> + 'static> minimax::Evaluator for SameEvaluation<G> {
    type G = Rules<G>;
    fn evaluate(&self, board: &G) -> Evaluation {
        rounded::<G>().evaluate(board) as Evaluation
    }
}

/// The evaluation rounded to the grain of the game.
fn rounded<G: Game>() -> Grain<OwnEvaluation> {
    Grain { grain: G::TUNING.grain, evaluator: OwnEvaluation }
}

/// The size of a table in bytes.
const TABLE: usize = 64 << 20;
const ROUNDS: usize = 5;

/// The wall time of one search by emtee.
fn emtee_time<G: Game>(start: &G, depth: u8, threads: usize, step: u8) -> Duration {
    let builder = player(rounded::<G>()).table(Size::of_bytes(TABLE)).threads(threads).deepen_by(step);
    let mut search = builder.principal_variation(false).build().expect("a table of this size");
    search.touch_table();
    start.evaluate();
    let started = Instant::now();
    search.think(start, Budget::depth(depth)).expect("a search");
    started.elapsed()
}

/// The wall time of one search by `minimax`.
fn minimax_time<G: Game<Move: Eq> + 'static>(
    start: &G,
    depth: u8,
    options: IterativeOptions,
    parallel: ParallelOptions,
) -> Duration {
    let mut search =
        ParallelSearch::new(SameEvaluation::<G>(PhantomData), options.with_table_byte_size(TABLE), parallel);
    search.set_max_depth(depth);
    let started = Instant::now();
    search.choose_move(start);
    started.elapsed()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}

fn compare<G: Game<Move: Eq> + 'static>(name: &str, start: &G, depth: u8, threads: usize) {
    let plain = IterativeOptions::new();
    let choices = [
        ("PVS", plain, 1),
        ("PVS, serial below 3", plain, 3),
        ("PVS, two plies per iteration", plain.with_double_step_increment(), 1),
        ("PVS, two plies per iteration, serial below 3", plain.with_double_step_increment(), 3),
        ("MTD(f)", plain.with_mtdf(), 1),
    ];
    let (mut emtee, mut double_step, mut one_thread, mut minimax) =
        (Vec::new(), Vec::new(), Vec::new(), vec![Vec::new(); choices.len()]);
    for _ in 0..ROUNDS {
        emtee.push(emtee_time(start, depth, threads, 1));
        double_step.push(emtee_time(start, depth, threads, 2));
        one_thread.push(emtee_time(start, depth, 1, 1));
        for (times, (_, options, serial)) in minimax.iter_mut().zip(&choices) {
            let parallel = ParallelOptions::new().with_num_threads(threads).with_serial_cutoff_depth(*serial);
            times.push(minimax_time(start, depth, *options, parallel));
        }
    }
    let (emtee, double_step, one_thread) = (median(emtee), median(double_step), median(one_thread));
    println!("\n{name}, depth {depth}: seconds, medians of {ROUNDS} interleaved runs");
    println!("{:<52} {one_thread:>8.4}", "emtee, 1 thread");
    println!("{:<52} {emtee:>8.4}", format!("emtee, {threads} threads"));
    println!("{:<52} {double_step:>8.4}", format!("emtee, two plies per iteration, {threads} threads"));
    let mut best = f64::INFINITY;
    for (times, (options, ..)) in minimax.into_iter().zip(&choices) {
        let time = median(times);
        best = best.min(time);
        println!("{:<52} {time:>8.4}", format!("minimax {options}, {threads} threads"));
    }
    println!("best minimax / best emtee: {:.2}×", best / emtee.min(double_step));
}

fn main() {
    let threads = std::env::args().find_map(|threads| threads.parse().ok()).unwrap_or(2);
    compare("Connect Four", &connect4::Board::default(), 17, threads);
    let middlegame: othello::Board = othello::paper_set()[0].text.parse().expect("a position of the set");
    compare("Othello", &middlegame, 12, threads);
}
