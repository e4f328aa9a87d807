//! Iterative deepening: one iteration, by any algorithm, and the guess for the next.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::time::Duration;

use super::setup::Setup;
use super::thread::Thread;
use crate::algorithm::{Algorithm, Driver, Guess, MTD_F, Mirror, Mtd, Proof, Strategy, Wide, aspiration, mtd};
use crate::game::{Evaluate, Game, Ranked};
use crate::limits::{Answer, Stopped};
use crate::node::{Child, Keyed, Worker};
use crate::observer::{End, Observer};
use crate::parallel::{Team, Unshared};
use crate::stats::{Counts, Iteration, Pass, RankedMove};
use crate::value::{Bounds, Gamma, Kind, Value, Window};

/// The algorithm of a search: a named one, or a user's driver.
pub(crate) enum Plan {
    Named(Algorithm),
    Driven(Box<dyn Driver + Send>),
}

/// An iteration that is not finished. It is kept after a stop, so that a search in slices continues where it stopped.
pub(crate) struct UnfinishedIteration<M> {
    /// The bounds proved for the root at this depth, without the moves ranked already.
    pub(crate) f: Bounds,
    /// The last move to fail high.
    pub(crate) best: Option<Ranked<M>>,
    /// The moves ranked already, if more than one is requested.
    pub(crate) ranked: Vec<RankedMove<M>>,
    pub(crate) passes: Vec<Pass<M>>,
    crossings: u32,
    confirmed: Option<bool>,
    /// MTD-best: the codes of the root moves in the order of the proof, and the proof so far.
    proof: Option<(Vec<u16>, Proof)>,
    /// Counts and time so far.
    pub(crate) counts: Counts,
    pub(crate) time: Duration,
    /// Whether it has begun, and whether any value in it depends on a static evaluation.
    pub(crate) begun: bool,
    pub(crate) estimated: bool,
}

impl<M: Copy> UnfinishedIteration<M> {
    pub(crate) fn new(range: Bounds) -> UnfinishedIteration<M> {
        // Capacity for more passes than a good driver needs, so that nothing is allocated during a pass.
        let passes = Vec::with_capacity(64);
        let (counts, time) = Default::default();
        UnfinishedIteration {
            f: range,
            best: None,
            ranked: Vec::new(),
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

    /// The iteration as reported to the user, with the value if it was found.
    pub(crate) fn report(self, depth: u8, value: Option<Value>) -> Iteration<M> {
        let first = self.ranked.first();
        let best_move = first.map(|first| first.m).or(self.best.map(|best| best.m));
        let f = first.map_or(self.f, |first| first.f);
        Iteration {
            depth,
            value: value.and(f.exact()),
            f,
            best_move,
            pv: first.map_or_else(|| best_move.into_iter().collect(), |first| first.pv.clone()),
            ranked: self.ranked,
            passes: self.passes,
            crossings: self.crossings,
            counts: self.counts,
            time: self.time,
            first_candidate_confirmed: self.confirmed,
            exact: false,
            table_used: None,
            deepest: depth,
        }
    }
}

/// The guess for the next iteration, from the values of the iterations before.
pub(crate) fn guess<M>(by: Guess, step: u8, iterations: &[Iteration<M>]) -> Option<Value> {
    let value = |iteration: &Iteration<M>| iteration.value.unwrap_or(iteration.f.lower);
    // The total error of guessing each value so far by the value `back` iterations before.
    let error = |back: usize| {
        let pairs = iterations.iter().skip(back).zip(iterations).skip(2 - back);
        pairs.map(|(next, last)| u64::from(value(next).get().abs_diff(value(last).get()))).sum::<u64>()
    };
    if by == Guess::Average {
        let mut values = iterations.iter().map(value);
        let first = values.next()?;
        return Some(values.fold(first, |average, value| average + (value.get() - average.get()) / 2));
    }
    let back = match by {
        Guess::TwoBack if step % 2 == 1 => 2,
        Guess::Better if step % 2 == 1 && error(2) < error(1) => 2,
        _ => 1,
    };
    let iteration = iterations.len().checked_sub(back).map(|index| &iterations[index]).or(iterations.last())?;
    Some(value(iteration))
}

/// A running search: what all threads read, the threads, and the observer.
pub(crate) struct Run<'r, G: Game, E, O> {
    pub(crate) setup: Setup<'r, E>,
    /// The first is the calling thread's.
    pub(crate) threads: &'r mut [Thread<G::Move>],
    #[cfg_attr(not(feature = "std"), allow(dead_code))]
    pub(crate) team: Option<&'r Team>,
    /// Whether passes are large enough for more than one thread.
    pub(crate) parallel: bool,
    /// The window that the last pass answered. It differs from the requested one if another rank finished first with another γ.
    pub(crate) answered: Window,
    pub(crate) observer: &'r mut O,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Run<'_, G, E, O> {
    /// The calling thread's data.
    pub(crate) fn own(&mut self) -> &mut Thread<G::Move> {
        &mut self.threads[0]
    }

    /// A worker on the calling thread.
    pub(crate) fn worker(&mut self) -> Worker<'_, G, E, O> {
        Worker { setup: self.setup, own: &mut self.threads[0], observer: self.observer }
    }

    /// The number of visits so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.threads[0].visits.nodes()
    }

    /// Runs a pass as [`Worker::run_pass`] does, by the team if there is one.
    pub(crate) fn run_pass(&mut self, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        #[cfg(feature = "std")]
        if let Some(team) = self.team {
            return self.pass_by_team(team, n, depth, ply, window);
        }
        self.worker().run_pass::<Unshared>(n, depth, ply, window)
    }

    /// Runs an iteration at `depth`, or continues an unfinished one. Returns the value, if the algorithm finds it.
    pub(crate) fn iterate(
        &mut self,
        plan: &mut Plan,
        root: &Keyed<G>,
        depth: u8,
        guess: Value,
        state: &mut UnfinishedIteration<G::Move>,
    ) -> Result<Option<Value>, Stopped> {
        self.setup.horizon = depth;
        self.own().moves.list.clear();
        let window = Window::new(state.f.lower - 1, state.f.upper + 1);
        let algorithm = match plan {
            Plan::Driven(driver) => return self.drive(driver.as_mut(), root, guess, state).map(Some),
            Plan::Named(algorithm) => *algorithm,
        };
        match algorithm {
            Algorithm::NegaScout => self.once(state, window, |run| run.run_pass(root, depth, 0, window)),
            Algorithm::AlphaBeta | Algorithm::Scout => {
                // These run on one thread.
                let scout = algorithm == Algorithm::Scout;
                let (wide, window) = if scout { (Wide::Scout, Window::FULL) } else { (Wide::AlphaBeta, window) };
                self.setup.wide = wide;
                self.once(state, window, |run| run.worker().search::<Unshared>(root, depth, 0, window))
            }
            Algorithm::Minimax => self.once(state, Window::FULL, |run| run.worker().minimax(root, depth)),
            Algorithm::StockmanSss | Algorithm::StockmanDual => {
                let mirror = if algorithm == Algorithm::StockmanSss { Mirror::Sss } else { Mirror::Dual };
                self.once(state, Window::FULL, |run| run.worker().stockman(&root.position, depth, mirror))
            }
            Algorithm::AspirationNegaScout { width, widen } => {
                let value = aspiration(guess, width, widen, state.f, |window| {
                    self.recorded_pass(state, window, |run| run.run_pass(root, depth, 0, window))
                })?;
                state.f = Bounds::exactly(value);
                Ok(Some(value))
            }
            Algorithm::MtdBest(strategy) => self.prove_best(strategy, root, depth, guess, state).map(|()| None),
            _ => {
                let mut driver: Mtd = algorithm.driver().unwrap_or(MTD_F);
                self.drive(&mut driver, root, guess, state).map(Some)
            }
        }
    }

    /// Runs the passes of a driver.
    ///
    /// The margins of selective search produce values that are not multiples of the evaluation's grain. They carry no
    /// information, and a driver would test them point by point. So in selective search γ is on the grain, and values are
    /// rounded down to it.
    fn drive(
        &mut self,
        driver: &mut dyn Driver,
        root: &Keyed<G>,
        guess: Value,
        state: &mut UnfinishedIteration<G::Move>,
    ) -> Answer {
        let depth = self.setup.horizon;
        let grain = if self.setup.is_selective { self.setup.evaluator.grain() } else { 1 };
        let starts_at_other_gamma = self.parallel && self.team.is_some_and(Team::starts_at_other_gamma);
        let range = Bounds { lower: round_down(state.f.lower, grain), upper: round_down(state.f.upper, grain) };
        let end = mtd(driver, guess, range, |s, gamma| {
            let gamma = on_grain(gamma, s.f, grain);
            let other = if s.passes == 0 && starts_at_other_gamma { other_gamma(guess, gamma, s.f) } else { None };
            let window = Window::null(other.unwrap_or(gamma));
            let g = self.recorded_pass(state, window, |run| run.run_pass(root, depth, 0, window))?;
            Ok((self.answered.low, round_down(g, grain)))
        })?;
        state.f = Bounds::exactly(end.f.lower);
        state.crossings += end.crossings;
        Ok(end.f.lower)
    }

    /// Runs an iteration of one pass, which finds the value.
    fn once(
        &mut self,
        state: &mut UnfinishedIteration<G::Move>,
        window: Window,
        search: impl FnOnce(&mut Self) -> Answer,
    ) -> Result<Option<Value>, Stopped> {
        let value = self.recorded_pass(state, window, search)?;
        state.f = Bounds::exactly(value);
        Ok(Some(value))
    }

    /// Runs a pass and records it in the iteration.
    fn recorded_pass(
        &mut self,
        state: &mut UnfinishedIteration<G::Move>,
        window: Window,
        search: impl FnOnce(&mut Self) -> Answer,
    ) -> Answer {
        let mut pass = self.measure(window, search)?;
        // Recorded at once, so that it is kept if the next pass is stopped.
        state.f = state.f.narrowed(pass.f);
        pass.f = state.f;
        let own = self.own();
        state.estimated |= own.estimated;
        if own.root_move.is_some() {
            state.best = own.root_move;
        }
        let g = pass.g;
        self.record(state, pass);
        Ok(g)
    }

    /// Runs a pass and returns its result with its counts.
    pub(crate) fn measure(
        &mut self,
        window: Window,
        search: impl FnOnce(&mut Self) -> Answer,
    ) -> Result<Pass<G::Move>, Stopped> {
        self.observer.pass(window);
        self.answered = window;
        let own = self.own();
        own.estimated = false;
        let before = own.tally.counts;
        let g = search(self)?;
        let window = self.answered;
        let own = self.own();
        let best_move = own.root_move.map(|best| best.m);
        Ok(Pass { window, g, f: window.proves(g), about: None, best_move, counts: own.tally.counts - before })
    }

    fn record(&mut self, state: &mut UnfinishedIteration<G::Move>, pass: Pass<G::Move>) {
        self.observer.passed(self.setup.horizon, &pass);
        state.passes.push(pass);
    }

    /// Runs the passes of MTD-best, each on one root move.
    fn prove_best(
        &mut self,
        strategy: Strategy,
        root: &Keyed<G>,
        depth: u8,
        guess: Value,
        state: &mut UnfinishedIteration<G::Move>,
    ) -> Result<(), Stopped> {
        let mut worker = self.worker();
        let mut node = worker.retrieve::<false>(root, depth, 0, Window::FULL)?;
        let Some(mut cursor) = worker.children::<false>(root, &mut node) else {
            return Ok(()); // Not reached: the root is never a finished game.
        };
        let mut children: Vec<Child<G>> = Vec::new();
        while let Some(c) = worker.next_child(root, &mut node, &mut cursor) {
            children.push(c);
        }
        worker.own.moves.list.truncate(cursor.first);
        worker.finish(root, &node, Value::NEG_INFINITY, End::Expanded);

        // An interrupted proof continues where it stopped.
        let (codes, mut proof) = state.proof.take().unwrap_or_else(|| {
            let codes = children.iter().map(|(_, edge)| edge.code).collect();
            (codes, Proof::new(children.len(), guess, strategy))
        });
        children.sort_by_key(|(_, edge)| codes.iter().position(|code| *code == edge.code));
        while let Some((which, bound)) = proof.next_pass() {
            let (c, edge) = &children[which];
            let gamma = Gamma::below(bound);
            let window = Window::null(edge.to_child(gamma));
            let result =
                self.measure(Window::null(gamma), |run| Ok(edge.to_parent(run.run_pass(c, depth - 1, 1, window)?)));
            let Ok(mut pass) = result else {
                state.proof = Some((codes, proof));
                return Err(Stopped);
            };
            state.estimated |= self.own().estimated;
            proof.record(which, bound, pass.g);
            state.f = proof.root_bounds();
            let failed_high = pass.g > gamma;
            if failed_high {
                state.best = Some(children[proof.candidate].1.ranked());
            }
            (pass.f, pass.about, pass.best_move) = (state.f, Some(edge.m), failed_high.then_some(edge.m));
            self.record(state, pass);
        }
        let best = children[proof.candidate].1.ranked();
        state.best = Some(best);
        state.crossings += proof.crossings;
        state.confirmed = Some(proof.candidate == 0);
        (node.f, node.best) = (state.f, best.code);
        self.own().estimated = state.estimated;
        self.worker().write_entry(root, &node, state.f.lower);
        Ok(())
    }
}

/// Rounds a score down to a multiple of the grain; wins, losses and infinities stay.
fn round_down(value: Value, grain: i32) -> Value {
    match value.kind() {
        Kind::Score(score) => Value::score(score - score.rem_euclid(grain)).unwrap_or(value),
        _ => value,
    }
}

/// Rounds the bound of γ up to a multiple of the grain, if that is at most f⁺. It always is between bounds that are rounded
/// down, except bounds beyond all scores.
fn on_grain(gamma: Gamma, f: Bounds, grain: i32) -> Gamma {
    let up = |score: i32| Value::score(score + (-score).rem_euclid(grain)).filter(|bound| *bound <= f.upper);
    match gamma.bound().kind() {
        Kind::Score(score) => up(score).map_or(gamma, Gamma::below),
        _ => gamma,
    }
}

/// The other of the two γ that prove a correct approximation a: f ≥ a and f < a + 1. `None` if it is not between the bounds.
fn other_gamma(approximation: Value, gamma: Gamma, f: Bounds) -> Option<Gamma> {
    let bound = match gamma.bound().get() - approximation.get() {
        0 => gamma.bound() + 1,
        1 => approximation,
        _ => return None,
    };
    (f.lower < bound && bound <= f.upper).then(|| Gamma::below(bound))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gamma_is_on_the_grain() {
        for grain in [1, 8, 1_000] {
            for value in -60..60 {
                let (f, exact) = (Value::score(value).unwrap(), round_down(Value::score(value).unwrap(), grain));
                for algorithm in [Algorithm::MtdF, Algorithm::MtdBi, Algorithm::MtdStep { step: 50 }, Algorithm::Sss] {
                    let mut driver = algorithm.driver().unwrap();
                    let s = mtd(&mut driver, Value::default(), Bounds::UNKNOWN, |s, gamma| {
                        let gamma = on_grain(gamma, s.f, grain);
                        let beyond = gamma.bound().get().abs() + grain > Value::MAX_SCORE;
                        assert!(gamma.bound().get() % grain == 0 || beyond, "{gamma}");
                        let g = if f > gamma { gamma.bound() } else { gamma.bound() - 1 };
                        Ok((gamma, round_down(g, grain)))
                    });
                    let s = s.unwrap();
                    assert_eq!((s.f, s.crossings), (Bounds::exactly(exact), 0), "{algorithm}, {value} by {grain}");
                    if algorithm == Algorithm::MtdF {
                        assert!(s.passes <= 2 + value.unsigned_abs() / grain as u32 + 1, "{value}: {}", s.passes);
                    }
                }
            }
        }
    }

    #[test]
    fn a_proof_has_two_halves() {
        let gamma = |bound| Gamma::below(Value::score(bound).unwrap());
        let a = Value::score(35).unwrap();
        for (bound, other) in [(35, Some(36)), (36, Some(35)), (34, None), (37, None)] {
            assert_eq!(other_gamma(a, gamma(bound), Bounds::UNKNOWN), other.map(gamma), "{bound}");
        }
        // A γ that the bounds answer already is not tested.
        assert_eq!(other_gamma(a, gamma(35), Bounds { lower: Value::NEG_INFINITY, upper: a }), None);
    }

    #[test]
    fn guesses_come_from_one_or_two_iterations_back() {
        let guess_after = |by, step, values: &[i32]| {
            let values = values.iter().map(|&value| Value::score(value).unwrap());
            let iterations =
                values.map(|value| UnfinishedIteration::new(Bounds::exactly(value)).report(1, Some(value)));
            guess(by, step, &iterations.collect::<Vec<Iteration<()>>>()).map(Value::get)
        };
        let (swinging, steady) = ([10, 50, 12, 52], [10, 20, 30, 40]);
        for (by, step, swing, steadily) in [
            (Guess::Previous, 1, 52, 40),
            (Guess::TwoBack, 1, 12, 30),
            (Guess::TwoBack, 2, 52, 40),
            (Guess::TwoBack, 3, 12, 30),
            (Guess::Better, 1, 12, 40),
            (Guess::Better, 2, 52, 40),
            (Guess::Better, 3, 12, 40),
            // 10, 30, 21, 36 and 10, 15, 22, 31: each half of the way to the next value.
            (Guess::Average, 1, 36, 31),
            (Guess::Average, 2, 36, 31),
        ] {
            assert_eq!(guess_after(by, step, &swinging), Some(swing), "{by} by {step}");
            assert_eq!(guess_after(by, step, &steady), Some(steadily), "{by} by {step}");
            assert_eq!((guess_after(by, step, &[]), guess_after(by, step, &[7])), (None, Some(7)), "{by} by {step}");
        }
    }
}
