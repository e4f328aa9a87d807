//! Explicit trees: searches of a tree given as text, in the given move order, at one fixed depth.
//!
//! ```
//! use emtee_engine::{TreeSearch, tree_names};
//! use emtee_games::tree::Tree;
//!
//! let tree = Tree::paper();
//! assert_eq!(tree_names(&tree)?[23], "k"); // The leaf 34, whatever searches the tree.
//! let found = TreeSearch::by("mtd-f".parse()?).run(&tree, &mut ())?;
//! assert_eq!(found.value.unwrap().get(), 35);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use emtee::research::{Gamma, Iteration, MoveOrdering, Observer, Pass, Visit, Window};
use emtee::{Algorithm, Bounds, Budget, Found, Game, MAX_DEPTH, OwnEvaluation, Search, Size, Value, player};
use emtee_games::tree::{Tree, TreeNode};

use crate::error::Error;

/// The settings of a search of a tree. Moves are not reordered. By default the table stores every leaf and evicts nothing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TreeSearch {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The first guess, for the algorithms that use one.
    pub first: Option<Value>,
    /// The number of table entries. `None`: enough to evict nothing.
    pub entries: Option<usize>,
    /// A limit on the number of nodes.
    pub nodes: Option<u64>,
}

impl TreeSearch {
    /// The default search with this algorithm.
    pub fn by(algorithm: Algorithm) -> TreeSearch {
        TreeSearch { algorithm, first: None, entries: None, nodes: None }
    }

    /// Searches the tree to its full height. The observer sees every node.
    pub fn run<'t>(
        &self,
        tree: &'t Tree,
        observer: &mut dyn Observer<TreeNode<'t>>,
    ) -> Result<Found<u16>, emtee::Error> {
        let budget = Budget { nodes: self.nodes, ..Budget::depth(depth(tree)) };
        self.search(tree)?.think_observed(&tree.root(), budget, &mut DynObserver(observer))
    }

    /// Runs passes of MT with a γ chosen by the caller, one after the other on one table.
    ///
    /// `next` gets the bounds so far and returns the next γ, or `None` to stop.
    pub fn passes<'t>(
        &self,
        tree: &'t Tree,
        observer: &mut dyn Observer<TreeNode<'t>>,
        next: &mut dyn FnMut(Bounds) -> Option<Gamma>,
    ) -> Result<Bounds, emtee::Error> {
        let mut search = self.search(tree)?;
        let (depth, root) = (depth(tree), tree.root());
        let mut f = range(tree).unwrap_or(Bounds::UNKNOWN);
        while f.lower < f.upper
            && let Some(gamma) = next(f)
        {
            let mut pass = search.research().pass_observed(&root, depth, gamma, &mut DynObserver(observer))?;
            f = Bounds { lower: f.lower.max(pass.f.lower), upper: f.upper.min(pass.f.upper) };
            pass.f = f;
            observer.passed(depth, &pass);
        }
        Ok(f)
    }

    fn search<'t>(&self, tree: &'t Tree) -> Result<Search<TreeNode<'t>, OwnEvaluation>, emtee::Error> {
        let mut builder = player(OwnEvaluation)
            .algorithm(self.algorithm)
            .fixed_depth()
            .with(|options| options.ordering = Some(MoveOrdering::AS_GIVEN));
        if !self.algorithm.is_oracle() {
            // Enough for every node many times over.
            let ample = (64 * tree.nodes().len()).clamp(1 << 12, 1 << 24);
            builder = builder.table(Size::of_entries(self.entries.unwrap_or(ample)));
        }
        if let Some(range) = range(tree).filter(|_| self.algorithm.uses_range()) {
            builder = builder.with(|options| options.range = range);
        }
        if let Some(first) = self.first {
            builder = builder.with(|options| options.first_guess = Some(first));
        }
        builder.build()
    }
}

/// An event of a search of a tree, in the terms of the search: values and windows are those of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TreeEvent {
    /// A pass begins.
    PassStart(Window),
    /// A node is about to be visited.
    Enter {
        /// Its number.
        node: u32,
        /// The window.
        window: Window,
    },
    /// A node has been visited.
    Leave {
        /// Its number.
        node: u32,
        /// The visit.
        visit: Visit,
    },
    /// A pass is finished.
    PassEnd(Pass<u16>),
}

/// The recorder of a search of a tree: all its events, in their order.
///
/// ```
/// use emtee_engine::{TreeEvent, TreeRecorder, TreeSearch};
/// use emtee_games::tree::Tree;
///
/// let (tree, mut recorder) = (Tree::paper(), TreeRecorder::default());
/// TreeSearch::by("sss".parse()?).run(&tree, &mut recorder)?;
/// let passes = recorder.events.iter().filter(|event| matches!(event, TreeEvent::PassEnd(_)));
/// assert_eq!(passes.count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TreeRecorder {
    /// The events.
    pub events: Vec<TreeEvent>,
}

impl<'t> Observer<TreeNode<'t>> for TreeRecorder {
    fn pass(&mut self, window: Window) {
        self.events.push(TreeEvent::PassStart(window));
    }

    fn passed(&mut self, _: u8, pass: &Pass<u16>) {
        self.events.push(TreeEvent::PassEnd(*pass));
    }

    fn enter(&mut self, n: &TreeNode<'t>, _: u8, window: Window) {
        self.events.push(TreeEvent::Enter { node: n.id(), window });
    }

    fn leave(&mut self, n: &TreeNode<'t>, visit: &Visit) {
        self.events.push(TreeEvent::Leave { node: n.id(), visit: *visit });
    }
}

/// Whether an algorithm starts from a first guess that can be chosen.
pub const fn uses_first_guess(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::MtdF
            | Algorithm::MtdFFigure8
            | Algorithm::MtdGallop { .. }
            | Algorithm::MtdBest(_)
            | Algorithm::AspirationNegaScout { .. }
    )
}

fn depth(tree: &Tree) -> u8 {
    tree.root().height().min(MAX_DEPTH)
}

/// The known range of the value, if the tree has a value that stands for infinity.
fn range(tree: &Tree) -> Option<Bounds> {
    let upper = Value::score(tree.infinity()?)?;
    Some(Bounds { lower: -upper, upper })
}

/// A letter for each node, by its number. Nodes visited by SSS* come first, in the order of their first visit, as in
/// the paper's figures; then the others from left to right. The name of a node does not depend on the algorithm.
pub fn tree_names(tree: &Tree) -> Result<Vec<String>, Error> {
    let mut order = VisitOrder(vec![None; tree.nodes().len()], 0);
    if tree.root().leaf().is_none() {
        TreeSearch::by(Algorithm::Sss).run(tree, &mut order)?;
    }
    let mut stack = vec![tree.root()];
    while let Some(n) = stack.pop() {
        order.name(n.id());
        stack.extend(n.children().rev());
    }
    Ok(order.0.into_iter().flatten().map(letters).collect())
}

/// Numbers nodes in visiting order.
struct VisitOrder(Vec<Option<usize>>, usize);

impl VisitOrder {
    fn name(&mut self, id: u32) {
        let number = &mut self.0[id as usize];
        if number.is_none() {
            *number = Some(self.1);
            self.1 += 1;
        }
    }
}

impl<'t> Observer<TreeNode<'t>> for VisitOrder {
    fn enter(&mut self, n: &TreeNode<'t>, _: u8, _: Window) {
        self.name(n.id());
    }
}

/// a, b, … z, aa, ab, …
fn letters(mut n: usize) -> String {
    let mut name = Vec::new();
    loop {
        name.insert(0, b'a' + (n % 26) as u8);
        if n < 26 {
            return name.into_iter().map(char::from).collect();
        }
        n = n / 26 - 1;
    }
}

/// Forwards everything to an observer. All observers have this one type, so that the search is compiled once.
pub(crate) struct DynObserver<'o, G>(pub(crate) &'o mut dyn Observer<G>);

impl<G: Game> Observer<G> for DynObserver<'_, G> {
    fn pass(&mut self, window: Window) {
        self.0.pass(window);
    }

    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        self.0.passed(depth, pass);
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.0.iteration(iteration);
    }

    fn enter(&mut self, position: &G, depth: u8, window: Window) {
        self.0.enter(position, depth, window);
    }

    fn leave(&mut self, position: &G, visit: &Visit) {
        self.0.leave(position, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_on_after_z() {
        let names = [0, 25, 26, 27, 51, 52, 701, 702].map(letters);
        assert_eq!(names, ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
    }

    #[test]
    fn the_paper_s_nodes_have_the_paper_s_names() {
        let tree = Tree::paper();
        let names = tree_names(&tree).unwrap();
        let named = |name: &str| {
            let id = names.iter().position(|other| other == name).unwrap();
            tree.node(id as u32).unwrap().value().map(Value::get)
        };
        let leaves = [("e", 41), ("g", 12), ("k", 34), ("m", 36), ("n", 5), ("o", 35), ("r", 50), ("s", 36)];
        for (name, value) in leaves {
            assert_eq!(named(name), Some(value), "{name}");
        }
        let mut different = names.clone();
        different.sort();
        different.dedup();
        assert_eq!((different.len(), names[0].as_str()), (31, "a"));
    }

    #[test]
    fn passes_take_gamma_from_the_caller() {
        let tree = Tree::paper();
        let mut bounds = [1000, 41, 36, 35].into_iter();
        let mut sss = |_| bounds.next().and_then(Value::score).map(Gamma::below);
        let f = TreeSearch::by(Algorithm::Sss).passes(&tree, &mut (), &mut sss).unwrap();
        assert_eq!(f.exact().map(Value::get), Some(35));
    }

    #[test]
    fn a_small_table_evaluates_leaves_again() {
        let tree = Tree::paper();
        let leaves = |entries| {
            let search = TreeSearch { entries, ..TreeSearch::by(Algorithm::Sss) };
            search.run(&tree, &mut ()).unwrap().counts.nbp
        };
        assert_eq!(leaves(None), 8);
        assert!(leaves(Some(4)) > 8);
    }
}
