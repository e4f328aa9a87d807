//! What evaluations say of the positions in a file that `emtee datagen` made: how far they are from the results of the games
//! that trainers hold back, one in twenty, and how long they take. With another file to write, the game's own evaluation of
//! every position, 16 bits each, for `training/train.py`.

use std::process::ExitCode;
use std::time::Instant;

use emtee::{Evaluate, OwnEvaluation, Side};
use emtee_games::packed::{PACKED, Packed};
use emtee_games::{checkers, chess};

const HEADER: usize = 64;
const RECORD: usize = 32;
/// Proved scores lie beyond.
const PROVED: u16 = 31_000;
const REPEATS: usize = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["chess", file] => judge::<chess::Board>(file, None, &chess::Network),
        ["chess", file, out] => judge::<chess::Board>(file, Some(out), &chess::Network),
        ["checkers", file] => judge::<checkers::Board>(file, None, &checkers::Network),
        ["checkers", file, out] => judge::<checkers::Board>(file, Some(out), &checkers::Network),
        _ => Err("chess or checkers, a file of positions, and a file to write if there is to be one".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("judge_positions: {why}");
            ExitCode::from(2)
        }
    }
}

/// A position, and what became of it.
struct Judged<G> {
    board: G,
    /// From 0, lost, to 1.
    result: f64,
    is_held_back: bool,
}

fn judge<G: Packed>(file: &str, out: Option<&str>, network: &impl Evaluate<G>) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let records = bytes.get(HEADER..).unwrap_or_default().as_chunks::<RECORD>().0;
    let judged = records.iter().map(read).collect::<Option<Vec<Judged<G>>>>();
    let judged = judged.ok_or_else(|| format!("{file} is no file of such positions"))?;
    if let Some(out) = out {
        let own = judged.iter().flat_map(|judged| (judged.board.evaluate() as i16).to_le_bytes());
        std::fs::write(out, own.collect::<Vec<u8>>()).map_err(|error| format!("{out}: {error}"))?;
    }
    let held_back: Vec<Judged<G>> = judged.into_iter().filter(|judged| judged.is_held_back).collect();
    report("own", &held_back, &OwnEvaluation);
    report("network", &held_back, network);
    Ok(())
}

fn read<G: Packed>(record: &[u8; RECORD]) -> Option<Judged<G>> {
    let (board, rest) = record.split_first_chunk::<PACKED>()?;
    let &[low, high, result, flags, a, b, c, d] = rest else { return None };
    let turn = if flags & 1 == 0 { Side::First } else { Side::Second };
    let is_open = i16::from_le_bytes([low, high]).unsigned_abs() < PROVED;
    Some(Judged {
        board: G::unpacked(board, turn)?,
        result: f64::from(result as i8) / 2.0 + 0.5,
        is_held_back: is_open && u32::from_le_bytes([a, b, c, d]) % 20 == 0,
    })
}

fn report<G>(name: &str, positions: &[Judged<G>], evaluator: &impl Evaluate<G>) {
    let values: Vec<f64> = positions.iter().map(|judged| f64::from(evaluator.evaluate(&judged.board))).collect();
    let distance = |points: f64| {
        let told = values.iter().map(|value| 1.0 / (1.0 + (-value / points).exp()));
        told.zip(positions).map(|(told, judged)| (told - judged.result).powi(2)).sum::<f64>() / values.len() as f64
    };
    let scales = (4..80).map(|tens| 10.0 * f64::from(tens)).map(|points| (distance(points), points));
    let Some((least, points)) = scales.min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
    let began = Instant::now();
    for judged in (0..REPEATS).flat_map(|_| positions) {
        std::hint::black_box(evaluator.evaluate(&judged.board));
    }
    let nanoseconds = began.elapsed().as_nanos() as f64 / (REPEATS * positions.len()) as f64;
    let count = positions.len();
    println!(
        "{name}: {least:.5} from the results of {count} positions, at {points} points per unit; {nanoseconds:.0} ns"
    );
}
