//! How well Othello's moves are ordered: MTD-f on the paper's positions, cut nodes and nodes a second; with `all`, every
//! algorithm that uses the table, or those that are named; they must find the same values.
//!
//! ```text
//! cargo run --release -p emtee-games --example order_othello -- [DEPTH] [tuning] [all | ALGORITHM…]
//! ```

use std::time::Duration;

use emtee::{Algorithm, Budget, Counts, Cuts, Game, player};
use emtee_games::PaperPosition;
use emtee_games::othello::{Board, paper_set, tuning_set};

/// What one algorithm did on a whole set.
#[derive(Default)]
struct Total {
    counts: Counts,
    time: Duration,
    passes: usize,
    iterations: usize,
    heights: Vec<Cuts>,
    values: Vec<Option<emtee::Value>>,
}

fn run(set: &[PaperPosition], algorithm: Algorithm, depth: u8) -> Result<Total, Box<dyn std::error::Error>> {
    let mut total = Total::default();
    for position in set {
        let board: Board = position.text.parse()?;
        let mut search = player(Board::evaluate).algorithm(algorithm).build()?;
        let found = search.think(&board, Budget::depth(depth))?;
        total.counts += found.counts;
        total.time += found.time;
        total.passes += found.passes();
        total.iterations += found.iterations.len();
        total.values.push(found.value);
        total.heights.resize(total.heights.len().max(found.heights.len()), Cuts::default());
        for (sum, cuts) in total.heights.iter_mut().zip(&found.heights) {
            sum.cut_nodes += cuts.cut_nodes;
            sum.first_move_cuts += cuts.first_move_cuts;
            sum.moves_tried += cuts.moves_tried;
        }
    }
    Ok(total)
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let depth: u8 = arguments.first().and_then(|depth| depth.parse().ok()).unwrap_or(9);
    let asked = |word: &str| arguments.iter().any(|argument| argument == word);
    let set = if asked("tuning") { tuning_set() } else { paper_set() };
    let all = Algorithm::ALL.into_iter().filter(|algorithm| !algorithm.is_oracle());
    let mut algorithms: Vec<Algorithm> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    if asked("all") {
        algorithms.extend(all);
    } else if algorithms.is_empty() {
        algorithms.push(Algorithm::default());
    }
    let alone = algorithms.len() == 1;
    let mut values = None;
    for algorithm in algorithms {
        let total = run(set, algorithm, depth)?;
        if alone {
            for (height, cuts) in total.heights.iter().enumerate().skip(1) {
                println!(
                    "height {height:2}: {:9} cut nodes, {:.3} by the first move, {:.3} moves tried",
                    cuts.cut_nodes,
                    share(cuts.first_move_cuts, cuts.cut_nodes),
                    share(cuts.moves_tried, cuts.cut_nodes)
                );
            }
        }
        let counts = total.counts;
        println!(
            "{algorithm}, depth {depth}: nodes {}, nbp {}, first-move cuts {:.4}, moves at cuts {:.4}, passes an iteration {:.2}, {:.2} s, {:.2} million nodes a second",
            counts.nodes(),
            counts.nbp,
            share(counts.first_move_cuts, counts.cut_nodes),
            share(counts.moves_at_cuts, counts.cut_nodes),
            total.passes as f64 / total.iterations as f64,
            total.time.as_secs_f64(),
            counts.nodes() as f64 / total.time.as_secs_f64() / 1e6
        );
        if total.values.iter().all(Option::is_some) && *values.get_or_insert(total.values.clone()) != total.values {
            return Err(format!("{algorithm} finds other values").into());
        }
    }
    Ok(())
}
