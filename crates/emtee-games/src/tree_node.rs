//! The nodes of an explicit tree, as positions of a game.

use std::fmt;
use std::hash::{Hash, Hasher};

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning, Value, mix};

use crate::notation;
use crate::tree::{Leaf, Node, Tree};

/// A node of a [`Tree`], as a position of a game.
///
/// Its moves are the numbers of its children, from 0. At a leaf the side to move is the one that did not move before. This only
/// decides the sign of the values that [`Game`] returns. In a tree of one leaf MAX is to move.
#[derive(Clone, Copy)]
pub struct TreeNode<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) id: u32,
}

impl<'a> TreeNode<'a> {
    fn node(self) -> &'a Node {
        &self.tree.nodes[self.id as usize]
    }

    /// The tree of the node.
    pub fn tree(self) -> &'a Tree {
        self.tree
    }

    /// The number of the node in the tree: 0 is the root, then depth by depth from left to right.
    pub fn id(self) -> u32 {
        self.id
    }

    /// Whether MAX is to move.
    pub fn is_max(self) -> bool {
        self.node().side == Side::First
    }

    /// The value written at a leaf; `None` at an inner node.
    pub fn leaf(self) -> Option<Leaf> {
        self.node().leaf
    }

    /// The value of a leaf from MAX's view; `None` at an inner node.
    pub fn value(self) -> Option<Value> {
        self.leaf().and_then(Leaf::value)
    }

    /// The parent; `None` for the root.
    pub fn parent(self) -> Option<TreeNode<'a>> {
        (self.id > 0).then(|| TreeNode { id: self.node().parent, ..self })
    }

    /// The children from left to right. A leaf has none.
    pub fn children(self) -> impl ExactSizeIterator<Item = TreeNode<'a>> + DoubleEndedIterator {
        (0..self.node().children).map(move |n| TreeNode { id: self.node().first_child + u32::from(n), ..self })
    }

    /// The child with this number, counted from 0.
    pub fn child(self, number: u16) -> Option<TreeNode<'a>> {
        self.children().nth(usize::from(number))
    }

    /// The number of plies from the root.
    pub fn depth(self) -> u8 {
        self.node().depth
    }

    /// The number of plies to the deepest leaf below.
    pub fn height(self) -> u8 {
        self.node().height
    }
}

impl Game for TreeNode<'_> {
    type Move = u16;

    const TUNING: Tuning = Tuning {
        // The written order of the children is part of the experiment.
        ordering: MoveOrdering::AS_GIVEN,
        // As in the theory, every leaf counts once.
        store_leaves: true,
        // The theory has no ETC.
        etc: None,
        ..Tuning::DEFAULT
    };

    fn turn(&self) -> Side {
        self.node().side
    }

    fn moves(&self, moves: &mut Moves<u16>) {
        for child in 0..self.node().children {
            moves.push(child);
        }
    }

    /// A move without a child leaves the position as it is.
    fn play(&self, child: u16) -> Self {
        self.child(child).unwrap_or(*self)
    }

    fn code(&self, child: u16, _: usize) -> u16 {
        child
    }

    fn outcome(&self) -> Option<Outcome> {
        let max = self.is_max();
        self.leaf().map(|leaf| match leaf {
            Leaf::Points(points) => Outcome::Points(if max { points } else { -points }),
            Leaf::Draw => Outcome::Drawn,
            Leaf::Win if max => Outcome::Won,
            Leaf::Loss if !max => Outcome::Won,
            Leaf::Win | Leaf::Loss => Outcome::Lost,
        })
    }

    /// The points of a leaf, 0 at an inner node.
    fn evaluate(&self) -> i32 {
        match self.outcome() {
            Some(Outcome::Points(points)) => points,
            Some(Outcome::Won) => Value::MAX_SCORE,
            Some(Outcome::Lost) => -Value::MAX_SCORE,
            _ => 0,
        }
    }

    fn key(&self) -> u64 {
        mix(u64::from(self.id))
    }
}

/// Nodes are equal if they are the same node of the same tree.
impl PartialEq for TreeNode<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.id == other.id
    }
}

impl Eq for TreeNode<'_> {}

impl Hash for TreeNode<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

/// Writes the subtree as a nested list that parses to the same game.
impl fmt::Display for TreeNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        notation::write(f, *self, Side::First)
    }
}

impl fmt::Debug for TreeNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TreeNode {} {self}", self.id)
    }
}
