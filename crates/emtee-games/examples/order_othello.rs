//! How well Othello's moves are ordered: MTD-f on the paper's positions, cut nodes and nodes a second.
//!
//! ```text
//! cargo run --release -p emtee-games --example order_othello -- [DEPTH] [tuning]
//! ```

use std::time::Duration;

use emtee::{Budget, Counts, Game, player};
use emtee_games::othello::{Board, paper_set, tuning_set};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let depth: u8 = arguments.first().and_then(|depth| depth.parse().ok()).unwrap_or(9);
    let set = if arguments.iter().any(|word| word == "tuning") { tuning_set() } else { paper_set() };
    let (mut counts, mut time, mut passes, mut iterations) = (Counts::default(), Duration::ZERO, 0, 0);
    let mut heights = Vec::new();
    for position in set {
        let board: Board = position.text.parse()?;
        let mut search = player(Board::evaluate).build()?;
        let found = search.think(&board, Budget::depth(depth))?;
        counts += found.counts;
        time += found.time;
        passes += found.passes();
        iterations += found.iterations.len();
        heights.resize(heights.len().max(found.heights.len()), (0, 0, 0));
        for (sum, cuts) in heights.iter_mut().zip(&found.heights) {
            *sum = (sum.0 + cuts.cut_nodes, sum.1 + cuts.first_move_cuts, sum.2 + cuts.moves_tried);
        }
    }
    for (height, (cuts, first, tried)) in heights.iter().enumerate().skip(1) {
        let share = |part: &u64| *part as f64 / (*cuts).max(1) as f64;
        println!(
            "height {height:2}: {cuts:9} cut nodes, {:.3} by the first move, {:.3} moves tried",
            share(first),
            share(tried)
        );
    }
    let share = |part: u64| part as f64 / counts.cut_nodes as f64;
    println!(
        "depth {depth}: nodes {}, nbp {}, first-move cuts {:.4}, moves at cuts {:.4}, passes an iteration {:.2}, {:.2} s, {:.2} million nodes a second",
        counts.nodes(),
        counts.nbp,
        share(counts.first_move_cuts),
        share(counts.moves_at_cuts),
        passes as f64 / iterations as f64,
        time.as_secs_f64(),
        counts.nodes() as f64 / time.as_secs_f64() / 1e6
    );
    Ok(())
}
