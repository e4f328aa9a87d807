//! A part of the search tree of a real position.
//!
//! An observer records the search node by node. It keeps a few plies of the last iteration below a given line as
//! branches, and adds the counts of deeper nodes to the branch above them. The result is small for a search of any
//! size. To see deeper nodes, search again with a longer line: with one thread, the same input gives the same counts.
//!
//! ```
//! use emtee::Budget;
//! use emtee_engine::{Registry, Settings};
//!
//! let start = Registry::standard().get("connect4")?.start();
//! let explored = start.tools()?.explore(&Settings::default(), Budget::depth(6), &["4"], 1)?;
//! assert_eq!(explored.root.line(), ["4"]);
//! assert!(explored.root.leaves() <= explored.leaves);
//! # Ok::<(), emtee_engine::Error>(())
//! ```

use emtee::research::{End, Iteration, Observer, Pass, Visit, Window};
use emtee::{Bounds, legal_moves};
use serde::Serialize;

use crate::position::Playable;
use crate::row::{PassRow, Row};

/// The maximum number of branches.
const MAX_BRANCHES: usize = 4_000;

/// The last iteration of a search, seen from one line.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Explored {
    /// The result of the search.
    pub row: Row,
    /// The passes of the last iteration.
    pub passes: Vec<PassRow>,
    /// All its visits.
    pub nodes: u64,
    /// All its leaf evaluations.
    pub leaves: u64,
    /// The end of the requested line, and what was visited below it.
    pub root: Branch,
    /// Whether branches were left out because there were too many.
    pub capped: bool,
}

/// A position of the search tree, with the counts at it and below it.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Branch {
    /// The moves that lead to it from the root of the search.
    pub line: Vec<String>,
    /// Whether the side to move is the same as at the root of the search.
    pub own: bool,
    /// f⁻ for the side to move at the root, after the last visit.
    pub lower: Option<i32>,
    /// f⁺.
    pub upper: Option<i32>,
    /// How its last visit ended: `expanded`, `evaluated` or `answered`. `None` if it was never visited.
    pub end: Option<&'static str>,
    /// The counts of each pass.
    pub passes: Vec<Work>,
    /// The moves that were visited, in the order of their first visit. Empty below the recorded plies.
    pub children: Vec<Branch>,
    /// The number of legal moves.
    pub moves: usize,
}

/// The counts at a position and below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Work {
    /// Visits of the position itself.
    pub visits: u64,
    /// All visits, at it and below.
    pub nodes: u64,
    /// Leaf evaluations.
    pub leaves: u64,
    /// Visits answered by the table.
    pub answered: u64,
}

impl Branch {
    /// The moves that lead to it.
    pub fn line(&self) -> &[String] {
        &self.line
    }

    /// The leaf evaluations below it, in all passes.
    pub fn leaves(&self) -> u64 {
        self.passes.iter().map(|work| work.leaves).sum()
    }
}

/// A branch while the search runs.
struct Node<G> {
    board: G,
    text: String,
    m: String,
    parent: usize,
    ply: usize,
    f: Bounds,
    end: Option<End>,
    work: Vec<Work>,
}

pub(super) struct BranchRecorder<'l, G: Playable> {
    start: G,
    line: &'l [G::Move],
    plies: usize,
    nodes: Vec<Node<G>>,
    /// For each visit in progress: its branch, and whether the position is that branch or lies below it.
    visits: Vec<(usize, bool)>,
    passes: Vec<PassRow>,
    iteration_ended: bool,
    capped: bool,
}

impl<'l, G: Playable> BranchRecorder<'l, G> {
    pub(super) fn new(start: &G, line: &'l [G::Move], plies: usize) -> BranchRecorder<'l, G> {
        let (nodes, visits, passes) = (Vec::new(), Vec::new(), Vec::new());
        let start = start.clone();
        let mut recorder =
            BranchRecorder { start, line, plies, nodes, visits, passes, iteration_ended: false, capped: false };
        recorder.reset();
        recorder
    }

    fn reset(&mut self) {
        self.nodes.clear();
        self.passes.clear();
        self.capped = false;
        let start = self.start.clone();
        self.add(start, String::new(), 0, 0);
    }

    fn add(&mut self, board: G, m: String, parent: usize, ply: usize) -> usize {
        let (text, work) = (board.to_string(), Vec::new());
        self.nodes.push(Node { board, text, m, parent, ply, f: Bounds::UNKNOWN, end: None, work });
        self.nodes.len() - 1
    }

    /// The branch of a child, if it is recorded.
    fn child(&mut self, parent: usize, position: &G) -> Option<usize> {
        let ply = self.nodes[parent].ply + 1;
        if ply > self.line.len() + self.plies {
            return None;
        }
        // Mirror images may have equal keys, but never equal texts.
        let text = position.to_string();
        let known = self.nodes.iter().position(|node| node.ply == ply && node.parent == parent && node.text == text);
        if known.is_some() {
            return known;
        }
        if ply <= self.line.len() && self.nodes[parent].board.play(self.line[ply - 1]).to_string() != text {
            return None;
        }
        if self.nodes.len() == MAX_BRANCHES {
            self.capped = true;
            return None;
        }
        let before = &self.nodes[parent].board;
        let m = legal_moves(before).into_iter().find(|&m| before.play(m).to_string() == text)?;
        let m = m.to_string();
        Some(self.add(position.clone(), m, parent, ply))
    }

    fn work(&mut self, index: usize) -> &mut Work {
        let pass = self.passes.len();
        let work = &mut self.nodes[index].work;
        work.resize(work.len().max(pass + 1), Work::default());
        &mut work[pass]
    }

    pub(super) fn explored(mut self, row: Row) -> Explored {
        // Children come after their parents: in reverse order, every sum is complete before it is added to the parent.
        for index in (1..self.nodes.len()).rev() {
            let (parent, work) = (self.nodes[index].parent, self.nodes[index].work.clone());
            let sums = &mut self.nodes[parent].work;
            sums.resize(sums.len().max(work.len()), Work::default());
            for (sum, more) in sums.iter_mut().zip(work) {
                sum.nodes += more.nodes;
                sum.leaves += more.leaves;
                sum.answered += more.answered;
            }
        }
        let total = |count: fn(&Work) -> u64| self.nodes[0].work.iter().map(count).sum();
        let (nodes, leaves) = (total(|work| work.nodes), total(|work| work.leaves));
        let mut index = 0;
        for &m in self.line {
            let text = self.nodes[index].board.play(m).to_string();
            let next = self.nodes.iter().position(|node| node.ply > 0 && node.parent == index && node.text == text);
            // A position of the line that was never visited gets a branch with empty counts.
            index = next.unwrap_or_else(|| {
                let (board, ply) = (self.nodes[index].board.play(m), self.nodes[index].ply + 1);
                self.add(board, m.to_string(), index, ply)
            });
        }
        let root = self.branch(index);
        Explored { row, passes: self.passes, nodes, leaves, root, capped: self.capped }
    }

    fn branch(&self, index: usize) -> Branch {
        let node = &self.nodes[index];
        let mut line = Vec::new();
        let mut above = index;
        while above > 0 {
            line.insert(0, self.nodes[above].m.clone());
            above = self.nodes[above].parent;
        }
        let own = self.start.turn() == node.board.turn();
        let Bounds { lower, upper } = node.f;
        let (lower, upper) = if own { (lower, upper) } else { (-upper, -lower) };
        let known = |bound: emtee::Value| (bound.get().abs() < emtee::Value::INFINITY.get()).then(|| bound.get());
        let below: Vec<usize> = (index + 1..self.nodes.len())
            .filter(|&child| self.nodes[child].ply > 0 && self.nodes[child].parent == index)
            .collect();
        let mut work = node.work.clone();
        work.resize(self.passes.len().max(work.len()), Work::default());
        Branch {
            line,
            own,
            lower: known(lower),
            upper: known(upper),
            end: node.end.map(|end| match end {
                End::Expanded => "expanded",
                End::Evaluated => "evaluated",
                End::Answered => "answered",
            }),
            passes: work,
            children: below.into_iter().map(|child| self.branch(child)).collect(),
            moves: legal_moves(&node.board).len(),
        }
    }
}

impl<G: Playable> Observer<G> for BranchRecorder<'_, G> {
    fn pass(&mut self, _: Window) {
        if std::mem::take(&mut self.iteration_ended) {
            self.reset();
        }
        self.visits.clear();
    }

    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        self.passes.push(PassRow::new(depth, pass));
    }

    fn iteration(&mut self, _: &Iteration<G::Move>) {
        self.iteration_ended = true;
    }

    fn enter(&mut self, position: &G, _: u8, _: Window) {
        let visit = match self.visits.last() {
            None => {
                // MTD-best starts below the root.
                let root = self.nodes[0].text == position.to_string();
                if root { (0, true) } else { self.child(0, position).map_or((0, false), |child| (child, true)) }
            }
            Some(&(index, false)) => (index, false),
            Some(&(index, true)) => self.child(index, position).map_or((index, false), |child| (child, true)),
        };
        self.visits.push(visit);
    }

    fn leave(&mut self, _: &G, visit: &Visit) {
        let Some((index, is_branch)) = self.visits.pop() else { return };
        let work = self.work(index);
        work.nodes += 1;
        work.visits += u64::from(is_branch);
        work.leaves += u64::from(visit.end == End::Evaluated);
        work.answered += u64::from(visit.end == End::Answered);
        if is_branch {
            let node = &mut self.nodes[index];
            let both = Bounds { lower: node.f.lower.max(visit.f.lower), upper: node.f.upper.min(visit.f.upper) };
            node.f = if both.crossed() { visit.f } else { both };
            node.end = Some(visit.end);
        }
    }
}
