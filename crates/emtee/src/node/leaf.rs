//! The value of a leaf: the game's end, or the evaluation once everything loud is played out.

use super::cursor::{best, bring_to_front, sort};
use super::{Keyed, Node, Worker, child};
use crate::error::Error;
use crate::game::{Evaluate, Game, Outcome, Quiescence};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::value::{Bounds, Value, Window};

/// The longest line of noisy moves. A game whose lines have no end would overflow the stack.
const MOST_QUIET_PLIES: u16 = 256;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The value of a leaf, and what it proves. Selective search plays out only what may reach γ.
    #[inline(always)]
    pub(crate) fn evaluate<const SELECTIVE: bool>(&mut self, n: &Keyed<G>, node: &mut Node) -> Result<Value, Stopped> {
        let g = match node.ended {
            Some(outcome) => {
                let value = self.value_of(outcome);
                node.f = Bounds::exactly(value);
                value
            }
            None => {
                self.own.estimated = true;
                let (g, f) = self.settle::<SELECTIVE>(&n.position, node.window, MOST_QUIET_PLIES)?;
                node.f = if SELECTIVE { node.f.narrowed(f) } else { f };
                g
            }
        };
        Ok(g)
    }

    /// The value at the horizon: the static evaluation, once everything loud is played out. Its bounds are exact where
    /// nothing was.
    fn settle<const SELECTIVE: bool>(
        &mut self,
        n: &G,
        window: Window,
        plies_left: u16,
    ) -> Result<(Value, Bounds), Stopped> {
        let mut estimate = None;
        if SELECTIVE && !n.forced() {
            let value = self.estimate(n, n.key());
            // Stand pat, before the captures are generated.
            if value > window.high && self.setup.selective.delta_pruning {
                return Ok((value, window.proves(value)));
            }
            estimate = Some(value);
        }
        let first = self.own.moves.list.len();
        let quiescence = n.noisy_moves(&mut self.own.moves);
        let end = self.own.moves.list.len();
        let mut g = match quiescence {
            Quiescence::Forced if first == end => self.value_of(n.stuck()),
            Quiescence::Forced => Value::NEG_INFINITY,
            _ => estimate.unwrap_or_else(|| self.static_value(n)),
        };
        if quiescence == Quiescence::Quiet {
            self.own.moves.list.truncate(first);
            return Ok((g, Bounds::exactly(g)));
        }
        let delta = SELECTIVE && self.setup.selective.delta_pruning && quiescence == Quiescence::Optional;
        let (standing, margin) = (g, 2 * self.setup.selective.margin_unit);
        let best = best(&self.own.moves.list[first..end]);
        bring_to_front(&mut self.own.moves.list[first..end], best);
        for at in first..end {
            if g > window.high {
                break;
            }
            if at == first + 1 {
                sort(&mut self.own.moves.list[at..end]);
            }
            let ranked = self.own.moves.list[at];
            if delta
                && let Some(gain) = n.tactical_gain(ranked.m)
                && standing + (gain + margin) < window.low
            {
                g = g.max(standing + (gain + margin));
                continue;
            }
            let Some(plies_left) = plies_left.checked_sub(1) else { return Err(self.endless_line()) };
            let (c, edge) = child(n, ranked, false);
            let window = edge.window_to_child(window.above(g));
            g = g.max(edge.to_parent(self.quiet::<SELECTIVE>(&c.position, window, plies_left)?));
        }
        self.own.moves.list.truncate(first);
        Ok((g, window.proves(g)))
    }

    /// A position below the horizon.
    fn quiet<const SELECTIVE: bool>(&mut self, n: &G, window: Window, plies_left: u16) -> Result<Value, Stopped> {
        self.visit_quiet()?;
        self.own.tally.counts.quiet_nodes += 1;
        match n.outcome() {
            Some(outcome) => Ok(self.value_of(outcome)),
            None => Ok(self.settle::<SELECTIVE>(n, window, plies_left)?.0),
        }
    }

    /// The game breaks the law that every line of noisy moves ends: the search stops, and the error names it.
    #[cold]
    fn endless_line(&mut self) -> Stopped {
        self.own.fault.get_or_insert(Error::EndlessNoisyLine { plies: usize::from(MOST_QUIET_PLIES) });
        Stopped
    }

    /// The static evaluation, from memory where it is there.
    #[inline(always)]
    pub(crate) fn estimate(&mut self, n: &G, key: u64) -> Value {
        self.own.estimated = true;
        if let Some(estimate) = self.own.estimates.get(key) {
            return estimate;
        }
        let estimate = self.static_value(n);
        self.own.estimates.insert(key, estimate);
        estimate
    }

    #[inline(always)]
    pub(crate) fn static_value(&mut self, n: &G) -> Value {
        let score = self.setup.evaluator.evaluate(n);
        self.score(score)
    }

    pub(crate) fn value_of(&mut self, outcome: Outcome) -> Value {
        match outcome {
            Outcome::Won => Value::win_in(0),
            Outcome::Lost => Value::loss_in(0),
            Outcome::Drawn => Value::default(),
            Outcome::Points(points) => self.score(points),
        }
    }

    #[inline(always)]
    fn score(&mut self, score: i32) -> Value {
        Value::score(score).unwrap_or_else(|| {
            self.own.fault.get_or_insert(Error::EvaluationOutOfRange { value: score });
            Value::default()
        })
    }
}
