//! Tunes the weights of the checkers evaluation on the results of games:
//! `cargo xtask train checkers DIR crates/emtee-games/src/checkers/weights.rs && cargo fmt`.
//!
//! Every `*.pdn` file of DIR is read (`1-0` meaning that Black won). The paper's positions are for measuring, so nothing is
//! learned from them: left out are all games of the events they were taken from (a game's `Event` begins with the event's
//! name), and any other game in which one of them comes about.
//!
//! Each position in which no jump is forced, and in which neither side wins material within a few plies, is labelled with the
//! result of its game for the side to move, and a logistic regression on the features, for the opening and for the ending, is
//! fitted by gradient descent (Adam, all positions at once, in a fixed order: the same files give the same weights). Every tenth
//! game is kept aside to see whether the fit is more than memory. The weights are scaled so that a man is worth 100 points and
//! rounded.

use std::path::Path;
use std::process::ExitCode;

use emtee::{Game, Side, legal_moves};
use emtee_games::checkers::{Board, PdnGame, PdnResult, tuning};

mod checkers_games;
use checkers_games::{Paper, is_kept_aside, read};

/// Openings are played by the book: the first moves say little.
const SKIPPED_PLIES: usize = 6;
/// Positions in the middle of an exchange or a shot say nothing about the worth of material: those are left out where a search
/// this deep, with jumps played out, finds another balance.
const SETTLED_PLIES: u32 = 6;
const ROUNDS: i32 = 600;
const RATE: f64 = 0.02;
/// Pulls weights towards 0, material excepted: as strong as this many positions.
const DECAY: f64 = 30.0;

/// A position: its features, how much of the opening is in it, and how its game ended for the side to move (0, ½, 1).
struct Sample {
    features: Vec<(u8, i8)>,
    opening: f64,
    result: f64,
}

/// Weights for the opening and the ending.
type Weights = Vec<[f64; 2]>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, file] = arguments.as_slice() else {
        eprintln!("usage: cargo xtask train checkers DIR FILE");
        return ExitCode::from(2);
    };
    match read(Path::new(folder)) {
        Ok(mut games) => {
            let (read, paper) = (games.len(), Paper::new());
            games.retain(|game| !paper.holds(game));
            eprintln!("{} of {read} games are left out: they belong to the paper's positions", read - games.len());
            let (mut training, mut test) = (Vec::new(), Vec::new());
            for (at, game) in games.iter().enumerate() {
                add_samples(game, if is_kept_aside(at) { &mut test } else { &mut training });
            }
            eprintln!("{} games, {} positions, {} kept aside", games.len(), training.len(), test.len());
            if let Err(error) = std::fs::write(file, source(&fit(&training, &test), games.len())) {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn add_samples(game: &PdnGame, samples: &mut Vec<Sample>) {
    if game.result == PdnResult::Unknown {
        return;
    }
    let winner = game.winner(Side::First);
    for board in game.positions().skip(SKIPPED_PLIES).filter(tuning::is_quiet) {
        if search(&board, SETTLED_PLIES, -i32::MAX, i32::MAX) != board.material() {
            continue;
        }
        let mut counts = [0i32; tuning::COUNT];
        tuning::features(&board, |feature, count| counts[feature] += count);
        let features = counts.iter().enumerate().filter(|(_, count)| **count != 0);
        let features = features.map(|(feature, &count)| (feature as u8, count as i8)).collect();
        let result = winner.map_or(0.5, |winner| if winner == board.turn() { 1.0 } else { 0.0 });
        samples.push(Sample { features, opening: tuning::opening(&board), result });
    }
}

/// Alpha-beta on material, plain enough to be the same for ever.
fn search(board: &Board, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if depth == 0 && tuning::is_quiet(board) {
        return board.material();
    }
    let mut best = -100_000; // No move is a loss.
    for m in legal_moves(board) {
        best = best.max(-search(&board.play(m), depth.saturating_sub(1), -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn expected(sample: &Sample, weights: &Weights) -> f64 {
    let mut score = 0.0;
    for &(feature, count) in &sample.features {
        let [opening, ending] = weights[usize::from(feature)];
        score += f64::from(count) * (opening * sample.opening + ending * (1.0 - sample.opening));
    }
    1.0 / (1.0 + (-score).exp())
}

/// The mean cross entropy, in thousandths of a bit.
fn loss(samples: &[Sample], weights: &Weights) -> f64 {
    let one = |sample: &Sample| {
        let p = expected(sample, weights).clamp(1e-9, 1.0 - 1e-9);
        -(sample.result * p.log2() + (1.0 - sample.result) * (1.0 - p).log2())
    };
    1000.0 * samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

fn fit(training: &[Sample], test: &[Sample]) -> Weights {
    let mut weights = vec![[0.0; 2]; tuning::COUNT];
    weights[tuning::MAN] = [1.0; 2];
    weights[tuning::KING] = [1.3; 2];
    let mut mean = vec![[0.0; 2]; tuning::COUNT];
    let mut square = vec![[0.0; 2]; tuning::COUNT];
    for round in 1..=ROUNDS {
        let mut slope = vec![[0.0; 2]; tuning::COUNT];
        for sample in training {
            let error = expected(sample, &weights) - sample.result;
            for &(feature, count) in &sample.features {
                let pull = error * f64::from(count);
                slope[usize::from(feature)][0] += pull * sample.opening;
                slope[usize::from(feature)][1] += pull * (1.0 - sample.opening);
            }
        }
        let rate = RATE * (1.0 - f64::from(round) / f64::from(ROUNDS + 1));
        for feature in 0..tuning::COUNT {
            for phase in 0..2 {
                let weight = &mut weights[feature][phase];
                let decay = if feature <= tuning::KING { 0.0 } else { DECAY * *weight };
                let slope = (slope[feature][phase] + decay) / training.len() as f64;
                let (mean, square) = (&mut mean[feature][phase], &mut square[feature][phase]);
                *mean = 0.9 * *mean + 0.1 * slope;
                *square = 0.999 * *square + 0.001 * slope * slope;
                let (mean, square) = (*mean / (1.0 - 0.9f64.powi(round)), *square / (1.0 - 0.999f64.powi(round)));
                *weight -= rate * mean / (square.sqrt() + 1e-9);
            }
        }
        if round == 1 || round % 100 == 0 {
            let (fitted, kept) = (loss(training, &weights), loss(test, &weights));
            eprintln!("round {round}: {fitted:.2} mbit a position, {kept:.2} on the games kept aside");
        }
    }
    weights
}

/// The weights as a source file.
fn source(weights: &Weights, games: usize) -> String {
    let [opening, ending] = weights[tuning::MAN];
    let scale = 100.0 / ((opening + ending) / 2.0);
    let mut text = format!(
        "//! The weights of the evaluation, for the opening and for the ending, made by
//! `cargo xtask train checkers DIR crates/emtee-games/src/checkers/weights.rs && cargo fmt`
//! from {games} games of the American Checker Federation and of Tinsley against Chinook, Boston 1994. The match of London 1992
//! and every other game that comes by a position of the paper's set are left out.
//! The logit of the expected result, times {scale:.0}, is the evaluation in points; a man is worth about 100.

pub(super) const WEIGHTS: [[i16; 2]; {}] = [\n",
        weights.len()
    );
    for (feature, weight) in weights.iter().enumerate() {
        let [opening, ending] = weight.map(|weight| (weight * scale).round() as i16);
        text += &format!("    [{opening}, {ending}], // {}\n", tuning::name(feature));
    }
    text + "];\n"
}
