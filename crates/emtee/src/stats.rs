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

    /// The counts by name, in the order of the fields: whoever prints or stores counts goes through these.
    pub fn named(&self) -> [(&'static str, u64); 8] {
        FIELDS.map(|(name, field)| (name, *field(&mut self.clone())))
    }

    /// The counts that have these values by name; those that nobody knows are 0.
    pub fn from_named(mut value: impl FnMut(&str) -> Option<u64>) -> Counts {
        let mut counts = Counts::default();
        for (name, field) in FIELDS {
            *field(&mut counts) = value(name).unwrap_or(0);
        }
        counts
    }

    fn zip(mut self, mut other: Counts, with: impl Fn(u64, u64) -> u64) -> Counts {
        for (_, field) in FIELDS {
            let count = field(&mut self);
            *count = with(*count, *field(&mut other));
        }
        self
    }
}

/// Every count: its name, and where it is.
type Field = (&'static str, fn(&mut Counts) -> &mut u64);

const FIELDS: [Field; 8] = [
    ("interior", |counts| &mut counts.interior),
    ("nbp", |counts| &mut counts.nbp),
    ("table_answers", |counts| &mut counts.table_answers),
    ("quiet_nodes", |counts| &mut counts.quiet_nodes),
    ("cut_nodes", |counts| &mut counts.cut_nodes),
    ("first_move_cuts", |counts| &mut counts.first_move_cuts),
    ("moves_at_cuts", |counts| &mut counts.moves_at_cuts),
    ("enhanced_cuts", |counts| &mut counts.enhanced_cuts),
];

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
    by_height: Box<[Cuts; 256]>,
}

impl Tally {
    pub(crate) fn new() -> Tally {
        let by_height = vec![Cuts::default(); 256].into_boxed_slice().try_into();
        Tally { counts: Counts::default(), by_height: by_height.unwrap_or_else(|_| unreachable!("256 heights")) }
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

    /// Forgets everything counted.
    #[cfg(feature = "std")]
    pub(crate) fn clear(&mut self) {
        self.counts = Counts::default();
        self.by_height.fill(Cuts::default());
    }

    /// Adds all that another has counted.
    #[cfg(feature = "std")]
    pub(crate) fn absorb(&mut self, other: &Tally) {
        self.counts += other.counts;
        for (own, theirs) in self.by_height.iter_mut().zip(other.by_height.iter()) {
            own.cut_nodes += theirs.cut_nodes;
            own.first_move_cuts += theirs.first_move_cuts;
            own.moves_tried += theirs.moves_tried;
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

/// A move and what is proved of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RankedMove<M> {
    /// The move.
    pub m: M,
    /// What the position is worth if it is played.
    pub f: Bounds,
    /// How deep that was searched.
    pub depth: u8,
    /// The line that begins with it.
    pub pv: Vec<M>,
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
    /// The best moves, as many as were asked for: one, unless they were to be [ranked](crate::Search::rank).
    pub ranked: Vec<RankedMove<M>>,
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
    /// The furthest from the root that the search has followed a line so far, what is played out at the horizon not counted.
    pub deepest: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_known_by_name() {
        let mut n = 0;
        let counts = Counts::from_named(|_| {
            n += 1;
            Some(n)
        });
        assert_eq!(counts.named().map(|(_, count)| count), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!((counts.interior, counts.nbp, counts.enhanced_cuts), (1, 2, 8));
        assert_eq!((counts + counts) - counts, counts);
        assert_eq!(counts.nodes(), 6);
        let again =
            Counts::from_named(|name| counts.named().iter().find(|(known, _)| *known == name).map(|pair| pair.1));
        assert_eq!(again, counts);
    }
}
