//! Below the horizon, in play: captures are played out only where they can matter.

use crate::game::{Evaluate, Game, Liveliness};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::value::{Gamma, Value, Window};
use crate::worker::{Child, Node, NodeKind, Worker};

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// A visit at the horizon.
    pub(super) fn bottom(&mut self, n: &G, ply: u8, window: Window) -> Result<Value, Stopped> {
        let mut node = self.visit(n, 0, ply, window)?;
        if let Some(g) = window.answer(node.f) {
            return Ok(self.answer(n, &node, g));
        }
        if let Some(g) = self.ended(n, &mut node) {
            return Ok(g);
        }
        node.kind = NodeKind::Horizon;
        let g = self.settle_selectively(n, window)?;
        Ok(self.end(n, &mut node, g, false))
    }

    /// The value once everything loud is played out that may reach γ.
    fn settle_selectively(&mut self, n: &G, window: Window) -> Result<Value, Stopped> {
        let forced = n.forced();
        let mut g = Value::NEG_INFINITY;
        if !forced {
            g = self.estimate(n, n.key());
            if g > window.high {
                return Ok(g);
            }
        }
        let first = self.moves.list.len();
        let liveliness = n.loud(self.moves);
        let end = self.moves.list.len();
        match liveliness {
            Liveliness::Forced if first == end => g = self.value_of(n.stuck()),
            Liveliness::Forced => g = Value::NEG_INFINITY,
            _ if forced => g = self.static_value(n),
            _ => (),
        }
        let estimate = g;
        let delta = self.sieve.by.delta && liveliness == Liveliness::Optional;
        let margin = 2 * self.sieve.by.unit;
        let mut node = Node { first, next: first, end, ..Node::new(0, 0, window) };
        while g < window.high
            && let Some((m, code)) = self.next_move(&mut node)
        {
            if delta
                && let Some(prize) = n.prize(m)
                && estimate + (prize + margin) < window.low
            {
                g = g.max(estimate + (prize + margin));
                continue;
            }
            let c = Child::new(n, m, code);
            let open = Window { low: window.low.max(Gamma::above(g)), high: window.high };
            g = g.max(c.back(self.quiet_selectively(&c.position, c.ask_window(open))?));
        }
        self.moves.list.truncate(first);
        Ok(g)
    }

    fn quiet_selectively(&mut self, n: &G, window: Window) -> Result<Value, Stopped> {
        self.limits.visit_quiet()?;
        self.tally.counts.quiet_nodes += 1;
        match n.outcome() {
            Some(outcome) => Ok(self.value_of(outcome)),
            None => self.settle_selectively(n, window),
        }
    }
}
