//! Which move first, in play: the table's before the others are even listed, then as the exact search has it. And what is
//! learned from a move that fails high.

use crate::game::{Evaluate, Game, Ranked};
use crate::observer::Observer;
use crate::table::NO_MOVE;
use crate::worker::{Node, Worker};

/// A move to try next.
pub(super) struct Choice<M> {
    pub(super) m: M,
    pub(super) code: u16,
    /// How early it is tried.
    pub(super) rank: i32,
    /// Whether it wins something at once.
    pub(super) tactical: bool,
    /// Whether it was put off because another thread was at it.
    pub(super) waited: bool,
}

impl<M> Choice<M> {
    /// Whether it loses more than it wins, as the game's hint has it.
    #[inline(always)]
    pub(super) fn is_losing(&self) -> bool {
        self.tactical && self.rank < 0
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The next move: `early`, the table's, if it has not been tried yet; then the others, listed when the first is asked for.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        n: &G,
        node: &mut Node<G>,
        early: &mut Option<G::Move>,
        tried: usize,
    ) -> Option<Choice<G::Move>> {
        if let Some(m) = early.take() {
            let tactical = n.prize(m).is_some();
            return Some(Choice { m, code: node.table_move, rank: i32::MAX, tactical, waited: false });
        }
        if node.first == node.end && tried == 1 {
            self.list_moves(n, node);
            // The table's move was tried.
            if self.moves.list[node.first..node.end].first().is_some_and(|first| first.code == node.table_move) {
                node.next += 1;
            }
        }
        let (m, code) = self.next_move(node)?;
        let rank = self.moves.list[node.next - 1].rank;
        Some(Choice { m, code, rank, tactical: n.prize(m).is_some(), waited: false })
    }

    /// A move that was put off.
    #[inline(never)]
    pub(super) fn choose_waiting(&mut self, n: &G, node: &Node<G>, waited: &mut usize) -> Option<Choice<G::Move>> {
        let Ranked { m, code, rank } = self.next_waiting(node, waited)?;
        Some(Choice { m, code, rank, tactical: n.prize(m).is_some(), waited: true })
    }

    /// Lists the moves and ranks them.
    pub(super) fn list_moves(&mut self, n: &G, node: &mut Node<G>) {
        node.first = self.moves.list.len();
        n.moves(self.moves);
        node.next = node.first;
        node.end = self.moves.list.len();
        let moves = &mut self.moves.list[node.first..];
        node.sorted = self.memory.rank(n, moves, self.ordering, node.table_move, node.ply);
        if node.end - node.first >= usize::from(NO_MOVE) {
            self.refuse_moves(node);
        }
        if node.ply == 0 && !self.excluded.is_empty() {
            self.exclude(node);
        }
    }

    /// How many plies a quiet move has earned by what it did elsewhere.
    #[inline(always)]
    pub(super) fn merit(&self, n: &G, node: &Node<G>, code: u16) -> i32 {
        let side = n.turn().index();
        let last = self.sieve.plies[usize::from(node.ply)].played;
        if self.memory.is_killer(node.ply, code) || self.sieve.reply(side, last) == code {
            return 1;
        }
        (self.memory.merit_of(side, code) / 10_000).clamp(-2, 2)
    }

    /// A move has failed high: remember it, if it is one that nothing else tells apart, and that those before it did not.
    #[inline(always)]
    pub(super) fn learn(&mut self, n: &G, node: &Node<G>, m: G::Move, code: u16, tried: usize) {
        self.tally.cut(node.depth, tried as u64);
        if !self.learning || n.prize(m).is_some() {
            return;
        }
        let side = n.turn().index();
        self.memory.add_killer(node.ply, code);
        self.sieve.learn_reply(side, self.sieve.plies[usize::from(node.ply)].played, code);
        self.memory.praise(side, code, node.depth, true);
        for at in node.first..node.next {
            let other = self.moves.list[at];
            if other.code != code && n.prize(other.m).is_none() {
                self.memory.praise(side, other.code, node.depth, false);
            }
        }
    }
}
