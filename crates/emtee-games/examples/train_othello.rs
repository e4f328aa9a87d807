//! Trains Othello's pattern evaluation on tournament games, stage by stage, by gradient descent.
//!
//! ```text
//! cargo run --release -p emtee-games --example train_othello -- WTHOR_FOLDER WEIGHTS_FILE
//! ```
//!
//! The same folder gives the same weights to the bit. One game in sixteen is kept back to measure the error on.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use emtee::{Game, Side, mix};
use emtee_games::othello::evaluate::{STAGES, WEIGHTS_PER_DISC, encode, stage};
use emtee_games::othello::patterns::{LANES, Layout};
use emtee_games::othello::{Board, wthor};

/// A stage also learns from positions this many plies before it and after it: neighbours are much alike, and few games
/// reach a given pattern.
const OVERLAP: u32 = 3;
const EPOCHS: u32 = 16;
/// The step at the beginning; it falls to nothing. Forty-eight weights move with every position.
const RATE: f32 = 0.006;
/// The files' theoretical scores hold from this many empty squares on.
const SOLVED_AT: u32 = 24;

/// A position and the score that came of it, for the side to move.
struct Sample {
    board: Board,
    label: i8,
    held_back: bool,
}

fn samples(folder: &Path) -> Result<Vec<Sample>, Box<dyn std::error::Error>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?.iter().map(|e| e.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "wtb"));
    files.sort();
    let mut samples = Vec::new();
    let mut games = 0u64;
    for file in files {
        for record in wthor::read(&std::fs::read(&file)?).map_err(|error| format!("{}: {error}", file.display()))? {
            games += 1;
            let Ok(line) = record.replay() else { continue };
            let held_back = mix(games) % 16 == 0;
            let last = line.last().map(|(board, _)| *board).unwrap_or_default();
            if !last.is_over() {
                continue;
            }
            let end = if last.turn() == Side::First { last.final_score() } else { -last.final_score() };
            let theoretical = 2 * i32::from(record.theoretical) - 64;
            for (board, _) in line {
                let black = if board.empties() >= SOLVED_AT { theoretical } else { end };
                let label = if board.turn() == Side::First { black } else { -black } as i8;
                samples.push(Sample { board, label, held_back });
            }
        }
    }
    println!("{games} games, {} positions", samples.len());
    Ok(samples)
}

/// What one stage learns from: the numbers of the weights that make up each position, and the scores.
struct Lesson {
    weights: Vec<[u32; LANES]>,
    labels: Vec<f32>,
}

impl Lesson {
    fn of<'a>(layout: &Layout, samples: impl Iterator<Item = &'a Sample>) -> Lesson {
        let mut lesson = Lesson { weights: Vec::new(), labels: Vec::new() };
        for sample in samples {
            let features = layout.features(sample.board.own(), sample.board.opponent());
            let number = |lane: usize| layout.distinct[layout.offsets[lane] as usize + usize::from(features[lane])];
            lesson.weights.push(std::array::from_fn(number));
            lesson.labels.push(f32::from(sample.label));
        }
        lesson
    }

    fn error(&self, weights: &[f32]) -> f64 {
        let squares = self.weights.iter().zip(&self.labels).map(|(numbers, label)| {
            let sum: f32 = numbers.iter().map(|&number| weights[number as usize]).sum();
            f64::from(sum - label).powi(2)
        });
        (squares.sum::<f64>() / self.labels.len().max(1) as f64).sqrt()
    }

    /// Stochastic gradient descent on the squared error, in a new order each time.
    fn learn(&self, weights: &mut [f32], seed: u64) {
        let mut order: Vec<u32> = (0..self.labels.len() as u32).collect();
        for epoch in 0..EPOCHS {
            for at in (1..order.len()).rev() {
                let other = mix(seed ^ (u64::from(epoch) << 40) ^ at as u64) % (at as u64 + 1);
                order.swap(at, other as usize);
            }
            let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
            for &at in &order {
                let numbers = &self.weights[at as usize];
                let sum: f32 = numbers.iter().map(|&number| weights[number as usize]).sum();
                let step = rate * (self.labels[at as usize] - sum);
                for &number in numbers {
                    weights[number as usize] += step;
                }
            }
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out] = arguments.as_slice() else {
        eprintln!("usage: train_othello WTHOR_FOLDER WEIGHTS_FILE");
        return ExitCode::from(2);
    };
    match train(Path::new(folder), Path::new(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn train(folder: &Path, out: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let layout = Layout::new();
    let samples = samples(folder)?;
    let mut trained = Vec::new();
    for number in 0..STAGES {
        let near = |empties: u32, reach: u32| {
            stage(empties) == number || stage(empties + reach) == number || stage(empties.saturating_sub(reach)) == number
        };
        let lesson = Lesson::of(&layout, samples.iter().filter(|s| !s.held_back && near(s.board.empties(), OVERLAP)));
        let exam = Lesson::of(&layout, samples.iter().filter(|s| s.held_back && near(s.board.empties(), 0)));
        let mut weights = vec![0.0; layout.count];
        lesson.learn(&mut weights, number as u64);
        let quantised: Vec<i16> = weights.iter().map(|weight| (weight * WEIGHTS_PER_DISC as f32).round() as i16).collect();
        let rounded: Vec<f32> = quantised.iter().map(|&weight| f32::from(weight) / WEIGHTS_PER_DISC as f32).collect();
        println!(
            "stage {number:2}: {:8} positions, error {:6.3} discs, held back {:6.3}, all at zero {:6.3}, {:4.0} s",
            lesson.labels.len(),
            lesson.error(&weights),
            exam.error(&rounded),
            exam.error(&vec![0.0; layout.count]),
            start.elapsed().as_secs_f64()
        );
        trained.push(quantised);
    }
    let bytes = encode(&trained);
    println!("{} bytes", bytes.len());
    std::fs::write(out, bytes)?;
    Ok(())
}
