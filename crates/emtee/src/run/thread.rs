//! What one thread owns: its moves, its memory, its counts and its path.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::limits::Visits;
use super::path::Path;
use crate::error::Error;
use crate::game::{Moves, Ranked};
use crate::memory::eval_cache::EvalCache;
use crate::memory::history::History;
use crate::memory::table::NO_MOVE;
use crate::parallel::{Efforts, OpenNodes};
use crate::stats::Tally;
use crate::value::Value;

/// How many moves fit on the lists of all the nodes under way before their room has to grow.
const ROOM_FOR_MOVES: usize = 1 << 14;

/// The furthest from the root that a line is followed in selective search.
pub(crate) const MAX_PLY: u8 = 240;

/// What one thread owns.
pub(crate) struct Thread<M> {
    /// Which thread this is, from 0.
    pub(crate) number: usize,
    pub(crate) moves: Moves<M>,
    pub(crate) history: History,
    pub(crate) estimates: EvalCache,
    /// The line being looked at, by distance from the root, in selective search.
    pub(crate) stack: Box<[Ply]>,
    pub(crate) tally: Tally,
    pub(crate) visits: Visits,
    /// The game so far and the line being looked at, in play.
    pub(crate) path: Option<Box<Path>>,
    /// The move that decided the last visit to the root.
    pub(crate) root_move: Option<Ranked<M>>,
    /// Whether the value found last rests on an evaluation, rather than on ends of the game alone.
    pub(crate) estimated: bool,
    /// The first rule that the game broke.
    pub(crate) fault: Option<Error>,
    /// How large nodes are, where other machines hear about the large ones.
    pub(crate) efforts: Efforts,
    /// The nodes on its path that it shares with other threads.
    pub(crate) open_nodes: OpenNodes,
}

/// What is known of a position of the line being looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ply {
    /// Its static evaluation, where that means anything.
    pub(crate) estimate: Option<Value>,
    /// The code of the move that led here; none after a pass, and at the root.
    pub(crate) played: u16,
    /// Whether a null move led here.
    pub(crate) null_move: bool,
    /// Whether every move that led here was the first of its list: the expected principal variation.
    pub(crate) on_pv: bool,
    /// The move that a singular search leaves out here.
    pub(crate) excluded: u16,
}

impl Ply {
    const NONE: Ply = Ply { estimate: None, played: NO_MOVE, null_move: false, on_pv: false, excluded: NO_MOVE };
}

impl<M> Thread<M> {
    pub(crate) fn new(number: usize, selective: bool) -> Thread<M> {
        Thread {
            number,
            moves: Moves { list: Vec::with_capacity(ROOM_FOR_MOVES) },
            history: History::new(selective),
            estimates: EvalCache::new(selective),
            stack: vec![Ply::NONE; if selective { usize::from(MAX_PLY) + 2 } else { 0 }].into(),
            tally: Tally::new(),
            visits: Visits::default(),
            path: None,
            root_move: None,
            estimated: false,
            fault: None,
            efforts: Efforts::new(),
            open_nodes: OpenNodes::new(),
        }
    }

    /// Makes ready for a new slice.
    pub(crate) fn begin(&mut self) {
        self.moves.list.clear();
        self.visits = Visits::default();
        self.root_move = None;
        self.estimated = false;
        self.fault = None;
        self.open_nodes = OpenNodes::new();
        // A search that panicked may have left these behind.
        self.stack.iter_mut().for_each(|ply| ply.excluded = NO_MOVE);
        if let Some(path) = &mut self.path {
            path.return_to_root();
        }
    }

    /// Makes ready for another position.
    pub(crate) fn set_out(&mut self) {
        self.stack.iter_mut().for_each(|ply| ply.played = NO_MOVE);
    }

    /// The furthest from the root that a line was followed since then, in selective search.
    pub(crate) fn deepest(&self) -> u8 {
        self.stack.iter().rposition(|ply| ply.played != NO_MOVE).unwrap_or(0) as u8
    }

    /// Forgets what positions were judged to be worth.
    pub(crate) fn clear_eval_cache(&mut self) {
        self.estimates.clear();
    }

    /// Forgets what it has learned.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.estimates.clear();
        self.stack.fill(Ply::NONE);
    }
}
