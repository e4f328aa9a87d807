//! Which move first: the table's, then the game's hints, then killers and history.

use alloc::boxed::Box;
use alloc::vec;

use crate::game::{Game, Ranked, Side};
use crate::table::NO_MOVE;

/// What sorts the moves of a position.
///
/// ```
/// use emtee::Ordering;
/// // The order in which the game lists them, and nothing else:
/// assert_eq!(Ordering::AS_GIVEN, Ordering { table_move: false, hints: false, killers: false, history: false });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ordering {
    /// The best move of an earlier visit comes first.
    pub table_move: bool,
    /// The hints given with [`Moves::push_hinted`](crate::Moves::push_hinted).
    pub hints: bool,
    /// Moves that cut off a neighbouring position, among equal hints.
    pub killers: bool,
    /// Moves that cut off anywhere, the more often and the higher up the better, among equal hints.
    pub history: bool,
}

impl Ordering {
    /// Everything.
    pub const FULL: Ordering = Ordering { table_move: true, hints: true, killers: true, history: true };
    /// The table's move and the game's hints.
    pub const HINTS: Ordering = Ordering { killers: false, history: false, ..Ordering::FULL };
    /// The order in which the game lists the moves, as the proofs about fixed trees assume.
    pub const AS_GIVEN: Ordering = Ordering { table_move: false, hints: false, killers: false, history: false };
}

/// Moves that were good elsewhere in the same search.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    killers: Box<[[u16; 2]]>,
    history: Box<[[i16; 1 << 16]; 2]>,
}

/// Merit stays below the ranks of killers.
const HISTORY_LIMIT: i32 = 0x7000;
const KILLER_RANKS: [i32; 2] = [0x7fff, 0x7ffe];

impl Memory {
    pub(crate) fn new() -> Memory {
        // A boxed array straight from the heap: 256 KB would be much for a stack.
        let history = vec![[0; 1 << 16]; 2].into_boxed_slice().try_into();
        Memory {
            killers: vec![[NO_MOVE; 2]; 256].into(),
            history: history.unwrap_or_else(|_| unreachable!("two sides")),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.killers.fill([NO_MOVE; 2]);
        for side in self.history.iter_mut() {
            side.fill(0);
        }
    }

    /// Gives moves their codes, and turns hints into ranks: the hint counts first, then killers, then history. The table's
    /// move goes to the front. Whether the others are in order already.
    #[inline(always)]
    pub(crate) fn rank<G: Game>(
        &self,
        n: &G,
        moves: &mut [Ranked<G::Move>],
        by: Ordering,
        table_move: u16,
        ply: u8,
    ) -> bool {
        let table_move = if by.table_move { table_move } else { NO_MOVE };
        let mut from_table = None;
        let (mut sorted, mut before) = (true, i32::MAX);
        let mut take = |index: usize, ranked: &mut Ranked<G::Move>, code: u16, rank: i32| {
            ranked.code = code;
            ranked.rank = rank;
            if code == table_move {
                from_table = Some(index);
            } else {
                sorted &= rank <= before;
                before = rank;
            }
        };
        let hint = if by.hints { 1 << 16 } else { 0 };
        if by.killers || by.history {
            let side = n.turn().index();
            for (index, ranked) in moves.iter_mut().enumerate() {
                let code = n.code(ranked.m, index);
                take(index, ranked, code, ranked.rank * hint + self.merit(by, code, side, ply));
            }
        } else {
            for (index, ranked) in moves.iter_mut().enumerate() {
                let code = n.code(ranked.m, index);
                take(index, ranked, code, ranked.rank * hint);
            }
        }
        if let Some(at) = from_table {
            moves[at].rank = i32::MAX;
            moves[..=at].rotate_right(1);
        }
        sorted
    }

    /// What is known of a move from elsewhere, below any hint.
    #[inline(always)]
    fn merit(&self, by: Ordering, code: u16, side: usize, ply: u8) -> i32 {
        let killers = self.killers[usize::from(ply)];
        match code {
            _ if by.killers && code == killers[0] => KILLER_RANKS[0],
            _ if by.killers && code == killers[1] => KILLER_RANKS[1],
            _ if by.history => i32::from(self.history[side][usize::from(code)]),
            _ => 0,
        }
    }

    /// The last of these moves has cut off a node, those before it have failed to.
    #[inline(always)]
    pub(crate) fn learn<M>(&mut self, by: Ordering, tried: &[Ranked<M>], side: Side, ply: u8, depth: u8) {
        let Some((best, failed)) = tried.split_last() else { return };
        if by.killers {
            self.add_killer(ply, best.code);
        }
        if by.history {
            let bonus = (i32::from(depth) * i32::from(depth)).min(HISTORY_LIMIT / 4);
            let history = &mut self.history[side.index()];
            grow(&mut history[usize::from(best.code)], bonus);
            for ranked in failed {
                grow(&mut history[usize::from(ranked.code)], -bonus);
            }
        }
    }
}

impl Memory {
    /// A move has cut off a node; what else was tried there is not known.
    #[cfg_attr(not(feature = "std"), allow(dead_code))]
    pub(crate) fn learn_one(&mut self, by: Ordering, code: u16, side: Side, ply: u8, depth: u8) {
        if by.killers {
            self.add_killer(ply, code);
        }
        if by.history {
            self.praise(side.index(), code, depth, true);
        }
    }

    /// A move that has cut off a node so far from the root.
    #[inline(always)]
    pub(crate) fn add_killer(&mut self, ply: u8, code: u16) {
        let killers = &mut self.killers[usize::from(ply)];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }

    /// Whether a move has cut off a neighbour.
    #[inline(always)]
    pub(crate) fn is_killer(&self, ply: u8, code: u16) -> bool {
        self.killers[usize::from(ply)].contains(&code)
    }

    /// A move has cut off a node of this depth, or failed to.
    #[inline(always)]
    pub(crate) fn praise(&mut self, side: usize, code: u16, depth: u8, good: bool) {
        let bonus = (16 * i32::from(depth) * i32::from(depth)).min(HISTORY_LIMIT / 8);
        grow(&mut self.history[side][usize::from(code)], if good { bonus } else { -bonus });
    }

    /// What is known of a move, from −28,672 to 28,672.
    #[inline(always)]
    pub(crate) fn merit_of(&self, side: usize, code: u16) -> i32 {
        i32::from(self.history[side][usize::from(code)])
    }
}

/// Moves ever slower towards the limit, so that new merit always shows.
#[inline(always)]
fn grow(merit: &mut i16, bonus: i32) {
    let was = i32::from(*merit);
    *merit = (was + bonus - was * bonus.abs() / HISTORY_LIMIT) as i16;
}
