//! Searches by several threads return the same values as searches by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use emtee::research::{Strategy, Widen};
use emtee::{Algorithm, Budget, Game, OwnEvaluation, Size, mix, player};
use emtee_games::{connect4, kalah, synthetic};

/// Algorithms that can use several threads.
const SHARED: [Algorithm; 8] = [
    Algorithm::MtdF,
    Algorithm::Sss,
    Algorithm::Dual,
    Algorithm::MtdBi,
    Algorithm::MtdGallop { step: 4 },
    Algorithm::NegaScout,
    Algorithm::AspirationNegaScout { width: 8, widen: Widen::Double },
    Algorithm::MtdBest(Strategy::ProveBest),
];

/// Searches a tree with several threads, and compares the value and that of the best move with plain minimax.
fn check(n: u64) {
    let pick = |what: u64, of: u64| mix(n << 8 | what) % of;
    let (depth, width) = (4 + pick(0, 3) as u8, 2 + pick(1, 3));
    let text = format!(
        "seed={} width={width} spread={} depth={depth} transpositions={} range={} ordering={}",
        n + 1,
        pick(2, 2),
        [0, 30, 80][pick(3, 3) as usize],
        [3, 50, 1000][pick(4, 3) as usize],
        [20, 75, 100][pick(5, 3) as usize],
    );
    let tree: synthetic::Position = text.parse().unwrap();
    let algorithm = SHARED[pick(6, 8) as usize];
    let threads = [2, 4, 8][pick(7, 3) as usize];
    let entries = [1 << 4, 1 << 8, 1 << 16][pick(8, 3) as usize];
    let mut team = player(OwnEvaluation)
        .algorithm(algorithm)
        .table(Size::of_entries(entries))
        .threads(threads)
        .with(|options| options.share_from = 0)
        .build()
        .unwrap();
    let found = team.think(&tree, Budget::depth(depth)).unwrap();
    let mut oracle = player(OwnEvaluation).algorithm(Algorithm::Minimax).fixed_depth().build().unwrap();
    let value = oracle.think(&tree, Budget::depth(depth)).unwrap().value;
    let worth = oracle.worth(&tree, found.best_move.unwrap(), Budget::depth(depth)).unwrap();
    assert!(found.complete && found.depth == depth, "{text}");
    assert_eq!(worth, value, "the move of {algorithm} with {threads} threads, {entries} entries: {text}");
    match algorithm {
        Algorithm::MtdBest(_) => assert!(found.f.lower <= value.unwrap() && value.unwrap() <= found.f.upper, "{text}"),
        _ => assert_eq!(found.value, value, "{algorithm}, {threads} threads, {entries} entries: {text}"),
    }
    assert_eq!(found.parallel.unwrap().threads, threads);
}

#[test]
fn ten_thousand_searches_agree_with_minimax() {
    (0..10_000).for_each(check);
}

/// Games in which the same side can move again, and wins with their distance.
#[test]
fn the_value_does_not_depend_on_the_number_of_threads() {
    fn same<G: Game>(start: G, depth: u8) {
        for algorithm in [Algorithm::MtdF, Algorithm::BASELINE] {
            let value = |threads: usize| {
                let mut ai = player(OwnEvaluation)
                    .algorithm(algorithm)
                    .threads(threads)
                    .with(|options| options.share_from = 10)
                    .build()
                    .unwrap();
                ai.think(&start, Budget::depth(depth)).unwrap().value
            };
            let one = value(1);
            assert_eq!([2, 3, 8].map(value), [one; 3], "{algorithm}");
        }
    }
    same(kalah::Board::default(), 8);
    same(connect4::Board::default(), 11);
    same("44444432".parse::<connect4::Board>().unwrap(), 13);
}

#[test]
fn limits_hold_for_all_threads_together() {
    let mut ai = player(OwnEvaluation).threads(4).build::<connect4::Board>().unwrap();
    for nodes in [1, 100, 3_000, 50_000] {
        ai.clear().unwrap();
        let found = ai.think(&connect4::Board::default(), Budget::nodes(nodes)).unwrap();
        // Each thread checks the limits every 64 visits.
        assert!(!found.complete && found.counts.nodes() <= nodes + 4 * 64, "{nodes}: {}", found.counts.nodes());
    }
    let stop = Arc::new(AtomicBool::new(false));
    let mut ai = player(OwnEvaluation).threads(4).stop(stop.clone()).build::<connect4::Board>().unwrap();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        stop.store(true, Relaxed);
    });
    let found = ai.think(&connect4::Board::default(), Budget::UNLIMITED).unwrap();
    assert!(!found.complete && found.best_move.is_some());
    stopper.join().unwrap();
}

#[test]
fn algorithms_without_threads_are_refused() {
    let refusal = |algorithm, threads| {
        let built = player(OwnEvaluation).algorithm(algorithm).threads(threads).build::<connect4::Board>();
        built.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(
        refusal(Algorithm::Minimax, 2),
        "minimax searches on one thread; choose an MT driver or NegaScout for more"
    );
    assert!(refusal(Algorithm::AlphaBeta, 3).contains("one thread"));
    assert_eq!(refusal(Algorithm::MtdF, 1_000), "1000 threads are too many; choose 1 to 256");
    assert_eq!(refusal(Algorithm::AlphaBeta, 1), "");
}
