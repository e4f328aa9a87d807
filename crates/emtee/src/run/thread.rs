//! What one thread owns: its move list, history, eval cache, counts and path.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::path::Path;
use super::visits::Visits;
use crate::error::Error;
use crate::game::{Moves, Ranked};
use crate::memory::eval_cache::EvalCache;
use crate::memory::history::History;
use crate::memory::table::NO_MOVE;
use crate::parallel::{Efforts, NodeStack};
use crate::stats::Tally;
use crate::value::Value;

/// The initial capacity of the move list, which holds the moves of all nodes on the current line.
const MOVE_LIST_CAPACITY: usize = 1 << 14;

/// The greatest ply of selective search.
pub(crate) const MAX_PLY: u8 = 240;

/// What one thread owns.
pub(crate) struct Thread<M> {
    /// The number of the thread, from 0.
    pub(crate) number: usize,
    pub(crate) moves: Moves<M>,
    pub(crate) history: History,
    pub(crate) eval_cache: EvalCache,
    /// The search stack of selective search: the current line, by ply.
    pub(crate) stack: Box<[Ply]>,
    pub(crate) tally: Tally,
    pub(crate) visits: Visits,
    /// The game history and the current line, in play.
    pub(crate) path: Option<Box<Path>>,
    /// The best move of the last visit to the root; `None` if it failed low.
    pub(crate) root_move: Option<Ranked<M>>,
    /// Whether the last value depends on a static evaluation, not on finished games alone.
    pub(crate) estimated: bool,
    /// The first error: a law that the game broke, or a thread that did not start.
    pub(crate) fault: Option<Error>,
    /// The average visits per node at each depth, to send other ranks only large nodes.
    pub(crate) efforts: Efforts,
    /// The stack of the nodes that it shares with other threads.
    pub(crate) node_stack: NodeStack,
}

/// A position of the current line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ply {
    /// The static evaluation; `None` in a forced position.
    pub(crate) static_value: Option<Value>,
    /// The code of the move that led here; `NO_MOVE` after a null move, and at the root.
    pub(crate) played: u16,
    /// Whether a null move led here.
    pub(crate) null_move: bool,
    /// Whether every move that led here was the first one tried: the expected principal variation.
    pub(crate) on_pv: bool,
    /// The move that a singular-extension search excludes here.
    pub(crate) excluded: u16,
}

impl Ply {
    const NONE: Ply = Ply { static_value: None, played: NO_MOVE, null_move: false, on_pv: false, excluded: NO_MOVE };
}

impl<M> Thread<M> {
    pub(crate) fn new(number: usize, selective: bool) -> Thread<M> {
        Thread {
            number,
            moves: Moves { list: Vec::with_capacity(MOVE_LIST_CAPACITY) },
            history: History::new(selective),
            eval_cache: EvalCache::new(selective),
            stack: vec![Ply::NONE; if selective { usize::from(MAX_PLY) + 2 } else { 0 }].into(),
            tally: Tally::new(),
            visits: Visits::default(),
            path: None,
            root_move: None,
            estimated: false,
            fault: None,
            efforts: Efforts::new(),
            node_stack: NodeStack::new(),
        }
    }

    /// Prepares for a new slice.
    pub(crate) fn begin_slice(&mut self) {
        self.moves.list.clear();
        self.visits = Visits::default();
        self.root_move = None;
        self.estimated = false;
        self.fault = None;
        self.node_stack = NodeStack::new();
        // A panicked search may not have reset these.
        self.stack.iter_mut().for_each(|ply| ply.excluded = NO_MOVE);
        if let Some(path) = &mut self.path {
            path.return_to_root();
        }
    }

    /// Prepares for another position.
    pub(crate) fn begin_position(&mut self) {
        self.stack.iter_mut().for_each(|ply| ply.played = NO_MOVE);
    }

    /// The greatest ply reached since [`begin_position`](Thread::begin_position), in selective search.
    pub(crate) fn deepest(&self) -> u8 {
        self.stack.iter().rposition(|ply| ply.played != NO_MOVE).unwrap_or(0) as u8
    }

    /// Clears killers, history, the eval cache and the search stack.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.eval_cache.clear();
        self.stack.fill(Ply::NONE);
    }
}
