//! The search tree of a real position, as much of it as one wants to look at.
//!
//! The search is watched node by node. Of its last iteration a few plies below some line are kept as branches; whatever
//! happens further down is counted where it hangs. So the tree stays small however large the search is, and to look deeper
//! is to ask again with a longer line: one thread, same input, same counts.
//!
//! ```
//! use emtee::Budget;
//! use emtee_engine::{Registry, Settings};
//!
//! let start = Registry::standard().get("connect4")?.start();
//! let explored = start.explore(&Settings::default(), Budget::depth(6), &["4"], 1)?;
//! assert_eq!(explored.root.line(), ["4"]);
//! assert!(explored.root.leaves() <= explored.leaves);
//! # Ok::<(), emtee_engine::Error>(())
//! ```

use emtee::research::{End, Iteration, Observer, Pass, Visit, Window};
use emtee::{Bounds, Budget, OwnEvaluation, legal_moves};
use serde::Serialize;

use crate::error::Error;
use crate::position::Playable;
use crate::row::{Passed, Row};
use crate::settings::Settings;
use crate::trees::Nodes;

/// No more branches than these are kept.
const MOST_BRANCHES: usize = 4_000;

/// The last iteration of a search, seen from one line.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Explored {
    /// What the search found.
    pub row: Row,
    /// The passes of the last iteration.
    pub passes: Vec<Passed>,
    /// All its visits.
    pub nodes: u64,
    /// All its leaves.
    pub leaves: u64,
    /// The end of the line that was asked about, and what was visited below it.
    pub root: Branch,
    /// Whether there were more branches than are kept.
    pub capped: bool,
}

/// A position of the search tree, and what was done at it and below.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Branch {
    /// The moves that lead to it from where the search began.
    pub line: Vec<String>,
    /// Whether the side that began the search is to move.
    pub own: bool,
    /// f⁻ as that side sees it, after its last visit.
    pub lower: Option<i32>,
    /// f⁺
    pub upper: Option<i32>,
    /// How its last visit ended: `expanded`, `evaluated` or `answered`; nothing if it was never visited.
    pub end: Option<&'static str>,
    /// What was done in each pass.
    pub passes: Vec<Work>,
    /// The moves that were visited, in the order of their first visit; none beyond the plies that are kept.
    pub children: Vec<Branch>,
    /// How many moves there are.
    pub moves: usize,
}

/// What was done at a position and below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Work {
    /// Visits of the position itself.
    pub visits: u64,
    /// All visits, at it and below.
    pub nodes: u64,
    /// Leaves evaluated.
    pub leaves: u64,
    /// Visits that the table answered.
    pub answered: u64,
}

impl Branch {
    /// The moves that lead to it.
    pub fn line(&self) -> &[String] {
        &self.line
    }

    /// The leaves evaluated below it, in all passes.
    pub fn leaves(&self) -> u64 {
        self.passes.iter().map(|work| work.leaves).sum()
    }
}

pub(crate) fn explore<G: Playable>(
    board: &G,
    about: Row,
    settings: &Settings,
    budget: Budget,
    line: &[G::Move],
    plies: usize,
) -> Result<Explored, Error> {
    let mut settings = settings.clone();
    // Looking the line up once more would count as visits.
    settings.options.principal_variation = false;
    let mut search = settings.builder::<G, _>(OwnEvaluation).build::<G>()?;
    let mut watch = Watch::new(board, line, plies);
    let found = search.think_observed(board, budget, &mut Nodes(&mut watch))?;
    let row = about.concluding(&found);
    Ok(watch.explored(row))
}

/// A branch while the search runs.
struct Kept<G> {
    board: G,
    text: String,
    by: String,
    parent: usize,
    ply: usize,
    f: Bounds,
    end: Option<End>,
    work: Vec<Work>,
}

struct Watch<'l, G: Playable> {
    start: G,
    line: &'l [G::Move],
    plies: usize,
    kept: Vec<Kept<G>>,
    /// For each visit that is going on: the branch it belongs to, and whether it is that branch itself.
    open: Vec<(usize, bool)>,
    passes: Vec<Passed>,
    iteration_ended: bool,
    capped: bool,
}

impl<'l, G: Playable> Watch<'l, G> {
    fn new(start: &G, line: &'l [G::Move], plies: usize) -> Watch<'l, G> {
        let (kept, open, passes) = (Vec::new(), Vec::new(), Vec::new());
        let start = start.clone();
        let mut watch = Watch { start, line, plies, kept, open, passes, iteration_ended: false, capped: false };
        watch.reset();
        watch
    }

    fn reset(&mut self) {
        self.kept.clear();
        self.passes.clear();
        self.capped = false;
        let start = self.start.clone();
        self.keep(start, String::new(), 0, 0);
    }

    fn keep(&mut self, board: G, by: String, parent: usize, ply: usize) -> usize {
        let (text, work) = (board.to_string(), Vec::new());
        self.kept.push(Kept { board, text, by, parent, ply, f: Bounds::UNKNOWN, end: None, work });
        self.kept.len() - 1
    }

    /// The branch of a child, if it is to be kept.
    fn child(&mut self, parent: usize, position: &G) -> Option<usize> {
        let ply = self.kept[parent].ply + 1;
        if ply > self.line.len() + self.plies {
            return None;
        }
        // Positions that mirror each other may share a key, but no text.
        let text = position.to_string();
        let known = self.kept.iter().position(|kept| kept.ply == ply && kept.parent == parent && kept.text == text);
        if known.is_some() {
            return known;
        }
        if ply <= self.line.len() && self.kept[parent].board.play(self.line[ply - 1]).to_string() != text {
            return None;
        }
        if self.kept.len() == MOST_BRANCHES {
            self.capped = true;
            return None;
        }
        let before = &self.kept[parent].board;
        let by = legal_moves(before).into_iter().find(|&m| before.play(m).to_string() == text)?;
        let by = by.to_string();
        Some(self.keep(position.clone(), by, parent, ply))
    }

    fn work(&mut self, at: usize) -> &mut Work {
        let pass = self.passes.len();
        let work = &mut self.kept[at].work;
        work.resize(work.len().max(pass + 1), Work::default());
        &mut work[pass]
    }

    fn explored(mut self, row: Row) -> Explored {
        // Children come after their parents: backwards, every sum is complete before it is added.
        for at in (1..self.kept.len()).rev() {
            let (parent, work) = (self.kept[at].parent, self.kept[at].work.clone());
            let sums = &mut self.kept[parent].work;
            sums.resize(sums.len().max(work.len()), Work::default());
            for (sum, more) in sums.iter_mut().zip(work) {
                sum.nodes += more.nodes;
                sum.leaves += more.leaves;
                sum.answered += more.answered;
            }
        }
        let total = |count: fn(&Work) -> u64| self.kept[0].work.iter().map(count).sum();
        let (nodes, leaves) = (total(|work| work.nodes), total(|work| work.leaves));
        let mut at = 0;
        for &m in self.line {
            let text = self.kept[at].board.play(m).to_string();
            let next = self.kept.iter().position(|kept| kept.ply > 0 && kept.parent == at && kept.text == text);
            // A position of the line that was never visited is there too, with nothing in it.
            at = next.unwrap_or_else(|| {
                let (board, ply) = (self.kept[at].board.play(m), self.kept[at].ply + 1);
                self.keep(board, m.to_string(), at, ply)
            });
        }
        let root = self.branch(at);
        Explored { row, passes: self.passes, nodes, leaves, root, capped: self.capped }
    }

    fn branch(&self, at: usize) -> Branch {
        let kept = &self.kept[at];
        let mut line = Vec::new();
        let mut above = at;
        while above > 0 {
            line.insert(0, self.kept[above].by.clone());
            above = self.kept[above].parent;
        }
        let own = self.start.turn() == kept.board.turn();
        let Bounds { lower, upper } = kept.f;
        let (lower, upper) = if own { (lower, upper) } else { (-upper, -lower) };
        let known = |bound: emtee::Value| (bound.get().abs() < emtee::Value::INFINITY.get()).then(|| bound.get());
        let below: Vec<usize> = (at + 1..self.kept.len())
            .filter(|&child| self.kept[child].ply > 0 && self.kept[child].parent == at)
            .collect();
        let mut work = kept.work.clone();
        work.resize(self.passes.len().max(work.len()), Work::default());
        Branch {
            line,
            own,
            lower: known(lower),
            upper: known(upper),
            end: kept.end.map(|end| match end {
                End::Expanded => "expanded",
                End::Evaluated => "evaluated",
                End::Answered => "answered",
            }),
            passes: work,
            children: below.into_iter().map(|child| self.branch(child)).collect(),
            moves: legal_moves(&kept.board).len(),
        }
    }
}

impl<G: Playable> Observer<G> for Watch<'_, G> {
    fn pass(&mut self, _: Window) {
        if std::mem::take(&mut self.iteration_ended) {
            self.reset();
        }
        self.open.clear();
    }

    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        self.passes.push(Passed::new(depth, pass));
    }

    fn iteration(&mut self, _: &Iteration<G::Move>) {
        self.iteration_ended = true;
    }

    fn enter(&mut self, position: &G, _: u8, _: Window) {
        let place = match self.open.last() {
            None => {
                // MTD-best begins below the root.
                let root = self.kept[0].text == position.to_string();
                if root { (0, true) } else { self.child(0, position).map_or((0, false), |child| (child, true)) }
            }
            Some(&(at, false)) => (at, false),
            Some(&(at, true)) => self.child(at, position).map_or((at, false), |child| (child, true)),
        };
        self.open.push(place);
    }

    fn leave(&mut self, _: &G, visit: &Visit) {
        let Some((at, itself)) = self.open.pop() else { return };
        let work = self.work(at);
        work.nodes += 1;
        work.visits += u64::from(itself);
        work.leaves += u64::from(visit.end == End::Evaluated);
        work.answered += u64::from(visit.end == End::Answered);
        if itself {
            let kept = &mut self.kept[at];
            let both = Bounds { lower: kept.f.lower.max(visit.f.lower), upper: kept.f.upper.min(visit.f.upper) };
            kept.f = if both.crossed() { visit.f } else { both };
            kept.end = Some(visit.end);
        }
    }
}
