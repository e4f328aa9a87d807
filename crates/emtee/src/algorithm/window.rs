//! The recursion at work: windows of any width, on one thread or many, with or without leaving anything out.
//!
//! [`mt`](Worker::mt) is the specification, and what every null window is searched by on one thread, where nothing is left out:
//! MTD-f and NegaScout differ by their questions, not by their code. For the rest this one is compiled with `SELECTIVE` for play
//! and `SHARED` for threads, and visits the nodes of `mt` where it leaves nothing out and no other thread helps.

use super::cuts::{Treatment, View};
use crate::game::{Evaluate, Game};
use crate::limits::Answer;
use crate::memory::table::NO_MOVE;
use crate::node::{Edge, Node, Place, Worker};
use crate::observer::{End, Observer};
use crate::run::LEAST_SHARED;
use crate::value::{Bounds, Gamma, Value, Window};

/// How the children of a wide window are searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wide {
    /// Reinefeld's NegaScout: all but the first are asked whether they are any better, and searched only if they are.
    NegaScout,
    /// Alpha-Beta: each with all that is still open.
    AlphaBeta,
    /// Pearl's Scout, with MT as its Test: as NegaScout, but what is searched is searched for its exact value.
    Scout,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// Searches a window with memory, `ply` moves from the root.
    ///
    /// Returns g, fail-soft: below the window f(n) ≤ g, above it f(n) ≥ g, and within it f(n) = g.
    #[inline(always)]
    pub(crate) fn search<const SELECTIVE: bool, const SHARED: bool>(
        &mut self,
        n: &Place<G>,
        depth: u8,
        ply: u8,
        window: Window,
    ) -> Answer {
        if !SELECTIVE && !SHARED && window.is_null() {
            return self.mt(n, depth, window.low);
        }
        let depth = if SELECTIVE { self.extended(n, depth, ply) } else { depth };
        if depth == 0 {
            // Leaves are too small to be shared.
            self.visit_window::<SELECTIVE, false, true>(n, depth, ply, window)
        } else {
            self.visit_window::<SELECTIVE, SHARED, false>(n, depth, ply, window)
        }
    }

    #[inline(never)]
    fn visit_window<const SELECTIVE: bool, const SHARED: bool, const HORIZON: bool>(
        &mut self,
        n: &Place<G>,
        depth: u8,
        ply: u8,
        window: Window,
    ) -> Answer {
        let shared = SHARED && depth >= LEAST_SHARED;
        if shared {
            self.go_back_if_answered()?;
        }
        let before = if SHARED { self.own.visits.nodes() } else { 0 };
        let mut node = self.retrieve::<HORIZON>(n, depth, ply, window)?;
        // Whether one move is left out here, to see how good the others are.
        let partial = SELECTIVE && self.own.stack[usize::from(ply)].excluded != NO_MOVE;
        if partial {
            node.f = Bounds::UNKNOWN;
        } else if let Some(g) = window.answer(node.f) {
            return Ok(self.answer(n, &node, g));
        }
        if self.is_leaf::<HORIZON>(n, &mut node) {
            return self.leaf::<SELECTIVE>(n, node);
        }
        let mut view = View::WHOLE;
        if SELECTIVE {
            view = self.view(n, &node);
            if !partial && let Some(g) = self.cut_short::<SHARED>(n, &mut node, &mut view)? {
                return Ok(g);
            }
        }
        let early = if SELECTIVE { !partial } else { self.may_try_early(n, &node) };
        let Some(mut children) = self.expand(n, &mut node, early) else {
            return self.leaf::<SELECTIVE>(n, node);
        };
        // What is known leaves a null window as it is, or would have answered.
        let open = if window.is_null() { window } else { window.within(node.f) };
        let (null, low) = (open.is_null(), open.low.pre());
        let mut g = self.enhanced_cutoff(n, &mut node, &children);
        let question = if shared && !partial { Some(self.own.open.push(n, &node, open)) } else { None };
        while g < open.high {
            if let Some(known) = question.and_then(|_| self.found_by_others(n, &node, open)) {
                (g, node.f, node.best, node.by_path) = (known.0, known.1.f, known.1.best, false);
                break;
            }
            if question.is_some() {
                self.shuffle(n, &node, &mut children);
            }
            let Some((c, edge)) = self
                .next_child(n, &mut node, &mut children)
                .or_else(|| if question.is_some() { self.take_up(n, &node, &mut children) } else { None })
            else {
                break;
            };
            let first = children.tried == 1;
            let mut less = 0;
            if SELECTIVE {
                match self.treatment(n, &node, view, &c, &edge, &children, g) {
                    Treatment::Search { plies_less } => less = plies_less,
                    Treatment::LeaveOut { at_most } => {
                        g = g.max(at_most);
                        children.tried -= 1;
                        continue;
                    }
                }
            }
            if question.is_some() && !first && !self.enter(&node, c.key, &edge, &mut children) {
                continue;
            }
            let below = if SELECTIVE { self.step_down(&node, view, &edge, children.tried) } else { depth - 1 };
            let room = self.own.moves.list.len();
            let v = if null && less == 0 {
                self.search::<SELECTIVE, SHARED>(&c, below, ply + 1, Window::null(edge.turned(low)))
                    .map(|v| edge.back(v))
            } else {
                let still_open = if null { open } else { open.above(g) };
                self.search_child::<SELECTIVE, SHARED>(&c, &edge, below, ply + 1, less, still_open, first)
            };
            if let Some(question) = question {
                if !first {
                    self.exit(&node, &c);
                }
                if v.is_err() && self.own.open.arrives(question) {
                    self.own.moves.list.truncate(room);
                    self.ask_again(&edge, &mut children);
                    continue;
                }
            }
            let v = v?;
            let better = v > g;
            if better {
                g = v;
                node.best = edge.code;
            }
            if SELECTIVE {
                self.rest_on_best(&mut node, better);
                if g > open.high {
                    self.learn(n, &node, &edge, &children);
                }
            }
        }
        if let Some(question) = question {
            self.own.open.pop_to(question);
        }
        if SELECTIVE {
            self.give_back(&node, &children, g);
            return Ok(self.end(n, node, g, End::Expanded));
        }
        if g > open.low {
            node.f.lower = g;
        }
        if g < open.high {
            node.f.upper = g;
        }
        self.close(n, &node, &children, g, self.own.moves.list.len() <= children.end);
        self.store(n, &node, g, End::Expanded);
        if question.is_some() {
            self.tell_peers(n, &node, self.own.visits.nodes() - before);
        }
        Ok(g)
    }

    /// A question about a node, `SHARED` if every thread of a team asks it at once.
    pub(crate) fn windowed<const SHARED: bool>(&mut self, n: &Place<G>, depth: u8, ply: u8, window: Window) -> Answer {
        match self.setup.selective.is_on() {
            true => self.search::<true, SHARED>(n, depth, ply, window),
            false => self.search::<false, SHARED>(n, depth, ply, window),
        }
    }

    /// A visit to a leaf.
    #[inline(always)]
    fn leaf<const SELECTIVE: bool>(&mut self, n: &Place<G>, mut node: Node) -> Answer {
        let g = self.evaluate::<SELECTIVE>(n, &mut node)?;
        if SELECTIVE {
            return Ok(self.end(n, node, g, End::Evaluated));
        }
        self.store(n, &node, g, End::Evaluated);
        Ok(g)
    }

    /// A child, as its parent sees it: what is to be searched less deeply first answers one question there.
    #[inline(never)]
    #[allow(clippy::too_many_arguments)]
    fn search_child<const SELECTIVE: bool, const SHARED: bool>(
        &mut self,
        c: &Place<G>,
        edge: &Edge<G::Move>,
        depth: u8,
        ply: u8,
        less: u8,
        open: Window,
        first: bool,
    ) -> Answer {
        let question = Window::null(edge.ask(open.low));
        if SELECTIVE && less > 0 {
            let v = edge.back(self.search::<SELECTIVE, SHARED>(c, depth - less, ply, question)?);
            if v < open.low {
                return Ok(v);
            }
        }
        if open.is_null() {
            return Ok(edge.back(self.search::<SELECTIVE, SHARED>(c, depth, ply, question)?));
        }
        self.search_wide_child::<SELECTIVE, SHARED>(c, edge, depth, ply, open, first)
    }

    #[inline(never)]
    fn search_wide_child<const SELECTIVE: bool, const SHARED: bool>(
        &mut self,
        c: &Place<G>,
        edge: &Edge<G::Move>,
        depth: u8,
        ply: u8,
        mut open: Window,
        first: bool,
    ) -> Answer {
        let wide = self.setup.wide;
        let mut at_least = Value::NEG_INFINITY;
        if !first && wide != Wide::AlphaBeta {
            let question = Window::null(edge.ask(open.low));
            let v = edge.back(self.search::<SELECTIVE, SHARED>(c, depth, ply, question)?);
            if v < open.low || v > open.high && wide == Wide::NegaScout {
                return Ok(v);
            }
            if wide == Wide::NegaScout {
                (open.low, at_least) = (Gamma::above(v), v);
            }
        }
        let window = if wide == Wide::Scout { Window::FULL } else { edge.ask_window(open) };
        Ok(at_least.max(edge.back(self.search::<SELECTIVE, SHARED>(c, depth, ply, window)?)))
    }
}
