//! The hands of every search: retrieve, children, evaluate, store. MT and the baselines share them, so that comparing two
//! algorithms compares nothing else.

use crate::error::Error;
use crate::game::{Evaluate, Game, Liveliness, Moves, Outcome, Ranked};
use crate::limits::{Limits, Stopped};
use crate::line::Line;
use crate::observer::{End, Observer, Visit};
use crate::ordering::{Memory, Ordering};
use crate::selective::Sieve;
use crate::stats::Tally;
use crate::table::{NO_MOVE, Table};
use crate::threads::{Hand, Open, Team};
use crate::value::{Bounds, Gamma, Value, Window};

/// One search at work. Everything it touches is handed to it.
#[cfg_attr(not(feature = "std"), allow(dead_code))]
pub(crate) struct Worker<'s, G: Game, E, O> {
    pub(crate) evaluator: &'s E,
    pub(crate) table: &'s Table,
    pub(crate) moves: &'s mut Moves<G::Move>,
    pub(crate) memory: &'s mut Memory,
    pub(crate) tally: &'s mut Tally,
    pub(crate) limits: Limits<'s>,
    pub(crate) observer: &'s mut O,
    pub(crate) ordering: Ordering,
    /// Whether leaves go through the table as well.
    pub(crate) store_leaves: bool,
    /// The least depth at which children are looked up before they are searched.
    pub(crate) etc: Option<u8>,
    /// The depth of the root: a node this deep is the root, and is always expanded so that it names a move.
    pub(crate) horizon: u8,
    /// Root moves left out, by code, to find the next best.
    pub(crate) excluded: &'s [u16],
    /// Whether killers and history are kept.
    pub(crate) learning: bool,
    /// What selective search leaves out, and what it remembers to choose by.
    pub(crate) sieve: &'s mut Sieve,
    /// The game so far, in play.
    pub(crate) line: Option<Line<'s>>,
    /// The move that decided the last visit to the root.
    pub(crate) root_move: Option<RootMove<G::Move>>,
    /// Whether any value rests on an evaluation rather than on the game's end.
    pub(crate) estimated: bool,
    /// The first rule that the game broke.
    pub(crate) fault: Option<Error>,
    /// The helpers, and what they share.
    pub(crate) hands: &'s mut [Hand<G::Move>],
    pub(crate) team: Option<&'s Team>,
    /// Whether the questions to come are large enough for more than one thread.
    pub(crate) large: bool,
    /// Whether the others are at work on the same question, and what this thread has open.
    pub(crate) shared: bool,
    pub(crate) open: Open,
    /// Which thread this is, from 0.
    pub(crate) number: usize,
}

/// A move at the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootMove<M> {
    pub(crate) m: M,
    pub(crate) code: u16,
}

/// A node being visited.
pub(crate) struct Node<G: Game> {
    pub(crate) key: u64,
    pub(crate) depth: u8,
    /// Its distance from the root.
    pub(crate) ply: u8,
    pub(crate) window: Window,
    /// What is known of its value.
    pub(crate) f: Bounds,
    /// Whether the table learned it in this iteration.
    pub(crate) fresh: bool,
    /// The code of the best move found in this visit.
    pub(crate) best: u16,
    pub(crate) table_move: u16,
    /// Whether its value rests on the path to it, in play.
    pub(crate) by_path: bool,
    pub(crate) kind: NodeKind,
    pub(crate) first: usize,
    pub(crate) next: usize,
    pub(crate) end: usize,
    /// Whether the moves stand in the order they are to be tried.
    pub(crate) sorted: bool,
    /// The child after the one being searched, made early so that its table entry is there in time.
    pub(crate) ahead: Option<Child<G>>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum NodeKind {
    Interior,
    Horizon,
    Ended(Outcome),
}

impl<G: Game> Node<G> {
    #[inline(always)]
    pub(crate) fn new(depth: u8, ply: u8, window: Window) -> Node<G> {
        Node {
            key: 0,
            depth,
            ply,
            window,
            f: Bounds::UNKNOWN,
            fresh: true,
            best: NO_MOVE,
            table_move: NO_MOVE,
            by_path: false,
            kind: NodeKind::Interior,
            first: 0,
            next: 0,
            end: 0,
            sorted: false,
            ahead: None,
        }
    }
}

/// A child of a node, with its place in the family.
pub(crate) struct Child<G: Game> {
    pub(crate) position: G,
    pub(crate) code: u16,
    again: bool,
}

impl<G: Game> Child<G> {
    #[inline(always)]
    pub(crate) fn new(n: &G, m: G::Move, code: u16) -> Child<G> {
        Child::reached(n, n.play(m), code)
    }

    /// A position that was reached from n in one step.
    #[inline(always)]
    pub(crate) fn reached(n: &G, position: G, code: u16) -> Child<G> {
        let again = position.turn() == n.turn();
        Child { position, code, again }
    }

    /// The question γ at the parent, as the child must be asked it.
    #[inline(always)]
    pub(crate) fn ask(&self, gamma: Gamma) -> Gamma {
        if self.again { gamma.pre() } else { -gamma.pre() }
    }

    /// The window at the parent, as the child sees it.
    pub(crate) fn ask_window(&self, window: Window) -> Window {
        let (low, high) = (self.ask(window.low), self.ask(window.high));
        if self.again { Window { low, high } } else { Window { low: high, high: low } }
    }

    /// The child's value, as the parent sees it.
    #[inline(always)]
    pub(crate) fn back(&self, value: Value) -> Value {
        if self.again { value.age() } else { -value.age() }
    }

    /// The child's bounds, as the parent sees them.
    pub(crate) fn back_bounds(&self, f: Bounds) -> Bounds {
        let (lower, upper) = (self.back(f.lower), self.back(f.upper));
        if self.again { Bounds { lower, upper } } else { Bounds { lower: upper, upper: lower } }
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Begins a visit, without memory.
    #[inline(always)]
    pub(crate) fn begin(&mut self, n: &G, depth: u8, window: Window) -> Result<Node<G>, Stopped> {
        self.limits.visit()?;
        self.observer.enter(n, depth, window);
        Ok(Node::new(depth, self.horizon.saturating_sub(depth), window))
    }

    /// Begins a visit: what does the table know?
    #[inline(always)]
    pub(crate) fn retrieve(&mut self, n: &G, depth: u8, window: Window) -> Result<Node<G>, Stopped> {
        let node = self.begin(n, depth, window)?;
        Ok(self.look_up(n, node))
    }

    /// What the table knows of a node.
    #[inline(always)]
    pub(crate) fn look_up(&mut self, n: &G, mut node: Node<G>) -> Node<G> {
        let depth = node.depth;
        if self.line.is_some() && self.recurs(n, &mut node) {
            return node;
        }
        if depth == 0 && !self.store_leaves {
            return node;
        }
        node.key = n.key();
        let entry = self.table.retrieve(node.key, depth);
        node.table_move = entry.best;
        node.fresh = entry.fresh;
        if node.ply != 0 {
            node.f = entry.f;
            if depth > 0
                && let Some(known) = self.evaluator.known(n)
            {
                node.f.lower = node.f.lower.max(known.lower);
                node.f.upper = node.f.upper.min(known.upper);
                // Between the bounds it is the evaluation that decides.
                node.fresh &= known.exact().is_some();
            }
        }
        node
    }

    /// Whether the game ends here by what came before.
    fn recurs(&mut self, n: &G, node: &mut Node<G>) -> bool {
        let (Some(line), Some(reversible)) = (&mut self.line, n.reversible()) else { return false };
        line.decided = false;
        let Some(outcome) = line.visit(n, reversible, node.ply) else { return false };
        if n.outcome().is_some() {
            return false;
        }
        // Who is mated on the last move counted has lost.
        let first = self.moves.list.len();
        n.moves(self.moves);
        let stuck = self.moves.list.len() == first;
        self.moves.list.truncate(first);
        if !stuck {
            node.kind = NodeKind::Ended(outcome);
            node.by_path = true;
            self.estimated = true;
        }
        !stuck
    }

    /// Ends a visit with what the table knew.
    #[inline(always)]
    pub(crate) fn answer(&mut self, n: &G, node: &Node<G>, g: Value) -> Value {
        self.tally.counts.table_answers += 1;
        if let Some(line) = &mut self.line {
            line.decided = false;
        }
        self.estimated |= !node.fresh;
        self.leave(n, node, g, End::Answered);
        g
    }

    /// `n = leaf`: the game's end, the horizon, or no move to make. Otherwise the moves are listed and ranked.
    #[inline(always)]
    pub(crate) fn is_leaf(&mut self, n: &G, node: &mut Node<G>) -> bool {
        if let Some(outcome) = n.outcome() {
            node.kind = NodeKind::Ended(outcome);
            return true;
        }
        if node.kind != NodeKind::Interior {
            return true; // It recurs.
        }
        if node.depth == 0 {
            node.kind = NodeKind::Horizon;
            return true;
        }
        node.first = self.moves.list.len();
        n.moves(self.moves);
        node.next = node.first;
        node.end = self.moves.list.len();
        let moves = &mut self.moves.list[node.first..];
        node.sorted = self.memory.rank(n, moves, self.ordering, node.table_move, node.ply);
        if moves.len() >= usize::from(NO_MOVE) {
            self.refuse_moves(node);
        }
        if node.ply == 0 && !self.excluded.is_empty() {
            self.exclude(node);
        }
        if node.first == node.end {
            node.kind = NodeKind::Ended(n.stuck());
            return true;
        }
        false
    }

    #[cold]
    pub(crate) fn refuse_moves(&mut self, node: &mut Node<G>) {
        self.fault.get_or_insert(Error::TooManyMoves { moves: node.end - node.first });
        self.moves.list.truncate(node.first + 1);
        node.end = node.first + 1;
    }

    #[cold]
    pub(crate) fn exclude(&mut self, node: &mut Node<G>) {
        let mut kept = node.first;
        for at in node.first..node.end {
            if !self.excluded.contains(&self.moves.list[at].code) {
                self.moves.list[kept] = self.moves.list[at];
                kept += 1;
            }
        }
        self.moves.list.truncate(kept);
        node.end = kept;
    }

    /// The next child, best-ranked first; equals in the order the game listed them.
    #[inline(always)]
    pub(crate) fn next_child(&mut self, n: &G, node: &mut Node<G>) -> Option<Child<G>> {
        if let Some(line) = &mut self.line {
            // The child before this one has not decided the matter, but had its say.
            node.by_path |= core::mem::take(&mut line.decided);
        }
        let first = node.next == node.first;
        let child = match node.ahead.take() {
            Some(child) => child,
            None => self.make_child(n, node)?,
        };
        // Most nodes that fail high do so at once: looking ahead pays from the second child on.
        if !first && (node.depth > 1 || self.store_leaves) {
            node.ahead = self.make_child(n, node);
            if let Some(ahead) = &node.ahead {
                self.table.expect(ahead.position.key());
            }
        }
        Some(child)
    }

    #[inline(always)]
    fn make_child(&mut self, n: &G, node: &mut Node<G>) -> Option<Child<G>> {
        let (m, code) = self.next_move(node)?;
        Some(Child::new(n, m, code))
    }

    /// The next move, and its code.
    #[inline(always)]
    pub(crate) fn next_move(&mut self, node: &mut Node<G>) -> Option<(G::Move, u16)> {
        let moves = &mut self.moves.list[node.next..node.end];
        if !node.sorted {
            bring_best_to_front(moves);
        }
        let ranked = moves.first()?;
        node.next += 1;
        Some((ranked.m, ranked.code))
    }

    /// Enhanced transposition cutoffs: a child that the table already knows to be good enough ends the visit. Returns the
    /// g to start from, −∞ where there is none.
    #[inline(always)]
    pub(crate) fn enhanced_cutoff(&mut self, n: &G, node: &mut Node<G>) -> Value {
        match self.etc {
            Some(least) if node.depth >= least => self.look_at_children(n, node),
            _ => Value::NEG_INFINITY,
        }
    }

    fn look_at_children(&mut self, n: &G, node: &mut Node<G>) -> Value {
        for at in node.first..node.end {
            let ranked = self.moves.list[at];
            let c = Child::new(n, ranked.m, ranked.code);
            let entry = self.table.retrieve(c.position.key(), node.depth - 1);
            let g = c.back_bounds(entry.f).lower;
            if g > node.window.high {
                self.estimated |= !entry.fresh;
                node.best = ranked.code;
                return g;
            }
        }
        Value::NEG_INFINITY
    }

    /// The value of a leaf, and what it proves.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, n: &G, node: &mut Node<G>) -> Result<Value, Stopped> {
        let (g, f) = self.leaf_value(n, node.kind, node.window)?;
        node.f = f;
        Ok(g)
    }

    pub(crate) fn leaf_value(&mut self, n: &G, kind: NodeKind, window: Window) -> Result<(Value, Bounds), Stopped> {
        match kind {
            NodeKind::Ended(outcome) => {
                let value = self.value_of(outcome);
                Ok((value, Bounds::exactly(value)))
            }
            _ => {
                self.estimated = true;
                self.settle(n, window)
            }
        }
    }

    /// The value at the horizon: the static evaluation, once everything loud is played out. Its bounds are exact where
    /// nothing was.
    pub(crate) fn settle(&mut self, n: &G, window: Window) -> Result<(Value, Bounds), Stopped> {
        let first = self.moves.list.len();
        let liveliness = n.loud(self.moves);
        let end = self.moves.list.len();
        let mut g = match liveliness {
            Liveliness::Quiet => {
                self.moves.list.truncate(first);
                let value = self.static_value(n);
                return Ok((value, Bounds::exactly(value)));
            }
            Liveliness::Optional => self.static_value(n),
            Liveliness::Forced if first == end => self.value_of(n.stuck()),
            Liveliness::Forced => Value::NEG_INFINITY,
        };
        let mut node = Node { first, next: first, end, ..Node::new(0, 0, window) };
        while g < window.high
            && let Some(c) = self.make_child(n, &mut node)
        {
            let asked = Window { low: window.low.max(Gamma::above(g)), high: window.high };
            g = g.max(c.back(self.quiet(&c.position, c.ask_window(asked))?));
        }
        self.moves.list.truncate(first);
        Ok((g, window.proves(g)))
    }

    /// A position below the horizon.
    fn quiet(&mut self, n: &G, window: Window) -> Result<Value, Stopped> {
        self.limits.visit_quiet()?;
        self.tally.counts.quiet_nodes += 1;
        match n.outcome() {
            Some(outcome) => Ok(self.value_of(outcome)),
            None => Ok(self.settle(n, window)?.0),
        }
    }

    #[inline(always)]
    pub(crate) fn static_value(&mut self, n: &G) -> Value {
        let score = self.evaluator.evaluate(n);
        self.score(score)
    }

    pub(crate) fn value_of(&mut self, outcome: Outcome) -> Value {
        match outcome {
            Outcome::Won => Value::win_in(0),
            Outcome::Lost => Value::loss_in(0),
            Outcome::Drawn => Value::default(),
            Outcome::Points(points) => self.score(points),
        }
    }

    #[inline(always)]
    fn score(&mut self, score: i32) -> Value {
        Value::score(score).unwrap_or_else(|| {
            self.fault.get_or_insert(Error::EvaluationOutOfRange { value: score });
            Value::default()
        })
    }

    /// Ends a visit, without memory: counts it.
    #[inline(always)]
    pub(crate) fn finish(&mut self, n: &G, node: &Node<G>, g: Value) {
        if node.kind == NodeKind::Interior {
            self.tally.counts.interior += 1;
            if node.ply == 0 {
                self.name_root_move(node, g);
            }
            self.moves.list.truncate(node.first);
            self.leave(n, node, g, End::Expanded);
        } else {
            self.tally.counts.nbp += 1;
            self.leave(n, node, g, End::Evaluated);
        }
    }

    /// Ends a visit: counts it, learns from it and remembers it.
    #[inline(always)]
    pub(crate) fn store(&mut self, n: &G, node: &Node<G>, g: Value) {
        if g > node.window.high && node.kind == NodeKind::Interior {
            self.cut(n, node);
        }
        self.file(n, node, g);
    }

    /// Ends a visit that has been learned from: counts it and remembers it.
    #[inline(always)]
    pub(crate) fn file(&mut self, n: &G, node: &Node<G>, g: Value) {
        self.finish(n, node, g);
        let by_path = self.line.is_some() && self.rests_on_path(node, g);
        if !by_path && (self.store_leaves || node.kind == NodeKind::Interior) {
            self.remember(node, g);
        }
    }

    /// Whether the value rests on what came before the position, and so is no fact about it.
    fn rests_on_path(&mut self, node: &Node<G>, g: Value) -> bool {
        let Some(line) = &mut self.line else { return false };
        // A child that fails high decides alone; otherwise all had their say.
        if node.kind != NodeKind::Interior || g < node.window.high {
            line.decided |= node.by_path;
        }
        line.decided
    }

    /// Tells the table what is known of a node, `g` being the news.
    #[inline(always)]
    pub(crate) fn remember(&mut self, node: &Node<G>, g: Value) {
        if node.ply == 0 && !self.excluded.is_empty() {
            return; // This was the value of some of the moves, not of the position.
        }
        // A fail-low visit proves no move good: the one known before, if any, stays.
        let best = if g > node.window.low { node.best } else { node.table_move };
        self.table.store(node.key, node.depth, node.f, g, best);
    }

    #[inline(always)]
    fn cut(&mut self, n: &G, node: &Node<G>) {
        let tried = node.next - node.first - usize::from(node.ahead.is_some());
        if tried == 0 {
            self.tally.counts.enhanced_cuts += 1;
        } else if node.end - node.first >= 2 {
            self.tally.cut(node.depth, tried as u64);
            if self.learning {
                let moves = &self.moves.list[node.first..node.first + tried];
                self.memory.learn(self.ordering, moves, n.turn(), node.ply, node.depth);
            }
        }
    }

    #[cold]
    fn name_root_move(&mut self, node: &Node<G>, g: Value) {
        self.root_move = None;
        if g > node.window.low {
            let best = self.moves.list[node.first..node.end].iter().find(|ranked| ranked.code == node.best);
            self.root_move = best.map(|ranked| RootMove { m: ranked.m, code: ranked.code });
        }
    }

    #[inline(always)]
    pub(crate) fn leave(&mut self, n: &G, node: &Node<G>, g: Value, end: End) {
        self.observer.leave(n, &Visit { depth: node.depth, window: node.window, g, f: node.f, end });
    }
}

/// One step of a sort that is rarely finished: most nodes need their first move alone. Equals keep their order.
#[inline(always)]
fn bring_best_to_front<M>(moves: &mut [Ranked<M>]) {
    let mut best = 0;
    for at in 1..moves.len() {
        if moves[at].rank > moves[best].rank {
            best = at;
        }
    }
    if best > 0 {
        moves[..=best].rotate_right(1);
    }
}
