//! MTD-f as a hand-written loop, on one of the games. Every pass is made by `mt`, or by the recursion for windows.
//!
//! ```text
//! cargo run --release -p emtee --example null_windows -- connect4 12 mt
//! cargo run --release -p emtee --example null_windows -- connect4 12 window
//! ```
//!
//! Both visit the same nodes. `cargo xtask instructions` counts the instructions per visit of each.

use std::env::args;

use emtee::research::{Gamma, Options, Window};
use emtee::{Error, Game, Grain, OwnEvaluation, Size, Value, player};
use emtee_games::{checkers, chess, connect4, kalah, othello};

fn main() -> Result<(), Error> {
    let words: Vec<String> = args().skip(1).collect();
    let word = |index: usize, default: &str| words.get(index).cloned().unwrap_or_else(|| default.to_owned());
    let (depth, by_window) = (word(1, "8").parse().unwrap_or(8), word(2, "mt") == "window");
    match word(0, "connect4").as_str() {
        "chess" => run(&chess::Board::default(), depth, by_window),
        "othello" => run(&othello::Board::default(), depth, by_window),
        "checkers" => run(&checkers::Board::default(), depth, by_window),
        "kalah" => run(&kalah::Board::default(), depth, by_window),
        _ => run(&connect4::Board::default(), depth, by_window),
    }
}

fn run<G: Game>(board: &G, depth: u8, by_window: bool) -> Result<(), Error> {
    let mut options = Options::default();
    (options.size, options.store_leaves) = (Some(Size::of_entries(1 << 20)), Some(true));
    let mut search =
        player(Grain { grain: G::TUNING.grain, evaluator: OwnEvaluation }).options(options).build::<G>()?;
    let (mut nodes, mut g) = (0, Value::default());
    for depth in 1..=depth {
        let (mut lower, mut upper) = (Value::NEG_INFINITY, Value::INFINITY);
        while lower < upper {
            let bound = if g == lower { g + 1 } else { g };
            let mut research = search.research();
            let pass = match by_window {
                true => research.window(board, depth, Window::null(Gamma::below(bound)))?,
                false => research.pass(board, depth, Gamma::below(bound))?,
            };
            g = pass.g;
            if g < bound {
                upper = g
            } else {
                lower = g
            }
            nodes += pass.counts.nodes();
        }
    }
    println!("{nodes} nodes, value {g}");
    Ok(())
}
