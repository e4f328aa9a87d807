//! The transport between the ranks of a search, by MPI.
//!
//! Packets are sent through MPI's own buffer, which is large enough for all packets that can be in flight: no sender waits for
//! a receiver, so two ranks that send to each other cannot deadlock. Only the first thread of a rank sends and receives.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, MatchedReceiveVec, Source};

use crate::program::complain;
use emtee_engine::cluster::protocol::{MAX_PACKET_WORDS, SEND_WINDOW, Transport};

/// The MPI tag of packets.
const PACKET_TAG: i32 = 1;

/// Room for the results of passes, of which a search has some hundreds, and for acknowledgements.
const OTHER_PACKETS: usize = 1 << 13;

/// The size of MPI's buffer in bytes, for this many ranks: full send windows, and the other packets.
pub(crate) fn buffer_size(ranks: usize) -> usize {
    let overhead = 256;
    let per_rank =
        SEND_WINDOW as usize * (8 * MAX_PACKET_WORDS + overhead) + OTHER_PACKETS * (16 + overhead) / ranks.max(8) * 8;
    ranks * per_rank
}

/// The connection to the other ranks.
#[derive(Debug)]
pub(crate) struct MpiTransport {
    rank: usize,
    size: usize,
    patience: Duration,
    start: Instant,
    /// The sleep for each visit, and the nanoseconds slept so far.
    rest: Duration,
    rested: AtomicU64,
    liveness: Mutex<Liveness>,
}

/// The times of the last check, of the last packet from each rank, and of the last heartbeat to the watched ranks.
#[derive(Debug)]
struct Liveness {
    checked: Instant,
    received: Vec<Instant>,
    sent: Instant,
}

impl MpiTransport {
    pub(crate) fn new(rank: usize, size: usize, patience: Duration) -> MpiTransport {
        let now = Instant::now();
        let liveness = Mutex::new(Liveness { checked: now, received: vec![now; size], sent: now });
        MpiTransport { rank, size, patience, start: now, rest: Duration::ZERO, rested: AtomicU64::new(0), liveness }
    }

    /// A rank that sleeps after each visit leaves its core to others, so that more ranks than cores run as if each
    /// had a core.
    pub(crate) fn resting(self, rest: Duration) -> MpiTransport {
        MpiTransport { rest, ..self }
    }

    /// The time this rank has slept.
    pub(crate) fn rested(&self) -> Duration {
        Duration::from_nanos(self.rested.load(Relaxed))
    }

    fn liveness(&self) -> MutexGuard<'_, Liveness> {
        self.liveness.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ranks that this one watches, and that watch it: rank 0 and every other rank watch each other.
    fn watched_ranks(&self) -> std::ops::Range<usize> {
        if self.rank == 0 { 1..self.size } else { 0..1 }
    }
}

impl Transport for MpiTransport {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn send(&self, to: usize, packet: &[u64], _may_be_lost: bool) {
        SimpleCommunicator::world().process_at_rank(to as i32).buffered_send_with_tag(packet, PACKET_TAG);
    }

    fn receive(&self) -> Option<(usize, Vec<u64>)> {
        let world = SimpleCommunicator::world();
        let probed = world.any_process().immediate_matched_probe_with_tag(PACKET_TAG)?;
        let (packet, status) = probed.matched_receive_vec();
        let from = status.source_rank() as usize;
        self.liveness().received[from] = Instant::now();
        Some((from, packet))
    }

    fn visited(&self, _thread: usize, visits: u64) {
        if !self.rest.is_zero() {
            let began = Instant::now();
            std::thread::sleep(self.rest.mul_f64(visits as f64));
            self.rested.fetch_add(began.elapsed().as_nanos() as u64, Relaxed);
        }
    }

    fn wait(&self) {
        std::thread::sleep(Duration::from_micros(20));
    }

    fn check_alive(&self) {
        let mut liveness = self.liveness();
        let (now, interval) = (Instant::now(), (self.patience / 16).min(Duration::from_millis(250)));
        if now.duration_since(liveness.checked) < interval {
            return;
        }
        // If this rank itself did not run for a while, it has not read its packets either.
        let stalled = now.duration_since(liveness.checked).saturating_sub(interval);
        liveness.checked = now;
        if now.duration_since(liveness.sent) > self.patience / 8 {
            liveness.sent = now;
            self.watched_ranks().for_each(|to| self.send(to, &[0], true));
        }
        for rank in self.watched_ranks() {
            if now.duration_since(liveness.received[rank]) > self.patience + stalled {
                let (own, seconds) = (self.rank, self.patience.as_secs());
                complain(&format!("rank {rank} has been silent for {seconds} seconds; rank {own} ends the search"), 1);
                SimpleCommunicator::world().abort(1);
            }
        }
    }
}

/// Discards the packets that arrive after the end of a search.
pub(crate) fn drain() {
    let mut last = Instant::now();
    while last.elapsed() < Duration::from_millis(5) {
        match SimpleCommunicator::world().any_process().immediate_matched_probe_with_tag(PACKET_TAG) {
            Some(probed) => {
                let _: (Vec<u64>, _) = probed.matched_receive_vec();
                last = Instant::now();
            }
            None => std::thread::sleep(Duration::from_micros(200)),
        }
    }
}
