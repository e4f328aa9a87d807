//! The report: summary, tables, claims and figures, written as HTML and as Markdown.

mod html;
mod markdown;

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use emtee::Algorithm;

use crate::claims::{Claim, Source, Verdict, claims, first_guess_ratio};
use crate::database::Database;
use crate::error::Error;
use crate::figures::{Figure, figures};
use crate::plan::{Plan, Subject};
use crate::ratios::{self, RatioRow};
use crate::results::{LEAVES, NODES, Results, heading, title};

/// The content of a report.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The title.
    pub title: String,
    /// The main results, in one paragraph.
    pub summary: String,
    /// The tested claims.
    pub claims: Vec<Claim>,
    /// MTD-f relative to the baseline: the headings, then one row per game and measure.
    pub comparisons: Vec<Vec<String>>,
    /// The ratios and sweeps of the experiment: one row per ratio and game.
    pub ratios: Vec<RatioRow>,
    /// The figures.
    pub figures: Vec<Figure>,
    /// The distribution of the work: the headings, then one row per game and algorithm.
    pub work: Vec<Vec<String>>,
    /// Explanations for the games in which an algorithm does not reach its goals.
    pub reasons: Vec<String>,
    /// The experiment, as TOML.
    pub experiment: String,
    /// Version, commit, compiler, date, machines and settings.
    pub about: Vec<(&'static str, String)>,
}

/// The method section: a heading and a text each.
const METHOD: [(&str, &str); 7] = [
    (
        "Counts",
        "Leaves (NBP) are leaf evaluations, repeated evaluations included. Nodes are interior nodes, leaves and \
         visits that end with a transposition table cutoff. Counts are cumulative over the iterations and the same \
         on every machine. All algorithms use the same transposition table, move ordering and iterative deepening. \
         There are no extensions and no forward pruning. A table entry is used only if it was searched to the same \
         depth.",
    ),
    (
        "Ratios",
        "Ratios are computed per position. The report gives their geometric mean over positions, with a 95 % \
         interval from 2,000 bootstrap samples of the positions.",
    ),
    (
        "Verdicts",
        "A claim holds (“yes”) if the whole interval lies on its side of the limit, fails (“no”) if the whole \
         interval lies on the other side, and is undecided otherwise. The column “rule” gives the limit. In a \
         comparison, an algorithm is better if the interval of the ratio lies below 100 %, worse if it lies above \
         100 %, and equal if the whole interval lies within 1 % of 100 %. The sign test is two-sided; its null \
         hypothesis is that smaller and larger counts are equally likely. The detectable difference is the smallest \
         difference that as many positions detect with a power of 80 %.",
    ),
    (
        "Times",
        "Times are processor times of the search thread; no other run of this program is active. An algorithm A and \
         the baseline B search the same position in the order ABBA, so that slow phases of the machine affect both.",
    ),
    (
        "First guesses",
        "For figure 10 a first search determines the value f of every iteration. MTD-f then starts again at depth 1; \
         its first guess h in each iteration is the value of that iteration plus h − f.",
    ),
    (
        "Deviations from the paper",
        "Programs and positions differ from those of the paper. A table entry keeps two bounds; in the paper it \
         keeps one. Evaluations are rounded to the grain stated below. Win scores depend on the distance to the win, \
         so γ is adjusted by one ply for a child. Driver bounds are clamped to [f⁻ + 1, f⁺], so that every pass \
         narrows the bounds on f. MTD-bi rounds up. The first bound of MTD-f is the guess itself; in figure 8 it is \
         one higher. After a failure the baseline opens or doubles its window as stated below; the paper does not \
         specify its rule. The branching factor is that of uniform trees with as many lines as the trees below the \
         positions.",
    ),
    (
        "Minimal graph",
        "An iterative deepening search to the given depth uses a table in which no entry is overwritten. Then all \
         bounds are cleared, the best moves are kept, and the two passes around the value, γ = f + ½ and γ = f − ½, \
         are repeated. Each round improves some best moves. The rounds end when the number of leaves no longer \
         decreases, and the smallest number is the size of the minimal graph. “Over the minimal graph” means the \
         leaves of the last iteration of an algorithm divided by this size.",
    ),
];

/// Composes the report of an experiment whose runs are finished.
pub(crate) fn compose(plan: &Plan, database: &Database) -> Result<Report, Error> {
    let results = Results::load(plan, database)?;
    // Claims are about the games of the paper and of this library, so an experiment has to request them.
    let claims = if plan.experiment.claims { claims(&results) } else { Vec::new() };
    Ok(Report {
        title: plan.experiment.title.clone(),
        summary: summary(&results, &claims),
        figures: figures(&results)?,
        work: work(&results),
        reasons: reasons(&results),
        experiment: plan.experiment.to_toml()?,
        about: vec![
            ("emtee", env!("CARGO_PKG_VERSION").into()),
            ("commit", env!("EMTEE_COMMIT").into()),
            ("compiler", env!("EMTEE_COMPILER").into()),
            ("date", date()),
            ("machine", database.machines()?.join("; ")),
            ("runs", plan.specs.len().to_string()),
            ("searched", settings(&results)),
        ],
        comparisons: comparisons(&results),
        ratios: ratios::rows(&results),
        claims,
    })
}

impl Report {
    /// The ratios and sweeps as cells: the headings, then the rows. The last column is omitted if it is empty.
    fn ratio_table(&self) -> Vec<Vec<String>> {
        let columns = RatioRow::HEADINGS.len() - usize::from(self.ratios.iter().all(|row| row.virtual_time.is_none()));
        let rows = self.ratios.iter().map(|row| row.cells()[..columns].to_vec());
        let headings = RatioRow::HEADINGS[..columns].iter().map(|&heading| heading.into()).collect();
        if self.ratios.is_empty() { Vec::new() } else { std::iter::once(headings).chain(rows).collect() }
    }

    /// Writes HTML, Markdown, figures and the experiment.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), Error> {
        let write = |name: String, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|error| Error::file("write", &path, error))
        };
        let drawings = folder.join("figures");
        fs::create_dir_all(&drawings).map_err(|error| Error::file("create", &drawings, error))?;
        for figure in &self.figures {
            write(format!("figures/{}.svg", figure.kind.file()), &figure.svg)?;
        }
        write("experiment.toml".into(), &self.experiment)?;
        write("report.md".into(), &markdown::markdown(self))?;
        write("report.html".into(), &html::html(self))
    }

    /// The method section, without the texts that do not apply.
    pub(crate) fn method(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let claims = !self.claims.is_empty();
        METHOD.into_iter().filter(move |(name, _)| claims || *name != "Verdicts")
    }

    /// The tables of claims, each with its heading.
    pub fn tables(&self) -> impl Iterator<Item = (&'static str, Vec<&Claim>)> {
        [("The paper's claims", Source::Paper), ("Goals and later work", Source::Goal)]
            .into_iter()
            .map(|(heading, source)| (heading, self.claims.iter().filter(|claim| claim.source == source).collect()))
            .filter(|(_, claims): &(_, Vec<&Claim>)| !claims.is_empty())
    }
}

/// The number of claims with each verdict, in words.
pub(crate) fn tally<'c>(claims: impl IntoIterator<Item = &'c Claim>) -> String {
    let mut counts = [0; 4];
    for claim in claims {
        counts[match claim.verdict {
            Verdict::Holds => 0,
            Verdict::Mixed { .. } => 1,
            Verdict::Fails => 2,
            Verdict::Undecided => 3,
        }] += 1;
    }
    let [holds, mixed, fails, undecided] = counts;
    format!(
        "{holds} hold, {fails} fail, {undecided} are undecided, and {mixed} have different verdicts in different games"
    )
}

/// MTD-f relative to the baseline: ratio, verdict, sign test and detectable difference.
fn comparisons(results: &Results) -> Vec<Vec<String>> {
    let headings = ["game", "measure", "n", "MTD-f / baseline", "verdict", "smaller in", "sign test", "detectable"];
    let mut rows = vec![headings.map(String::from).to_vec()];
    for subject in &results.plan.subjects {
        let counted = |metric| results.against_baseline(subject, Algorithm::MtdF, subject.depth, metric);
        let time = results.time(subject, Algorithm::MtdF, subject.depth);
        for (measure, ratio) in [("leaves", counted(LEAVES)), ("nodes", counted(NODES)), ("time", time)] {
            let Some(ratio) = ratio else { continue };
            let p = ratio.sign_test();
            rows.push(vec![
                heading(&subject.name),
                measure.into(),
                ratio.positions.to_string(),
                ratio.percent(),
                ratio.comparison().name().into(),
                format!("{} of {}", ratio.less, ratio.less + ratio.more),
                if p < 0.0001 { "p < 0.0001".into() } else { format!("p = {p:.4}") },
                format!("{:.1} %", 100.0 * ratio.detectable()),
            ]);
        }
    }
    if rows.len() > 1 { rows } else { Vec::new() }
}

/// The search settings of each game.
fn settings(results: &Results) -> String {
    let plan = results.plan;
    let of = |subject: &Subject| {
        let spec = plan.count(subject, &subject.positions[0], Algorithm::BASELINE);
        format!(
            "{} (grain {}, baseline {}, guess {}, {} moves per position)",
            subject.name,
            spec.grain,
            spec.algorithm,
            spec.guess,
            plan.branching(&subject.name).map_or_else(|| "?".into(), |width| format!("{width:.1}"))
        )
    };
    let all: Vec<String> = plan.subjects.iter().map(of).collect();
    let search = &plan.experiment.search;
    let bounds = if search.bounds.0 == emtee::research::Keep::OneBound { "one bound" } else { "two bounds" };
    format!("{}; {} table entries with {bounds} each", all.join(", "), search.entries)
}

/// The main results in at most four sentences.
fn summary(results: &Results, claims: &[Claim]) -> String {
    let plan = results.plan;
    let games: Vec<String> =
        plan.subjects.iter().map(|subject| format!("{} to depth {}", subject.name, subject.depth)).collect();
    let positions = plan.subjects.iter().map(|subject| subject.positions.len() as f64);
    let each = if games.len() > 1 { " each" } else { "" };
    let mut text = format!("{} positions{each} of {}.", range(positions, 0), listed(&games));
    let algorithm = Algorithm::MtdF;
    let over = |of: &dyn Fn(&Subject) -> Option<f64>| -> Vec<f64> { plan.subjects.iter().filter_map(of).collect() };
    let percent = |metric| {
        over(&|subject| Some(100.0 * results.against_baseline(subject, algorithm, subject.depth, metric)?.mean))
    };
    let (leaves, nodes) = (percent(LEAVES), percent(NODES));
    let times = over(&|subject| Some(100.0 * results.time(subject, algorithm, subject.depth)?.mean));
    let passes = over(&|subject| Some(results.passes_per_iteration(subject, algorithm, None)?.mean));
    let name = title(algorithm);
    if !leaves.is_empty() {
        text += &format!(
            " {name} evaluates {} % of the leaves of Aspiration NegaScout and visits {} % of its nodes.",
            range(leaves, 1),
            range(nodes, 1)
        );
    }
    match (times.is_empty(), passes.is_empty()) {
        (false, false) => {
            text += &format!(
                " It takes {} % of the time, with {} passes per iteration.",
                range(times, 1),
                range(passes, 1)
            );
        }
        (true, false) => text += &format!(" It makes {} passes per iteration.", range(passes, 1)),
        _ => {}
    }
    if !claims.is_empty() {
        text += &format!(" Of {} claims and goals, {}.", claims.len(), tally(claims));
    }
    text
}

/// The smallest and the largest of some numbers, as `95.8 to 97.2`.
fn range(numbers: impl IntoIterator<Item = f64>, digits: usize) -> String {
    let (least, most) =
        numbers.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(n), high.max(n)));
    let [least, most] = [least, most].map(|number| format!("{number:.digits$}"));
    if least == most { least } else { format!("{least} to {most}") }
}

/// Today's date in UTC, as `1994-12-31`.
fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The date a number of days after 1970-01-01. Years start in March in this calculation, so the leap day is the last day.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (400 * era + year + next, month, day)
}

/// Joins texts with commas and a final "and".
fn listed(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The work of the baseline, MTD-f and the default driver.
fn work(results: &Results) -> Vec<Vec<String>> {
    let plan = results.plan;
    let headings = [
        "game",
        "algorithm",
        "leaves",
        "nodes",
        "time",
        "passes per iteration",
        "table cutoffs",
        "repeated leaf evaluations",
        "over the minimal graph",
    ];
    let mut rows = vec![headings.map(String::from).to_vec()];
    for subject in &plan.subjects {
        for algorithm in plan.contenders() {
            let Some(cutoffs) = table_cutoffs(results, subject, algorithm) else { continue };
            let percent = |metric| results.against_baseline(subject, algorithm, subject.depth, metric);
            let shown =
                |ratio: Option<crate::estimate::Estimate>| ratio.map_or_else(|| "–".into(), |ratio| ratio.percent());
            let baseline = algorithm == Algorithm::BASELINE;
            let passes = results.passes_per_iteration(subject, algorithm, None);
            let over = results.over_minimal(subject, algorithm, 0);
            let repeated = results.reevaluated(subject, algorithm);
            rows.push(vec![
                heading(&subject.name),
                title(algorithm),
                if baseline { "100 %".into() } else { shown(percent(LEAVES)) },
                if baseline { "100 %".into() } else { shown(percent(NODES)) },
                if baseline { "100 %".into() } else { shown(results.time(subject, algorithm, subject.depth)) },
                passes.map_or_else(|| "–".into(), |passes| format!("{:.1}", passes.mean)),
                format!("{:.0} %", 100.0 * cutoffs),
                repeated.map_or_else(|| "–".into(), |share| format!("{:.1} %", 100.0 * share)),
                over.map_or_else(|| "–".into(), |over| format!("{:.2}", over.mean)),
            ]);
        }
    }
    if rows.len() > 1 { rows } else { Vec::new() }
}

/// The share of node visits that end with a table cutoff.
fn table_cutoffs(results: &Results, subject: &Subject, algorithm: Algorithm) -> Option<f64> {
    let (mut cutoffs, mut nodes) = (0, 0);
    for position in &subject.positions {
        let last = results.get(&results.plan.count(subject, position, algorithm))?.last()?;
        cutoffs += last.counts.table_answers;
        nodes += last.counts.nodes();
    }
    Some(cutoffs as f64 / nodes.max(1) as f64)
}

/// For each driver and game without a clear gain, the numbers that explain it.
fn reasons(results: &Results) -> Vec<String> {
    let plan = results.plan;
    let mut reasons = Vec::new();
    for subject in &plan.subjects {
        for algorithm in plan.contenders().into_iter().skip(1) {
            let percent =
                |metric| Some(100.0 * results.against_baseline(subject, algorithm, subject.depth, metric)?.mean);
            let (Some(leaves), Some(nodes)) = (percent(LEAVES), percent(NODES)) else { continue };
            let time = results.time(subject, algorithm, subject.depth).map(|time| 100.0 * time.mean);
            let misses_goal = leaves > 95.0 || nodes >= 100.0 || time.is_some_and(|time| time >= 100.0);
            let (Some(passes), Some(cutoffs), Some(baseline_cutoffs)) = (
                results.passes_per_iteration(subject, algorithm, None),
                table_cutoffs(results, subject, algorithm),
                table_cutoffs(results, subject, Algorithm::BASELINE),
            ) else {
                continue;
            };
            if !misses_goal {
                continue;
            }
            let name = title(algorithm);
            let mut text = format!(
                "{}: {name} evaluates {leaves:.1} % of the leaves and visits {nodes:.1} % of the nodes of the baseline",
                heading(&subject.name)
            );
            if let Some(time) = time {
                text += &format!(", in {time:.1} % of its time");
            }
            text += &format!(
                ". It makes {:.1} passes per iteration, and each pass revisits known nodes: {:.0} % of its visits \
                 end with a table cutoff, compared with {:.0} % for the baseline.",
                passes.mean,
                100.0 * cutoffs,
                100.0 * baseline_cutoffs
            );
            let repeated = |algorithm| results.reevaluated(subject, algorithm).map(|share| 100.0 * share);
            if let (Some(ours), Some(theirs)) = (repeated(algorithm), repeated(Algorithm::BASELINE)) {
                text += &format!(
                    " {ours:.1} % of its leaf evaluations repeat a position of the same iteration, because its table \
                     entry was overwritten or has a bound that gives no cutoff for the new γ; for the baseline it is \
                     {theirs:.1} %."
                );
            }
            if let Some(exact_guess) = first_guess_ratio(results, subject, 0) {
                text += &format!(
                    " With the value of each iteration as its first guess, MTD-f evaluates {:.1} % of the baseline's leaves",
                    100.0 * exact_guess.mean
                );
                let pair = |position: &String| {
                    (plan.first_guess(subject, position, 0), plan.baseline_first_guess(subject, position))
                };
                if let Some(both) = results.pairs(subject.positions.iter().map(pair), subject.depth, LEAVES) {
                    text += &format!(", and {:.1} % of those of a baseline with the same guess", 100.0 * both.mean);
                }
                text += ".";
            }
            let over = |algorithm| results.over_minimal(subject, algorithm, 0).map(|over| over.mean);
            if let (Some(ours), Some(theirs)) = (over(algorithm), over(Algorithm::BASELINE)) {
                text += &format!(
                    " In the last iteration it evaluates {ours:.2} times the leaves of the minimal graph, the \
                     baseline {theirs:.2} times. So with this move ordering no algorithm that finds the value can \
                     save more than {:.0} % of the baseline's leaves in that iteration.",
                    (100.0 * (1.0 - 1.0 / theirs)).max(0.0)
                );
            }
            reasons.push(text);
        }
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_converted_to_dates() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_773, (2026, 11, 16)),
        ] {
            assert_eq!(civil(days), date);
        }
    }

    #[test]
    fn a_range_with_equal_ends_is_a_number() {
        assert_eq!(range([95.81, 97.24, 96.0], 1), "95.8 to 97.2");
        assert_eq!(range([95.81, 95.79], 1), "95.8");
    }
}
