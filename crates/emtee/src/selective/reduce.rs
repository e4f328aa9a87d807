//! Reductions: late-move reductions (LMR) and internal iterative reduction (IIR).

use alloc::boxed::Box;

use super::prune::PruneContext;
use crate::game::{Evaluate, Game};
use crate::memory::table::NO_MOVE;
use crate::node::{Child, Cursor, Keyed, Node, Worker};
use crate::observer::Observer;

/// The least depth of internal iterative reduction.
const MIN_IIR_DEPTH: u8 = 4;
/// The least depth of late-move reductions.
const MIN_LMR_DEPTH: u8 = 3;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Internal iterative reduction: without a table move the move ordering is poor, so the depth is reduced by one ply.
    #[inline(always)]
    pub(super) fn internal_iterative_reduction(&self, node: &mut Node) {
        let enabled = self.setup.selective.internal_iterative_reduction;
        if enabled && node.depth >= MIN_IIR_DEPTH && node.table_move == NO_MOVE {
            node.depth -= 1;
        }
    }

    /// Late-move reductions: by how many plies the first search of a move is reduced.
    #[inline(always)]
    pub(super) fn reduction(
        &self,
        n: &Keyed<G>,
        node: &Node,
        context: &PruneContext,
        (c, edge): &Child<G>,
        children: &Cursor<G>,
    ) -> u8 {
        let move_index = children.tried - 1;
        let unreduced = 1 + usize::from(context.on_pv) + usize::from(node.ply == 0);
        if !self.setup.selective.late_move_reductions || node.depth < MIN_LMR_DEPTH || move_index < unreduced {
            return 0;
        }
        let tactical = n.position.tactical_gain(edge.m).is_some();
        if tactical && edge.rank >= 0 {
            return 0;
        }
        let mut plies = i32::from(self.setup.reductions.get(node.depth, move_index));
        plies += i32::from(plies > 0 && !context.improving);
        plies -= i32::from(context.on_pv) + i32::from(c.position.forced()) + i32::from(context.static_value.is_none());
        if !tactical {
            plies -= self.history_plies(n, node, edge.code);
        }
        plies.clamp(0, i32::from(node.depth) - 2) as u8
    }

    /// By how many plies killers, countermoves and history decrease the reduction of a quiet move.
    #[inline(always)]
    fn history_plies(&self, n: &Keyed<G>, node: &Node, code: u16) -> i32 {
        let side = n.position.turn().index();
        let last_move = self.own.stack[usize::from(node.ply)].played;
        if self.own.history.is_killer(node.ply, code) || self.own.history.countermove(side, last_move) == code {
            return 1;
        }
        (self.own.history.score(side, code) / 10_000).clamp(-2, 2)
    }
}

/// Late-move reductions in plies, by depth and by the index of the move.
pub(crate) struct Reductions(Box<[[u8; MOVES]]>);

/// The size of the table; beyond it the last row and column apply.
const DEPTHS: usize = 32;
const MOVES: usize = 64;

impl Reductions {
    /// The table, or an empty one if LMR is off.
    pub(crate) fn new(wanted: bool) -> Reductions {
        let depths = if wanted { DEPTHS } else { 0 };
        Reductions((0..depths).map(|depth| core::array::from_fn(|move_index| reduction(depth, move_index))).collect())
    }

    #[inline(always)]
    pub(crate) fn get(&self, depth: u8, move_index: usize) -> u8 {
        self.0[usize::from(depth).min(DEPTHS - 1)][move_index.min(MOVES - 1)]
    }
}

/// 0.75 + ln depth · ln move_index / 2.25, in integers.
fn reduction(depth: usize, move_index: usize) -> u8 {
    if depth == 0 || move_index == 0 {
        return 0;
    }
    ((192 + log2_32(depth) * log2_32(move_index) * 55 / 1024) / 256) as u8
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
    fn reductions_grow_with_depth_and_move_index() {
        for depth in 1..DEPTHS {
            for move_index in 1..MOVES {
                let formula = 0.75 + (depth as f64).ln() * (move_index as f64).ln() / 2.25;
                assert!(
                    (f64::from(reduction(depth, move_index)) - formula.floor()).abs() <= 1.0,
                    "{depth} {move_index}"
                );
                assert!(
                    reduction(depth, move_index)
                        >= reduction(depth - 1, move_index).max(reduction(depth, move_index - 1))
                );
            }
        }
        assert_eq!(reduction(3, 1), 0);
        assert_eq!(Reductions::new(true).get(200, 200), reduction(DEPTHS - 1, MOVES - 1));
    }
}
