//! How fast and how well ordered the search is, on the paper's positions:
//!
//! ```text
//! cargo run --release -p emtee-games --example speed_chess -- --depth 7
//! ```

use std::time::Duration;

use emtee::{Budget, Counts, Cuts, player};
use emtee_games::chess::evaluate::{Weights, evaluate_with};
use emtee_games::chess::{Board, paper_set, tuning_set};

#[allow(dead_code)]
mod chess_games;
use chess_games::option;

/// How long this thread has been at work, where the system says so (Linux); else how long ago it began.
fn cpu_time() -> Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = schedule.split(' ').next().and_then(|at_work| at_work.parse().ok());
    nanoseconds.map_or_else(emtee::system_clock, Duration::from_nanos)
}

fn main() {
    let depth = option("--depth", 6);
    let tuning = option("--set", String::from("paper")) == "tuning";
    let weights =
        if option("--weights", String::from("tuned")) == "plain" { Weights::plain() } else { Weights::tuned() };
    let mut search =
        player(|board: &Board| evaluate_with(weights, board)).principal_variation(false).build().expect("options fit");
    let (mut counts, mut heights, mut passes) = (Counts::default(), vec![Cuts::default(); 64], 0);
    let started = cpu_time();
    for position in if tuning { tuning_set() } else { paper_set() } {
        let board: Board = position.text.parse().expect("the set is legal");
        search.clear().expect("a table can be cleared");
        let found = search.think(&board, Budget::depth(depth)).expect("evaluations are in range");
        counts += found.counts;
        passes += found.passes();
        for (sum, cuts) in heights.iter_mut().zip(&found.heights) {
            sum.cut_nodes += cuts.cut_nodes;
            sum.first_move_cuts += cuts.first_move_cuts;
            sum.moves_tried += cuts.moves_tried;
        }
    }
    let seconds = (cpu_time() - started).as_secs_f64();
    let all = counts.nodes() + counts.quiet_nodes;
    println!(
        "depth {depth}: {} nodes ({} leaves), {} quiet nodes, {passes} passes, {seconds:.2} s",
        counts.nodes(),
        counts.nbp,
        counts.quiet_nodes
    );
    println!("{:.2} million nodes a second, quiet ones included", all as f64 / seconds / 1e6);
    println!("{:.2} quiet nodes a leaf", counts.quiet_nodes as f64 / counts.nbp as f64);
    println!("height  cut nodes  by the first move  moves tried");
    let line = |name: &str, cuts: Cuts| {
        let nodes = cuts.cut_nodes.max(1) as f64;
        println!(
            "{name:>6} {:>10} {:>17.2}% {:>12.3}",
            cuts.cut_nodes,
            cuts.first_move_cuts as f64 / nodes * 100.0,
            cuts.moves_tried as f64 / nodes
        );
    };
    for (height, cuts) in heights.iter().enumerate().filter(|(_, cuts)| cuts.cut_nodes > 0) {
        line(&height.to_string(), *cuts);
    }
    line(
        "all",
        Cuts {
            cut_nodes: counts.cut_nodes,
            first_move_cuts: counts.first_move_cuts,
            moves_tried: counts.moves_at_cuts,
        },
    );
}
