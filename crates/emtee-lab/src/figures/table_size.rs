//! The figures `table-size` and `two-bounds`: the effect of the size of the table and of the bounds per entry.

use emtee::Algorithm;

use crate::draw::{Axis, Colour, Panel, Series, lines};
use crate::figure_kind::{TWO_BOUNDS, named};
use crate::figures::{Drawn, columns, mark};
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, Results, depths, title};
use crate::spec::Spec;

/// MTD-bi and MTD-step with one and two bounds per entry. The paper could not run them: its table kept one bound.
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
                series.push(Series { marks, ..Series::new(label, Colour::of(algorithm), []) }.dashed(one_bound));
            }
        }
        super::percent_panel(super::panel_title(subject, &subject.sample), "search depth", label, series)
    };
    let subjects = plan.subjects.iter();
    let panels: Vec<Panel> =
        subjects.map(|subject| panel(subject, "leaves, % of Aspiration NegaScout", LEAVES)).collect();
    let title = "One and two bounds per table entry";
    let caption = "Drivers that use both bounds, with tables that keep both bounds (solid) or only the newest \
                   (dashed), relative to Aspiration NegaScout with two bounds per entry.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}

/// Leaves of every algorithm against the table size.
pub(crate) fn table_size(results: &Results) -> Drawn {
    let plan = results.plan;
    let entries = &plan.experiment.study.entries;
    let panel = |subject: &Subject| {
        let line = |algorithm: Algorithm| {
            let point = |&entries: &usize| {
                let pair = |position: &String| {
                    let sampled = |algorithm| plan.sampled(subject, position, algorithm);
                    (Spec { entries, one_bound: false, ..sampled(algorithm) }, sampled(Algorithm::BASELINE))
                };
                let ratio = results.pairs(subject.sample.iter().map(pair), subject.study_depth, LEAVES)?;
                Some(mark(entries as f64, ratio, false))
            };
            let marks = entries.iter().filter_map(point).collect();
            let emphasized = algorithm == Algorithm::MtdF || algorithm == Algorithm::BASELINE;
            Series { marks, ..Series::new(title(algorithm), Colour::of(algorithm), []) }.strong(emphasized)
        };
        let series: Vec<Series> = plan.algorithms().into_iter().map(line).collect();
        let marks = || series.iter().flat_map(|series| &series.marks);
        Panel {
            title: super::panel_title(subject, &subject.sample),
            x: Axis::twos("table entries", marks().map(|mark| mark.x)),
            y: Axis::percent("leaves, %", marks().map(|mark| mark.y)),
            rule: Some((100.0, String::new())),
            series,
            meet: false,
        }
    };
    let panels: Vec<Panel> = plan.subjects.iter().map(panel).collect();
    let title = "Size of the transposition table";
    let caption = format!(
        "Leaves against the number of table entries, with two bounds per entry. 100 %: Aspiration \
         NegaScout with {} entries. A table that is too small for the solution trees increases the leaves but never \
         changes a value.",
        plan.experiment.search.entries
    );
    (title.into(), caption, lines(title, &panels, columns(results)))
}
