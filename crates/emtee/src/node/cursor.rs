//! The moves of a node, in the order they are tried. They are generated and sorted in stages, only when needed.

use core::ops::Range;

use super::{Child, Edge, Keyed, Node, Worker, child};
use crate::error::Error;
use crate::game::{Evaluate, Game, Ranked};
use crate::memory::history::{self, Ranking};
use crate::memory::table::NO_MOVE;
use crate::observer::Observer;
use crate::value::{Bounds, Value};

/// The number of children whose table entries are prefetched together; any others are looked up one by one.
const PREFETCHED: usize = 64;

/// An iterator over the moves of a node, which are `first..end` of the thread's move list.
pub(crate) struct Cursor<G: Game> {
    pub(crate) first: usize,
    pub(crate) next: usize,
    pub(crate) end: usize,
    /// How many children have been returned.
    pub(crate) tried: usize,
    /// How many deferred moves, which are stored behind `end`, have been tried.
    pub(crate) resumed: usize,
    /// Whether [`Worker::shuffle`] has reordered the moves after the first.
    pub(crate) shuffled: bool,
    /// The table's move, to be tried before moves are generated.
    early: Option<G::Move>,
    stage: Stage,
    /// The index of the best-ranked move.
    best: usize,
    /// Whether the moves on the list have their codes.
    coded: bool,
}

/// Copies of the cursor's fields about generated moves.
#[derive(Clone, Copy)]
struct Listed {
    range: (usize, usize),
    best: usize,
    coded: bool,
}

/// The stage of move generation. Most nodes need only their first move, so sorting comes later.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Moves are not generated: the table's move is tried first.
    Ungenerated,
    /// Moves are in the order the game generates them; the best is known.
    Generated,
    /// The best move has been tried.
    FirstTried,
    /// Moves are sorted in the order they are tried.
    Sorted,
}

impl<G: Game> Cursor<G> {
    #[inline(always)]
    fn new(first: usize) -> Cursor<G> {
        let (stage, early, shuffled, coded) = (Stage::Ungenerated, None, false, false);
        Cursor { first, next: first, end: first, tried: 0, resumed: 0, shuffled, early, stage, best: first, coded }
    }

    /// Whether there is more than one move. The table's move is tried early only if that is known.
    #[inline(always)]
    fn has_choice(&self) -> bool {
        self.stage == Stage::Ungenerated || self.end - self.first >= 2
    }

    /// Takes back a child whose search was abandoned. The table's move, tried early, is returned again by the cursor; any
    /// other is returned here, to be deferred.
    #[cfg_attr(not(feature = "std"), allow(dead_code))]
    pub(crate) fn take_back(&mut self, edge: &Edge<G::Move>) -> Option<Ranked<G::Move>> {
        self.tried -= 1;
        if self.stage != Stage::Ungenerated {
            return Some(edge.ranked());
        }
        self.early = Some(edge.m);
        None
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// A cursor over the moves of an interior node; `None` if there are none. With `early`, the table's move is tried before
    /// moves are generated, if the game can decode it.
    #[inline(always)]
    pub(crate) fn expand(&mut self, n: &Keyed<G>, node: &mut Node, early: bool) -> Option<Cursor<G>> {
        let mut children = Cursor::new(self.own.moves.list.len());
        if early && node.table_move != NO_MOVE && node.ply > 0 {
            children.early = n.position.move_from_code(node.table_move);
        }
        if children.early.is_none() {
            self.generate(n, node, &mut children);
            if children.first == children.end {
                node.ended = Some(n.position.stuck());
                return None;
            }
        }
        Some(children)
    }

    /// Generates the moves and finds the best: the table's move, then by hint, then killers, then history.
    #[inline(always)]
    fn generate(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) {
        let (by, own) = (self.setup.ordering, &mut *self.own);
        n.position.moves(&mut own.moves);
        let moves = &mut own.moves.list[children.first..];
        children.end = children.first + moves.len();
        children.stage = Stage::Generated;
        let table_move = if by.table_move { node.table_move } else { NO_MOVE };
        children.coded = !by.only_hints() || node.ply == 0 || table_move != NO_MOVE;
        let best = if children.coded {
            let ranking = own.history.ranking(by, n.position.turn().index(), node.ply);
            // Without killers ranking takes half the time.
            match by.killers {
                true => rank_moves::<G, true>(&n.position, moves, &ranking, table_move),
                false => rank_moves::<G, false>(&n.position, moves, &ranking, table_move),
            }
        } else {
            self::best(moves)
        };
        children.best = children.first + best;
        if moves.len() >= 0x7fff && too_many(&n.position, moves) {
            self.refuse_moves(children.first);
            children.end = children.first;
        }
        if node.ply == 0 && !self.setup.excluded.is_empty() {
            (children.end, children.best) = self.exclude(children.first);
        }
    }

    /// More moves than codes: an error, and the list is emptied.
    #[cold]
    fn refuse_moves(&mut self, first: usize) {
        self.own.fault.get_or_insert(Error::TooManyMoves { moves: self.own.moves.list.len() - first });
        self.own.moves.list.truncate(first);
    }

    /// Removes the excluded root moves. Returns the end of the list and the index of the best move.
    #[cold]
    fn exclude(&mut self, first: usize) -> (usize, usize) {
        let list = &mut self.own.moves.list;
        let mut kept = first;
        for index in first..list.len() {
            if !self.setup.excluded.contains(&list[index].code) {
                list[kept] = list[index];
                kept += 1;
            }
        }
        list.truncate(kept);
        (kept, first + best(&list[first..]))
    }

    /// The next child, best rank first; equal ranks in the order the game generated them.
    #[inline(always)]
    pub(crate) fn next_child(&mut self, n: &Keyed<G>, node: &mut Node, children: &mut Cursor<G>) -> Option<Child<G>> {
        if let Some(path) = &mut self.own.path {
            // The previous child did not cut off, but the node's value depends on it.
            node.by_path |= core::mem::take(&mut path.decided);
        }
        let ranked = self.next_move(n, node, children)?;
        children.tried += 1;
        let keyed = node.depth > 1 || self.setup.leaf_keys;
        Some(child(&n.position, ranked, keyed))
    }

    /// The next move, best rank first. The caller counts it as tried.
    #[inline(always)]
    pub(super) fn next_move(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) -> Option<Ranked<G::Move>> {
        if children.stage != Stage::Sorted {
            if children.stage == Stage::Generated {
                children.stage = Stage::FirstTried;
                let mut best = self.own.moves.list[children.best];
                if !children.coded {
                    best.code = n.position.code(best.m, children.best - children.first);
                }
                return Some(best);
            }
            if let Some(m) = children.early.take() {
                return Some(Ranked { m, code: node.table_move, rank: i32::MAX });
            }
            self.sort(n, node, children);
        }
        if children.next >= children.end {
            return None;
        }
        let ranked = self.own.moves.list[children.next];
        children.next += 1;
        Some(ranked)
    }

    /// Sorts the moves behind the first, with their codes, if they are not sorted.
    #[inline(always)]
    pub(crate) fn sort(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) {
        if children.stage == Stage::FirstTried || children.stage == Stage::Ungenerated && children.early.is_none() {
            let listed = Listed { range: (children.first, children.end), best: children.best, coded: children.coded };
            let ungenerated = children.stage == Stage::Ungenerated;
            children.end = self.sort_rest(n, &{ *node }, listed, ungenerated);
            (children.next, children.stage, children.coded) = (children.first + 1, Stage::Sorted, true);
        }
    }

    /// Generates the moves if `ungenerated`, and sorts them behind the best, with their codes. Returns their end.
    #[inline(never)]
    fn sort_rest(&mut self, n: &Keyed<G>, node: &Node, mut listed: Listed, ungenerated: bool) -> usize {
        if ungenerated {
            let mut children = Cursor::new(listed.range.0);
            self.generate(n, node, &mut children);
            listed = Listed { range: (children.first, children.end), best: children.best, coded: children.coded };
        }
        let prefetched = !self.probes_children(node) && (node.depth > 1 || self.setup.leaf_keys);
        let moves = &mut self.own.moves.list[listed.range.0..listed.range.1];
        if !listed.coded {
            for (index, ranked) in moves.iter_mut().enumerate() {
                ranked.code = n.position.code(ranked.m, index);
            }
        }
        bring_to_front(moves, listed.best - listed.range.0);
        if let Some((_, rest)) = moves.split_first_mut() {
            sort(rest);
            // Most nodes that reach this stage try all moves: prefetch all their table entries now.
            if prefetched {
                // If a key requires playing the move, that takes less time than a cache miss, except for leaves and for
                // positions on the heap.
                let may_play = node.depth > 1 && self.setup.table.is_large() && !core::mem::needs_drop::<G>();
                let key = |m| n.position.key_after(m).or_else(|| may_play.then(|| n.position.play(m).key()));
                self.setup.table.prefetch(rest.iter().filter_map(|ranked| key(ranked.m)));
            }
        }
        listed.range.1
    }

    /// Whether children are probed in the table before any is searched. Not in play: the table does not know repetitions.
    #[inline(always)]
    fn probes_children(&self, node: &Node) -> bool {
        node.depth >= self.setup.etc && self.own.path.is_none()
    }

    /// Enhanced transposition cutoff (ETC): a child whose bound in the table already fails high ends the visit. Returns the g
    /// to start from, −∞ if there is no cutoff.
    #[inline(always)]
    pub(crate) fn enhanced_cutoff(&mut self, n: &Keyed<G>, node: &mut Node, children: &Cursor<G>) -> Value {
        if !self.probes_children(node) {
            return Value::NEG_INFINITY;
        }
        // Copies, so that the fields used at every node can stay in registers.
        let listed = Listed { range: (children.first, children.end), best: children.best, coded: children.coded };
        let known = self.probe_children(n, &{ *node }, listed);
        let Some((g, best)) = known else { return Value::NEG_INFINITY };
        node.best = best;
        g
    }

    #[inline(never)]
    fn probe_children(&mut self, n: &Keyed<G>, node: &Node, listed: Listed) -> Option<(Value, u16)> {
        let (from, to) = listed.range;
        let code = |index: usize, ranked: Ranked<G::Move>| {
            if listed.coded { ranked.code } else { n.position.code(ranked.m, index - from) }
        };
        // Prefetch all entries before reading any: their cache misses overlap.
        let mut keys = [0; PREFETCHED];
        for (key, ranked) in keys.iter_mut().zip(&self.own.moves.list[from..to]) {
            *key = key_after(&n.position, ranked.m);
        }
        self.setup.table.prefetch(keys.into_iter().take(to - from));
        // The table's move is probed first.
        let best = self.own.moves.list[listed.best];
        let first = Some(listed.best).filter(|&index| code(index, best) == node.table_move);
        for index in first.into_iter().chain((from..to).filter(|&index| Some(index) != first)) {
            let ranked = self.own.moves.list[index];
            let key = keys.get(index - from).copied().unwrap_or_else(|| key_after(&n.position, ranked.m));
            let entry = self.setup.table.retrieve(key, node.depth - 1);
            if entry.f == Bounds::UNKNOWN {
                continue;
            }
            let (_, edge) = child(&n.position, Ranked { code: code(index, ranked), ..ranked }, false);
            let g = edge.bounds_to_parent(entry.f).lower;
            if g > node.window.high {
                self.own.estimated |= entry.estimated;
                self.own.tally.counts.enhanced_cuts += 1;
                return Some((g, edge.code));
            }
        }
        None
    }

    /// Ends the moves of a node: counts a cutoff, updates killers and history, and releases the node's part of the move list.
    /// If moves were deferred, not tried `in_order`, the moves that failed before the cutoff are not known.
    #[inline(always)]
    pub(crate) fn finish_moves(&mut self, n: &Keyed<G>, node: &Node, children: &Cursor<G>, g: Value, in_order: bool) {
        if g > node.window.high && children.tried > 0 && children.has_choice() {
            self.own.tally.cut(node.depth, children.tried as u64);
            if self.setup.learning {
                let failed = if in_order { children.tried - 1 } else { 0 };
                self.learn_from_cut(n, &{ *node }, children.first..children.first + failed);
            }
        }
        self.release_moves(node, children, g);
    }

    #[inline(never)]
    fn learn_from_cut(&mut self, n: &Keyed<G>, node: &Node, failed: Range<usize>) {
        let (failed, side) = (&self.own.moves.list[failed], n.position.turn().index());
        self.own.history.learn(self.setup.ordering, node.best, failed, side, node.ply, history::bonus(node.depth));
    }

    /// Releases the node's part of the move list; at the root, records the best move.
    #[inline(always)]
    pub(crate) fn release_moves(&mut self, node: &Node, children: &Cursor<G>, g: Value) {
        if node.ply == 0 {
            let proved = g > node.window.low;
            self.record_root_move(if proved { node.best } else { NO_MOVE }, children.first..children.end);
        }
        self.own.moves.list.truncate(children.first);
    }

    #[cold]
    fn record_root_move(&mut self, code: u16, range: Range<usize>) {
        self.own.root_move = self.own.moves.list[range].iter().find(|ranked| ranked.code == code).copied();
    }
}

/// The key of the position after a move: from the game, or by playing the move.
#[inline(always)]
fn key_after<G: Game>(n: &G, m: G::Move) -> u64 {
    n.key_after(m).unwrap_or_else(|| n.play(m).key())
}

/// Whether there are more moves than codes.
#[cold]
fn too_many<G: Game>(n: &G, moves: &[Ranked<G::Move>]) -> bool {
    moves.len() >= usize::from(NO_MOVE) || moves.last().is_some_and(|last| n.code(last.m, moves.len() - 1) == NO_MOVE)
}

/// Gives all moves their codes and ranks. Returns the index of the best.
#[inline(always)]
fn rank_moves<G: Game, const KILLERS: bool>(
    n: &G,
    moves: &mut [Ranked<G::Move>],
    ranking: &Ranking<'_>,
    table_move: u16,
) -> usize {
    let (mut best, mut best_rank) = (0, i32::MIN);
    for (index, ranked) in moves.iter_mut().enumerate() {
        let code = n.code(ranked.m, index);
        let rank = if code == table_move { i32::MAX } else { ranking.rank::<KILLERS>(code, ranked.rank) };
        (ranked.code, ranked.rank) = (code, rank);
        if rank > best_rank {
            (best, best_rank) = (index, rank);
        }
    }
    best
}

/// The index of the best-ranked move, the first of equals.
#[inline(always)]
pub(super) fn best<M>(moves: &[Ranked<M>]) -> usize {
    let (mut best, mut rank) = (0, i32::MIN);
    for (index, ranked) in moves.iter().enumerate() {
        if ranked.rank > rank {
            (best, rank) = (index, ranked.rank);
        }
    }
    best
}

/// Moves one move to the front; the others keep their order.
#[inline(always)]
pub(super) fn bring_to_front<M: Copy>(moves: &mut [Ranked<M>], index: usize) {
    if let Some(&moved) = moves.get(index) {
        for to in (0..index).rev() {
            moves[to + 1] = moves[to];
        }
        moves[0] = moved;
    }
}

/// Sorts by rank, best first, stably. An insertion sort, because the lists are short.
#[inline(always)]
pub(super) fn sort<M: Copy>(moves: &mut [Ranked<M>]) {
    for index in 1..moves.len() {
        let moved = moves[index];
        let mut to = index;
        while let Some([before, place]) = moves[..=to].last_chunk_mut()
            && before.rank < moved.rank
        {
            *place = *before;
            to -= 1;
        }
        moves[to] = moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Moves, Outcome, Side};
    use alloc::vec::Vec;

    /// A game with only the required methods.
    #[derive(Clone, Hash)]
    struct Minimal;

    impl Game for Minimal {
        type Move = u8;
        fn turn(&self) -> Side {
            Side::First
        }
        fn moves(&self, _: &mut Moves<u8>) {}
        fn play(&self, _: u8) -> Minimal {
            Minimal
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
    }

    #[test]
    fn a_child_that_is_taken_back_is_returned_again() {
        let (_, edge) = child(&Minimal, Ranked { rank: 3, code: 7, m: 5 }, false);
        let mut children = Cursor::<Minimal> { tried: 1, ..Cursor::new(0) };
        assert!(children.take_back(&edge).is_none());
        assert_eq!((children.early, children.tried), (Some(5), 0));
        let mut children = Cursor::<Minimal> { tried: 4, stage: Stage::Sorted, ..Cursor::new(0) };
        let again = children.take_back(&edge).map(|ranked| (ranked.m, ranked.code, ranked.rank));
        assert_eq!((again, children.early, children.tried), (Some((5, 7, 3)), None, 3));
    }

    #[test]
    fn equals_keep_their_order() {
        let list = |ranks: &[i32]| -> Vec<Ranked<usize>> {
            ranks.iter().enumerate().map(|(m, &rank)| Ranked { rank, code: 0, m }).collect()
        };
        let order = |moves: &[Ranked<usize>]| moves.iter().map(|ranked| ranked.m).collect::<Vec<_>>();
        let mut moves = list(&[0, 3, 1, 3, 2, 1]);
        assert_eq!(best(&moves), 1);
        bring_to_front(&mut moves, 1);
        assert_eq!(order(&moves), [1, 0, 2, 3, 4, 5]);
        sort(&mut moves[1..]);
        assert_eq!(order(&moves), [1, 3, 4, 2, 5, 0]);
        bring_to_front(&mut moves, 3);
        assert_eq!(order(&moves), [2, 1, 3, 4, 5, 0]);
        sort(&mut [] as &mut [Ranked<()>]);
        bring_to_front(&mut [] as &mut [Ranked<()>], 0);
        assert_eq!(best(&[] as &[Ranked<()>]), 0);
    }
}
