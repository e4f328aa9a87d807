//! The report: summary, tables, claims and figures, written as HTML and as Markdown.

mod html;
mod markdown;

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use emtee::Algorithm;
use emtee_engine::Baseline;

use crate::baselines::{self, BaselineRow, Measure};
use crate::claims::{Claim, Source, Verdict, claims, first_guess_ratio, sections};
use crate::database::Database;
use crate::error::Error;
use crate::estimate::Comparison;
use crate::figure_kind::FigureKind;
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
    /// The main results, in four sentences.
    pub summary: String,
    /// MTD-f against the three baselines.
    pub baselines: Vec<BaselineRow>,
    /// The tested claims.
    pub claims: Vec<Claim>,
    /// The ratios and sweeps of the experiment: one row per ratio and game.
    pub ratios: Vec<RatioRow>,
    /// The figures.
    pub figures: Vec<Figure>,
    /// The distribution of the work: the headings, then one row per game and algorithm.
    pub work: Vec<Vec<String>>,
    /// Explanations for the games in which an algorithm does not reach its goals.
    pub reasons: Vec<String>,
    /// The counts of the main comparison, as CSV: a row per position and depth.
    pub counts: String,
    /// The experiment, as TOML.
    pub experiment: String,
    /// Version, commit, compiler, date, machines and settings.
    pub about: Vec<(&'static str, String)>,
}

/// What to use, by the results of the committed run and of the figure `choice` (docs/choice).
pub(crate) const RECOMMENDATION: &str = "In the committed runs, use MTD-f if evaluating a leaf takes most of the time: it needs \
    1 to 4 % fewer leaves, or as many, in checkers, Othello and chess. Use PVS with a small window that doubles if visiting a \
    node costs as much as a leaf and the first guess errs by more than five grains, as in chess with evaluations that are not \
    rounded: MTD-f then visits up to 6 % more nodes. Use it too if the guess is nearly always exact: one search with a \
    window proves what MTD-f proves in two passes. Otherwise they are equal, and MTD-f is simpler.";

/// The method section: a heading and a text each.
const METHOD: [(&str, &str); 8] = [
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
         interval lies on the other side, and is undecided otherwise. The column “rule” gives the limit. Two \
         algorithms are equal if the whole interval of their ratio lies within 1 % of 100 %; then neither is better. \
         The primary endpoint is the ratio of the leaves of MTD-f and each baseline, pooled over two depths: for each \
         position the geometric mean of its ratios. Its p-value is that of a sign-flip test on the logarithms with \
         9,999 random assignments, corrected for all rows of the table by Holm's method. All other results are \
         descriptive. The minimum detectable effect is the smallest difference that as many positions detect with a \
         power of 80 %.",
    ),
    (
        "Baselines",
        "All three are Aspiration NegaScout with the same search, table and move ordering as MTD-f. The paper's kind \
         opens the window fully on the side of a failure; the paper gives neither window nor rule. The tuned baseline \
         uses the best of all rules. Current practice follows current chess programs: after a failure the window \
         grows by a third, a fail low moves β to the middle of the window, and the centre is the average of past \
         values. Windows and rules are those that took the fewest nodes of the baseline itself on the set `tune`.",
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
    let baselines = baselines::rows(&results);
    Ok(Report {
        title: plan.experiment.title.clone(),
        summary: summary(&results, &baselines),
        figures: figures(&results)?,
        work: work(&results),
        reasons: reasons(&results),
        counts: baselines::counts(&results),
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
        ratios: ratios::rows(&results),
        baselines,
        claims,
    })
}

impl Report {
    /// The claims of the paper by section: a heading, and the claims.
    pub fn sections(&self) -> Vec<(&'static str, Vec<&Claim>)> {
        const SECTIONS: [(&str, &str); 7] = [
            ("abstract", "Abstract and introduction"),
            ("2", "Section 2: memory-enhanced test"),
            ("3", "Section 3: drivers"),
            ("4.1", "Sections 4.1 to 4.3: simulations and experiment design"),
            ("4.4", "Section 4.4: results"),
            ("4.5", "Section 4.5: execution time"),
            ("4.6", "Section 4.6: MTD-best"),
        ];
        let section = |claim: &Claim| {
            let first = claim.section.split(", ").next().unwrap_or_default();
            match first {
                "abstract" | "1" => "abstract",
                "4.1" | "4.2" | "4.3" => "4.1",
                "4.4" | "4.5" | "4.6" => first,
                other => other.split('.').next().unwrap_or(other),
            }
        };
        let of = |(key, heading): (&'static str, &'static str)| {
            let of_paper = self.claims.iter().filter(|claim| claim.source == Source::Paper);
            (heading, of_paper.filter(|claim| section(claim) == key).collect::<Vec<_>>())
        };
        SECTIONS.into_iter().map(of).filter(|(_, claims)| !claims.is_empty()).collect()
    }

    /// The goals, and the claims of later work.
    pub fn goals(&self) -> Vec<&Claim> {
        self.claims.iter().filter(|claim| claim.source == Source::Goal).collect()
    }

    /// The main comparison as cells: the headings, then the rows.
    fn baseline_table(&self) -> Vec<Vec<String>> {
        if self.baselines.is_empty() {
            return Vec::new();
        }
        let committed = |row: &BaselineRow| {
            let number = baselines::Committed::get(&row.game, row.baseline, Measure::Leaves);
            number.map_or_else(|| "–".into(), |one| format!("{}, n = {}", one.text(), one.positions))
        };
        let headings =
            BaselineRow::HEADINGS.map(String::from).into_iter().chain([String::from("committed run: leaves")]);
        let rows = self.baselines.iter().map(|row| row.cells().into_iter().chain([committed(row)]).collect());
        std::iter::once(headings.collect()).chain(rows).collect()
    }

    /// The paper section by section, as cells. Only for reports that test the claims.
    fn section_table(&self) -> Vec<Vec<String>> {
        if self.claims.is_empty() {
            return Vec::new();
        }
        let figures: Vec<_> = self.figures.iter().map(|figure| figure.kind).collect();
        let rows = sections::table(&self.claims, &figures).into_iter().map(Vec::from);
        std::iter::once(sections::HEADINGS.map(String::from).to_vec()).chain(rows).collect()
    }

    /// The figures of the paper, and the others without the first one.
    fn figures(&self, of_paper: bool) -> impl Iterator<Item = &Figure> {
        let numbered = |figure: &Figure| figure.kind.name().parse::<u8>().is_ok();
        self.figures.iter().filter(move |figure| figure.kind != FigureKind::Baselines && numbered(figure) == of_paper)
    }

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
        if !self.baselines.is_empty() {
            write("summary.csv".into(), &baselines::summary(&self.baselines))?;
            write("counts.csv".into(), &self.counts)?;
        }
        write("experiment.toml".into(), &self.experiment)?;
        write("report.md".into(), &markdown::markdown(self))?;
        write("report.html".into(), &html::html(self))
    }

    /// The method section, without the texts that do not apply.
    pub(crate) fn method(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let (judged, compared) = (!self.claims.is_empty() || !self.baselines.is_empty(), !self.baselines.is_empty());
        METHOD.into_iter().filter(move |(name, _)| match *name {
            "Verdicts" => judged,
            "Baselines" => compared,
            _ => true,
        })
    }
}

/// The number of claims with each verdict, and of verdicts in single games, in words.
pub(crate) fn tally<'c>(claims: impl IntoIterator<Item = &'c Claim>) -> String {
    let (mut counts, mut cells) = ([0; 4], [0; 3]);
    for claim in claims {
        counts[match claim.verdict {
            Verdict::Holds => 0,
            Verdict::Mixed { .. } if claim.verdict.holds_somewhere() => 1,
            Verdict::Mixed { .. } | Verdict::Fails => 2,
            Verdict::Undecided => 3,
        }] += 1;
        cells.iter_mut().zip(claim.cells).for_each(|(sum, count)| *sum += count);
    }
    let [holds, some, none, undecided] = counts;
    let [yes, no, open] = cells;
    format!(
        "{holds} hold in every game, {some} in some games, {none} in none, and {undecided} are undecided everywhere; of {} \
         verdicts in single games {yes} are yes, {no} no and {open} undecided",
        yes + no + open
    )
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

/// The main results in four sentences.
fn summary(results: &Results, rows: &[BaselineRow]) -> String {
    let plan = results.plan;
    let depths = |subject: &Subject| {
        let row = rows.iter().find(|row| row.game == subject.name);
        let depths = row.map_or_else(|| vec![subject.depth], |row| row.depths.clone());
        let texts: Vec<String> = depths.iter().map(u8::to_string).collect();
        format!("{} to depth {}", subject.name, texts.join(" and "))
    };
    let games: Vec<String> = plan.subjects.iter().map(depths).collect();
    let finished = |subject: &Subject| {
        let row = rows.iter().find(|row| row.game == subject.name);
        row.map_or(subject.positions.len(), |row| row.leaves.positions) as f64
    };
    let each = if games.len() > 1 { " each" } else { "" };
    let mut text = format!("{} positions{each} of {}.", range(plan.subjects.iter().map(finished), 0), listed(&games));
    let sentence = |measure: Measure, verb: &str, noun: &str| {
        let of = |kind: Baseline| {
            let of_kind = rows.iter().filter(|row| row.baseline == kind);
            let percents: Vec<f64> = of_kind.filter_map(|row| Some(100.0 * row.ratio(measure)?.mean)).collect();
            (!percents.is_empty()).then(|| format!("{} % of {}", range(percents, 1), kind.title()))
        };
        let parts: Vec<String> = Baseline::ALL.into_iter().filter_map(of).collect();
        if parts.is_empty() { String::new() } else { format!(" {noun} that MTD-f {verb}: {}.", listed(&parts)) }
    };
    text += &sentence(Measure::Leaves, "evaluates", "Leaves");
    text += &sentence(Measure::Nodes, "visits", "Nodes");
    text += &sentence(Measure::Time, "takes", "Time");
    if !rows.is_empty() {
        let count = |verdict| rows.iter().filter(|row| row.verdict() == verdict).count();
        text += &format!(
            " In leaves MTD-f is better in {} of {} comparisons, equal within 1 % in {}, worse in {}, and {} are undecided.",
            count(Comparison::Better),
            rows.len(),
            count(Comparison::Equal),
            count(Comparison::Worse),
            count(Comparison::Undecided)
        );
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
