//! Results as rows: what `--json` prints, one object per line.

use std::collections::BTreeMap;
use std::fmt::Display;

use emtee::research::{Counts, Cuts, Iteration, Kind, Pass};
use emtee::{Algorithm, Bounds, Found, RankedMove, Value};
use serde::{Deserialize, Serialize, Serializer};

/// The result of a search, or of one of its iterations. Counts are cumulative over the iterations.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The algorithm.
    pub algorithm: String,
    /// The depth in plies.
    pub depth: u8,
    /// The value for the side to move. `None` before the first iteration is finished, and always for MTD-best.
    pub value: Option<i32>,
    /// The plies to a proven win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_in: Option<u32>,
    /// The plies to a proven loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_in: Option<u32>,
    /// f⁻.
    pub lower: i32,
    /// f⁺.
    pub upper: i32,
    /// The best move.
    pub best_move: Option<String>,
    /// The principal variation.
    pub pv: Vec<String>,
    /// The counts of the search: one field per count, under its name, and `nodes`.
    #[serde(flatten, serialize_with = "by_name")]
    pub counts: Counts,
    /// The number of passes.
    pub passes: usize,
    /// The number of passes that contradicted an earlier one.
    pub crossings: u32,
    /// The time taken.
    pub seconds: f64,
    /// `false` if a limit stopped the search.
    pub complete: bool,
    /// The number of threads, if there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The idle time of all threads together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_seconds: Option<f64>,
    /// MTD-best: whether the last iteration confirmed its first candidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_candidate_confirmed: Option<bool>,
    /// Move ordering statistics by height, known when the search is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heights: Option<Vec<Height>>,
    /// The passes, one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<PassRow>>,
    /// The best moves, if more than one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Vec<TopMove>>,
    /// The value as text.
    #[serde(skip)]
    pub value_text: String,
    /// Whether the value no longer depends on the depth.
    #[serde(skip)]
    pub exact: bool,
    /// The share of the table in use, in thousandths. Known in play.
    #[serde(skip)]
    pub table_used: Option<u32>,
    /// The greatest distance from the root that was searched, without quiescence. Known in play.
    #[serde(skip)]
    pub deepest: u8,
    /// The root move that is being searched, and its number from 1. Such a row has no other result but the depth.
    #[serde(skip)]
    pub root_move: Option<(String, usize)>,
    /// Whether moves are written in the game's alternate notation, with `{:#}`.
    #[serde(skip)]
    pub(crate) alternate: bool,
    /// The number of best moves requested.
    #[serde(skip)]
    pub(crate) lines: usize,
}

/// Serialises counts as fields of the surrounding object.
fn by_name<S: Serializer>(counts: &Counts, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(counts.named().into_iter().chain([("nodes", counts.nodes())]))
}

/// The cut nodes at one height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Height {
    /// The distance to the horizon, in plies.
    pub height: usize,
    /// Interior nodes with at least two moves that failed high.
    pub cut_nodes: u64,
    /// Those that were cut by the first move.
    pub first_move_cuts: u64,
    /// The moves tried at all of them.
    pub moves_at_cuts: u64,
}

impl Height {
    /// The heights that have cut nodes, from the lowest up.
    fn all(heights: &[Cuts]) -> Vec<Height> {
        let numbered = heights.iter().enumerate().filter(|(_, cuts)| cuts.cut_nodes > 0);
        numbered
            .map(|(height, cuts)| Height {
                height,
                cut_nodes: cuts.cut_nodes,
                first_move_cuts: cuts.first_move_cuts,
                moves_at_cuts: cuts.moves_tried,
            })
            .collect()
    }

    /// The sums over several searches, from the lowest height up.
    pub fn sum<'h>(searches: impl IntoIterator<Item = &'h [Height]>) -> Vec<Height> {
        let mut sums: BTreeMap<usize, Height> = BTreeMap::new();
        for one in searches.into_iter().flatten() {
            let sum = sums.entry(one.height).or_insert(Height { height: one.height, ..Height::default() });
            sum.cut_nodes += one.cut_nodes;
            sum.first_move_cuts += one.first_move_cuts;
            sum.moves_at_cuts += one.moves_at_cuts;
        }
        sums.into_values().collect()
    }

    /// The share of the cut nodes that were cut by the first move.
    pub fn first_share(&self) -> f64 {
        self.first_move_cuts as f64 / self.cut_nodes.max(1) as f64
    }

    /// The moves tried per cut node.
    pub fn moves_tried(&self) -> f64 {
        self.moves_at_cuts as f64 / self.cut_nodes.max(1) as f64
    }
}

/// A pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassRow {
    /// The depth of its iteration.
    pub depth: u8,
    /// γ. `None` for an α-β window.
    pub gamma: Option<f64>,
    /// α, for a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<i32>,
    /// β, for a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<i32>,
    /// MTD-best: the root move that was searched.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// g, the result of the pass.
    pub g: i32,
    /// f⁻ after the pass.
    pub lower: i32,
    /// f⁺ after the pass.
    pub upper: i32,
    /// The move that failed high.
    pub best_move: Option<String>,
    /// Leaf evaluations.
    pub nbp: u64,
    /// All visits.
    pub nodes: u64,
}

/// One of the best moves.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct TopMove {
    /// The move.
    #[serde(rename = "move")]
    pub m: String,
    /// Its value, if it is known exactly.
    pub value: Option<i32>,
    /// A lower bound.
    pub lower: i32,
    /// An upper bound.
    pub upper: i32,
    /// The depth of its search.
    pub depth: u8,
    /// The value or its bounds as text.
    #[serde(skip)]
    pub text: String,
    /// The principal variation that begins with it.
    #[serde(skip)]
    pub pv: Vec<String>,
}

impl Row {
    /// A row for a search without results.
    pub fn new(game: &str, position: String, algorithm: Algorithm) -> Row {
        let (game, algorithm) = (game.to_owned(), algorithm.to_string());
        Row { game, position, algorithm, trace: Some(Vec::new()), ..Row::default() }
    }

    /// A move in the notation of this row.
    pub(crate) fn written<M: Display>(&self, m: &M) -> String {
        if self.alternate { format!("{m:#}") } else { m.to_string() }
    }

    fn all_written<M: Display>(&self, line: &[M]) -> Vec<String> {
        line.iter().map(|m| self.written(m)).collect()
    }

    /// Fills in the ranked moves, if more than one was requested.
    fn rank<M: Display>(&mut self, ranked: &[RankedMove<M>]) {
        let top = |ranked: &RankedMove<M>| TopMove {
            m: self.written(&ranked.m),
            value: ranked.f.exact().map(Value::get),
            lower: ranked.f.lower.get(),
            upper: ranked.f.upper.get(),
            depth: ranked.depth,
            text: ranked.f.to_string(),
            pv: self.all_written(&ranked.pv),
        };
        self.top = (self.lines > 1).then(|| ranked.iter().map(top).collect());
    }

    /// This row with the results of finished iterations.
    pub fn with_iterations<M: Display + Copy>(mut self, iterations: &[Iteration<M>]) -> Row {
        let mut counts = Counts::default();
        for iteration in iterations {
            counts += iteration.counts;
            self.add(iteration);
        }
        if let Some(last) = iterations.last() {
            self.set(last.depth, last.value, last.f, counts);
            self.best_move = last.best_move.as_ref().map(|m| self.written(m));
            self.pv = self.all_written(&last.pv);
            self.rank(&last.ranked);
            self.first_candidate_confirmed = last.first_candidate_confirmed;
            (self.exact, self.table_used, self.deepest) = (last.exact, last.table_used, last.deepest);
        }
        self.complete = true;
        self
    }

    /// This row with the result of a finished search, including the passes and the proven move of an unfinished
    /// iteration.
    pub fn with_result<M: Display + Copy>(self, found: &Found<M>) -> Row {
        let mut row = self.with_iterations(&found.iterations);
        if let Some(unfinished) = &found.unfinished {
            row.add(unfinished);
        }
        if !found.complete {
            // An iteration that was stopped in its first pass leaves no record, but its time counts.
            row.seconds = found.time.as_secs_f64();
        }
        row.set(found.depth, found.value, found.f, found.counts);
        row.best_move = found.best_move.as_ref().map(|m| row.written(m));
        row.pv = row.all_written(&found.pv);
        row.rank(&found.ranked);
        row.complete = found.complete;
        row.heights = Some(Height::all(&found.heights));
        if let Some(parallel) = found.parallel {
            row.threads = Some(parallel.threads);
            row.idle_seconds = Some(parallel.idle.as_secs_f64());
        }
        row
    }

    /// This row for a search whose played move may differ from the best one.
    pub(crate) fn with_played_move<M: Display>(mut self, m: Option<M>) -> Row {
        let m = m.map(|m| m.to_string());
        if m != self.best_move {
            self.pv = m.iter().cloned().collect();
            self.best_move = m;
        }
        self
    }

    /// This row with the bounds from a pass of the next iteration, whose passes have cost `more` so far.
    pub(crate) fn with_pass<M: Display>(mut self, depth: u8, pass: &Pass<M>, more: Counts) -> Row {
        (self.depth, self.deepest) = (depth, self.deepest.max(depth));
        self.counts += more;
        self.complete = false;
        (self.value, self.win_in, self.loss_in) = (None, None, None);
        (self.lower, self.upper) = (pass.f.lower.get(), pass.f.upper.get());
        self.value_text = pass.f.to_string();
        if let Some(best) = pass.best_move.as_ref().map(|m| self.written(m))
            && self.best_move.as_ref() != Some(&best)
        {
            self.pv = vec![best.clone()];
            self.best_move = Some(best);
        }
        self
    }

    fn add<M: Display>(&mut self, iteration: &Iteration<M>) {
        self.passes += iteration.passes.len();
        self.crossings += iteration.crossings;
        self.seconds += iteration.time.as_secs_f64();
        let passes = iteration.passes.iter().map(|pass| PassRow::new(iteration.depth, pass));
        self.trace.get_or_insert_default().extend(passes);
    }

    fn set(&mut self, depth: u8, value: Option<Value>, f: Bounds, counts: Counts) {
        self.depth = depth;
        self.value = value.map(Value::get);
        (self.win_in, self.loss_in) = match value.map(Value::kind) {
            Some(Kind::Win { plies }) => (Some(plies), None),
            Some(Kind::Loss { plies }) => (None, Some(plies)),
            _ => (None, None),
        };
        self.value_text = value.map_or_else(|| f.to_string(), |value| value.to_string());
        (self.lower, self.upper) = (f.lower.get(), f.upper.get());
        self.counts = counts;
    }
}

impl PassRow {
    pub(crate) fn new<M: Display>(depth: u8, pass: &Pass<M>) -> PassRow {
        let null = pass.window.is_null();
        PassRow {
            depth,
            gamma: null.then(|| pass.window.low.as_f64()),
            alpha: (!null).then(|| pass.window.alpha().get()),
            beta: (!null).then(|| pass.window.beta().get()),
            about: pass.about.as_ref().map(M::to_string),
            g: pass.g.get(),
            lower: pass.f.lower.get(),
            upper: pass.f.upper.get(),
            best_move: pass.best_move.as_ref().map(M::to_string),
            nbp: pass.counts.nbp,
            nodes: pass.counts.nodes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use emtee::{Budget, OwnEvaluation, player};
    use emtee_games::connect4::Board;

    use super::*;

    #[test]
    fn time_spent_on_a_pass_that_was_stopped_is_counted() {
        let mut search = player(OwnEvaluation).algorithm(Algorithm::AlphaBeta).build().unwrap();
        let found = search.think(&Board::default(), Budget::nodes(20_000)).unwrap();
        let finished: u64 = found.iterations.iter().map(|iteration| iteration.counts.nodes()).sum();
        assert!(found.unfinished.is_none() && found.counts.nodes() > finished, "stopped inside a pass");
        let row = Row::new("connect4", String::new(), Algorithm::AlphaBeta).with_result(&found);
        assert_eq!((row.counts, row.seconds), (found.counts, found.time.as_secs_f64()));
    }
}
