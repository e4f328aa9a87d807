//! Many threads or ranks on one machine, in virtual time.
//!
//! One thread runs at a time: the one with the earliest clock. Each visit advances the clock of its thread by the cost of a
//! visit. Sending or receiving a packet costs time as well, and a packet arrives after the latency of the network. So events
//! have the order of a machine with a core for each thread, and the same order on every run. If ranks share [`Cores`], those
//! without a core stand still and read no packets. The protocol is that of real ranks
//! ([`super::protocol::RankPeer`]), and so is their search.
//!
//! Not simulated: cores that share caches and memory, the time to start threads, and network links that ranks share.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use emtee::research::Peers;

use super::protocol::{POLL_INTERVAL, RankPeer, Transport};

/// A network, and what packets cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// The time from the end of sending to the arrival.
    pub latency: Duration,
    /// Bytes per second out of each rank.
    pub bandwidth: f64,
    /// The cost of a packet for its sender, and for its receiver.
    pub packet_cost: Duration,
    /// The cost of each message in it for its receiver.
    pub message_cost: Duration,
}

/// Fewer cores than ranks: the ranks take turns on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cores {
    /// The number of cores.
    pub number: usize,
    /// How long a rank keeps its core if others are waiting for one. A rank that waits for a packet releases its core, and gets
    /// one as soon as the packet arrives.
    pub slice: Duration,
}

/// Packets that are lost, duplicated or delayed at random: for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// The share of packets that are lost.
    pub lost: f64,
    /// The share of packets that arrive twice.
    pub duplicated: f64,
    /// The longest delay of a packet.
    pub max_delay: Duration,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// Ranks in virtual time.
pub struct Simulation {
    ranks: usize,
    threads: usize,
    visit: Duration,
    /// The number of visits between two polls.
    poll_interval: u64,
    network: Network,
    faults: Faults,
    cores: Option<Cores>,
    state: Mutex<State>,
    /// Wakes each thread.
    wakeups: Box<[Condvar]>,
}

/// Packets with their senders, by arrival time and packet number.
type Inbox = BTreeMap<(u64, u64), (usize, Vec<u64>)>;

#[derive(Default)]
struct State {
    /// The clocks of all threads in nanoseconds; the threads of a rank are adjacent.
    clocks: Vec<u64>,
    /// The threads that can run, by their clocks, without the one that runs.
    ready: BinaryHeap<Reverse<(u64, usize)>>,
    /// The thread that runs.
    turn: Option<usize>,
    /// The threads that are in a pass.
    in_pass: Vec<bool>,
    /// For each rank, the helper threads that have joined the pass, or have ended without joining it.
    joined: Vec<usize>,
    /// The time that the visits of all threads have taken.
    busy: u64,
    /// The ranks that wait for a packet.
    waiting: Vec<bool>,
    /// The packets in flight to each rank.
    inboxes: Vec<Inbox>,
    /// For each rank, the time from which its link is free: all it has sent has left by then.
    link_free: Vec<u64>,
    packets: u64,
    words: u64,
    /// The number of ranks that have entered.
    entered: usize,
    random: u64,
    shared: SharedCores,
}

/// Which rank has which core. Unused if each thread has its own.
#[derive(Default)]
struct SharedCores {
    /// For each idle core, the time when it became idle.
    idle_since: Vec<u64>,
    /// The ends of the time slices of the ranks that have a core.
    slice_ends: BTreeMap<usize, u64>,
    /// The ranks that wait for a core, the next first.
    queue: VecDeque<usize>,
}

impl State {
    /// Gives a rank a core that becomes free at the time `from`.
    fn assign_core(&mut self, number: usize, from: u64, slice: u64) {
        let clock = self.clocks[number].max(from);
        self.clocks[number] = clock;
        self.shared.slice_ends.insert(number, clock + slice);
        self.ready.push(Reverse((clock, number)));
    }

    /// A rank needs a core at the time of its clock. If none is idle, it is the next to get one: the slice that ends first
    /// ends now.
    fn request_core(&mut self, number: usize, slice: u64) {
        let longest_idle = (0..self.shared.idle_since.len()).min_by_key(|&core| self.shared.idle_since[core]);
        if let Some(core) = longest_idle {
            let since = self.shared.idle_since.swap_remove(core);
            return self.assign_core(number, since, slice);
        }
        self.shared.queue.push_front(number);
        let now = self.clocks[number];
        if let Some(slice_end) = self.shared.slice_ends.values_mut().min() {
            *slice_end = now.min(*slice_end);
        }
    }

    /// A rank releases its core, to the next in the queue if there is one.
    fn release_core(&mut self, number: usize, slice: u64) {
        let now = self.clocks[number];
        self.shared.slice_ends.remove(&number);
        match self.shared.queue.pop_front() {
            Some(next) => self.assign_core(next, now, slice),
            None => self.shared.idle_since.push(now),
        }
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").field("ranks", &self.ranks).field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Simulation {
    /// Ranks with this many threads each. `visit` is the cost of a visit.
    pub fn new(ranks: usize, threads: usize, visit: Duration, network: Network, faults: Faults) -> Arc<Simulation> {
        Arc::new(Simulation::with(ranks, threads, visit, network, faults))
    }

    fn with(ranks: usize, threads: usize, visit: Duration, network: Network, faults: Faults) -> Simulation {
        let all = ranks * threads;
        let state = State {
            clocks: vec![0; all],
            joined: vec![0; ranks],
            in_pass: vec![false; all],
            waiting: vec![false; ranks],
            inboxes: vec![BTreeMap::new(); ranks],
            link_free: vec![0; ranks],
            random: faults.seed,
            ..State::default()
        };
        let wakeups = (0..all).map(|_| Condvar::new()).collect();
        let (poll_interval, state) = (POLL_INTERVAL, Mutex::new(state));
        Simulation { ranks, threads, visit, poll_interval, network, faults, cores: None, state, wakeups }
    }

    /// Ranks of one thread each that take turns on shared cores.
    pub fn on_cores(ranks: usize, cores: Cores, visit: Duration, network: Network) -> Arc<Simulation> {
        let mut simulation = Simulation::with(ranks, 1, visit, network, Faults::default());
        simulation.cores = Some(cores);
        simulation.state().shared.idle_since = vec![0; cores.number];
        Arc::new(simulation)
    }

    /// The threads of one search, which poll the clock before each visit.
    pub fn of_threads(threads: usize, visit: Duration) -> Arc<Simulation> {
        let zero = Duration::ZERO;
        let network = Network { latency: zero, bandwidth: 1.0, packet_cost: zero, message_cost: zero };
        Arc::new(Simulation { poll_interval: 1, ..Simulation::with(1, threads, visit, network, Faults::default()) })
    }

    /// The length of a time slice in nanoseconds, if ranks share cores.
    fn slice(&self) -> Option<u64> {
        self.cores.map(|cores| cores.slice.as_nanos() as u64)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a rank and waits for its turn, which is not before all ranks have entered. End it with [`SimulatedRank::leave`].
    pub fn enter(self: &Arc<Simulation>, rank: usize) -> SimulatedRank {
        let mut state = self.state();
        let number = rank * self.threads;
        state.ready.push(Reverse((0, number)));
        state.entered += 1;
        if state.entered == self.ranks {
            self.next_turn(&mut state);
        }
        self.wait_for_turn(state, number);
        SimulatedRank { simulation: self.clone(), rank }
    }

    /// Gives the turn to the thread with the earliest clock. A rank without a core gets one first.
    fn next_turn(&self, state: &mut State) {
        loop {
            state.turn = state.ready.pop().map(|Reverse((_, number))| number);
            match (state.turn, self.slice()) {
                (Some(number), Some(slice)) if !state.shared.slice_ends.contains_key(&number) => {
                    state.request_core(number, slice);
                }
                _ => break,
            }
        }
        if let Some(next) = state.turn {
            self.wakeups[next].notify_one();
        }
    }

    fn wait_for_turn(&self, mut state: MutexGuard<'_, State>, number: usize) {
        while state.turn != Some(number) {
            state = self.wakeups[number].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets threads with earlier clocks run first.
    fn yield_turn(&self, mut state: MutexGuard<'_, State>, number: usize) {
        let own = state.clocks[number];
        if let Some(slice) = self.slice()
            && state.shared.slice_ends.get(&number).is_some_and(|slice_end| own >= *slice_end)
        {
            if state.shared.queue.is_empty() {
                state.shared.slice_ends.insert(number, own + slice);
            } else {
                state.release_core(number, slice);
                state.shared.queue.push_back(number);
                self.next_turn(&mut state);
                return self.wait_for_turn(state, number);
            }
        }
        if state.ready.peek().is_some_and(|Reverse(first)| *first < (own, number)) {
            state.ready.push(Reverse((own, number)));
            self.next_turn(&mut state);
            self.wait_for_turn(state, number);
        }
    }

    /// The time of the slowest rank, and what went over the network: packets and bytes.
    pub fn report(&self) -> (Duration, u64, u64) {
        let state = self.state();
        let time = state.clocks.iter().step_by(self.threads).copied().max().unwrap_or(0);
        (Duration::from_nanos(time), state.packets, 8 * state.words)
    }

    /// The idle time, summed over all threads.
    pub fn idle(&self) -> Duration {
        let (time, ..) = self.report();
        (time * (self.ranks * self.threads) as u32).saturating_sub(Duration::from_nanos(self.state().busy))
    }

    /// A random number below 1.
    fn chance(state: &mut State) -> f64 {
        state.random = state.random.wrapping_add(1);
        (emtee::mix(state.random) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A rank of a simulation: its [`Transport`].
#[derive(Debug)]
pub struct SimulatedRank {
    simulation: Arc<Simulation>,
    rank: usize,
}

impl SimulatedRank {
    /// The number of its first thread.
    fn first(&self) -> usize {
        self.rank * self.simulation.threads
    }

    /// Ends the rank.
    pub fn leave(&self) {
        let mut state = self.simulation.state();
        let number = self.first();
        if state.turn == Some(number) {
            if let Some(slice) = self.simulation.slice() {
                state.release_core(number, slice);
            }
            self.simulation.next_turn(&mut state);
        }
    }
}

impl Transport for SimulatedRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.simulation.ranks
    }

    fn now(&self) -> Duration {
        Duration::from_nanos(self.simulation.state().clocks[self.first()])
    }

    fn send(&self, to: usize, packet: &[u64], may_be_lost: bool) {
        let (simulation, number) = (&self.simulation, self.first());
        let Network { latency, bandwidth, packet_cost, .. } = simulation.network;
        let mut state = simulation.state();
        let state = &mut *state;
        state.clocks[number] += packet_cost.as_nanos() as u64;
        let transmission = (8.0e9 * packet.len() as f64 / bandwidth) as u64;
        state.link_free[self.rank] = state.link_free[self.rank].max(state.clocks[number]) + transmission;
        state.packets += 1;
        state.words += packet.len() as u64;
        let mut arrival = state.link_free[self.rank] + latency.as_nanos() as u64;
        let mut copies = 1;
        let Faults { lost, duplicated, max_delay, .. } = simulation.faults;
        if may_be_lost && simulation.faults != Faults::default() {
            copies = u64::from(Simulation::chance(state) >= lost) + u64::from(Simulation::chance(state) < duplicated);
            arrival += (max_delay.as_nanos() as f64 * Simulation::chance(state)) as u64;
        }
        for copy in 0..copies {
            let key = (arrival, 4 * state.packets + copy);
            state.inboxes[to].insert(key, (self.rank, packet.to_vec()));
        }
        let other = to * simulation.threads;
        if copies > 0 && state.waiting[to] {
            state.waiting[to] = false;
            let clock = state.clocks[other].max(arrival);
            state.clocks[other] = clock;
            state.ready.push(Reverse((clock, other)));
        }
    }

    fn receive(&self) -> Option<(usize, Vec<u64>)> {
        let (number, network) = (self.first(), self.simulation.network);
        let mut state = self.simulation.state();
        let clock = state.clocks[number];
        let inbox = &mut state.inboxes[self.rank];
        let first = inbox.first_entry().filter(|entry| entry.key().0 <= clock)?;
        let received = first.remove();
        let messages = (received.1.len().saturating_sub(2) / 2) as u32;
        state.clocks[number] += (network.packet_cost + network.message_cost * messages).as_nanos() as u64;
        Some(received)
    }

    fn wait(&self) {
        let (number, mut state) = (self.first(), self.simulation.state());
        if let Some(slice) = self.simulation.slice() {
            state.release_core(number, slice);
        }
        let next = state.inboxes[self.rank].keys().next().map(|(arrival, _)| *arrival);
        match next {
            Some(arrival) => {
                let clock = state.clocks[number].max(arrival);
                state.clocks[number] = clock;
                state.ready.push(Reverse((clock, number)));
            }
            None => state.waiting[self.rank] = true,
        }
        self.simulation.next_turn(&mut state);
        self.simulation.wait_for_turn(state, number);
    }

    fn begin(&self, thread: usize) {
        let (simulation, first) = (&self.simulation, self.first());
        if simulation.threads == 1 {
            return;
        }
        let mut state = simulation.state();
        if thread > 0 {
            // A helper thread begins at the time of the first thread, and waits for its turn.
            let (number, clock) = (first + thread, state.clocks[first]);
            state.clocks[number] = clock;
            state.ready.push(Reverse((clock, number)));
            state.in_pass[number] = true;
            state.joined[self.rank] += 1;
            simulation.wakeups[first].notify_one();
            return simulation.wait_for_turn(state, number);
        }
        // The first thread keeps its turn until all helper threads have joined.
        state.in_pass[first] = true;
        while state.joined[self.rank] + 1 < simulation.threads {
            state = simulation.wakeups[first].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.joined[self.rank] = 0;
    }

    fn visited(&self, thread: usize, visits: u64) {
        let (number, mut state) = (self.first() + thread, self.simulation.state());
        let time = visits * self.simulation.visit.as_nanos() as u64;
        state.clocks[number] += time;
        state.busy += time;
        self.simulation.yield_turn(state, number);
    }

    fn end(&self, thread: usize) {
        let simulation = &self.simulation;
        if simulation.threads == 1 {
            return;
        }
        let (first, mut state) = (self.first(), simulation.state());
        if !std::mem::replace(&mut state.in_pass[first + thread], false) {
            state.joined[self.rank] += 1;
        } else if state.in_pass[first..first + simulation.threads].contains(&true) {
            return simulation.next_turn(&mut state);
        } else {
            state.turn = Some(first);
        }
        simulation.wakeups[first].notify_one();
    }

    fn join_threads(&self) {
        let (simulation, first) = (&self.simulation, self.first());
        let mut state = simulation.state();
        // The last thread to end the pass has given its turn to this one.
        while state.turn != Some(first) {
            state = simulation.wakeups[first].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let latest = state.clocks[first..first + simulation.threads].iter().copied().max();
        state.clocks[first] = latest.unwrap_or(0);
    }

    fn poll_interval(&self) -> u64 {
        self.simulation.poll_interval
    }
}

/// The threads of one search in virtual time, as if each had a core to itself.
///
/// ```
/// use std::time::Duration;
/// use emtee_engine::cluster::simulator::VirtualThreads;
/// use emtee::{Budget, Game, player};
/// use emtee_games::connect4::Board;
/// let threads = VirtualThreads::new(16, Duration::from_nanos(100));
/// let mut ai = player(Board::evaluate).threads(16).build()?;
/// ai.research().set_peers(Some(threads.peers()));
/// let found = ai.think(&Board::default(), Budget::depth(9))?;
/// assert!(threads.time() < Duration::from_nanos(100) * found.counts.nodes() as u32);
/// # Ok::<(), emtee::Error>(())
/// ```
#[derive(Debug)]
pub struct VirtualThreads(Arc<RankPeer<SimulatedRank>>);

impl VirtualThreads {
    /// This many threads, which must be as many as the search has. `visit` is the time of a visit.
    pub fn new(threads: usize, visit: Duration) -> VirtualThreads {
        let rank = Simulation::of_threads(threads, visit).enter(0);
        VirtualThreads(Arc::new(RankPeer::new(rank, 0, Arc::default())))
    }

    /// The peers to set on the search.
    pub fn peers(&self) -> Arc<dyn Peers> {
        self.0.clone()
    }

    /// The virtual time so far, summed over all searches.
    pub fn time(&self) -> Duration {
        self.0.transport().simulation.report().0
    }

    /// The idle time, summed over all threads.
    pub fn idle(&self) -> Duration {
        self.0.transport().simulation.idle()
    }
}
