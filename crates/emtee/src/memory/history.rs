//! Killers, history and replies: moves that were good elsewhere in the same search.

use alloc::boxed::Box;
use alloc::vec;

use super::table::NO_MOVE;
use crate::game::Ranked;

/// What sorts the moves of a position.
///
/// ```
/// use emtee::MoveOrdering;
/// // The order in which the game lists them, and nothing else:
/// assert_eq!(MoveOrdering::AS_GIVEN, MoveOrdering { table_move: false, hints: false, killers: false, history: false });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveOrdering {
    /// The best move of an earlier visit comes first.
    pub table_move: bool,
    /// The hints given with [`Moves::push_hinted`](crate::Moves::push_hinted).
    pub hints: bool,
    /// Moves that cut off a neighbouring position, among equal hints.
    pub killers: bool,
    /// Moves that cut off anywhere, the more often and the higher up the better, among equal hints.
    pub history: bool,
}

impl MoveOrdering {
    /// Everything.
    pub const FULL: MoveOrdering = MoveOrdering { table_move: true, hints: true, killers: true, history: true };
    /// Everything but killers. In chess, Kalah and Dots and Boxes that took fewer nodes than everything, in checkers more.
    pub const HISTORY: MoveOrdering = MoveOrdering { killers: false, ..MoveOrdering::FULL };
    /// The table's move and the game's hints.
    pub const HINTS: MoveOrdering = MoveOrdering { history: false, ..MoveOrdering::HISTORY };
    /// The order in which the game lists the moves, as the proofs about fixed trees assume.
    pub const AS_GIVEN: MoveOrdering = MoveOrdering { table_move: false, hints: false, killers: false, history: false };

    /// Whether nothing but the hints tells moves apart, the table's aside.
    #[inline(always)]
    pub(crate) const fn hints_alone(self) -> bool {
        self.hints & !(self.killers | self.history)
    }
}

/// What a thread has learned about moves, by their codes.
pub(crate) struct History {
    /// Two killers for each distance from the root.
    killers: Box<[[u16; 2]; 256]>,
    /// How often a move cut off, by side.
    merits: Box<[[i16; 1 << 16]; 2]>,
    /// The move that was last a good reply to a move, by side and code of that move. Selective search alone uses it.
    replies: Box<[u16]>,
}

/// What the moves of a node are ranked by: no branch for each of them.
pub(crate) struct Ranking<'h> {
    killers: [u16; 2],
    merits: &'h [i16; 1 << 16],
    /// All bits, or none where that does not count.
    by_hint: i32,
    by_merit: i32,
}

impl Ranking<'_> {
    /// The hint, then what is known of the move from elsewhere: killers, then merit.
    #[inline(always)]
    pub(crate) fn rank(&self, code: u16, hint: i32) -> i32 {
        let mut rank = i32::from(self.merits[usize::from(code)]) & self.by_merit;
        if code == self.killers[1] {
            rank = KILLER_RANKS[1];
        }
        if code == self.killers[0] {
            rank = KILLER_RANKS[0];
        }
        ((hint & self.by_hint) << 16) + rank
    }
}

/// Merit stays below the ranks of killers.
const LIMIT: i32 = 0x7000;
const KILLER_RANKS: [i32; 2] = [0x7fff, 0x7ffe];

impl History {
    pub(crate) fn new(selective: bool) -> History {
        // Boxed arrays straight from the heap: 256 KB would be much for a stack.
        let merits = vec![[0; 1 << 16]; 2].into_boxed_slice().try_into();
        let killers = vec![[NO_MOVE; 2]; 256].into_boxed_slice().try_into();
        History {
            killers: killers.unwrap_or_else(|_| unreachable!("256 plies")),
            merits: merits.unwrap_or_else(|_| unreachable!("two sides")),
            replies: vec![NO_MOVE; if selective { 2 << 16 } else { 0 }].into(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.killers.fill([NO_MOVE; 2]);
        self.merits.fill([0; 1 << 16]);
        self.replies.fill(NO_MOVE);
    }

    /// What the moves of one node are ranked by.
    #[inline(always)]
    pub(crate) fn ranking(&self, by: MoveOrdering, side: usize, ply: u8) -> Ranking<'_> {
        let killers = if by.killers { self.killers[usize::from(ply)] } else { [NO_MOVE; 2] };
        let (by_hint, by_merit) = (-i32::from(by.hints), -i32::from(by.history));
        Ranking { killers, merits: &self.merits[side], by_hint, by_merit }
    }

    /// A move has cut off a node, and those tried before it have failed to.
    #[inline(always)]
    pub(crate) fn learn<M>(
        &mut self,
        by: MoveOrdering,
        cut: u16,
        failed: &[Ranked<M>],
        side: usize,
        ply: u8,
        bonus: i32,
    ) {
        if by.killers {
            self.add_killer(ply, cut);
        }
        if by.history {
            self.update(side, cut, bonus);
            for ranked in failed {
                self.update(side, ranked.code, -bonus);
            }
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

    /// Adds to what is known of a move, ever more slowly towards the limit, so that news always shows.
    #[inline(always)]
    pub(crate) fn update(&mut self, side: usize, code: u16, bonus: i32) {
        let merit = &mut self.merits[side][usize::from(code)];
        let was = i32::from(*merit);
        *merit = (was + bonus - was * bonus.abs() / LIMIT) as i16;
    }

    /// What is known of a move, from −28,672 to 28,672.
    #[inline(always)]
    pub(crate) fn merit(&self, side: usize, code: u16) -> i32 {
        i32::from(self.merits[side][usize::from(code)])
    }

    /// The reply that was best to a move of the other side's.
    #[inline(always)]
    pub(crate) fn reply(&self, side: usize, to: u16) -> u16 {
        self.replies[side << 16 | usize::from(to)]
    }

    #[inline(always)]
    pub(crate) fn learn_reply(&mut self, side: usize, to: u16, reply: u16) {
        self.replies[side << 16 | usize::from(to)] = reply;
    }
}

/// What a cut at a node of this depth adds in the exact search.
#[inline(always)]
pub(crate) fn bonus(depth: u8) -> i32 {
    (i32::from(depth) * i32::from(depth)).min(LIMIT / 4)
}

/// And in selective search, which cuts deep nodes more rarely.
#[inline(always)]
pub(crate) fn selective_bonus(depth: u8) -> i32 {
    (16 * i32::from(depth) * i32::from(depth)).min(LIMIT / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(code: u16) -> Ranked<()> {
        Ranked { rank: 0, code, m: () }
    }

    #[test]
    fn killers_come_before_history_and_the_newest_first() {
        let mut history = History::new(false);
        let by = MoveOrdering::FULL;
        history.learn(by, 7, &[] as &[Ranked<()>], 0, 3, bonus(4));
        history.learn(by, 9, &[ranked(5)], 0, 3, bonus(4));
        assert_eq!([9, 7].map(|code| history.ranking(by, 0, 3).rank(code, 0)), KILLER_RANKS);
        assert!(history.is_killer(3, 7) && !history.is_killer(4, 7) && !history.is_killer(3, 5));
        assert_eq!([9, 7, 5].map(|code| history.ranking(by, 0, 4).rank(code, 0)), [16, 16, -16]);
        assert_eq!(history.ranking(by, 1, 4).rank(9, 0), 0, "the other side has learned nothing");
        assert_eq!(history.ranking(MoveOrdering::HINTS, 0, 3).rank(9, 0), 0);
        // The same move again pushes no other out.
        history.learn(by, 9, &[] as &[Ranked<()>], 0, 3, bonus(4));
        assert_eq!([9, 7].map(|code| history.ranking(by, 0, 3).rank(code, 0)), KILLER_RANKS);
        history.learn(by, 11, &[] as &[Ranked<()>], 0, 3, bonus(1));
        assert_eq!([11, 9].map(|code| history.ranking(by, 0, 3).rank(code, 0)), KILLER_RANKS);
        assert_eq!(history.ranking(by, 0, 3).rank(7, 0), 16);
    }

    #[test]
    fn merit_grows_ever_more_slowly_and_stays_within_its_limit() {
        let mut history = History::new(false);
        let mut last = (0, i32::MAX);
        for _ in 0..200 {
            history.update(0, 1, bonus(100));
            history.update(1, 1, -bonus(100));
            let merit = history.merit(0, 1);
            assert_eq!(history.merit(1, 1), -merit);
            assert!(merit >= last.0 && merit - last.0 <= last.1 && merit <= LIMIT);
            last = (merit, merit - last.0);
        }
        assert!(last.0 > LIMIT - LIMIT / 4);
        assert_eq!([bonus(3), bonus(200), selective_bonus(3), selective_bonus(200)], [9, LIMIT / 4, 144, LIMIT / 8]);
    }

    #[test]
    fn replies_are_kept_by_side_and_everything_is_forgotten_when_told() {
        let mut history = History::new(true);
        history.learn_reply(1, 5, 6);
        assert_eq!((history.reply(1, 5), history.reply(0, 5)), (6, NO_MOVE));
        history.learn(MoveOrdering::FULL, 7, &[ranked(8)], 1, 2, 100);
        history.clear();
        assert_eq!(history.reply(1, 5), NO_MOVE);
        assert!(!history.is_killer(2, 7));
        assert_eq!((history.merit(1, 7), history.merit(1, 8)), (0, 0));
    }
}
