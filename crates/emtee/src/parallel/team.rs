//! The threads of a search: what they share besides the table, and what each does at a node that others may be searching.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use core::time::Duration;

use super::peers::{Message, Peers, VISITING};
use super::{InProgress, LEAST_SHARED, Mark};
use crate::game::{Evaluate, Game};
use crate::key::mix;
use crate::memory::table::Table;
use crate::node::{Child, Cursor, Keyed, Node, Worker, child};
use crate::observer::Observer;

/// The most threads of one search.
pub const MAX_THREADS: usize = 256;

/// How many places a machine may move a later move back in its own order: any order where moves are few. Where they are many,
/// as in chess, the last are hardly ever of use.
const MOST_PLACES: u64 = 64;

/// How a search with several threads went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ParallelStats {
    /// How many threads there were.
    pub threads: usize,
    /// How long they had nothing to do, all of them together, the time that one searched alone included.
    pub idle: Duration,
}

/// What the threads of a search share besides its table.
pub(crate) struct Team {
    pub(super) threads: usize,
    pub(super) in_progress: InProgress,
    /// What is asked: who is at the same position with another question is no reason to put it off.
    pub(super) question: AtomicU64,
    /// Some thread has the answer of the pass, or there will be none.
    pub(super) done: AtomicBool,
    /// Visits of all threads in this pass, and how many there may be.
    pub(super) nodes: AtomicU64,
    pub(super) most_nodes: AtomicU64,
    /// Nanoseconds that threads have waited.
    pub(super) idle: AtomicU64,
    /// Other machines at work on the same search.
    pub(crate) peers: Option<Arc<dyn Peers>>,
}

impl Team {
    pub(crate) fn new(threads: usize, peers: Option<Arc<dyn Peers>>) -> Team {
        Team {
            threads,
            in_progress: InProgress::new(),
            question: AtomicU64::new(0),
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            most_nodes: AtomicU64::new(u64::MAX),
            idle: AtomicU64::new(0),
            peers,
        }
    }

    /// Whether this machine begins an iteration with the second half of the proof.
    pub(crate) fn asks_other_half(&self) -> bool {
        self.peers.as_ref().is_some_and(|peers| peers.number() % 2 == 1)
    }

    /// A position at a depth, in this pass.
    #[inline(always)]
    fn mark(&self, key: u64, depth: u8) -> Mark {
        Mark::new(key ^ self.question.load(Relaxed), depth)
    }

    /// What another machine has told.
    pub(super) fn take(&self, Message([key, data]): Message, table: &Table) {
        match data {
            VISITING => self.in_progress.enter(Mark(key)),
            _ => self.in_progress.leave(self.mark(key, table.absorb(key, data))),
        }
    }

    /// A search begins.
    pub(crate) fn reset(&mut self) {
        *self.idle.get_mut() = 0;
    }

    /// How the search went.
    pub(crate) fn report(&self) -> ParallelStats {
        ParallelStats { threads: self.threads, idle: Duration::from_nanos(self.idle.load(Relaxed)) }
    }
}

/// What a thread does at a node that other threads may be searching as well.
impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The other machines, if nodes of this depth are so many times as large as those that they are told about.
    fn peers(&self, depth: u8, times: u32) -> Option<&dyn Peers> {
        let large = |peers: &&dyn Peers| {
            depth >= LEAST_SHARED && self.own.efforts.expected(depth) >= peers.least_effort().saturating_mul(times)
        };
        self.setup.team?.peers.as_deref().filter(large)
    }

    /// Sends other machines what is known of a node by now, which took this thread so many visits.
    pub(super) fn tell_peers(&mut self, n: &Keyed<G>, node: &Node, visits: u64) {
        let Some(peers) = self.setup.team.and_then(|team| team.peers.as_deref()) else { return };
        self.own.efforts.learn(node.depth, visits);
        // A large node may have taken few visits because other threads had done most of it. It is finished all the same.
        let large = visits >= u64::from(peers.least_effort()) || self.peers(node.depth, 8).is_some();
        if large && let Some(data) = self.setup.table.data(n.key, node.depth) {
            peers.send(Message([n.key, data]));
        }
    }

    /// Puts the moves after the first in an order of this machine's own, where it is one of several.
    ///
    /// An order of its own, not only a start of its own: a machine one step behind another would be told of each child when
    /// it had just searched it too.
    pub(super) fn shuffle(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) {
        let machine = self.peers(node.depth, 1).map_or(0, Peers::number) as u64;
        if machine == 0 || children.tried != 1 || children.shuffled {
            return;
        }
        self.sort(n, node, children);
        let left = &mut self.own.moves.list[children.next..children.end];
        for (at, ranked) in left.iter_mut().enumerate() {
            let back = mix(n.key ^ mix(u64::from(ranked.code) << 16 ^ machine)) % MOST_PLACES;
            ranked.rank = at as i32 + back as i32;
        }
        left.sort_unstable_by_key(|ranked| ranked.rank);
        children.shuffled = true;
    }

    /// Marks a child as being searched. If another thread has marked it, it is deferred until nothing else is left, and the
    /// answer is false.
    pub(super) fn mark_child(
        &mut self,
        own: &mut Option<Mark>,
        node: &Node,
        (c, edge): &Child<G>,
        children: &mut Cursor<G>,
    ) -> bool {
        let Some(team) = self.setup.team.filter(|_| node.depth > LEAST_SHARED) else { return true };
        let mark = team.mark(c.key, node.depth - 1);
        if children.taken_up == 0 && team.in_progress.holds(mark) {
            children.tried -= 1;
            self.own.moves.list.push(edge.ranked());
            return false;
        }
        team.in_progress.enter(mark);
        *own = Some(mark);
        // A message about a child that is barely large enough would arrive when the child is finished.
        self.peers(node.depth - 1, 2).into_iter().for_each(|peers| peers.send(Message([mark.0, VISITING])));
        true
    }

    /// Removes the mark of a child.
    pub(super) fn unmark(&mut self, mark: Option<Mark>) {
        if let Some((team, mark)) = self.setup.team.zip(mark) {
            team.in_progress.leave(mark);
        }
    }

    /// The next deferred child. Each thread begins with another one, since all of them are being searched.
    pub(super) fn next_deferred(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) -> Option<Child<G>> {
        if children.taken_up == 0 && self.own.moves.list.len() > children.end {
            let machine = self.setup.team.and_then(|team| team.peers.as_deref()).map_or(0, Peers::number);
            let waiting = &mut self.own.moves.list[children.end..];
            waiting.rotate_left((self.own.number + machine) % waiting.len());
        }
        let ranked = *self.own.moves.list.get(children.end + children.taken_up)?;
        children.taken_up += 1;
        children.tried += 1;
        Some(child(&n.position, ranked, node.depth > 1 || self.setup.leaf_keys))
    }
}
