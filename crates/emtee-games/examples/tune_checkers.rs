//! Tunes the weights of the checkers evaluation on the results of games:
//! `cargo xtask train checkers DIR crates/emtee-games/src/checkers/weights.rs && cargo fmt`.
//!
//! Every `*.pdn` file of DIR is read (`1-0` means that Black won). The paper's positions are test data, so nothing is
//! tuned on them: all games of their events are excluded (a game's `Event` starts with the name of the event), and all
//! other games that contain one of these positions.
//!
//! Samples are the positions in which no jump is forced and neither side wins material within a few plies. The label is
//! the result of the game for the side to move. A logistic regression on the features, with weights for the opening and
//! the ending, is fitted by gradient descent (Adam, full batch, in a fixed order: the same files give the same
//! weights). Every tenth game is held out to detect overfitting. The weights are scaled so that a man is worth 100
//! points, and rounded.

use std::path::Path;
use std::process::ExitCode;

use emtee::{Game, Side, legal_moves};
use emtee_games::checkers::{Board, PdnGame, PdnResult, tuning};

mod checkers_games;
use checkers_games::{Excluded, is_held_out, read};

/// Opening plies, which are mostly book moves, are skipped.
const SKIPPED_PLIES: usize = 6;
/// Positions in the middle of an exchange are excluded: those in which a search to this depth, with jumps resolved,
/// finds a different material balance.
const SETTLED_PLIES: u32 = 6;
const ROUNDS: i32 = 600;
const LEARNING_RATE: f64 = 0.02;
/// Weight decay of all weights but material, as strong as this many positions.
const DECAY: f64 = 30.0;

/// A position: its features, the share of the opening weights, and the result of its game for the side to move (0, ½,
/// 1).
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
            let (read, excluded) = (games.len(), Excluded::new());
            games.retain(|game| !excluded.contains(game));
            eprintln!("{} of {read} games are excluded because of the paper's positions", read - games.len());
            let (mut training, mut test) = (Vec::new(), Vec::new());
            for (index, game) in games.iter().enumerate() {
                add_samples(game, if is_held_out(index) { &mut test } else { &mut training });
            }
            eprintln!("{} games, {} positions, {} held out", games.len(), training.len(), test.len());
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

/// Alpha-Beta on material. It is independent of the library's search, so that the same files always give the same
/// samples.
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
    let cross_entropy = |sample: &Sample| {
        let p = expected(sample, weights).clamp(1e-9, 1.0 - 1e-9);
        -(sample.result * p.log2() + (1.0 - sample.result) * (1.0 - p).log2())
    };
    1000.0 * samples.iter().map(cross_entropy).sum::<f64>() / samples.len().max(1) as f64
}

fn fit(training: &[Sample], test: &[Sample]) -> Weights {
    let mut weights = vec![[0.0; 2]; tuning::COUNT];
    weights[tuning::MAN] = [1.0; 2];
    weights[tuning::KING] = [1.3; 2];
    let mut mean = vec![[0.0; 2]; tuning::COUNT];
    let mut square = vec![[0.0; 2]; tuning::COUNT];
    for round in 1..=ROUNDS {
        let mut gradient = vec![[0.0; 2]; tuning::COUNT];
        for sample in training {
            let error = expected(sample, &weights) - sample.result;
            for &(feature, count) in &sample.features {
                let change = error * f64::from(count);
                gradient[usize::from(feature)][0] += change * sample.opening;
                gradient[usize::from(feature)][1] += change * (1.0 - sample.opening);
            }
        }
        let rate = LEARNING_RATE * (1.0 - f64::from(round) / f64::from(ROUNDS + 1));
        for feature in 0..tuning::COUNT {
            for phase in 0..2 {
                let weight = &mut weights[feature][phase];
                let decay = if feature <= tuning::KING { 0.0 } else { DECAY * *weight };
                let g = (gradient[feature][phase] + decay) / training.len() as f64;
                let (mean, square) = (&mut mean[feature][phase], &mut square[feature][phase]);
                *mean = 0.9 * *mean + 0.1 * g;
                *square = 0.999 * *square + 0.001 * g * g;
                let (mean, square) = (*mean / (1.0 - 0.9f64.powi(round)), *square / (1.0 - 0.999f64.powi(round)));
                *weight -= rate * mean / (square.sqrt() + 1e-9);
            }
        }
        if round == 1 || round % 100 == 0 {
            let (fitted, held_out) = (loss(training, &weights), loss(test, &weights));
            eprintln!("round {round}: {fitted:.2} mbit per position, {held_out:.2} on the held-out games");
        }
    }
    weights
}

/// The weights as a source file.
fn source(weights: &Weights, games: usize) -> String {
    let [opening, ending] = weights[tuning::MAN];
    let scale = 100.0 / ((opening + ending) / 2.0);
    let mut text = format!(
        "//! The weights of the evaluation, for the opening and for the ending. Made by
//! `cargo xtask train checkers DIR crates/emtee-games/src/checkers/weights.rs && cargo fmt` from {games} games of the
//! American Checker Federation and of Tinsley against Chinook, Boston 1994. The match of London 1992 and every other
//! game with a position of the paper's set are excluded. The logit of the expected result, times {scale:.0}, is the evaluation
//! in points; a man is worth about 100.

pub(super) const WEIGHTS: [[i16; 2]; {}] = [\n",
        weights.len()
    );
    for (feature, weight) in weights.iter().enumerate() {
        let [opening, ending] = weight.map(|weight| (weight * scale).round() as i16);
        text += &format!("    [{opening}, {ending}], // {}\n", tuning::name(feature));
    }
    text + "];\n"
}
