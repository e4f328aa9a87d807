//! The moves of a node, in the order they are tried. Nothing is listed or sorted before it is asked for.

use super::{Child, Node, Place, Worker};
use crate::error::Error;
use crate::game::{Evaluate, Game, Ranked};
use crate::memory::history;
use crate::memory::table::NO_MOVE;
use crate::observer::Observer;
use crate::value::Value;

/// How far the moves of a node have been tried. They stand on the thread's list from `first` to `end`.
pub(crate) struct Cursor<G: Game> {
    pub(crate) first: usize,
    pub(crate) next: usize,
    pub(crate) end: usize,
    /// How many children have been handed out.
    pub(crate) tried: usize,
    /// How many of those put off, which stand behind `end`, have been taken up again.
    pub(crate) taken_up: usize,
    /// The table's move, to be tried before the others are listed.
    early: Option<G::Move>,
    listed: bool,
    /// Whether the moves stand in the order they are to be tried.
    sorted: bool,
    /// The child after the one being searched, made early so that its table entry is there in time.
    ahead: Option<Child<G>>,
}

impl<G: Game> Cursor<G> {
    /// Moves that are on the list already, in no order, or that are to be put there.
    #[inline(always)]
    pub(crate) fn new(first: usize, end: usize, listed: bool) -> Cursor<G> {
        Cursor { first, next: first, end, tried: 0, taken_up: 0, early: None, listed, sorted: false, ahead: None }
    }

    /// Whether there is more than one move. The table's move is tried early only where that is known.
    #[inline(always)]
    fn has_choice(&self) -> bool {
        !self.listed || self.end - self.first >= 2
    }

    /// The first child was searched and did not come to an answer: it is still to be asked.
    #[cfg(feature = "std")]
    pub(crate) fn take_back(&mut self, c: &Child<G>) -> Option<Ranked<G::Move>> {
        self.tried -= 1;
        if self.listed {
            return Some(c.ranked());
        }
        self.early = Some(c.m);
        None
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The moves of a node that is no leaf; nothing if there are none. The table's move comes first, before the others are
    /// listed, where the game can tell what it is (`early`).
    #[inline(always)]
    pub(crate) fn expand(&mut self, n: &Place<G>, node: &mut Node, early: bool) -> Option<Cursor<G>> {
        let first = self.own.moves.list.len();
        let mut children = Cursor::new(first, first, false);
        if early && node.table_move != NO_MOVE && node.ply > 0 {
            children.early = n.position.recall(node.table_move);
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

    /// Lists the moves and ranks them: the hint counts first, then killers, then history. The table's move goes to the front.
    #[inline(always)]
    fn list(&mut self, n: &Place<G>, node: &Node, children: &mut Cursor<G>) {
        let (by, own) = (self.setup.ordering, &mut *self.own);
        n.position.moves(&mut own.moves);
        let moves = &mut own.moves.list[children.first..];
        let table_move = if by.table_move { node.table_move } else { NO_MOVE };
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
            let side = n.position.turn().index();
            for (index, ranked) in moves.iter_mut().enumerate() {
                let code = n.position.code(ranked.m, index);
                take(index, ranked, code, ranked.rank * hint + own.history.rank(by, code, side, node.ply));
            }
        } else {
            for (index, ranked) in moves.iter_mut().enumerate() {
                let code = n.position.code(ranked.m, index);
                take(index, ranked, code, ranked.rank * hint);
            }
        }
        if let Some(at) = from_table {
            moves[at].rank = i32::MAX;
            bring_to_front(moves, at);
        }
        children.end = children.first + moves.len();
        children.listed = true;
        children.sorted = sorted;
        if moves.len() >= usize::from(NO_MOVE) {
            self.refuse_moves(children);
        }
        if node.ply == 0 && !self.setup.excluded.is_empty() {
            self.exclude(children);
        }
    }

    #[cold]
    fn refuse_moves(&mut self, children: &mut Cursor<G>) {
        self.own.fault.get_or_insert(Error::TooManyMoves { moves: children.end - children.first });
        self.own.moves.list.truncate(children.first + 1);
        children.end = children.first + 1;
    }

    /// Takes out the root moves that are not to be looked at.
    #[cold]
    fn exclude(&mut self, children: &mut Cursor<G>) {
        let list = &mut self.own.moves.list;
        let mut kept = children.first;
        for at in children.first..children.end {
            if !self.setup.excluded.contains(&list[at].code) {
                list[kept] = list[at];
                kept += 1;
            }
        }
        list.truncate(kept);
        children.end = kept;
    }

    /// The next child, best-ranked first; equals in the order the game listed them. `look_ahead` makes the one after it too.
    #[inline(always)]
    pub(crate) fn next_child(
        &mut self,
        n: &Place<G>,
        node: &mut Node,
        children: &mut Cursor<G>,
        look_ahead: bool,
    ) -> Option<Child<G>> {
        if let Some(path) = &mut self.own.path {
            // The child before this one has not decided the matter, but had its say.
            node.by_path |= core::mem::take(&mut path.decided);
        }
        let child = match children.ahead.take() {
            Some(child) => child,
            None => self.make_child(n, node, children)?,
        };
        // Most nodes that fail high do so at once: looking ahead pays from the second child on.
        if look_ahead && children.tried > 0 && (node.depth > 1 || self.setup.store_leaves) {
            children.ahead = self.make_child(n, node, children);
            if let Some(ahead) = &children.ahead {
                self.setup.table.expect(ahead.place.key);
            }
        }
        children.tried += 1;
        Some(child)
    }

    #[inline(always)]
    fn make_child(&mut self, n: &Place<G>, node: &Node, children: &mut Cursor<G>) -> Option<Child<G>> {
        let Ranked { m, code, rank } = self.next_move(n, node, children)?;
        Some(Child::new(&n.position, m, code, rank, node.depth > 1 || self.setup.leaf_keys))
    }

    #[inline(always)]
    fn next_move(&mut self, n: &Place<G>, node: &Node, children: &mut Cursor<G>) -> Option<Ranked<G::Move>> {
        if let Some(m) = children.early.take() {
            return Some(Ranked { m, code: node.table_move, rank: i32::MAX });
        }
        if !children.listed {
            self.list(n, node, children);
            // The table's move stands at the front, and was tried.
            children.next += 1;
        }
        self.pick(children)
    }

    /// The best move that is left: the first is searched for, and when it was not enough the others are sorted.
    #[inline(always)]
    pub(crate) fn pick(&mut self, children: &mut Cursor<G>) -> Option<Ranked<G::Move>> {
        let moves = &mut self.own.moves.list[children.next..children.end];
        if !children.sorted {
            children.sorted = children.next > children.first;
            if children.sorted { sort(moves) } else { bring_best_to_front(moves) }
        }
        let ranked = *moves.first()?;
        children.next += 1;
        Some(ranked)
    }

    /// Enhanced transposition cutoffs: a child that the table already knows to be good enough ends the visit. Returns the
    /// g to start from, −∞ where there is none.
    #[inline(always)]
    pub(crate) fn enhanced_cutoff(&mut self, n: &Place<G>, node: &mut Node, children: &Cursor<G>) -> Value {
        if node.depth >= self.setup.etc { self.look_at_children(n, node, children) } else { Value::NEG_INFINITY }
    }

    #[inline(never)]
    fn look_at_children(&mut self, n: &Place<G>, node: &mut Node, children: &Cursor<G>) -> Value {
        for at in children.first..children.end {
            let Ranked { m, code, rank } = self.own.moves.list[at];
            let c = Child::new(&n.position, m, code, rank, true);
            let entry = self.setup.table.retrieve(c.place.key, node.depth - 1);
            let g = c.back_bounds(entry.f).lower;
            if g > node.window.high {
                self.own.estimated |= entry.estimated;
                self.own.tally.counts.enhanced_cuts += 1;
                node.best = code;
                return g;
            }
        }
        Value::NEG_INFINITY
    }

    /// A node is done: counts a cut and learns from it, and gives back the room on the list. Where moves were put off
    /// (`in_order` is false), nobody knows which ones failed before the one that cut.
    #[inline(always)]
    pub(crate) fn close(&mut self, n: &Place<G>, node: &Node, children: &Cursor<G>, g: Value, in_order: bool) {
        if g > node.window.high && children.tried > 0 && children.has_choice() {
            self.own.tally.cut(node.depth, children.tried as u64);
            if self.setup.learning {
                let failed = if children.listed && in_order { children.tried - 1 } else { 0 };
                let failed = &self.own.moves.list[children.first..children.first + failed];
                let (side, bonus) = (n.position.turn().index(), history::bonus(node.depth));
                self.own.history.learn(self.setup.ordering, node.best, failed, side, node.ply, bonus);
            }
        }
        self.give_back(node, children, g);
    }

    /// Gives back the room on the list; at the root, names the move that was best.
    #[inline(always)]
    pub(crate) fn give_back(&mut self, node: &Node, children: &Cursor<G>, g: Value) {
        if node.ply == 0 {
            self.name_root_move(node, children, g);
        }
        self.own.moves.list.truncate(children.first);
    }

    #[cold]
    fn name_root_move(&mut self, node: &Node, children: &Cursor<G>, g: Value) {
        let best = self.own.moves.list[children.first..children.end].iter().find(|ranked| ranked.code == node.best);
        self.own.root_move = best.filter(|_| g > node.window.low).copied();
    }
}

/// One step of a sort that is rarely finished: most nodes need their first move alone. Equals keep their order.
#[inline(always)]
fn bring_best_to_front<M: Copy>(moves: &mut [Ranked<M>]) {
    let mut best = 0;
    for at in 1..moves.len() {
        if moves[at].rank > moves[best].rank {
            best = at;
        }
    }
    bring_to_front(moves, best);
}

/// Moves one to the front; the others keep their order.
#[inline(always)]
fn bring_to_front<M: Copy>(moves: &mut [Ranked<M>], at: usize) {
    if let Some(&moved) = moves.get(at) {
        for to in (0..at).rev() {
            moves[to + 1] = moves[to];
        }
        moves[0] = moved;
    }
}

/// Best first; equals keep their order. The lists are short.
#[inline(always)]
fn sort<M: Copy>(moves: &mut [Ranked<M>]) {
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
    use alloc::vec::Vec;

    #[test]
    fn equals_keep_their_order() {
        let list = |ranks: &[i32]| -> Vec<Ranked<usize>> {
            ranks.iter().enumerate().map(|(m, &rank)| Ranked { rank, code: 0, m }).collect()
        };
        let order = |moves: &[Ranked<usize>]| moves.iter().map(|ranked| ranked.m).collect::<Vec<_>>();
        let mut moves = list(&[0, 3, 1, 3, 2, 1]);
        bring_best_to_front(&mut moves);
        assert_eq!(order(&moves), [1, 0, 2, 3, 4, 5]);
        sort(&mut moves[1..]);
        assert_eq!(order(&moves), [1, 3, 4, 2, 5, 0]);
        bring_to_front(&mut moves, 3);
        assert_eq!(order(&moves), [2, 1, 3, 4, 5, 0]);
        sort(&mut [] as &mut [Ranked<()>]);
        bring_best_to_front(&mut [] as &mut [Ranked<()>]);
    }
}
