//! The selective recursion, for null windows and wide ones.

use super::sieve::MOST_PLIES;
use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::observer::{End, Observer};
use crate::table::NO_MOVE;
use crate::value::{Bounds, Gamma, Value, Window};
use crate::worker::{Child, Node, NodeKind, Worker};

/// Cuts by margins are made at most so far from the horizon.
const NEAR: u8 = 7;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// One question at a node so many plies from the root: MT's, or the selective search's where that is wanted.
    #[inline]
    pub(crate) fn ask(&mut self, n: &G, depth: u8, ply: u8, gamma: Gamma) -> Result<Value, Stopped> {
        if self.sieve.is_on() { self.selective(n, depth, ply, Window::null(gamma)) } else { self.mt(n, depth, gamma) }
    }

    /// A window at the root: NegaScout's, or the selective search's where that is wanted.
    pub(crate) fn scout_window(&mut self, root: &G, depth: u8, window: Window) -> Result<Value, Stopped> {
        if self.sieve.is_on() { self.selective(root, depth, 0, window) } else { self.negascout(root, depth, window) }
    }

    /// Searches a window, fail-soft, and leaves out what the switches allow. Where the window is wider than one question,
    /// the value itself is wanted: nothing is left out at such a node, only below it.
    pub(crate) fn selective(&mut self, n: &G, depth: u8, ply: u8, window: Window) -> Result<Value, Stopped> {
        let by = self.sieve.by;
        let forced = n.forced();
        let mut depth = depth;
        if by.extensions && forced && ply > 0 && ply < self.horizon.saturating_mul(2) {
            depth += 1;
        }
        if depth == 0 || ply >= MOST_PLIES {
            return self.bottom(n, ply, window);
        }
        let mut node = self.visit(n, depth, ply, window)?;
        let excluded = self.sieve.plies[usize::from(ply)].excluded;
        if excluded != NO_MOVE {
            node.f = Bounds::UNKNOWN;
        } else if let Some(g) = answer_of(&node) {
            return Ok(self.answer(n, &node, g));
        }
        if let Some(g) = self.ended(n, &mut node) {
            return Ok(g);
        }

        let wide = !window.is_null();
        let gamma = window.low;
        let estimate = if forced { None } else { Some(self.estimate(n, node.key)) };
        let here = usize::from(ply);
        self.sieve.plies[here].estimate = estimate;
        let before = if here >= 2 { self.sieve.plies[here - 2].estimate } else { None };
        let improving = estimate.is_some() && before.is_none_or(|before| estimate > Some(before));

        if !wide
            && ply > 0
            && excluded == NO_MOVE
            && !gamma.bound().is_proven()
            && let Some(estimate) = estimate
            && estimate > gamma
            && let Some(passed) = n.passed()
        {
            // Better than γ by far, and the other side has little time to change it.
            let margin = by.unit * 3 / 4 * (i32::from(depth) - i32::from(improving));
            if by.reverse_futility && depth <= NEAR && estimate - margin > gamma {
                self.estimated = true;
                node.kind = NodeKind::Horizon;
                return Ok(self.end(n, &mut node, estimate - margin, false));
            }
            if by.null_move
                && depth >= 2
                && !self.sieve.plies[here].passed
                && let Some(g) = self.try_passing(n, passed, &mut node, estimate, gamma)?
            {
                return Ok(g);
            }
        }
        if by.internal_reduction && depth >= 4 && node.table_move == NO_MOVE && excluded == NO_MOVE {
            depth -= 1;
            node.depth = depth;
        }
        let singular = by.singular && depth >= 8 && ply > 0 && excluded == NO_MOVE && self.is_singular(n, &node)?;
        self.list_moves(n, &mut node);
        if node.first == node.end {
            node.kind = NodeKind::Ended(n.stuck());
            let (g, f) = self.leaf_value(n, node.kind, window)?;
            node.f = f;
            return Ok(self.end(n, &mut node, g, false));
        }

        let mut g = Value::NEG_INFINITY;
        let mut rests_on_path = false;
        let mut place = 0;
        while g < window.high
            && let Some((m, code)) = self.next_move(&mut node)
        {
            if code == excluded {
                continue;
            }
            let rank = self.moves.list[node.next - 1].rank;
            let tactical = n.prize(m).is_some();
            let c = Child::new(n, m, code);
            self.table.expect(c.position.key());
            let urgent = c.position.forced();
            let losing = tactical && rank < 0;
            // Something is known that does not lose: so what is left out cannot make a loss of it.
            if !wide && ply > 0 && !forced && !urgent && g > Value::loss_in(Value::MAX_DISTANCE) {
                let d = i32::from(depth);
                if !tactical {
                    let most = (3 + usize::from(depth) * usize::from(depth)) / (2 - usize::from(improving));
                    if by.late_moves && depth <= NEAR && place >= most {
                        self.estimated = true;
                        continue;
                    }
                    if by.futility
                        && depth <= NEAR
                        && let Some(best) = estimate.map(|estimate| estimate + by.unit * (d + 1))
                        && best < gamma
                    {
                        self.estimated = true;
                        g = g.max(best);
                        continue;
                    }
                } else if by.exchanges && losing && depth <= 4 {
                    self.estimated = true;
                    continue;
                }
            }
            let mut off = 0;
            if by.reductions
                && depth >= 3
                && place >= 1 + usize::from(wide) + usize::from(ply == 0)
                && (!tactical || losing)
            {
                off = self.plies_off(n, depth, place, code, rank);
                off -= i32::from(wide) + i32::from(urgent) + i32::from(forced);
                off += i32::from(!improving);
                off = off.clamp(0, i32::from(depth) - 2);
            }
            let next = &mut self.sieve.plies[here + 1];
            next.played = code;
            next.passed = false;
            let open = Window { low: window.low.max(Gamma::above(g)), high: window.high };
            let deeper = u8::from(singular && code == node.table_move);
            let v = self.try_child(&c, depth - 1 + deeper, ply + 1, off as u8, open, place == 0)?;
            place += 1;
            if v > g {
                g = v;
                node.best = c.code;
                rests_on_path = self.rested_on_path();
            }
        }
        if place == 0 && g == Value::NEG_INFINITY {
            // The one move there is was left out.
            g = gamma.bound() - 1;
        }
        if g > window.high {
            self.learn(n, &node, place);
        }
        if excluded != NO_MOVE {
            self.tally.counts.interior += 1;
            self.moves.list.truncate(node.first);
            self.leave(n, &node, g, End::Expanded);
            return Ok(g);
        }
        let g = self.end(n, &mut node, g, rests_on_path);
        Ok(g)
    }

    /// A child, as its parent sees it: first less deeply and with one question, then as far as the answers ask for.
    fn try_child(
        &mut self,
        c: &Child<G>,
        depth: u8,
        ply: u8,
        off: u8,
        mut open: Window,
        first: bool,
    ) -> Result<Value, Stopped> {
        let mut v = Value::NEG_INFINITY;
        let question = Window::null(c.ask(open.low));
        if off > 0 {
            v = c.back(self.selective(&c.position, depth - off, ply, question)?);
            if v < open.low {
                return Ok(v);
            }
        }
        if open.is_null() {
            return Ok(c.back(self.selective(&c.position, depth, ply, question)?));
        }
        if !first {
            v = c.back(self.selective(&c.position, depth, ply, question)?);
            if v < open.low || v > open.high {
                return Ok(v);
            }
            open.low = Gamma::above(v);
        }
        Ok(v.max(c.back(self.selective(&c.position, depth, ply, c.ask_window(open))?)))
    }

    /// Lets the other side move twice. If that is not enough for it, some move fails high here.
    #[inline]
    fn try_passing(
        &mut self,
        n: &G,
        passed: G,
        node: &mut Node<G>,
        estimate: Value,
        gamma: Gamma,
    ) -> Result<Option<Value>, Stopped> {
        let ahead = (estimate.get() - gamma.bound().get()) / (2 * self.sieve.by.unit).max(1);
        let off = 4 + node.depth / 4 + ahead.clamp(0, 3) as u8;
        let c = Child::reached(n, passed, NO_MOVE);
        let next = &mut self.sieve.plies[usize::from(node.ply) + 1];
        next.played = NO_MOVE;
        next.passed = true;
        let question = Window::null(c.ask(gamma));
        let v = c.back(self.selective(&c.position, node.depth.saturating_sub(off), node.ply + 1, question)?);
        if v < gamma {
            return Ok(None);
        }
        // A win after a pass is no win.
        let g = if v.is_proven() { gamma.bound() } else { v };
        let rests_on_path = self.rested_on_path();
        self.estimated = true;
        Ok(Some(self.end(n, node, g, rests_on_path)))
    }

    /// Whether the table's move is better than all others by a margin, as far as a shallower search can see.
    #[inline]
    fn is_singular(&mut self, n: &G, node: &Node<G>) -> Result<bool, Stopped> {
        if node.table_move == NO_MOVE || node.ply >= self.horizon.saturating_mul(2) {
            return Ok(false);
        }
        let known = self.table.retrieve(node.key, node.depth - 3).f.lower;
        if known == Value::NEG_INFINITY || known.is_proven() {
            return Ok(false);
        }
        let rest = Gamma::below(known - self.sieve.by.unit * i32::from(node.depth) / 50);
        let here = usize::from(node.ply);
        self.sieve.plies[here].excluded = node.table_move;
        let v = self.selective(n, (node.depth - 1) / 2, node.ply, Window::null(rest));
        self.sieve.plies[here].excluded = NO_MOVE;
        Ok(v? < rest)
    }

    /// How many plies less deeply a move is searched, before the node has its say.
    #[inline]
    fn plies_off(&self, n: &G, depth: u8, place: usize, code: u16, rank: i32) -> i32 {
        let off = i32::from(self.sieve.reduction(depth, place));
        let _ = (n, code, rank);
        off
    }

    /// Begins a visit so many plies from the root.
    #[inline(always)]
    pub(super) fn visit(&mut self, n: &G, depth: u8, ply: u8, window: Window) -> Result<Node<G>, Stopped> {
        self.limits.visit()?;
        self.observer.enter(n, depth, window);
        let at = self.moves.list.len();
        Ok(self.look_up(n, Node { first: at, next: at, end: at, ..Node::new(depth, ply, window) }))
    }

    /// Ends a visit where the game is over, by itself or by what came before.
    #[inline(always)]
    pub(super) fn ended(&mut self, n: &G, node: &mut Node<G>) -> Option<Value> {
        if let Some(outcome) = n.outcome() {
            node.kind = NodeKind::Ended(outcome);
        }
        let NodeKind::Ended(outcome) = node.kind else { return None };
        let g = self.value_of(outcome);
        node.f = Bounds::exactly(g);
        let by_path = node.by_path;
        Some(self.end(n, node, g, by_path))
    }

    /// The static evaluation, from memory where it is there.
    #[inline(always)]
    pub(super) fn estimate(&mut self, n: &G, key: u64) -> Value {
        if let Some(estimate) = self.sieve.recall(key) {
            return estimate;
        }
        let estimate = self.static_value(n);
        self.sieve.remember(key, estimate);
        estimate
    }

    #[inline(always)]
    fn list_moves(&mut self, n: &G, node: &mut Node<G>) {
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
    }

    /// Whether the value found last rests on the path.
    #[inline(always)]
    fn rested_on_path(&self) -> bool {
        self.line.as_ref().is_some_and(|line| line.decided)
    }

    /// A move has failed high: remember it, if it is one that nothing else tells apart.
    #[inline(always)]
    fn learn(&mut self, n: &G, node: &Node<G>, tried: usize) {
        if node.end - node.first < 2 {
            return;
        }
        self.tally.cut(node.depth, tried.max(1) as u64);
        let Some((best, failed)) = self.moves.list[node.first..node.next].split_last() else { return };
        if !self.learning || n.prize(best.m).is_some() {
            return;
        }
        let side = n.turn().index();
        self.memory.add_killer(node.ply, best.code);
        self.memory.praise(side, best.code, node.depth, true);
        for ranked in failed.iter().filter(|ranked| n.prize(ranked.m).is_none()) {
            self.memory.praise(side, ranked.code, node.depth, false);
        }
        self.sieve.learn_reply(side, self.sieve.plies[usize::from(node.ply)].played, best.code);
    }

    /// Ends a visit: counts it and remembers it, unless it rests on the path. What deeper searches know stands.
    #[inline(always)]
    pub(super) fn end(&mut self, n: &G, node: &mut Node<G>, g: Value, rests_on_path: bool) -> Value {
        let mut g = g;
        if !matches!(node.kind, NodeKind::Ended(_)) {
            g = g.max(node.f.lower).min(node.f.upper);
            let proved = node.window.proves(g);
            let f = Bounds { lower: node.f.lower.max(proved.lower), upper: node.f.upper.min(proved.upper) };
            node.f = if f.crossed() { proved } else { f };
        }
        self.finish(n, node, g);
        if let Some(line) = &mut self.line {
            line.decided = rests_on_path;
        }
        if !rests_on_path && (node.depth > 0 || self.store_leaves) {
            self.remember(node, g);
        }
        g
    }
}

/// What the table's bounds say to the node's question, if they say enough.
#[inline(always)]
pub(super) fn answer_of<G: Game>(node: &Node<G>) -> Option<Value> {
    if node.f.lower > node.window.high || node.f.exact().is_some() {
        return Some(node.f.lower);
    }
    (node.f.upper < node.window.low).then_some(node.f.upper)
}
