//! Checks a file of perft counts: `cargo run --release -p emtee-games --example perft_checkers FILE [MOST]`.
//!
//! A line `depth count` is about the start; `name | FEN | count count …` about another position. Counts above MOST
//! (default: 2,000,000,000) are skipped.

use std::process::ExitCode;

use emtee_games::checkers::Board;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: perft_checkers FILE [MOST]");
        return ExitCode::from(2);
    };
    let most = arguments.next().and_then(|most| most.parse().ok()).unwrap_or(2_000_000_000);
    match std::fs::read_to_string(&file).map_err(|error| error.to_string()).and_then(|text| check(&text, most)) {
        Ok((right, skipped)) => {
            println!("{right} counts are right, {skipped} above {most} were skipped");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn check(text: &str, most: u64) -> Result<(u32, u32), String> {
    let (mut right, mut skipped) = (0, 0);
    let mut one = |board: Board, depth: u32, expected: u64| {
        if expected > most {
            skipped += 1;
            return Ok(());
        }
        let found = board.perft(depth);
        println!("{board} {depth} {found}");
        right += 1;
        if found == expected { Ok(()) } else { Err(format!("{board} at depth {depth}: {found}, not {expected}")) }
    };
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let bad = || format!("cannot read the line {line:?}");
        if let [_, fen, counts] = line.split('|').collect::<Vec<_>>().as_slice() {
            let board: Board = fen.parse().map_err(|error| format!("{error}"))?;
            for (at, count) in counts.split_whitespace().enumerate() {
                one(board, at as u32 + 1, count.parse().map_err(|_| bad())?)?;
            }
        } else if let [depth, count] = line.split_whitespace().collect::<Vec<_>>().as_slice() {
            one(Board::default(), depth.parse().map_err(|_| bad())?, count.parse().map_err(|_| bad())?)?;
        } else {
            return Err(bad());
        }
    }
    Ok((right, skipped))
}
