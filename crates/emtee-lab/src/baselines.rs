//! The main comparison: MTD-f against the three baselines, at two depths of different parity, with the numbers of the
//! committed run beside it.

use std::sync::LazyLock;

use emtee::Algorithm;
use emtee_engine::Baseline;

use crate::estimate::{Comparison, Estimate, holm, sign_flip_test};
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, NODES, QUIESCENCE, Results};
use crate::spec::Spec;

/// MTD-f relative to a baseline in a game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BaselineRow {
    /// The game.
    pub game: String,
    /// The baseline.
    pub baseline: Baseline,
    /// Its window and rule.
    pub algorithm: Algorithm,
    /// The depths that are pooled: for each position, the geometric mean of its ratios.
    pub depths: Vec<u8>,
    /// Ratio of the leaves.
    pub leaves: Estimate,
    /// Ratio of the leaves at each depth.
    pub by_depth: Vec<(u8, Estimate)>,
    /// Ratio of the total nodes.
    pub nodes: Estimate,
    /// Ratio of the visits of quiescence search, in games that have one.
    pub quiescence: Option<Estimate>,
    /// Ratio of the processor times, at the greater depth.
    pub time: Option<Estimate>,
    /// The p-value of the ratio of the leaves, after Holm's correction for all rows.
    pub p: f64,
}

/// A measure of the main comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Leaf evaluations: the primary endpoint.
    Leaves,
    /// Total nodes.
    Nodes,
    /// Processor time.
    Time,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 3] = [Measure::Leaves, Measure::Nodes, Measure::Time];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Leaves => "leaves",
            Measure::Nodes => "nodes",
            Measure::Time => "time",
        }
    }
}

/// The level of significance of the primary endpoint.
const LEVEL: f64 = 0.05;

impl BaselineRow {
    /// The verdict on the leaves: equal if the interval lies within 1 %, else by the corrected p-value.
    pub fn verdict(&self) -> Comparison {
        match self.leaves.comparison() {
            Comparison::Equal => Comparison::Equal,
            _ if self.p >= LEVEL => Comparison::Undecided,
            _ if self.leaves.mean < 1.0 => Comparison::Better,
            _ => Comparison::Worse,
        }
    }

    /// The ratio of a measure.
    pub fn ratio(&self, measure: Measure) -> Option<Estimate> {
        match measure {
            Measure::Leaves => Some(self.leaves),
            Measure::Nodes => Some(self.nodes),
            Measure::Time => self.time,
        }
    }

    /// The headings of [`BaselineRow::cells`].
    pub const HEADINGS: [&str; 11] = [
        "game",
        "baseline",
        "window",
        "n",
        "leaves",
        "p (Holm)",
        "verdict on leaves",
        "minimum detectable effect",
        "nodes",
        "quiescence visits",
        "time",
    ];

    /// The cells of the row.
    pub fn cells(&self) -> [String; 11] {
        let shown = |ratio: Option<Estimate>| ratio.map_or_else(|| "–".into(), |ratio| ratio.percent());
        [
            crate::results::heading(&self.game),
            self.baseline.title().into(),
            window(self.algorithm),
            self.leaves.positions.to_string(),
            self.leaves.percent(),
            p_value(self.p),
            self.verdict().name().into(),
            format!("{:.1} %", 100.0 * self.leaves.detectable()),
            self.nodes.percent(),
            shown(self.quiescence),
            shown(self.time),
        ]
    }
}

/// A p-value in a table.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

/// The window and the rule of a baseline, as in `±16, double`.
pub(crate) fn window(algorithm: Algorithm) -> String {
    match algorithm {
        Algorithm::AspirationNegaScout { width, widen } => format!("±{width}, {widen}"),
        other => other.to_string(),
    }
}

/// MTD-f against every baseline with results.
pub(crate) fn rows(results: &Results) -> Vec<BaselineRow> {
    let seed = results.plan.experiment.study.seed;
    let mut rows = Vec::new();
    for subject in &results.plan.subjects {
        for kind in Baseline::ALL {
            let leaves = pooled(results, subject, kind, LEAVES);
            let (Some(ratio), Some(nodes)) =
                (results.ratio(&leaves.ratios), results.ratio(&pooled(results, subject, kind, NODES).ratios))
            else {
                continue;
            };
            let by_depth = leaves.depths.iter().zip(&leaves.by_depth);
            let timed = subject.positions.iter().map(|position| results.plan.timed_against(subject, position, kind));
            rows.push(BaselineRow {
                game: subject.name.clone(),
                baseline: kind,
                algorithm: subject.baselines[kind as usize].algorithm,
                by_depth: by_depth.filter_map(|(&depth, ratios)| Some((depth, results.ratio(ratios)?))).collect(),
                depths: leaves.depths,
                leaves: ratio,
                nodes,
                quiescence: results.ratio(&pooled(results, subject, kind, QUIESCENCE).ratios),
                time: results.timed(timed, subject.depth),
                p: sign_flip_test(&leaves.ratios, seed),
            });
        }
    }
    let corrected = holm(&rows.iter().map(|row| row.p).collect::<Vec<_>>());
    for (row, p) in rows.iter_mut().zip(corrected) {
        row.p = p;
    }
    rows
}

/// The ratios of the positions of a game.
#[derive(Default)]
struct Pooled {
    depths: Vec<u8>,
    /// For each position with results at all depths, the geometric mean over the depths.
    ratios: Vec<f64>,
    /// The ratios of each depth.
    by_depth: Vec<Vec<f64>>,
}

/// The ratios of MTD-f and a baseline. Depths without any result are omitted.
fn pooled(results: &Results, subject: &Subject, kind: Baseline, metric: Metric) -> Pooled {
    let plan = results.plan;
    let at = |spec: Spec, depth: u8| {
        // An experiment without this figure has runs to the greater depth only.
        let row = results.get(&plan.pooled(subject, spec, depth)).and_then(|outcome| outcome.at(depth))?;
        Some(metric(row))
    };
    let ratio = |position: &str, depth: u8| {
        let mtd_f = at(plan.count(subject, position, Algorithm::MtdF), depth)?;
        let ratio = mtd_f / at(plan.baseline(subject, position, kind), depth)?;
        (ratio.is_finite() && ratio > 0.0).then_some(ratio)
    };
    let all: Vec<(u8, Vec<Option<f64>>)> = plan
        .pooled_depths(subject)
        .into_iter()
        .map(|depth| (depth, subject.positions.iter().map(|position| ratio(position, depth)).collect::<Vec<_>>()))
        .filter(|(_, ratios)| ratios.iter().any(Option::is_some))
        .collect();
    let of_position = |index: usize| {
        let logs: Option<Vec<f64>> = all.iter().map(|(_, ratios)| ratios[index].map(f64::ln)).collect();
        logs.map(|logs| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    };
    if all.is_empty() {
        return Pooled::default();
    }
    Pooled {
        depths: all.iter().map(|(depth, _)| *depth).collect(),
        ratios: (0..subject.positions.len()).filter_map(of_position).collect(),
        by_depth: all.iter().map(|(_, ratios)| ratios.iter().flatten().copied().collect()).collect(),
    }
}

/// A number of the committed run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Committed {
    /// The baseline.
    pub baseline: Baseline,
    /// The measure.
    pub measure: Measure,
    /// Number of positions.
    pub positions: usize,
    /// The ratio and its interval, in percent.
    pub percent: [f64; 3],
    /// The game.
    pub game: &'static str,
}

impl Committed {
    /// The number with its interval: `98.1 % (97.1–99.1)`.
    pub fn text(&self) -> String {
        let [mean, low, high] = self.percent;
        format!("{mean:.1} % ({low:.1}–{high:.1})")
    }

    /// The number of the committed run.
    pub fn get(game: &str, baseline: Baseline, measure: Measure) -> Option<&'static Committed> {
        COMMITTED.iter().find(|one| one.game == game && one.baseline == baseline && one.measure == measure)
    }

    /// All numbers of the committed run.
    pub fn all() -> &'static [Committed] {
        &COMMITTED
    }
}

/// The summary of the committed run: game, baseline, measure, positions, ratio and interval in percent.
const SUMMARY: &str = include_str!("../results/summary.csv");

static COMMITTED: LazyLock<Vec<Committed>> = LazyLock::new(|| SUMMARY.lines().skip(1).filter_map(read).collect());

fn read(line: &'static str) -> Option<Committed> {
    let cells: Vec<&str> = line.split(',').collect();
    let [game, baseline, measure, positions, mean, low, high] = cells[..] else { return None };
    Some(Committed {
        game,
        baseline: baseline.parse().ok()?,
        measure: Measure::ALL.into_iter().find(|one| one.name() == measure)?,
        positions: positions.parse().ok()?,
        percent: [mean.parse().ok()?, low.parse().ok()?, high.parse().ok()?],
    })
}

/// The summary of a run, in the format of the committed one.
pub(crate) fn summary(rows: &[BaselineRow]) -> String {
    let mut text = String::from("game,baseline,measure,positions,percent,low,high\n");
    for row in rows {
        for measure in Measure::ALL {
            let Some(ratio) = row.ratio(measure) else { continue };
            let [mean, low, high] = [ratio.mean, ratio.low, ratio.high].map(|ratio| format!("{:.3}", 100.0 * ratio));
            let (game, baseline, name) = (&row.game, row.baseline, measure.name());
            text += &format!("{game},{baseline},{name},{},{mean},{low},{high}\n", ratio.positions);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_summary_is_complete() {
        assert_eq!(SUMMARY.lines().count(), COMMITTED.len() + 1, "every line is read");
        for game in ["checkers", "othello", "chess"] {
            for baseline in Baseline::ALL {
                for measure in [Measure::Leaves, Measure::Nodes] {
                    let one = Committed::get(game, baseline, measure).unwrap();
                    let [mean, low, high] = one.percent;
                    assert!(low <= mean && mean <= high && one.positions > 20, "{one:?}");
                }
            }
        }
    }
}
