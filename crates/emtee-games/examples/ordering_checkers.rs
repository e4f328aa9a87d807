//! How well checkers moves are ordered, on a set of positions:
//! `cargo run --release -p emtee-games --example ordering_checkers [paper|tuning] [DEPTH] [GRAIN]`.
//!
//! Prints, for MTD-f deepening by two plies as in the paper, the share of cut nodes that the first move cut off and the moves
//! tried at a cut node, in all and by height.

use emtee::{Budget, Counts, Cuts, Grain, OwnEvaluation, player};
use emtee_games::checkers::{Board, paper_set, tuning_set};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let set = if arguments.next().as_deref() == Some("tuning") { tuning_set() } else { paper_set() };
    let depth = arguments.next().map_or(Ok(15), |depth| depth.parse())?;
    let grain = arguments.next().map_or(Ok(1), |grain| grain.parse())?;

    let (mut counts, mut heights, mut passes, mut seconds) = (Counts::default(), Vec::<Cuts>::new(), 0, 0.0);
    for position in set {
        let board: Board = position.text.parse()?;
        let mut search = player(Grain { grain, evaluator: OwnEvaluation }).deepen_by(2).build()?;
        let found = search.think(&board, Budget::depth(depth))?;
        heights.resize(heights.len().max(found.heights.len()), Cuts::default());
        for (all, one) in heights.iter_mut().zip(&found.heights) {
            all.cut_nodes += one.cut_nodes;
            all.first_move_cuts += one.first_move_cuts;
            all.moves_tried += one.moves_tried;
        }
        counts += found.counts;
        passes += found.passes();
        seconds += found.time.as_secs_f64();
        let value = found.value.map(|value| value.to_string()).unwrap_or_default();
        let best = found.best_move.map(|m| m.to_string()).unwrap_or_default();
        println!(
            "{:<30} {value:>8} {best:<10} {:>10} nodes, {:.1} % cut first",
            position.source,
            found.counts.nodes(),
            100.0 * share(found.counts.first_move_cuts, found.counts.cut_nodes),
        );
    }
    println!("height  cut nodes  first move  moves tried");
    for (height, cuts) in heights.iter().enumerate().filter(|(_, cuts)| cuts.cut_nodes > 0) {
        let (first, tried) = (share(cuts.first_move_cuts, cuts.cut_nodes), share(cuts.moves_tried, cuts.cut_nodes));
        println!("{height:>6} {:>10} {:>9.2} % {tried:>11.3}", cuts.cut_nodes, 100.0 * first);
    }
    println!(
        "depth {depth}, grain {grain}: first move cuts {:.2} %, {:.3} moves tried at a cut node; {passes} passes, {} nodes, {} leaves, \
         {} quiet nodes, {seconds:.2} s, {:.2} million nodes a second",
        100.0 * share(counts.first_move_cuts, counts.cut_nodes),
        share(counts.moves_at_cuts, counts.cut_nodes),
        counts.nodes(),
        counts.nbp,
        counts.quiet_nodes,
        (counts.nodes() + counts.quiet_nodes) as f64 / seconds / 1e6,
    );
    Ok(())
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}
