//! The figures. Each computes its numbers from the results and draws them with `draw`.

mod baselines;
mod distance;
mod grain;
mod height;
mod minimal;
mod paper;
mod simulated;
mod table_size;

use emtee::Algorithm;

use crate::draw::{Axis, Colour, Mark, Panel, Series};
use crate::error::Error;
use crate::estimate::Estimate;
use crate::figure_kind::FigureKind;
use crate::plan::Subject;
use crate::results::{Metric, Results, depths, heading, title};

/// A drawn figure.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figure {
    /// The kind of figure.
    pub kind: FigureKind,
    /// The title.
    pub title: String,
    /// The caption.
    pub caption: String,
    /// The drawing, as SVG.
    pub svg: String,
}

/// Draws the figures of an experiment.
pub(crate) fn figures(results: &Results) -> Result<Vec<Figure>, Error> {
    results.plan.experiment.figures.iter().map(|&kind| figure(kind, results)).collect()
}

fn figure(kind: FigureKind, results: &Results) -> Result<Figure, Error> {
    let (title, caption, svg) = match kind {
        FigureKind::Baselines => baselines::baselines(results),
        FigureKind::Convergence => paper::convergence(results)?,
        FigureKind::FirstGuess => paper::first_guess(results),
        FigureKind::Leaves => paper::leaves(results),
        FigureKind::Nodes => paper::nodes(results),
        FigureKind::Time => paper::time(results),
        FigureKind::Best => paper::best(results),
        FigureKind::TwoBounds => table_size::two_bounds(results),
        FigureKind::TableSize => table_size::table_size(results),
        FigureKind::Passes => paper::passes(results),
        FigureKind::Ordering => height::ordering(results),
        FigureKind::SolutionTrees => minimal::solution_trees(results),
        FigureKind::MinimalGraph => minimal::minimal_graph(results),
        FigureKind::Distance => distance::distance(results),
        FigureKind::GuessError => distance::guess_error(results),
        FigureKind::Etc => height::etc(results),
        FigureKind::Grain => grain::grain(results),
        FigureKind::Choice => grain::choice(results),
        FigureKind::Simulation => simulated::simulation(results),
    };
    Ok(Figure { kind, title, caption, svg })
}

/// Title, caption and drawing.
pub(crate) type Drawn = (String, String, String);

/// The number of panels per row: one per game, at most three.
fn columns(results: &Results) -> usize {
    results.plan.subjects.len().clamp(1, 3)
}

/// The title of a panel: the game and its number of positions.
fn panel_title(subject: &Subject, positions: &[String]) -> String {
    format!("{}, n = {}", heading(&subject.name), positions.len())
}

/// A point in percent, with its interval if requested.
fn mark(x: f64, ratio: Estimate, interval: bool) -> Mark {
    let percent = |ratio: f64| 100.0 * ratio;
    Mark { x, y: percent(ratio.mean), interval: interval.then(|| (percent(ratio.low), percent(ratio.high))) }
}

/// A panel of algorithms relative to the baseline, by search depth.
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
            let emphasized = algorithm == Algorithm::MtdF || algorithm == Algorithm::default();
            let marks =
                shown.iter().filter_map(|&depth| Some(mark(depth.into(), ratio(algorithm, depth)?, emphasized)));
            Series { marks: marks.collect(), ..Series::new(title(algorithm), Colour::of(algorithm), []) }
                .strong(emphasized)
        })
        .collect();
    percent_panel(panel_title(subject, &subject.positions), "search depth", label, series)
}

/// A panel of percentages over whole numbers, with the baseline at 100 %.
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

/// The depths that are drawn: all but 1 and 2, which are not informative, and at least the last two.
fn shown_depths(subject: &Subject) -> Vec<u8> {
    let all = depths(subject.depth, subject.step);
    let skipped = all.iter().filter(|&&depth| depth < 3).count().min(all.len().saturating_sub(2));
    all[skipped..].to_vec()
}

/// One panel per game: a metric of the algorithms relative to the baseline, by search depth.
fn metric_by_depth(results: &Results, algorithms: &[Algorithm], label: &str, metric: Metric) -> Vec<Panel> {
    let panel = |subject: &Subject| {
        by_depth(subject, algorithms, label, |algorithm, depth| {
            results.against_baseline(subject, algorithm, depth, metric)
        })
    };
    results.plan.subjects.iter().map(panel).collect()
}
