//! Solves the FFO endgame test positions and checks scores and best moves.
//!
//! ```text
//! cargo xtask measure ffo FILE [FIRST LAST]
//! ```
//!
//! A line of the file is: number, board, side, empty squares, best score, then moves with their scores.

use std::process::ExitCode;

use cpu_time::ThreadTime;
use emtee_games::othello::Board;
use emtee_games::othello::endgame::Solver;

/// The size of the solver's table.
const ENTRIES: usize = 1 << 21;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let read = match arguments.as_slice() {
        [file] => Some((file, 1, 39)),
        [file, first, last] => first.parse().ok().zip(last.parse().ok()).map(|(first, last)| (file, first, last)),
        _ => None,
    };
    let Some((file, first, last)) = read else {
        eprintln!("usage: cargo xtask measure ffo FILE [FIRST LAST]");
        return ExitCode::from(2);
    };
    match solve(file, first, last) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn solve(file: &str, first: u64, last: u64) -> Result<bool, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut solver = Solver::with_entries(ENTRIES);
    let (mut total, mut nodes, mut solved, mut right) = (0.0, 0, 0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [number, squares, side, _, score, moves @ ..] = words.as_slice() else { continue };
        if !(first..=last).contains(&number.parse()?) {
            continue;
        }
        let board: Board = format!("{squares} {side}").parse()?;
        let score: i32 = score.parse()?;
        let start = ThreadTime::now();
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
        total += seconds;
        nodes += solution.nodes;
        solved += 1;
        right += u32::from(ok);
    }
    if solved == 0 {
        return Err(format!("{file} has no position with a number from {first} to {last}").into());
    }
    println!(
        "{right} of {solved} right, {nodes} nodes, {total:.2} s of processor time, {:.1} million nodes per second",
        nodes as f64 / total / 1e6
    );
    Ok(right == solved)
}
