//! The team of threads of a search: what they share besides the table, and deferred moves at shared nodes.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use core::time::Duration;

use super::peers::{Message, Peers, VISITING};
use super::{InProgress, MIN_SHARED_DEPTH, Mark};
use crate::game::{Evaluate, Game};
use crate::key::mix;
use crate::memory::table::Table;
use crate::node::{Child, Cursor, Keyed, Node, Worker, child};
use crate::observer::Observer;

/// The greatest number of threads of one search.
pub const MAX_THREADS: usize = 256;

/// The most places that [`Worker::shuffle`] may move a later move back: a few moves can get any order. Among many moves, as
/// in chess, the last ones are hardly ever of use, so they stay near the end.
const MAX_DELAY: u64 = 64;

/// Statistics of a search with several threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParallelStats {
    /// The number of threads.
    pub threads: usize,
    /// The total idle time of all threads, including the time while only one thread searched.
    pub idle: Duration,
}

/// What the threads of a search share besides the table.
pub(crate) struct Team {
    pub(super) threads: usize,
    pub(super) in_progress: InProgress,
    /// The bound of the pass's γ, as bits. Part of every mark: a search of the same position with another γ is no reason to
    /// defer.
    pub(super) gamma: AtomicU64,
    /// Whether the pass is over: a thread has its result, or there will be none.
    pub(super) done: AtomicBool,
    /// The visits of all threads in this pass, and their limit.
    pub(super) nodes: AtomicU64,
    pub(super) most_nodes: AtomicU64,
    /// The total idle time of the threads, in nanoseconds.
    pub(super) idle: AtomicU64,
    /// The other ranks of the same search.
    pub(crate) peers: Option<Arc<dyn Peers>>,
}

impl Team {
    pub(crate) fn new(threads: usize, peers: Option<Arc<dyn Peers>>) -> Team {
        Team {
            threads,
            in_progress: InProgress::new(),
            gamma: AtomicU64::new(0),
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            most_nodes: AtomicU64::new(u64::MAX),
            idle: AtomicU64::new(0),
            peers,
        }
    }

    /// Whether this rank begins an iteration with the second of the two γ that prove the guess.
    pub(crate) fn starts_at_other_gamma(&self) -> bool {
        self.peers.as_ref().is_some_and(|peers| peers.number() % 2 == 1)
    }

    /// The mark of a position at a depth, in this pass.
    #[inline(always)]
    fn mark(&self, key: u64, depth: u8) -> Mark {
        Mark::new(key ^ self.gamma.load(Relaxed), depth)
    }

    /// Handles a message of another rank.
    pub(super) fn receive(&self, Message([key, data]): Message, table: &Table) {
        match data {
            VISITING => self.in_progress.insert(Mark(key)),
            _ => self.in_progress.remove(self.mark(key, table.store_data(key, data))),
        }
    }

    /// Resets the statistics when a search begins.
    pub(crate) fn reset(&mut self) {
        *self.idle.get_mut() = 0;
    }

    /// The statistics of the search.
    pub(crate) fn report(&self) -> ParallelStats {
        ParallelStats { threads: self.threads, idle: Duration::from_nanos(self.idle.load(Relaxed)) }
    }
}

/// What a thread does at a node that other threads may be searching.
impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The other ranks, if nodes of this depth are expected to take at least `times` their least effort.
    fn peers_for(&self, depth: u8, times: u32) -> Option<&dyn Peers> {
        let large = |peers: &&dyn Peers| {
            depth >= MIN_SHARED_DEPTH && self.own.efforts.expected(depth) >= peers.least_effort().saturating_mul(times)
        };
        self.setup.team?.peers.as_deref().filter(large)
    }

    /// Sends a node's table entry to the other ranks if the node is large: it took this thread `visits` visits.
    pub(super) fn send_entry(&mut self, n: &Keyed<G>, node: &Node, visits: u64) {
        let Some(peers) = self.setup.team.and_then(|team| team.peers.as_deref()) else { return };
        self.own.efforts.learn(node.depth, visits);
        // A large node may have taken few visits because other threads searched most of it. It is sent as well.
        let large = visits >= u64::from(peers.least_effort()) || self.peers_for(node.depth, 8).is_some();
        if large && let Some(data) = self.setup.table.data(n.key, node.depth) {
            peers.send(Message([n.key, data]));
        }
    }

    /// Shuffles the moves after the first into an order of this rank's own. Rank 0 keeps the usual order.
    ///
    /// Starting at different children is not enough: a rank one child behind another would get each child's entry just after
    /// searching that child itself.
    pub(super) fn shuffle(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) {
        let rank = self.peers_for(node.depth, 1).map_or(0, Peers::number) as u64;
        if rank == 0 || children.tried != 1 || children.shuffled {
            return;
        }
        self.sort(n, node, children);
        let left = &mut self.own.moves.list[children.next..children.end];
        for (index, ranked) in left.iter_mut().enumerate() {
            let delay = mix(n.key ^ mix(u64::from(ranked.code) << 16 ^ rank)) % MAX_DELAY;
            ranked.rank = index as i32 + delay as i32;
        }
        left.sort_unstable_by_key(|ranked| ranked.rank);
        children.shuffled = true;
    }

    /// Marks a child in the in-progress table. If another thread has marked it, it is deferred until the other children are
    /// searched, and the result is false.
    pub(super) fn mark_child(
        &mut self,
        own: &mut Option<Mark>,
        node: &Node,
        (c, edge): &Child<G>,
        children: &mut Cursor<G>,
    ) -> bool {
        let Some(team) = self.setup.team.filter(|_| node.depth > MIN_SHARED_DEPTH) else { return true };
        let mark = team.mark(c.key, node.depth - 1);
        if children.resumed == 0 && team.in_progress.contains(mark) {
            children.tried -= 1;
            self.own.moves.list.push(edge.ranked());
            return false;
        }
        team.in_progress.insert(mark);
        *own = Some(mark);
        // Marks are sent only for children of twice the least effort: a smaller one would be finished when the message arrives.
        self.peers_for(node.depth - 1, 2).into_iter().for_each(|peers| peers.send(Message([mark.0, VISITING])));
        true
    }

    /// Removes the in-progress mark of a child.
    pub(super) fn unmark(&mut self, mark: Option<Mark>) {
        if let Some((team, mark)) = self.setup.team.zip(mark) {
            team.in_progress.remove(mark);
        }
    }

    /// The next deferred child. Each thread starts with a different one, because all of them are being searched.
    pub(super) fn next_deferred(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) -> Option<Child<G>> {
        if children.resumed == 0 && self.own.moves.list.len() > children.end {
            let rank = self.setup.team.and_then(|team| team.peers.as_deref()).map_or(0, Peers::number);
            let deferred = &mut self.own.moves.list[children.end..];
            deferred.rotate_left((self.own.number + rank) % deferred.len());
        }
        let ranked = *self.own.moves.list.get(children.end + children.resumed)?;
        children.resumed += 1;
        children.tried += 1;
        Some(child(&n.position, ranked, node.depth > 1 || self.setup.leaf_keys))
    }
}
