//! Many threads or ranks on one machine, in virtual time.
//!
//! One thread runs at a time, and it is always the one whose clock shows least. A visit moves its clock on by what a visit costs;
//! so does a letter that is written or read, and a letter arrives when the network has carried it. So the order of everything is
//! that of a machine with a core for each thread, and the same on every run. Where ranks share [`Cores`], those without a core
//! stand still, and read no letters. The rules of the ranks are those of real ones
//! ([`Correspondent`](super::mail::Correspondent)), and so is their search.
//!
//! What it leaves out: cores that share caches and memory, the time to start threads, and networks whose links get in each
//! other's way.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use emtee::research::Peers;

use super::mail::{Correspondent, LOOK, Transport};

/// What carries letters, and what they cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// From the end of writing to the arrival.
    pub latency: Duration,
    /// Bytes a second out of each rank.
    pub bandwidth: f64,
    /// What writing a letter costs, and reading one.
    pub letter: Duration,
    /// What each note in it costs its reader.
    pub note: Duration,
}

/// Fewer cores than ranks, which take turns on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cores {
    /// How many.
    pub number: usize,
    /// How long a rank keeps its core while others want one. Whoever waits for a letter gives it up, and gets one as soon as
    /// the letter is there.
    pub slice: Duration,
}

/// Mail that is lost, comes twice or comes late at random: for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Disorder {
    /// The shares of letters that are lost, and that come twice.
    pub lost: f64,
    /// Those that come twice.
    pub doubled: f64,
    /// Up to how much later a letter comes.
    pub late: Duration,
    /// Which ones.
    pub seed: u64,
}

/// Ranks in virtual time.
pub struct World {
    ranks: usize,
    threads: usize,
    visit: Duration,
    /// How many visits are made between two looks at the clock.
    quantum: u64,
    network: Network,
    disorder: Disorder,
    cores: Option<Cores>,
    state: Mutex<State>,
    /// A bell for each thread.
    bells: Box<[Condvar]>,
}

/// Who wrote what, by when it comes and the number of the letter.
type Inbox = BTreeMap<(u64, u64), (usize, Vec<u64>)>;

#[derive(Default)]
struct State {
    /// In nanoseconds; the threads of a rank stand together.
    clocks: Vec<u64>,
    /// Those that could run, by their clocks. Whoever has the turn is not among them.
    ready: BinaryHeap<Reverse<(u64, usize)>>,
    turn: Option<usize>,
    /// The threads that are in a pass.
    inside: Vec<bool>,
    /// How many helpers of each rank have come to the pass, or will not come.
    joined: Vec<usize>,
    /// What the visits of all threads have taken.
    busy: u64,
    /// Those that wait for a letter.
    waiting: Vec<bool>,
    /// Letters under way to each rank, by their arrival and number.
    inboxes: Vec<Inbox>,
    /// When what each rank has written will have left it.
    free: Vec<u64>,
    letters: u64,
    words: u64,
    /// Ranks that have come to the start.
    present: usize,
    random: u64,
    shared: SharedCores,
}

/// Who has which core. Nobody asks where each thread has its own.
#[derive(Default)]
struct SharedCores {
    /// Since when each of the idle ones has been so.
    idle: Vec<u64>,
    /// Until when those that have one may keep it.
    until: BTreeMap<usize, u64>,
    /// Those that want one, the next first.
    queue: VecDeque<usize>,
}

impl State {
    /// A rank has its core from now on.
    fn take_core(&mut self, number: usize, from: u64, slice: u64) {
        let clock = self.clocks[number].max(from);
        self.clocks[number] = clock;
        self.shared.until.insert(number, clock + slice);
        self.ready.push(Reverse((clock, number)));
    }

    /// A rank wants a core at the time its clock shows. If there is none, it is the next to get one, and soon.
    fn want_core(&mut self, number: usize, slice: u64) {
        let longest = (0..self.shared.idle.len()).min_by_key(|&core| self.shared.idle[core]);
        if let Some(core) = longest {
            let since = self.shared.idle.swap_remove(core);
            return self.take_core(number, since, slice);
        }
        self.shared.queue.push_front(number);
        let now = self.clocks[number];
        if let Some(until) = self.shared.until.values_mut().min() {
            *until = now.min(*until);
        }
    }

    /// A rank gives up its core, to the next that wants one.
    fn leave_core(&mut self, number: usize, slice: u64) {
        let now = self.clocks[number];
        self.shared.until.remove(&number);
        match self.shared.queue.pop_front() {
            Some(next) => self.take_core(next, now, slice),
            None => self.shared.idle.push(now),
        }
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("ranks", &self.ranks).field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl World {
    /// Ranks with so many threads each. A visit costs this.
    pub fn new(ranks: usize, threads: usize, visit: Duration, network: Network, disorder: Disorder) -> Arc<World> {
        Arc::new(World::with(ranks, threads, visit, network, disorder))
    }

    fn with(ranks: usize, threads: usize, visit: Duration, network: Network, disorder: Disorder) -> World {
        let all = ranks * threads;
        let state = State {
            clocks: vec![0; all],
            joined: vec![0; ranks],
            inside: vec![false; all],
            waiting: vec![false; ranks],
            inboxes: vec![BTreeMap::new(); ranks],
            free: vec![0; ranks],
            random: disorder.seed,
            ..State::default()
        };
        let bells = (0..all).map(|_| Condvar::new()).collect();
        let state = Mutex::new(state);
        World { ranks, threads, visit, quantum: LOOK, network, disorder, cores: None, state, bells }
    }

    /// Ranks of one thread each that take turns on few cores.
    pub fn crowded(ranks: usize, cores: Cores, visit: Duration, network: Network) -> Arc<World> {
        let mut world = World::with(ranks, 1, visit, network, Disorder::default());
        world.cores = Some(cores);
        world.state().shared.idle = vec![0; cores.number];
        Arc::new(world)
    }

    /// The threads of one search, who look at the clock before each visit.
    pub fn of_threads(threads: usize, visit: Duration) -> Arc<World> {
        let network = Network { latency: Duration::ZERO, bandwidth: 1.0, letter: Duration::ZERO, note: Duration::ZERO };
        Arc::new(World { quantum: 1, ..World::with(1, threads, visit, network, Disorder::default()) })
    }

    /// How long a rank keeps its core, in nanoseconds, if it has to share.
    fn slice(&self) -> Option<u64> {
        self.cores.map(|cores| cores.slice.as_nanos() as u64)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A rank comes to the start, and waits for its turn. It must be ended with [`Place::leave`].
    pub fn enter(self: &Arc<World>, rank: usize) -> Place {
        let mut state = self.state();
        let number = rank * self.threads;
        state.ready.push(Reverse((0, number)));
        state.present += 1;
        if state.present == self.ranks {
            self.pass_on(&mut state);
        }
        self.wait_for_turn(state, number);
        Place { world: self.clone(), rank }
    }

    /// Gives the turn to whoever has the least clock. A rank that has no core yet gets one first.
    fn pass_on(&self, state: &mut State) {
        loop {
            state.turn = state.ready.pop().map(|Reverse((_, number))| number);
            match (state.turn, self.slice()) {
                (Some(number), Some(slice)) if !state.shared.until.contains_key(&number) => {
                    state.want_core(number, slice);
                }
                _ => break,
            }
        }
        if let Some(next) = state.turn {
            self.bells[next].notify_one();
        }
    }

    fn wait_for_turn(&self, mut state: MutexGuard<'_, State>, number: usize) {
        while state.turn != Some(number) {
            state = self.bells[number].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets others go first whose clocks show less.
    fn yield_turn(&self, mut state: MutexGuard<'_, State>, number: usize) {
        let own = state.clocks[number];
        if let Some(slice) = self.slice()
            && state.shared.until.get(&number).is_some_and(|until| own >= *until)
        {
            if state.shared.queue.is_empty() {
                state.shared.until.insert(number, own + slice);
            } else {
                state.leave_core(number, slice);
                state.shared.queue.push_back(number);
                self.pass_on(&mut state);
                return self.wait_for_turn(state, number);
            }
        }
        if state.ready.peek().is_some_and(|Reverse(first)| *first < (own, number)) {
            state.ready.push(Reverse((own, number)));
            self.pass_on(&mut state);
            self.wait_for_turn(state, number);
        }
    }

    /// How long the longest rank took, and what went over the network: letters and bytes.
    pub fn report(&self) -> (Duration, u64, u64) {
        let state = self.state();
        let time = state.clocks.iter().step_by(self.threads).copied().max().unwrap_or(0);
        (Duration::from_nanos(time), state.letters, 8 * state.words)
    }

    /// How much time threads had nothing to do, all of them together.
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

/// A rank's place in the world.
#[derive(Debug)]
pub struct Place {
    world: Arc<World>,
    rank: usize,
}

impl Place {
    fn first(&self) -> usize {
        self.rank * self.world.threads
    }

    /// The rank is done.
    pub fn leave(&self) {
        let mut state = self.world.state();
        let number = self.first();
        if state.turn == Some(number) {
            if let Some(slice) = self.world.slice() {
                state.leave_core(number, slice);
            }
            self.world.pass_on(&mut state);
        }
    }
}

impl Transport for Place {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.world.ranks
    }

    fn now(&self) -> Duration {
        Duration::from_nanos(self.world.state().clocks[self.first()])
    }

    fn send(&self, to: usize, letter: &[u64], may_be_lost: bool) {
        let (world, number) = (&self.world, self.first());
        let Network { latency, bandwidth, letter: cost, .. } = world.network;
        let mut state = world.state();
        let state = &mut *state;
        state.clocks[number] += cost.as_nanos() as u64;
        let carried = (8.0e9 * letter.len() as f64 / bandwidth) as u64;
        state.free[self.rank] = state.free[self.rank].max(state.clocks[number]) + carried;
        state.letters += 1;
        state.words += letter.len() as u64;
        let mut arrival = state.free[self.rank] + latency.as_nanos() as u64;
        let mut copies = 1;
        let Disorder { lost, doubled, late, .. } = world.disorder;
        if may_be_lost && world.disorder != Disorder::default() {
            copies = u64::from(World::chance(state) >= lost) + u64::from(World::chance(state) < doubled);
            arrival += (late.as_nanos() as f64 * World::chance(state)) as u64;
        }
        for copy in 0..copies {
            let when = (arrival, 4 * state.letters + copy);
            state.inboxes[to].insert(when, (self.rank, letter.to_vec()));
        }
        let other = to * world.threads;
        if copies > 0 && state.waiting[to] {
            state.waiting[to] = false;
            let clock = state.clocks[other].max(arrival);
            state.clocks[other] = clock;
            state.ready.push(Reverse((clock, other)));
        }
    }

    fn receive(&self) -> Option<(usize, Vec<u64>)> {
        let (number, network) = (self.first(), self.world.network);
        let mut state = self.world.state();
        let clock = state.clocks[number];
        let inbox = &mut state.inboxes[self.rank];
        let first = inbox.first_entry().filter(|entry| entry.key().0 <= clock)?;
        let letter = first.remove();
        let notes = (letter.1.len().saturating_sub(2) / 2) as u32;
        state.clocks[number] += (network.letter + network.note * notes).as_nanos() as u64;
        Some(letter)
    }

    fn wait(&self) {
        let (number, mut state) = (self.first(), self.world.state());
        if let Some(slice) = self.world.slice() {
            state.leave_core(number, slice);
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
        self.world.pass_on(&mut state);
        self.world.wait_for_turn(state, number);
    }

    fn begin(&self, thread: usize) {
        let (world, first) = (&self.world, self.first());
        if world.threads == 1 {
            return;
        }
        let mut state = world.state();
        if thread > 0 {
            // A helper begins when the first thread does, and waits for its turn.
            let (number, clock) = (first + thread, state.clocks[first]);
            state.clocks[number] = clock;
            state.ready.push(Reverse((clock, number)));
            state.inside[number] = true;
            state.joined[self.rank] += 1;
            world.bells[first].notify_one();
            return world.wait_for_turn(state, number);
        }
        // The first thread keeps its turn until all have come.
        state.inside[first] = true;
        while state.joined[self.rank] + 1 < world.threads {
            state = world.bells[first].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.joined[self.rank] = 0;
    }

    fn visited(&self, thread: usize, visits: u64) {
        let (number, mut state) = (self.first() + thread, self.world.state());
        let time = visits * self.world.visit.as_nanos() as u64;
        state.clocks[number] += time;
        state.busy += time;
        self.world.yield_turn(state, number);
    }

    fn end(&self, thread: usize) {
        let world = &self.world;
        if world.threads == 1 {
            return;
        }
        let (first, mut state) = (self.first(), world.state());
        if !std::mem::replace(&mut state.inside[first + thread], false) {
            state.joined[self.rank] += 1;
        } else if state.inside[first..first + world.threads].contains(&true) {
            return world.pass_on(&mut state);
        } else {
            state.turn = Some(first);
        }
        world.bells[first].notify_one();
    }

    fn meet(&self) {
        let (world, first) = (&self.world, self.first());
        let mut state = world.state();
        // The last thread to leave has given its turn to this one.
        while state.turn != Some(first) {
            state = world.bells[first].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let latest = state.clocks[first..first + world.threads].iter().copied().max();
        state.clocks[first] = latest.unwrap_or(0);
    }

    fn interval(&self) -> u64 {
        self.world.quantum
    }
}

/// The threads of one search in virtual time, as if each had a core of its own.
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
pub struct VirtualThreads(Arc<Correspondent<Place>>);

impl VirtualThreads {
    /// As many threads as the search has. A visit takes them this long.
    pub fn new(threads: usize, visit: Duration) -> VirtualThreads {
        let place = World::of_threads(threads, visit).enter(0);
        VirtualThreads(Arc::new(Correspondent::new(place, 0, Arc::default())))
    }

    /// What the search is to be given as its peers.
    pub fn peers(&self) -> Arc<dyn Peers> {
        self.0.clone()
    }

    /// How much time has passed, for all searches together.
    pub fn time(&self) -> Duration {
        self.0.transport().world.report().0
    }

    /// How much time threads had nothing to do, all of them together.
    pub fn idle(&self) -> Duration {
        self.0.transport().world.idle()
    }
}
