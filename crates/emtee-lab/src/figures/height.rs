//! Figures by height: move ordering and enhanced transposition cutoffs.

use emtee::Algorithm;

use crate::draw::{Axis, Colour, Panel, Series, lines};
use crate::figures::{Drawn, columns, mark};
use crate::plan::Subject;
use crate::results::{LEAVES, Metric, NODES, Results, title};
use crate::spec::Spec;

/// The figure `ordering`: cut nodes by height.
pub(crate) fn ordering(results: &Results) -> Drawn {
    let panel = |subject: &Subject| {
        let series = [Algorithm::MtdF, Algorithm::BASELINE].map(|algorithm| {
            let point = |height: u8| {
                let this_height = |row: usize| row == usize::from(height);
                Some(mark(height.into(), results.first_cuts(subject, algorithm, this_height)?, true))
            };
            let marks = (1..subject.depth).filter_map(point).collect();
            Series { marks, ..Series::new(title(algorithm), Colour::of(algorithm), []) }
                .strong(algorithm == Algorithm::MtdF)
        });
        let marks = || series.iter().flat_map(|series| &series.marks);
        Panel {
            title: super::panel_title(subject, &subject.positions),
            x: Axis::whole("height above the horizon", marks().map(|mark| mark.x)),
            y: Axis::linear(
                "first-move cutoffs, %",
                marks().flat_map(|mark| mark.interval.map_or([mark.y; 2], |(low, high)| [low, high])).chain([95.0]),
            ),
            rule: Some((95.0, "almost perfect".into())),
            series: series.to_vec(),
            meet: false,
        }
    };
    let panels: Vec<Panel> = results.plan.subjects.iter().map(panel).collect();
    let title = "Move ordering by height";
    let caption = "Share of cut nodes at which the first move cuts off, by height above the horizon, without the root. In \
                   the paper, a tree is almost perfectly ordered if the first move cuts off at more than 95 % of the \
                   cut nodes. Band: 95 % bootstrap interval over positions.";
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
    let panels: Vec<Panel> = plan.subjects.iter().map(panel).collect();
    let title = "Enhanced transposition cutoffs by height";
    let caption = "MTD-f with enhanced transposition cutoffs (ETC) at all nodes from a lowest height up, relative to \
                   MTD-f without ETC. ETC looks up all children in the table before it searches one. Dashed: leaves \
                   of Aspiration NegaScout, with and without ETC. A smaller lowest height saves more leaves and \
                   costs more time.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}
