//! Results as rows: what `--json` prints, one object per line.

use std::collections::BTreeMap;
use std::fmt::Display;

use emtee::research::{Counts, Cuts, Iteration, Kind, Pass};
use emtee::{Algorithm, Bounds, Found, RankedMove, Value};
use emtee_mcts::win_rate;
use serde::{Deserialize, Serialize, Serializer};

use crate::event::Unfinished;

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
    /// The value for the side to move: from MCTS, unless it is proved, the expected result in thousandths. `None` before the first iteration is finished, and always for MTD-best.
    pub value: Option<i32>,
    /// The plies to a proven win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_in: Option<u32>,
    /// The plies to a proven loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_in: Option<u32>,
    /// MCTS: the share of wins, where a draw is half a win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_rate: Option<f64>,
    /// MCTS: the number of simulations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
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

/// Makes the rows of a search.
#[derive(Clone, Debug)]
pub(crate) struct RowMaker {
    game: String,
    position: String,
    algorithm: Algorithm,
    /// The number of best moves requested.
    pub(crate) lines: usize,
    /// Whether moves are written in the game's alternate notation, with `{:#}`.
    alternate: bool,
}

impl RowMaker {
    pub(crate) fn new(game: &str, position: String, algorithm: Algorithm) -> RowMaker {
        RowMaker { game: game.to_owned(), position, algorithm, lines: 1, alternate: false }
    }

    pub(crate) fn with_lines(self, lines: usize) -> RowMaker {
        RowMaker { lines, ..self }
    }

    pub(crate) fn with_alternate_moves(self, alternate: bool) -> RowMaker {
        RowMaker { alternate, ..self }
    }

    /// A move in the notation of the rows.
    pub(crate) fn written<M: Display>(&self, m: &M) -> String {
        if self.alternate { format!("{m:#}") } else { m.to_string() }
    }

    pub(crate) fn all_written<M: Display>(&self, line: &[M]) -> Vec<String> {
        line.iter().map(|m| self.written(m)).collect()
    }

    /// A row without results.
    pub(crate) fn empty(&self) -> Row {
        Row {
            game: self.game.clone(),
            position: self.position.clone(),
            algorithm: self.algorithm.to_string(),
            trace: Some(Vec::new()),
            ..Row::default()
        }
    }

    /// The row after these finished iterations.
    pub(crate) fn iterations<M: Display + Copy>(&self, iterations: &[Iteration<M>]) -> Row {
        let mut row = self.empty();
        let mut counts = Counts::default();
        for iteration in iterations {
            counts += iteration.counts;
            row.add(iteration);
        }
        if let Some(last) = iterations.last() {
            row.set(last.depth, last.value, last.f, counts);
            self.add_win_rate(&mut row, last.value, last.exact);
            row.best_move = last.best_move.as_ref().map(|m| self.written(m));
            row.pv = self.all_written(&last.pv);
            row.top = self.top(&last.ranked);
            row.first_candidate_confirmed = last.first_candidate_confirmed;
            (row.exact, row.table_used, row.deepest) = (last.exact, last.table_used, last.deepest);
        }
        row.complete = true;
        row
    }

    /// The row of a finished search, with the passes and the proven move of an unfinished iteration.
    pub(crate) fn result<M: Display + Copy>(&self, found: &Found<M>) -> Row {
        let mut row = self.iterations(&found.iterations);
        if let Some(unfinished) = &found.unfinished {
            row.add(unfinished);
        }
        if !found.complete {
            // An iteration that was stopped in its first pass leaves no record, but its time counts.
            row.seconds = found.time.as_secs_f64();
        }
        row.set(found.depth, found.value, found.f, found.counts);
        self.add_win_rate(&mut row, found.value, found.iterations.last().is_some_and(|last| last.exact));
        row.best_move = found.best_move.as_ref().map(|m| self.written(m));
        row.pv = self.all_written(&found.pv);
        row.top = self.top(&found.ranked);
        row.complete = found.complete;
        row.heights = Some(Height::all(&found.heights));
        if let Some(parallel) = found.parallel {
            row.threads = Some(parallel.threads);
            row.idle_seconds = Some(parallel.idle.as_secs_f64());
        }
        row
    }

    /// Adds the share of wins and the simulations of MCTS.
    fn add_win_rate(&self, row: &mut Row, value: Option<Value>, exact: bool) {
        if self.algorithm != Algorithm::Mcts {
            return;
        }
        row.simulations = Some(row.counts.nbp);
        row.win_rate = value.map(|value| match exact {
            false => win_rate(value),
            true => 0.5 + 0.5 * f64::from(value.get().signum()),
        });
        if let (Some(rate), false) = (row.win_rate, exact) {
            row.value_text = percent(rate);
        }
    }

    /// The row of a search whose played move may differ from the best one.
    pub(crate) fn played<M: Display + Copy>(&self, found: &Found<M>, m: Option<M>) -> Row {
        let mut row = self.result(found);
        let m = m.map(|m| m.to_string());
        if m != row.best_move {
            row.pv = m.iter().cloned().collect();
            row.best_move = m;
        }
        row
    }

    /// The unfinished iteration after a pass: `row` is that of the finished iterations, `more` the cost of its passes so
    /// far.
    pub(crate) fn unfinished<M: Display>(&self, row: Row, depth: u8, pass: &Pass<M>, more: Counts) -> Unfinished {
        let best = pass.best_move.as_ref().map(|m| self.written(m)).filter(|best| row.best_move.as_ref() != Some(best));
        let (best_move, pv) = match best {
            Some(best) => (Some(best.clone()), vec![best]),
            None => (row.best_move, row.pv),
        };
        Unfinished {
            depth,
            deepest: row.deepest.max(depth),
            lower: pass.f.lower.get(),
            upper: pass.f.upper.get(),
            text: pass.f.to_string(),
            best_move,
            pv,
            passes: row.passes,
            counts: row.counts + more,
            seconds: row.seconds,
            table_used: row.table_used,
        }
    }

    /// The ranked moves, if more than one was requested.
    fn top<M: Display>(&self, ranked: &[RankedMove<M>]) -> Option<Vec<TopMove>> {
        let top = |ranked: &RankedMove<M>| TopMove {
            m: self.written(&ranked.m),
            value: ranked.f.exact().map(Value::get),
            lower: ranked.f.lower.get(),
            upper: ranked.f.upper.get(),
            depth: ranked.depth,
            text: match ranked.f.exact().filter(|value| self.algorithm == Algorithm::Mcts && !value.is_proven()) {
                Some(value) => percent(win_rate(value)),
                None => ranked.f.to_string(),
            },
            pv: self.all_written(&ranked.pv),
        };
        (self.lines > 1).then(|| ranked.iter().map(top).collect())
    }
}

/// A share of wins as text.
fn percent(rate: f64) -> String {
    format!("{:.1} %", 100.0 * rate)
}

impl Row {
    /// The row of a search that did not come from this crate.
    pub fn of<M: Display + Copy>(game: &str, position: String, algorithm: Algorithm, found: &Found<M>) -> Row {
        RowMaker::new(game, position, algorithm).result(found)
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
        let row = RowMaker::new("connect4", String::new(), Algorithm::AlphaBeta).result(&found);
        assert_eq!((row.counts, row.seconds), (found.counts, found.time.as_secs_f64()));
    }
}
