//! Virtual time: many threads on few cores, as if each had a core of its own.
//!
//! One thread runs at a time, and it is always the one whose clock shows least; every visit moves its clock on by what a
//! visit costs. So the order of all visits is that of a machine with a core for each thread, whatever machine this is, and the
//! same on every run. What it leaves out: caches and memory that threads fight for, and the time to start them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Gives the threads of a team their turns.
pub(crate) struct VirtualClock {
    state: Mutex<State>,
    /// A bell for each thread.
    bells: Box<[Condvar]>,
    /// What a visit costs.
    visit: Duration,
}

struct State {
    /// Visits of each thread, as time.
    clocks: Vec<u64>,
    playing: Vec<bool>,
    /// How many have joined in this pass.
    joined: usize,
    /// Whose turn it is.
    turn: usize,
    /// When the first one was home.
    home: Option<u64>,
    /// Visits that threads have waited, all together.
    idle: u64,
}

impl State {
    /// The thread whose clock shows least.
    fn next(&self) -> Option<usize> {
        (0..self.clocks.len()).filter(|&number| self.playing[number]).min_by_key(|&number| self.clocks[number])
    }
}

impl VirtualClock {
    pub(crate) fn new(threads: usize, visit: Duration) -> VirtualClock {
        let state =
            State { clocks: vec![0; threads], playing: vec![false; threads], joined: 0, turn: 0, home: None, idle: 0 };
        VirtualClock { state: Mutex::new(state), bells: (0..threads).map(|_| Condvar::new()).collect(), visit }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A pass begins. Whatever an earlier one left behind that panicked is forgotten.
    pub(crate) fn begin(&self) {
        let mut state = self.state();
        state.playing.fill(false);
        (state.joined, state.home) = (0, None);
    }

    /// A thread could not be started: the others do not wait for it.
    pub(crate) fn absent(&self) {
        let mut state = self.state();
        state.joined += 1;
        self.start_if_complete(&mut state);
    }

    fn start_if_complete(&self, state: &mut State) {
        if state.joined == state.clocks.len() {
            state.turn = state.next().unwrap_or(0);
            self.bells[state.turn].notify_one();
        }
    }

    fn wait(&self, mut state: MutexGuard<'_, State>, number: usize) {
        while state.turn != number || state.joined < state.clocks.len() {
            state = self.bells[number].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A thread joins in, and waits for its first turn; it leaves when what is returned is dropped.
    pub(crate) fn join(&self, number: usize) -> Turns<'_> {
        let mut state = self.state();
        state.playing[number] = true;
        state.joined += 1;
        self.start_if_complete(&mut state);
        self.wait(state, number);
        Turns { clock: self, number }
    }

    /// A thread is about to make a visit.
    pub(crate) fn step(&self, number: usize) {
        let mut state = self.state();
        state.clocks[number] += 1;
        let next = state.next().unwrap_or(number);
        if next != number {
            state.turn = next;
            self.bells[next].notify_one();
            self.wait(state, number);
        }
    }

    /// All have left: they meet when the first one was home.
    pub(crate) fn meet(&self) {
        let mut state = self.state();
        let home = state.home.take().unwrap_or_else(|| state.clocks.iter().copied().max().unwrap_or(0));
        let waited: u64 = state.clocks.iter().map(|&clock| home.saturating_sub(clock)).sum();
        state.idle += waited;
        state.clocks.fill(home);
        state.joined = 0;
    }

    /// One thread has made so many visits alone.
    pub(crate) fn alone(&self, visits: u64) {
        let mut state = self.state();
        state.idle += visits * (state.clocks.len() as u64 - 1);
        for clock in &mut state.clocks {
            *clock += visits;
        }
    }

    /// Time begins anew.
    pub(crate) fn reset(&self) {
        let mut state = self.state();
        state.clocks.fill(0);
        state.idle = 0;
    }

    /// How much time has passed, and how much of it was waited, by all together.
    pub(crate) fn time(&self) -> (Duration, Duration) {
        let state = self.state();
        let time = |visits: u64| Duration::from_nanos(visits.saturating_mul(self.visit.as_nanos() as u64));
        (time(state.clocks.first().copied().unwrap_or(0)), time(state.idle))
    }
}

/// A thread's place among those that take turns.
pub(crate) struct Turns<'c> {
    clock: &'c VirtualClock,
    number: usize,
}

impl Drop for Turns<'_> {
    fn drop(&mut self) {
        let mut state = self.clock.state();
        state.playing[self.number] = false;
        let clock = state.clocks[self.number];
        state.home.get_or_insert(clock);
        if let Some(next) = state.next() {
            state.turn = next;
            self.clock.bells[next].notify_one();
        }
    }
}
