//! The moves of a node, in the order they are tried. Nothing is listed or sorted before it is asked for.

use core::ops::Range;

use super::{Child, Edge, Keyed, Node, Worker, child};
use crate::error::Error;
use crate::game::{Evaluate, Game, Ranked};
use crate::memory::history;
use crate::memory::table::NO_MOVE;
use crate::observer::Observer;
use crate::value::{Bounds, Value};

/// Of how many children the table is asked at once; further ones one by one.
const AT_ONCE: usize = 64;

/// How far the moves of a node have been tried. They stand on the thread's list from `first` to `end`.
pub(crate) struct Cursor<G: Game> {
    pub(crate) first: usize,
    pub(crate) next: usize,
    pub(crate) end: usize,
    /// How many children have been handed out.
    pub(crate) tried: usize,
    /// How many of those put off, which stand behind `end`, have been taken up again.
    pub(crate) taken_up: usize,
    /// Whether the moves after the first stand in an order of this machine's own.
    pub(crate) shuffled: bool,
    /// The table's move, to be tried before the others are listed.
    early: Option<G::Move>,
    stage: Stage,
    /// Where the best move stands.
    best: usize,
    /// Whether the moves on the list know their codes.
    coded: bool,
}

/// Moves that are on the list: where, which is best, and whether they know their codes.
#[derive(Clone, Copy)]
struct Listed {
    at: (usize, usize),
    best: usize,
    coded: bool,
}

/// What has been done about the moves of a node. Most nodes need their first move alone, so the rest waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing: the table's move comes first.
    Unlisted,
    /// They are listed as the game lists them, and the best of them is known.
    Listed,
    /// The best has been tried.
    Begun,
    /// They stand in the order they are tried.
    Sorted,
}

impl<G: Game> Cursor<G> {
    #[inline(always)]
    fn new(first: usize) -> Cursor<G> {
        let (stage, early, shuffled, coded) = (Stage::Unlisted, None, false, false);
        Cursor { first, next: first, end: first, tried: 0, taken_up: 0, shuffled, early, stage, best: first, coded }
    }

    /// Whether there is more than one move. The table's move is tried early only where that is known.
    #[inline(always)]
    fn has_choice(&self) -> bool {
        self.stage == Stage::Unlisted || self.end - self.first >= 2
    }

    /// The child that was searched did not come to an answer, and is still to be asked: at once if it is the table's move, or
    /// when it is put on the list of those put off.
    #[cfg_attr(not(feature = "std"), allow(dead_code))]
    pub(crate) fn take_back(&mut self, edge: &Edge<G::Move>) -> Option<Ranked<G::Move>> {
        self.tried -= 1;
        if self.stage != Stage::Unlisted {
            return Some(edge.ranked());
        }
        self.early = Some(edge.m);
        None
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The moves of a node that is no leaf; nothing if there are none. The table's move comes first, before the others are
    /// listed, where the game can tell what it is (`early`).
    #[inline(always)]
    pub(crate) fn expand(&mut self, n: &Keyed<G>, node: &mut Node, early: bool) -> Option<Cursor<G>> {
        let mut children = Cursor::new(self.own.moves.list.len());
        if early && node.table_move != NO_MOVE && node.ply > 0 {
            children.early = n.position.move_from_code(node.table_move);
        }
        if children.early.is_none() {
            self.list(n, node, &mut children);
            if children.first == children.end {
                node.ended = Some(n.position.stuck());
                return None;
            }
        }
        Some(children)
    }

    /// Lists the moves and finds the best of them: the table's, then by the hint, then killers, then history.
    #[inline(always)]
    fn list(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) {
        let (by, own) = (self.setup.ordering, &mut *self.own);
        n.position.moves(&mut own.moves);
        let moves = &mut own.moves.list[children.first..];
        children.end = children.first + moves.len();
        children.stage = Stage::Listed;
        let table_move = if by.table_move { node.table_move } else { NO_MOVE };
        let (mut best, mut best_rank) = (0, i32::MIN);
        if !by.hints_alone() || node.ply == 0 || table_move != NO_MOVE {
            let ranking = own.history.ranking(by, n.position.turn().index(), node.ply);
            for (index, ranked) in moves.iter_mut().enumerate() {
                let code = n.position.code(ranked.m, index);
                let rank = if code == table_move { i32::MAX } else { ranking.rank(code, ranked.rank) };
                (ranked.code, ranked.rank) = (code, rank);
                if rank > best_rank {
                    (best, best_rank) = (index, rank);
                }
            }
            children.coded = true;
        } else {
            best = self::best(moves);
        }
        children.best = children.first + best;
        if moves.len() >= 0x7fff && too_many(&n.position, moves) {
            self.refuse_moves(children.first);
            children.end = children.first;
        }
        if node.ply == 0 && !self.setup.excluded.is_empty() {
            (children.end, children.best) = self.exclude(children.first);
        }
    }

    /// There are more moves than codes for them: none is kept.
    #[cold]
    fn refuse_moves(&mut self, first: usize) {
        self.own.fault.get_or_insert(Error::TooManyMoves { moves: self.own.moves.list.len() - first });
        self.own.moves.list.truncate(first);
    }

    /// Takes out the root moves that are not to be looked at. Returns the end of the list and where the best stands.
    #[cold]
    fn exclude(&mut self, first: usize) -> (usize, usize) {
        let list = &mut self.own.moves.list;
        let mut kept = first;
        for at in first..list.len() {
            if !self.setup.excluded.contains(&list[at].code) {
                list[kept] = list[at];
                kept += 1;
            }
        }
        list.truncate(kept);
        (kept, first + best(&list[first..]))
    }

    /// The next child, best-ranked first; equals in the order the game listed them.
    #[inline(always)]
    pub(crate) fn next_child(&mut self, n: &Keyed<G>, node: &mut Node, children: &mut Cursor<G>) -> Option<Child<G>> {
        if let Some(path) = &mut self.own.path {
            // The child before this one has not decided the matter, but had its say.
            node.by_path |= core::mem::take(&mut path.decided);
        }
        let ranked = self.next_move(n, node, children)?;
        children.tried += 1;
        let keyed = node.depth > 1 || self.setup.leaf_keys;
        Some(child(&n.position, ranked, keyed))
    }

    #[inline(always)]
    fn next_move(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) -> Option<Ranked<G::Move>> {
        if children.stage != Stage::Sorted {
            if children.stage == Stage::Listed {
                children.stage = Stage::Begun;
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

    /// The first was not enough: the others are sorted behind it, with their codes.
    #[inline(always)]
    pub(crate) fn sort(&mut self, n: &Keyed<G>, node: &Node, children: &mut Cursor<G>) {
        if children.stage == Stage::Begun || children.stage == Stage::Unlisted && children.early.is_none() {
            let listed = Listed { at: (children.first, children.end), best: children.best, coded: children.coded };
            let unlisted = children.stage == Stage::Unlisted;
            children.end = self.line_up(n, &{ *node }, listed, unlisted);
            (children.next, children.stage, children.coded) = (children.first + 1, Stage::Sorted, true);
        }
    }

    /// Sorts the moves behind the best, with their codes, once they are listed. Returns where they end.
    #[inline(never)]
    fn line_up(&mut self, n: &Keyed<G>, node: &Node, mut listed: Listed, unlisted: bool) -> usize {
        if unlisted {
            let mut children = Cursor::new(listed.at.0);
            self.list(n, node, &mut children);
            listed = Listed { at: (children.first, children.end), best: children.best, coded: children.coded };
        }
        let expected = !self.looks_ahead(node) && (node.depth > 1 || self.setup.leaf_keys);
        let moves = &mut self.own.moves.list[listed.at.0..listed.at.1];
        if !listed.coded {
            for (index, ranked) in moves.iter_mut().enumerate() {
                ranked.code = n.position.code(ranked.m, index);
            }
        }
        bring_to_front(moves, listed.best - listed.at.0);
        if let Some((_, rest)) = moves.split_first_mut() {
            sort(rest);
            // Most nodes that come this far try them all: all entries are asked for now, so that they are there in time.
            if expected {
                // Where it takes playing them, that is shorter than the wait, but for leaves and positions on the heap.
                let played = node.depth > 1 && self.setup.table.is_far() && !core::mem::needs_drop::<G>();
                let key = |m| n.position.key_after(m).or_else(|| played.then(|| n.position.play(m).key()));
                self.setup.table.expect(rest.iter().filter_map(|ranked| key(ranked.m)));
            }
        }
        listed.at.1
    }

    /// Whether a node looks its children up before it searches them. In play none does: the table does not know which recur.
    #[inline(always)]
    fn looks_ahead(&self, node: &Node) -> bool {
        node.depth >= self.setup.etc && self.own.path.is_none()
    }

    /// Enhanced transposition cutoffs: a child that the table already knows to be good enough ends the visit. Returns the
    /// g to start from, −∞ where there is none.
    #[inline(always)]
    pub(crate) fn enhanced_cutoff(&mut self, n: &Keyed<G>, node: &mut Node, children: &Cursor<G>) -> Value {
        if !self.looks_ahead(node) {
            return Value::NEG_INFINITY;
        }
        // Copies, so that what every node works with need not stand in memory for the sake of this.
        let at = Listed { at: (children.first, children.end), best: children.best, coded: children.coded };
        let known = self.look_at_children(n, &{ *node }, at);
        let Some((g, best)) = known else { return Value::NEG_INFINITY };
        node.best = best;
        g
    }

    #[inline(never)]
    fn look_at_children(&mut self, n: &Keyed<G>, node: &Node, listed: Listed) -> Option<(Value, u16)> {
        let (from, to) = listed.at;
        let code = |at: usize, ranked: Ranked<G::Move>| {
            if listed.coded { ranked.code } else { n.position.code(ranked.m, at - from) }
        };
        // All are asked for before any is looked at, so that one wait for memory is enough.
        let mut keys = [0; AT_ONCE];
        for (key, ranked) in keys.iter_mut().zip(&self.own.moves.list[from..to]) {
            *key = key_after(&n.position, ranked.m);
        }
        self.setup.table.expect(keys.into_iter().take(to - from));
        // The table's move comes first, here as elsewhere.
        let best = self.own.moves.list[listed.best];
        let first = Some(listed.best).filter(|&at| code(at, best) == node.table_move);
        for at in first.into_iter().chain((from..to).filter(|&at| Some(at) != first)) {
            let ranked = self.own.moves.list[at];
            let key = keys.get(at - from).copied().unwrap_or_else(|| key_after(&n.position, ranked.m));
            let entry = self.setup.table.retrieve(key, node.depth - 1);
            if entry.f == Bounds::UNKNOWN {
                continue;
            }
            let (_, edge) = child(&n.position, Ranked { code: code(at, ranked), ..ranked }, false);
            let g = edge.bounds_to_parent(entry.f).lower;
            if g > node.window.high {
                self.own.estimated |= entry.estimated;
                self.own.tally.counts.enhanced_cuts += 1;
                return Some((g, edge.code));
            }
        }
        None
    }

    /// A node is done: counts a cut and learns from it, and gives back the room on the list. Where moves were put off, not
    /// tried `in_order`, nobody knows which ones failed before the one that cut.
    #[inline(always)]
    pub(crate) fn close(&mut self, n: &Keyed<G>, node: &Node, children: &Cursor<G>, g: Value, in_order: bool) {
        if g > node.window.high && children.tried > 0 && children.has_choice() {
            self.own.tally.cut(node.depth, children.tried as u64);
            if self.setup.learning {
                let failed = if in_order { children.tried - 1 } else { 0 };
                self.learn_from_cut(n, &{ *node }, children.first..children.first + failed);
            }
        }
        self.give_back(node, children, g);
    }

    #[inline(never)]
    fn learn_from_cut(&mut self, n: &Keyed<G>, node: &Node, failed: Range<usize>) {
        let (failed, side) = (&self.own.moves.list[failed], n.position.turn().index());
        self.own.history.learn(self.setup.ordering, node.best, failed, side, node.ply, history::bonus(node.depth));
    }

    /// Gives back the room on the list; at the root, names the move that was best.
    #[inline(always)]
    pub(crate) fn give_back(&mut self, node: &Node, children: &Cursor<G>, g: Value) {
        if node.ply == 0 {
            let proved = g > node.window.low;
            self.name_root_move(if proved { node.best } else { NO_MOVE }, children.first..children.end);
        }
        self.own.moves.list.truncate(children.first);
    }

    #[cold]
    fn name_root_move(&mut self, code: u16, at: Range<usize>) {
        self.own.root_move = self.own.moves.list[at].iter().find(|ranked| ranked.code == code).copied();
    }
}

/// The key of the position after a move, by whichever way there is.
#[inline(always)]
fn key_after<G: Game>(n: &G, m: G::Move) -> u64 {
    n.key_after(m).unwrap_or_else(|| n.play(m).key())
}

/// Whether there are more moves than codes for them.
#[cold]
fn too_many<G: Game>(n: &G, moves: &[Ranked<G::Move>]) -> bool {
    moves.len() >= usize::from(NO_MOVE) || moves.last().is_some_and(|last| n.code(last.m, moves.len() - 1) == NO_MOVE)
}

/// Where the best stands, the first of equals.
#[inline(always)]
pub(super) fn best<M>(moves: &[Ranked<M>]) -> usize {
    let (mut best, mut rank) = (0, i32::MIN);
    for (at, ranked) in moves.iter().enumerate() {
        if ranked.rank > rank {
            (best, rank) = (at, ranked.rank);
        }
    }
    best
}

/// Moves one to the front; the others keep their order.
#[inline(always)]
pub(super) fn bring_to_front<M: Copy>(moves: &mut [Ranked<M>], at: usize) {
    if let Some(&moved) = moves.get(at) {
        for to in (0..at).rev() {
            moves[to + 1] = moves[to];
        }
        moves[0] = moved;
    }
}

/// Best first; equals keep their order. The lists are short.
#[inline(always)]
pub(super) fn sort<M: Copy>(moves: &mut [Ranked<M>]) {
    for at in 1..moves.len() {
        let moved = moves[at];
        let mut to = at;
        while to > 0 && moves[to - 1].rank < moved.rank {
            moves[to] = moves[to - 1];
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

    /// As little of a game as there can be.
    #[derive(Clone, Hash)]
    struct Still;

    impl Game for Still {
        type Move = u8;
        fn turn(&self) -> Side {
            Side::First
        }
        fn moves(&self, _: &mut Moves<u8>) {}
        fn play(&self, _: u8) -> Still {
            Still
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
    }

    #[test]
    fn a_child_that_is_taken_back_is_asked_again() {
        let (_, edge) = child(&Still, Ranked { rank: 3, code: 7, m: 5 }, false);
        let mut children = Cursor::<Still> { tried: 1, ..Cursor::new(0) };
        assert!(children.take_back(&edge).is_none());
        assert_eq!((children.early, children.tried), (Some(5), 0));
        let mut children = Cursor::<Still> { tried: 4, stage: Stage::Sorted, ..Cursor::new(0) };
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
