//! Replays every game of PDN files, and checks that each round-trips: `cargo xtask check pdn FILE…`.

use std::process::ExitCode;

use emtee::Game;
use emtee_games::checkers::{PdnGame, PdnResult, read_pdn};

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: cargo xtask check pdn FILE…");
        return ExitCode::from(2);
    }
    for file in files {
        let checked = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        match checked.and_then(|text| check(&text)) {
            Ok(report) => println!("{file}: {report}"),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// Replays the games, writes each of them, and reads it again.
fn check(text: &str) -> Result<String, String> {
    let games = read_pdn(text).map_err(|error| error.to_string())?;
    let (mut plies, mut captures, mut moves, mut jumps, mut steps) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let mut results = [0u64; 4];
    for game in &games {
        if game.to_string().parse::<PdnGame>().as_ref() != Ok(game) {
            return Err(format!("the game {:?} is not read back as it was written", game.tag("Event")));
        }
        results[game.result as usize] += 1;
        for (board, &m) in game.positions().zip(&game.moves) {
            plies += 1;
            let choice = emtee::legal_moves(&board);
            if !choice.contains(&m) {
                return Err(format!("{m} is not legal in {board}"));
            }
            moves += choice.len() as u64;
            captures += u64::from(m.is_jump());
            jumps += if m.is_jump() { choice.len() as u64 } else { 0 };
            steps += if m.is_jump() { 0 } else { choice.len() as u64 };
            let _ = board.play(m);
        }
    }
    let [black, white, drawn, unknown] =
        [PdnResult::OneZero, PdnResult::ZeroOne, PdnResult::Drawn, PdnResult::Unknown].map(|r| results[r as usize]);
    let mean = |sum: u64, of: u64| sum as f64 / of.max(1) as f64;
    Ok(format!(
        "{} games, {plies} moves, all legal and read back as written; 1-0 {black}, 0-1 {white}, drawn {drawn}, unknown {unknown}; \
         {:.2} legal moves on average, {:.2} if a jump is forced, {:.2} otherwise",
        games.len(),
        mean(moves, plies),
        mean(jumps, captures),
        mean(steps, plies - captures),
    ))
}
