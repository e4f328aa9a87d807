//! What is left out, and what is searched less or more deeply: each decision by itself.

use super::order::Choice;
use super::search::View;
use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::table::NO_MOVE;
use crate::value::{Gamma, Value, Window};
use crate::worker::{Child, Node, NodeKind, Worker};

/// Cuts by margins are made at most so far from the horizon.
const NEAR: u8 = 7;
/// Moves that lose an exchange are left out at most so far from it.
const VERY_NEAR: u8 = 2;
/// The least depth at which it is worth asking whether a move is better than all others.
const SINGULAR: u8 = 8;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Whether the position is so good already that some move will fail high.
    #[inline(always)]
    pub(super) fn cut_by_estimate(&mut self, n: &G, node: &mut Node<G>, view: View) -> Result<Option<Value>, Stopped> {
        let by = self.sieve.by;
        let Some(estimate) = view.estimate.filter(|&estimate| estimate > view.gamma) else { return Ok(None) };
        if view.gamma.bound().is_proven() {
            return Ok(None);
        }
        let Some(passed) = n.passed() else { return Ok(None) };
        let margin = by.unit * 5 / 4 * (i32::from(view.depth) - i32::from(view.improving));
        if by.reverse_futility && view.depth <= NEAR && estimate - margin > view.gamma {
            node.kind = NodeKind::Horizon;
            return Ok(Some(self.end(n, node, estimate - margin, false)));
        }
        if by.null_move && view.depth >= 2 && !self.sieve.plies[usize::from(node.ply)].passed {
            return self.try_passing(n, passed, node, view);
        }
        Ok(None)
    }

    /// Lets the other side move twice. If that is not enough for it, some move fails high here.
    fn try_passing(&mut self, n: &G, passed: G, node: &mut Node<G>, view: View) -> Result<Option<Value>, Stopped> {
        let below = view.depth.saturating_sub(4 + view.depth / 6);
        let c = Child::reached(n, passed, NO_MOVE);
        let next = &mut self.sieve.plies[usize::from(node.ply) + 1];
        next.played = NO_MOVE;
        next.passed = true;
        next.main = false;
        let question = Window::null(c.ask(view.gamma));
        let v = c.back(self.selective(&c.position, below, node.ply + 1, question)?);
        if v < view.gamma {
            return Ok(None);
        }
        // A win after a pass is no win.
        let g = if v.is_proven() { view.gamma.bound() } else { v };
        let rests_on_path = self.rested_on_path();
        Ok(Some(self.end(n, node, g, rests_on_path)))
    }

    /// Whether a move is left out, and then what it could reach at most.
    #[inline(always)]
    pub(super) fn left_out(&self, view: View, choice: &Choice<G::Move>, place: usize) -> Option<Value> {
        let by = self.sieve.by;
        if choice.tactical {
            let left_out = by.exchanges && choice.is_losing() && view.depth <= VERY_NEAR;
            return left_out.then_some(Value::NEG_INFINITY);
        }
        if view.depth > NEAR {
            return None;
        }
        let depth = usize::from(view.depth);
        if by.late_moves && place >= (6 + 2 * depth * depth) / (2 - usize::from(view.improving)) {
            return Some(Value::NEG_INFINITY);
        }
        let most = view.estimate? + by.unit * 3 / 2 * (i32::from(view.depth) + 1);
        (by.futility && most < view.gamma).then_some(most)
    }

    /// How many plies less deeply a move is searched.
    #[inline(always)]
    pub(super) fn plies_off(
        &self,
        n: &G,
        node: &Node<G>,
        view: View,
        choice: &Choice<G::Move>,
        place: usize,
        urgent: bool,
    ) -> u8 {
        let first = 1 + usize::from(view.whole) + usize::from(node.ply == 0);
        let quiet = !choice.tactical;
        if !self.sieve.by.reductions || view.depth < 3 || place < first || !(quiet || choice.is_losing()) {
            return 0;
        }
        let mut off = i32::from(self.sieve.reduction(view.depth, place));
        off += i32::from(off > 0 && !view.improving);
        off -= i32::from(view.whole) + i32::from(urgent) + i32::from(view.estimate.is_none());
        if quiet {
            off -= self.merit(n, node, choice.code);
        }
        off.clamp(0, i32::from(view.depth) - 2) as u8
    }

    /// Whether the table's move is better than all others by a margin, as far as a shallower search can see.
    #[inline]
    pub(super) fn is_singular(&mut self, n: &G, node: &Node<G>) -> Result<bool, Stopped> {
        if node.depth < SINGULAR || node.table_move == NO_MOVE || node.ply >= self.horizon.saturating_mul(2) {
            return Ok(false);
        }
        let known = self.table.retrieve(node.key, node.depth - 3).f.lower;
        if known == Value::NEG_INFINITY || known.is_proven() {
            return Ok(false);
        }
        let rest = Gamma::below(known - self.sieve.by.unit * i32::from(node.depth) / 50);
        let here = usize::from(node.ply);
        self.sieve.plies[here].excluded = node.table_move;
        let v = self.selective(n, (node.depth - 1) / 2, node.ply, Window::null(rest));
        self.sieve.plies[here].excluded = NO_MOVE;
        Ok(v? < rest)
    }
}
