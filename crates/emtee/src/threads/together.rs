//! The recursion of a thread that is not alone.

use super::{LEAST_SHARED, Mark, Sharing, Team};
use crate::game::{Evaluate, Game, Ranked, mix};
use crate::limits::Stopped;
use crate::observer::Observer;
use crate::value::{Bounds, Gamma, Value, Window};
use crate::worker::{Child, Node, NodeKind, Worker};

impl<G: Game> Child<G> {
    /// Its mark among the positions that threads are at.
    #[inline]
    pub(crate) fn mark(&self, depth: u8) -> Mark {
        Mark::new(self.position.key(), depth)
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// A question about a node, on one thread: the selective search's, MT's or NegaScout's.
    pub(crate) fn alone(&mut self, n: &G, depth: u8, ply: u8, window: Window) -> Result<Value, Stopped> {
        if self.sieve.is_on() {
            self.selective(n, depth, ply, window)
        } else if window.is_null() {
            self.mt(n, depth, window.low)
        } else {
            self.negascout(n, depth, window)
        }
    }

    /// A question at the root.
    #[cfg(not(feature = "std"))]
    pub(crate) fn question(&mut self, n: &G, depth: u8, ply: u8, window: Window) -> Result<Value, Stopped> {
        self.alone(n, depth, ply, window)
    }

    /// The same question, asked by every thread of a team at once. For a null window this is MT, for a wider one NegaScout.
    pub(crate) fn together(
        &mut self,
        team: &Team,
        n: &G,
        depth: u8,
        ply: u8,
        window: Window,
    ) -> Result<Value, Stopped> {
        if depth < LEAST_SHARED || self.sieve.is_on() {
            return self.alone(n, depth, ply, window);
        }
        self.go_back_if_answered()?;
        let mut node = self.retrieve(n, depth, window)?;
        if let Some(g) = window.answer(node.f) {
            return Ok(self.answer(n, &node, g));
        }
        if self.is_leaf(n, &mut node) {
            let g = self.evaluate(n, &mut node)?;
            self.store(n, &node, g);
            return Ok(g);
        }
        let open = Window {
            low: window.low.max(Gamma::above(node.f.lower)),
            high: window.high.min(Gamma::below(node.f.upper)),
        };
        let mut g = self.enhanced_cutoff(n, &mut node);
        let place = self.open.push(&node, open);
        let mut tried = 0;
        // Children that others are at wait at the end of the list.
        let mut waited = 0;
        while g < open.high {
            self.weigh_path(&mut node);
            if let Some(known) = self.found_by_others(&node, open) {
                (g, node.f, node.best) = known;
                break;
            }
            if tried > 0 && team.sharing == Sharing::TableOnly && self.number > 0 {
                self.shuffle(&node);
            }
            let next = self.next_move(&mut node);
            let may_wait = next.is_some();
            let waiting = || self.next_waiting(&node, &mut waited).map(|ranked| (ranked.m, ranked.code));
            let Some((m, code)) = next.or_else(waiting) else { break };
            let c = Child::new(n, m, code);
            let mark = (tried > 0 && team.defers(depth)).then(|| c.mark(depth - 1));
            if let Some(mark) = mark {
                if may_wait && team.busy.holds(mark) {
                    self.put_off(&node);
                    continue;
                }
                team.busy.enter(mark);
            }
            let room = self.moves.list.len();
            let still = Window { low: open.low.max(Gamma::above(g)), high: open.high };
            let v = self.scout_child(team, &c, depth - 1, ply + 1, still, tried == 0);
            if let Some(mark) = mark {
                team.busy.leave(mark);
            }
            if v.is_err() && self.open.arrives(place) {
                // Others have found the answer. Should the table have lost it again, the child is still to be asked.
                self.moves.list.truncate(room);
                self.moves.list.push(Ranked { m, code, rank: 0 });
                continue;
            }
            let v = v?;
            tried += 1;
            if v > g {
                g = v;
                node.best = c.code;
            }
        }
        self.open.pop_to(place);
        let proved = open.proves(g);
        node.f = Bounds { lower: node.f.lower.max(proved.lower), upper: node.f.upper.min(proved.upper) };
        if g > open.high && tried == 0 {
            self.tally.counts.enhanced_cuts += 1;
        } else if g > open.high && node.end - node.first >= 2 {
            self.tally.cut(depth, tried);
            if self.learning {
                self.memory.learn_one(self.ordering, node.best, n.turn(), node.ply, depth);
            }
        }
        self.file(n, &node, g);
        Ok(g)
    }

    /// A child as its parent sees it: the first with all that is open, the others by a question first.
    fn scout_child(
        &mut self,
        team: &Team,
        c: &Child<G>,
        depth: u8,
        ply: u8,
        mut open: Window,
        first: bool,
    ) -> Result<Value, Stopped> {
        let mut v = Value::NEG_INFINITY;
        if !first && !open.is_null() {
            v = c.back(self.together(team, &c.position, depth, ply, Window::null(c.ask(open.low)))?);
            if v < open.low || v > open.high {
                return Ok(v);
            }
            open.low = Gamma::above(v);
        }
        Ok(v.max(c.back(self.together(team, &c.position, depth, ply, c.ask_window(open))?)))
    }

    /// Gives up what this thread is at, if others have found the answer to a question above it.
    #[inline(never)]
    pub(crate) fn go_back_if_answered(&mut self) -> Result<(), Stopped> {
        if self.open.is_answered(self.table) { Err(Stopped) } else { Ok(()) }
    }

    /// A move that was put off: each thread begins with another, since somebody is at each of them.
    #[inline(never)]
    pub(crate) fn next_waiting(&mut self, node: &Node<G>, waited: &mut usize) -> Option<Ranked<G::Move>> {
        if *waited == 0 && self.moves.list.len() > node.end {
            let waiting = &mut self.moves.list[node.end..];
            waiting.rotate_left(self.number % waiting.len());
        }
        let ranked = self.moves.list.get(node.end + *waited)?;
        *waited += 1;
        Some(*ranked)
    }

    /// Puts the move that was just chosen off.
    #[inline(never)]
    pub(crate) fn put_off(&mut self, node: &Node<G>) {
        let ranked = self.moves.list[node.next - 1];
        self.moves.list.push(ranked);
    }

    /// What another thread has meanwhile found out about a node below the root, if that answers: g, its bounds and its best
    /// move.
    #[inline(never)]
    pub(crate) fn found_by_others(&mut self, node: &Node<G>, open: Window) -> Option<(Value, Bounds, u16)> {
        if node.ply == 0 {
            return None;
        }
        let entry = self.table.retrieve(node.key, node.depth);
        let g = open.answer(entry.f)?;
        self.estimated |= !entry.fresh;
        if let Some(line) = &mut self.line {
            line.decided = false;
        }
        Some((g, entry.f, entry.best))
    }

    /// The child before this one has had its say in play, and has not decided the matter.
    fn weigh_path(&mut self, node: &mut Node<G>) {
        if let Some(line) = &mut self.line {
            node.by_path |= core::mem::take(&mut line.decided);
        }
    }

    /// Brings some other move to the front of those that are left, another one for each thread.
    fn shuffle(&mut self, node: &Node<G>) {
        let left = &mut self.moves.list[node.next..node.end];
        if node.kind == NodeKind::Interior && left.len() > 1 {
            let some = mix(node.key ^ self.number as u64) as usize % left.len().min(3);
            left[some].rank = i32::MAX;
            left[..=some].rotate_right(1);
        }
    }
}
