//! The nodes that a thread has open between the root and where it is, so that it can abandon those below the first that
//! another thread has answered.

use crate::memory::table::Table;
use crate::node::{Keyed, Node};
use crate::value::Window;

/// Deeper nodes than this are not kept: they are small.
const MOST: usize = 48;

/// A node, and the window it is searched with.
#[derive(Clone, Copy)]
struct OpenNode {
    key: u64,
    depth: u8,
    window: Window,
}

/// The shared nodes on the path of a thread, the root first.
#[derive(Clone, Copy)]
pub(crate) struct OpenNodes {
    list: [Option<OpenNode>; MOST],
    len: usize,
    /// The place of the node that another thread has answered, while this thread unwinds to it.
    target: Option<usize>,
}

impl OpenNodes {
    pub(crate) const fn new() -> OpenNodes {
        OpenNodes { list: [None; MOST], len: 0, target: None }
    }

    /// Opens a node and returns its place. The root is never abandoned before the pass ends.
    pub(crate) fn push<G>(&mut self, n: &Keyed<G>, node: &Node, window: Window) -> usize {
        let place = self.len;
        if let Some(open) = self.list.get_mut(place) {
            *open = (node.ply > 0).then_some(OpenNode { key: n.key, depth: node.depth, window });
        }
        self.len += 1;
        place
    }

    /// Closes the node at this place, and all below it.
    pub(crate) fn pop_to(&mut self, place: usize) {
        self.len = place;
    }

    /// Whether the table answers any of them by now. If so, the thread is to unwind to the first of those.
    pub(crate) fn is_answered(&mut self, table: &Table) -> bool {
        let answered = |open: &Option<OpenNode>| {
            open.is_some_and(|open| open.window.answer(table.retrieve(open.key, open.depth).f).is_some())
        };
        self.target = self.list[..self.len.min(MOST)].iter().position(answered);
        self.target.is_some()
    }

    /// Whether the thread was unwinding to this place. The nodes below it are closed then.
    pub(crate) fn arrives(&mut self, place: usize) -> bool {
        let arrived = self.target == Some(place);
        if arrived {
            self.target = None;
            self.pop_to(place + 1);
        }
        arrived
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
        let mut open = OpenNodes::new();
        open.len = 4;
        for place in 1..4 {
            open.list[place] = Some(OpenNode { key: place as u64 * 77, depth: 3, window: Window::null(gamma) });
        }
        assert!(!open.is_answered(&table));
        for (place, value) in [(3, 9), (2, 4)] {
            let value = Value::score(value).unwrap_or_default();
            let entry = Entry { f: Bounds::exactly(value), best: NO_MOVE, estimated: false };
            table.store(place * 77, 3, entry, value);
        }
        assert!(open.is_answered(&table));
        assert_eq!([3, 1, 2].map(|place| open.arrives(place)), [false, false, true]);
        assert!(!open.arrives(2));
        // The one farther on, answered too, is no longer open.
        assert_eq!(open.len, 3);
        open.pop_to(2);
        assert!(!open.is_answered(&table));
        Ok(())
    }
}
