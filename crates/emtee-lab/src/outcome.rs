//! What a run found.

use std::collections::HashMap;

use emtee::research::Counts;
use emtee_engine::{Evaluations, Height, MinimalGraph, Passed};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The state of a search after an iteration. Counts are cumulative over the iterations, as in the paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct IterationRow {
    /// The depth.
    pub depth: u8,
    /// The value, where the algorithm finds one.
    pub value: Option<i32>,
    /// f⁻.
    pub lower: i32,
    /// f⁺.
    pub upper: i32,
    /// The best move.
    pub best_move: Option<String>,
    /// What it cost.
    #[serde(serialize_with = "by_name", deserialize_with = "from_names")]
    pub counts: Counts,
    /// Passes.
    pub passes: u64,
    /// MTD-best: whether the first candidate was proved.
    pub confirmed: Option<bool>,
    /// How long it took, in seconds of the thread's processor time.
    pub seconds: f64,
}

fn by_name<S: Serializer>(counts: &Counts, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(counts.named())
}

fn from_names<'d, D: Deserializer<'d>>(from: D) -> Result<Counts, D::Error> {
    let named = HashMap::<String, u64>::deserialize(from)?;
    Ok(Counts::from_named(|name| named.get(name).copied()))
}

/// One round of a comparison of times: the algorithm and what it is timed against, each twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TimeRow {
    /// Which round, from 1.
    pub round: u32,
    /// Up to which depth.
    pub depth: u8,
    /// Seconds of the algorithm.
    pub seconds: f64,
    /// Seconds of the other one.
    pub against: f64,
}

/// All that a run found. It can be sent from one machine to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Iteration by iteration.
    pub iterations: Vec<IterationRow>,
    /// Pass by pass.
    pub passes: Vec<Passed>,
    /// Height by height.
    pub heights: Vec<Height>,
    /// The minimal graphs.
    pub minimal: Vec<MinimalGraph>,
    /// What leaf evaluations were spent on.
    pub evaluations: Vec<Evaluations>,
    /// The times.
    pub times: Vec<TimeRow>,
}

impl Outcome {
    /// The end of the last iteration.
    pub fn last(&self) -> Option<&IterationRow> {
        self.iterations.last()
    }

    /// The end of the iteration of this depth.
    pub fn at(&self, depth: u8) -> Option<&IterationRow> {
        self.iterations.iter().find(|iteration| iteration.depth == depth)
    }

    /// What the iteration of a depth alone cost in leaves.
    pub fn leaves_of(&self, depth: u8) -> Option<u64> {
        let at = self.iterations.iter().position(|iteration| iteration.depth == depth)?;
        let before = at.checked_sub(1).map_or(0, |before| self.iterations[before].counts.nbp);
        Some(self.iterations[at].counts.nbp - before)
    }

    /// What the last iteration alone cost in leaves.
    pub fn last_leaves(&self) -> Option<u64> {
        self.leaves_of(self.last()?.depth)
    }
}
