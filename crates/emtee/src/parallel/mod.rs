//! Parallel search: threads that share a table, and ranks on several machines that exchange messages.
//!
//! A pass has one γ for the whole tree, so there are no windows to distribute. Every thread makes the same pass from the root,
//! and shares the transposition table. Two rules keep threads from doing the same work:
//!
//! * a child that another thread is searching is deferred until the other children of its node are done, as in ABDADA
//!   ([`InProgress`]), and
//! * a thread abandons the nodes below the first node of its stack that the table answers meanwhile ([`NodeStack`]).
//!
//! The first thread to finish the pass returns its result, and the others stop. Each thread's value is proved by what it has
//! searched itself or found in the table, and a table entry is a fact about a position and a depth. So the value is the same as
//! with one thread, for any number of threads and any scheduling. The counts are not.
//!
//! A recursion is compiled once for each implementation of [`Sharing`], so [`Unshared`] costs nothing.

// Without the standard library there are no threads.
#![cfg_attr(not(feature = "std"), allow(dead_code))]

mod in_progress;
mod node_stack;
#[cfg(feature = "std")]
mod pass;
mod peers;
mod team;

use crate::game::{Evaluate, Game};
use crate::limits::{Answer, Stopped};
use crate::node::{Child, Cursor, Edge, Keyed, Node, Worker};
use crate::observer::Observer;
use crate::value::{Value, Window};

use in_progress::{InProgress, Mark};
pub(crate) use node_stack::NodeStack;
pub(crate) use peers::Efforts;
pub use peers::{Message, PassResult, Peers, Polled};
pub(crate) use team::Team;
pub use team::{MAX_THREADS, ParallelStats};

/// The least depth of shared nodes; shallower ones are too small.
pub(crate) const MIN_SHARED_DEPTH: u8 = 2;

/// How a thread shares the nodes of a pass with other threads. The default methods share nothing.
pub(crate) trait Sharing<G: Game, E: Evaluate<G>, O: Observer<G>> {
    /// Whether nothing is shared, so that MT searches the null windows.
    const UNSHARED: bool;

    /// The state of a node during its visit.
    type Node;

    /// Abandons the visit that begins if another thread has answered a node above it.
    #[inline(always)]
    fn check_answered(_: &mut Worker<'_, G, E, O>) -> Result<(), Stopped> {
        Ok(())
    }

    /// Begins a node that is expanded. It is shared if it is `whole`: none of its moves are excluded.
    fn expand(worker: &mut Worker<'_, G, E, O>, n: &Keyed<G>, node: &Node, window: Window, whole: bool) -> Self::Node;

    /// The node's value, if another thread has meanwhile stored bounds that answer its window.
    #[inline(always)]
    fn lookup(_: &mut Worker<'_, G, E, O>, _: &Self::Node, _: &Keyed<G>, _: &mut Node) -> Option<Value> {
        None
    }

    /// The next child; deferred children come last.
    #[inline(always)]
    fn next_child(
        worker: &mut Worker<'_, G, E, O>,
        _: &Self::Node,
        n: &Keyed<G>,
        node: &mut Node,
        c: &mut Cursor<G>,
    ) -> Option<Child<G>> {
        worker.next_child(n, node, c)
    }

    /// Begins the search of a child. False if it is deferred because another thread is searching it.
    #[inline(always)]
    fn begin_child(_: &mut Worker<'_, G, E, O>, _: &mut Self::Node, _: &Node, _: &Child<G>, _: &mut Cursor<G>) -> bool {
        true
    }

    /// Ends the search of a child. `None` if its search was abandoned and it is to be searched again.
    #[inline(always)]
    fn end_child(
        _: &mut Worker<'_, G, E, O>,
        _: &Self::Node,
        _: &Edge<G::Move>,
        _: &mut Cursor<G>,
        v: Answer,
    ) -> Result<Option<Value>, Stopped> {
        v.map(Some)
    }

    /// Ends an expanded node. Its bounds are sent to other ranks if they are from an exact search.
    #[inline(always)]
    fn finish(_: &mut Worker<'_, G, E, O>, _: &Self::Node, _: &Keyed<G>, _: &Node, _exact: bool) {}
}

/// A thread that shares no nodes.
pub(crate) struct Unshared;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Sharing<G, E, O> for Unshared {
    const UNSHARED: bool = true;
    type Node = ();

    #[inline(always)]
    fn expand(_: &mut Worker<'_, G, E, O>, _: &Keyed<G>, _: &Node, _: Window, _: bool) {}
}

/// A thread that shares nodes with the others of its [`Team`].
pub(crate) struct Shared;

/// The state of a shared node during its visit.
pub(crate) struct SharedNode {
    /// The node's index on the stack, and its window.
    index: usize,
    window: Window,
    /// The thread's visit count before this visit.
    visits_before: u64,
    /// The length of the move list and the `estimated` flag before the current child.
    list_len: usize,
    estimated: bool,
    /// The in-progress mark of the current child, if it has one.
    mark: Option<Mark>,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Sharing<G, E, O> for Shared {
    const UNSHARED: bool = false;
    type Node = Option<SharedNode>;

    #[inline(never)]
    fn check_answered(worker: &mut Worker<'_, G, E, O>) -> Result<(), Stopped> {
        if worker.own.node_stack.is_answered(worker.setup.table) { Err(Stopped) } else { Ok(()) }
    }

    #[inline(never)]
    fn expand(
        worker: &mut Worker<'_, G, E, O>,
        n: &Keyed<G>,
        node: &Node,
        window: Window,
        whole: bool,
    ) -> Option<SharedNode> {
        let visits_before = worker.own.visits.nodes() - 1;
        whole.then(|| {
            let index = worker.own.node_stack.push(n, node, window);
            SharedNode { index, window, visits_before, list_len: 0, estimated: false, mark: None }
        })
    }

    #[inline(never)]
    fn lookup(worker: &mut Worker<'_, G, E, O>, shared: &Self::Node, n: &Keyed<G>, node: &mut Node) -> Option<Value> {
        let shared = shared.as_ref().filter(|_| node.ply > 0)?;
        let entry = worker.setup.table.retrieve(n.key, node.depth);
        let g = shared.window.answer(entry.f)?;
        worker.own.estimated |= entry.estimated;
        if let Some(path) = &mut worker.own.path {
            path.decided = false;
        }
        (node.f, node.best, node.by_path) = (entry.f, entry.best, false);
        Some(g)
    }

    #[inline(never)]
    fn next_child(
        worker: &mut Worker<'_, G, E, O>,
        shared: &Self::Node,
        n: &Keyed<G>,
        node: &mut Node,
        c: &mut Cursor<G>,
    ) -> Option<Child<G>> {
        if shared.is_none() {
            return worker.next_child(n, node, c);
        }
        worker.shuffle(n, node, c);
        worker.next_child(n, node, c).or_else(|| worker.next_deferred(n, node, c))
    }

    #[inline(never)]
    fn begin_child(
        worker: &mut Worker<'_, G, E, O>,
        shared: &mut Self::Node,
        node: &Node,
        c: &Child<G>,
        children: &mut Cursor<G>,
    ) -> bool {
        let Some(shared) = shared else { return true };
        (shared.list_len, shared.estimated, shared.mark) = (worker.own.moves.list.len(), worker.own.estimated, None);
        // The first child is never deferred: a node that fails high usually does so by its first move.
        children.tried == 1 || worker.mark_child(&mut shared.mark, node, c, children)
    }

    #[inline(never)]
    fn end_child(
        worker: &mut Worker<'_, G, E, O>,
        shared: &Self::Node,
        edge: &Edge<G::Move>,
        c: &mut Cursor<G>,
        v: Answer,
    ) -> Result<Option<Value>, Stopped> {
        let Some(shared) = shared else { return v.map(Some) };
        worker.unmark(shared.mark);
        if v.is_err() && worker.own.node_stack.unwound_to(shared.index) {
            worker.own.moves.list.truncate(shared.list_len);
            // Undo the `estimated` flag of the abandoned child, and keep that of its siblings.
            worker.own.estimated = shared.estimated;
            // If the table loses the other thread's entry, the child must still be searched.
            worker.own.moves.list.extend(c.take_back(edge));
            return Ok(None);
        }
        v.map(Some)
    }

    #[inline(never)]
    fn finish(worker: &mut Worker<'_, G, E, O>, shared: &Self::Node, n: &Keyed<G>, node: &Node, exact: bool) {
        let Some(shared) = shared else { return };
        worker.own.node_stack.pop_to(shared.index);
        if exact {
            worker.send_entry(n, node, worker.own.visits.nodes() - shared.visits_before);
        }
    }
}
