//! Trains Othello's pattern evaluation on tournament games, stage by stage, by gradient descent; and on positions that
//! `emtee datagen othello` made, if there are any.
//!
//! ```text
//! cargo xtask train othello GAMES FILE [POSITIONS…]
//! ```
//!
//! Games are a folder of `.wtb` files; the word `none` leaves them out.
//!
//! Players err, most of all near the end: the score a game ended with says little about a position twenty moves before (the
//! error of a fit to it is 16 discs where a fit to solved scores has 9). So a position learns the score of perfect
//! play: the collection has it at 24 empty squares, the solver finds it at 12 and at each of the last 9, and between two of
//! these a position's score lies on the straight line from one to the other.
//!
//! Stages are trained from the last back, so that the opening can learn from the middle game: before 28 empty squares are left,
//! most of a label is how the position eight plies later in the same game is judged.
//!
//! Positions of games against itself come with what a search thought of them, and with a result that is solved from 14 empty
//! squares on. A label is [`SEARCHED`] parts of the one and the rest of the other.
//!
//! The same files give the same weights to the bit. One game in sixteen is kept back to measure the error on.

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

/// A stage also learns from positions this many plies before it and after it: neighbours are much alike, and few games
/// reach a given pattern.
const OVERLAP: u32 = 3;
const EPOCHS: u32 = 10;
/// The step at the beginning; it falls to nothing. Forty-eight weights move with every position.
const RATE: f32 = 0.008;
/// The files' theoretical scores are those of the position with this many empty squares.
const GIVEN: u32 = 24;
/// The solver is asked at this many empty squares, and again from [`ALL_SOLVED`] on.
const SOLVED: u32 = 12;
const ALL_SOLVED: u32 = 9;

/// Before this many empty squares are left, a position also learns from what its game looks like [`LATER`] plies on, judged
/// with the weights of that stage, which were trained before: half a game of errors lies between it and a solved score.
const LEARNS_FROM_LATER: u32 = 28;
const LATER: usize = 8;
/// How much of a label is that, the rest being the solved score.
const TRUST: f32 = 0.75;

/// How much of a label is what a search thought of the position, the rest being the result of its game.
const SEARCHED: f32 = 0.7;
/// A file of positions: its header, and what each of them takes.
const HEADER: usize = 64;
const RECORD: usize = 32;

/// A position and the score that came of it, for the side to move.
struct Sample {
    board: Board,
    label: f32,
    held_back: bool,
    /// If it may learn from what its game looks like later.
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
            let held_back = othello_games::is_kept_back(games);
            let last = line.last().map(|(board, _)| *board).unwrap_or_default();
            if !last.is_over() {
                continue;
            }
            let known = known_scores(&mut solver, &line, 2 * i32::from(record.theoretical) - 64);
            for (board, _) in &line {
                let black = interpolate(&known, board.empties());
                let label = if board.turn() == Side::First { black } else { -black };
                samples.push(Sample { board: *board, label, held_back, tournament: Some(games as u32) });
            }
        }
    }
    println!("{games} games, {} positions, {:.0} s", samples.len(), start.elapsed().as_secs_f64());
    Ok(samples)
}

/// The positions of a file that `emtee datagen othello` made; the book says what stands where.
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
        let label = if is_exact { result } else { SEARCHED * score + (1.0 - SEARCHED) * result };
        let game = u32::from_le_bytes([record[28], record[29], record[30], record[31]]);
        Some(Sample { board, label, held_back: othello_games::is_kept_back(game.into()), tournament: None })
    };
    let records = bytes[HEADER.min(bytes.len())..].as_chunks().0;
    let samples: Option<Vec<Sample>> = records.iter().map(sample).collect();
    samples.ok_or_else(|| format!("{} has a board that is none", file.display()).into())
}

/// Black's scores with perfect play, where they are known: empty squares and score, most empty squares first.
fn known_scores(solver: &mut Solver, line: &[(Board, Option<Move>)], theoretical: i32) -> Vec<(u32, f32)> {
    let mut known = vec![(GIVEN, theoretical as f32)];
    for (board, _) in line {
        let empties = board.empties();
        let again = known.last().is_some_and(|&(last, _)| last == empties);
        if !again && (empties == SOLVED || empties <= ALL_SOLVED) {
            let score = solver.solve(board).score;
            known.push((empties, if board.turn() == Side::First { score } else { -score } as f32));
        }
    }
    known
}

/// The score between the two nearest known ones.
fn interpolate(known: &[(u32, f32)], empties: u32) -> f32 {
    let after = known.iter().find(|&&(at, _)| at <= empties);
    let before = known.iter().rev().find(|&&(at, _)| at >= empties);
    match (before, after) {
        (Some(&(early, a)), Some(&(late, b))) if early > late => {
            b + (a - b) * (empties - late) as f32 / (early - late) as f32
        }
        (_, Some(&(_, score))) | (Some(&(_, score)), None) => score,
        (None, None) => 0.0,
    }
}

/// The weights trained so far, from the last stage back.
struct Teacher {
    layout: Layout,
    stages: Vec<Vec<f32>>,
}

impl Teacher {
    /// The numbers of the weights that make up a position.
    fn numbers(&self, board: &Board) -> [u32; LANES] {
        let features = self.layout.features(board.own(), board.opponent());
        let number =
            |lane: usize| self.layout.distinct[self.layout.offsets[lane] as usize + usize::from(features[lane])];
        std::array::from_fn(number)
    }

    fn evaluate(&self, board: &Board) -> f32 {
        let weights = &self.stages[stage(board.empties())];
        self.numbers(board).iter().map(|&number| weights[number as usize]).sum()
    }
}

/// What one stage learns from: the numbers of the weights that make up each position, and the scores.
struct Lesson {
    weights: Vec<[u32; LANES]>,
    labels: Vec<f32>,
}

impl Lesson {
    fn of(teacher: &Teacher, samples: &[Sample], wanted: impl Fn(&Sample) -> bool) -> Lesson {
        let mut lesson = Lesson { weights: Vec::new(), labels: Vec::new() };
        for (at, sample) in samples.iter().enumerate().filter(|(_, sample)| wanted(sample)) {
            lesson.weights.push(teacher.numbers(&sample.board));
            let later = samples.get(at + LATER).filter(|later| later.tournament == sample.tournament);
            lesson.labels.push(match later {
                Some(later) if sample.tournament.is_some() && sample.board.empties() >= LEARNS_FROM_LATER => {
                    let value = teacher.evaluate(&later.board);
                    let value = if later.board.turn() == sample.board.turn() { value } else { -value };
                    TRUST * value + (1.0 - TRUST) * sample.label
                }
                _ => sample.label,
            });
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
    let mut teacher = Teacher { stages: vec![vec![0.0; layout.count]; STAGES], layout };
    let mut samples = if folder.ends_with("none") { Vec::new() } else { samples(folder)? };
    for file in files {
        samples.extend(positions(file)?);
    }
    for number in (0..STAGES).rev() {
        let near = |board: &Board, reach: u32| {
            let empties = board.empties();
            [empties, empties + reach, empties.saturating_sub(reach)].map(stage).contains(&number)
        };
        let lesson = Lesson::of(&teacher, &samples, |s| !s.held_back && near(&s.board, OVERLAP));
        let exam = Lesson::of(&teacher, &samples, |s| s.held_back && near(&s.board, 0));
        let mut weights = vec![0.0; teacher.layout.count];
        let even = exam.error(&weights);
        lesson.learn(&mut weights, number as u64);
        println!(
            "stage {number:2}: {:8} positions, error {:6.3} discs, held back {:6.3}, all at zero {even:6.3}, {:4.0} s",
            lesson.labels.len(),
            lesson.error(&weights),
            exam.error(&weights),
            start.elapsed().as_secs_f64()
        );
        teacher.stages[number] = weights;
    }
    let quantise = |weight: &f32| (weight * WEIGHTS_PER_DISC as f32).round() as i16;
    let stages: Vec<Vec<i16>> = teacher.stages.iter().map(|stage| stage.iter().map(quantise).collect()).collect();
    let bytes = encode(&stages);
    println!("{} bytes", bytes.len());
    std::fs::write(out, bytes)?;
    Ok(())
}
