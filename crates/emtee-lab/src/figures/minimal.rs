//! The figures `solution-trees` and `minimal-graph`.

use emtee::Algorithm;
use emtee_engine::MinimalGraph;

use crate::draw::{Axis, Colour, DotPanel, DotRow, Panel, Series, dots, lines};
use crate::estimate::Estimate;
use crate::figures::{Drawn, columns};
use crate::plan::Subject;
use crate::results::{Results, depths, heading, title};

/// The sizes of the two solution trees compared with the table size.
pub(crate) fn solution_trees(results: &Results) -> Drawn {
    let plan = results.plan;
    let entries = plan.experiment.search.entries as f64;
    let panel = |subject: &Subject| {
        let line = |label: &str, colour, size: fn(&MinimalGraph) -> u64| {
            let point = |depth: u8| {
                let sizes: Vec<f64> = subject
                    .positions
                    .iter()
                    .filter_map(|position| {
                        let graph = results.get(&plan.minimal(subject, position))?;
                        Some(size(graph.minimal.iter().find(|row| row.depth == depth)?) as f64)
                    })
                    .collect();
                Some((f64::from(depth), results.ratio(&sizes)?.mean))
            };
            Series::new(label, colour, depths(subject.depth, subject.step).into_iter().filter_map(point))
        };
        let series = vec![
            line("max tree", Colour::Blue, |row| row.max_tree).strong(true),
            line("min tree", Colour::Vermilion, |row| row.min_tree),
        ];
        let marks = || series.iter().flat_map(|series| &series.marks);
        Panel {
            title: super::panel_title(subject, &subject.positions),
            x: Axis::whole("search depth", marks().map(|mark| mark.x)),
            y: Axis::tens("positions", marks().map(|mark| mark.y).chain([entries])),
            rule: Some((entries, String::from("table"))),
            series,
            meet: false,
        }
    };
    let panels: Vec<Panel> = plan.subjects.iter().map(panel).collect();
    let title = "Size of the solution trees";
    let caption = "Positions of the max solution tree, which proves the upper bound f⁺ = f, and of the min solution \
                   tree, which proves the lower bound f⁻ = f. Transpositions are counted once. Both trees must fit \
                   in the table; otherwise the drivers search lost parts again. Dotted: number of table entries.";
    (title.into(), caption.into(), lines(title, &panels, columns(results)))
}

/// Distance to the left-first minimal graph.
pub(crate) fn minimal_graph(results: &Results) -> Drawn {
    let plan = results.plan;
    let with_etc = plan.experiment.study.with_etc;
    let row = |label, colour, ratio: Option<Estimate>, gap_above| DotRow {
        label,
        colour,
        value: ratio.map(|ratio| (ratio.mean, ratio.low, ratio.high)),
        text: ratio.map(|ratio| format!("{:.2}", ratio.mean)).unwrap_or_default(),
        gap_above,
        hollow: !gap_above,
    };
    let rows = |subject: &Subject| -> Vec<DotRow> {
        let both = |&algorithm: &Algorithm| {
            let (name, colour) = (title(algorithm), Colour::of(algorithm));
            let over = |etc| results.over_minimal(subject, algorithm, etc);
            [row(name.clone(), colour, over(0), true), row(format!("{name}, ETC"), colour, over(with_etc), false)]
        };
        let graph = row("minimal graph, ETC".into(), Colour::Grey, results.minimal_with_etc(subject), false);
        plan.contenders().iter().flat_map(both).chain([graph]).collect()
    };
    let all: Vec<(String, Vec<DotRow>)> =
        plan.subjects.iter().map(|subject| (heading(&subject.name), rows(subject))).collect();
    let values =
        || all.iter().flat_map(|(_, rows)| rows).filter_map(|row| row.value).flat_map(|(_, low, high)| [low, high]);
    let x = Axis::linear("leaves over the minimal graph", values().chain([1.0]));
    let panels: Vec<DotPanel> = all
        .iter()
        .map(|(title, rows)| DotPanel { title: title.clone(), x: x.clone(), rule: Some(1.0), rows: rows.clone() })
        .collect();
    let title = "Distance to the left-first minimal graph";
    let caption = format!(
        "Leaves of the last iteration relative to the left-first minimal graph: the leaves of the two proofs around \
         the value if the value and all best moves are known in advance. The minimal graph has no enhanced \
         transposition cutoffs (ETC), so a search with ETC (hollow dots, from height {with_etc} up) can be smaller. \
         “Minimal graph, ETC” uses ETC at every height, on the sample; it is an upper bound on the size of the real \
         minimal graph. Lines: 95 % bootstrap intervals."
    );
    (title.into(), caption, dots(title, &panels))
}
