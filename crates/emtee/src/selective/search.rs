//! The selective recursion, for null windows and wide ones.

use super::order::Choice;
use super::sieve::MOST_PLIES;
use crate::game::{Evaluate, Game, Ranked};
use crate::limits::Stopped;
use crate::observer::{End, Observer};
use crate::table::NO_MOVE;
use crate::threads::LEAST_SHARED;
use crate::value::{Bounds, Gamma, Value, Window};
use crate::worker::{Child, Node, NodeKind, Worker};

/// What is left out at a node depends on this.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) depth: u8,
    pub(super) gamma: Gamma,
    /// The static evaluation; nothing where the position is forced.
    pub(super) estimate: Option<Value>,
    /// Whether it has risen since the side moved last.
    pub(super) improving: bool,
    /// Whether nothing is left out: at the root, on the line that is expected, and where the value itself is wanted.
    pub(super) whole: bool,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Searches a window, fail-soft, and leaves out what the switches allow.
    ///
    /// A null window is MT's question. In a wider one the first child is searched with all of it and the others are asked
    /// first, as NegaScout does.
    pub(crate) fn selective(&mut self, n: &G, depth: u8, ply: u8, window: Window) -> Result<Value, Stopped> {
        let by = self.sieve.by;
        let forced = n.forced();
        let deepened = by.extensions && forced && ply > 0 && ply < self.horizon.saturating_mul(2);
        let depth = depth + u8::from(deepened);
        if depth == 0 || ply >= MOST_PLIES {
            return self.bottom(n, ply, window);
        }
        let team = self.team.filter(|_| self.shared && depth >= LEAST_SHARED);
        if team.is_some() {
            self.go_back_if_answered()?;
        }
        let mut node = self.visit(n, depth, ply, window)?;
        let excluded = self.sieve.plies[usize::from(ply)].excluded;
        if excluded != NO_MOVE {
            node.f = Bounds::UNKNOWN;
        } else if let Some(g) = window.answer(node.f) {
            return Ok(self.answer(n, &node, g));
        }
        if let Some(g) = self.ended(n, &mut node) {
            return Ok(g);
        }
        let mut view = self.view(n, &node, forced);
        if excluded == NO_MOVE
            && !view.whole
            && let Some(g) = self.cut_by_estimate(n, &mut node, view)?
        {
            return Ok(g);
        }
        if by.probcut
            && excluded == NO_MOVE
            && !view.whole
            && !view.gamma.bound().is_proven()
            && let Some(estimate) = view.estimate
            && let Some(g) = self.foretold(n, &mut node, estimate, view.gamma)?
        {
            return Ok(g);
        }
        if by.internal_reduction && depth >= 4 && node.table_move == NO_MOVE && excluded == NO_MOVE {
            node.depth -= 1;
            view.depth -= 1;
        }
        let singular = by.singular && ply > 0 && excluded == NO_MOVE && self.is_singular(n, &node)?;

        // Most nodes that fail high do so by the table's move: the others are listed only when they are needed.
        let mut early = if ply > 0 && excluded == NO_MOVE { n.recall(node.table_move) } else { None };
        if early.is_none() {
            self.list_moves(n, &mut node);
            if node.first == node.end {
                node.kind = NodeKind::Ended(n.stuck());
                let (g, f) = self.leaf_value(n, node.kind, window)?;
                node.f = f;
                return Ok(self.end(n, &mut node, g, false));
            }
        }
        let mut g = Value::NEG_INFINITY;
        let mut rests_on_path = false;
        let mut place = 0;
        let team = team.filter(|_| excluded == NO_MOVE);
        let asked = team.map(|_| self.open.push(&node, window));
        let mut waited = 0;
        while g < window.high {
            if asked.is_some()
                && let Some(known) = self.found_by_others(&node, window)
            {
                (g, node.f, node.best) = known;
                rests_on_path = false;
                break;
            }
            let choice = match self.choose(n, &mut node, &mut early, place) {
                Some(choice) => choice,
                None if asked.is_none() => break,
                None => match self.choose_waiting(n, &node, &mut waited) {
                    Some(choice) => choice,
                    None => break,
                },
            };
            let Choice { m, code, .. } = choice;
            // Once a move is known that does not lose, leaving others out cannot make a loss of the position.
            let spare = !view.whole && view.estimate.is_some() && g > Value::loss_in(Value::MAX_DISTANCE);
            if code == excluded {
                continue;
            }
            let c = Child::new(n, m, code);
            self.table.expect(c.position.key());
            let urgent = c.position.forced();
            if spare
                && !urgent
                && !choice.waited
                && let Some(most) = self.left_out(view, &choice, place)
            {
                g = g.max(most);
                continue;
            }
            let mark =
                team.filter(|team| place > 0 && team.defers(view.depth)).map(|team| (team, c.mark(view.depth - 1)));
            if let Some((team, mark)) = mark {
                if !choice.waited && team.busy.holds(mark) {
                    self.put_off(&node);
                    continue;
                }
                team.busy.enter(mark);
            }
            let off = self.plies_off(n, &node, view, &choice, place, urgent);
            let next = &mut self.sieve.plies[usize::from(ply) + 1];
            next.played = code;
            next.passed = false;
            let main = ply == 0 || self.sieve.plies[usize::from(ply)].main;
            self.sieve.plies[usize::from(ply) + 1].main = main && place == 0;
            let open = Window { low: window.low.max(Gamma::above(g)), high: window.high };
            let below = view.depth - 1 + u8::from(singular && code == node.table_move);
            let room = self.moves.list.len();
            let v = self.try_child(&c, below, ply + 1, off, open, place == 0);
            if let Some((team, mark)) = mark {
                team.busy.leave(mark);
            }
            if v.is_err() && asked.is_some_and(|asked| self.open.arrives(asked)) {
                // Others have found the answer. Should the table have lost it again, the child is still to be asked.
                self.moves.list.truncate(room);
                match node.first == node.end {
                    true => early = Some(m),
                    false => self.moves.list.push(Ranked { m, code, rank: choice.rank }),
                }
                continue;
            }
            let v = v?;
            place += 1;
            if v > g {
                g = v;
                node.best = code;
                rests_on_path = self.rested_on_path();
            }
            if g > window.high {
                self.learn(n, &node, m, code, place);
            }
        }
        if let Some(asked) = asked {
            self.open.pop_to(asked);
        }
        if excluded != NO_MOVE {
            // Some of the moves were asked about: nothing that the table should know.
            self.tally.counts.interior += 1;
            self.moves.list.truncate(node.first);
            self.leave(n, &node, g, End::Expanded);
            return Ok(g);
        }
        Ok(self.end(n, &mut node, g, rests_on_path))
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
        let question = Window::null(c.ask(open.low));
        if off > 0 {
            let v = c.back(self.selective(&c.position, depth - off, ply, question)?);
            if v < open.low {
                return Ok(v);
            }
        }
        let mut v = Value::NEG_INFINITY;
        if !first || open.is_null() {
            v = c.back(self.selective(&c.position, depth, ply, question)?);
            if v < open.low || v > open.high {
                return Ok(v);
            }
            open.low = Gamma::above(v);
        }
        Ok(v.max(c.back(self.selective(&c.position, depth, ply, c.ask_window(open))?)))
    }

    /// What the node looks like, and what it is compared with.
    #[inline(always)]
    fn view(&mut self, n: &G, node: &Node<G>, forced: bool) -> View {
        let here = usize::from(node.ply);
        let estimate = if forced { None } else { Some(self.estimate(n, node.key)) };
        let before = if here >= 2 { self.sieve.plies[here - 2].estimate } else { None };
        let improving = estimate.is_some() && before.is_none_or(|before| estimate > Some(before));
        let line = &mut self.sieve.plies[here];
        line.estimate = estimate;
        let whole = here == 0 || line.main || !node.window.is_null();
        View { depth: node.depth, gamma: node.window.low, estimate, improving, whole }
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
        self.estimated = true;
        if let Some(estimate) = self.sieve.recall(key) {
            return estimate;
        }
        let estimate = self.static_value(n);
        self.sieve.remember(key, estimate);
        estimate
    }

    /// Whether the value found last rests on the path.
    #[inline(always)]
    pub(super) fn rested_on_path(&self) -> bool {
        self.line.as_ref().is_some_and(|line| line.decided)
    }

    /// Ends a visit: counts it and remembers it, unless it rests on the path. What deeper searches know stands.
    ///
    /// Deviation: in the exact search any draw by the path below a node that fails low keeps its bound out of the table.
    /// Here it does if it is the value, for otherwise few bounds would be left.
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
