//! The figures `grain` and `choice`: the effect of rounding evaluations.

use emtee::Algorithm;

use crate::draw::{Axis, Colour, Panel, Series, lines};
use crate::figure_kind::{GRAINED, named};
use crate::figures::{Drawn, columns};
use crate::outcome::IterationRow;
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, NODES, Results, heading, title};
use crate::spec::Spec;

/// Passes per iteration and nodes against the grain.
pub(crate) fn grain(results: &Results) -> Drawn {
    let plan = results.plan;
    let grains = &plan.experiment.study.grains;
    let passes = |subject: &Subject, algorithm: Algorithm, grain: i32| {
        let of_position = |position: &String| {
            let outcome = results.get(&Spec { grain, ..plan.sampled(subject, position, algorithm) })?;
            Some(outcome.last()?.passes as f64 / outcome.iterations.len() as f64)
        };
        let all: Vec<f64> = subject.sample.iter().filter_map(of_position).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    };
    let nodes = |subject: &Subject, algorithm: Algorithm, grain: i32| {
        let pair = |position: &String| {
            let sampled = |algorithm| Spec { grain, ..plan.sampled(subject, position, algorithm) };
            (sampled(algorithm), sampled(Algorithm::BASELINE))
        };
        Some(100.0 * results.pairs(subject.sample.iter().map(pair), subject.study_depth, NODES)?.mean)
    };
    let panel = |subject: &Subject, in_passes: bool| {
        let line = |algorithm: Algorithm| {
            let point = |&grain: &i32| {
                let y = if in_passes { passes(subject, algorithm, grain) } else { nodes(subject, algorithm, grain) };
                Some((f64::from(grain), y?))
            };
            let points: Vec<_> = grains.iter().filter_map(point).collect();
            Series::new(title(algorithm), Colour::of(algorithm), points).strong(algorithm == Algorithm::MtdF)
        };
        let series: Vec<Series> = named(&GRAINED).into_iter().map(line).collect();
        let marks = || series.iter().flat_map(|series| &series.marks);
        let y = || marks().map(|mark| mark.y);
        Panel {
            title: super::panel_title(subject, &subject.sample),
            x: Axis::tens("grain, points", marks().map(|mark| mark.x)),
            y: if in_passes {
                Axis::tens("passes per iteration", y().chain([2.0]))
            } else {
                Axis::percent("nodes, %", y())
            },
            rule: Some(if in_passes { (2.0, "minimum".into()) } else { (100.0, "Asp. NegaScout".into()) }),
            series,
            meet: false,
        }
    };
    let subjects = &plan.subjects;
    let panels: Vec<Panel> = subjects
        .iter()
        .map(|subject| panel(subject, true))
        .chain(subjects.iter().map(|subject| panel(subject, false)))
        .collect();
    let title = "Grain of the evaluation";
    let caption = "Evaluations are rounded to multiples of the grain. Top: passes per iteration. Bottom: total nodes \
                   relative to Aspiration NegaScout with the same grain.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}

/// The colours of the games.
const GAME_COLOURS: [Colour; 7] =
    [Colour::Blue, Colour::Vermilion, Colour::Green, Colour::Pink, Colour::Orange, Colour::Brown, Colour::Violet];

/// MTD-f relative to the baseline against the error of the first guess in grains, a line per game. A finer grain moves a game
/// to the right.
pub(crate) fn choice(results: &Results) -> Drawn {
    let plan = results.plan;
    let line = |(index, subject): (usize, &Subject), metric: Metric| {
        let point = |&grain: &i32| {
            let run = |position: &String, algorithm| Spec { grain, ..plan.sampled(subject, position, algorithm) };
            let errors = subject.sample.iter().filter_map(|position| {
                let run = run(position, Algorithm::MtdF);
                guess_error(results, &run)
            });
            let errors: Vec<f64> = errors.collect();
            let error = errors.iter().sum::<f64>() / errors.len() as f64 / f64::from(grain);
            let pairs = subject
                .sample
                .iter()
                .map(|position| (run(position, Algorithm::MtdF), run(position, Algorithm::BASELINE)));
            let ratio = results.pairs(pairs, subject.study_depth, metric)?;
            (error > 0.0).then_some((error, 100.0 * ratio.mean))
        };
        let mut points: Vec<(f64, f64)> = plan.experiment.study.grains.iter().filter_map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let moves = plan.branching(&subject.name).map_or(String::new(), |moves| format!(" {moves:.0}"));
        let label = format!("{}{moves}", heading(&subject.name));
        Series::new(label, GAME_COLOURS[index % GAME_COLOURS.len()], points)
    };
    let panel = |name: &str, metric: Metric| {
        let series: Vec<Series> = plan.subjects.iter().enumerate().map(|subject| line(subject, metric)).collect();
        let marks = || series.iter().flat_map(|series| &series.marks);
        Panel {
            title: name.into(),
            x: Axis::tens("error of the first guess, grains", marks().map(|mark| mark.x)),
            y: Axis::percent("MTD-f, % of Asp. NegaScout", marks().map(|mark| mark.y).chain([100.0])),
            rule: Some((100.0, String::new())),
            series,
            meet: false,
        }
    };
    let title = "When MTD-f pays";
    let caption = "MTD-f relative to Aspiration NegaScout, by the mean error of the first guess of an iteration. A line per \
                   game, from coarse evaluations on the left to fine ones on the right; the number behind its name is \
                   the mean number of moves. Below 100 % MTD-f needs less.";
    (title.into(), caption.into(), lines(title, &[panel("Leaves", LEAVES), panel("Nodes", NODES)], 2))
}

/// The mean error of the first guesses of MTD-f, in points.
fn guess_error(results: &Results, run: &Spec) -> Option<f64> {
    let (outcome, passes) = (results.get(run)?, results.passes(run).ok()?);
    let error = |row: &IterationRow| {
        let first = passes.iter().find(|pass| pass.depth == row.depth)?;
        Some((first.gamma? + 0.5 - f64::from(row.value?)).abs())
    };
    // The first iteration has no value to begin with.
    let errors: Vec<f64> = outcome.iterations.iter().skip(1).filter_map(error).collect();
    (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64)
}
