//! Stockman's SSS* of 1979, and DUAL*, with OPEN lists: oracles without a table.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::game::{Evaluate, Game, Ranked, Side};
use crate::limits::Stopped;
use crate::node::{Keyed, Worker};
use crate::observer::{End, Observer};
use crate::value::{Value, Window};

/// Which of the two algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mirror {
    /// SSS*: merits are upper bounds on the root's value, and the greatest is taken first.
    Sss,
    /// DUAL*: the same with MAX and MIN exchanged, and so with every value negated.
    Dual,
}

/// A node of the tree that the search has generated.
struct TreeNode<G: Game> {
    position: G,
    m: Option<Ranked<G::Move>>,
    parent: Option<usize>,
    depth: u8,
    children: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Status {
    Live,
    Solved,
}

/// The path from the root to a node, as child indices; paths sort from left to right.
type Path = Vec<usize>;

/// The OPEN list: states by decreasing merit; of equal merits, the leftmost in the tree first.
#[derive(Default)]
struct Open {
    order: BTreeSet<(Reverse<Value>, Path)>,
    states: BTreeMap<Path, (Value, usize, Status)>,
}

impl Open {
    fn insert(&mut self, merit: Value, path: Path, index: usize, status: Status) {
        self.order.insert((Reverse(merit), path.clone()));
        self.states.insert(path, (merit, index, status));
    }

    fn pop(&mut self) -> Option<(Value, Path, usize, Status)> {
        let (Reverse(merit), path) = self.order.pop_first()?;
        let (_, index, status) = self.states.remove(&path)?;
        Some((merit, path, index, status))
    }

    /// Removes all states below the node at a path.
    fn purge(&mut self, above: &Path) {
        while let Some((path, &(merit, ..))) = self.states.range::<Path, _>(above..).next()
            && path.starts_with(above)
        {
            let path = path.clone();
            self.states.remove(&path);
            self.order.remove(&(Reverse(merit), path));
        }
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Worker<'_, G, E, O> {
    /// The value of the root, by Stockman's Γ operator. It tests the type of a node's parent where Stockman tests the type of
    /// the node, because the same side may move again.
    pub(crate) fn stockman(&mut self, root: &G, depth: u8, mirror: Mirror) -> Result<Value, Stopped> {
        let max = if mirror == Mirror::Sss { root.turn() } else { !root.turn() };
        let mut nodes = vec![TreeNode { position: root.clone(), m: None, parent: None, depth, children: Vec::new() }];
        let mut lowest_merit = Value::INFINITY;
        let mut open = Open::default();
        open.insert(Value::INFINITY, Path::new(), 0, Status::Live);

        while let Some((merit, mut path, index, status)) = open.pop() {
            match (status, nodes[index].parent) {
                (Status::Live, _) => match self.visit_live(&mut nodes, index, max)? {
                    Some(value) => open.insert(merit.min(value), path, index, Status::Solved),
                    // All children of a MAX node, the first of a MIN node.
                    None => {
                        let count = if nodes[index].position.turn() == max { nodes[index].children.len() } else { 1 };
                        for (which, &child) in nodes[index].children[..count].iter().enumerate() {
                            let mut below = path.clone();
                            below.push(which);
                            open.insert(merit, below, child, Status::Live);
                        }
                    }
                },
                (Status::Solved, None) => return Ok(if mirror == Mirror::Sss { merit } else { -merit }),
                (Status::Solved, Some(parent)) => {
                    if parent == 0 && merit < lowest_merit {
                        (lowest_merit, self.own.root_move) = (merit, nodes[index].m);
                    }
                    let which = path.pop().unwrap_or_default();
                    if nodes[parent].position.turn() == max {
                        // The best child of a MAX node solves it: the other states below it are not needed.
                        open.purge(&path);
                        open.insert(merit, path, parent, Status::Solved);
                    } else if let Some(&sibling) = nodes[parent].children.get(which + 1) {
                        path.push(which + 1);
                        open.insert(merit, path, sibling, Status::Live);
                    } else {
                        open.insert(merit, path, parent, Status::Solved);
                    }
                }
            }
        }
        unreachable!("OPEN holds a state until the root is solved")
    }

    /// Visits a live node. Returns the value of a leaf, seen from the root by MAX; `None` after generating the children.
    fn visit_live(&mut self, nodes: &mut Vec<TreeNode<G>>, index: usize, max: Side) -> Result<Option<Value>, Stopped> {
        let n = Keyed { position: nodes[index].position.clone(), key: 0 };
        let depth = nodes[index].depth;
        let mut node = self.begin(&n, depth, self.setup.horizon - depth, Window::FULL)?;
        self.own.estimated = false;
        let children =
            if depth == 0 { self.children::<true>(&n, &mut node) } else { self.children::<false>(&n, &mut node) };
        let Some(mut children) = children else {
            let mut value = self.evaluate::<false>(&n, &mut node)?;
            self.finish(&n, &node, value, End::Evaluated);
            let mut below = index;
            while let Some(parent) = nodes[below].parent {
                (value, below) = (value.age(), parent);
            }
            return Ok(Some(if n.position.turn() == max { value } else { -value }));
        };
        while let Some((c, edge)) = self.next_child(&n, &mut node, &mut children) {
            let child = nodes.len();
            nodes[index].children.push(child);
            let (position, m) = (c.position, Some(edge.ranked()));
            nodes.push(TreeNode { position, m, parent: Some(index), depth: depth - 1, children: Vec::new() });
        }
        self.own.moves.list.truncate(children.first);
        self.finish(&n, &node, Value::NEG_INFINITY, End::Expanded);
        Ok(None)
    }
}
