//! The figure `simulation`: synthetic trees compared with real games.

use emtee::Algorithm;

use crate::draw::{Axis, Colour, DotPanel, DotRow, dots};
use crate::estimate::Estimate;
use crate::figures::Drawn;
use crate::results::{LEAVES, Results, heading, title};
use crate::simulation::{CONDITIONS, algorithms};

/// Leaves in the games and under each condition of the simulation.
pub(crate) fn simulation(results: &Results) -> Drawn {
    let plan = results.plan;
    let row = |label: String, ratio: Option<Estimate>, colour, gap_above, hollow| DotRow {
        label,
        colour,
        value: ratio.map(|ratio| (100.0 * ratio.mean, 100.0 * ratio.low, 100.0 * ratio.high)),
        text: ratio.map(|ratio| format!("{:.0}", 100.0 * ratio.mean)).unwrap_or_default(),
        gap_above,
        hollow,
    };
    let rows = |algorithm: Algorithm| -> Vec<DotRow> {
        let games = plan.subjects.iter().enumerate().map(|(index, subject)| {
            let ratio = results.against_baseline(subject, algorithm, subject.depth, LEAVES);
            row(heading(&subject.name), ratio, Colour::of(algorithm), index == 0, false)
        });
        let trees = CONDITIONS.iter().enumerate().map(|(index, condition)| {
            let pair = |tree: &String| {
                (condition.spec(plan, tree, algorithm), condition.spec(plan, tree, Algorithm::BASELINE))
            };
            let pairs: Vec<_> = condition.trees(plan).iter().map(pair).collect();
            let depth = pairs.first().map_or(1, |(spec, _)| spec.depth);
            let ratio = results.pairs(pairs, depth, LEAVES);
            row(format!("trees, {}", condition.name), ratio, Colour::of(algorithm), index == 0, true)
        });
        games.chain(trees).collect()
    };
    let all: Vec<(Algorithm, Vec<DotRow>)> = algorithms()
        .into_iter()
        .filter(|algorithm| *algorithm != Algorithm::BASELINE)
        .map(|algorithm| (algorithm, rows(algorithm)))
        .collect();
    let values =
        || all.iter().flat_map(|(_, rows)| rows).filter_map(|row| row.value).flat_map(|(_, low, high)| [low, high]);
    let x = Axis::percent("leaves, %", values());
    let panels: Vec<DotPanel> = all
        .iter()
        .map(|(algorithm, rows)| DotPanel {
            title: title(*algorithm),
            x: x.clone(),
            rule: Some(100.0),
            rows: rows.clone(),
        })
        .collect();
    let title = "Simulations and real games";
    let caption = "Leaves relative to Aspiration NegaScout in the games (filled dots) and on synthetic trees (hollow \
                   dots): game-like trees, then with one property switched off at a time, then with all of them \
                   switched off, as in the literature. Without memory only the depth-first algorithms lose their \
                   table, as in the literature.";
    (title.into(), caption.into(), dots(title, &panels))
}
