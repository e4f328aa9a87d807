//! The report: what was found, in words, tables and figures. The same content becomes a page and a text.

mod html;
mod markdown;

use std::fs;
use std::path::Path;

use emtee::Algorithm;

use crate::claims::{Claim, Verdict, claims, guessed};
use crate::database::Database;
use crate::error::Error;
use crate::figures::{Figure, figures};
use crate::plan::{Plan, Subject};
use crate::results::{LEAVES, NODES, Results, heading, title};

/// All that a report says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Its title.
    pub title: String,
    /// What was found, in a paragraph.
    pub summary: String,
    /// The claims.
    pub claims: Vec<Claim>,
    /// The figures.
    pub figures: Vec<Figure>,
    /// Where the work goes: a heading, then a row for each game and algorithm.
    pub work: Vec<Vec<String>>,
    /// What the rows of `work` say about whoever does not win.
    pub reasons: Vec<String>,
    /// The experiment, as TOML.
    pub experiment: String,
    /// The version of emtee, and the machines.
    pub about: Vec<(&'static str, String)>,
}

/// How things are measured, for those who want to know.
const METHOD: [(&str, &str); 6] = [
    (
        "Counts",
        "Leaves are leaf values asked of the game, each time one is asked; nodes are expanded nodes, leaves and visits that the table answered. Counts \
         are cumulative over the iterations and the same on every machine. All algorithms share one table, one move ordering and one way of \
         deepening; no extensions, no forward pruning, and an entry answers only for the depth it was searched to.",
    ),
    (
        "Ratios",
        "A ratio is taken for each position and the geometric mean over positions is told, with a 95 % interval from 2,000 bootstrap samples of the \
         positions.",
    ),
    (
        "Verdicts",
        "A claim holds if the mean does. A number marked ~ has an interval that includes the limit: other positions might turn the verdict.",
    ),
    (
        "Times",
        "Processor time of the thread that searches, with nothing else of this program running. An algorithm A and the baseline B take turns as \
         ABBA on the same position, so that whatever slows the machine down meets both.",
    ),
    (
        "First guesses",
        "For figure 10 the value of every iteration is found first; then MTD-f runs again from depth 1 and is told the value of each iteration plus h − f \
         as its first guess.",
    ),
    (
        "Minimal graph",
        "A search deepens to the depth in question with a table that is large enough to lose nothing. Then all bounds are forgotten and the best moves \
         kept, and the two passes around the value, γ = f + ½ and γ = f − ½, are made again. Each round improves some best moves; rounds go \
         on until the number of leaves falls no more, and the smallest is taken. The leaves of the last iteration of an algorithm are \
         divided by it.",
    ),
];

/// Makes the report of an experiment whose runs are made.
pub(crate) fn compose(plan: &Plan, database: &Database) -> Result<Report, Error> {
    let results = Results::load(plan, database)?;
    let claims = claims(&results);
    Ok(Report {
        title: plan.experiment.title.clone(),
        summary: summary(&results, &claims),
        figures: figures(&results)?,
        work: work(&results),
        reasons: reasons(&results),
        experiment: plan.experiment.to_toml()?,
        about: vec![
            ("emtee", env!("CARGO_PKG_VERSION").into()),
            ("machine", database.machines()?.join("; ")),
            ("runs", plan.specs.len().to_string()),
        ],
        claims,
    })
}

impl Report {
    /// Writes the page, the text and the figures.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), Error> {
        let write = |name: String, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|error| Error::file("write", &path, error))
        };
        let drawings = folder.join("figures");
        fs::create_dir_all(&drawings).map_err(|error| Error::file("make", &drawings, error))?;
        for figure in &self.figures {
            write(format!("figures/{}.svg", figure.study.file()), &figure.svg)?;
        }
        write("experiment.toml".into(), &self.experiment)?;
        write("report.md".into(), &markdown::markdown(self))?;
        write("report.html".into(), &html::html(self))
    }

    /// How many claims hold, hold in some games, and fail.
    pub fn tally(&self) -> [usize; 3] {
        tally(&self.claims)
    }
}

fn tally(claims: &[Claim]) -> [usize; 3] {
    let mut counts = [0; 3];
    for claim in claims {
        counts[match claim.verdict {
            Verdict::Holds => 0,
            Verdict::Partly(_) => 1,
            Verdict::Fails => 2,
        }] += 1;
    }
    counts
}

/// The result in a paragraph.
fn summary(results: &Results, claims: &[Claim]) -> String {
    let plan = results.plan;
    let games: Vec<String> = plan
        .subjects
        .iter()
        .map(|subject| format!("{} ({} positions to depth {})", subject.name, subject.positions.len(), subject.depth))
        .collect();
    let mut text = format!("{} runs on {}.", plan.specs.len(), listed(&games));
    for algorithm in plan.contenders().into_iter().skip(1) {
        let told: Vec<String> = plan.subjects.iter().filter_map(|subject| told(results, subject, algorithm)).collect();
        if !told.is_empty() {
            text += &format!(" Against Aspiration NegaScout, {} needs {}.", title(algorithm), told.join("; "));
        }
    }
    if !claims.is_empty() {
        let [holds, partly, fails] = tally(claims);
        let of = claims.len();
        text += &format!(" Of {of} claims and goals {holds} hold, {partly} hold in some games and {fails} fail.");
    }
    text
}

/// An algorithm against the baseline in one game, as far as it was measured.
fn told(results: &Results, subject: &Subject, algorithm: Algorithm) -> Option<String> {
    let percent = |metric| Some(results.against_baseline(subject, algorithm, subject.depth, metric)?.mean * 100.0);
    let mut parts = Vec::new();
    if let Some((leaves, nodes)) = percent(LEAVES).zip(percent(NODES)) {
        parts.push(format!("{leaves:.1} % of the leaves, {nodes:.1} % of the nodes"));
    }
    if let Some(time) = results.time(subject, algorithm, subject.depth) {
        parts.push(format!("{:.1} % of the time", 100.0 * time.mean));
    }
    if let (Some(passes), false) = (results.passes_per_iteration(subject, algorithm, None), parts.is_empty()) {
        parts.push(format!("{passes:.1} passes an iteration"));
    }
    (!parts.is_empty()).then(|| format!("in {} {}", subject.name, parts.join(", ")))
}

fn listed(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Shares of the work of the contenders.
fn work(results: &Results) -> Vec<Vec<String>> {
    let plan = results.plan;
    let headings = [
        "game",
        "algorithm",
        "leaves",
        "nodes",
        "time",
        "passes / iteration",
        "answered by the table",
        "leaves evaluated again",
        "over minimal graph",
    ];
    let mut rows = vec![headings.map(String::from).to_vec()];
    for subject in &plan.subjects {
        for algorithm in plan.contenders() {
            let Some(answered) = answered(results, subject, algorithm) else { continue };
            let percent = |metric| results.against_baseline(subject, algorithm, subject.depth, metric);
            let shown = |ratio: Option<crate::ratio::Ratio>| ratio.map_or_else(|| "–".into(), |ratio| ratio.percent());
            let baseline = algorithm == Algorithm::BASELINE;
            let passes = results.passes_per_iteration(subject, algorithm, None);
            let over = results.over_minimal(subject, algorithm, 0);
            let again = results.evaluated_again(subject, algorithm);
            rows.push(vec![
                heading(&subject.name),
                title(algorithm),
                if baseline { "100 %".into() } else { shown(percent(LEAVES)) },
                if baseline { "100 %".into() } else { shown(percent(NODES)) },
                if baseline { "100 %".into() } else { shown(results.time(subject, algorithm, subject.depth)) },
                passes.map_or_else(|| "–".into(), |passes| format!("{passes:.1}")),
                format!("{:.0} %", 100.0 * answered),
                again.map_or_else(|| "–".into(), |again| format!("{:.1} %", 100.0 * again)),
                over.map_or_else(|| "–".into(), |over| format!("{:.2}", over.mean)),
            ]);
        }
    }
    if rows.len() > 1 { rows } else { Vec::new() }
}

/// The share of all visits that the table answered.
fn answered(results: &Results, subject: &Subject, algorithm: Algorithm) -> Option<f64> {
    let (mut answers, mut nodes) = (0, 0);
    for position in &subject.positions {
        let last = results.get(&results.plan.count(subject, position, algorithm))?.last()?;
        answers += last.counts.table_answers;
        nodes += last.counts.nodes();
    }
    Some(answers as f64 / nodes.max(1) as f64)
}

/// Where a driver does not win, the numbers that say why.
fn reasons(results: &Results) -> Vec<String> {
    let plan = results.plan;
    let mut reasons = Vec::new();
    for subject in &plan.subjects {
        for algorithm in plan.contenders().into_iter().skip(1) {
            let percent =
                |metric| Some(100.0 * results.against_baseline(subject, algorithm, subject.depth, metric)?.mean);
            let (Some(leaves), Some(nodes)) = (percent(LEAVES), percent(NODES)) else { continue };
            let time = results.time(subject, algorithm, subject.depth).map(|time| 100.0 * time.mean);
            let short = leaves > 95.0 || nodes >= 100.0 || time.is_some_and(|time| time >= 100.0);
            let (Some(passes), Some(answers), Some(base)) = (
                results.passes_per_iteration(subject, algorithm, None),
                answered(results, subject, algorithm),
                answered(results, subject, Algorithm::BASELINE),
            ) else {
                continue;
            };
            if !short {
                continue;
            }
            let name = title(algorithm);
            let mut text = format!(
                "{}: {name} has {leaves:.1} % of the leaves and {nodes:.1} % of the nodes",
                heading(&subject.name)
            );
            if let Some(time) = time {
                text += &format!(" in {time:.1} % of the time");
            }
            text += &format!(
                ". It makes {passes:.1} passes an iteration, each of which walks again what is known already: the table answers {:.0} % of its visits, \
                 and {:.0} % of the baseline's.",
                100.0 * answers,
                100.0 * base
            );
            let again = |algorithm| results.evaluated_again(subject, algorithm).map(|again| 100.0 * again);
            if let (Some(ours), Some(theirs)) = (again(algorithm), again(Algorithm::BASELINE)) {
                text += &format!(
                    " {ours:.1} % of its leaf evaluations are of a position that the same iteration had evaluated before, because the table had lost it or \
                     knew a bound that does not answer the new question; of the baseline's, {theirs:.1} %."
                );
            }
            if let Some(told) = guessed(results, subject, 0) {
                text += &format!(
                    " Told the value of each iteration in advance, MTD-f would have {:.1} % of the baseline's leaves: the rest is the price of \
                     first guesses that are wrong.",
                    100.0 * told.mean
                );
            }
            let over = |algorithm| results.over_minimal(subject, algorithm, 0).map(|over| over.mean);
            if let (Some(ours), Some(theirs)) = (over(algorithm), over(Algorithm::BASELINE)) {
                text += &format!(
                    " In the last iteration it evaluates {ours:.2} times the leaves of the minimal graph, the baseline {theirs:.2} times: with this move \
                     ordering no driver can save more than {:.0} % of the baseline's leaves there.",
                    (100.0 * (1.0 - 1.0 / theirs)).max(0.0)
                );
            }
            reasons.push(text);
        }
    }
    reasons
}
