//! Statistics of a search: counts, passes, iterations and ranked moves.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Add, AddAssign, Sub};
use core::time::Duration;

use crate::value::{Bounds, Value, Window};

/// The numbers of nodes visited, by kind. Every visit ends in exactly one way: expanded, evaluated, or answered by the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    /// Nodes that were expanded.
    pub interior: u64,
    /// NBP, the number of bottom positions: leaf evaluations, at the horizon or at the end of a game. Every evaluation counts,
    /// also a repeated one of the same position.
    pub nbp: u64,
    /// Visits that the table answered.
    pub table_answers: u64,
    /// Positions visited by the quiescence search below the horizon. They are not included in [`nodes`](Counts::nodes).
    pub quiet_nodes: u64,
    /// Interior nodes that failed high and had at least two moves.
    pub cut_nodes: u64,
    /// Cut nodes that were cut off by the first move tried.
    pub first_move_cuts: u64,
    /// Moves tried, summed over all cut nodes.
    pub moves_at_cuts: u64,
    /// Enhanced transposition cutoffs (ETC): interior nodes cut off by the table entry of a child, before a child was visited.
    pub enhanced_cuts: u64,
}

impl Counts {
    /// All visits: interior, leaves and table answers.
    pub const fn nodes(&self) -> u64 {
        self.interior + self.nbp + self.table_answers
    }

    /// The counts by name, in the order of the fields, for printing and storing.
    pub fn named(&self) -> [(&'static str, u64); 8] {
        FIELDS.map(|(name, field)| (name, *field(&mut self.clone())))
    }

    /// Counts from a function that returns the value of a name. Counts for which it returns `None` are 0.
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

/// The name of a count, and the accessor of its field.
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

/// Statistics of the move ordering at one height. The height is the distance to the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cuts {
    /// Cut nodes at this height.
    pub cut_nodes: u64,
    /// Cut nodes that were cut off by the first move tried.
    pub first_move_cuts: u64,
    /// Moves tried at these cut nodes.
    pub moves_tried: u64,
}

/// All counts of a thread or a search.
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

    /// Sets all counts to 0.
    #[cfg(feature = "std")]
    pub(crate) fn clear(&mut self) {
        self.counts = Counts::default();
        self.by_height.fill(Cuts::default());
    }

    /// Adds the counts of another thread.
    #[cfg(feature = "std")]
    pub(crate) fn absorb(&mut self, other: &Tally) {
        self.counts += other.counts;
        for (own, theirs) in self.by_height.iter_mut().zip(other.by_height.iter()) {
            own.cut_nodes += theirs.cut_nodes;
            own.first_move_cuts += theirs.first_move_cuts;
            own.moves_tried += theirs.moves_tried;
        }
    }

    /// The statistics by height, from 0 to the greatest height with a cut node.
    pub(crate) fn heights(&self) -> Vec<Cuts> {
        let reached = self.by_height.iter().rposition(|cuts| cuts.cut_nodes > 0).map_or(0, |last| last + 1);
        self.by_height[..reached].to_vec()
    }
}

/// One call of MT by its driver, or one search of a window by a baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pass<M> {
    /// The window searched. A pass of MT has a null window, which is its γ.
    pub window: Window,
    /// The value returned. Less than γ: the pass failed low; greater: it failed high.
    pub g: Value,
    /// The bounds on the value after the pass.
    pub f: Bounds,
    /// The root move searched, if the algorithm searches one at a time (MTD-best).
    pub about: Option<M>,
    /// The move that failed high.
    pub best_move: Option<M>,
    /// The counts of the pass.
    pub counts: Counts,
}

/// A move and its proven bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RankedMove<M> {
    /// The move.
    pub m: M,
    /// The bounds on the value of the position if the move is played.
    pub f: Bounds,
    /// The depth searched.
    pub depth: u8,
    /// The principal variation that begins with the move.
    pub pv: Vec<M>,
}

impl<M> RankedMove<M> {
    /// A move with its bounds.
    pub fn new(m: M, f: Bounds, depth: u8, pv: Vec<M>) -> RankedMove<M> {
        RankedMove { m, f, depth, pv }
    }
}

/// One depth of iterative deepening.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Iteration<M> {
    /// The depth, in plies.
    pub depth: u8,
    /// The value. `None` from MTD-best, which only proves which move is best.
    pub value: Option<Value>,
    /// The proven bounds on the value.
    pub f: Bounds,
    /// The best move.
    pub best_move: Option<M>,
    /// The principal variation. Every move is proved to keep the value.
    pub pv: Vec<M>,
    /// The best moves, as many as were requested: one, unless [`rank`](crate::Search::rank) requests more.
    pub ranked: Vec<RankedMove<M>>,
    /// The passes of the iteration.
    pub passes: Vec<Pass<M>>,
    /// Passes whose result contradicted an earlier one. 0 unless values depend on the path.
    pub crossings: u32,
    /// The counts of the iteration.
    pub counts: Counts,
    /// The time it took, if there is a clock.
    pub time: Duration,
    /// For MTD-best, whether the first candidate was proved to be the best move.
    pub first_candidate_confirmed: Option<bool>,
    /// Whether the value holds at every greater depth: all lines reach the end of the game, or one is a proven win.
    pub exact: bool,
    /// How full the table is with entries of the iteration, in thousandths. Only in play.
    pub table_used: Option<u32>,
    /// The greatest distance from the root of a node visited so far, without the quiescence search.
    #[doc(alias("seldepth"))]
    pub deepest: u8,
}

/// An iteration without results.
impl<M> Default for Iteration<M> {
    fn default() -> Iteration<M> {
        Iteration {
            depth: 0,
            value: None,
            f: Bounds::UNKNOWN,
            best_move: None,
            pv: Vec::new(),
            ranked: Vec::new(),
            passes: Vec::new(),
            crossings: 0,
            counts: Counts::default(),
            time: Duration::ZERO,
            first_candidate_confirmed: None,
            exact: false,
            table_used: None,
            deepest: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_name_round_trip() {
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
