//! Trains Othello's pattern evaluation by gradient descent, stage by stage, on tournament games and on positions of
//! `emtee datagen othello`.
//!
//! ```text
//! cargo xtask train othello GAMES FILE [POSITIONS…]
//! ```
//!
//! GAMES is a folder of `.wtb` files, or `none`.
//!
//! Labels of tournament games: players make mistakes, most of all near the end, so the final score of a game is a poor
//! label for a position twenty moves earlier (the error of a fit to final scores is 16 discs, to solved scores 9). The
//! label is therefore the score of perfect play. The collection has it at 24 empty squares, the solver computes it at
//! 12 and at each of the last 9 empty squares, and between two of these it is interpolated linearly.
//!
//! Stages are trained from the last to the first, so that the opening can learn from the middle game: with 28 or more
//! empty squares, most of a label is the evaluation of the position eight plies later in the same game.
//!
//! Labels of self-play games: a weighted mean of the search score and the result of the game, which is solved from 14
//! empty squares on. The weight of the search score is [`SEARCH_SHARE`].
//!
//! The same files give the same weights, bit for bit. One game in sixteen is held out to measure the error.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use emtee::{Game, Side, mix};
use emtee_games::othello::endgame::Solver;
use emtee_games::othello::evaluate::{STAGES, WEIGHTS_PER_DISC, encode, stage};
use emtee_games::othello::patterns::{LANES, Layout};
use emtee_games::othello::{Board, Move, POINTS_PER_DISC};
use emtee_games::packed::Packed;

mod othello_games;

/// A stage is also trained on positions this many plies before and after it: neighbouring stages are similar, and few
/// games contain a given pattern.
const OVERLAP: u32 = 3;
const EPOCHS: u32 = 10;
/// The initial learning rate, which decreases linearly to 0. Each position updates 48 weights.
const LEARNING_RATE: f32 = 0.008;
/// The theoretical scores of the files are for the position with this many empty squares.
const THEORETICAL_EMPTIES: u32 = 24;
/// Positions with this many empty squares are solved, and all with at most [`ALL_SOLVED_EMPTIES`].
const SOLVED_EMPTIES: u32 = 12;
const ALL_SOLVED_EMPTIES: u32 = 9;

/// With at least this many empty squares, the label also contains the evaluation of the position [`LATER_PLIES`] plies
/// later, by the weights of its stage, which are already trained. Half a game of mistakes is between such a position
/// and a solved score.
const BOOTSTRAP_EMPTIES: u32 = 28;
const LATER_PLIES: usize = 8;
/// The weight of that evaluation in a label. The rest is the solved score.
const BOOTSTRAP_SHARE: f32 = 0.75;

/// The weight of the search score in a label of a self-play game. The rest is the result of the game.
const SEARCH_SHARE: f32 = 0.7;
/// The bytes of the header and of a position in a file of positions.
const HEADER: usize = 64;
const RECORD: usize = 32;

/// A position and its label: the score for the side to move.
struct Sample {
    board: Board,
    label: f32,
    held_out: bool,
    /// The number of its tournament game. `None`: a position of a self-play game, which is not bootstrapped.
    tournament: Option<u32>,
}

fn samples(folder: &Path) -> Result<Vec<Sample>, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut samples = Vec::new();
    let mut games = 0u64;
    let mut solver = Solver::with_entries(1 << 16);
    for (_, records) in othello_games::read(folder)? {
        for record in records {
            games += 1;
            let Ok(line) = record.replay() else { continue };
            let held_out = othello_games::is_held_out(games);
            let last = line.last().map(|(board, _)| *board).unwrap_or_default();
            if !last.is_over() {
                continue;
            }
            let known = known_scores(&mut solver, &line, 2 * i32::from(record.theoretical) - 64);
            for (board, _) in &line {
                let black = interpolate(&known, board.empties());
                let label = if board.turn() == Side::First { black } else { -black };
                samples.push(Sample { board: *board, label, held_out, tournament: Some(games as u32) });
            }
        }
    }
    println!("{games} games, {} positions, {:.0} s", samples.len(), start.elapsed().as_secs_f64());
    Ok(samples)
}

/// The positions of a file of `emtee datagen othello`. The format is described in `docs/book/training.md`.
fn positions(file: &Path) -> Result<Vec<Sample>, Box<dyn std::error::Error>> {
    let bytes = std::fs::read(file)?;
    if !bytes.starts_with(b"emtee positions\nothello\0") {
        return Err(format!("{} has no positions of Othello", file.display()).into());
    }
    let sample = |record: &[u8; RECORD]| {
        let flags = record[27];
        let turn = if flags & 1 == 0 { Side::First } else { Side::Second };
        let board = Board::unpacked(record.first_chunk()?, turn)?;
        let score = f32::from(i16::from_le_bytes([record[24], record[25]])) / POINTS_PER_DISC as f32;
        let result = f32::from(record[26] as i8);
        let is_exact = flags & 4 != 0 || score.abs() > 64.0;
        let label = if is_exact { result } else { SEARCH_SHARE * score + (1.0 - SEARCH_SHARE) * result };
        let game = u32::from_le_bytes([record[28], record[29], record[30], record[31]]);
        Some(Sample { board, label, held_out: othello_games::is_held_out(game.into()), tournament: None })
    };
    let records = bytes[HEADER.min(bytes.len())..].as_chunks().0;
    let samples: Option<Vec<Sample>> = records.iter().map(sample).collect();
    samples.ok_or_else(|| format!("{} has an invalid board", file.display()).into())
}

/// The known scores of perfect play for Black, with their numbers of empty squares, most empty squares first.
fn known_scores(solver: &mut Solver, line: &[(Board, Option<Move>)], theoretical: i32) -> Vec<(u32, f32)> {
    let mut known = vec![(THEORETICAL_EMPTIES, theoretical as f32)];
    for (board, _) in line {
        let empties = board.empties();
        let is_known = known.last().is_some_and(|&(last, _)| last == empties);
        if !is_known && (empties == SOLVED_EMPTIES || empties <= ALL_SOLVED_EMPTIES) {
            let score = solver.solve(board).score;
            known.push((empties, if board.turn() == Side::First { score } else { -score } as f32));
        }
    }
    known
}

/// Linear interpolation between the two nearest known scores.
fn interpolate(known: &[(u32, f32)], empties: u32) -> f32 {
    let after = known.iter().find(|&&(known, _)| known <= empties);
    let before = known.iter().rev().find(|&&(known, _)| known >= empties);
    match (before, after) {
        (Some(&(early, a)), Some(&(late, b))) if early > late => {
            b + (a - b) * (empties - late) as f32 / (early - late) as f32
        }
        (_, Some(&(_, score))) | (Some(&(_, score)), None) => score,
        (None, None) => 0.0,
    }
}

/// The weights that are trained so far.
struct Model {
    layout: Layout,
    stages: Vec<Vec<f32>>,
}

impl Model {
    /// The indices of the weights of a position.
    fn indices(&self, board: &Board) -> [u32; LANES] {
        let features = self.layout.features(board.own(), board.opponent());
        let number =
            |lane: usize| self.layout.distinct[self.layout.offsets[lane] as usize + usize::from(features[lane])];
        std::array::from_fn(number)
    }

    fn evaluate(&self, board: &Board) -> f32 {
        let weights = &self.stages[stage(board.empties())];
        self.indices(board).iter().map(|&number| weights[number as usize]).sum()
    }
}

/// The training or validation data of one stage: the indices of the weights of each position, and the labels.
struct Dataset {
    weights: Vec<[u32; LANES]>,
    labels: Vec<f32>,
}

impl Dataset {
    fn new(model: &Model, samples: &[Sample], wanted: impl Fn(&Sample) -> bool) -> Dataset {
        let mut dataset = Dataset { weights: Vec::new(), labels: Vec::new() };
        for (index, sample) in samples.iter().enumerate().filter(|(_, sample)| wanted(sample)) {
            dataset.weights.push(model.indices(&sample.board));
            let later = samples.get(index + LATER_PLIES).filter(|later| later.tournament == sample.tournament);
            dataset.labels.push(match later {
                Some(later) if sample.tournament.is_some() && sample.board.empties() >= BOOTSTRAP_EMPTIES => {
                    let value = model.evaluate(&later.board);
                    let value = if later.board.turn() == sample.board.turn() { value } else { -value };
                    BOOTSTRAP_SHARE * value + (1.0 - BOOTSTRAP_SHARE) * sample.label
                }
                _ => sample.label,
            });
        }
        dataset
    }

    fn error(&self, weights: &[f32]) -> f64 {
        let squares = self.weights.iter().zip(&self.labels).map(|(numbers, label)| {
            let sum: f32 = numbers.iter().map(|&number| weights[number as usize]).sum();
            f64::from(sum - label).powi(2)
        });
        (squares.sum::<f64>() / self.labels.len().max(1) as f64).sqrt()
    }

    /// Stochastic gradient descent on the squared error, in a new random order each epoch.
    fn fit(&self, weights: &mut [f32], seed: u64) {
        let mut order: Vec<u32> = (0..self.labels.len() as u32).collect();
        for epoch in 0..EPOCHS {
            for at in (1..order.len()).rev() {
                let other = mix(seed ^ (u64::from(epoch) << 40) ^ at as u64) % (at as u64 + 1);
                order.swap(at, other as usize);
            }
            let rate = LEARNING_RATE * (1.0 - epoch as f32 / EPOCHS as f32);
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
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [folder, out, files @ ..] = arguments.as_slice() else {
        eprintln!("usage: cargo xtask train othello GAMES FILE [POSITIONS…]");
        return ExitCode::from(2);
    };
    match train(folder, out, files) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn train(folder: &Path, out: &Path, files: &[PathBuf]) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let layout = Layout::new();
    let mut model = Model { stages: vec![vec![0.0; layout.count]; STAGES], layout };
    let mut samples = if folder.ends_with("none") { Vec::new() } else { samples(folder)? };
    for file in files {
        samples.extend(positions(file)?);
    }
    for number in (0..STAGES).rev() {
        let near = |board: &Board, reach: u32| {
            let empties = board.empties();
            [empties, empties + reach, empties.saturating_sub(reach)].map(stage).contains(&number)
        };
        let training = Dataset::new(&model, &samples, |s| !s.held_out && near(&s.board, OVERLAP));
        let validation = Dataset::new(&model, &samples, |s| s.held_out && near(&s.board, 0));
        let mut weights = vec![0.0; model.layout.count];
        let zero_error = validation.error(&weights);
        training.fit(&mut weights, number as u64);
        println!(
            "stage {number:2}: {:8} positions, error {:6.3} discs, held out {:6.3}, all weights 0 {zero_error:6.3}, {:4.0} s",
            training.labels.len(),
            training.error(&weights),
            validation.error(&weights),
            start.elapsed().as_secs_f64()
        );
        model.stages[number] = weights;
    }
    let quantise = |weight: &f32| (weight * WEIGHTS_PER_DISC as f32).round() as i16;
    let stages: Vec<Vec<i16>> = model.stages.iter().map(|stage| stage.iter().map(quantise).collect()).collect();
    let bytes = encode(&stages);
    println!("{} bytes", bytes.len());
    std::fs::write(out, bytes)?;
    Ok(())
}
