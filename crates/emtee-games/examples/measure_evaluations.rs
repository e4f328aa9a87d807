//! Measures evaluations on the positions of a file of `emtee datagen`: the mean squared error against the results of
//! the held-out games (one in twenty), and the time per evaluation. With an output file, writes the game's own
//! evaluation of every position, 16 bits each, for `training/train.py`.

use std::process::ExitCode;
use std::time::Instant;

use emtee::{Evaluate, OwnEvaluation, Side};
use emtee_games::packed::{PACKED, Packed};
use emtee_games::{checkers, chess};

const HEADER: usize = 64;
const RECORD: usize = 32;
/// Proved scores are at least this far from 0.
const PROVED: u16 = 31_000;
const REPEATS: usize = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["chess", file] => measure::<chess::Board>(file, None, &chess::Network),
        ["chess", file, out] => measure::<chess::Board>(file, Some(out), &chess::Network),
        ["checkers", file] => measure::<checkers::Board>(file, None, &checkers::Network),
        ["checkers", file, out] => measure::<checkers::Board>(file, Some(out), &checkers::Network),
        _ => Err("usage: cargo xtask measure evaluations chess|checkers FILE [OUT]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// A position and the result of its game.
struct Labelled<G> {
    board: G,
    /// From 0 (lost) to 1 (won), for the side to move.
    result: f64,
    is_held_out: bool,
}

fn measure<G: Packed>(file: &str, out: Option<&str>, network: &impl Evaluate<G>) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let records = bytes.get(HEADER..).unwrap_or_default().as_chunks::<RECORD>().0;
    let positions = records.iter().map(read).collect::<Option<Vec<Labelled<G>>>>();
    let positions = positions.ok_or_else(|| format!("{file} is not a file of such positions"))?;
    if let Some(out) = out {
        let own = positions.iter().flat_map(|position| (position.board.evaluate() as i16).to_le_bytes());
        std::fs::write(out, own.collect::<Vec<u8>>()).map_err(|error| format!("{out}: {error}"))?;
    }
    let held_out: Vec<Labelled<G>> = positions.into_iter().filter(|position| position.is_held_out).collect();
    report("own", &held_out, &OwnEvaluation);
    report("network", &held_out, network);
    Ok(())
}

fn read<G: Packed>(record: &[u8; RECORD]) -> Option<Labelled<G>> {
    let (board, rest) = record.split_first_chunk::<PACKED>()?;
    let &[low, high, result, flags, a, b, c, d] = rest else { return None };
    let turn = if flags & 1 == 0 { Side::First } else { Side::Second };
    let is_unproved = i16::from_le_bytes([low, high]).unsigned_abs() < PROVED;
    Some(Labelled {
        board: G::unpacked(board, turn)?,
        result: f64::from(result as i8) / 2.0 + 0.5,
        is_held_out: is_unproved && u32::from_le_bytes([a, b, c, d]) % 20 == 0,
    })
}

fn report<G>(name: &str, positions: &[Labelled<G>], evaluator: &impl Evaluate<G>) {
    let values: Vec<f64> = positions.iter().map(|position| f64::from(evaluator.evaluate(&position.board))).collect();
    let error = |points: f64| {
        let predicted = values.iter().map(|value| 1.0 / (1.0 + (-value / points).exp()));
        let errors = predicted.zip(positions).map(|(predicted, position)| (predicted - position.result).powi(2));
        errors.sum::<f64>() / values.len() as f64
    };
    let scales = (4..80).map(|tens| 10.0 * f64::from(tens)).map(|points| (error(points), points));
    let Some((least, points)) = scales.min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
    let start = Instant::now();
    for position in (0..REPEATS).flat_map(|_| positions) {
        std::hint::black_box(evaluator.evaluate(&position.board));
    }
    let nanoseconds = start.elapsed().as_nanos() as f64 / (REPEATS * positions.len()) as f64;
    let count = positions.len();
    println!(
        "{name}: mean squared error {least:.5} on {count} positions, at {points} points per unit; {nanoseconds:.0} ns per evaluation"
    );
}
