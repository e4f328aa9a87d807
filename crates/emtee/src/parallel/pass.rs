//! A pass, by all threads of a team: the first to finish returns its result.

use core::sync::atomic::Ordering::Relaxed;
use std::{sync::OnceLock, time::Instant};

use super::peers::{PassResult, Peers, Polled};
use super::{Alone, OpenNodes, Shared, Team};
use crate::error::Error;
use crate::game::{Evaluate, Game, Ranked, legal_moves};
use crate::limits::{Answer, Stopped};
use crate::memory::table::Table;
use crate::node::{Keyed, Worker};
use crate::observer::{Observer, Passes};
use crate::run::{Limits, Run, Setup, Stops, Visits};
use crate::value::{Value, Window};

/// How many visits pass between two looks at the limits while other threads are at work on the same pass.
const INTERVAL: u64 = 64;

impl Team {
    /// A thread tells of its visits, and hears whether the pass is over.
    pub(crate) fn look(&self, number: usize, visits: &mut Visits, table: &Table) -> Result<(), Stopped> {
        visits.look_again_after(INTERVAL);
        let news = self.count(visits);
        match self.peers.as_ref().map(|peers| peers.poll(number, news, &mut |note| self.take(note, table))) {
            Some(Polled::Done) => self.done.store(true, Relaxed),
            Some(Polled::Continue(interval)) => visits.look_again_after(interval),
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
struct InPass<'t>(&'t Team, usize);

impl Drop for InPass<'_> {
    fn drop(&mut self) {
        self.0.done.store(true, Relaxed);
        self.0.peers.iter().for_each(|peers| peers.end(self.1));
    }
}

/// The result of a pass: g, the move that failed high, and whether g rests on an evaluation.
type Finished<M> = (Value, Option<Ranked<M>>, bool);

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Run<'_, G, E, O> {
    /// A pass, by all threads if it is large enough.
    pub(crate) fn pass_by_team(&mut self, team: &Team, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        if self.parallel && depth > ply {
            return self.pass_by_all(team, n, depth, ply, window);
        }
        let (began, before) = (Instant::now(), self.nodes());
        let g = self.worker().pass::<Alone>(n, depth, ply, window);
        let others = team.threads.saturating_sub(1) as u64;
        team.idle.fetch_add(began.elapsed().as_nanos() as u64 * others, Relaxed);
        if let Some(peers) = &team.peers {
            // Time passes for the peers too. Their messages are not used yet: all machines must count the same nodes here, so
            // that all begin to share at the same iteration.
            peers.poll(0, self.nodes() - before, &mut |_| ());
        }
        g
    }

    /// Starts a helper for each further thread. The first thread to finish returns its result.
    fn pass_by_all(&mut self, team: &Team, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        let before = self.nodes();
        team.done.store(false, Relaxed);
        team.nodes.store(0, Relaxed);
        team.most_nodes.store(self.setup.limits.nodes.saturating_sub(before), Relaxed);
        team.in_progress.clear();
        team.question.store(window.low.bound().to_bits().into(), Relaxed);
        let setup = Setup { team: Some(team), ..self.setup };
        let (own, helpers) = self.threads.split_first_mut().unwrap_or_else(|| unreachable!("there is a first thread"));
        let result = OnceLock::new();
        let began = Instant::now();
        let mut ends = vec![began; helpers.len()];
        (own.visits, own.open_nodes) = (Visits::after(before), OpenNodes::new());
        let mut missing = None;
        std::thread::scope(|scope| {
            for (helper, end) in helpers.iter_mut().zip(&mut ends) {
                helper.begin();
                helper.tally.clear();
                helper.path.clone_from(&own.path);
                let (number, result) = (helper.number, &result);
                let spawned = std::thread::Builder::new().spawn_scoped(scope, move || {
                    let limits = Limits { nodes: u64::MAX, due: None, stops: &Stops::NONE };
                    let setup = Setup { limits, ..setup };
                    let mut worker = Worker { setup, own: helper, observer: &mut Passes::<G>(&mut ()) };
                    worker.share_pass(team, n, depth, ply, window, result);
                    *end = Instant::now();
                });
                if spawned.is_err() {
                    missing = Some(Error::NoThread);
                    team.done.store(true, Relaxed);
                    team.peers.iter().for_each(|peers| peers.end(number));
                }
            }
            let mut worker = Worker { setup, own: &mut *own, observer: &mut *self.observer };
            worker.share_pass(team, n, depth, ply, window, &result);
        });
        let now = Instant::now();
        for (helper, end) in helpers.iter_mut().zip(ends) {
            if let Some(fault) = helper.fault.take().or_else(|| missing.take()) {
                own.fault.get_or_insert(fault);
            }
            own.tally.absorb(&helper.tally);
            team.idle.fetch_add(now.saturating_duration_since(end).as_nanos() as u64, Relaxed);
        }
        own.visits = Visits::after(before + team.nodes.load(Relaxed));
        let mut result = result.into_inner();
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
        n: &Keyed<G>,
        window: Window,
        own: Option<Finished<G::Move>>,
    ) -> Option<Finished<G::Move>> {
        let code = |best: Ranked<G::Move>| best.code;
        let own = own.map(|(g, root_move, estimated)| PassResult::new(window.low, g, root_move.map(code), estimated));
        let (gamma, g, code, estimated) = peers.agree(own)?.unpacked();
        if window.is_null() {
            self.answered = Window::null(gamma);
        }
        let moves = legal_moves(&n.position).into_iter().enumerate();
        let mut coded = moves.map(|(at, m)| Ranked { m, code: n.position.code(m, at), rank: 0 });
        Some((g, coded.find(|ranked| ranked.code == code), estimated))
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// One thread's part of a pass. A stop from outside, or a panic, stops the others too.
    fn share_pass(
        &mut self,
        team: &Team,
        n: &Keyed<G>,
        depth: u8,
        ply: u8,
        window: Window,
        result: &OnceLock<Finished<G::Move>>,
    ) {
        let _in_pass = InPass(team, self.own.number);
        team.peers.iter().for_each(|peers| peers.begin(self.own.number));
        let g = self.pass::<Shared>(n, depth, ply, window);
        team.count(&mut self.own.visits);
        if let Ok(g) = g {
            result.get_or_init(|| (g, self.own.root_move, self.own.estimated));
        }
    }
}
