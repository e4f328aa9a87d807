//! The tree: nodes in one vector of limited size, the children of a node side by side.

use emtee::Value;

/// The root.
pub(crate) const ROOT: u32 = 0;

/// The least value of a proven win.
const LAST_WIN: i16 = Value::win_in(Value::MAX_DISTANCE).get() as i16;

/// A node. All values are from the side that chose the move, that is the side to move in the parent.
#[derive(Clone, Debug)]
pub(crate) struct Node<M> {
    /// The move that leads here. The root has none.
    pub(crate) m: Option<M>,
    /// The first child. 0: the node is not expanded.
    first: u32,
    /// The number of children.
    count: u16,
    /// The code of the move.
    pub(crate) code: u16,
    /// f⁻ and f⁺: the bounds that are proved.
    lower: i16,
    upper: i16,
    /// The number of simulations through this node, and their mean result, from 0 to 1.
    pub(crate) visits: u32,
    pub(crate) mean: f32,
    /// The same for the simulations through the parent in which the move was played at any later time (AMAF).
    pub(crate) amaf_visits: u32,
    pub(crate) amaf_mean: f32,
}

impl<M> Node<M> {
    pub(crate) fn new(m: Option<M>, code: u16) -> Node<M> {
        let (lower, upper) = (Value::NEG_INFINITY.get() as i16, Value::INFINITY.get() as i16);
        Node { m, first: 0, count: 0, code, lower, upper, visits: 0, mean: 0.5, amaf_visits: 0, amaf_mean: 0.5 }
    }

    /// f⁻.
    pub(crate) fn lower(&self) -> Value {
        value(self.lower)
    }

    /// f⁺.
    pub(crate) fn upper(&self) -> Value {
        value(self.upper)
    }

    /// Raises f⁻ and lowers f⁺. Returns whether one of them changed.
    pub(crate) fn narrow(&mut self, lower: Value, upper: Value) -> bool {
        let (lower, upper) = ((lower.get() as i16).max(self.lower), (upper.get() as i16).min(self.upper));
        let changed = (lower, upper) != (self.lower, self.upper);
        (self.lower, self.upper) = (lower, upper);
        changed
    }

    /// The proven value: a win or a loss, whose distance may be longer than necessary, or an exact value.
    pub(crate) fn proven(&self) -> Option<Value> {
        match self {
            _ if self.lower >= LAST_WIN || self.lower == self.upper => Some(self.lower()),
            _ if self.is_lost() => Some(self.upper()),
            _ => None,
        }
    }

    /// Whether the side that chose the move loses.
    pub(crate) fn is_lost(&self) -> bool {
        self.upper <= -LAST_WIN
    }

    pub(crate) fn is_expanded(&self) -> bool {
        self.count > 0
    }

    /// Adds the result of a simulation.
    pub(crate) fn add(&mut self, result: f32) {
        self.visits = self.visits.saturating_add(1);
        self.mean += (result - self.mean) / self.visits as f32;
    }

    pub(crate) fn add_amaf(&mut self, result: f32) {
        self.amaf_visits = self.amaf_visits.saturating_add(1);
        self.amaf_mean += (result - self.amaf_mean) / self.amaf_visits as f32;
    }
}

/// The value of 16 bits. The two infinities are not values of positions.
fn value(bits: i16) -> Value {
    let infinity = if bits < 0 { Value::NEG_INFINITY } else { Value::INFINITY };
    Value::from_integer(bits.into()).unwrap_or(infinity)
}

/// A tree of limited size.
#[derive(Debug)]
pub(crate) struct Tree<M> {
    nodes: Vec<Node<M>>,
    /// The greatest number of nodes.
    capacity: usize,
    /// Whether an expansion failed since the last attempt to make room.
    pub(crate) is_full: bool,
    /// Whether the attempt left too little room for another one.
    is_crowded: bool,
}

impl<M: Copy> Tree<M> {
    /// A tree that takes up to this many bytes. They are allocated as it grows.
    pub(crate) fn new(bytes: usize) -> Tree<M> {
        let capacity = (bytes / size_of::<Node<M>>()).clamp(MIN_NODES, u32::MAX as usize);
        Tree { nodes: vec![Node::new(None, 0)], capacity, is_full: false, is_crowded: false }
    }

    /// Drops everything but a new root.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(None, 0));
        (self.is_full, self.is_crowded) = (false, false);
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(crate) fn node(&self, index: u32) -> &Node<M> {
        &self.nodes[index as usize]
    }

    pub(crate) fn node_mut(&mut self, index: u32) -> &mut Node<M> {
        &mut self.nodes[index as usize]
    }

    /// The index of the first child.
    pub(crate) fn first(&self, index: u32) -> u32 {
        self.node(index).first
    }

    pub(crate) fn children(&self, index: u32) -> &[Node<M>] {
        let node = self.node(index);
        &self.nodes[node.first as usize..][..usize::from(node.count)]
    }

    pub(crate) fn children_mut(&mut self, index: u32) -> &mut [Node<M>] {
        let node = self.node(index);
        let (first, count) = (node.first as usize, usize::from(node.count));
        &mut self.nodes[first..][..count]
    }

    /// Adds the children of a node. False if there is no room for them. The children of the root always find room.
    pub(crate) fn expand(&mut self, index: u32, children: impl ExactSizeIterator<Item = Node<M>>) -> bool {
        let (first, count) = (self.nodes.len(), children.len());
        if first + count > self.capacity && index != ROOT {
            self.is_full = true;
            return false;
        }
        if first + count > self.nodes.capacity() {
            let wanted = (2 * first).clamp(MIN_NODES, self.capacity).max(first + count);
            self.nodes.reserve_exact(wanted - first);
        }
        self.nodes.extend(children);
        let node = self.node_mut(index);
        (node.first, node.count) = (first as u32, count as u16);
        true
    }

    /// Makes room in a full tree: the children of nodes with few visits are dropped, their own results are kept. If hardly
    /// any room can be made, the tree stays as it is, and simulations continue below its leaves.
    pub(crate) fn make_room(&mut self) {
        self.is_full = false;
        if self.is_crowded {
            return;
        }
        let mut sizes = [0; 33];
        for node in &self.nodes {
            sizes[32 - node.visits.leading_zeros() as usize] += usize::from(node.count);
        }
        let (mut kept, mut keep) = (1, sizes.len());
        while keep > 0 && kept + sizes[keep - 1] <= self.capacity / 2 {
            keep -= 1;
            kept += sizes[keep];
        }
        self.keep(ROOT, 1 << keep.saturating_sub(1));
        self.is_crowded = self.nodes.len() > self.capacity / 4 * 3;
    }

    /// Makes a node the root and drops everything that is not below it, and the children of nodes with fewer visits than
    /// `least`.
    pub(crate) fn keep(&mut self, root: u32, least: u64) {
        // The children of a node have greater indices than the node, so that all groups of children can be moved to lower
        // indices in the order of their indices.
        let mut groups = vec![(self.first(root), ROOT, self.node(root).count)];
        let mut next = 0;
        while next < groups.len() {
            let (first, _, count) = groups[next];
            next += 1;
            for index in first..first + u32::from(count) {
                let node = self.node_mut(index);
                if u64::from(node.visits) < least {
                    (node.first, node.count) = (0, 0);
                }
                let (first, count) = (node.first, node.count);
                if count > 0 {
                    groups.push((first, index, count));
                }
            }
        }
        groups.sort_unstable();
        self.nodes.swap(0, root as usize);
        let mut free = 1;
        // Where each group was, and is now.
        let mut moved: Vec<(u32, u32)> = Vec::with_capacity(groups.len());
        for (first, parent, count) in groups.into_iter().filter(|group| group.2 > 0) {
            let parent = match moved.partition_point(|&(was, _)| was <= parent) {
                0 => ROOT,
                after => moved[after - 1].1 + (parent - moved[after - 1].0),
            };
            for offset in 0..u32::from(count) {
                self.nodes.swap((free + offset) as usize, (first + offset) as usize);
            }
            self.node_mut(parent).first = free;
            moved.push((first, free));
            free += u32::from(count);
        }
        self.nodes.truncate(free as usize);
        (self.is_full, self.is_crowded) = (false, false);
    }
}

impl<M: Copy> Tree<M> {
    /// Gives a new root the values of the side to move. Until then it has those of the side that moved to it.
    pub(crate) fn turn_root(&mut self, same_side: bool) {
        let root = &mut self.nodes[ROOT as usize];
        root.m = None;
        if !same_side {
            root.mean = 1.0 - root.mean;
        }
        // The proven distances of the children are those from the root.
        let (mut lower, mut upper) = (Value::NEG_INFINITY, Value::NEG_INFINITY);
        for child in self.children(ROOT) {
            (lower, upper) = (lower.max(child.lower()), upper.max(child.upper()));
        }
        let expanded = self.node(ROOT).is_expanded();
        let root = &mut self.nodes[ROOT as usize];
        let unknown = Node::<M>::new(None, 0);
        (root.lower, root.upper) = (unknown.lower, unknown.upper);
        if expanded {
            root.narrow(lower, upper);
        }
    }
}

/// The least number of nodes of a tree.
const MIN_NODES: usize = 1 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree whose moves are numbers: node n has the children 10n + 1 to 10n + 3, and fewer visits the deeper it is.
    fn tree(depth: u32) -> Tree<u32> {
        let mut tree = Tree::new(1 << 20);
        let mut level = vec![ROOT];
        tree.node_mut(ROOT).visits = 1 << depth;
        for left in (0..depth).rev() {
            let mut next = Vec::new();
            for index in level {
                let number = tree.node(index).m.unwrap_or(0);
                assert!(tree.expand(index, [1, 2, 3].map(|digit| Node::new(Some(10 * number + digit), 0)).into_iter()));
                next.extend(tree.first(index)..tree.first(index) + 3);
            }
            next.iter().for_each(|&index| tree.node_mut(index).visits = 1 << left);
            level = next;
        }
        tree
    }

    /// The moves of all nodes below a node, depth first.
    fn moves(tree: &Tree<u32>, index: u32) -> Vec<u32> {
        let children = tree.first(index)..tree.first(index) + tree.children(index).len() as u32;
        children.flat_map(|child| [tree.node(child).m.into_iter().collect(), moves(tree, child)].concat()).collect()
    }

    #[test]
    fn a_subtree_is_kept_whole() {
        for chosen in 0..3 {
            let mut tree = tree(5);
            let root = tree.first(ROOT) + chosen;
            let below = moves(&tree, root);
            assert_eq!(below.len(), 3 + 9 + 27 + 81);
            tree.keep(root, 0);
            assert_eq!((tree.node(ROOT).m, moves(&tree, ROOT)), (Some(chosen + 1), below.clone()));
            assert_eq!(tree.len(), 1 + below.len());
        }
    }

    #[test]
    fn a_leaf_can_become_the_root() {
        let mut tree = tree(2);
        let leaf = tree.len() as u32 - 1;
        tree.keep(leaf, 0);
        assert_eq!((tree.len(), tree.node(ROOT).m, tree.node(ROOT).is_expanded()), (1, Some(33), false));
    }

    #[test]
    fn a_full_tree_drops_the_children_of_nodes_with_few_visits() {
        let mut full = tree(6);
        full.capacity = full.len();
        assert!(
            !full.expand(full.len() as u32 - 1, [0, 1, 2].map(|m| Node::new(Some(m), 0)).into_iter()) && full.is_full
        );
        let before = moves(&full, ROOT);
        full.make_room();
        assert!(full.len() <= full.capacity() / 2 && !full.is_full);
        let upper = |moves: &[u32]| moves.iter().copied().filter(|m| *m < 100_000).collect::<Vec<u32>>();
        assert_eq!(moves(&full, ROOT), upper(&before), "the lowest level was dropped");
    }

    #[test]
    fn bounds_only_get_narrower() {
        let mut node = Node::new(Some(1), 0);
        let [three, five] = [3, 5].map(|points| Value::score(points).unwrap());
        assert!(node.narrow(three, Value::INFINITY) && node.narrow(Value::NEG_INFINITY, five));
        assert_eq!((node.lower(), node.upper(), node.proven()), (three, five, None));
        assert!(!node.narrow(Value::NEG_INFINITY, Value::INFINITY) && node.narrow(five, five));
        assert_eq!(node.proven(), Some(five));
        let mut node = Node::new(Some(1), 0);
        assert!(node.narrow(Value::NEG_INFINITY, Value::loss_in(4)) && node.is_lost());
        assert_eq!(node.proven(), Some(Value::loss_in(4)));
    }
}
