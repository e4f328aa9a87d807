//! Replays every game of a WTHOR folder and compares the final score with the recorded one.
//!
//! ```text
//! cargo xtask check wthor DIR
//! ```

use std::path::Path;
use std::process::ExitCode;

use emtee::{Game, Side};

mod othello_games;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: cargo xtask check wthor DIR");
        return ExitCode::from(2);
    };
    match check(Path::new(&folder)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether every game is legal.
fn check(folder: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    let (mut games, mut finished, mut equal, mut illegal) = (0, 0, 0, 0);
    for (file, records) in othello_games::read(folder)? {
        for (index, record) in records.iter().enumerate() {
            games += 1;
            match record.replay() {
                Err(error) => {
                    illegal += 1;
                    println!("{} game {index}: {error}", file.display());
                }
                Ok(line) => {
                    let Some((last, _)) = line.last().filter(|(last, _)| last.is_over()) else { continue };
                    finished += 1;
                    let score = if last.turn() == Side::First { last.final_score() } else { -last.final_score() };
                    equal += u32::from(score == record.black_score());
                }
            }
        }
    }
    println!(
        "{games} games: {illegal} illegal, {} broken off before the end, {equal} of {finished} finished ones with the recorded score",
        games - finished - illegal
    );
    Ok(illegal == 0)
}
