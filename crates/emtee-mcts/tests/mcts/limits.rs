//! Budgets, stops, seeds, levels, threads, and games that panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use emtee::research::{Iteration, Observer};
use emtee::{Budget, Clock, Error, Found, Level, MAX_THREADS, OwnEvaluation, Stop};
use emtee_games::connect4::Board;
use emtee_mcts::{Leaf, Mcts, Options};

fn mcts(options: Options) -> Mcts<Board, OwnEvaluation> {
    Mcts::new(OwnEvaluation, Options { leaf: Leaf::Rollout, ..options }).unwrap()
}

/// Everything but the times.
fn timeless<M: Copy>(mut found: Found<M>) -> Found<M> {
    found.time = Duration::ZERO;
    found.iterations.iter_mut().for_each(|iteration| iteration.time = Duration::ZERO);
    found
}

#[test]
fn nodes_are_simulations() {
    for nodes in [1, 2, 100, 1_234] {
        for threads in [1, 3] {
            let found = mcts(Options { threads, ..Options::default() }).think(&Board::default(), Budget::nodes(nodes));
            let found = found.unwrap();
            assert_eq!((found.counts.nbp, found.counts.nodes()), (nodes, nodes));
            assert!(found.best_move.is_some() && !found.complete);
        }
    }
}

#[test]
fn equal_seeds_give_equal_searches() {
    let think = |seed| {
        let found = mcts(Options { seed, ..Options::default() }).think(&Board::default(), Budget::nodes(3_000));
        timeless(found.unwrap())
    };
    assert_eq!(think(5), think(5));
    assert_ne!(think(5), think(6));
    let mut again = mcts(Options { seed: 5, ..Options::default() });
    again.think(&"44".parse().unwrap(), Budget::nodes(500)).unwrap();
    again.clear();
    assert_eq!(timeless(again.think(&Board::default(), Budget::nodes(3_000)).unwrap()), think(5));
}

#[test]
fn a_search_that_is_stopped_still_has_a_move() {
    for threads in [1, 2] {
        let mut stopped = mcts(Options { threads, ..Options::default() });
        stopped.set_stop(Some(Arc::new(AtomicBool::new(true)).into()));
        let found = stopped.think(&Board::default(), Budget::UNLIMITED).unwrap();
        assert!(found.best_move.is_some() && !found.complete && found.counts.nbp <= threads as u64);
        let stop = Stop::default();
        stop.now();
        stopped.set_stop(Some(stop));
        assert!(stopped.think(&Board::default(), Budget::UNLIMITED).unwrap().counts.nbp <= threads as u64);
    }
}

/// A clock that advances by a millisecond whenever it is read.
fn ticking() -> Duration {
    static TICKS: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(TICKS.fetch_add(1, Relaxed))
}

#[test]
fn the_time_is_checked_at_every_simulation() {
    let mut search = mcts(Options::default());
    let clock: Clock = ticking;
    search.set_clock(clock);
    let found = search.think(&Board::default(), Budget::ms(40)).unwrap();
    assert!((1..=40).contains(&found.counts.nbp), "{} simulations", found.counts.nbp);
}

#[test]
fn a_depth_is_the_length_of_the_principal_variation() {
    let found = mcts(Options::default()).think(&Board::default(), Budget::depth(5)).unwrap();
    assert!(found.complete && found.depth >= 5 && found.pv.len() >= 5);
    let error = mcts(Options::default()).think(&Board::default(), Budget::depth(251)).unwrap_err();
    assert_eq!(error, Error::BadDepth { depth: 251 });
}

#[test]
fn iterations_are_reported_as_the_simulations_double() {
    #[derive(Default)]
    struct Nodes(Vec<u64>);
    impl Observer<Board> for Nodes {
        fn iteration(&mut self, iteration: &Iteration<emtee_games::connect4::Column>) {
            assert!(iteration.best_move == iteration.pv.first().copied() && iteration.value.is_some());
            self.0.push(iteration.counts.nodes());
        }
    }
    let mut nodes = Nodes::default();
    let found = mcts(Options::default()).think_of(&Board::default(), &[], 1, Budget::nodes(1_000), &mut nodes).unwrap();
    assert_eq!(nodes.0, [64, 64, 128, 256, 488]);
    assert_eq!(found.iterations.len(), 5);
}

#[test]
fn levels_differ_in_simulations() {
    let mut before = 0;
    for level in 1..=10 {
        let level = Level::new(level).unwrap();
        let choose = |seed| {
            let mut search = mcts(Options::default());
            search.choose(&Board::default(), level, seed, Budget::UNLIMITED, &mut ()).unwrap()
        };
        let found = choose(3);
        assert_eq!(timeless(found.clone()), timeless(choose(3)));
        assert!(found.counts.nodes() > before);
        before = found.counts.nodes();
    }
}

#[test]
fn too_many_threads_are_refused() {
    let options = Options { threads: MAX_THREADS + 1, ..Options::default() };
    let error = Mcts::<Board, _>::new(OwnEvaluation, options).map(|_| ()).unwrap_err();
    assert_eq!(error, Error::TooManyThreads { threads: MAX_THREADS + 1, most: MAX_THREADS });
}

#[test]
fn threads_find_wins_together() {
    let wins: Board = "112233".parse().unwrap();
    let found = mcts(Options { threads: 4, ..Options::default() }).think(&wins, Budget::UNLIMITED).unwrap();
    assert!(found.complete);
    assert_eq!(found.value.unwrap().wins_in(), Some(1));
}

#[test]
fn a_panic_of_the_game_reaches_the_caller_and_the_search_can_be_used_again() {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    for threads in [1, 2] {
        let evaluator = |_: &Board| {
            assert_ne!(CALLS.fetch_add(1, Relaxed), 3_000, "a mistake in the evaluation");
            1
        };
        CALLS.store(0, Relaxed);
        let options = Options { threads, leaf: Leaf::Evaluation { plies: 0 }, ..Options::default() };
        let mut search = Mcts::new(evaluator, options).unwrap();
        let position = Board::default();
        let panic = catch_unwind(AssertUnwindSafe(|| search.think(&position, Budget::nodes(50_000)).is_ok()));
        assert!(panic.is_err(), "{threads} threads");
        let found = search.think(&position, Budget::nodes(1_000)).unwrap();
        assert!(found.best_move.is_some() && found.counts.nodes() == 1_000);
    }
}
