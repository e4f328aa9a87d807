//! The components of the distance to the minimal graph, and the cost of an error of the first guess.

use emtee::Algorithm;

use crate::draw::{Axis, Colour, DotPanel, DotRow, Mark, Panel, Series, dots, lines};
use crate::estimate::Estimate;
use crate::figures::{Drawn, columns};
use crate::plan::Subject;
use crate::results::{Results, heading, title};
use crate::spec::Spec;

/// One component of the distance from the minimal graph to a search, as a factor on the leaves of the last iteration.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) factor: Option<Estimate>,
}

/// The components from the minimal graph to MTD-f, one at a time.
pub(crate) fn steps(results: &Results, subject: &Subject) -> [Step; 3] {
    let plan = results.plan;
    let exact_guess = |position: &str| plan.first_guess(subject, position, 0);
    let lossless = |position: &str| plan.with_lossless_table(exact_guess(position));
    let mtd_f = |position: &str| plan.count(subject, position, Algorithm::MtdF);
    let first = |position: &String| {
        let minimal = results.minimal_leaves(&plan.minimal(subject, position), subject.depth)?;
        Some(results.get(&lossless(position))?.last_leaves()? as f64 / minimal)
    };
    let ordered: Vec<f64> = subject.positions.iter().filter_map(first).collect();
    [
        Step { name: "wrong first moves", factor: results.ratio(&ordered) },
        Step { name: "overwritten entries", factor: results.last_leaves(subject, exact_guess, lossless) },
        Step { name: "wrong guesses", factor: results.last_leaves(subject, mtd_f, exact_guess) },
    ]
}

/// The points, the intercept and the slope of a linear regression.
type Regression = (Vec<(f64, f64)>, f64, f64);

/// Linear regression of the logarithm of the leaves of the last iteration over the minimal graph, on the error of the first
/// guess.
fn regression(results: &Results, subject: &Subject, algorithm: Algorithm) -> Option<Regression> {
    let plan = results.plan;
    let point = |position: &String| {
        // The error of the guess, from the first pass of MTD-f. The baseline uses the same guess.
        let run: Spec = plan.count(subject, position, Algorithm::MtdF);
        let value = results.get(&run)?.last()?.value?;
        let passes = results.passes(&run).ok()?;
        let first = passes.iter().find(|pass| pass.depth == subject.depth)?;
        let error = (first.gamma? + 0.5 - f64::from(value)).abs();
        let leaves = results.get(&plan.count(subject, position, algorithm))?.last_leaves()?;
        let minimal = results.minimal_leaves(&plan.minimal(subject, position), subject.depth)?;
        Some((error, (leaves as f64 / minimal).ln()))
    };
    let points: Vec<(f64, f64)> = subject.positions.iter().filter_map(point).collect();
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    (slope.is_finite() && points.len() > 2).then_some((points, y - slope * x, slope))
}

/// The figure `distance`: the components as a waterfall chart.
pub(crate) fn distance(results: &Results) -> Drawn {
    let subjects = &results.plan.subjects;
    let rows = |subject: &Subject| -> Vec<DotRow> {
        let mut so_far = 1.0;
        let mut rows = Vec::new();
        for Step { name, factor } in steps(results, subject) {
            let value = factor.map(|factor| {
                let before = so_far;
                so_far *= factor.mean;
                (so_far, before * factor.low, before * factor.high)
            });
            let text = factor.map(|factor| format!("×{:.3}", factor.mean)).unwrap_or_default();
            rows.push(DotRow {
                label: name.into(),
                colour: Colour::Blue,
                value,
                text,
                gap_above: false,
                hollow: false,
            });
        }
        rows
    };
    let all: Vec<(String, Vec<DotRow>)> =
        subjects.iter().map(|subject| (heading(&subject.name), rows(subject))).collect();
    let values =
        || all.iter().flat_map(|(_, rows)| rows).filter_map(|row| row.value).flat_map(|(_, low, high)| [low, high]);
    let x = Axis::linear("leaves over the minimal graph, cumulative", values().chain([1.0]));
    let panels: Vec<DotPanel> = all
        .iter()
        .map(|(title, rows)| DotPanel { title: title.clone(), x: x.clone(), rule: Some(1.0), rows: rows.clone() })
        .collect();
    let name = "From the minimal graph to MTD-f";
    let caption = "Leaves of the last iteration relative to the left-first minimal graph. First row: a search with \
         the value as its first guess and a table without overwritten entries, so that only wrong first moves \
         remain. Second row: with the table of the experiment. Third row: with its own first guesses. Labels: the \
         factor of each step. Lines: 95 % bootstrap intervals over positions.";
    (name.into(), caption.into(), dots(name, &panels))
}

/// Number of groups of positions, from the smallest to the largest error of the guess.
const GROUPS: usize = 5;

/// The figure `guess-error`: leaves against the error of the first guess.
pub(crate) fn guess_error(results: &Results) -> Drawn {
    let seed = results.plan.experiment.study.seed;
    let mut fits = Vec::new();
    let mut panels = Vec::new();
    for subject in &results.plan.subjects {
        let mut series = Vec::new();
        for algorithm in [Algorithm::MtdF, Algorithm::BASELINE] {
            let Some((mut points, intercept, slope)) = regression(results, subject, algorithm) else { continue };
            let ten = 100.0 * ((10.0 * slope).exp() - 1.0);
            fits.push(format!(
                "{}, {}: {:.2} at h = f, {ten:+.1} % per 10 points (n = {})",
                heading(&subject.name),
                title(algorithm),
                intercept.exp(),
                points.len()
            ));
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let marks = points.chunks(points.len().div_ceil(GROUPS)).filter_map(|group| {
                let ratios: Vec<f64> = group.iter().map(|point| point.1.exp()).collect();
                let ratio = Estimate::ratio(&ratios, seed)?;
                let x = group.iter().map(|point| point.0).sum::<f64>() / group.len() as f64;
                Some(Mark { x, y: ratio.mean, interval: Some((ratio.low, ratio.high)) })
            });
            let line = Series { marks: marks.collect(), ..Series::new(title(algorithm), Colour::of(algorithm), []) };
            series.push(line.strong(algorithm == Algorithm::MtdF));
        }
        let marks = || series.iter().flat_map(|series: &Series| &series.marks);
        let bounds = marks().flat_map(|mark| mark.interval.map_or([mark.y; 2], |(low, high)| [low, high]));
        panels.push(Panel {
            title: super::panel_title(subject, &subject.positions),
            x: Axis::from_zero("|h − f|, points", marks().map(|mark| mark.x)),
            y: Axis::linear("leaves over the minimal graph", bounds.chain([1.0])),
            rule: Some((1.0, String::from("minimal graph"))),
            series,
            meet: false,
        });
    }
    let name = "Cost of an error of the first guess";
    let caption = format!(
        "Leaves of the last iteration relative to the left-first minimal graph, against the error of the first \
         guess, for five groups of positions by error. Band: 95 % bootstrap interval. Linear regression of the \
         logarithm: {}.",
        if fits.is_empty() { String::from("too few positions") } else { fits.join("; ") }
    );
    (name.into(), caption, lines(name, &panels, columns(results)))
}
