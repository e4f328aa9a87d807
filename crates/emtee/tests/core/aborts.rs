//! Stops after any number of nodes: every value and move reported is proved, and the table has no wrong entries.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use emtee::research::Keep;
use emtee::{Algorithm, Budget, Error, Found, OwnEvaluation, Poll, Size, player};

use crate::common::{Hashed, Rules, assert_right, minimax, worth};

const DEPTH: u8 = 5;

/// Asserts that what a stopped search reports is true.
fn assert_proved(n: &Hashed, found: &Found<u8>, context: &str) {
    match found.depth {
        0 => assert_eq!(found.value, None, "{context}"),
        depth => {
            let value = minimax(n, depth);
            match found.value {
                Some(found) => assert_eq!(found, value, "{context}"),
                None => assert!(found.f.contains(value), "{context}"),
            }
        }
    }
    let failed_high = found.unfinished.as_ref().and_then(|iteration| Some((iteration, iteration.best_move?)));
    match (failed_high, found.best_move) {
        (Some((iteration, m)), best) => {
            assert_eq!(best, Some(m), "{context}: the move proved better is the best move");
            assert!(worth(n, m, iteration.depth) >= iteration.f.lower, "{context}: a fail high that is not one");
            assert!(iteration.f.contains(minimax(n, iteration.depth)), "{context}: bounds of the unfinished iteration");
        }
        (None, Some(best)) => assert_eq!(worth(n, best, found.depth), minimax(n, found.depth), "{context}: the move"),
        (None, None) => assert_eq!(found.depth, 0, "{context}"),
    }
}

#[test]
fn a_search_can_be_stopped_after_any_number_of_nodes() {
    for (seed, entries) in [(3, 1 << 16), (4, 64), (5, 1)] {
        let n = Rules { seed, ..Rules::TREE }.root();
        for algorithm in Algorithm::ALL {
            for keep in [Keep::TwoBounds, Keep::OneBound] {
                let build = || {
                    let builder = player(OwnEvaluation).deepen_by(1).principal_variation(false).algorithm(algorithm);
                    let builder = if algorithm.is_oracle() {
                        builder
                    } else {
                        builder.table(Size::of_entries(entries)).with(|options| options.keep = Some(keep))
                    };
                    builder.build().unwrap()
                };
                let whole = build().think(&n, Budget::depth(DEPTH)).unwrap().counts.nodes();
                for nodes in 1..=whole {
                    let mut search = build();
                    let found = search.think(&n, Budget::depth(DEPTH).and_nodes(nodes)).unwrap();
                    let context =
                        format!("{algorithm}, {entries} entries, {keep:?}, stopped after {nodes} of {whole} nodes");
                    assert_eq!(found.complete, nodes == whole, "{context}");
                    assert!(found.counts.nodes() <= nodes, "{context}");
                    assert_proved(&n, &found, &context);
                    if nodes % 7 == 0 {
                        let again = search.think(&n, Budget::depth(DEPTH)).unwrap();
                        assert_right(&n, DEPTH, &again, &format!("{context}, then resumed"));
                    }
                }
            }
        }
    }
}

#[test]
fn a_search_in_slices_has_the_result_of_one_call() {
    for seed in 0..20 {
        let n = Rules { seed, ..Rules::TREE }.root();
        for algorithm in [Algorithm::MtdF, Algorithm::Sss, Algorithm::MtdBest(Default::default()), Algorithm::BASELINE]
        {
            for entries in [1, 1 << 12] {
                for slice in [1, 10, 200] {
                    let build =
                        || player(OwnEvaluation).algorithm(algorithm).table(Size::of_entries(entries)).build().unwrap();
                    let whole = build().think(&n, Budget::depth(4)).unwrap();
                    let mut search = build();
                    assert_eq!(search.poll(Budget::nodes(slice)).unwrap(), Poll::Idle);
                    search.start(&n, Budget::depth(4)).unwrap();
                    let sliced = loop {
                        match search.poll(Budget::nodes(slice)).unwrap() {
                            Poll::Done(found) => break found,
                            Poll::Thinking { depth, .. } => assert!(depth < 4),
                            Poll::Idle => panic!("the search is idle"),
                        }
                    };
                    let context = format!("{algorithm}, seed {seed}, {entries} entries, slices of {slice}");
                    assert_eq!(sliced.value, whole.value, "{context}");
                    assert_right(&n, 4, &sliced, &context);
                }
            }
        }
    }
}

/// A slice that finishes a pass keeps its node limit.
#[test]
fn slices_that_finish_a_pass_keep_their_limit() {
    let n = Rules { width: 8, spread: 1_000, ends: 0, ..Rules::TREE }.root();
    // With a table of one entry, every pass takes about as long as the first.
    let builder = || player(OwnEvaluation).algorithm(Algorithm::Sss).fixed_depth().table(Size::of_entries(1));
    let whole = builder().build().unwrap().think(&n, Budget::depth(6)).unwrap();
    let enough = whole.iterations[0].passes.iter().map(|pass| pass.counts.nodes()).max().unwrap();
    let mut search = builder().build().unwrap();
    search.start(&n, Budget::depth(6)).unwrap();
    let (mut before, mut slices) = (0, 0);
    while let Poll::Thinking { nodes, .. } = search.poll(Budget::nodes(enough)).unwrap() {
        assert!(nodes - before <= enough, "slice {slices}: {} for {enough}", nodes - before);
        (before, slices) = (nodes, slices + 1);
    }
    assert!(slices > 12, "{slices}");
}

#[test]
fn a_search_in_slices_can_be_stopped_between_two() {
    let n = Rules { seed: 9, width: 6, ends: 0, ..Rules::TREE }.root();
    let mut search = player(OwnEvaluation).build().unwrap();
    search.start(&n, Budget::depth(12)).unwrap();
    for _ in 0..50 {
        search.poll(Budget::nodes(20)).unwrap();
    }
    let found = search.stop().unwrap();
    assert!(!found.complete);
    assert_proved(&n, &found, "stopped between slices");
    assert_eq!(search.stop(), None);
}

#[test]
fn a_flag_stops_a_search() {
    let flag = Arc::new(AtomicBool::new(true));
    let n = Rules { seed: 9, width: 6, ends: 0, ..Rules::TREE }.root();
    let mut search = player(OwnEvaluation).stop(flag.clone()).build().unwrap();
    let found = search.think(&n, Budget::UNLIMITED).unwrap();
    assert!(!found.complete && found.best_move.is_none() && found.value.is_none());
    let (raised, started) = (flag.clone(), std::time::Instant::now());
    flag.store(false, Ordering::Relaxed);
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        raised.store(true, Ordering::Relaxed);
    });
    let found = search.think(&n, Budget::UNLIMITED).unwrap();
    stopper.join().unwrap();
    assert!(!found.complete && found.best_move.is_some());
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_time_limit_leaves_time_for_a_move() {
    /// A clock that advances by an hour at every call.
    fn fast_clock() -> Duration {
        static HOURS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        Duration::from_secs(3600 * HOURS.fetch_add(1, Ordering::Relaxed))
    }
    let n = Rules { seed: 9, ..Rules::TREE }.root();
    for algorithm in Algorithm::ALL {
        let mut search = player(OwnEvaluation).algorithm(algorithm).clock(fast_clock).build().unwrap();
        let found = search.think(&n, Budget::ms(1)).unwrap();
        assert_eq!(found.depth, 1, "{algorithm}");
        assert_proved(&n, &found, algorithm.name());
    }
}

#[test]
fn impossible_budgets_are_errors() {
    let n = Rules::TREE.root();
    let mut search = player(OwnEvaluation).build().unwrap();
    assert_eq!(search.think(&n, Budget::depth(0)).unwrap_err(), Error::BadDepth { depth: 0 });
    assert_eq!(search.think(&n, Budget::depth(255)).unwrap_err(), Error::BadDepth { depth: 255 });
    let mut fixed = player(OwnEvaluation).fixed_depth().build().unwrap();
    assert_eq!(fixed.think(&n, Budget::ms(1)).unwrap_err(), Error::NoDepth);
}
