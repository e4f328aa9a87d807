//! The protocol of ranks that search together: each makes the same passes with a table of its own, and they exchange packets.
//!
//! * Messages are table entries and marks of positions that are being searched. They go to all ranks, in batches, and may be
//!   lost.
//! * The result of a pass goes from the rank that has it to rank 0. Rank 0 keeps the first result and sends it to all: a pass
//!   has one result, even if half of the ranks had another γ, so all ranks continue with the same pass. These packets are not
//!   lost.
//!
//! No rank sends to all others. A rank sends to the ranks at distances 1, 2, 4, 8 …, and relays what it received over one of
//! these distances over the longer ones. So a message reaches all N ranks over at most log₂ N packets, and a rank sends and
//! receives log₂ N packets at a time, not N.
//!
//! The same protocol runs on a real network and on a simulated one: the ranks are connected by a [`Transport`].

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use emtee::research::{Message, PassResult, Peers, Polled};

/// Carries packets between ranks, and has the clock.
pub trait Transport: Debug + Send + Sync {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;
    /// The number of ranks.
    fn size(&self) -> usize;
    /// The time since the start.
    fn now(&self) -> Duration;
    /// Sends a packet without waiting. `may_be_lost`: correctness does not depend on it.
    fn send(&self, to: usize, packet: &[u64], may_be_lost: bool);
    /// The next packet that has arrived, if any, with the rank that sent it.
    fn receive(&self) -> Option<(usize, Vec<u64>)>;
    /// Waits briefly for a packet.
    fn wait(&self);
    /// Called often: ends the job if a rank has been silent for too long.
    fn check_alive(&self) {}
    /// A thread begins a pass. Virtual time needs this and the next three.
    fn begin(&self, _thread: usize) {}
    /// A thread has made this many more visits.
    fn visited(&self, _thread: usize, _visits: u64) {}
    /// A thread has ended a pass, or never began it.
    fn end(&self, _thread: usize) {}
    /// All threads of this rank have ended the pass.
    fn join_threads(&self) {}
    /// The number of visits until the next poll.
    fn poll_interval(&self) -> u64 {
        POLL_INTERVAL
    }
}

/// The number of visits between two polls.
pub(crate) const POLL_INTERVAL: u64 = 16;

/// The kinds of packets: a batch of messages, the result of a rank for rank 0, the result that counts for all.
const MESSAGES: u64 = 1;
const OWN_RESULT: u64 = 2;
const AGREED_RESULT: u64 = 3;

/// The bits that number the passes of a search; those above them number the search.
const PASS_BITS: u32 = 24;

/// The result of a pass that has none.
const NO_RESULT: u64 = u64::MAX;

/// The shortest time between two batches, and the same if there is a mark to send: marks are useful only for a short time.
/// The interval is longer if sending takes long.
const FLUSH_INTERVAL: Duration = Duration::from_micros(50);
const FLUSH_INTERVAL_MARKS: Duration = Duration::from_micros(5);

/// Sending takes at most 1 / this number of the time.
const FLUSH_SHARE: u32 = 8;

/// The most messages in a packet.
const MAX_MESSAGES: usize = 1_000;

/// The most words in a packet.
pub const MAX_PACKET_WORDS: usize = 2 + 2 * MAX_MESSAGES;

/// The send window: the most unacknowledged batches to one rank. Beyond it, messages to that rank are dropped.
pub const SEND_WINDOW: u64 = 16;

/// The bounds of the least effort: the visits that a node must have taken to be sent to others. It rises if there is too much
/// traffic. Fewer visits than the lower bound do not pay even if there is little traffic.
const MIN_EFFORT: u32 = 24;
const MAX_EFFORT: u32 = 100_000;

/// The share of its time that a rank may spend on packets. The more ranks there are and the more they have to send, the larger
/// a node must be to be sent. Less traffic means more work done twice: on 64 simulated ranks of Othello a share of 0.15 took
/// 10 % longer, and one of 0.3 took 2 %.
const TRAFFIC_SHARE: f64 = 0.22;

/// How often the least effort is adapted to that share.
const ADAPT_INTERVAL: Duration = Duration::from_micros(500);

/// One of the ranks: the [`Peers`] of a search, over a [`Transport`].
#[derive(Debug)]
pub struct RankPeer<T> {
    transport: T,
    least_effort: AtomicU32,
    /// The shortest time between two batches.
    flush_interval: Duration,
    outbox: Mutex<Vec<Message>>,
    /// Whether the outbox has a mark.
    marked: AtomicBool,
    /// Only the first thread uses it.
    state: Mutex<State>,
    /// Raised if a pass has no result: this rank ends its search.
    stop: Arc<AtomicBool>,
    packets: AtomicU64,
    messages: AtomicU64,
    dropped: AtomicU64,
}

#[derive(Debug)]
struct State {
    pass: u64,
    /// The agreed results that have arrived, by pass.
    results: BTreeMap<u64, u64>,
    last_flush: Duration,
    /// The times of the last two flushes. The smaller one counts: a flush during which the rank lost its core was not slow.
    flush_times: [Duration; 2],
    /// For each rank: the batches sent to it, and those of them that it has acknowledged.
    sent: Vec<u64>,
    sent_acked: Vec<u64>,
    /// For each rank: the batches received from it, and those of them that were acknowledged.
    received: Vec<u64>,
    received_acked: Vec<u64>,
    /// The time spent on packets since `adapted_at`.
    traffic_time: Duration,
    adapted_at: Duration,
    /// For each distance, the messages to be relayed over it.
    relays: Vec<Vec<Message>>,
    /// Table entries that arrived between two passes.
    backlog: Vec<Message>,
}

/// What one rank sent in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Packets, counted once for each receiver.
    pub packets: u64,
    /// The messages in them.
    pub messages: u64,
    /// Messages that were not sent: the send window of the receiver was full, or the packet was.
    pub dropped: u64,
}

impl<T: Transport> RankPeer<T> {
    /// A rank that raises a flag when the search has to stop. The searches of a job are numbered, so that no packet of one is
    /// read in another; a rank begins the next search when all have ended the last.
    pub fn new(transport: T, number: u64, stop: Arc<AtomicBool>) -> RankPeer<T> {
        let none = vec![0; transport.size()];
        let state = State {
            pass: number << PASS_BITS,
            results: BTreeMap::new(),
            last_flush: Duration::ZERO,
            flush_times: [Duration::ZERO; 2],
            sent: none.clone(),
            sent_acked: none.clone(),
            received: none.clone(),
            received_acked: none,
            traffic_time: Duration::ZERO,
            adapted_at: Duration::ZERO,
            relays: vec![Vec::new(); distances(transport.size()).count()],
            backlog: Vec::new(),
        };
        RankPeer {
            transport,
            least_effort: AtomicU32::new(MIN_EFFORT),
            flush_interval: FLUSH_INTERVAL,
            marked: AtomicBool::new(false),
            outbox: Mutex::new(Vec::with_capacity(4 * MAX_MESSAGES)),
            state: Mutex::new(state),
            stop,
            packets: AtomicU64::new(0),
            messages: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
        }
    }

    /// Sends at once, and small nodes too: for trees so small that their search would end before the first batch.
    pub fn eager(self) -> RankPeer<T> {
        RankPeer { least_effort: AtomicU32::new(0), flush_interval: Duration::ZERO, ..self }
    }

    /// Ends the passes of the search. Called on rank 0; the other ranks stop waiting for results.
    pub fn close(&self) {
        self.decide(&mut self.state(), NO_RESULT);
    }

    /// What this rank has sent.
    pub fn traffic(&self) -> Traffic {
        let [packets, messages, dropped] =
            [&self.packets, &self.messages, &self.dropped].map(|count| count.load(Relaxed));
        Traffic { packets, messages, dropped }
    }

    /// The transport between the ranks.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn outbox(&self) -> MutexGuard<'_, Vec<Message>> {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rank at a distance.
    fn rank_at(&self, distance: usize) -> usize {
        (self.transport.rank() + distance) % self.transport.size()
    }

    fn send(&self, to: usize, packet: &[u64], may_be_lost: bool) {
        self.transport.send(to, packet, may_be_lost);
        self.packets.fetch_add(1, Relaxed);
    }

    /// Reads all packets that have arrived. Returns whether there were any.
    fn read(&self, state: &mut State, take: &mut dyn FnMut(Message)) -> bool {
        let mut any = false;
        while let Some((from, packet)) = self.transport.receive() {
            any = true;
            let [head, second, ref messages @ ..] = packet[..] else { continue };
            let (kind, pass) = (head >> 56, head << 8 >> 8);
            if pass >> PASS_BITS != state.pass >> PASS_BITS {
                continue;
            }
            match kind {
                MESSAGES => {
                    state.sent_acked[from] = state.sent_acked[from].max(second);
                    state.received[from] += u64::from(!messages.is_empty());
                    let longer = self.distance_index(from) + 1;
                    for words in messages.chunks_exact(2) {
                        let message = Message([words[0], words[1]]);
                        // The marks of another pass are of no use.
                        if pass == state.pass || message.is_fact() {
                            take(message);
                            state.relays.iter_mut().skip(longer).for_each(|relay| relay.push(message));
                        }
                    }
                    // An empty batch acknowledges, if this rank has sent none for long.
                    if state.received[from] - state.received_acked[from] >= SEND_WINDOW / 2 {
                        self.send_batch(state, from, &[]);
                    }
                }
                OWN_RESULT if self.transport.rank() == 0 && pass == state.pass => self.decide(state, second),
                AGREED_RESULT => {
                    state.results.insert(pass, second);
                    self.broadcast(self.distance_index(from) + 1, pass, second);
                }
                _ => {}
            }
        }
        any
    }

    /// Rank 0 has a result. The first one counts.
    fn decide(&self, state: &mut State, result: u64) {
        let pass = state.pass;
        if state.results.contains_key(&pass) {
            return;
        }
        state.results.insert(pass, result);
        self.broadcast(0, pass, result);
    }

    /// Sends the agreed result of a pass over the distances from this index on. It starts at rank 0, so each rank gets it once.
    fn broadcast(&self, index: usize, pass: u64, result: u64) {
        let own = self.transport.rank();
        for distance in
            distances(self.transport.size()).skip(index).filter(|distance| own + distance < self.transport.size())
        {
            self.send(own + distance, &[AGREED_RESULT << 56 | pass, result], false);
        }
    }

    /// The index of the distance that packets of a rank arrive over.
    fn distance_index(&self, from: usize) -> usize {
        let size = self.transport.size();
        ((self.transport.rank() + size - from) % size).max(1).ilog2() as usize
    }

    fn send_batch(&self, state: &mut State, to: usize, messages: &[Message]) {
        let mut packet = Vec::with_capacity(2 + 2 * messages.len());
        packet.extend([MESSAGES << 56 | state.pass, state.received[to]]);
        packet.extend(messages.iter().flat_map(|message| message.0));
        state.received_acked[to] = state.received[to];
        state.sent[to] += u64::from(!messages.is_empty());
        self.send(to, &packet, true);
    }

    /// Sends the waiting messages if it is time to. Returns whether it was.
    fn flush(&self, state: &mut State, now: Duration) -> bool {
        let interval =
            if self.marked.load(Relaxed) { self.flush_interval.min(FLUSH_INTERVAL_MARKS) } else { self.flush_interval };
        let flush_time = state.flush_times[0].min(state.flush_times[1]);
        if now.saturating_sub(state.last_flush) < interval.max(flush_time * FLUSH_SHARE) {
            return false;
        }
        let began = self.transport.now();
        self.marked.store(false, Relaxed);
        let mut own = std::mem::take(&mut *self.outbox());
        let mut dropped = 0;
        for (index, distance) in distances(self.transport.size()).enumerate() {
            let mut batch = std::mem::take(&mut state.relays[index]);
            batch.extend_from_slice(&own);
            // The oldest are dropped: marks become wrong soonest.
            let excess = batch.len().saturating_sub(MAX_MESSAGES);
            let to = self.rank_at(distance);
            if state.sent[to].saturating_sub(state.sent_acked[to]) >= SEND_WINDOW {
                dropped += batch.len() as u64;
            } else if !batch.is_empty() {
                self.send_batch(state, to, &batch[excess..]);
                self.messages.fetch_add((batch.len() - excess) as u64, Relaxed);
                dropped += excess as u64;
            }
            batch.clear();
            state.relays[index] = batch;
        }
        self.dropped.fetch_add(dropped, Relaxed);
        own.clear();
        let mut outbox = self.outbox();
        own.append(&mut outbox);
        *outbox = own;
        drop(outbox);
        state.last_flush = self.transport.now();
        state.flush_times = [state.last_flush.saturating_sub(began), state.flush_times[0]];
        true
    }

    /// Raises the least effort if packets take too much of the time, and lowers it if they take little.
    fn adapt(&self, state: &mut State, now: Duration) {
        let elapsed = now.saturating_sub(state.adapted_at);
        if elapsed < ADAPT_INTERVAL || self.flush_interval.is_zero() {
            return;
        }
        let share = state.traffic_time.as_secs_f64() / elapsed.as_secs_f64();
        (state.traffic_time, state.adapted_at) = (Duration::ZERO, now);
        let least = self.least_effort.load(Relaxed);
        let next = if share > TRAFFIC_SHARE {
            least + least / 4 + 1
        } else if share < 0.7 * TRAFFIC_SHARE {
            least - least / 5
        } else {
            least
        };
        self.least_effort.store(next.clamp(MIN_EFFORT, MAX_EFFORT), Relaxed);
    }
}

/// The distances of the ranks that a rank sends to: 1, 2, 4, 8 …
fn distances(size: usize) -> impl Iterator<Item = usize> {
    (0..usize::BITS).map(|bit| 1 << bit).take_while(move |&distance| distance < size)
}

impl<T: Transport> Peers for RankPeer<T> {
    fn number(&self) -> usize {
        self.transport.rank()
    }

    fn least_effort(&self) -> u32 {
        self.least_effort.load(Relaxed)
    }

    fn begin(&self, thread: usize) {
        self.transport.begin(thread);
    }

    fn send(&self, message: Message) {
        self.marked.fetch_or(!message.is_fact(), Relaxed);
        self.outbox().push(message);
    }

    fn poll(&self, thread: usize, visits: u64, take: &mut dyn FnMut(Message)) -> Polled {
        self.transport.visited(thread, visits);
        if thread == 0 {
            self.transport.check_alive();
            let mut state = self.state();
            state.backlog.drain(..).for_each(&mut *take);
            let before = self.transport.now();
            let (read, sent) = (self.read(&mut state, take), self.flush(&mut state, before));
            if read || sent {
                state.traffic_time += self.transport.now().saturating_sub(before);
            }
            self.adapt(&mut state, before);
            if state.results.contains_key(&state.pass) {
                return Polled::Done;
            }
        }
        Polled::Continue(self.transport.poll_interval())
    }

    fn end(&self, thread: usize) {
        self.transport.end(thread);
    }

    fn agree(&self, own: Option<PassResult>) -> Option<PassResult> {
        self.transport.join_threads();
        let mut state = self.state();
        let (pass, own) = (state.pass, own.map(|result| result.0));
        if self.transport.rank() == 0 {
            // If a limit stopped rank 0, it stops all ranks.
            self.decide(&mut state, own.unwrap_or(NO_RESULT));
        } else if let Some(result) = own.filter(|_| !state.results.contains_key(&pass)) {
            self.send(0, &[OWN_RESULT << 56 | pass, result], false);
        }
        let agreed = loop {
            if let Some(result) = state.results.remove(&pass) {
                break result;
            }
            let mut facts = Vec::new();
            self.read(&mut state, &mut |message| facts.extend(message.is_fact().then_some(message)));
            state.backlog.append(&mut facts);
            self.transport.check_alive();
            if !state.results.contains_key(&pass) {
                self.transport.wait();
            }
        };
        state.pass += 1;
        self.outbox().retain(|message| message.is_fact());
        state.relays.iter_mut().for_each(|relay| relay.retain(|message| message.is_fact()));
        if agreed == NO_RESULT {
            self.stop.store(true, Relaxed);
            return None;
        }
        Some(PassResult(agreed))
    }
}
