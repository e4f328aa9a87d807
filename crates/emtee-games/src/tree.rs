//! Explicit trees: a game given by its tree.
//!
//! A tree is a nested list of leaf values from MAX's view. MAX moves at the root, and the sides alternate:
//!
//! ```
//! use emtee::{Budget, Game, player};
//! use emtee_games::tree::{Tree, TreeNode};
//!
//! let tree: Tree = "((41 5) (12 90))".parse()?;
//! let mut ai = player(TreeNode::evaluate).build()?;
//! assert_eq!(ai.think(&tree.root(), Budget::depth(2))?.value.unwrap().get(), 12);
//!
//! # #[cfg(feature = "json")] {
//! let same: Tree = "[[41, 5], [12, 90]]".parse()?; // with the feature `json`
//! assert_eq!(tree, same);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * A list can begin with `max` or `min`, the side to move there, so that a side can move twice: `((max 3 4) 5)`. In JSON
//!   this is `[{"max": [3, 4]}, 5]`.
//! * A leaf is an integer within ±31000, or `win`, `loss` or `draw` for MAX. The value of a win or loss depends on its
//!   distance; an integer has the same value at any depth.
//! * White space, commas and `|` are separators.

use std::fmt;
use std::str::FromStr;

use emtee::{Side, Value};

use crate::error::{Error, ErrorKind};
use crate::notation;
pub use crate::tree_node::TreeNode;

/// The maximum depth of a tree. Recursion this deep cannot overflow the stack.
pub const MAX_DEPTH: usize = 200;

/// A tree in breadth-first layout: nodes of one depth are contiguous, and so are siblings. See the [module](self).
#[doc(alias("explicit tree"))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    infinity: Option<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    /// The root is its own parent.
    pub(crate) parent: u32,
    pub(crate) first_child: u32,
    /// The number of children: 0 for a leaf.
    pub(crate) children: u16,
    pub(crate) side: Side,
    pub(crate) depth: u8,
    pub(crate) height: u8,
    pub(crate) leaf: Option<Leaf>,
}

/// The value of a leaf for MAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// A number of points.
    Points(i32),
    /// MAX has won.
    Win,
    /// MAX has lost.
    Loss,
    /// A draw.
    Draw,
}

impl Leaf {
    /// The value from MAX's view; `None` if the points are outside the range of scores.
    pub const fn value(self) -> Option<Value> {
        match self {
            Leaf::Points(points) => Value::score(points),
            Leaf::Win => Some(Value::win_in(0)),
            Leaf::Loss => Some(Value::loss_in(0)),
            Leaf::Draw => Value::score(0),
        }
    }
}

/// A tree as a recursive type, easy to build by hand or at random. [`Tree::from_nested`] converts it into a [`Tree`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A leaf.
    Leaf(Leaf),
    /// An inner node.
    Node {
        /// The side to move; MAX is [`Side::First`]. `None`: MAX at the root, elsewhere the side that did not move before.
        side: Option<Side>,
        /// One for each move, in order.
        children: Vec<Shape>,
    },
}

impl Tree {
    /// The worked example of the paper (section 2.2, figures 3 to 7), with 1000 for +∞.
    ///
    /// ```
    /// use emtee_games::tree::Tree;
    /// let paper = Tree::paper();
    /// assert_eq!(
    ///     paper.to_string(),
    ///     "((((41 5) (12 90)) ((101 80) (20 30))) (((34 80) (36 35)) ((50 36) (25 3))))"
    /// );
    /// assert_eq!(paper.infinity(), Some(1000));
    /// ```
    #[doc(alias("worked example"))]
    pub fn paper() -> Tree {
        let leaves = [41, 5, 12, 90, 101, 80, 20, 30, 34, 80, 36, 35, 50, 36, 25, 3];
        let mut level = leaves.map(|points| Shape::Leaf(Leaf::Points(points))).to_vec();
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| Shape::Node { side: None, children: pair.to_vec() }).collect();
        }
        match Tree::from_nested(&level[0]).and_then(|tree| tree.with_infinity(1000)) {
            Ok(tree) => tree,
            Err(error) => unreachable!("the paper's tree is valid: {error}"),
        }
    }

    /// Converts a nested tree.
    ///
    /// An error for inner nodes without children or with more than 65,535, leaf values outside ±31000, trees deeper than
    /// [`MAX_DEPTH`], and more than 2³² nodes.
    ///
    /// ```
    /// use emtee_games::tree::{Leaf, Shape, Tree};
    /// let leaf = |points| Shape::Leaf(Leaf::Points(points));
    /// let tree = Tree::from_nested(&Shape::Node { side: None, children: vec![leaf(3), leaf(-4)] })?;
    /// assert_eq!(tree.to_string(), "(3 -4)");
    /// # Ok::<(), emtee_games::Error>(())
    /// ```
    pub fn from_nested(shape: &Shape) -> Result<Tree, Error> {
        // Breadth first: node n is made from shapes[n], and the children of a node have consecutive numbers.
        let mut shapes = vec![shape];
        let mut nodes = vec![Node::new(0, 0, shape, Side::First)];
        let mut next = 0;
        while let Some(&shape) = shapes.get(next) {
            match shape {
                Shape::Leaf(leaf) if leaf.value().is_none() => {
                    let Leaf::Points(points) = leaf else { unreachable!("only points have a range") };
                    return Err(Error::new(ErrorKind::Number, out_of_range(points)));
                }
                Shape::Leaf(_) => {}
                Shape::Node { children, .. } => {
                    let node = nodes[next];
                    let (Ok(number), Ok(first_child)) = (u32::try_from(next), u32::try_from(nodes.len())) else {
                        return Err(Error::new(ErrorKind::Length, "a tree has at most 2^32 nodes"));
                    };
                    nodes[next].first_child = first_child;
                    nodes[next].children = match u16::try_from(children.len()) {
                        Ok(0) => return Err(Error::new(ErrorKind::Length, NO_CHILDREN)),
                        Ok(count) => count,
                        Err(_) => return Err(Error::new(ErrorKind::Length, "a node has at most 65535 children")),
                    };
                    if usize::from(node.depth) == MAX_DEPTH {
                        let message = format!("a tree is at most {MAX_DEPTH} plies deep");
                        return Err(Error::new(ErrorKind::Length, message));
                    }
                    nodes.extend(children.iter().map(|child| Node::new(number, node.depth + 1, child, !node.side)));
                    shapes.extend(children);
                }
            }
            next += 1;
        }
        // Children come after their parents: in reverse order, the height of a node is final before it is passed to its parent.
        for n in (1..nodes.len()).rev() {
            let parent = nodes[n].parent as usize;
            nodes[parent].height = nodes[parent].height.max(nodes[n].height + 1);
        }
        Ok(Tree { nodes, infinity: None })
    }

    /// Sets a number that stands for +∞, the first bound of drivers that start from above. It must exceed the absolute value of
    /// every leaf: otherwise such a driver could start below the value.
    ///
    /// ```
    /// use emtee_games::tree::Tree;
    /// let tree: Tree = "((41 5) (12 90))".parse()?;
    /// let error = tree.with_infinity(90).unwrap_err();
    /// assert_eq!(error.to_string(), "90 cannot stand for infinity: there is a leaf of 90; take 91 or more");
    /// # Ok::<(), emtee_games::Error>(())
    /// ```
    pub fn with_infinity(mut self, infinity: i32) -> Result<Tree, Error> {
        let refused = |reason: String| {
            Err(Error::new(ErrorKind::Number, format!("{infinity} cannot stand for infinity: {reason}")))
        };
        if Value::score(infinity).is_none() {
            return refused(format!("it is outside ±{}, the range of scores", Value::MAX_SCORE));
        }
        for leaf in self.nodes.iter().filter_map(|node| node.leaf) {
            match leaf {
                Leaf::Win | Leaf::Loss => return refused("there are wins or losses, which exceed every number".into()),
                Leaf::Points(points) if points.abs() >= infinity => {
                    return refused(format!("there is a leaf of {points}; take {} or more", points.abs() + 1));
                }
                _ => {}
            }
        }
        self.infinity = Some(infinity);
        Ok(self)
    }

    /// The number that stands for +∞, if one is set. It is not part of the text of a tree.
    pub fn infinity(&self) -> Option<i32> {
        self.infinity
    }

    /// The root.
    pub fn root(&self) -> TreeNode<'_> {
        TreeNode { tree: self, id: 0 }
    }

    /// The node with this [`id`](TreeNode::id).
    pub fn node(&self, id: u32) -> Option<TreeNode<'_>> {
        ((id as usize) < self.nodes.len()).then_some(TreeNode { tree: self, id })
    }

    /// All nodes in the order of their [`id`](TreeNode::id)s: the root first, then depth by depth from left to right.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = TreeNode<'_>> {
        (0..self.nodes.len()).map(|id| TreeNode { tree: self, id: id as u32 })
    }

    /// The number of plies from the root to the deepest leaf.
    pub fn height(&self) -> u8 {
        self.root().height()
    }
}

pub(crate) const NO_CHILDREN: &str = "a node needs at least one child, and this list is empty";

pub(crate) fn out_of_range(points: impl fmt::Display) -> String {
    format!("a leaf of {points} is outside ±{}, the range of scores", Value::MAX_SCORE)
}

impl Node {
    /// A node of this shape, without the numbers of its children.
    fn new(parent: u32, depth: u8, shape: &Shape, usual_side: Side) -> Node {
        let (side, leaf) = match *shape {
            Shape::Leaf(leaf) => (usual_side, Some(leaf)),
            Shape::Node { side, .. } => (side.unwrap_or(usual_side), None),
        };
        Node { parent, first_child: 0, children: 0, side, depth, height: 0, leaf }
    }
}

impl FromStr for Tree {
    type Err = Error;

    /// Reads JSON if the text begins with `[` or `{`, which requires the feature `json`, else a nested list.
    fn from_str(text: &str) -> Result<Tree, Error> {
        Tree::from_nested(&notation::read(text)?)
    }
}

/// Writes the nested list.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emtee::{Budget, Game, Outcome, OwnEvaluation, laws, player};
    use proptest::prelude::*;

    fn tree(text: &str) -> Tree {
        text.parse().unwrap()
    }

    /// The value of a node from MAX's view, without the library's search.
    fn minimax(node: TreeNode<'_>) -> Value {
        let values = node.children().map(|child| minimax(child).age());
        let best = if node.is_max() { values.max() } else { values.min() };
        best.or(node.value()).unwrap()
    }

    #[test]
    fn the_value_of_the_paper_tree_is_35() {
        let paper = Tree::paper();
        assert_eq!(minimax(paper.root()).get(), 35);
        assert_eq!((paper.height(), paper.nodes().len()), (4, 31));
        let leaves: Vec<i32> = paper.nodes().filter_map(TreeNode::value).map(Value::get).collect();
        assert_eq!(leaves, [41, 5, 12, 90, 101, 80, 20, 30, 34, 80, 36, 35, 50, 36, 25, 3]);
    }

    #[test]
    fn nodes_have_depths_heights_and_parents() {
        let tree = tree("((41 5) (12 90) 7)");
        let root = tree.root();
        assert_eq!((root.depth(), root.height(), root.parent(), root.is_max()), (0, 2, None, true));
        let second = root.child(1).unwrap();
        assert_eq!((second.id(), second.depth(), second.height(), second.is_max()), (2, 1, 1, false));
        assert_eq!(second.parent(), Some(root));
        assert_eq!(second.children().map(|leaf| leaf.value().unwrap().get()).collect::<Vec<_>>(), [12, 90]);
        assert_eq!(root.child(2).unwrap().leaf(), Some(Leaf::Points(7)));
        assert_eq!((root.child(3), tree.node(7).map(TreeNode::id), tree.node(8)), (None, Some(7), None));
        assert!(tree.nodes().all(|node| node.children().all(|child| child.parent() == Some(node))));
        assert_eq!(second.to_string(), "(min 12 90)");
    }

    #[test]
    fn outcomes_are_for_the_side_to_move() {
        for (text, outcome) in [
            ("(3)", Outcome::Points(-3)),
            ("(min 3)", Outcome::Points(3)),
            ("(win)", Outcome::Lost),
            ("(loss)", Outcome::Won),
            ("(min win)", Outcome::Won),
            ("(min loss)", Outcome::Lost),
            ("(draw)", Outcome::Drawn),
        ] {
            assert_eq!(tree(text).root().play(0).outcome(), Some(outcome), "{text}");
        }
        assert_eq!(tree("17").root().outcome(), Some(Outcome::Points(17)));
    }

    #[test]
    fn a_side_can_move_again() {
        let again = tree("((max 3 4) (2 9))");
        assert_eq!(minimax(again.root()).get(), 4);
        assert!(again.root().play(0).is_max());
        assert!(!again.root().play(1).is_max());
    }

    #[test]
    fn infinity_exceeds_every_leaf() {
        assert_eq!(tree("(3 -7)").with_infinity(8).unwrap().infinity(), Some(8));
        for (text, infinity, reason) in [
            ("(3 -7)", 7, "7 cannot stand for infinity: there is a leaf of -7; take 8 or more"),
            ("(3 win)", 9, "9 cannot stand for infinity: there are wins or losses, which exceed every number"),
            ("(3)", 31_001, "31001 cannot stand for infinity: it is outside ±31000, the range of scores"),
            ("(0)", i32::MIN, "-2147483648 cannot stand for infinity: it is outside ±31000, the range of scores"),
        ] {
            assert_eq!(tree(text).with_infinity(infinity).unwrap_err().to_string(), reason);
        }
    }

    #[test]
    fn invalid_shapes_are_refused() {
        let leaf = |points| Shape::Leaf(Leaf::Points(points));
        let node = |children| Shape::Node { side: None, children };
        let refusal = |shape: Shape| Tree::from_nested(&shape).unwrap_err().to_string();
        assert_eq!(refusal(node(vec![])), "a node needs at least one child, and this list is empty");
        assert_eq!(refusal(node(vec![leaf(31_001)])), "a leaf of 31001 is outside ±31000, the range of scores");
        assert_eq!(refusal(node(vec![leaf(0); 65_536])), "a node has at most 65535 children");
        let deep = |plies| (0..plies).fold(leaf(0), |shape, _| node(vec![shape]));
        assert_eq!(Tree::from_nested(&deep(200)).unwrap().height(), 200);
        assert_eq!(refusal(deep(201)), "a tree is at most 200 plies deep");
    }

    /// Trees with many ties, several moves in a row, wins and losses.
    fn shapes() -> impl Strategy<Value = Shape> {
        let leaf = prop_oneof![
            6 => (-4..=4).prop_map(Leaf::Points),
            1 => prop_oneof![Just(Leaf::Win), Just(Leaf::Loss), Just(Leaf::Draw)],
        ];
        let side = prop_oneof![4 => Just(None), 1 => Just(Some(Side::First)), 1 => Just(Some(Side::Second))];
        leaf.prop_map(Shape::Leaf).prop_recursive(5, 60, 4, move |inner| {
            (side.clone(), prop::collection::vec(inner, 1..=4))
                .prop_map(|(side, children)| Shape::Node { side, children })
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(shape in shapes()) {
            let tree = Tree::from_nested(&shape).unwrap();
            prop_assert_eq!(tree.to_string().parse(), Ok(tree));
        }

        #[test]
        fn trees_keep_the_laws_and_have_their_minimax_values(shape in shapes()) {
            let tree = Tree::from_nested(&shape).unwrap();
            let root = tree.root();
            prop_assert_eq!(laws::check(&root, &OwnEvaluation, 5, 1).err(), None);
            if tree.height() > 0 {
                let mut ai = player(TreeNode::evaluate).build().unwrap();
                let found = ai.think(&root, Budget::depth(tree.height())).unwrap();
                let value = if root.is_max() { found.value.unwrap() } else { -found.value.unwrap() };
                prop_assert_eq!(value, minimax(root));
            }
        }
    }
}
