//! Move ordering by what was learned elsewhere in the search: killers, history and countermoves.

use alloc::boxed::Box;
use alloc::vec;

use super::table::NO_MOVE;
use crate::game::Ranked;

/// The heuristics that order the moves of a position.
///
/// ```
/// use emtee::MoveOrdering;
/// // The order in which the game generates them, and nothing else:
/// assert_eq!(MoveOrdering::AS_GIVEN, MoveOrdering { table_move: false, hints: false, killers: false, history: false });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveOrdering {
    /// The table's move, the best of an earlier visit, comes first.
    pub table_move: bool,
    /// The hints given with [`Moves::push_hinted`](crate::Moves::push_hinted).
    pub hints: bool,
    /// Killers: moves that cut off another node at the same ply, among equal hints.
    pub killers: bool,
    /// History heuristic: moves that cut off anywhere, weighted by how often and at what depth, among equal hints.
    pub history: bool,
}

impl MoveOrdering {
    /// All heuristics.
    pub const FULL: MoveOrdering = MoveOrdering { table_move: true, hints: true, killers: true, history: true };
    /// All except killers. That took fewer nodes than all in chess, Kalah and Dots and Boxes, and more in checkers.
    pub const HISTORY: MoveOrdering = MoveOrdering { killers: false, ..MoveOrdering::FULL };
    /// The table's move and the game's hints.
    pub const HINTS: MoveOrdering = MoveOrdering { history: false, ..MoveOrdering::HISTORY };
    /// The order in which the game generates the moves, as the proofs about fixed trees assume.
    pub const AS_GIVEN: MoveOrdering = MoveOrdering { table_move: false, hints: false, killers: false, history: false };

    /// Whether only hints order the moves, besides the table's move.
    #[inline(always)]
    pub(crate) const fn only_hints(self) -> bool {
        self.hints & !(self.killers | self.history)
    }
}

/// The killers, history scores and countermoves of a thread, by move code.
pub(crate) struct History {
    /// Two killers for each ply.
    killers: Box<[[u16; 2]; 256]>,
    /// The history score of each move, by side.
    scores: Box<[[i16; 1 << 16]; 2]>,
    /// The last move that cut off after a move, by side and by code of that move. Only selective search uses countermoves.
    countermoves: Box<[u16]>,
}

/// What the moves of a node are ranked by, with masks instead of a branch per move.
pub(crate) struct Ranking<'h> {
    killers: [u16; 2],
    scores: &'h [i16; 1 << 16],
    /// All bits set, or none if hints or scores are not used.
    hint_mask: i32,
    score_mask: i32,
}

impl Ranking<'_> {
    /// The rank of a move: by hint; among equal hints killers, if they are used, then the history score.
    #[inline(always)]
    pub(crate) fn rank<const KILLERS: bool>(&self, code: u16, hint: i32) -> i32 {
        let mut rank = i32::from(self.scores[usize::from(code)]) & self.score_mask;
        if KILLERS && code == self.killers[1] {
            rank = KILLER_RANKS[1];
        }
        if KILLERS && code == self.killers[0] {
            rank = KILLER_RANKS[0];
        }
        ((hint & self.hint_mask) << 16) + rank
    }
}

/// The limit of history scores, below the ranks of killers.
const MAX_HISTORY: i32 = 0x7000;
const KILLER_RANKS: [i32; 2] = [0x7fff, 0x7ffe];

impl History {
    pub(crate) fn new(selective: bool) -> History {
        // Allocated on the heap directly: 256 KB could overflow the stack.
        let scores = vec![[0; 1 << 16]; 2].into_boxed_slice().try_into();
        let killers = vec![[NO_MOVE; 2]; 256].into_boxed_slice().try_into();
        History {
            killers: killers.unwrap_or_else(|_| unreachable!("256 plies")),
            scores: scores.unwrap_or_else(|_| unreachable!("two sides")),
            countermoves: vec![NO_MOVE; if selective { 2 << 16 } else { 0 }].into(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.killers.fill([NO_MOVE; 2]);
        self.scores.fill([0; 1 << 16]);
        self.countermoves.fill(NO_MOVE);
    }

    /// What the moves of one node are ranked by.
    #[inline(always)]
    pub(crate) fn ranking(&self, by: MoveOrdering, side: usize, ply: u8) -> Ranking<'_> {
        let killers = if by.killers { self.killers[usize::from(ply)] } else { [NO_MOVE; 2] };
        let (hint_mask, score_mask) = (-i32::from(by.hints), -i32::from(by.history));
        Ranking { killers, scores: &self.scores[side], hint_mask, score_mask }
    }

    /// Updates killers and history after a cutoff by the move `m`; the moves `tried` before it failed low.
    #[inline(always)]
    pub(crate) fn learn<M>(&mut self, by: MoveOrdering, m: u16, tried: &[Ranked<M>], side: usize, ply: u8, bonus: i32) {
        if by.killers {
            self.add_killer(ply, m);
        }
        if by.history {
            self.update(side, m, bonus);
            for ranked in tried {
                self.update(side, ranked.code, -bonus);
            }
        }
    }

    /// Makes a move the first killer of a ply.
    #[inline(always)]
    pub(crate) fn add_killer(&mut self, ply: u8, code: u16) {
        let killers = &mut self.killers[usize::from(ply)];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }

    /// Whether a move is a killer of this ply.
    #[inline(always)]
    pub(crate) fn is_killer(&self, ply: u8, code: u16) -> bool {
        self.killers[usize::from(ply)].contains(&code)
    }

    /// Adds a bonus to the history score of a move. The sum saturates towards the limit, so that new results always have an
    /// effect.
    #[inline(always)]
    pub(crate) fn update(&mut self, side: usize, code: u16, bonus: i32) {
        let score = &mut self.scores[side][usize::from(code)];
        let was = i32::from(*score);
        *score = (was + bonus - was * bonus.abs() / MAX_HISTORY) as i16;
    }

    /// The history score of a move, from −28,672 to 28,672.
    #[inline(always)]
    pub(crate) fn score(&self, side: usize, code: u16) -> i32 {
        i32::from(self.scores[side][usize::from(code)])
    }

    /// The countermove to a move of the other side.
    #[inline(always)]
    pub(crate) fn countermove(&self, side: usize, to: u16) -> u16 {
        self.countermoves[side << 16 | usize::from(to)]
    }

    #[inline(always)]
    pub(crate) fn set_countermove(&mut self, side: usize, to: u16, code: u16) {
        self.countermoves[side << 16 | usize::from(to)] = code;
    }
}

/// The history bonus of a cutoff at this depth in the exact search.
#[inline(always)]
pub(crate) fn bonus(depth: u8) -> i32 {
    (i32::from(depth) * i32::from(depth)).min(MAX_HISTORY / 4)
}

/// The history bonus in selective search, which has fewer cutoffs at deep nodes.
#[inline(always)]
pub(crate) fn selective_bonus(depth: u8) -> i32 {
    (16 * i32::from(depth) * i32::from(depth)).min(MAX_HISTORY / 8)
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
        assert_eq!([9, 7].map(|code| history.ranking(by, 0, 3).rank::<true>(code, 0)), KILLER_RANKS);
        assert!(history.is_killer(3, 7) && !history.is_killer(4, 7) && !history.is_killer(3, 5));
        assert_eq!([9, 7, 5].map(|code| history.ranking(by, 0, 4).rank::<true>(code, 0)), [16, 16, -16]);
        assert_eq!(history.ranking(by, 1, 4).rank::<true>(9, 0), 0, "the other side has no score");
        assert_eq!(history.ranking(MoveOrdering::HINTS, 0, 3).rank::<true>(9, 0), 0);
        // The same killer again replaces no other.
        history.learn(by, 9, &[] as &[Ranked<()>], 0, 3, bonus(4));
        assert_eq!([9, 7].map(|code| history.ranking(by, 0, 3).rank::<true>(code, 0)), KILLER_RANKS);
        history.learn(by, 11, &[] as &[Ranked<()>], 0, 3, bonus(1));
        assert_eq!([11, 9].map(|code| history.ranking(by, 0, 3).rank::<true>(code, 0)), KILLER_RANKS);
        assert_eq!(history.ranking(by, 0, 3).rank::<true>(7, 0), 16);
    }

    #[test]
    fn history_scores_saturate() {
        let mut history = History::new(false);
        let mut last = (0, i32::MAX);
        for _ in 0..200 {
            history.update(0, 1, bonus(100));
            history.update(1, 1, -bonus(100));
            let score = history.score(0, 1);
            assert_eq!(history.score(1, 1), -score);
            assert!(score >= last.0 && score - last.0 <= last.1 && score <= MAX_HISTORY);
            last = (score, score - last.0);
        }
        assert!(last.0 > MAX_HISTORY - MAX_HISTORY / 4);
        assert_eq!(
            [bonus(3), bonus(200), selective_bonus(3), selective_bonus(200)],
            [9, MAX_HISTORY / 4, 144, MAX_HISTORY / 8]
        );
    }

    #[test]
    fn countermoves_are_kept_by_side_and_clear_removes_everything() {
        let mut history = History::new(true);
        history.set_countermove(1, 5, 6);
        assert_eq!((history.countermove(1, 5), history.countermove(0, 5)), (6, NO_MOVE));
        history.learn(MoveOrdering::FULL, 7, &[ranked(8)], 1, 2, 100);
        history.clear();
        assert_eq!(history.countermove(1, 5), NO_MOVE);
        assert!(!history.is_killer(2, 7));
        assert_eq!((history.score(1, 7), history.score(1, 8)), (0, 0));
    }
}
