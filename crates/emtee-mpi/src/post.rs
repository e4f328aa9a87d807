//! Letters by MPI.
//!
//! They are sent with MPI's own buffer, which is large enough for all that may be on their way: nobody waits for a reader, and
//! two ranks that write to each other cannot wait for one another. The first thread of a rank alone writes and reads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, MatchedReceiveVec, Source};

use crate::program::complain;
use emtee_engine::cluster::mail::{MOST_WORDS, Transport, WINDOW};

/// Letters have a tag of their own.
const LETTER: i32 = 1;

/// Room for answers of passes, of which there are some hundreds in a search, and for confirmations.
const OTHER_LETTERS: usize = 1 << 13;

/// The bytes of MPI's buffer for so many ranks: all letters of a window, and the others.
pub(crate) fn buffer(ranks: usize) -> usize {
    let overhead = 256;
    let each = WINDOW as usize * (8 * MOST_WORDS + overhead) + OTHER_LETTERS * (16 + overhead) / ranks.max(8) * 8;
    ranks * each
}

/// The way to the other ranks.
#[derive(Debug)]
pub(crate) struct MpiPost {
    rank: usize,
    size: usize,
    patience: Duration,
    start: Instant,
    /// How long a rank rests for each visit, and for how many nanoseconds it has.
    rest: Duration,
    rested: AtomicU64,
    watched: Mutex<Watched>,
}

/// When each rank was last heard of, and told that this one lives.
#[derive(Debug)]
struct Watched {
    looked: Instant,
    heard: Vec<Instant>,
    told: Instant,
}

impl MpiPost {
    pub(crate) fn new(rank: usize, size: usize, patience: Duration) -> MpiPost {
        let now = Instant::now();
        let watched = Watched { looked: now, heard: vec![now; size], told: now };
        let (rest, rested) = (Duration::ZERO, AtomicU64::new(0));
        MpiPost { rank, size, patience, start: now, rest, rested, watched: Mutex::new(watched) }
    }

    /// In slow motion: a rank that rests for so long after each visit leaves its core to others, so that more ranks than there
    /// are cores are no worse off than with one each.
    pub(crate) fn resting(self, rest: Duration) -> MpiPost {
        MpiPost { rest, ..self }
    }

    /// For how long this rank has rested.
    pub(crate) fn rested(&self) -> Duration {
        Duration::from_nanos(self.rested.load(Relaxed))
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ranks that this one watches, and that watch it: everybody and rank 0.
    fn partners(&self) -> std::ops::Range<usize> {
        if self.rank == 0 { 1..self.size } else { 0..1 }
    }
}

impl Transport for MpiPost {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn send(&self, to: usize, letter: &[u64], _may_be_lost: bool) {
        SimpleCommunicator::world().process_at_rank(to as i32).buffered_send_with_tag(letter, LETTER);
    }

    fn receive(&self) -> Option<(usize, Vec<u64>)> {
        let world = SimpleCommunicator::world();
        let probed = world.any_process().immediate_matched_probe_with_tag(LETTER)?;
        let (letter, status) = probed.matched_receive_vec();
        let from = status.source_rank() as usize;
        self.watched().heard[from] = Instant::now();
        Some((from, letter))
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

    fn watch(&self) {
        let mut watched = self.watched();
        let (now, often) = (Instant::now(), (self.patience / 16).min(Duration::from_millis(250)));
        if now.duration_since(watched.looked) < often {
            return;
        }
        // A rank that was itself asleep has heard nobody.
        let slept = now.duration_since(watched.looked).saturating_sub(often);
        watched.looked = now;
        if now.duration_since(watched.told) > self.patience / 8 {
            watched.told = now;
            self.partners().for_each(|to| self.send(to, &[0], true));
        }
        for rank in self.partners() {
            if now.duration_since(watched.heard[rank]) > self.patience + slept {
                let (own, seconds) = (self.rank, self.patience.as_secs());
                complain(&format!("rank {rank} has been silent for {seconds} seconds; rank {own} ends the search"), 1);
                SimpleCommunicator::world().abort(1);
            }
        }
    }
}

/// Reads what nobody will: letters that came after the end of a search.
pub(crate) fn drain() {
    let mut last = Instant::now();
    while last.elapsed() < Duration::from_millis(5) {
        match SimpleCommunicator::world().any_process().immediate_matched_probe_with_tag(LETTER) {
            Some(probed) => {
                let _: (Vec<u64>, _) = probed.matched_receive_vec();
                last = Instant::now();
            }
            None => std::thread::sleep(Duration::from_micros(200)),
        }
    }
}
