//! Solves the FFO endgame test positions and checks the scores.
//!
//! ```text
//! cargo run --release -p emtee-games --example ffo -- FFO_FILE [FIRST LAST] [ENTRIES]
//! ```
//!
//! A line of the file is: number, board, side, empty squares, best score, then moves with their scores.

use std::process::ExitCode;
use std::time::Instant;

use emtee::Game;
use emtee_games::othello::Board;
use emtee_games::othello::endgame::Solver;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = arguments.first() else {
        eprintln!("usage: ffo FFO_FILE [FIRST LAST] [ENTRIES]");
        return ExitCode::from(2);
    };
    let number = |at: usize, default: u64| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    match solve(file, number(1, 1), number(2, 39), number(3, 1 << 21) as usize) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn solve(file: &str, first: u64, last: u64, entries: usize) -> Result<bool, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(file)?;
    let mut solver = Solver::with_entries(entries);
    let (mut total, mut nodes, mut solved, mut right) = (0.0, 0, 0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [number, squares, side, _, score, moves @ ..] = words.as_slice() else { continue };
        if !(first..=last).contains(&number.parse()?) {
            continue;
        }
        let board: Board = format!("{squares} {side}").parse()?;
        let score: i32 = score.parse()?;
        let start = Instant::now();
        let solution = solver.solve(&board);
        let seconds = start.elapsed().as_secs_f64();
        let best = solution.best_move.map(|m| m.to_string().to_uppercase()).unwrap_or_default();
        let best_right = moves.contains(&format!("{best}:{score:+}").as_str());
        let ok = solution.score == score && best_right;
        println!(
            "{number:>3}: {:>2} empties, {:+3} {best:>4} {}, {:>11} nodes, {} passes, {seconds:7.3} s",
            board.empties(),
            solution.score,
            if ok { "right" } else { "WRONG" },
            solution.nodes,
            solution.passes
        );
        let _ = board.turn();
        total += seconds;
        nodes += solution.nodes;
        solved += 1;
        right += u32::from(ok);
    }
    println!(
        "{right} of {solved} right, {nodes} nodes, {total:.2} s, {:.1} million nodes a second",
        nodes as f64 / total / 1e6
    );
    Ok(right == solved)
}
