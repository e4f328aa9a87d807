//! One search on many cores.
//!
//! A pass has one γ for the whole tree, so there are no windows to pass on: every thread makes the same pass from the
//! root, and the table is all they share. What one has found the others find there. Two rules keep them apart:
//!
//! * a child that another thread is at is put off until the others of its node are done ([`Busy`], [`together`]), which is the idea
//!   of ABDADA, and
//! * a thread goes back to the first node on its way that the table can answer for by now, because another has been faster
//!   ([`Open`]).
//!
//! Who comes home first has the answer of the pass, and the others stop. Each thread's value is proved by what it has seen
//! itself or found in the table, and a table entry is a fact about a position and a depth: so the value is that of one
//! thread, to the last point, however many there are and however they are scheduled. The counts are not.

// Without the standard library there are no threads, and nobody asks for any of this.
#![cfg_attr(not(feature = "std"), allow(dead_code))]

mod busy;
#[cfg(feature = "std")]
mod conductor;
#[cfg(feature = "std")]
mod crew;
mod open;
mod together;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use core::time::Duration;

pub(crate) use busy::{Busy, Mark};
#[cfg(feature = "std")]
pub(crate) use conductor::Conductor;
pub(crate) use open::Open;

use crate::game::Moves;
use crate::ordering::Memory;
use crate::selective::{Selective, Sieve};
use crate::stats::Tally;

/// The most threads of one search.
pub const MAX_THREADS: usize = 256;

/// Nodes less deep than this are too small to be shared.
pub(crate) const LEAST_SHARED: u8 = 2;

/// How the threads of a search keep out of each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sharing {
    /// Children that others are at come last.
    #[default]
    Deferring,
    /// The table alone: helpers try the moves after the first in an order of their own.
    TableOnly,
}

/// How a search with several threads went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Teamwork {
    /// How many threads there were.
    pub threads: usize,
    /// How long they had nothing to do, all of them together, the time that one searched alone included.
    pub idle: Duration,
    /// How long the search would have taken with a core for each thread, by the virtual clock.
    pub virtual_time: Option<Duration>,
}

/// What the threads of a search share besides its table.
pub(crate) struct Team {
    pub(crate) busy: Busy,
    pub(crate) sharing: Sharing,
    /// Some thread has the answer of the pass, or there will be none.
    pub(crate) done: AtomicBool,
    /// Visits of all threads in this pass, and how many there may be.
    pub(crate) nodes: AtomicU64,
    pub(crate) most_nodes: AtomicU64,
    /// Nanoseconds that threads have waited.
    pub(crate) idle: AtomicU64,
    #[cfg(feature = "std")]
    pub(crate) conductor: Option<Conductor>,
    pub(crate) threads: usize,
}

impl Team {
    pub(crate) fn new(threads: usize, sharing: Sharing) -> Team {
        Team {
            busy: Busy::new(),
            sharing,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            most_nodes: AtomicU64::new(u64::MAX),
            idle: AtomicU64::new(0),
            #[cfg(feature = "std")]
            conductor: None,
            threads,
        }
    }

    /// Whether children that others are at are put off at a node of this depth.
    #[inline]
    pub(crate) fn defers(&self, depth: u8) -> bool {
        self.sharing == Sharing::Deferring && depth > LEAST_SHARED
    }

    /// Threads take turns by a virtual clock, if a visit has a length.
    pub(crate) fn rehearse(&mut self, visit: Option<Duration>) {
        #[cfg(feature = "std")]
        {
            self.conductor = visit.map(|visit| Conductor::new(self.threads, visit));
        }
        let _ = visit;
    }

    /// A search begins.
    pub(crate) fn reset(&mut self) {
        *self.idle.get_mut() = 0;
        #[cfg(feature = "std")]
        if let Some(conductor) = &self.conductor {
            conductor.reset();
        }
    }

    /// How the search went.
    pub(crate) fn report(&self) -> Teamwork {
        let idle = Duration::from_nanos(self.idle.load(Relaxed));
        #[cfg(feature = "std")]
        if let Some((time, idle)) = self.conductor.as_ref().map(Conductor::time) {
            return Teamwork { threads: self.threads, idle, virtual_time: Some(time) };
        }
        Teamwork { threads: self.threads, idle, virtual_time: None }
    }
}

/// What a helper needs of its own.
pub(crate) struct Hand<M> {
    pub(crate) moves: Moves<M>,
    pub(crate) memory: Memory,
    pub(crate) sieve: Sieve,
    pub(crate) tally: Tally,
    pub(crate) game: Option<Vec<u64>>,
}

impl<M> Hand<M> {
    pub(crate) fn new(selective: Selective, room: usize) -> Hand<M> {
        Hand {
            moves: Moves { list: Vec::with_capacity(room) },
            memory: Memory::new(),
            sieve: Sieve::new(selective),
            tally: Tally::new(),
            game: None,
        }
    }
}

/// The helpers of a search.
pub(crate) type Hands<M> = Box<[Hand<M>]>;
