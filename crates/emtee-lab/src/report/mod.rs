//! The report: what was found, in words, tables and figures. The same content becomes a page and a text.

mod html;
mod markdown;

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use emtee::Algorithm;

use crate::claims::{Claim, Source, Verdict, claims, guessed};
use crate::database::Database;
use crate::error::Error;
use crate::figures::{Figure, figures};
use crate::plan::{Plan, Subject};
use crate::results::{LEAVES, NODES, Results, heading, title};
use crate::vary::{self, RatioRow};

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
    /// MTD-f against the baseline: a heading, then a row for each game and measure.
    pub comparisons: Vec<Vec<String>>,
    /// The experiment's own ratios and sweeps: a row for each and game.
    pub ratios: Vec<RatioRow>,
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
const METHOD: [(&str, &str); 7] = [
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
        "A claim holds if all of the interval lies on its side of the limit, fails if all of it lies on the other side, and is undecided otherwise. The \
         limit stands beside it. Of two algorithms one is better or worse if the interval of their ratio lies on one side of 100 %; they are \
         equal if all of it lies within 1 % of that. The sign test asks whether so uneven a count of positions could be a toss. What can be \
         seen is the difference that so many positions would show four times out of five.",
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
        "Deviations from the paper",
        "Ours are other programs on other positions. An entry keeps two bounds, where the paper kept one. Evaluations are rounded to the grain \
         stated below. Wins know their distance, so a child is asked one ply nearer to any win. Driver bounds are kept within what is open, so that \
         every pass narrows it. MTD-bi rounds up. MTD-f first asks about the guess itself, where figure 8 asks one above. The baseline opens or \
         doubles its window as stated below; the paper does not say. The branching factor is the width of uniform trees with as many lines as \
         those below the positions.",
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
    // The paper's claims are about its games and ours about ours: an experiment of somebody else's has its own questions.
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
        ratios: vary::rows(&results),
        claims,
    })
}

impl Report {
    /// The ratios and sweeps as text: a heading, then the rows. The last column is there if anything stands in it.
    fn ratio_table(&self) -> Vec<Vec<String>> {
        let columns = RatioRow::HEADINGS.len() - usize::from(self.ratios.iter().all(|row| row.virtual_time.is_none()));
        let rows = self.ratios.iter().map(|row| row.cells()[..columns].to_vec());
        let headings = RatioRow::HEADINGS[..columns].iter().map(|&heading| heading.into()).collect();
        if self.ratios.is_empty() { Vec::new() } else { std::iter::once(headings).chain(rows).collect() }
    }

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

    /// How things were measured, as far as it matters here.
    pub(crate) fn method(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let claims = !self.claims.is_empty();
        METHOD.into_iter().filter(move |(name, _)| claims || *name != "Verdicts")
    }

    /// The paper's claims, and our goals: a heading, and those under it.
    pub fn tables(&self) -> impl Iterator<Item = (&'static str, Vec<&Claim>)> {
        [("The paper's claims", Source::Paper), ("Goals, and later work", Source::Goal)]
            .into_iter()
            .map(|(heading, source)| (heading, self.claims.iter().filter(|claim| claim.source == source).collect()))
            .filter(|(_, claims): &(_, Vec<&Claim>)| !claims.is_empty())
    }
}

/// How many of them hold, are mixed, fail, and are undecided.
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
    format!("{holds} hold, {mixed} differ between the games, {fails} fail and {undecided} are undecided")
}

/// MTD-f against the baseline, with all that is needed to judge it.
fn comparisons(results: &Results) -> Vec<Vec<String>> {
    let headings = ["game", "measure", "n", "of the baseline's", "verdict", "less in", "sign test", "can be seen"];
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

/// How each game is searched.
fn settings(results: &Results) -> String {
    let plan = results.plan;
    let of = |subject: &Subject| {
        let spec = plan.count(subject, &subject.positions[0], Algorithm::BASELINE);
        format!(
            "{} (grain {}, baseline {}, guess {}, {} moves a position)",
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
    format!("{}; {} entries of {bounds}", all.join(", "), search.entries)
}

/// The result in at most four sentences that can be quoted.
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
            text +=
                &format!(" It takes {} % of the time, with {} passes an iteration.", range(times, 1), range(passes, 1));
        }
        (true, false) => text += &format!(" It makes {} passes an iteration.", range(passes, 1)),
        _ => {}
    }
    if !claims.is_empty() {
        text += &format!(" Of {} claims and goals {}.", claims.len(), tally(claims));
    }
    text
}

/// The least and the greatest of some numbers: 95.8 to 97.2.
fn range(numbers: impl IntoIterator<Item = f64>, digits: usize) -> String {
    let (least, most) =
        numbers.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(n), high.max(n)));
    let [least, most] = [least, most].map(|number| format!("{number:.digits$}"));
    if least == most { least } else { format!("{least} to {most}") }
}

/// Today, in Greenwich, like 1994-12-31.
fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The date so many days after the first of January 1970. Years begin in March here, so that the leap day comes last.
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
            let shown =
                |ratio: Option<crate::estimate::Estimate>| ratio.map_or_else(|| "–".into(), |ratio| ratio.percent());
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
                passes.map_or_else(|| "–".into(), |passes| format!("{:.1}", passes.mean)),
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
                ". It makes {:.1} passes an iteration, each of which walks again what is known already: the table answers {:.0} % of its visits, \
                 and {:.0} % of the baseline's.",
                passes.mean,
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
                    " Told the value of each iteration in advance, MTD-f would have {:.1} % of the baseline's leaves",
                    100.0 * told.mean
                );
                let pair = |position: &String| (plan.told(subject, position, 0), plan.baseline_told(subject, position));
                if let Some(both) = results.pairs(subject.positions.iter().map(pair), subject.depth, LEAVES) {
                    text += &format!(", and {:.1} % if the baseline were told it too", 100.0 * both.mean);
                }
                text += ".";
            }
            let over = |algorithm| results.over_minimal(subject, algorithm, 0).map(|over| over.mean);
            if let (Some(ours), Some(theirs)) = (over(algorithm), over(Algorithm::BASELINE)) {
                text += &format!(
                    " In the last iteration it evaluates {ours:.2} times the leaves of the minimal graph, the baseline {theirs:.2} times: with this move \
                     ordering nothing that finds the value can save more than {:.0} % of the baseline's leaves there.",
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
    fn days_have_dates() {
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
    fn a_range_of_one_is_a_number() {
        assert_eq!(range([95.81, 97.24, 96.0], 1), "95.8 to 97.2");
        assert_eq!(range([95.81, 95.79], 1), "95.8");
    }
}
