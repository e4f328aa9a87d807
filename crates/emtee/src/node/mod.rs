//! A visit to a node: retrieve, children, evaluate, store. All algorithms share these steps, so that a comparison of two of
//! them compares nothing else.

mod cursor;
mod edge;
mod leaf;

pub(crate) use cursor::Cursor;
pub(crate) use edge::{Child, Edge, Keyed, child};

use crate::game::{Evaluate, Game, Outcome};
use crate::limits::Stopped;
use crate::memory::table::{Entry, NO_MOVE};
use crate::observer::{End, Observer, Visit};
use crate::run::{Setup, Thread};
use crate::value::{Bounds, Value, Window};

/// A thread in a search: what all threads read, what the thread owns, and the observer.
pub(crate) struct Worker<'w, G: Game, E, O> {
    pub(crate) setup: Setup<'w, E>,
    pub(crate) own: &'w mut Thread<G::Move>,
    pub(crate) observer: &'w mut O,
}

/// A node being visited.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) depth: u8,
    /// The distance from the root.
    pub(crate) ply: u8,
    pub(crate) window: Window,
    /// The bounds known on its value.
    pub(crate) f: Bounds,
    /// The code of the best move found in this visit.
    pub(crate) best: u16,
    /// The code of the table's move.
    pub(crate) table_move: u16,
    /// The outcome, if the game is over here.
    pub(crate) ended: Option<Outcome>,
    /// Whether its value depends on the path to it, in play.
    pub(crate) by_path: bool,
    /// The thread's `estimated` flag before this visit.
    estimated_before: bool,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Begins a visit, without the table. The caller sets the `estimated` flag.
    #[inline(always)]
    pub(crate) fn begin(&mut self, n: &Keyed<G>, depth: u8, ply: u8, window: Window) -> Result<Node, Stopped> {
        self.count_visit()?;
        self.observer.enter(&n.position, depth, window);
        let estimated_before = self.own.estimated;
        let (f, best, table_move, ended) = (Bounds::UNKNOWN, NO_MOVE, NO_MOVE, None);
        Ok(Node { depth, ply, window, f, best, table_move, ended, by_path: false, estimated_before })
    }

    /// *retrieve*: begins a visit and looks up the table. `HORIZON` is true if the depth is 0.
    #[inline(always)]
    pub(crate) fn retrieve<const HORIZON: bool>(
        &mut self,
        n: &Keyed<G>,
        depth: u8,
        ply: u8,
        window: Window,
    ) -> Result<Node, Stopped> {
        let node = self.begin(n, depth, ply, window)?;
        let ended = if self.own.path.is_some() { self.ends_by_path(n, ply) } else { None };
        if ended.is_some() || HORIZON && !self.setup.store_leaves {
            self.own.estimated = ended.is_some();
            return Ok(Node { ended, by_path: ended.is_some(), ..node });
        }
        let mut entry = self.setup.table.retrieve(n.key, depth);
        if !HORIZON && ply == 0 {
            entry = entry.move_only();
        } else if !HORIZON && let Some(known) = self.setup.evaluator.known(&n.position) {
            entry.f.lower = entry.f.lower.max(known.lower);
            entry.f.upper = entry.f.upper.min(known.upper);
            // Bounds that are not equal leave the value to the evaluation.
            entry.estimated |= known.exact().is_none();
        }
        self.own.estimated = entry.estimated;
        Ok(Node { f: entry.f, table_move: entry.best, ..node })
    }

    /// The outcome by repetition or by the halfmove clock, if the game ends so here.
    #[inline(never)]
    fn ends_by_path(&mut self, n: &Keyed<G>, ply: u8) -> Option<Outcome> {
        let own = &mut *self.own;
        let (path, halfmove_clock) = (own.path.as_mut()?, n.position.halfmove_clock()?);
        path.decided = false;
        let outcome = path.visit(n, halfmove_clock, ply)?;
        if n.position.outcome().is_some() {
            return None;
        }
        // Having no move takes precedence: a checkmate by the last move counted is a loss, not a draw.
        let first = own.moves.list.len();
        n.position.moves(&mut own.moves);
        let stuck = own.moves.list.len() == first;
        own.moves.list.truncate(first);
        (!stuck).then_some(outcome)
    }

    /// Ends a visit whose window the table's bounds answer.
    #[inline(always)]
    pub(crate) fn answer(&mut self, n: &Keyed<G>, node: &Node, g: Value) -> Value {
        self.own.tally.counts.table_answers += 1;
        if let Some(path) = &mut self.own.path {
            path.decided = false;
        }
        self.end_visit(n, node, g, End::Answered);
        g
    }

    /// Figure 1's `n = leaf`: the end of the game, by its rules or by the path, or the horizon.
    #[inline(always)]
    pub(crate) fn is_leaf<const HORIZON: bool>(&mut self, n: &Keyed<G>, node: &mut Node) -> bool {
        if node.ended.is_none() {
            node.ended = n.position.outcome();
        }
        HORIZON || node.ended.is_some()
    }

    /// A cursor over the children of a node; `None` for a leaf.
    #[inline(always)]
    pub(crate) fn children<const HORIZON: bool>(&mut self, n: &Keyed<G>, node: &mut Node) -> Option<Cursor<G>> {
        if self.is_leaf::<HORIZON>(n, node) {
            return None;
        }
        // Only cut nodes with at least two moves are counted, so the number of moves must be known.
        let early = self.may_try_early(node) && n.position.has_choice();
        self.expand(n, node, early)
    }

    /// Whether the table's move may be tried before moves are generated: it is ordered first, and no enhanced transposition
    /// cutoff needs the list.
    #[inline(always)]
    pub(crate) fn may_try_early(&self, node: &Node) -> bool {
        node.table_move != NO_MOVE && self.setup.ordering.table_move && node.depth < self.setup.etc
    }

    /// Ends a visit, without the table: counts it.
    #[inline(always)]
    pub(crate) fn finish(&mut self, n: &Keyed<G>, node: &Node, g: Value, end: End) {
        match end {
            End::Expanded => self.own.tally.counts.interior += 1,
            _ => self.own.tally.counts.nbp += 1,
        }
        self.end_visit(n, node, g, end);
    }

    /// *store*: ends a visit. Counts it, and stores its bounds unless they depend on the path.
    #[inline(always)]
    pub(crate) fn store(&mut self, n: &Keyed<G>, node: &Node, g: Value, end: End) {
        // A fail-high depends on one child alone; any other value depends on all children.
        let all_decide = node.by_path && (end != End::Expanded || g < node.window.high);
        let by_path = self.own.path.as_mut().is_some_and(|path| {
            path.decided |= all_decide;
            path.decided
        });
        if !by_path && (end == End::Expanded || self.setup.store_leaves) {
            self.write_entry(n, node, g);
        }
        self.finish(n, node, g, end);
    }

    /// Writes the bounds of a node to the table; `g` is the newest of them.
    #[inline(always)]
    pub(crate) fn write_entry(&mut self, n: &Keyed<G>, node: &Node, g: Value) {
        if node.ply == 0 && !self.setup.excluded.is_empty() {
            return; // The value of some of the moves, not of the position.
        }
        // A visit that fails low has no best move: the table's move stays.
        let best = if g > node.window.low { node.best } else { node.table_move };
        let entry = Entry { f: node.f, best, estimated: self.own.estimated };
        self.setup.table.store(n.key, node.depth, entry, g);
    }

    #[inline(always)]
    fn end_visit(&mut self, n: &Keyed<G>, node: &Node, g: Value, end: End) {
        self.own.estimated |= node.estimated_before;
        let &Node { depth, window, f, .. } = node;
        self.observer.leave(&n.position, &Visit { depth, window, g, f, end });
    }
}
