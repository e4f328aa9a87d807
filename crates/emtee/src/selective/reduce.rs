//! Reductions: moves that are unlikely to fail high are searched less deeply first.

use alloc::boxed::Box;

use super::prune::PruneContext;
use crate::game::{Evaluate, Game};
use crate::memory::table::NO_MOVE;
use crate::node::{Child, Cursor, Keyed, Node, Worker};
use crate::observer::Observer;

/// Internal iterative reduction begins at this depth.
const LEAST_INTERNAL: u8 = 4;
/// Late-move reductions begin at this depth.
const LEAST_REDUCED: u8 = 3;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Internal iterative reduction: without a move from the table the order is poor, so the node is searched one ply less
    /// deeply.
    #[inline(always)]
    pub(super) fn reduce_without_table_move(&self, node: &mut Node) {
        if self.setup.selective.internal_iterative_reduction
            && node.depth >= LEAST_INTERNAL
            && node.table_move == NO_MOVE
        {
            node.depth -= 1;
        }
    }

    /// Late-move reductions: by how many plies a move is searched less deeply at first.
    #[inline(always)]
    pub(super) fn reduction(
        &self,
        n: &Keyed<G>,
        node: &Node,
        context: &PruneContext,
        (c, edge): &Child<G>,
        children: &Cursor<G>,
    ) -> u8 {
        let place = children.tried - 1;
        let unreduced = 1 + usize::from(context.on_pv) + usize::from(node.ply == 0);
        if !self.setup.selective.late_move_reductions || node.depth < LEAST_REDUCED || place < unreduced {
            return 0;
        }
        let tactical = n.position.tactical_gain(edge.m).is_some();
        if tactical && edge.rank >= 0 {
            return 0;
        }
        let mut plies = i32::from(self.setup.reductions.get(node.depth, place));
        plies += i32::from(plies > 0 && !context.improving);
        plies -= i32::from(context.on_pv) + i32::from(c.position.forced()) + i32::from(context.estimate.is_none());
        if !tactical {
            plies -= self.history_plies(n, node, edge.code);
        }
        plies.clamp(0, i32::from(node.depth) - 2) as u8
    }

    /// By how many plies history lessens the reduction of a quiet move.
    #[inline(always)]
    fn history_plies(&self, n: &Keyed<G>, node: &Node, code: u16) -> i32 {
        let side = n.position.turn().index();
        let last = self.own.stack[usize::from(node.ply)].played;
        if self.own.history.is_killer(node.ply, code) || self.own.history.reply(side, last) == code {
            return 1;
        }
        (self.own.history.merit(side, code) / 10_000).clamp(-2, 2)
    }
}

/// Late-move reductions in plies, by depth and place in the list.
pub(crate) struct Reductions(Box<[[u8; PLACES]]>);

/// The size of the table; beyond it the last column and row count.
const DEPTHS: usize = 32;
const PLACES: usize = 64;

impl Reductions {
    /// The table, or an empty one where nothing is reduced.
    pub(crate) fn new(wanted: bool) -> Reductions {
        let depths = if wanted { DEPTHS } else { 0 };
        Reductions((0..depths).map(|depth| core::array::from_fn(|place| reduction(depth, place))).collect())
    }

    #[inline(always)]
    pub(crate) fn get(&self, depth: u8, place: usize) -> u8 {
        self.0[usize::from(depth).min(DEPTHS - 1)][place.min(PLACES - 1)]
    }
}

/// 0.75 + ln depth · ln place / 2.25, in integers.
fn reduction(depth: usize, place: usize) -> u8 {
    if depth == 0 || place == 0 {
        return 0;
    }
    ((192 + log2_32(depth) * log2_32(place) * 55 / 1024) / 256) as u8
}

/// 32 · log₂ n, linear between powers of two.
fn log2_32(n: usize) -> usize {
    let whole = n.ilog2() as usize;
    32 * whole + 32 * (n - (1 << whole)) / (1 << whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_place() {
        for depth in 1..DEPTHS {
            for place in 1..PLACES {
                let formula = 0.75 + (depth as f64).ln() * (place as f64).ln() / 2.25;
                assert!((f64::from(reduction(depth, place)) - formula.floor()).abs() <= 1.0, "{depth} {place}");
                assert!(reduction(depth, place) >= reduction(depth - 1, place).max(reduction(depth, place - 1)));
            }
        }
        assert_eq!(reduction(3, 1), 0);
        assert_eq!(Reductions::new(true).get(200, 200), reduction(DEPTHS - 1, PLACES - 1));
    }
}
