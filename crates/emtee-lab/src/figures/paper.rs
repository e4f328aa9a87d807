//! The figures of the paper, and passes per iteration.

use emtee::Algorithm;

use crate::claims::first_guess_ratio;
use crate::draw::{Axis, Colour, Mark, Panel, Series, lines};
use crate::error::Error;
use crate::estimate::Estimate;
use crate::figure_kind::BEST;
use crate::figures::{Drawn, by_depth, columns, mark, metric_by_depth, shown_depths};
use crate::plan::Subject;
use crate::results::{LEAVES, NODES, Results, heading, title};

/// Figure 9: convergence of the drivers.
pub(crate) fn convergence(results: &Results) -> Result<Drawn, Error> {
    let plan = results.plan;
    let mut panels = Vec::new();
    for subject in &plan.subjects {
        let mut series = Vec::new();
        for algorithm in plan.drivers() {
            let spec = plan.count(subject, &subject.positions[0], algorithm);
            let Some(value) = results.get(&spec).and_then(|outcome| outcome.last()?.value) else { continue };
            let passes = results.passes(&spec)?;
            let last = passes.iter().filter(|pass| pass.depth == subject.depth);
            let points = last.enumerate().map(|(index, pass)| ((index + 1) as f64, f64::from(pass.g - value)));
            let emphasized = algorithm == Algorithm::MtdF || algorithm == Algorithm::default();
            series.push(Series::new(title(algorithm), Colour::of(algorithm), points).strong(emphasized));
        }
        let marks = || series.iter().flat_map(|series| &series.marks);
        panels.push(Panel {
            title: heading(&subject.name),
            x: Axis::tens("pass of the last iteration", marks().map(|mark| mark.x)),
            y: Axis::both_sides("g − f, points", marks().map(|mark| mark.y)),
            rule: Some((0.0, String::new())),
            series,
            meet: true,
        });
    }
    let title = "Convergence of the drivers on one position";
    let caption = "Result g of each pass of the last iteration, as the distance from the value f. SSS* converges \
                   from above and DUAL* from below; MTD-bi bisects the interval between the bounds; MTD-f starts \
                   close to f. First position of each game; both axes are logarithmic.";
    Ok((title.into(), caption.into(), lines(title, &panels, columns(results))))
}

/// Figure 10: tree size against the first guess.
pub(crate) fn first_guess(results: &Results) -> Drawn {
    let plan = results.plan;
    let panel =
        |subject: &Subject| {
            let marks =
                plan.experiment.study.offsets.iter().filter_map(|&offset| {
                    Some(mark(offset.into(), first_guess_ratio(results, subject, offset)?, true))
                });
            let mut marks: Vec<Mark> = marks.collect();
            marks.sort_by(|a, b| a.x.total_cmp(&b.x));
            let bounds = marks.iter().flat_map(|mark| mark.interval.map_or([mark.y; 2], |(low, high)| [low, high]));
            let pair = |position: &String| {
                (plan.baseline_first_guess(subject, position), plan.count(subject, position, Algorithm::BASELINE))
            };
            let exact_guess = results.pairs(subject.positions.iter().map(pair), subject.depth, LEAVES);
            let exact_guess = exact_guess.map(|ratio| 100.0 * ratio.mean);
            let y = Axis::percent("leaves, % of Aspiration NegaScout", bounds.chain(exact_guess));
            let x = Axis::both_sides("first guess, h − f in points", marks.iter().map(|mark| mark.x));
            let ends = marks.first().zip(marks.last()).map(|(first, last)| (first.x, last.x));
            let mut series = vec![Series { marks, ..Series::new("MTD-f", Colour::Blue, []) }.strong(true)];
            if let (Some((from, to)), Some(level)) = (ends, exact_guess) {
                let line = Series::new("Asp. N., h = f", Colour::Text, [(from, level), (to, level)]);
                series.push(line.dashed(true));
            }
            Panel {
                title: super::panel_title(subject, &subject.positions),
                x,
                y,
                rule: Some((100.0, String::from("Asp. NegaScout"))),
                series,
                meet: false,
            }
        };
    let panels: Vec<Panel> = plan.subjects.iter().map(panel).collect();
    let title = "Tree size against the first guess";
    let caption = "Leaves of iterative deepening MTD-f; the first guess h of each iteration is the value f of that \
                   iteration plus h − f. To the left MTD-f approaches DUAL*, to the right SSS*. Dashed: Aspiration \
                   NegaScout with h = f and a window of one grain on either side. Band: 95 % bootstrap interval over \
                   positions.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}

/// Figure 11: leaves.
pub(crate) fn leaves(results: &Results) -> Drawn {
    let panels = metric_by_depth(results, &results.plan.algorithms(), "leaves, % of Aspiration NegaScout", LEAVES);
    let title = "Leaf evaluations (NBP)";
    let caption = "Leaves relative to Aspiration NegaScout, cumulative over all iterations, geometric mean over \
                   positions. Band: 95 % bootstrap interval of MTD-f.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}

/// Figure 12: total nodes.
pub(crate) fn nodes(results: &Results) -> Drawn {
    let panels = metric_by_depth(results, &results.plan.algorithms(), "nodes, % of Aspiration NegaScout", NODES);
    let title = "Total nodes";
    let caption = "Interior nodes, leaves and visits that end with a table cutoff, relative to Aspiration NegaScout, \
                   cumulative over all iterations. Repeated passes increase the total nodes, but not the leaves.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}

/// Figure 13: execution time.
pub(crate) fn time(results: &Results) -> Drawn {
    let algorithms: Vec<Algorithm> = results.plan.experiment.timed.iter().map(|named| named.0).collect();
    let panel = |subject: &Subject| {
        let mut panel = by_depth(subject, &algorithms, "time, % of Aspiration NegaScout", |algorithm, depth| {
            results.time(subject, algorithm, depth)
        });
        // Shallow searches are too short for the resolution of the clock.
        let deep: Vec<u8> = shown_depths(subject).into_iter().rev().take(4).collect();
        for series in &mut panel.series {
            series.marks.retain(|mark| deep.iter().any(|&depth| f64::from(depth) == mark.x));
        }
        let series = std::mem::take(&mut panel.series);
        super::percent_panel(panel.title, "search depth", "time, % of Aspiration NegaScout", series)
    };
    let panels: Vec<Panel> = results.plan.subjects.iter().map(panel).collect();
    let title = "Execution time";
    let caption = "Processor time of the search thread relative to Aspiration NegaScout. Each pair is interleaved as \
                   ABBA, and no other run of this program is active. The four deepest searches. Band: 95 % bootstrap \
                   interval over positions.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}

/// Figure 14: MTD-best.
pub(crate) fn best(results: &Results) -> Drawn {
    let algorithms = [Algorithm::MtdF, BEST[0], BEST[1]];
    let mut panels = metric_by_depth(results, &algorithms, "leaves, % of Aspiration NegaScout", LEAVES);
    panels.extend(results.plan.subjects.iter().map(|subject| {
        let series = algorithms.map(|algorithm| {
            let point =
                |&depth: &u8| Some((f64::from(depth), results.over_minimal_at(subject, algorithm, depth)?.mean));
            let points: Vec<_> = shown_depths(subject).iter().filter_map(point).collect();
            Series::new(title(algorithm), Colour::of(algorithm), points).strong(algorithm == Algorithm::MtdF)
        });
        let marks = || series.iter().flat_map(|series| &series.marks);
        Panel {
            title: super::panel_title(subject, &subject.positions),
            x: Axis::whole("search depth", marks().map(|mark| mark.x)),
            y: Axis::linear("leaves of the iteration over the minimal graph", marks().map(|mark| mark.y).chain([1.0])),
            rule: Some((1.0, String::from("minimal graph"))),
            series: series.to_vec(),
            meet: false,
        }
    }));
    let rates: Vec<String> = results
        .plan
        .subjects
        .iter()
        .filter_map(|subject| {
            let [prove, disprove] = BEST.map(|algorithm| results.confirmed(subject, algorithm));
            let percent = |rate: Estimate| format!("{:.0} %", 100.0 * rate.mean);
            Some(format!("{}: {} and {}", subject.name, percent(prove?), percent(disprove?)))
        })
        .collect();
    let title = "MTD-best with both strategies";
    let mut caption = String::from(
        "Leaves of MTD-best, which proves the best move but not its value, and of MTD-f. Top: relative to Aspiration \
         NegaScout. Bottom: leaves of each single iteration relative to its left-first minimal graph.",
    );
    if !rates.is_empty() {
        caption += &format!(
            " Iterations that confirm the first candidate, prove-best and disprove-rest: {}.",
            rates.join("; ")
        );
    }
    (title.into(), caption, lines(title, &panels, columns(results)))
}

/// The figure `passes`: passes per iteration.
pub(crate) fn passes(results: &Results) -> Drawn {
    let plan = results.plan;
    let panel = |subject: &Subject| {
        let series = plan.algorithms().into_iter().filter(|algorithm| algorithm.driver().is_some()).map(|algorithm| {
            let point = |&depth: &u8| {
                Some((f64::from(depth), results.passes_per_iteration(subject, algorithm, Some(depth))?.mean))
            };
            let emphasized = algorithm == Algorithm::MtdF || algorithm == Algorithm::default();
            let points: Vec<_> = shown_depths(subject).iter().filter_map(point).collect();
            Series::new(title(algorithm), Colour::of(algorithm), points).strong(emphasized)
        });
        let series: Vec<Series> = series.collect();
        let marks = || series.iter().flat_map(|series| &series.marks);
        Panel {
            title: super::panel_title(subject, &subject.positions),
            x: Axis::whole("search depth", marks().map(|mark| mark.x)),
            y: Axis::tens("passes in the iteration", marks().map(|mark| mark.y).chain([2.0])),
            rule: Some((2.0, String::from("minimum"))),
            series,
            meet: false,
        }
    };
    let panels: Vec<Panel> = plan.subjects.iter().map(panel).collect();
    let title = "Passes per iteration";
    let caption = "Number of MT calls in the iteration of each depth, mean over positions. The minimum is two: one \
                   pass that fails high and one that fails low.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}
