//! What the table changes: its size, and whether it keeps one bound or two.

use emtee::Algorithm;

use crate::draw::{Axis, Ink, Panel, Series, lines};
use crate::figures::{Drawn, columns, mark};
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, NODES, Results, depths, title};
use crate::spec::Spec;
use crate::study::{TWO_BOUNDS, named};

/// MTD-bi and MTD-step, which the paper could not run.
pub(crate) fn two_bounds(results: &Results) -> Drawn {
    let plan = results.plan;
    let panel = |subject: &Subject, label: &str, metric: Metric| {
        let mut series = Vec::new();
        for algorithm in named(&TWO_BOUNDS) {
            for one_bound in [false, true] {
                let point = |&depth: &u8| {
                    let pair = |position: &String| {
                        let sampled = |algorithm| plan.sampled(subject, position, algorithm);
                        let base = Spec { one_bound: false, ..sampled(Algorithm::BASELINE) };
                        (Spec { one_bound, ..sampled(algorithm) }, base)
                    };
                    Some(mark(depth.into(), results.pairs(subject.sample.iter().map(pair), depth, metric)?, false))
                };
                let shown = depths(subject.study_depth, subject.step);
                let marks = shown.iter().filter(|&&depth| depth >= 3 || shown.len() < 4).filter_map(point).collect();
                let label = if one_bound { String::new() } else { title(algorithm) };
                series.push(Series { marks, ..Series::new(label, Ink::of(algorithm), []) }.dashed(one_bound));
            }
        }
        super::percent_panel(super::over(subject, &subject.sample), "search depth", label, series)
    };
    let subjects = &plan.subjects;
    let leaves = subjects.iter().map(|subject| panel(subject, "leaves, % of Aspiration NegaScout", LEAVES));
    let nodes = subjects.iter().map(|subject| panel(subject, "nodes, % of Aspiration NegaScout", NODES));
    let panels: Vec<Panel> = leaves.chain(nodes).collect();
    let title = "Two bounds an entry, or one";
    let caption = "The drivers that work from both sides, with tables that keep both bounds (solid) or the newest alone (dashed), relative to \
                   Aspiration NegaScout with two.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}

/// Every algorithm against the size of the table.
pub(crate) fn table_size(results: &Results) -> Drawn {
    let plan = results.plan;
    let entries = &plan.experiment.study.entries;
    let panel = |subject: &Subject, one_bound: bool| {
        let line = |algorithm: Algorithm| {
            let point = |&entries: &usize| {
                let pair = |position: &String| {
                    let sampled = |algorithm| plan.sampled(subject, position, algorithm);
                    (Spec { entries, one_bound, ..sampled(algorithm) }, sampled(Algorithm::BASELINE))
                };
                let ratio = results.pairs(subject.sample.iter().map(pair), subject.study_depth, LEAVES)?;
                Some(mark(entries as f64, ratio, false))
            };
            let marks = entries.iter().filter_map(point).collect();
            let central = algorithm == Algorithm::MtdF || algorithm == Algorithm::BASELINE;
            Series { marks, ..Series::new(title(algorithm), Ink::of(algorithm), []) }.strong(central)
        };
        let series: Vec<Series> = plan.algorithms().into_iter().map(line).collect();
        let marks = || series.iter().flat_map(|series| &series.marks);
        let bounds = if one_bound { "one bound" } else { "two bounds" };
        Panel {
            title: format!("{}, {bounds}", super::over(subject, &subject.sample)),
            x: Axis::twos("entries of the table", marks().map(|mark| mark.x)),
            y: Axis::percent("leaves, %", marks().map(|mark| mark.y)),
            rule: Some((100.0, String::new())),
            series,
            meet: false,
        }
    };
    let subjects = &plan.subjects;
    let panels: Vec<Panel> = subjects
        .iter()
        .map(|subject| panel(subject, false))
        .chain(subjects.iter().map(|subject| panel(subject, true)))
        .collect();
    let title = "The size of the table";
    let caption = format!(
        "Leaves against the number of entries, with two bounds an entry above and one below. 100 % is Aspiration NegaScout with {} entries. A \
         table that is too small for the solution trees costs leaves and never changes a value.",
        plan.experiment.search.entries
    );
    (title.into(), caption, lines(title, &panels, columns(results)))
}
