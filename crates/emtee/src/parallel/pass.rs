//! A pass by all threads of a team: the first thread to finish returns its result.

use core::sync::atomic::Ordering::Relaxed;
use std::{sync::OnceLock, time::Instant};

use super::peers::{PassResult, Peers, Polled};
use super::{NodeStack, Shared, Team, Unshared};
use crate::error::Error;
use crate::game::{Evaluate, Game, Ranked, legal_moves};
use crate::limits::{Answer, Stopped};
use crate::memory::table::Table;
use crate::node::{Keyed, Worker};
use crate::observer::{Observer, Passes};
use crate::run::{Limits, Run, Setup, Stops, Visits};
use crate::value::{Value, Window};

/// The number of visits between two checks of the limits while other threads run the same pass.
const CHECK_INTERVAL: u64 = 64;

impl Team {
    /// Adds a thread's new visits to the team's count, and stops the thread if the pass is over.
    pub(crate) fn check_limits(&self, number: usize, visits: &mut Visits, table: &Table) -> Result<(), Stopped> {
        visits.check_within(CHECK_INTERVAL);
        let added = self.count_visits(visits);
        match self.peers.as_ref().map(|peers| peers.poll(number, added, &mut |message| self.receive(message, table))) {
            Some(Polled::Done) => self.done.store(true, Relaxed),
            Some(Polled::Continue(interval)) => visits.check_within(interval),
            None => {}
        }
        if self.nodes.load(Relaxed) >= self.most_nodes.load(Relaxed) {
            self.done.store(true, Relaxed);
        }
        if self.done.load(Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    fn count_visits(&self, visits: &mut Visits) -> u64 {
        let added = visits.nodes() - visits.reported;
        visits.reported += added;
        self.nodes.fetch_add(added, Relaxed);
        added
    }
}

/// Ends the pass for all threads when dropped: the thread has finished, was stopped, or panicked.
struct PassGuard<'t>(&'t Team, usize);

impl Drop for PassGuard<'_> {
    fn drop(&mut self) {
        self.0.done.store(true, Relaxed);
        self.0.peers.iter().for_each(|peers| peers.end(self.1));
    }
}

/// The result of a pass: g, the move that failed high, and whether g depends on a static evaluation.
type FinishedPass<M> = (Value, Option<Ranked<M>>, bool);

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Run<'_, G, E, O> {
    /// Runs a pass, by all threads if it is large enough.
    pub(crate) fn pass_by_team(&mut self, team: &Team, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        if self.parallel && depth > ply {
            return self.pass_by_all(team, n, depth, ply, window);
        }
        let (began, before) = (Instant::now(), self.nodes());
        let g = self.worker().run_pass::<Unshared>(n, depth, ply, window);
        let others = team.threads.saturating_sub(1) as u64;
        team.idle.fetch_add(began.elapsed().as_nanos() as u64 * others, Relaxed);
        if let Some(peers) = &team.peers {
            // Report the visits to the transport, but ignore its messages: all ranks must count the same nodes here, so that
            // all begin parallel search at the same iteration.
            peers.poll(0, self.nodes() - before, &mut |_| ());
        }
        g
    }

    /// Starts a helper thread for each thread after the first. The first thread to finish returns its result.
    fn pass_by_all(&mut self, team: &Team, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        let before = self.nodes();
        team.done.store(false, Relaxed);
        team.nodes.store(0, Relaxed);
        team.most_nodes.store(self.setup.limits.nodes.saturating_sub(before), Relaxed);
        team.in_progress.clear();
        team.gamma.store(window.low.bound().to_bits().into(), Relaxed);
        let setup = Setup { team: Some(team), ..self.setup };
        let (own, helpers) = self.threads.split_first_mut().unwrap_or_else(|| unreachable!("there is a first thread"));
        let result = OnceLock::new();
        let began = Instant::now();
        let mut ends = vec![began; helpers.len()];
        (own.visits, own.node_stack) = (Visits::after(before), NodeStack::new());
        let mut spawn_error = None;
        std::thread::scope(|scope| {
            for (helper, end) in helpers.iter_mut().zip(&mut ends) {
                helper.begin_slice();
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
                    spawn_error = Some(Error::NoThread);
                    team.done.store(true, Relaxed);
                    team.peers.iter().for_each(|peers| peers.end(number));
                }
            }
            let mut worker = Worker { setup, own: &mut *own, observer: &mut *self.observer };
            worker.share_pass(team, n, depth, ply, window, &result);
        });
        let now = Instant::now();
        for (helper, end) in helpers.iter_mut().zip(ends) {
            if let Some(fault) = helper.fault.take().or_else(|| spawn_error.take()) {
                own.fault.get_or_insert(fault);
            }
            own.tally.absorb(&helper.tally);
            team.idle.fetch_add(now.saturating_duration_since(end).as_nanos() as u64, Relaxed);
        }
        own.visits = Visits::after(before + team.nodes.load(Relaxed));
        let mut result = result.into_inner();
        if let Some(peers) = &team.peers {
            result = self.agree_with_peers(peers.as_ref(), n, window, result);
        }
        let own = self.own();
        let Some((g, root_move, estimated)) = result else { return Err(Stopped) };
        (own.root_move, own.estimated) = (root_move, estimated);
        own.moves.list.clear();
        Ok(g)
    }

    /// Agrees with the other ranks on the result of a pass. It may be a result for the other γ of the proof.
    fn agree_with_peers(
        &mut self,
        peers: &dyn Peers,
        n: &Keyed<G>,
        window: Window,
        own: Option<FinishedPass<G::Move>>,
    ) -> Option<FinishedPass<G::Move>> {
        let code = |best: Ranked<G::Move>| best.code;
        let own = own.map(|(g, root_move, estimated)| PassResult::new(window.low, g, root_move.map(code), estimated));
        let (gamma, g, code, estimated) = peers.agree(own)?.unpacked();
        if window.is_null() {
            self.answered = Window::null(gamma);
        }
        let moves = legal_moves(&n.position).into_iter().enumerate();
        let mut coded = moves.map(|(index, m)| Ranked { m, code: n.position.code(m, index), rank: 0 });
        Some((g, coded.find(|ranked| ranked.code == code), estimated))
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Runs a pass on one thread of the team. A stop from outside, or a panic, stops the others too.
    fn share_pass(
        &mut self,
        team: &Team,
        n: &Keyed<G>,
        depth: u8,
        ply: u8,
        window: Window,
        result: &OnceLock<FinishedPass<G::Move>>,
    ) {
        let _guard = PassGuard(team, self.own.number);
        team.peers.iter().for_each(|peers| peers.begin(self.own.number));
        let g = self.run_pass::<Shared>(n, depth, ply, window);
        team.count_visits(&mut self.own.visits);
        if let Ok(g) = g {
            result.get_or_init(|| (g, self.own.root_move, self.own.estimated));
        }
    }
}
