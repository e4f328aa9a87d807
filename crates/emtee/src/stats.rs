//! What a search did, in numbers.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Add, AddAssign, Sub};
use core::time::Duration;

use crate::value::{Bounds, Value, Window};

/// How many nodes of each kind were visited. Every visit ends in exactly one way: expanded, evaluated, or answered by the
/// table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Nodes whose moves were looked at.
    pub interior: u64,
    /// Number of bottom positions: leaf values asked of the game, at the horizon or at a game's end, each time one is asked.
    pub nbp: u64,
    /// Visits that the table answered.
    pub table_answers: u64,
    /// Positions visited below the horizon until all was quiet; no part of [`nodes`](Counts::nodes).
    pub quiet_nodes: u64,
    /// Interior nodes that failed high and had at least two moves.
    pub cut_nodes: u64,
    /// Those cut off by the first move tried.
    pub first_move_cuts: u64,
    /// The moves tried at all cut nodes together.
    pub moves_at_cuts: u64,
    /// Interior nodes cut off by what the table knew of a child, before any was visited (enhanced transposition cutoffs).
    pub enhanced_cuts: u64,
}

impl Counts {
    /// All visits: interior, leaves and table answers.
    pub const fn nodes(&self) -> u64 {
        self.interior + self.nbp + self.table_answers
    }

    fn zip(self, other: Counts, with: impl Fn(u64, u64) -> u64) -> Counts {
        Counts {
            interior: with(self.interior, other.interior),
            nbp: with(self.nbp, other.nbp),
            table_answers: with(self.table_answers, other.table_answers),
            quiet_nodes: with(self.quiet_nodes, other.quiet_nodes),
            cut_nodes: with(self.cut_nodes, other.cut_nodes),
            first_move_cuts: with(self.first_move_cuts, other.first_move_cuts),
            moves_at_cuts: with(self.moves_at_cuts, other.moves_at_cuts),
            enhanced_cuts: with(self.enhanced_cuts, other.enhanced_cuts),
        }
    }
}

impl Add for Counts {
    type Output = Counts;
    fn add(self, other: Counts) -> Counts {
        self.zip(other, |a, b| a + b)
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        *self = *self + other;
    }
}

impl Sub for Counts {
    type Output = Counts;
    fn sub(self, other: Counts) -> Counts {
        self.zip(other, |a, b| a - b)
    }
}

/// How well the moves were ordered at one height, the distance to the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cuts {
    /// Cut nodes at this height.
    pub cut_nodes: u64,
    /// Those cut off by the first move tried.
    pub first_move_cuts: u64,
    /// The moves tried at them.
    pub moves_tried: u64,
}

/// Everything counted in a search.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub(crate) counts: Counts,
    pub(crate) by_height: Box<[Cuts]>,
}

impl Tally {
    pub(crate) fn new() -> Tally {
        Tally { counts: Counts::default(), by_height: vec![Cuts::default(); 256].into() }
    }

    #[inline(always)]
    pub(crate) fn cut(&mut self, height: u8, tried: u64) {
        let first = u64::from(tried == 1);
        self.counts.cut_nodes += 1;
        self.counts.first_move_cuts += first;
        self.counts.moves_at_cuts += tried;
        let cuts = &mut self.by_height[usize::from(height)];
        cuts.cut_nodes += 1;
        cuts.first_move_cuts += first;
        cuts.moves_tried += tried;
    }

    /// Takes over all that another has counted.
    #[cfg(feature = "std")]
    pub(crate) fn absorb(&mut self, other: &mut Tally) {
        self.counts += core::mem::take(&mut other.counts);
        for (own, theirs) in self.by_height.iter_mut().zip(&mut other.by_height) {
            let Cuts { cut_nodes, first_move_cuts, moves_tried } = core::mem::take(theirs);
            own.cut_nodes += cut_nodes;
            own.first_move_cuts += first_move_cuts;
            own.moves_tried += moves_tried;
        }
    }

    /// The heights that were reached, from 0 up.
    pub(crate) fn heights(&self) -> Vec<Cuts> {
        let reached = self.by_height.iter().rposition(|cuts| cuts.cut_nodes > 0).map_or(0, |last| last + 1);
        self.by_height[..reached].to_vec()
    }
}

/// One call of MT by its driver, or one search of a window by a baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pass<M> {
    /// What was asked. For a pass of MT a null window, whose one question is γ.
    pub window: Window,
    /// What was answered: less than γ fails low, greater fails high.
    pub g: Value,
    /// What is known of the value after the pass.
    pub f: Bounds,
    /// The root move asked about, where a driver asks about one at a time (MTD-best).
    pub about: Option<M>,
    /// The move that failed high.
    pub best_move: Option<M>,
    /// What the pass cost.
    pub counts: Counts,
}

/// One depth of iterative deepening.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Iteration<M> {
    /// The depth, in plies.
    pub depth: u8,
    /// The value, or nothing from a driver that only proves which move is best (MTD-best).
    pub value: Option<Value>,
    /// What was proved of the value.
    pub f: Bounds,
    /// The best move.
    pub best_move: Option<M>,
    /// The line both sides would play, every move of it proved to keep the value.
    pub pv: Vec<M>,
    /// The passes it took.
    pub passes: Vec<Pass<M>>,
    /// Passes whose answer contradicted an earlier one: none unless values depend on the path.
    pub crossings: u32,
    /// What the iteration cost.
    pub counts: Counts,
    /// How long it took, where there is a clock.
    pub time: Duration,
    /// MTD-best: whether the first candidate was proved to be the best move.
    pub first_candidate_confirmed: Option<bool>,
    /// Whether a deeper search would say the same: all lines end, or one wins for sure.
    pub exact: bool,
    /// How full the table is with what the iteration needed, in thousandths; known in play.
    pub table_used: Option<u32>,
}
