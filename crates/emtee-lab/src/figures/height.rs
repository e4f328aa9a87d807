//! Figures by height: move ordering and enhanced transposition cutoffs.

use emtee::Algorithm;

use crate::draw::{Axis, Colour, Panel, Series, lines};
use crate::estimate::Estimate;
use crate::figures::{Drawn, columns, mark};
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, NODES, Results, depths, title};
use crate::spec::Spec;

/// The figure `ordering`: cut nodes by height.
pub(crate) fn ordering(results: &Results) -> Drawn {
    let panel = |subject: &Subject, first: bool| {
        let series = [Algorithm::MtdF, Algorithm::BASELINE].map(|algorithm| {
            let point = |height: u8| {
                let this_height = |row: usize| row == usize::from(height);
                let y = match first {
                    true => 100.0 * results.first_cuts(subject, algorithm, this_height)?.mean,
                    false => results.moves_tried(subject, algorithm, this_height)?.mean,
                };
                Some((f64::from(height), y))
            };
            let points: Vec<_> = (1..subject.depth).filter_map(point).collect();
            Series::new(title(algorithm), Colour::of(algorithm), points).strong(algorithm == Algorithm::MtdF)
        });
        let marks = || series.iter().flat_map(|series| &series.marks);
        let (label, level) = if first { ("first-move cutoffs, %", 95.0) } else { ("moves tried per cut node", 1.0) };
        Panel {
            title: super::panel_title(subject, &subject.positions),
            x: Axis::whole("height above the horizon", marks().map(|mark| mark.x)),
            y: Axis::linear(label, marks().map(|mark| mark.y).chain([level])),
            rule: Some((level, if first { "almost perfect".into() } else { "perfect".into() })),
            series: series.to_vec(),
            meet: false,
        }
    };
    let subjects = &results.plan.subjects;
    let panels: Vec<Panel> = subjects
        .iter()
        .map(|subject| panel(subject, true))
        .chain(subjects.iter().map(|subject| panel(subject, false)))
        .collect();
    let title = "Move ordering by height";
    let caption = "Cut nodes by height above the horizon, without the root. Top: share of cut nodes at which the \
                   first move cuts off. Bottom: moves tried per cut node. In the paper, a tree is almost perfectly \
                   ordered if the first move cuts off at more than 95 % of the cut nodes.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}

/// The figure `etc`: enhanced transposition cutoffs by lowest height and by depth.
pub(crate) fn etc(results: &Results) -> Drawn {
    let plan = results.plan;
    let heights: Vec<u8> = plan.etc_heights().into_iter().filter(|&etc| etc > 0).collect();
    let counted = |subject: &Subject, algorithm: Algorithm, metric: Metric| {
        let point = |&etc: &u8| {
            let pair = |position: &String| {
                let sampled = plan.sampled(subject, position, algorithm);
                (Spec { etc, ..sampled.clone() }, Spec { etc: 0, ..sampled })
            };
            let ratio = results.pairs(subject.sample.iter().map(pair), subject.study_depth, metric)?;
            Some(mark(etc.into(), ratio, false))
        };
        heights.iter().filter_map(point).collect()
    };
    let panel = |subject: &Subject| {
        let timed = |&etc: &u8| {
            let specs = subject.sample.iter().map(|position| plan.etc_timed(subject, position, etc));
            Some(mark(etc.into(), results.timed(specs, subject.study_depth)?, true))
        };
        let line = |label: &str, colour, marks| Series { marks, ..Series::new(label, colour, []) };
        let series = vec![
            line("leaves", Colour::Blue, counted(subject, Algorithm::MtdF, LEAVES)).strong(true),
            line("leaves, Asp. N.", Colour::Text, counted(subject, Algorithm::BASELINE, LEAVES)).dashed(true),
            line("nodes", Colour::Green, counted(subject, Algorithm::MtdF, NODES)),
            line("time", Colour::Vermilion, heights.iter().filter_map(timed).collect()),
        ];
        let mut panel = super::percent_panel(
            super::panel_title(subject, &subject.sample),
            "lowest height of ETC",
            "% of the same search without ETC",
            series,
        );
        panel.rule = Some((100.0, String::from("without ETC")));
        panel
    };
    let by_depth = |subject: &Subject, label: &str, ratio: &dyn Fn(u8, u8) -> Option<Estimate>| {
        let shades = [Colour::Vermilion, Colour::Orange, Colour::Green, Colour::Blue, Colour::Violet, Colour::Grey];
        let line = |(&etc, &colour): (&u8, &Colour)| {
            let shown = depths(subject.study_depth, subject.step);
            let point = |&depth: &u8| Some(mark(depth.into(), ratio(etc, depth)?, false));
            let marks = shown.iter().filter(|&&depth| depth > 2 || shown.len() < 4).filter_map(point).collect();
            Series { marks, ..Series::new(format!("from height {etc}"), colour, []) }
        };
        let series = heights.iter().zip(shades.iter().cycle()).map(line).collect();
        let mut panel =
            super::percent_panel(super::panel_title(subject, &subject.sample), "search depth", label, series);
        panel.rule = Some((100.0, String::from("without ETC")));
        panel
    };
    let mut panels: Vec<Panel> = plan.subjects.iter().map(panel).collect();
    panels.extend(plan.subjects.iter().map(|subject| {
        by_depth(subject, "leaves, %", &|etc, depth| {
            let pair = |position: &String| {
                let sampled = plan.sampled(subject, position, Algorithm::MtdF);
                (Spec { etc, ..sampled.clone() }, Spec { etc: 0, ..sampled })
            };
            results.pairs(subject.sample.iter().map(pair), depth, LEAVES)
        })
    }));
    panels.extend(plan.subjects.iter().map(|subject| {
        by_depth(subject, "time, %", &|etc, depth| {
            results.timed(subject.sample.iter().map(|position| plan.etc_timed(subject, position, etc)), depth)
        })
    }));
    let title = "Enhanced transposition cutoffs by height";
    let caption = "MTD-f with enhanced transposition cutoffs (ETC) at all nodes from a lowest height up, relative to \
                   MTD-f without ETC. ETC looks up all children in the table before it searches one. Dashed: leaves \
                   of Aspiration NegaScout, with and without ETC. A smaller lowest height saves more leaves and \
                   costs more time. Lower rows: leaves and time of MTD-f by search depth.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}
