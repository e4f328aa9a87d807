//! The questions that a thread has open on its way down, so that it can go back to the first that another has answered.

use crate::memory::table::Table;
use crate::node::{Node, Place};
use crate::value::Window;

/// Questions farther from the root than this are not kept: they are small.
const MOST: usize = 48;

/// A node, and what is asked about it.
#[derive(Clone, Copy)]
struct Question {
    key: u64,
    depth: u8,
    window: Window,
}

/// The shared nodes on the way to where a thread is, the root first.
#[derive(Clone, Copy)]
pub(crate) struct OpenQuestions {
    list: [Option<Question>; MOST],
    len: usize,
    /// The one that has been answered by others, while the thread is on its way back there.
    goal: Option<usize>,
}

impl OpenQuestions {
    pub(crate) const fn new() -> OpenQuestions {
        OpenQuestions { list: [None; MOST], len: 0, goal: None }
    }

    /// A question is asked about a node. Returns its place. Nobody leaves the root before the pass is over.
    pub(crate) fn push<G>(&mut self, n: &Place<G>, node: &Node, window: Window) -> usize {
        let place = self.len;
        if let Some(question) = self.list.get_mut(place) {
            *question = (node.ply > 0).then_some(Question { key: n.key, depth: node.depth, window });
        }
        self.len += 1;
        place
    }

    /// The question at this place is done with, and all that came after it.
    pub(crate) fn pop_to(&mut self, place: usize) {
        self.len = place;
    }

    /// Whether the table has an answer to any of them by now. If so, the thread is to go back to the first of those.
    pub(crate) fn is_answered(&mut self, table: &Table) -> bool {
        let answered = |question: &Option<Question>| {
            question.is_some_and(|asked| asked.window.answer(table.retrieve(asked.key, asked.depth).f).is_some())
        };
        self.goal = self.list[..self.len.min(MOST)].iter().position(answered);
        self.goal.is_some()
    }

    /// Whether the thread was on its way back to this place, and is there now: what it had open farther on is given up.
    pub(crate) fn arrives(&mut self, place: usize) -> bool {
        let arrived = self.goal == Some(place);
        if arrived {
            self.goal = None;
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
    fn a_thread_goes_back_to_the_first_that_is_answered() -> Result<(), crate::Error> {
        let table = Table::new(Size::of_entries(64), Keep::default(), Reuse::EqualDepth)?;
        let gamma = Gamma::above(Value::score(5).unwrap_or_default());
        let mut open = OpenQuestions::new();
        open.len = 4;
        for place in 1..4 {
            open.list[place] = Some(Question { key: place as u64 * 77, depth: 3, window: Window::null(gamma) });
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
