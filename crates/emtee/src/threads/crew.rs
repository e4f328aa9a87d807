//! The threads of a pass: started for it, and gone with it.

use core::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::{Hand, Open, Team};
use crate::error::Error;
use crate::game::{Evaluate, Game};
use crate::limits::{Limits, Stopped};
use crate::line::Line;
use crate::observer::{Observer, Passes};
use crate::value::{Value, Window};
use crate::worker::{RootMove, Worker};

/// What the pass of a thread came to.
struct Return<M> {
    g: Value,
    root_move: Option<RootMove<M>>,
}

/// What a helper has to tell besides.
#[derive(Default)]
struct Report {
    estimated: bool,
    fault: Option<Error>,
    /// When it was done.
    end: Option<Instant>,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// A question at the root, asked by all threads if it is worth their while.
    pub(crate) fn question(&mut self, n: &G, depth: u8, ply: u8, window: Window) -> Result<Value, Stopped> {
        match self.team {
            Some(team) if self.large && depth > ply => self.on_all_threads(team, n, depth, ply, window),
            Some(team) => {
                let (began, before) = (Instant::now(), self.limits.nodes());
                let g = self.alone(n, depth, ply, window);
                let others = team.threads.saturating_sub(1) as u64;
                team.idle.fetch_add(began.elapsed().as_nanos() as u64 * others, Relaxed);
                if let Some(conductor) = &team.conductor {
                    conductor.alone(self.limits.nodes() - before);
                }
                g
            }
            None => self.alone(n, depth, ply, window),
        }
    }

    fn on_all_threads(&mut self, team: &Team, n: &G, depth: u8, ply: u8, window: Window) -> Result<Value, Stopped> {
        team.done.store(false, Relaxed);
        team.busy.clear();
        let before = self.limits.nodes();
        self.limits.share(true);
        self.shared = true;
        self.open = Open::new();
        let home: Mutex<Option<Return<G::Move>>> = Mutex::new(None);
        let come_home = |g: Result<Value, Stopped>, root_move| {
            if let Ok(g) = g
                && !team.done.swap(true, Relaxed)
            {
                *home.lock().unwrap_or_else(PoisonError::into_inner) = Some(Return { g, root_move });
            }
        };
        let mut reports: Vec<Report> = self.hands.iter().map(|_| Report::default()).collect();
        let game = self.line.as_ref().map(Line::so_far);
        let (evaluator, table, excluded) = (self.evaluator, self.table, self.excluded);
        let (ordering, store_leaves, etc, horizon) = (self.ordering, self.store_leaves, self.etc, self.horizon);
        let learning = self.learning;
        let began = Instant::now();
        let hands = core::mem::take(&mut self.hands);
        let own = std::thread::scope(|scope| {
            for (number, (hand, report)) in (1..).zip(hands.iter_mut().zip(&mut reports)) {
                let (come_home, game) = (&come_home, game.as_deref());
                scope.spawn(move || {
                    let Hand { moves, memory, sieve, tally, game: keys } = hand;
                    *keys = game.map(<[u64]>::to_vec);
                    moves.list.clear();
                    let mut nobody = ();
                    let mut worker = Worker {
                        evaluator,
                        table,
                        moves,
                        memory,
                        tally,
                        limits: Limits::of_helper(team, number),
                        observer: &mut Passes::<G>(&mut nobody),
                        ordering,
                        store_leaves,
                        etc,
                        horizon,
                        excluded,
                        learning,
                        sieve,
                        line: keys.as_mut().map(|keys| Line::new(keys)),
                        root_move: None,
                        estimated: false,
                        fault: None,
                        hands: &mut [],
                        team: Some(team),
                        large: false,
                        shared: true,
                        open: Open::new(),
                        number,
                    };
                    let turns = team.conductor.as_ref().map(|conductor| conductor.join(number));
                    let g = worker.together(team, n, depth, ply, window);
                    worker.limits.sign_off();
                    come_home(g, worker.root_move);
                    drop(turns);
                    *report = Report { estimated: worker.estimated, fault: worker.fault, end: Some(Instant::now()) };
                });
            }
            let turns = team.conductor.as_ref().map(|conductor| conductor.join(0));
            let g = self.together(team, n, depth, ply, window);
            self.limits.sign_off();
            self.limits.share(false);
            self.shared = false;
            come_home(g, self.root_move);
            // A stop from outside stops the others too.
            team.done.store(true, Relaxed);
            drop(turns);
            g
        });
        let end = Instant::now();
        if let Some(conductor) = &team.conductor {
            conductor.meet();
        }
        for report in &mut reports {
            self.estimated |= report.estimated;
            if let Some(fault) = report.fault.take() {
                self.fault.get_or_insert(fault);
            }
            let waited = report.end.map_or(end - began, |at| end.saturating_duration_since(at));
            team.idle.fetch_add(waited.as_nanos() as u64, Relaxed);
        }
        for hand in hands.iter_mut() {
            self.tally.absorb(&mut hand.tally);
        }
        self.limits.add(team.nodes.load(Relaxed) - (self.limits.nodes() - before));
        self.hands = hands;
        match home.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(Return { g, root_move }) => {
                self.root_move = root_move;
                self.moves.list.clear();
                Ok(g)
            }
            None => own,
        }
    }
}
