//! Whatever happens to the mail, the value is that of minimax: ten thousand trees in virtual time.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use emtee_engine::cluster::mail::Correspondent;
use emtee_engine::cluster::simulator::{Cores, Disorder, Network, World};
use emtee_mpi::verify::{Answer, Case};

const NETWORK: Network = Network {
    latency: Duration::from_micros(10),
    bandwidth: 1e9,
    letter: Duration::from_micros(1),
    note: Duration::from_nanos(50),
};

const VISIT: Duration = Duration::from_nanos(500);

/// Searches a case on simulated ranks. Returns what all found, and how many letters they wrote.
fn search(case: &Case, ranks: usize, disorder: Disorder) -> (Vec<Answer>, u64, Duration) {
    search_in(case, ranks, World::new(ranks, case.threads(), VISIT, NETWORK, disorder))
}

fn search_in(case: &Case, ranks: usize, world: Arc<World>) -> (Vec<Answer>, u64, Duration) {
    let answers = thread::scope(|scope| {
        let searches: Vec<_> = (0..ranks)
            .map(|rank| {
                let world = &world;
                scope.spawn(move || {
                    let peers = Arc::new(Correspondent::new(world.enter(rank), 0, Arc::default()).eager());
                    let found = case.search(peers.clone()).unwrap();
                    peers.transport().leave();
                    found
                })
            })
            .collect();
        searches.into_iter().map(|search| search.join().unwrap()).collect()
    });
    let (time, letters, _) = world.report();
    (answers, letters, time)
}

#[test]
fn ten_thousand_trees_with_mail_lost_doubled_and_late() {
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    thread::scope(|scope| {
        for part in 0..threads {
            scope.spawn(move || {
                for n in (part..10_000).step_by(threads as usize) {
                    let case = Case::new(n, 6);
                    let disorder = Disorder {
                        lost: [0.0, 0.1, 0.9][n as usize % 3],
                        doubled: [0.0, 0.5][n as usize / 3 % 2],
                        late: Duration::from_micros([0, 100, 10_000][n as usize / 6 % 3]),
                        seed: n,
                    };
                    let ranks = 2 + n as usize % 3;
                    let (answers, ..) = search(&case, ranks, disorder);
                    for answer in answers {
                        case.check(answer).unwrap_or_else(|why| panic!("{ranks} ranks, {disorder:?}: {why}"));
                    }
                }
            });
        }
    });
}

#[test]
fn virtual_time_is_the_same_on_every_run() {
    for n in 0..30 {
        let case = Case::new(n, 6);
        let ranks = |ranks: usize| search(&case, ranks, Disorder::default());
        assert_eq!(ranks(3), ranks(3), "{}", case.text);
    }
}

#[test]
fn more_ranks_take_less_virtual_time() {
    let time = |ranks| search(&Case::large(), ranks, Disorder::default()).2;
    let (one, four) = (time(1), time(4));
    assert!(4 * four < 3 * one, "one rank takes {one:?}, four take {four:?}");
}

#[test]
fn ranks_that_share_cores_take_turns() {
    let case = Case::large();
    let on = |number| {
        let cores = Cores { number, slice: Duration::from_micros(100) };
        let found = search_in(&case, 4, World::crowded(4, cores, VISIT, NETWORK));
        found.0.into_iter().for_each(|answer| case.check(answer).unwrap());
        (found.1, found.2)
    };
    let ((_, one), (_, two), four) = (on(1), on(2), on(4));
    let (_, letters, free) = search(&case, 4, Disorder::default());
    assert_eq!(four, (letters, free), "with a core for each, nobody waits for one");
    assert!(free < two && two < one, "four cores {free:?}, two {two:?}, one {one:?}");
    // Four ranks on one core are no faster than one rank on it.
    let alone = search(&case, 1, Disorder::default()).2;
    assert!(one > alone, "four ranks take {one:?} on a core, and one takes {alone:?}");
}
