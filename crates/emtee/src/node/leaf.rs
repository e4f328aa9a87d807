//! The value of a leaf: the outcome of the game, or a quiescence search that ends in static evaluations.

use super::cursor::{best, bring_to_front, sort};
use super::{Cursor, Edge, Keyed, Node, Worker, child};
use crate::error::Error;
use crate::game::{Evaluate, Game, Outcome, Quiescence};
use crate::limits::Stopped;
use crate::observer::{End, Observer, Visit};
use crate::value::{Bounds, Gamma, Value, Window};

/// The longest line of noisy moves, so that a game with endless lines does not overflow the stack.
const MAX_QUIESCENCE_PLIES: u16 = 256;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The loop over the children of `mt`, for leaves that neither the table nor the path knows: with less work per leaf, and the
    /// same visits. Returns g, −∞ if there is no child.
    #[inline(always)]
    pub(crate) fn visit_leaves(
        &mut self,
        n: &Keyed<G>,
        node: &mut Node,
        children: &mut Cursor<G>,
        gamma: Gamma,
    ) -> Result<Value, Stopped> {
        let (turn, mut g) = (n.position.turn(), Value::NEG_INFINITY);
        while g < gamma
            && let Some(ranked) = self.next_move(n, node, children)
        {
            children.tried += 1;
            let leaf = n.position.play(ranked.m);
            let edge = Edge::new(ranked, leaf.turn() == turn);
            let v = edge.to_parent(self.visit_leaf(&leaf, edge.to_child(gamma))?);
            if v > g {
                g = v;
                node.best = edge.code;
            }
        }
        Ok(g)
    }

    /// A visit to a leaf that neither the table nor the path knows.
    #[inline(always)]
    fn visit_leaf(&mut self, n: &G, gamma: Gamma) -> Result<Value, Stopped> {
        let window = Window::null(gamma);
        self.count_visit()?;
        self.observer.enter(n, 0, window);
        let (g, f) = match n.outcome() {
            Some(outcome) => {
                let value = self.value_of(outcome);
                (value, Bounds::exactly(value))
            }
            None => {
                self.own.estimated = true;
                self.quiesce::<false>(n, window, MAX_QUIESCENCE_PLIES)?
            }
        };
        self.own.tally.counts.nbp += 1;
        self.observer.leave(n, &Visit { depth: 0, window, g, f, end: End::Evaluated });
        Ok(g)
    }

    /// The value of a leaf; sets the bounds that it proves. `SELECTIVE`: with delta pruning.
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
                let (g, f) = self.quiesce::<SELECTIVE>(&n.position, node.window, MAX_QUIESCENCE_PLIES)?;
                node.f = if SELECTIVE { node.f.narrowed(f) } else { f };
                g
            }
        };
        Ok(g)
    }

    /// Quiescence search: plays noisy moves until the position is quiet, then takes the static evaluation. The bounds are
    /// exact if the position is quiet at once.
    fn quiesce<const SELECTIVE: bool>(
        &mut self,
        n: &G,
        window: Window,
        plies_left: u16,
    ) -> Result<(Value, Bounds), Stopped> {
        let mut static_value = None;
        if SELECTIVE && !n.forced() {
            let value = self.cached_static_value(n, n.key());
            // Stand pat, before captures are generated.
            if value > window.high && self.setup.selective.delta_pruning {
                return Ok((value, window.proves(value)));
            }
            static_value = Some(value);
        }
        let first = self.own.moves.list.len();
        let quiescence = n.noisy_moves(&mut self.own.moves);
        let end = self.own.moves.list.len();
        let mut g = match quiescence {
            Quiescence::Forced if first == end => self.value_of(n.stuck()),
            Quiescence::Forced => Value::NEG_INFINITY,
            _ => static_value.unwrap_or_else(|| self.static_value(n)),
        };
        if quiescence == Quiescence::Quiet {
            self.own.moves.list.truncate(first);
            return Ok((g, Bounds::exactly(g)));
        }
        let delta = SELECTIVE && self.setup.selective.delta_pruning && quiescence == Quiescence::Optional;
        let (stand_pat, margin) = (g, 2 * self.setup.selective.margin_unit);
        let best = best(&self.own.moves.list[first..end]);
        bring_to_front(&mut self.own.moves.list[first..end], best);
        for index in first..end {
            if g > window.high {
                break;
            }
            if index == first + 1 {
                sort(&mut self.own.moves.list[index..end]);
            }
            let ranked = self.own.moves.list[index];
            // Delta pruning: even with a margin, the capture does not reach the window.
            if delta
                && let Some(gain) = n.tactical_gain(ranked.m)
                && stand_pat + (gain + margin) < window.low
            {
                g = g.max(stand_pat + (gain + margin));
                continue;
            }
            let Some(plies_left) = plies_left.checked_sub(1) else { return Err(self.endless_noisy_line()) };
            let (c, edge) = child(n, ranked, false);
            let window = edge.window_to_child(window.above(g));
            g = g.max(edge.to_parent(self.visit_quiet::<SELECTIVE>(&c.position, window, plies_left)?));
        }
        self.own.moves.list.truncate(first);
        Ok((g, window.proves(g)))
    }

    /// Visits a position below the horizon.
    fn visit_quiet<const SELECTIVE: bool>(&mut self, n: &G, window: Window, plies_left: u16) -> Result<Value, Stopped> {
        self.count_quiet_visit()?;
        self.own.tally.counts.quiet_nodes += 1;
        match n.outcome() {
            Some(outcome) => Ok(self.value_of(outcome)),
            None => Ok(self.quiesce::<SELECTIVE>(n, window, plies_left)?.0),
        }
    }

    /// Stops the search with an error: the game breaks the law that every line of noisy moves ends.
    #[cold]
    fn endless_noisy_line(&mut self) -> Stopped {
        self.own.fault.get_or_insert(Error::EndlessNoisyLine { plies: usize::from(MAX_QUIESCENCE_PLIES) });
        Stopped
    }

    /// The static evaluation, from the eval cache if it is there.
    #[inline(always)]
    pub(crate) fn cached_static_value(&mut self, n: &G, key: u64) -> Value {
        self.own.estimated = true;
        if let Some(static_value) = self.own.eval_cache.get(key) {
            return static_value;
        }
        let static_value = self.static_value(n);
        self.own.eval_cache.insert(key, static_value);
        static_value
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
