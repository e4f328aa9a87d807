//! One search on many cores, and on many machines.
//!
//! A pass has one γ for the whole tree, so there are no windows to distribute: every thread makes the same pass from the root,
//! and the transposition table is all they share. Two rules keep their work apart:
//!
//! * a child that another thread is searching is deferred until the others of its node are done, as in ABDADA
//!   ([`InProgress`]), and
//! * a thread abandons the nodes below the first open node that the table can answer by now ([`OpenNodes`]).
//!
//! The first thread to finish the pass returns its result, and the others stop. Each thread's value is proved by what it has
//! searched itself or found in the table, and a table entry is a fact about a position and a depth: so the value is that of
//! one thread, however many there are and however they are scheduled. The counts are not.
//!
//! A recursion is compiled once for each implementation of [`Sharing`]: [`Alone`] costs nothing.

// Without the standard library there are no threads.
#![cfg_attr(not(feature = "std"), allow(dead_code))]

mod in_progress;
mod open_nodes;
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
pub(crate) use open_nodes::OpenNodes;
pub(crate) use peers::Efforts;
pub use peers::{Message, PassResult, Peers, Polled};
pub(crate) use team::Team;
pub use team::{MAX_THREADS, ParallelStats};

/// Nodes less deep than this are too small to be shared.
pub(crate) const LEAST_SHARED: u8 = 2;

/// How a thread shares the nodes of a pass with other threads. By default it does not.
pub(crate) trait Sharing<G: Game, E: Evaluate<G>, O: Observer<G>> {
    /// Whether nothing is shared, so that MT can search the null windows.
    const ALONE: bool;

    /// What is kept of a node during its visit.
    type Node;

    /// Gives up the visit that begins, if another thread has answered a node above it.
    #[inline(always)]
    fn check(_: &mut Worker<'_, G, E, O>) -> Result<(), Stopped> {
        Ok(())
    }

    /// A node is expanded, and shared if it is `whole`: nothing is left out of its moves.
    fn open(worker: &mut Worker<'_, G, E, O>, n: &Keyed<G>, node: &Node, open: Window, whole: bool) -> Self::Node;

    /// What another thread has meanwhile stored about the node, if that answers its window.
    #[inline(always)]
    fn answer(_: &mut Worker<'_, G, E, O>, _: &Self::Node, _: &Keyed<G>, _: &mut Node) -> Option<Value> {
        None
    }

    /// The next child; the deferred ones come last.
    #[inline(always)]
    fn next(
        worker: &mut Worker<'_, G, E, O>,
        _: &Self::Node,
        n: &Keyed<G>,
        node: &mut Node,
        c: &mut Cursor<G>,
    ) -> Option<Child<G>> {
        worker.next_child(n, node, c)
    }

    /// A child is about to be searched. False if it is deferred, because another thread is searching it.
    #[inline(always)]
    fn enter(_: &mut Worker<'_, G, E, O>, _: &mut Self::Node, _: &Node, _: &Child<G>, _: &mut Cursor<G>) -> bool {
        true
    }

    /// A child has been searched. `None` if its search was abandoned and it is to be tried again.
    #[inline(always)]
    fn leave(
        _: &mut Worker<'_, G, E, O>,
        _: &Self::Node,
        _: &Edge<G::Move>,
        _: &mut Cursor<G>,
        v: Answer,
    ) -> Result<Option<Value>, Stopped> {
        v.map(Some)
    }

    /// The visit of an expanded node ends. Its bounds are told to other machines if they are `exact`.
    #[inline(always)]
    fn close(_: &mut Worker<'_, G, E, O>, _: &Self::Node, _: &Keyed<G>, _: &Node, _exact: bool) {}
}

/// One thread searches everything itself.
pub(crate) struct Alone;

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Sharing<G, E, O> for Alone {
    const ALONE: bool = true;
    type Node = ();

    #[inline(always)]
    fn open(_: &mut Worker<'_, G, E, O>, _: &Keyed<G>, _: &Node, _: Window, _: bool) {}
}

/// A thread of a [`Team`].
pub(crate) struct Shared;

/// What a thread keeps of a node that it shares.
pub(crate) struct SharedNode {
    /// The node's place among the open nodes, and what is asked of it.
    place: usize,
    window: Window,
    /// The visits of the thread before this one.
    visits_before: u64,
    /// Before the child being searched: the length of the list of moves, and whether values so far rest on an evaluation.
    list_len: usize,
    estimated: bool,
    /// The mark of that child, if it has one.
    mark: Option<Mark>,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G>> Sharing<G, E, O> for Shared {
    const ALONE: bool = false;
    type Node = Option<SharedNode>;

    #[inline(never)]
    fn check(worker: &mut Worker<'_, G, E, O>) -> Result<(), Stopped> {
        if worker.own.open_nodes.is_answered(worker.setup.table) { Err(Stopped) } else { Ok(()) }
    }

    #[inline(never)]
    fn open(
        worker: &mut Worker<'_, G, E, O>,
        n: &Keyed<G>,
        node: &Node,
        window: Window,
        whole: bool,
    ) -> Option<SharedNode> {
        let visits_before = worker.own.visits.nodes() - 1;
        whole.then(|| {
            let place = worker.own.open_nodes.push(n, node, window);
            SharedNode { place, window, visits_before, list_len: 0, estimated: false, mark: None }
        })
    }

    #[inline(never)]
    fn answer(worker: &mut Worker<'_, G, E, O>, shared: &Self::Node, n: &Keyed<G>, node: &mut Node) -> Option<Value> {
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
    fn next(
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
    fn enter(
        worker: &mut Worker<'_, G, E, O>,
        shared: &mut Self::Node,
        node: &Node,
        c: &Child<G>,
        children: &mut Cursor<G>,
    ) -> bool {
        let Some(shared) = shared else { return true };
        (shared.list_len, shared.estimated, shared.mark) = (worker.own.moves.list.len(), worker.own.estimated, None);
        // The first child is searched by all: a node that fails high does so by its first move, as a rule.
        children.tried == 1 || worker.mark_child(&mut shared.mark, node, c, children)
    }

    #[inline(never)]
    fn leave(
        worker: &mut Worker<'_, G, E, O>,
        shared: &Self::Node,
        edge: &Edge<G::Move>,
        c: &mut Cursor<G>,
        v: Answer,
    ) -> Result<Option<Value>, Stopped> {
        let Some(shared) = shared else { return v.map(Some) };
        worker.unmark(shared.mark);
        if v.is_err() && worker.own.open_nodes.arrives(shared.place) {
            worker.own.moves.list.truncate(shared.list_len);
            // What the abandoned child rests on does not count; what its siblings rest on does.
            worker.own.estimated = shared.estimated;
            // Should the table have lost the answer that another thread had found, the child is still to be searched.
            worker.own.moves.list.extend(c.take_back(edge));
            return Ok(None);
        }
        v.map(Some)
    }

    #[inline(never)]
    fn close(worker: &mut Worker<'_, G, E, O>, shared: &Self::Node, n: &Keyed<G>, node: &Node, exact: bool) {
        let Some(shared) = shared else { return };
        worker.own.open_nodes.pop_to(shared.place);
        if exact {
            worker.tell_peers(n, node, worker.own.visits.nodes() - shared.visits_before);
        }
    }
}
