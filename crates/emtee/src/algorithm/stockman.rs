//! Stockman's SSS* of 1979, and DUAL*, with real OPEN lists: oracles, without a table.

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
    /// SSS*: merits are upper bounds of the root's value, and the greatest comes first.
    Sss,
    /// DUAL*: the same with MAX and MIN exchanged, and so with every value negated.
    Dual,
}

/// A node of the tree, once the search has come upon it.
struct Known<G: Game> {
    position: G,
    by: Option<Ranked<G::Move>>,
    parent: Option<usize>,
    depth: u8,
    children: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Status {
    Live,
    Solved,
}

/// A place in the tree, as the path to it: leftmost first.
type Path = Vec<usize>;

/// The OPEN list: states in the order they are taken up, greatest merit first, and of equals the leftmost in the tree.
#[derive(Default)]
struct Open {
    order: BTreeSet<(Reverse<Value>, Path)>,
    states: BTreeMap<Path, (Value, usize, Status)>,
}

impl Open {
    fn insert(&mut self, merit: Value, path: Path, at: usize, status: Status) {
        self.order.insert((Reverse(merit), path.clone()));
        self.states.insert(path, (merit, at, status));
    }

    fn pop(&mut self) -> Option<(Value, Path, usize, Status)> {
        let (Reverse(merit), path) = self.order.pop_first()?;
        let (_, at, status) = self.states.remove(&path)?;
        Some((merit, path, at, status))
    }

    /// Removes all states below a place.
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
    /// The value of the root, by Stockman's Γ operator. It asks for a child's parent where Stockman asks for the child's
    /// type, since the same side may move again.
    pub(crate) fn stockman(&mut self, root: &G, depth: u8, mirror: Mirror) -> Result<Value, Stopped> {
        let max = if mirror == Mirror::Sss { root.turn() } else { !root.turn() };
        let mut nodes = vec![Known { position: root.clone(), by: None, parent: None, depth, children: Vec::new() }];
        let mut least_at_root = Value::INFINITY;
        let mut open = Open::default();
        open.insert(Value::INFINITY, Path::new(), 0, Status::Live);

        while let Some((merit, mut path, at, status)) = open.pop() {
            match (status, nodes[at].parent) {
                (Status::Live, _) => match self.live(&mut nodes, at, max)? {
                    Some(value) => open.insert(merit.min(value), path, at, Status::Solved),
                    // All children of a MAX node, the first of a MIN node.
                    None => {
                        let count = if nodes[at].position.turn() == max { nodes[at].children.len() } else { 1 };
                        for (which, &child) in nodes[at].children[..count].iter().enumerate() {
                            let mut below = path.clone();
                            below.push(which);
                            open.insert(merit, below, child, Status::Live);
                        }
                    }
                },
                (Status::Solved, None) => return Ok(if mirror == Mirror::Sss { merit } else { -merit }),
                (Status::Solved, Some(parent)) => {
                    if parent == 0 && merit < least_at_root {
                        (least_at_root, self.own.root_move) = (merit, nodes[at].by);
                    }
                    let which = path.pop().unwrap_or_default();
                    if nodes[parent].position.turn() == max {
                        // The best child of a MAX node solves it; whatever else lies below is of no use.
                        open.purge(&path);
                        open.insert(merit, path, parent, Status::Solved);
                    } else if let Some(&brother) = nodes[parent].children.get(which + 1) {
                        path.push(which + 1);
                        open.insert(merit, path, brother, Status::Live);
                    } else {
                        open.insert(merit, path, parent, Status::Solved);
                    }
                }
            }
        }
        unreachable!("OPEN holds a state until the root is solved")
    }

    /// Visits a node: the value of a leaf as MAX sees it from the root, or its children, now known.
    fn live(&mut self, nodes: &mut Vec<Known<G>>, at: usize, max: Side) -> Result<Option<Value>, Stopped> {
        let n = Keyed { position: nodes[at].position.clone(), key: 0 };
        let depth = nodes[at].depth;
        let mut node = self.begin(&n, depth, self.setup.horizon - depth, Window::FULL)?;
        self.own.estimated = false;
        let children =
            if depth == 0 { self.children::<true>(&n, &mut node) } else { self.children::<false>(&n, &mut node) };
        let Some(mut children) = children else {
            let mut value = self.evaluate::<false>(&n, &mut node)?;
            self.finish(&n, &node, value, End::Evaluated);
            let mut below = at;
            while let Some(parent) = nodes[below].parent {
                (value, below) = (value.age(), parent);
            }
            return Ok(Some(if n.position.turn() == max { value } else { -value }));
        };
        while let Some((c, edge)) = self.next_child(&n, &mut node, &mut children) {
            let child = nodes.len();
            nodes[at].children.push(child);
            let (position, by) = (c.position, Some(edge.ranked()));
            nodes.push(Known { position, by, parent: Some(at), depth: depth - 1, children: Vec::new() });
        }
        self.own.moves.list.truncate(children.first);
        self.finish(&n, &node, Value::NEG_INFINITY, End::Expanded);
        Ok(None)
    }
}
