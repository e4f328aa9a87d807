//! Explicit trees, as positions that own their tree.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use emtee::{Game, Moves, Outcome, Side, Tuning, key_of, mix};
use emtee_games::tree::{Tree, TreeNode};

/// A node of an explicit tree.
#[derive(Clone)]
pub(crate) struct TreePosition {
    tree: Arc<Tree>,
    /// A hash of the tree, since a table may hold entries of several trees.
    stamp: u64,
    id: u32,
}

impl TreePosition {
    pub(crate) fn new(tree: Tree) -> TreePosition {
        let stamp = key_of(&tree);
        TreePosition { tree: Arc::new(tree), stamp, id: 0 }
    }

    pub(crate) fn node(&self) -> TreeNode<'_> {
        self.tree.node(self.id).unwrap_or_else(|| self.tree.root())
    }
}

impl Game for TreePosition {
    type Move = u16;

    const TUNING: Tuning = TreeNode::TUNING;

    fn turn(&self) -> Side {
        self.node().turn()
    }

    fn moves(&self, moves: &mut Moves<u16>) {
        self.node().moves(moves);
    }

    fn play(&self, m: u16) -> TreePosition {
        TreePosition { id: self.node().play(m).id(), ..self.clone() }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.node().outcome()
    }

    fn evaluate(&self) -> i32 {
        self.node().evaluate()
    }

    fn key(&self) -> u64 {
        mix(self.stamp ^ u64::from(self.id))
    }
}

impl Hash for TreePosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.stamp, self.id).hash(state);
    }
}

/// The subtree as a nested list, also with `{:#}`.
impl fmt::Display for TreePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.node())
    }
}
