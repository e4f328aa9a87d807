//! Iterative deepening: one depth after the other, each guided by the last.

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
use crate::parallel::{Alone, Team};
use crate::stats::{Counts, Iteration, Pass, RankedMove};
use crate::value::{Bounds, Gamma, Kind, Value, Window};

/// The algorithm of a search, or the driver that its user wrote.
pub(crate) enum Plan {
    Named(Algorithm),
    Driven(Box<dyn Driver + Send>),
}

/// An iteration that has begun. It outlives a stop, so that a search can be taken up where it was left.
pub(crate) struct OpenIteration<M> {
    /// What is proved of the root at this depth, without the moves ranked already.
    pub(crate) f: Bounds,
    /// The last move to fail high.
    pub(crate) best: Option<Ranked<M>>,
    /// The moves ranked already, where more than one is wanted.
    pub(crate) ranked: Vec<RankedMove<M>>,
    pub(crate) passes: Vec<Pass<M>>,
    crossings: u32,
    confirmed: Option<bool>,
    /// MTD-best's proof so far, and the codes of the root moves in its order.
    proof: Option<(Vec<u16>, Proof)>,
    /// What it has cost so far, and how long it has taken.
    pub(crate) counts: Counts,
    pub(crate) time: Duration,
    /// Whether it has begun, and whether anything in it rests on an evaluation.
    pub(crate) begun: bool,
    pub(crate) estimated: bool,
}

impl<M: Copy> OpenIteration<M> {
    pub(crate) fn new(range: Bounds) -> OpenIteration<M> {
        // Room for more passes than a good driver makes, so that none is made while one runs.
        let passes = Vec::with_capacity(64);
        let (counts, time) = Default::default();
        OpenIteration {
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

    /// The iteration as it is reported; the value is that of the best move, where one is found.
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

/// A search at work on a position: what all threads read, the threads, and who watches.
pub(crate) struct Run<'r, G: Game, E, O> {
    pub(crate) setup: Setup<'r, E>,
    /// The first is the caller's.
    pub(crate) threads: &'r mut [Thread<G::Move>],
    #[cfg_attr(not(feature = "std"), allow(dead_code))]
    pub(crate) team: Option<&'r Team>,
    /// Whether the questions to come are large enough for more than one thread.
    pub(crate) parallel: bool,
    /// What the last pass answered: not what was asked here, where another machine was faster with another question.
    pub(crate) answered: Window,
    pub(crate) observer: &'r mut O,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Run<'_, G, E, O> {
    /// The caller's thread.
    pub(crate) fn own(&mut self) -> &mut Thread<G::Move> {
        &mut self.threads[0]
    }

    /// The caller's thread at work.
    pub(crate) fn worker(&mut self) -> Worker<'_, G, E, O> {
        Worker { setup: self.setup, own: &mut self.threads[0], observer: self.observer }
    }

    /// Visits so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.threads[0].visits.nodes()
    }

    /// A question at the root.
    pub(crate) fn question(&mut self, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Answer {
        #[cfg(feature = "std")]
        if let Some(team) = self.team {
            return self.pass_by_team(team, n, depth, ply, window);
        }
        self.worker().pass::<Alone>(n, depth, ply, window)
    }

    /// Searches the root to `depth`, beginning with what `at` knows already. Returns the value, where the plan finds one.
    pub(crate) fn iterate(
        &mut self,
        plan: &mut Plan,
        root: &Keyed<G>,
        depth: u8,
        guess: Value,
        at: &mut OpenIteration<G::Move>,
    ) -> Result<Option<Value>, Stopped> {
        self.setup.horizon = depth;
        self.own().moves.list.clear();
        let open = Window::new(at.f.lower - 1, at.f.upper + 1);
        let algorithm = match plan {
            Plan::Driven(driver) => return self.drive(driver.as_mut(), root, guess, at).map(Some),
            Plan::Named(algorithm) => *algorithm,
        };
        match algorithm {
            Algorithm::NegaScout => self.once(at, open, |run| run.question(root, depth, 0, open)),
            Algorithm::AlphaBeta | Algorithm::Scout => {
                // Other threads have no part in these.
                let scout = algorithm == Algorithm::Scout;
                let (wide, window) = if scout { (Wide::Scout, Window::FULL) } else { (Wide::AlphaBeta, open) };
                self.setup.wide = wide;
                self.once(at, window, |run| run.worker().search::<Alone>(root, depth, 0, window))
            }
            Algorithm::Minimax => self.once(at, Window::FULL, |run| run.worker().minimax(root, depth)),
            Algorithm::StockmanSss | Algorithm::StockmanDual => {
                let mirror = if algorithm == Algorithm::StockmanSss { Mirror::Sss } else { Mirror::Dual };
                self.once(at, Window::FULL, |run| run.worker().stockman(&root.position, depth, mirror))
            }
            Algorithm::AspirationNegaScout { width, widen } => {
                let value = aspiration(guess, width, widen, at.f, |window| {
                    self.pass(at, window, |run| run.question(root, depth, 0, window))
                })?;
                at.f = Bounds::exactly(value);
                Ok(Some(value))
            }
            Algorithm::MtdBest(strategy) => self.prove_best(strategy, root, depth, guess, at).map(|()| None),
            _ => {
                let mut driver: Mtd = algorithm.driver().unwrap_or(MTD_F);
                self.drive(&mut driver, root, guess, at).map(Some)
            }
        }
    }

    /// A driver's passes.
    ///
    /// Where the search is selective its margins make values between the multiples of the evaluation's grain, which mean nothing
    /// and would be walked point by point. So γ lies on the grain there, and values are rounded down to it.
    fn drive(
        &mut self,
        driver: &mut dyn Driver,
        root: &Keyed<G>,
        guess: Value,
        at: &mut OpenIteration<G::Move>,
    ) -> Answer {
        let depth = self.setup.horizon;
        let grain = if self.setup.is_selective { self.setup.evaluator.grain() } else { 1 };
        let asks_other_half = self.parallel && self.team.is_some_and(Team::asks_other_half);
        let range = Bounds { lower: round_down(at.f.lower, grain), upper: round_down(at.f.upper, grain) };
        let end = mtd(driver, guess, range, |s, gamma| {
            let gamma = on_grain(gamma, s.f, grain);
            let other = if s.passes == 0 && asks_other_half { other_half(guess, gamma, s.f) } else { None };
            let window = Window::null(other.unwrap_or(gamma));
            let g = self.pass(at, window, |run| run.question(root, depth, 0, window))?;
            Ok((self.answered.low, round_down(g, grain)))
        })?;
        at.f = Bounds::exactly(end.f.lower);
        at.crossings += end.crossings;
        Ok(end.f.lower)
    }

    /// A search of one pass, which finds the value.
    fn once(
        &mut self,
        at: &mut OpenIteration<G::Move>,
        window: Window,
        search: impl FnOnce(&mut Self) -> Answer,
    ) -> Result<Option<Value>, Stopped> {
        let value = self.pass(at, window, search)?;
        at.f = Bounds::exactly(value);
        Ok(Some(value))
    }

    /// One pass, and the record of it.
    fn pass(
        &mut self,
        at: &mut OpenIteration<G::Move>,
        window: Window,
        search: impl FnOnce(&mut Self) -> Answer,
    ) -> Answer {
        let mut pass = self.ask(window, search)?;
        // Kept at once, so that a stop in the next pass finds it.
        at.f = at.f.narrowed(pass.f);
        pass.f = at.f;
        let own = self.own();
        at.estimated |= own.estimated;
        if own.root_move.is_some() {
            at.best = own.root_move;
        }
        let g = pass.g;
        self.record(at, pass);
        Ok(g)
    }

    /// One question, and what it came to.
    pub(crate) fn ask(
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

    fn record(&mut self, at: &mut OpenIteration<G::Move>, pass: Pass<G::Move>) {
        self.observer.passed(self.setup.horizon, &pass);
        at.passes.push(pass);
    }

    /// MTD-best's passes, each about one root move.
    fn prove_best(
        &mut self,
        strategy: Strategy,
        root: &Keyed<G>,
        depth: u8,
        guess: Value,
        at: &mut OpenIteration<G::Move>,
    ) -> Result<(), Stopped> {
        let mut worker = self.worker();
        let mut node = worker.retrieve::<false>(root, depth, 0, Window::FULL)?;
        let Some(mut cursor) = worker.children::<false>(root, &mut node) else {
            return Ok(()); // The callers never ask about a game that is over.
        };
        let mut children: Vec<Child<G>> = Vec::new();
        while let Some(c) = worker.next_child(root, &mut node, &mut cursor) {
            children.push(c);
        }
        worker.own.moves.list.truncate(cursor.first);
        worker.finish(root, &node, Value::NEG_INFINITY, End::Expanded);

        // A proof that was interrupted goes on where it was.
        let (codes, mut proof) = at.proof.take().unwrap_or_else(|| {
            let codes = children.iter().map(|(_, edge)| edge.code).collect();
            (codes, Proof::new(children.len(), guess, strategy))
        });
        children.sort_by_key(|(_, edge)| codes.iter().position(|code| *code == edge.code));
        while let Some((which, bound)) = proof.question() {
            let (c, edge) = &children[which];
            let gamma = Gamma::below(bound);
            let window = Window::null(edge.to_child(gamma));
            let asked =
                self.ask(Window::null(gamma), |run| Ok(edge.to_parent(run.question(c, depth - 1, 1, window)?)));
            let Ok(mut pass) = asked else {
                at.proof = Some((codes, proof));
                return Err(Stopped);
            };
            at.estimated |= self.own().estimated;
            proof.answer(which, bound, pass.g);
            at.f = proof.root_bounds();
            let failed_high = pass.g > gamma;
            if failed_high {
                at.best = Some(children[proof.candidate].1.ranked());
            }
            (pass.f, pass.about, pass.best_move) = (at.f, Some(edge.m), failed_high.then_some(edge.m));
            self.record(at, pass);
        }
        let best = children[proof.candidate].1.ranked();
        at.best = Some(best);
        at.crossings += proof.crossings;
        at.confirmed = Some(proof.candidate == 0);
        (node.f, node.best) = (at.f, best.code);
        self.own().estimated = at.estimated;
        self.worker().remember(root, &node, at.f.lower);
        Ok(())
    }
}

/// A value rounded down to a multiple of the grain; wins, losses and infinities have no grain.
fn round_down(value: Value, grain: i32) -> Value {
    match value.kind() {
        Kind::Score(score) => Value::score(score - score.rem_euclid(grain)).unwrap_or(value),
        _ => value,
    }
}

/// γ moved up to a multiple of the grain, as long as that is open. Between bounds that are rounded down it always is, but for
/// those that lie beyond all scores.
fn on_grain(gamma: Gamma, f: Bounds, grain: i32) -> Gamma {
    let up = |score: i32| Value::score(score + (-score).rem_euclid(grain)).filter(|bound| *bound <= f.upper);
    match gamma.bound().kind() {
        Kind::Score(score) => up(score).map_or(gamma, Gamma::below),
        _ => gamma,
    }
}

/// The other of the two γ that prove the approximation a, if it is right: f ≥ a and f < a + 1. `None` if it is not open.
fn other_half(approximation: Value, gamma: Gamma, f: Bounds) -> Option<Gamma> {
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
    fn on_a_grain_no_point_between_is_asked_about() {
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
        for (asked, other) in [(35, Some(36)), (36, Some(35)), (34, None), (37, None)] {
            assert_eq!(other_half(a, gamma(asked), Bounds::UNKNOWN), other.map(gamma), "{asked}");
        }
        // What is known already is not asked.
        assert_eq!(other_half(a, gamma(35), Bounds { lower: Value::NEG_INFINITY, upper: a }), None);
    }

    #[test]
    fn guesses_come_from_one_or_two_iterations_back() {
        let guessed = |by, step, values: &[i32]| {
            let values = values.iter().map(|&value| Value::score(value).unwrap());
            let iterations = values.map(|value| OpenIteration::new(Bounds::exactly(value)).report(1, Some(value)));
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
        ] {
            assert_eq!(guessed(by, step, &swinging), Some(swing), "{by} by {step}");
            assert_eq!(guessed(by, step, &steady), Some(steadily), "{by} by {step}");
            assert_eq!((guessed(by, step, &[]), guessed(by, step, &[7])), (None, Some(7)), "{by} by {step}");
        }
    }
}
