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

/// The counts of all positions that are finished: a row per game, position and depth, with the leaves, nodes and quiescence
/// visits of MTD-f and of each baseline. Positions are numbered from 1, in the order of the experiment.
pub(crate) fn counts(results: &Results) -> String {
    let plan = results.plan;
    let mut text = String::from("game,position,depth");
    for name in std::iter::once("mtd-f").chain(Baseline::ALL.map(Baseline::name)) {
        text += &format!(",{name} leaves,{name} nodes,{name} quiescence");
    }
    text.push('\n');
    for subject in &plan.subjects {
        for (number, position) in subject.positions.iter().enumerate() {
            for depth in plan.pooled_depths(subject) {
                let cells = |spec: Spec| {
                    let counts = results.get(&plan.pooled(subject, spec, depth))?.at(depth)?.counts;
                    Some(format!(",{},{},{}", counts.nbp, counts.nodes(), counts.quiet_nodes))
                };
                let specs = std::iter::once(plan.count(subject, position, Algorithm::MtdF))
                    .chain(Baseline::ALL.map(|kind| plan.baseline(subject, position, kind)));
                let row: Option<String> = specs.map(cells).collect();
                if let Some(row) = row {
                    text += &format!("{},{},{depth}{row}\n", subject.name, number + 1);
                }
            }
        }
    }
    text
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
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use emtee::mix;
    use emtee_engine::Registry;

    use super::*;
    use crate::experiment::Experiment;
    use crate::plan::Plan;

    const GAMES: [&str; 3] = ["checkers", "othello", "chess"];

    /// A file of the repository.
    fn file(path: &str) -> String {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    #[test]
    fn the_committed_summary_is_complete() {
        assert_eq!(SUMMARY.lines().count(), COMMITTED.len() + 1, "every line is read");
        for game in GAMES {
            for baseline in Baseline::ALL {
                for measure in [Measure::Leaves, Measure::Nodes] {
                    let one = Committed::get(game, baseline, measure).unwrap();
                    let [mean, low, high] = one.percent;
                    assert!(low <= mean && mean <= high && one.positions > 20, "{one:?}");
                }
            }
        }
    }

    /// The rows of the committed counts: game, position, depth, and the counts.
    fn rows_of_counts(text: &str) -> Vec<(String, usize, u8, Vec<f64>)> {
        let row = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            let counts = cells[3..].iter().map(|cell| cell.parse().unwrap()).collect();
            (cells[0].to_owned(), cells[1].parse().unwrap(), cells[2].parse().unwrap(), counts)
        };
        text.lines().skip(1).map(row).collect()
    }

    #[test]
    fn the_committed_summary_follows_from_the_committed_counts() {
        let rows = rows_of_counts(&file("docs/primary/counts.csv"));
        for one in Committed::all().iter().filter(|one| one.measure != Measure::Time) {
            let column = usize::from(one.measure == Measure::Nodes);
            let other = 3 * (1 + one.baseline as usize) + column;
            let mut logs: std::collections::BTreeMap<usize, Vec<f64>> = Default::default();
            for (_, position, _, counts) in rows.iter().filter(|row| row.0 == one.game) {
                logs.entry(*position).or_default().push((counts[column] / counts[other]).ln());
            }
            let pooled =
                logs.values().filter(|logs| logs.len() == 2).map(|logs| (logs.iter().sum::<f64>() / 2.0).exp());
            let ratio = Estimate::ratio(&pooled.collect::<Vec<_>>(), 1).unwrap();
            let expected = [ratio.mean, ratio.low, ratio.high].map(|ratio| 100.0 * ratio);
            assert_eq!(one.positions, ratio.positions, "{one:?}");
            assert!(one.percent.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.0006), "{one:?} {expected:?}");
        }
    }

    /// Searches a share of the committed rows again, chosen at random.
    fn recompute(every: u64, seed: u64) {
        let (registry, stop) = (Registry::standard(), Arc::new(AtomicBool::new(false)));
        let plan = Plan::new(Experiment::reproduce("primary").unwrap(), &registry).unwrap();
        let mut checked = 0;
        for (index, (game, position, depth, counts)) in
            rows_of_counts(&file("docs/primary/counts.csv")).iter().enumerate()
        {
            if !mix(seed ^ mix(index as u64)).is_multiple_of(every) {
                continue;
            }
            let subject = plan.subjects.iter().find(|subject| subject.name == *game).unwrap();
            let text = &subject.positions[position - 1];
            let specs = std::iter::once(plan.count(subject, text, Algorithm::MtdF))
                .chain(Baseline::ALL.map(|kind| plan.baseline(subject, text, kind)));
            for (spec, expected) in specs.zip(counts.chunks(3)) {
                let spec = Spec { depth: *depth, ..spec };
                let outcome = crate::measure(&spec, &registry, &stop).unwrap().unwrap();
                let counts = outcome.last().unwrap().counts;
                let found = [counts.nbp, counts.nodes(), counts.quiet_nodes].map(|count| count as f64);
                assert_eq!(found, expected, "seed {seed}: {}", spec.identity());
            }
            checked += 1;
        }
        assert!(checked > 0, "seed {seed} selects no row");
        println!("{checked} rows, seed {seed}");
    }

    #[test]
    fn some_committed_rows_are_reproduced_to_the_node() {
        recompute(400, 1);
    }

    /// Run by `cargo xtask check results`.
    #[test]
    #[ignore = "takes minutes"]
    fn five_percent_of_the_committed_rows_are_reproduced_to_the_node() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        recompute(20, now.as_secs());
    }

    /// A number as README and the book quote it: `97.1 (96.0–98.2)`.
    fn quoted(one: &Committed) -> String {
        let [mean, low, high] = one.percent;
        format!("{mean:.1} ({low:.1}–{high:.1})")
    }

    #[test]
    fn readme_and_the_book_quote_the_committed_numbers() {
        for measure in [Measure::Leaves, Measure::Nodes] {
            for game in GAMES {
                let cells: Vec<String> =
                    Baseline::ALL.iter().map(|&kind| quoted(Committed::get(game, kind, measure).unwrap())).collect();
                let row = format!("| {} | {} | {} |", measure.name(), crate::results::heading(game), cells.join(" | "));
                for page in ["docs/book/thirty-years.md", "docs/book/summary.md"] {
                    assert!(file(page).contains(&row), "{page} has no row {row}");
                }
            }
            for kind in Baseline::ALL {
                let all = GAMES.map(|game| Committed::get(game, kind, measure).unwrap().percent[0]);
                let (low, high) =
                    (all.iter().copied().fold(f64::MAX, f64::min), all.iter().copied().fold(0.0, f64::max));
                let range = format!("{low:.1} to {high:.1} %");
                assert!(
                    file("README.md").contains(&range),
                    "README does not quote {range} ({} {kind})",
                    measure.name()
                );
            }
        }
    }
}
