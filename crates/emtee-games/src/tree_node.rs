//! The nodes of an explicit tree, as positions of a game.

use std::fmt;
use std::hash::{Hash, Hasher};

use emtee::{Game, MoveOrdering, Moves, Outcome, Side, Tuning, Value, mix};

use crate::notation;
use crate::tree::{Leaf, Node, Tree};

/// A node of a [`Tree`]: a position of the game that the tree is.
///
/// Its moves are the numbers of its children, from 0. At a leaf it is the turn of the side that did not move before,
/// which matters only for the sign of what [`Game`] says of it; a tree that is one leaf has MAX to move.
#[derive(Clone, Copy)]
pub struct TreeNode<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) id: u32,
}

impl<'a> TreeNode<'a> {
    fn node(self) -> &'a Node {
        &self.tree.nodes[self.id as usize]
    }

    /// The tree it belongs to.
    pub fn tree(self) -> &'a Tree {
        self.tree
    }

    /// Its number in the tree: 0 is the root, then depth by depth from left to right.
    pub fn id(self) -> u32 {
        self.id
    }

    /// Whether MAX is to move.
    pub fn is_max(self) -> bool {
        self.node().side == Side::First
    }

    /// What is written at a leaf.
    pub fn leaf(self) -> Option<Leaf> {
        self.node().leaf
    }

    /// The value of a leaf, as MAX sees it.
    pub fn value(self) -> Option<Value> {
        self.leaf().and_then(Leaf::value)
    }

    /// The node above, unless this is the root.
    pub fn parent(self) -> Option<TreeNode<'a>> {
        (self.id > 0).then(|| TreeNode { id: self.node().parent, ..self })
    }

    /// The nodes below, from left to right. A leaf has none.
    pub fn children(self) -> impl ExactSizeIterator<Item = TreeNode<'a>> + DoubleEndedIterator {
        (0..self.node().children).map(move |n| TreeNode { id: self.node().first_child + u32::from(n), ..self })
    }

    /// The child with this number, from 0.
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
        // The order in which the tree is written is part of the experiment.
        ordering: MoveOrdering::AS_GIVEN,
        // Theory counts every leaf once.
        store_leaves: true,
        // And knows no cutoffs of this kind.
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

    /// A move that is not in the list leads nowhere.
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

    /// The points of a leaf; 0 elsewhere, since a tree says nothing about its inner nodes.
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

/// The same node of the same tree.
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

/// The node and what is below, as a nested list that stands for the same game on its own.
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
