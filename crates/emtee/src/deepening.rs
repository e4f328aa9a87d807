//! Iterative deepening: one depth after the other, each guided by the last.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::time::Duration;

use crate::algorithm::{Algorithm, Guess};
use crate::baseline::aspiration;
use crate::best::{Proof, Strategy};
use crate::driver::{Driver, Mtd, mtd};
use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::oracle::Mirror;
use crate::stats::{Counts, Iteration, Pass};
use crate::value::{Bounds, Gamma, Value, Window};
use crate::worker::{Child, RootMove, Worker};

/// The algorithm of a search, or the driver that its user wrote.
pub(crate) enum Plan {
    Named(Algorithm),
    Driven(Box<dyn Driver + Send>),
}

/// An iteration under way. It outlives a stop, so that a search can be taken up where it was left.
pub(crate) struct Underway<M> {
    /// What is proved of the root at this depth.
    pub(crate) f: Bounds,
    /// The last move to fail high.
    pub(crate) best: Option<RootMove<M>>,
    pub(crate) passes: Vec<Pass<M>>,
    pub(crate) crossings: u32,
    pub(crate) confirmed: Option<bool>,
    /// MTD-best's proof so far, and the codes of the root moves in its order.
    pub(crate) proof: Option<(Vec<u16>, Proof)>,
    /// What it has cost so far, and how long it has taken.
    pub(crate) counts: Counts,
    pub(crate) time: Duration,
    /// Whether it has begun, and whether anything in it rests on an evaluation.
    pub(crate) begun: bool,
    pub(crate) estimated: bool,
}

impl<M: Copy> Underway<M> {
    pub(crate) fn new(range: Bounds) -> Underway<M> {
        // Room for more passes than a good driver makes, so that none is made while one runs.
        let passes = Vec::with_capacity(64);
        let (counts, time) = Default::default();
        Underway {
            f: range,
            best: None,
            passes,
            crossings: 0,
            confirmed: None,
            proof: None,
            counts,
            time,
            begun: false,
            estimated: false,
        }
    }

    /// The iteration as it is reported.
    pub(crate) fn report(self, depth: u8, value: Option<Value>, pv: Vec<M>) -> Iteration<M> {
        Iteration {
            depth,
            value,
            f: self.f,
            best_move: self.best.map(|best| best.m),
            pv,
            passes: self.passes,
            crossings: self.crossings,
            counts: self.counts,
            time: self.time,
            first_candidate_confirmed: self.confirmed,
            exact: false,
            table_used: None,
        }
    }
}

/// The guess for the next iteration, from the values of those before.
pub(crate) fn guess<M>(by: Guess, step: u8, iterations: &[Iteration<M>]) -> Option<Value> {
    let value = |iteration: &Iteration<M>| iteration.value.unwrap_or(iteration.f.lower);
    // How far off the guesses so far would have been, each from so many iterations before.
    let error = |back: usize| {
        let pairs = iterations.iter().skip(back).zip(iterations).skip(2 - back);
        pairs.map(|(is, was)| u64::from(value(is).get().abs_diff(value(was).get()))).sum::<u64>()
    };
    let back = match by {
        Guess::TwoBack if step % 2 == 1 => 2,
        Guess::Better if step % 2 == 1 && error(2) < error(1) => 2,
        _ => 1,
    };
    let iteration = iterations.len().checked_sub(back).map(|at| &iterations[at]).or(iterations.last())?;
    Some(value(iteration))
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Searches the root to `depth`, beginning with what `at` knows already. Returns the value, where the plan finds one.
    pub(crate) fn iterate(
        &mut self,
        plan: &mut Plan,
        root: &G,
        depth: u8,
        guess: Value,
        at: &mut Underway<G::Move>,
    ) -> Result<Option<Value>, Stopped> {
        self.horizon = depth;
        self.moves.list.clear();
        match plan {
            Plan::Driven(driver) => self.drive(driver.as_mut(), root, depth, guess, at).map(Some),
            Plan::Named(algorithm) => self.run(*algorithm, root, depth, guess, at),
        }
    }

    fn run(
        &mut self,
        algorithm: Algorithm,
        root: &G,
        depth: u8,
        guess: Value,
        at: &mut Underway<G::Move>,
    ) -> Result<Option<Value>, Stopped> {
        let open = Window::new(at.f.lower - 1, at.f.upper + 1);
        match algorithm {
            Algorithm::AlphaBeta => self.once(at, open, |search| search.alpha_beta(root, depth, open)),
            Algorithm::NegaScout => self.once(at, open, |search| search.scout_window(root, depth, open)),
            Algorithm::Scout => self.once(at, Window::FULL, |search| search.scout(root, depth)),
            Algorithm::Minimax => self.once(at, Window::FULL, |search| search.minimax(root, depth)),
            Algorithm::StockmanSss => self.once(at, Window::FULL, |search| search.stockman(root, depth, Mirror::Sss)),
            Algorithm::StockmanDual => self.once(at, Window::FULL, |search| search.stockman(root, depth, Mirror::Dual)),
            Algorithm::AspirationNegaScout { width } => {
                let value = aspiration(guess, width, at.f, |window| {
                    self.pass(at, window, |search| search.scout_window(root, depth, window))
                })?;
                at.f = Bounds::exactly(value);
                Ok(Some(value))
            }
            Algorithm::MtdBest(strategy) => {
                self.prove_best(strategy, root, depth, guess, at)?;
                Ok(None)
            }
            Algorithm::MtdF
            | Algorithm::MtdFFigure8
            | Algorithm::MtdGallop { .. }
            | Algorithm::Sss
            | Algorithm::Dual
            | Algorithm::MtdBi
            | Algorithm::MtdStep { .. } => {
                let mut driver: Mtd = algorithm.driver().unwrap_or(crate::driver::MTD_F);
                self.drive(&mut driver, root, depth, guess, at).map(Some)
            }
        }
    }

    /// A driver's passes.
    fn drive(
        &mut self,
        driver: &mut dyn Driver,
        root: &G,
        depth: u8,
        guess: Value,
        at: &mut Underway<G::Move>,
    ) -> Result<Value, Stopped> {
        let end = mtd(driver, guess, at.f, |gamma| {
            self.pass(at, Window::null(gamma), |search| search.ask(root, depth, 0, gamma))
        })?;
        at.f = end.f;
        at.crossings += end.crossings;
        Ok(end.g)
    }

    /// A search of one pass, which finds the value.
    fn once(
        &mut self,
        at: &mut Underway<G::Move>,
        window: Window,
        search: impl FnOnce(&mut Self) -> Result<Value, Stopped>,
    ) -> Result<Option<Value>, Stopped> {
        let value = self.pass(at, window, search)?;
        at.f = Bounds::exactly(value);
        Ok(Some(value))
    }

    /// One pass, and the record of it.
    fn pass(
        &mut self,
        at: &mut Underway<G::Move>,
        window: Window,
        search: impl FnOnce(&mut Self) -> Result<Value, Stopped>,
    ) -> Result<Value, Stopped> {
        self.observer.pass(window);
        let before = self.tally.counts;
        let g = search(self)?;
        let proved = window.proves(g);
        let f = Bounds { lower: at.f.lower.max(proved.lower), upper: at.f.upper.min(proved.upper) };
        // Kept at once, so that a stop in the next pass finds it.
        at.f = if f.crossed() { proved } else { f };
        let best_move = self.root_move.map(|best| best.m);
        if best_move.is_some() {
            at.best = self.root_move;
        }
        let counts = self.tally.counts - before;
        let pass = Pass { window, g, f: at.f, about: None, best_move, counts };
        self.observer.passed(self.horizon, &pass);
        at.passes.push(pass);
        Ok(g)
    }

    /// MTD-best's passes, each about one root move.
    fn prove_best(
        &mut self,
        strategy: Strategy,
        root: &G,
        depth: u8,
        guess: Value,
        at: &mut Underway<G::Move>,
    ) -> Result<(), Stopped> {
        let mut node = self.retrieve(root, depth, Window::FULL)?;
        if self.is_leaf(root, &mut node) {
            return Ok(()); // The callers never ask about a game that is over.
        }
        let mut children = Vec::new();
        while let Some((m, code)) = self.next_move(&mut node) {
            children.push((RootMove { m, code }, Child::new(root, m, code)));
        }
        self.root_move = None;
        self.finish(root, &node, Value::NEG_INFINITY);

        // A proof that was interrupted goes on where it was.
        let (codes, mut proof) = at.proof.take().unwrap_or_else(|| {
            let codes = children.iter().map(|(by, _)| by.code).collect();
            (codes, Proof::new(children.len(), guess, strategy))
        });
        children.sort_by_key(|(by, _)| codes.iter().position(|code| *code == by.code));
        while let Some((which, bound)) = proof.question() {
            let (by, child) = &children[which];
            let gamma = Gamma::below(bound);
            self.observer.pass(Window::null(gamma));
            let before = self.tally.counts;
            let g = match self.ask(&child.position, depth - 1, 1, child.ask(gamma)) {
                Ok(g) => child.back(g),
                Err(Stopped) => {
                    at.proof = Some((codes, proof));
                    return Err(Stopped);
                }
            };
            proof.answer(which, bound, g);
            at.f = proof.root_bounds();
            let failed_high = g > gamma;
            if failed_high {
                at.best = Some(*by);
            }
            let counts = self.tally.counts - before;
            let best_move = failed_high.then_some(by.m);
            let pass = Pass { window: Window::null(gamma), g, f: at.f, about: Some(by.m), best_move, counts };
            self.observer.passed(depth, &pass);
            at.passes.push(pass);
        }
        at.best = Some(children[proof.candidate].0);
        at.crossings += proof.crossings;
        at.confirmed = Some(proof.candidate == 0);
        node.f = at.f;
        node.best = children[proof.candidate].0.code;
        self.remember(&node, at.f.lower);
        Ok(())
    }
}
