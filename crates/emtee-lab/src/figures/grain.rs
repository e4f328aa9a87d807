//! The figure `grain`: the effect of rounding evaluations.

use emtee::Algorithm;

use crate::draw::{Axis, Colour, Panel, Series, lines};
use crate::figure_kind::{GRAINED, named};
use crate::figures::{Drawn, columns};
use crate::plan::Subject;
use crate::results::{NODES, Results, title};
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
