//! What a run found.

use emtee::research::Counts;

/// The state of a search after an iteration. Counts are cumulative over the iterations, as in the paper.
#[derive(Clone, Debug, Default, PartialEq)]
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
    pub counts: Counts,
    /// Passes.
    pub passes: u64,
    /// MTD-best: whether the first candidate was proved.
    pub confirmed: Option<bool>,
    /// How long it took, in seconds of the thread's processor time.
    pub seconds: f64,
}

/// A pass.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PassRow {
    /// The depth of its iteration.
    pub depth: u8,
    /// Its place among the passes of the run, from 1.
    pub pass: u32,
    /// γ; nothing for a window.
    pub gamma: Option<f64>,
    /// α, for a window.
    pub alpha: Option<i32>,
    /// β, for a window.
    pub beta: Option<i32>,
    /// The root move asked about, for MTD-best.
    pub about: Option<String>,
    /// The answer.
    pub g: i32,
    /// f⁻ after it.
    pub lower: i32,
    /// f⁺ after it.
    pub upper: i32,
    /// Leaf evaluations.
    pub nbp: u64,
    /// All visits.
    pub nodes: u64,
}

/// The cut nodes at one height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeightRow {
    /// The distance to the horizon.
    pub height: u32,
    /// Cut nodes.
    pub cut_nodes: u64,
    /// Those that the first move cut.
    pub first_move_cuts: u64,
    /// Moves tried at all of them.
    pub moves_at_cuts: u64,
}

/// The left-first minimal graph at one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MinimalRow {
    /// The depth.
    pub depth: u8,
    /// Its leaves.
    pub nbp: u64,
    /// All visits.
    pub nodes: u64,
    /// Positions of the max solution tree.
    pub max_tree: u64,
    /// Positions of the min solution tree.
    pub min_tree: u64,
}

/// The leaf evaluations of one iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvaluationsRow {
    /// The depth.
    pub depth: u8,
    /// How many there were.
    pub nbp: u64,
    /// How many different positions they were spent on.
    pub positions: u64,
}

/// One round of a comparison of times: the algorithm and what it is timed against, each twice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// All that a run found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// Iteration by iteration.
    pub iterations: Vec<IterationRow>,
    /// Pass by pass.
    pub passes: Vec<PassRow>,
    /// Height by height.
    pub heights: Vec<HeightRow>,
    /// The minimal graphs.
    pub minimal: Vec<MinimalRow>,
    /// What leaf evaluations were spent on.
    pub evaluations: Vec<EvaluationsRow>,
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
