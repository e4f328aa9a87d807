//! The threads of a search: what they share besides the table, and how a pass is run by all of them.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use core::time::Duration;
#[cfg(feature = "std")]
use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

use super::peers::{COMES, Note, Peers};
use super::{InProgress, LEAST_SHARED, Mark};
#[cfg(feature = "std")]
use super::{
    OpenNodes, Shared,
    peers::{Heard, Home},
};
use crate::game::{Evaluate, Game};
use crate::key::mix;
#[cfg(feature = "std")]
use crate::limits::Stopped;
use crate::memory::table::Table;
use crate::node::{Child, Cursor, Node, Place, Worker, child};
use crate::observer::Observer;
#[cfg(feature = "std")]
use crate::{
    error::Error,
    game::{Ranked, legal_moves},
    limits::Answer,
    observer::Passes,
    run::{Limits, Run, Setup, Stops, Visits},
    value::{Value, Window},
};

/// The most threads of one search.
pub const MAX_THREADS: usize = 256;

/// How many places a machine may move a later move back in its own order: any order where moves are few. Where they are many,
/// as in chess, the last are hardly ever of use.
const MOST_PLACES: u64 = 64;

/// How a search with several threads went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Teamwork {
    /// How many threads there were.
    pub threads: usize,
    /// How long they had nothing to do, all of them together, the time that one searched alone included.
    pub idle: Duration,
}

/// What the threads of a search share besides its table.
pub(crate) struct Team {
    threads: usize,
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
    fn take(&self, Note([key, data]): Note, table: &Table) {
        match data {
            COMES => self.in_progress.enter(Mark(key)),
            _ => self.in_progress.leave(self.mark(key, table.absorb(key, data))),
        }
    }

    /// A search begins.
    pub(crate) fn reset(&mut self) {
        *self.idle.get_mut() = 0;
    }

    /// How the search went.
    pub(crate) fn report(&self) -> Teamwork {
        Teamwork { threads: self.threads, idle: Duration::from_nanos(self.idle.load(Relaxed)) }
    }
}

/// How many visits pass between two looks at the limits while other threads are at work on the same pass.
#[cfg(feature = "std")]
const INTERVAL: u64 = 64;

#[cfg(feature = "std")]
impl Team {
    /// A thread tells of its visits, and hears whether the pass is over.
    pub(crate) fn look(&self, number: usize, visits: &mut Visits, table: &Table) -> Result<(), Stopped> {
        visits.look_again_after(INTERVAL);
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

/// A thread at work on a pass. The pass is over when it is dropped: the thread has finished, was stopped, or panicked.
#[cfg(feature = "std")]
struct InPass<'t>(&'t Team, usize);

#[cfg(feature = "std")]
impl<'t> InPass<'t> {
    fn begin(team: &'t Team, number: usize) -> InPass<'t> {
        let in_pass = InPass(team, number);
        team.peers.iter().for_each(|peers| peers.begin(number));
        in_pass
    }
}

#[cfg(feature = "std")]
impl Drop for InPass<'_> {
    fn drop(&mut self) {
        self.0.done.store(true, Relaxed);
        self.0.peers.iter().for_each(|peers| peers.end(self.1));
    }
}

/// The result of a pass: g, the move that failed high, and whether g rests on an evaluation.
#[cfg(feature = "std")]
type Finished<M> = (Value, Option<Ranked<M>>, bool);

#[cfg(feature = "std")]
impl<G: Game, E: Evaluate<G>, O: Observer<G>> Run<'_, G, E, O> {
    /// A pass, by all threads if it is large enough.
    pub(crate) fn pass_by_team(&mut self, team: &Team, n: &Place<G>, depth: u8, ply: u8, window: Window) -> Answer {
        if self.parallel && depth > ply {
            return self.pass_by_all(team, n, depth, ply, window);
        }
        let (began, before) = (Instant::now(), self.nodes());
        let g = self.worker().pass::<super::Alone>(n, depth, ply, window);
        let others = team.threads.saturating_sub(1) as u64;
        team.idle.fetch_add(began.elapsed().as_nanos() as u64 * others, Relaxed);
        if let Some(peers) = &team.peers {
            // Time passes for the peers too. Their messages are not used yet: all machines must count the same nodes here, so
            // that all begin to share at the same iteration.
            peers.hear(0, self.nodes() - before, &mut |_| ());
        }
        g
    }

    /// Starts a helper for each further thread. The first thread to finish returns its result.
    fn pass_by_all(&mut self, team: &Team, n: &Place<G>, depth: u8, ply: u8, window: Window) -> Answer {
        let before = self.nodes();
        team.done.store(false, Relaxed);
        team.nodes.store(0, Relaxed);
        team.most_nodes.store(self.setup.limits.nodes.saturating_sub(before), Relaxed);
        team.in_progress.clear();
        team.question.store(window.low.bound().to_bits().into(), Relaxed);
        let setup = Setup { team: Some(team), ..self.setup };
        let (own, helpers) = self.threads.split_first_mut().unwrap_or_else(|| unreachable!("there is a first thread"));
        let result = Mutex::new(None);
        let finish = |g: Answer, root_move: Option<Ranked<G::Move>>, estimated: bool| {
            if let Ok(g) = g
                && !team.done.swap(true, Relaxed)
            {
                *result.lock().unwrap_or_else(PoisonError::into_inner) = Some((g, root_move, estimated));
            }
        };
        let began = Instant::now();
        let mut ends = vec![began; helpers.len()];
        (own.visits, own.open_nodes) = (Visits::after(before), OpenNodes::new());
        let mut missing = None;
        std::thread::scope(|scope| {
            for (helper, end) in helpers.iter_mut().zip(&mut ends) {
                helper.begin();
                helper.tally.clear();
                helper.path.clone_from(&own.path);
                let (number, finish) = (helper.number, &finish);
                let spawned = std::thread::Builder::new().spawn_scoped(scope, move || {
                    let limits = Limits { nodes: u64::MAX, due: None, stops: &Stops::NONE };
                    let setup = Setup { limits, ..setup };
                    let mut worker = Worker { setup, own: helper, observer: &mut Passes::<G>(&mut ()) };
                    let in_pass = InPass::begin(team, number);
                    let g = worker.pass::<Shared>(n, depth, ply, window);
                    team.count(&mut worker.own.visits);
                    finish(g, worker.own.root_move, worker.own.estimated);
                    drop(in_pass);
                    *end = Instant::now();
                });
                if spawned.is_err() {
                    missing = Some(Error::NoThread);
                    team.peers.iter().for_each(|peers| peers.end(number));
                }
            }
            let in_pass = InPass::begin(team, 0);
            let mut worker = Worker { setup, own: &mut *own, observer: &mut *self.observer };
            let g = if missing.is_some() { Err(Stopped) } else { worker.pass::<Shared>(n, depth, ply, window) };
            team.count(&mut own.visits);
            finish(g, own.root_move, own.estimated);
            // A stop from outside, or a panic, stops the helpers too.
            drop(in_pass);
        });
        let now = Instant::now();
        for (helper, end) in helpers.iter_mut().zip(ends) {
            if let Some(fault) = helper.fault.take().or_else(|| missing.take()) {
                own.fault.get_or_insert(fault);
            }
            own.tally.absorb(&mut helper.tally);
            team.idle.fetch_add(now.saturating_duration_since(end).as_nanos() as u64, Relaxed);
        }
        own.visits = Visits::after(before + team.nodes.load(Relaxed));
        let mut result = result.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(peers) = &team.peers {
            result = self.settle_with(peers.as_ref(), n, window, result);
        }
        let own = self.own();
        let Some((g, root_move, estimated)) = result else { return Err(Stopped) };
        (own.root_move, own.estimated) = (root_move, estimated);
        own.moves.list.clear();
        Ok(g)
    }

    /// The result that counts for all machines, given that of this one. It may answer the other half of the proof.
    fn settle_with(
        &mut self,
        peers: &dyn Peers,
        n: &Place<G>,
        window: Window,
        own: Option<Finished<G::Move>>,
    ) -> Option<Finished<G::Move>> {
        let code = |best: Ranked<G::Move>| best.code;
        let own = own.map(|(g, root_move, estimated)| Home::new(window.low, g, root_move.map(code), estimated));
        let (gamma, g, code, estimated) = peers.settle(own)?.unpacked();
        if window.is_null() {
            self.answered = Window::null(gamma);
        }
        let moves = legal_moves(&n.position).into_iter().enumerate();
        let mut coded = moves.map(|(at, m)| Ranked { m, code: n.position.code(m, at), rank: 0 });
        Some((g, coded.find(|ranked| ranked.code == code), estimated))
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
    pub(super) fn tell_peers(&mut self, n: &Place<G>, node: &Node, visits: u64) {
        let Some(peers) = self.setup.team.and_then(|team| team.peers.as_deref()) else { return };
        self.own.efforts.learn(node.depth, visits);
        // A large node may have taken few visits because other threads had done most of it. It is finished all the same.
        let large = visits >= u64::from(peers.least_effort()) || self.peers(node.depth, 8).is_some();
        if large && let Some(data) = self.setup.table.data(n.key, node.depth) {
            peers.tell(Note([n.key, data]));
        }
    }

    /// Puts the moves after the first in an order of this machine's own, where it is one of several.
    ///
    /// An order of its own, not only a start of its own: a machine one step behind another would be told of each child when
    /// it had just searched it too.
    pub(super) fn shuffle(&mut self, n: &Place<G>, node: &Node, children: &mut Cursor<G>) {
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
        self.peers(node.depth - 1, 2).into_iter().for_each(|peers| peers.tell(Note([mark.0, COMES])));
        true
    }

    /// Removes the mark of a child.
    pub(super) fn unmark(&mut self, mark: Option<Mark>) {
        if let Some((team, mark)) = self.setup.team.zip(mark) {
            team.in_progress.leave(mark);
        }
    }

    /// The next deferred child. Each thread begins with another one, since all of them are being searched.
    pub(super) fn next_deferred(&mut self, n: &Place<G>, node: &Node, children: &mut Cursor<G>) -> Option<Child<G>> {
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
