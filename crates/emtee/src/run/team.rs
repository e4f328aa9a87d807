//! One search on many cores.
//!
//! A pass has one γ for the whole tree, so there are no windows to pass on: every thread makes the same pass from the
//! root, and the table is all they share. What one has found the others find there. Two rules keep them apart:
//!
//! * a child that another thread is at is put off until the others of its node are done ([`InProgress`]), which is the idea of
//!   ABDADA, and
//! * a thread goes back to the first node on its way that the table can answer for by now, because another has been faster
//!   ([`OpenQuestions`](super::open::OpenQuestions)).
//!
//! Who comes home first has the answer of the pass, and the others stop. Each thread's value is proved by what it has seen
//! itself or found in the table, and a table entry is a fact about a position and a depth: so the value is that of one
//! thread, to the last point, however many there are and however they are scheduled. The counts are not.

// Without the standard library there are no threads, and nobody asks for any of this.
#![cfg_attr(not(feature = "std"), allow(dead_code))]

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use core::time::Duration;
#[cfg(feature = "std")]
use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

use super::in_progress::{InProgress, Mark};
use super::peers::{COMES, Note, Peers};
#[cfg(feature = "std")]
use super::{
    iteration::Run,
    limits::{Limits, Stops, Visits},
    open::OpenQuestions,
    peers::{Heard, Home},
    setup::Setup,
    virtual_clock::VirtualClock,
};
use crate::game::{Evaluate, Game};
use crate::key::mix;
use crate::limits::Stopped;
use crate::memory::table::{Entry, Table};
use crate::node::{Child, Cursor, Edge, Node, Place, Worker, child};
use crate::observer::Observer;
use crate::value::{Value, Window};
#[cfg(feature = "std")]
use crate::{
    game::{Ranked, legal_moves},
    limits::Answer,
    observer::Passes,
};

/// The most threads of one search.
pub const MAX_THREADS: usize = 256;

/// Nodes less deep than this are too small to be shared.
pub(crate) const LEAST_SHARED: u8 = 2;

/// How many places a machine may move a later move back in its own order: any order where moves are few. Where they are many,
/// as in chess, the last are hardly ever of use.
const MOST_PLACES: u64 = 64;

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
    threads: usize,
    sharing: Sharing,
    in_progress: InProgress,
    /// What is asked: who is at the same position with another question is no reason to put it off.
    question: AtomicU64,
    /// Some thread has the answer of the pass, or there will be none.
    done: AtomicBool,
    /// Visits of all threads in this pass, and how many there may be.
    nodes: AtomicU64,
    most_nodes: AtomicU64,
    /// Nanoseconds that threads have waited.
    idle: AtomicU64,
    #[cfg(feature = "std")]
    clock: Option<VirtualClock>,
    /// Other machines at work on the same search.
    pub(crate) peers: Option<Arc<dyn Peers>>,
}

impl Team {
    /// Threads that take turns by a virtual clock, if a visit has a length there.
    pub(crate) fn new(threads: usize, sharing: Sharing, visit: Option<Duration>) -> Team {
        #[cfg(not(feature = "std"))]
        let _ = visit;
        Team {
            threads,
            sharing,
            in_progress: InProgress::new(),
            question: AtomicU64::new(0),
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            most_nodes: AtomicU64::new(u64::MAX),
            idle: AtomicU64::new(0),
            #[cfg(feature = "std")]
            clock: visit.map(|visit| VirtualClock::new(threads, visit)),
            peers: None,
        }
    }

    /// Whether children that others are at are put off at a node of this depth.
    #[inline]
    fn defers(&self, depth: u8) -> bool {
        self.sharing == Sharing::Deferring && depth > LEAST_SHARED
    }

    /// Whether this machine is one of the half that asks the other of two questions.
    pub(super) fn asks_other_half(&self) -> bool {
        self.peers.as_ref().is_some_and(|peers| peers.number() % 2 == 1)
    }

    /// A position at a depth, in this pass.
    #[inline(always)]
    fn mark(&self, key: u64, depth: u8) -> Mark {
        Mark::new(key ^ self.question.load(Relaxed), depth)
    }

    /// What another machine has told.
    fn take(&self, Note([key, data]): Note, table: &Table) {
        match data {
            COMES => self.in_progress.enter(Mark(key)),
            _ => self.in_progress.leave(self.mark(key, table.absorb(key, data))),
        }
    }

    /// A search begins.
    pub(crate) fn reset(&mut self) {
        *self.idle.get_mut() = 0;
        #[cfg(feature = "std")]
        if let Some(clock) = &self.clock {
            clock.reset();
        }
    }

    /// How the search went.
    pub(crate) fn report(&self) -> Teamwork {
        let idle = Duration::from_nanos(self.idle.load(Relaxed));
        #[cfg(feature = "std")]
        if let Some((time, idle)) = self.clock.as_ref().map(VirtualClock::time) {
            return Teamwork { threads: self.threads, idle, virtual_time: Some(time) };
        }
        Teamwork { threads: self.threads, idle, virtual_time: None }
    }
}

/// How many visits pass between two looks at the limits while others wait for the end of the same pass.
#[cfg(feature = "std")]
const INTERVAL: u64 = 64;

#[cfg(feature = "std")]
impl Team {
    /// A thread tells of its visits, and hears whether the pass is over.
    pub(super) fn look(&self, number: usize, visits: &mut Visits, table: &Table) -> Result<(), Stopped> {
        visits.look_again_after(INTERVAL);
        if let Some(clock) = &self.clock {
            visits.look_again_after(1);
            clock.step(number);
        }
        let news = self.count(visits);
        match self.peers.as_ref().map(|peers| peers.hear(number, news, &mut |note| self.take(note, table))) {
            Some(Heard::Over) => self.done.store(true, Relaxed),
            Some(Heard::GoOn(interval)) => visits.look_again_after(interval),
            None => {}
        }
        if self.nodes.load(Relaxed) >= self.most_nodes.load(Relaxed) {
            self.done.store(true, Relaxed);
        }
        if self.done.load(Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    fn count(&self, visits: &mut Visits) -> u64 {
        let news = visits.nodes() - visits.told;
        visits.told += news;
        self.nodes.fetch_add(news, Relaxed);
        news
    }
}

#[cfg(feature = "std")]
impl<G: Game, E: Evaluate<G>, O: Observer<G>> Run<'_, G, E, O> {
    /// A question at the root, asked by all threads if it is worth their while.
    pub(super) fn ask_team(&mut self, team: &Team, n: &Place<G>, depth: u8, ply: u8, window: Window) -> Answer {
        if self.parallel && depth > ply {
            return self.on_all_threads(team, n, depth, ply, window);
        }
        let (began, before) = (Instant::now(), self.nodes());
        let g = self.worker().windowed::<false>(n, depth, ply, window);
        let others = team.threads.saturating_sub(1) as u64;
        team.idle.fetch_add(began.elapsed().as_nanos() as u64 * others, Relaxed);
        if let Some(clock) = &team.clock {
            clock.alone(self.nodes() - before);
        }
        if let Some(peers) = &team.peers {
            // Time passes for them too. What they have found already is not taken in: all machines must count the same nodes
            // here, so that all call for help at the same iteration.
            peers.hear(0, self.nodes() - before, &mut |_| ());
        }
        g
    }

    /// Helpers are started for a pass, and gone with it. Whoever comes home first brings the answer.
    fn on_all_threads(&mut self, team: &Team, n: &Place<G>, depth: u8, ply: u8, window: Window) -> Answer {
        let before = self.nodes();
        team.done.store(false, Relaxed);
        team.nodes.store(0, Relaxed);
        team.most_nodes.store(self.setup.limits.nodes.saturating_sub(before), Relaxed);
        team.in_progress.clear();
        team.question.store(window.low.bound().to_bits().into(), Relaxed);
        let setup = Setup { team: Some(team), ..self.setup };
        let (own, helpers) = self.threads.split_first_mut().unwrap_or_else(|| unreachable!("there is a first thread"));
        let home = Mutex::new(None);
        let come_home = |g: Answer, root_move: Option<Ranked<G::Move>>, estimated: bool| {
            if let Ok(g) = g
                && !team.done.swap(true, Relaxed)
            {
                *home.lock().unwrap_or_else(PoisonError::into_inner) = Some((g, root_move, estimated));
            }
        };
        let began = Instant::now();
        let mut ends = vec![began; helpers.len()];
        (own.visits, own.open) = (Visits::after(before), OpenQuestions::new());
        let stopped = std::thread::scope(|scope| {
            for (helper, end) in helpers.iter_mut().zip(&mut ends) {
                helper.begin();
                helper.path.clone_from(&own.path);
                let come_home = &come_home;
                scope.spawn(move || {
                    let limits = Limits { nodes: u64::MAX, due: None, stops: &Stops::NONE };
                    let setup = Setup { limits, ..setup };
                    let mut worker = Worker { setup, own: helper, observer: &mut Passes::<G>(&mut ()) };
                    let turns = team.clock.as_ref().map(|clock| clock.join(worker.own.number));
                    team.peers.iter().for_each(|peers| peers.begin(worker.own.number));
                    let g = worker.windowed::<true>(n, depth, ply, window);
                    team.count(&mut worker.own.visits);
                    come_home(g, worker.own.root_move, worker.own.estimated);
                    team.peers.iter().for_each(|peers| peers.end(worker.own.number));
                    drop(turns);
                    *end = Instant::now();
                });
            }
            let turns = team.clock.as_ref().map(|clock| clock.join(0));
            team.peers.iter().for_each(|peers| peers.begin(0));
            let mut worker = Worker { setup, own: &mut *own, observer: &mut *self.observer };
            let g = worker.windowed::<true>(n, depth, ply, window);
            team.count(&mut own.visits);
            come_home(g, own.root_move, own.estimated);
            // A stop from outside stops the others too.
            team.done.store(true, Relaxed);
            team.peers.iter().for_each(|peers| peers.end(0));
            drop(turns);
            Stopped
        });
        if let Some(clock) = &team.clock {
            clock.meet();
        }
        let now = Instant::now();
        for (helper, end) in helpers.iter_mut().zip(ends) {
            if let Some(fault) = helper.fault.take() {
                own.fault.get_or_insert(fault);
            }
            own.tally.absorb(&mut helper.tally);
            team.idle.fetch_add(now.saturating_duration_since(end).as_nanos() as u64, Relaxed);
        }
        own.visits = Visits::after(before + team.nodes.load(Relaxed));
        let mut home = home.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(peers) = &team.peers {
            let gamma = window.low;
            let own =
                home.map(|(g, root_move, estimated)| Home::new(gamma, g, root_move.map(|best| best.code), estimated));
            home = peers.settle(own).map(|home| {
                let (gamma, g, code, estimated) = home.unpacked();
                if window.is_null() {
                    self.answered = Window::null(gamma);
                }
                let moves = legal_moves(&n.position).into_iter().enumerate();
                let mut coded = moves.map(|(at, m)| Ranked { m, code: n.position.code(m, at), rank: 0 });
                (g, coded.find(|ranked| ranked.code == code), estimated)
            });
        }
        let Some((g, root_move, estimated)) = home else { return Err(stopped) };
        (own.root_move, own.estimated) = (root_move, estimated);
        own.moves.list.clear();
        Ok(g)
    }
}

/// What a thread does at a node that others may be at as well.
impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Gives up what this thread is at, if others have found the answer to a question above it.
    #[inline(never)]
    pub(crate) fn go_back_if_answered(&mut self) -> Result<(), Stopped> {
        if self.own.open.is_answered(self.setup.table) { Err(Stopped) } else { Ok(()) }
    }

    /// What another thread has meanwhile found out about a node below the root, if that answers.
    #[inline(never)]
    pub(crate) fn found_by_others(&mut self, n: &Place<G>, node: &Node, open: Window) -> Option<(Value, Entry)> {
        if node.ply == 0 {
            return None;
        }
        let entry = self.setup.table.retrieve(n.key, node.depth);
        let g = open.answer(entry.f)?;
        self.own.estimated |= entry.estimated;
        if let Some(path) = &mut self.own.path {
            path.decided = false;
        }
        Some((g, entry))
    }

    /// The other machines, if nodes of this depth are so many times as large as those that they hear about.
    fn peers(&self, depth: u8, times: u32) -> Option<&dyn Peers> {
        let large = |peers: &&dyn Peers| {
            depth >= LEAST_SHARED && self.own.efforts.expected(depth) >= peers.least_effort().saturating_mul(times)
        };
        self.setup.team?.peers.as_deref().filter(large)
    }

    /// Tells other machines what is known of a node by now, which this thread has made so many visits for.
    #[inline(never)]
    pub(crate) fn tell_peers(&mut self, n: &Place<G>, node: &Node, visits: u64) {
        let Some(peers) = self.setup.team.and_then(|team| team.peers.as_deref()) else { return };
        self.own.efforts.learn(node.depth, visits);
        // A large node may have taken few visits because others had done most of it. That it is done is news all the same.
        let large = visits >= u64::from(peers.least_effort()) || self.peers(node.depth, 8).is_some();
        if large && let Some(data) = self.setup.table.data(n.key, node.depth) {
            peers.tell(Note([n.key, data]));
        }
    }

    /// Where threads share the table alone, helpers try the moves after the first in an order of their own.
    #[inline(never)]
    pub(crate) fn shuffle(&mut self, n: &Place<G>, node: &Node, children: &mut Cursor<G>) {
        let Some(team) = self.setup.team else { return };
        let machine = self.peers(node.depth, 1).map_or(0, Peers::number) as u64;
        if machine > 0 && children.tried == 1 && !children.shuffled {
            // In an order of its own, not only from a place of its own: who follows another one step behind would hear of
            // each child when it has just done it too.
            self.sort(n, node, children);
            let left = &mut self.own.moves.list[children.next..children.end];
            for (at, ranked) in left.iter_mut().enumerate() {
                let back = mix(n.key ^ mix(u64::from(ranked.code) << 16 ^ machine)) % MOST_PLACES;
                ranked.rank = at as i32 + back as i32;
            }
            left.sort_unstable_by_key(|ranked| ranked.rank);
            children.shuffled = true;
        }
        let table_only = team.sharing == Sharing::TableOnly;
        if !table_only || self.own.number == 0 || children.tried == 0 {
            return;
        }
        self.sort(n, node, children);
        let left = &mut self.own.moves.list[children.next..children.end];
        if left.len() > 1 {
            let some = mix(n.key ^ self.own.number as u64) as usize % left.len().min(3);
            left[some].rank = i32::MAX;
            left[..=some].rotate_right(1);
        }
    }

    /// Sets out for a child, unless another thread is at it: then it is put off until nothing else is left.
    #[inline(never)]
    pub(crate) fn enter(&mut self, node: &Node, key: u64, edge: &Edge<G::Move>, children: &mut Cursor<G>) -> bool {
        let Some(team) = self.setup.team.filter(|team| team.defers(node.depth)) else { return true };
        let mark = team.mark(key, node.depth - 1);
        if children.taken_up == 0 && team.in_progress.holds(mark) {
            children.tried -= 1;
            self.own.moves.list.push(edge.ranked());
            return false;
        }
        team.in_progress.enter(mark);
        // News of a child that is only just large enough to be told of would come when it is done.
        self.peers(node.depth - 1, 2).into_iter().for_each(|peers| peers.tell(Note([mark.0, COMES])));
        true
    }

    /// Is back from a child.
    #[inline(never)]
    pub(crate) fn exit(&mut self, node: &Node, c: &Place<G>) {
        if let Some(team) = self.setup.team.filter(|team| team.defers(node.depth)) {
            team.in_progress.leave(team.mark(c.key, node.depth - 1));
        }
    }

    /// A child that was put off: each thread begins with another, since somebody is at each of them.
    #[inline(never)]
    pub(crate) fn take_up(&mut self, n: &Place<G>, node: &Node, children: &mut Cursor<G>) -> Option<Child<G>> {
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

    /// Others have found the answer of a node. Should the table have lost it again, the child is still to be asked.
    #[inline(never)]
    pub(crate) fn ask_again(&mut self, edge: &Edge<G::Move>, children: &mut Cursor<G>) {
        if let Some(ranked) = children.take_back(edge) {
            self.own.moves.list.push(ranked);
        }
    }
}
