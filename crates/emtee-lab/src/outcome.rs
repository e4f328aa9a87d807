//! The outcome of a run.

use std::collections::HashMap;

use emtee::research::Counts;
use emtee_engine::{Evaluations, Height, MinimalGraph, PassRow};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The state of a search after an iteration. Counts are cumulative over the iterations, as in the paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct IterationRow {
    /// Depth of the iteration.
    pub depth: u8,
    /// The value; `None` for algorithms that only bound it (MTD-best).
    pub value: Option<i32>,
    /// f⁻.
    pub lower: i32,
    /// f⁺.
    pub upper: i32,
    /// The best move.
    pub best_move: Option<String>,
    /// The counts.
    #[serde(serialize_with = "write_counts", deserialize_with = "read_counts")]
    pub counts: Counts,
    /// The number of passes.
    pub passes: u64,
    /// MTD-best: whether the first candidate move was confirmed.
    pub confirmed: Option<bool>,
    /// Processor time of the thread, in seconds; wall-clock time with several threads, virtual time on the virtual clock.
    pub seconds: f64,
}

fn write_counts<S: Serializer>(counts: &Counts, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(counts.named())
}

fn read_counts<'d, D: Deserializer<'d>>(from: D) -> Result<Counts, D::Error> {
    let named = HashMap::<String, u64>::deserialize(from)?;
    Ok(Counts::from_named(|name| named.get(name).copied()))
}

/// One ABBA round of a timing: the algorithm and its reference, each searched twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TimeRow {
    /// Number of the round, from 1.
    pub round: u32,
    /// Depth of the iteration.
    pub depth: u8,
    /// Time of the algorithm, in seconds.
    pub seconds: f64,
    /// Time of the reference, in seconds.
    pub against: f64,
}

/// All measurements of a run. It can be serialized and sent to another machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Outcome {
    /// The state after each iteration.
    pub iterations: Vec<IterationRow>,
    /// The passes.
    pub passes: Vec<PassRow>,
    /// Cut nodes by height.
    pub heights: Vec<Height>,
    /// The minimal graph of each iteration.
    pub minimal: Vec<MinimalGraph>,
    /// Leaf evaluations of each iteration, and the number of different positions among them.
    pub evaluations: Vec<Evaluations>,
    /// The timing rounds.
    pub times: Vec<TimeRow>,
}

impl Outcome {
    /// The state after the last iteration.
    pub fn last(&self) -> Option<&IterationRow> {
        self.iterations.last()
    }

    /// The state after the iteration of this depth.
    pub fn at(&self, depth: u8) -> Option<&IterationRow> {
        self.iterations.iter().find(|iteration| iteration.depth == depth)
    }

    /// The leaves of the iteration of this depth alone.
    pub fn leaves_of(&self, depth: u8) -> Option<u64> {
        let index = self.iterations.iter().position(|iteration| iteration.depth == depth)?;
        let before = index.checked_sub(1).map_or(0, |previous| self.iterations[previous].counts.nbp);
        Some(self.iterations[index].counts.nbp - before)
    }

    /// The leaves of the last iteration alone.
    pub fn last_leaves(&self) -> Option<u64> {
        self.leaves_of(self.last()?.depth)
    }
}
