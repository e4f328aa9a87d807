//! Results as rows: what `--json` prints, one object a line.

use std::collections::BTreeMap;
use std::fmt::Display;

use emtee::research::{Counts, Cuts, Iteration, Kind, Pass};
use emtee::{Algorithm, Bounds, Found, RankedMove, Value};
use serde::{Deserialize, Serialize, Serializer};

/// The result of a search, or of an iteration of it. Counts are cumulative over the iterations.
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
    /// The value for the side to move; nothing before the first iteration is finished, or from MTD-best.
    pub value: Option<i32>,
    /// The plies to a proven win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_in: Option<u32>,
    /// The plies to a proven loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_in: Option<u32>,
    /// f⁻
    pub lower: i32,
    /// f⁺
    pub upper: i32,
    /// The best move.
    pub best_move: Option<String>,
    /// The line both sides would play.
    pub pv: Vec<String>,
    /// What it cost: a field for each count, by its name, and one for all nodes.
    #[serde(flatten, serialize_with = "by_name")]
    pub counts: Counts,
    /// Passes.
    pub passes: usize,
    /// Passes that contradicted an earlier one.
    pub crossings: u32,
    /// How long it took.
    pub seconds: f64,
    /// False after a limit cut the search short.
    pub complete: bool,
    /// How many threads searched, where more than one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// How long they had nothing to do, all of them together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_seconds: Option<f64>,
    /// MTD-best: whether the last iteration proved its first candidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_candidate_confirmed: Option<bool>,
    /// How well the moves were ordered, by height; known when the search is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heights: Option<Vec<Height>>,
    /// The passes one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<Passed>>,
    /// The best moves, where more than one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Vec<TopMove>>,
    /// The value as a person reads it.
    #[serde(skip)]
    pub value_text: String,
    /// Whether a deeper search would say the same.
    #[serde(skip)]
    pub exact: bool,
    /// How full the table is, in thousandths; known in play.
    #[serde(skip)]
    pub table_used: Option<u32>,
    /// The furthest from the root that a line was followed, what is played out at the horizon not counted; known in play.
    #[serde(skip)]
    pub deepest: u8,
    /// The move of the root that is looked at, as it is written, and its number from 1. Such a row says nothing else but the depth.
    #[serde(skip)]
    pub root_move: Option<(String, usize)>,
    /// Whether moves are written the game's other way, with `{:#}`.
    #[serde(skip)]
    pub(crate) alternate: bool,
    /// How many of the best moves were asked for.
    #[serde(skip)]
    pub(crate) lines: usize,
}

/// Counts as fields of the object that they are part of.
fn by_name<S: Serializer>(counts: &Counts, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(counts.named().into_iter().chain([("nodes", counts.nodes())]))
}

/// The cut nodes at one height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Height {
    /// The distance to the horizon, in plies.
    pub height: usize,
    /// Interior nodes with a choice that failed high.
    pub cut_nodes: u64,
    /// Those that the first move cut.
    pub first_move_cuts: u64,
    /// Moves tried at all of them.
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

    /// The sums of several searches, from the lowest height up.
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

    /// The share of the cut nodes that the first move cut.
    pub fn first_share(&self) -> f64 {
        self.first_move_cuts as f64 / self.cut_nodes.max(1) as f64
    }

    /// Moves tried at a cut node.
    pub fn moves_tried(&self) -> f64 {
        self.moves_at_cuts as f64 / self.cut_nodes.max(1) as f64
    }
}

/// A pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passed {
    /// The depth of its iteration.
    pub depth: u8,
    /// γ; nothing for a window.
    pub gamma: Option<f64>,
    /// α, for a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<i32>,
    /// β, for a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<i32>,
    /// The root move asked about, for MTD-best.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The answer.
    pub g: i32,
    /// f⁻ after it.
    pub lower: i32,
    /// f⁺ after it.
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
    /// Its value, where it is known exactly.
    pub value: Option<i32>,
    /// A lower bound.
    pub lower: i32,
    /// An upper bound.
    pub upper: i32,
    /// How deep it was searched.
    pub depth: u8,
    /// The value or its bounds as a person reads them.
    #[serde(skip)]
    pub text: String,
    /// The line that begins with it.
    #[serde(skip)]
    pub pv: Vec<String>,
}

impl Row {
    /// A row about a search that has found nothing yet.
    pub fn about(game: &str, position: String, algorithm: Algorithm) -> Row {
        let (game, algorithm) = (game.to_owned(), algorithm.to_string());
        Row { game, position, algorithm, trace: Some(Vec::new()), ..Row::default() }
    }

    /// A move as this row writes it.
    pub(crate) fn written<M: Display>(&self, m: &M) -> String {
        if self.alternate { format!("{m:#}") } else { m.to_string() }
    }

    fn all_written<M: Display>(&self, line: &[M]) -> Vec<String> {
        line.iter().map(|m| self.written(m)).collect()
    }

    /// The moves that were ranked, where more than one was asked for.
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

    /// This row, when these iterations are finished.
    pub fn after<M: Display + Copy>(mut self, iterations: &[Iteration<M>]) -> Row {
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

    /// This row, when the search is over: with the passes and the proven move of an unfinished iteration, if there is one.
    pub fn concluding<M: Display + Copy>(self, found: &Found<M>) -> Row {
        let mut row = self.after(&found.iterations);
        if let Some(unfinished) = &found.unfinished {
            row.add(unfinished);
        }
        if !found.complete {
            // An iteration that was stopped in its first pass leaves no record, but took its time.
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

    /// This row, when another move than the best is played.
    pub(crate) fn but_playing<M: Display>(mut self, m: Option<M>) -> Row {
        let m = m.map(|m| m.to_string());
        if m != self.best_move {
            self.pv = m.iter().cloned().collect();
            self.best_move = m;
        }
        self
    }

    /// This row, when a pass has said something about the next iteration, whose passes cost `more` so far.
    pub(crate) fn bounded<M: Display>(mut self, depth: u8, pass: &Pass<M>, more: Counts) -> Row {
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
        let passes = iteration.passes.iter().map(|pass| Passed::new(iteration.depth, pass));
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

impl Passed {
    pub(crate) fn new<M: Display>(depth: u8, pass: &Pass<M>) -> Passed {
        let null = pass.window.is_null();
        Passed {
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
        let row = Row::about("connect4", String::new(), Algorithm::AlphaBeta).concluding(&found);
        assert_eq!((row.counts, row.seconds), (found.counts, found.time.as_secs_f64()));
    }
}
