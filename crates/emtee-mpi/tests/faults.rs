//! With lost, duplicated and late packets the value is still that of minimax: ten thousand trees in virtual time.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use emtee_engine::cluster::protocol::RankPeer;
use emtee_engine::cluster::simulator::{Cores, Faults, Network, Simulation};
use emtee_mpi::verify::{Answer, Case};

const NETWORK: Network = Network {
    latency: Duration::from_micros(10),
    bandwidth: 1e9,
    packet_cost: Duration::from_micros(1),
    message_cost: Duration::from_nanos(50),
};

const VISIT: Duration = Duration::from_nanos(500);

/// Searches a case on simulated ranks. Returns the answers of all ranks, the number of packets and the virtual time.
fn search(case: &Case, ranks: usize, faults: Faults) -> (Vec<Answer>, u64, Duration) {
    search_in(case, ranks, Simulation::new(ranks, case.threads(), VISIT, NETWORK, faults))
}

fn search_in(case: &Case, ranks: usize, simulation: Arc<Simulation>) -> (Vec<Answer>, u64, Duration) {
    let answers = thread::scope(|scope| {
        let searches: Vec<_> = (0..ranks)
            .map(|rank| {
                let simulation = &simulation;
                scope.spawn(move || {
                    let peers = Arc::new(RankPeer::new(simulation.enter(rank), 0, Arc::default()).eager());
                    let found = case.search(peers.clone()).unwrap();
                    peers.transport().leave();
                    found
                })
            })
            .collect();
        searches.into_iter().map(|search| search.join().unwrap()).collect()
    });
    let (time, packets, _) = simulation.report();
    (answers, packets, time)
}

#[test]
fn ten_thousand_trees_with_lost_duplicated_and_late_packets() {
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    thread::scope(|scope| {
        for part in 0..threads {
            scope.spawn(move || {
                for n in (part..10_000).step_by(threads as usize) {
                    let case = Case::new(n, 6);
                    let faults = Faults {
                        lost: [0.0, 0.1, 0.9][n as usize % 3],
                        duplicated: [0.0, 0.5][n as usize / 3 % 2],
                        max_delay: Duration::from_micros([0, 100, 10_000][n as usize / 6 % 3]),
                        seed: n,
                    };
                    let ranks = 2 + n as usize % 3;
                    let (answers, ..) = search(&case, ranks, faults);
                    for answer in answers {
                        case.check(answer).unwrap_or_else(|why| panic!("{ranks} ranks, {faults:?}: {why}"));
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
        let ranks = |ranks: usize| search(&case, ranks, Faults::default());
        assert_eq!(ranks(3), ranks(3), "{}", case.text);
    }
}

#[test]
fn more_ranks_take_less_virtual_time() {
    let time = |ranks| search(&Case::large(), ranks, Faults::default()).2;
    let (one, four) = (time(1), time(4));
    assert!(4 * four < 3 * one, "one rank takes {one:?}, four take {four:?}");
}

#[test]
fn ranks_that_share_cores_take_turns() {
    let case = Case::large();
    let on = |number| {
        let cores = Cores { number, slice: Duration::from_micros(100) };
        let found = search_in(&case, 4, Simulation::on_cores(4, cores, VISIT, NETWORK));
        found.0.into_iter().for_each(|answer| case.check(answer).unwrap());
        (found.1, found.2)
    };
    let ((_, one), (_, two), four) = (on(1), on(2), on(4));
    let (_, packets, free) = search(&case, 4, Faults::default());
    assert_eq!(four, (packets, free), "with a core for each, no rank waits for one");
    assert!(free < two && two < one, "four cores {free:?}, two {two:?}, one {one:?}");
    // Four ranks on one core are no faster than one rank on it.
    let alone = search(&case, 1, Faults::default()).2;
    assert!(one > alone, "four ranks take {one:?} on a core, and one takes {alone:?}");
}
