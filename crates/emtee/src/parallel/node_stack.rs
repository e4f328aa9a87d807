//! The stack of a thread's shared nodes, from the root to the current node. When another thread answers one of them, the thread
//! abandons the nodes below it.

use crate::memory::table::Table;
use crate::node::{Keyed, Node};
use crate::value::Window;

/// Nodes beyond this index are not recorded: they are small.
const MAX_NODES: usize = 48;

/// A node and its window.
#[derive(Clone, Copy)]
struct StackedNode {
    key: u64,
    depth: u8,
    window: Window,
}

/// The shared nodes that a thread has expanded, the root first.
#[derive(Clone, Copy)]
pub(crate) struct NodeStack {
    nodes: [Option<StackedNode>; MAX_NODES],
    len: usize,
    /// The index of the node that another thread has answered, while this thread unwinds to it.
    target: Option<usize>,
}

impl NodeStack {
    pub(crate) const fn new() -> NodeStack {
        NodeStack { nodes: [None; MAX_NODES], len: 0, target: None }
    }

    /// Pushes a node and returns its index. The root is not recorded, because it is never abandoned before the pass ends.
    pub(crate) fn push<G>(&mut self, n: &Keyed<G>, node: &Node, window: Window) -> usize {
        let index = self.len;
        if let Some(slot) = self.nodes.get_mut(index) {
            *slot = (node.ply > 0).then_some(StackedNode { key: n.key, depth: node.depth, window });
        }
        self.len += 1;
        index
    }

    /// Pops the node at this index and all nodes below it.
    pub(crate) fn pop_to(&mut self, index: usize) {
        self.len = index;
    }

    /// Whether the table now answers a node of the stack. If so, the thread must unwind to the first such node.
    pub(crate) fn is_answered(&mut self, table: &Table) -> bool {
        let answered = |node: &Option<StackedNode>| {
            node.is_some_and(|node| node.window.answer(table.retrieve(node.key, node.depth).f).is_some())
        };
        self.target = self.nodes[..self.len.min(MAX_NODES)].iter().position(answered);
        self.target.is_some()
    }

    /// Whether the thread was unwinding to this node. If so, the unwinding ends, and the nodes below it are popped.
    pub(crate) fn unwound_to(&mut self, index: usize) -> bool {
        let is_target = self.target == Some(index);
        if is_target {
            self.target = None;
            self.pop_to(index + 1);
        }
        is_target
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::table::{Entry, Keep, NO_MOVE, Reuse, Size};
    use crate::value::{Bounds, Gamma, Value};

    #[test]
    fn a_thread_unwinds_to_the_first_answered_node() -> Result<(), crate::Error> {
        let table = Table::new(Size::of_entries(64), Keep::default(), Reuse::EqualDepth)?;
        let gamma = Gamma::above(Value::score(5).unwrap_or_default());
        let mut stack = NodeStack::new();
        stack.len = 4;
        for index in 1..4 {
            stack.nodes[index] = Some(StackedNode { key: index as u64 * 77, depth: 3, window: Window::null(gamma) });
        }
        assert!(!stack.is_answered(&table));
        for (index, value) in [(3, 9), (2, 4)] {
            let value = Value::score(value).unwrap_or_default();
            let entry = Entry { f: Bounds::exactly(value), best: NO_MOVE, estimated: false };
            table.store(index * 77, 3, entry, value);
        }
        assert!(stack.is_answered(&table));
        assert_eq!([3, 1, 2].map(|index| stack.unwound_to(index)), [false, false, true]);
        assert!(!stack.unwound_to(2));
        // The deeper answered node has been popped.
        assert_eq!(stack.len, 3);
        stack.pop_to(2);
        assert!(!stack.is_answered(&table));
        Ok(())
    }
}
