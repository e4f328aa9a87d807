//! The figures: each takes its numbers from the results and its look from `draw`.

mod distance;
mod grain;
mod height;
mod minimal;
mod paper;
mod simulated;
mod table_size;

use emtee::Algorithm;

use crate::draw::{Axis, Ink, Mark, Panel, Series};
use crate::error::Error;
use crate::estimate::Estimate;
use crate::plan::Subject;
use crate::results::{Metric, Results, depths, heading, title};
use crate::study::Study;

/// A figure, drawn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figure {
    /// Which it is.
    pub study: Study,
    /// Its title.
    pub title: String,
    /// What to see in it.
    pub caption: String,
    /// The drawing.
    pub svg: String,
}

/// Draws the figures of an experiment.
pub(crate) fn figures(results: &Results) -> Result<Vec<Figure>, Error> {
    results.plan.experiment.figures.iter().map(|&study| figure(study, results)).collect()
}

fn figure(study: Study, results: &Results) -> Result<Figure, Error> {
    let (title, caption, svg) = match study {
        Study::Convergence => paper::convergence(results)?,
        Study::FirstGuess => paper::first_guess(results),
        Study::Leaves => paper::leaves(results),
        Study::Nodes => paper::nodes(results),
        Study::Time => paper::time(results),
        Study::Best => paper::best(results),
        Study::TwoBounds => table_size::two_bounds(results),
        Study::TableSize => table_size::table_size(results),
        Study::Passes => paper::passes(results),
        Study::Ordering => height::ordering(results),
        Study::SolutionTrees => minimal::solution_trees(results),
        Study::MinimalGraph => minimal::minimal_graph(results),
        Study::Distance => distance::distance(results),
        Study::GuessError => distance::guess_error(results),
        Study::Etc => height::etc(results),
        Study::Grain => grain::grain(results),
        Study::Simulation => simulated::simulation(results),
    };
    Ok(Figure { study, title, caption, svg })
}

/// Title, caption and drawing.
pub(crate) type Drawn = (String, String, String);

/// How many panels go in a row: one a game, at most three.
fn columns(results: &Results) -> usize {
    results.plan.subjects.len().clamp(1, 3)
}

/// The title of a panel: a game, and how many of its positions.
fn over(subject: &Subject, positions: &[String]) -> String {
    format!("{}, n = {}", heading(&subject.name), positions.len())
}

fn mark(x: f64, ratio: Estimate, interval: bool) -> Mark {
    let percent = |ratio: f64| 100.0 * ratio;
    Mark { x, y: percent(ratio.mean), interval: interval.then(|| (percent(ratio.low), percent(ratio.high))) }
}

/// The algorithms against the baseline, depth by depth.
fn by_depth(
    subject: &Subject,
    algorithms: &[Algorithm],
    label: &str,
    ratio: impl Fn(Algorithm, u8) -> Option<Estimate>,
) -> Panel {
    let shown = shown_depths(subject);
    let others = algorithms.iter().filter(|algorithm| **algorithm != Algorithm::BASELINE);
    let series: Vec<Series> = others
        .map(|&algorithm| {
            let central = algorithm == Algorithm::MtdF || algorithm == Algorithm::default();
            let marks = shown.iter().filter_map(|&depth| Some(mark(depth.into(), ratio(algorithm, depth)?, central)));
            Series { marks: marks.collect(), ..Series::new(title(algorithm), Ink::of(algorithm), []) }.strong(central)
        })
        .collect();
    percent_panel(over(subject, &subject.positions), "search depth", label, series)
}

/// A panel of percentages over whole numbers, with the baseline at 100.
fn percent_panel(title: String, x: &str, y: &str, series: Vec<Series>) -> Panel {
    let marks = || series.iter().flat_map(|series| &series.marks);
    let bounds =
        marks().flat_map(|mark| [mark.y, mark.interval.map_or(mark.y, |i| i.0), mark.interval.map_or(mark.y, |i| i.1)]);
    Panel {
        title,
        x: Axis::whole(x, marks().map(|mark| mark.x)),
        y: Axis::percent(y, bounds),
        rule: Some((100.0, String::from("Asp. NegaScout"))),
        series,
        meet: false,
    }
}

/// The depths that are drawn: the first few say nothing.
fn shown_depths(subject: &Subject) -> Vec<u8> {
    let all = depths(subject.depth, subject.step);
    let skipped = all.iter().filter(|&&depth| depth < 3).count().min(all.len().saturating_sub(2));
    all[skipped..].to_vec()
}

fn metric_by_depth(results: &Results, algorithms: &[Algorithm], label: &str, metric: Metric) -> Vec<Panel> {
    let panel = |subject: &Subject| {
        by_depth(subject, algorithms, label, |algorithm, depth| {
            results.against_baseline(subject, algorithm, depth, metric)
        })
    };
    results.plan.subjects.iter().map(panel).collect()
}
