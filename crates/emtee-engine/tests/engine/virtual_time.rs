//! Threads in virtual time: every run is the same, with the same counts.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use emtee::research::Options;
use emtee::{Algorithm, Budget, Builder, Evaluate, Found, Game, OwnEvaluation, Search, Selective, Size, player};
use emtee_engine::cluster::simulator::VirtualThreads;
use emtee_games::{chess, connect4, kalah, othello};

const VISIT: Duration = Duration::from_nanos(100);

/// A search whose threads run in virtual time, and their clock.
fn virtual_search<G: Game, E: Evaluate<G>>(threads: usize, builder: Builder<E>) -> (Search<G, E>, VirtualThreads) {
    let clock = VirtualThreads::new(threads, VISIT);
    let mut search = builder.threads(threads).build().unwrap();
    search.research().set_peers(Some(clock.peers())).unwrap();
    (search, clock)
}

fn visits(time: Duration) -> u64 {
    (time.as_nanos() / VISIT.as_nanos()) as u64
}

/// Leaves, nodes, cut nodes and the moves tried there; then the elapsed time and the threads' idle time, both in
/// visits.
fn counted<G: Game + Default>(
    algorithm: Algorithm,
    threads: usize,
    depth: u8,
    change: impl FnOnce(&mut Options),
) -> [u64; 6] {
    let builder = player(OwnEvaluation).deepen_by(1).algorithm(algorithm).table(Size::of_entries(1 << 12));
    let builder = builder.with(|options| options.share_from = 100).with(change);
    let (mut search, clock) = virtual_search(threads, builder);
    let counts = search.think(&G::default(), Budget::depth(depth)).unwrap().counts;
    let [time, idle] = [clock.time(), clock.idle()].map(visits);
    [counts.nbp, counts.nodes(), counts.cut_nodes, counts.moves_at_cuts, time, idle]
}

/// The counts depend on which thread defers a move, which thread stops because another one was faster, and which
/// threads then wait.
#[test]
fn threads_in_virtual_time_have_known_counts() {
    let selective = |options: &mut Options| options.mode = chess::Board::TUNING.selective.into();
    let rows: [(&str, [u64; 6]); 4] = [
        ("connect4", counted::<connect4::Board>(Algorithm::MtdF, 4, 8, |_| ())),
        ("kalah, baseline", counted::<kalah::Board>(Algorithm::BASELINE, 3, 7, |_| ())),
        ("othello", counted::<othello::Board>(Algorithm::MtdF, 2, 6, |_| ())),
        ("chess, selective", counted::<chess::Board>(Algorithm::MtdF, 3, 8, selective)),
    ];
    let text: String = rows.iter().map(|(name, counts)| format!("{name}: {counts:?}\n")).collect();
    assert_eq!(text, EXPECTED, "if this is meant, say so in the commit");
}

const EXPECTED: &str = "\
connect4: [2734, 6376, 1667, 1897, 1746, 558]
kalah, baseline: [900, 1851, 556, 617, 736, 346]
othello: [430, 1266, 340, 476, 811, 350]
chess, selective: [2493, 11914, 888, 1153, 4188, 497]
";

#[test]
fn more_threads_take_less_time_and_every_run_the_same() {
    let run = |threads: usize| {
        let (mut search, clock) = virtual_search(threads, player(OwnEvaluation));
        let found: Found<_> = search.think(&connect4::Board::default(), Budget::depth(9)).unwrap();
        (found.value, found.counts, clock.time(), clock.idle())
    };
    let (value, counts, time, idle) = run(1);
    // One thread never waits, and its time is its visits, except the last ones of each pass.
    assert!(idle.is_zero() && (counts.nodes() - 40..=counts.nodes()).contains(&visits(time)), "{counts:?} {time:?}");
    let (first, again) = (run(4), run(4));
    assert_eq!(first, again);
    assert_eq!(first.0, value);
    assert!(first.2 < time * 2 / 3, "{:?}, one thread {time:?}", first.2);
}

#[test]
fn threads_keep_to_a_node_limit() {
    let builder = player(OwnEvaluation).principal_variation(false).with(|options| options.share_from = 100);
    let (mut search, _clock) = virtual_search(3, builder);
    for nodes in [2_000, 5_000, 20_000] {
        search.clear().unwrap();
        let found = search.think(&connect4::Board::default(), Budget::nodes(nodes)).unwrap();
        assert!(!found.complete);
        // Visits that were ended by the stop or by a faster thread are not counted.
        assert!((nodes * 9 / 10..nodes + 3).contains(&found.counts.nodes()), "{nodes}: {}", found.counts.nodes());
    }
}

/// Panics in one of its evaluations.
struct PanicsAt(Arc<AtomicU64>);

const PANIC: &str = "this evaluation panics on purpose";

impl<G: Game> Evaluate<G> for PanicsAt {
    fn evaluate(&self, n: &G) -> i32 {
        assert!(self.0.fetch_sub(1, Relaxed) != 1, "{PANIC}");
        n.evaluate()
    }
}

/// A panic in the middle of a pass by two threads does not affect the next search.
#[test]
fn a_panic_does_not_affect_the_next_search() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let text = info.payload_as_str().unwrap_or_default();
        if text != PANIC && text != "a scoped thread panicked" {
            default(info);
        }
    }));
    let board: chess::Board = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -".parse().unwrap();
    for selective in [Selective::NONE, chess::Board::TUNING.selective] {
        let [deep, depth] = if selective.is_on() { [9, 6] } else { [3, 3] };
        let found = |fuses: &[u64]| {
            let fuse = Arc::new(AtomicU64::new(0));
            let builder = player(PanicsAt(fuse.clone())).selective(selective).deepen_by(1);
            let (mut search, _clock) = virtual_search(2, builder.with(|options| options.share_from = 50));
            for &fuse_length in fuses {
                fuse.store(fuse_length, Relaxed);
                let result = panic::catch_unwind(AssertUnwindSafe(|| search.think(&board, Budget::depth(deep))));
                assert!(result.is_err(), "{fuse_length}");
            }
            fuse.store(0, Relaxed);
            search.clear().unwrap();
            let found = search.think(&board, Budget::depth(depth)).unwrap();
            (found.value, found.best_move, found.pv.clone(), found.counts)
        };
        assert_eq!(found(&[3, 200, 1_500, 2_500]), found(&[]), "{selective}");
    }
}
