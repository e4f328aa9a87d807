//! Tunes the weights of the chess evaluation on self-play games:
//!
//! ```text
//! cargo xtask train chess --games 1200,2400 --depth 3 --seed 1 \
//!     --write crates/emtee-games/src/chess/weights.rs
//! ```
//!
//! Each round plays games with the weights of the round before (the first with hand-written weights), keeps the quiet
//! positions with the results of their games, and fits the weights to the results of all games so far by gradient
//! descent (Adam). This is Texel's tuning method: the logistic function of the evaluation predicts the result. The
//! regularisation towards the start weights is chosen on held-out games. The same options and the same program give the
//! same weights, byte for byte, on any number of threads. The games depend on the search, so a change of the search, of
//! quiescence search or of the features gives other games and other weights.
//!
//! The committed weights were made by the command above in two rounds: 1,200 games with the hand-written weights
//! (`Weights::handwritten`), a fit, 2,400 games with the fitted weights, and a fit to all 3,600 games, again from the
//! hand-written weights. Depth 3, openings of 8 or 9 random plies, 60 epochs; five minutes of one core. The program has
//! changed since. `cargo xtask match chess --against FILE` tests whether new weights are better.

use std::fmt::Write as _;
use std::time::Instant;

use emtee::mix;
use emtee_games::chess::evaluate::{COUNT, Weights, evaluate_with, groups, trace};

#[allow(dead_code)]
mod chess_games;
use chess_games::{Player, game, in_parallel, opening, quiescence, take};
mod options;
use options::{only, option};

/// A training position.
struct Sample {
    /// The index of its first feature count.
    first: u32,
    middlegame: f32,
    endgame: f32,
    /// White's points.
    result: f32,
    /// The game it comes from.
    game: u32,
}

/// All positions, with their feature counts in one list.
#[derive(Default)]
struct Samples {
    samples: Vec<Sample>,
    counts: Vec<(u16, i8)>,
}

impl Samples {
    /// Adds the positions of another game.
    fn append(&mut self, other: Samples) {
        let first = self.counts.len() as u32;
        let game = self.samples.last().map_or(0, |last| last.game + 1);
        let renumbered = |sample: Sample| Sample { first: sample.first + first, game, ..sample };
        self.samples.extend(other.samples.into_iter().map(renumbered));
        self.counts.extend(other.counts);
    }

    fn counts(&self, at: usize) -> &[(u16, i8)] {
        let end = self.samples.get(at + 1).map_or(self.counts.len(), |next| next.first as usize);
        &self.counts[self.samples[at].first as usize..end]
    }
}

/// Plays a game and returns its quiet positions.
fn play(seed: u64, weights: &Weights, player: &mut Player) -> Samples {
    let start = opening(seed, player);
    player.clear();
    let mut kept = Vec::new();
    let result = game(
        &start,
        |board| player.think(board),
        |board, found| {
            let value = evaluate_with(weights, board);
            let decided = found.value.is_none_or(|value| value.is_proven());
            if !decided && !board.in_check() && quiescence(weights, board, -30_000, 30_000) == value {
                kept.push(board.clone());
            }
        },
    );
    let mut samples = Samples::default();
    for board in kept {
        let trace = trace(weights, &board);
        samples.samples.push(Sample {
            first: samples.counts.len() as u32,
            middlegame: trace.middlegame,
            endgame: trace.endgame,
            result,
            game: 0,
        });
        samples.counts.extend(trace.counts);
    }
    samples
}

/// Weights during the fit: middlegame and endgame as separate numbers.
type Fit = Vec<[f32; 2]>;

fn value(samples: &Samples, at: usize, fit: &Fit) -> f32 {
    let mut sums = [0.0; 2];
    for &(feature, count) in samples.counts(at) {
        let weight = fit[usize::from(feature)];
        sums[0] += f32::from(count) * weight[0];
        sums[1] += f32::from(count) * weight[1];
    }
    let sample = &samples.samples[at];
    sums[0] * sample.middlegame + sums[1] * sample.endgame
}

fn predict(value: f32, slope: f32) -> f32 {
    1.0 / (1.0 + (-value * slope).exp())
}

/// The mean squared error of the predictions.
fn error(samples: &Samples, which: &[usize], fit: &Fit, slope: f32) -> f64 {
    let errors = which.iter().map(|&at| {
        let error = samples.samples[at].result - predict(value(samples, at, fit), slope);
        f64::from(error * error)
    });
    errors.sum::<f64>() / which.len().max(1) as f64
}

/// The slope of the logistic function that fits the current weights best. It fixes the scale, so that a pawn keeps its
/// value.
fn best_slope(samples: &Samples, which: &[usize], fit: &Fit) -> f32 {
    let slopes = (4..30).map(|step| step as f32 * 0.0003);
    let errors = slopes.map(|slope| (error(samples, which, fit, slope), slope));
    errors.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.004, |(_, slope)| slope)
}

/// Adam on mini-batches, with regularisation towards the start weights: weights of rare features change little.
fn fit(samples: &Samples, which: &[usize], start: &Fit, slope: f32, epochs: usize, decay: f32) -> Fit {
    const BATCH: usize = 4096;
    let mut fit = start.clone();
    let (mut mean, mut variance) = (vec![[0.0f32; 2]; COUNT], vec![[0.0f32; 2]; COUNT]);
    // The positions of a game are similar, so shuffle: each batch has positions of many games.
    let mut order = which.to_vec();
    order.sort_by_key(|&at| mix(at as u64));
    let mut steps = 0;
    for epoch in 0..epochs {
        let rate = 1.0 - epoch as f32 / epochs as f32;
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![[0.0f32; 2]; COUNT];
            for &at in batch {
                let sample = &samples.samples[at];
                let guess = predict(value(samples, at, &fit), slope);
                let change = (guess - sample.result) * guess * (1.0 - guess);
                for &(feature, count) in samples.counts(at) {
                    let slot = &mut gradient[usize::from(feature)];
                    slot[0] += change * f32::from(count) * sample.middlegame;
                    slot[1] += change * f32::from(count) * sample.endgame;
                }
            }
            steps += 1;
            let (mean_correction, variance_correction) = (1.0 - 0.9f32.powi(steps), 1.0 - 0.999f32.powi(steps));
            for at in 0..COUNT {
                for phase in 0..2 {
                    let distance = fit[at][phase] - start[at][phase];
                    let g = gradient[at][phase] / batch.len() as f32 + decay * distance;
                    let (m, v) = (&mut mean[at][phase], &mut variance[at][phase]);
                    *m = 0.9 * *m + 0.1 * g;
                    *v = 0.999 * *v + 0.001 * g * g;
                    fit[at][phase] -= rate * (*m / mean_correction) / ((*v / variance_correction).sqrt() + 1e-8);
                }
            }
        }
    }
    fit
}

/// Chooses the regularisation that predicts the held-out games (every fifth) best, then fits on all games.
fn fit_best(samples: &Samples, start: &Fit, epochs: usize) -> Fit {
    let all: Vec<usize> = (0..samples.samples.len()).collect();
    let (held_out, training): (Vec<usize>, Vec<usize>) =
        all.iter().partition(|&&at| samples.samples[at].game.is_multiple_of(5));
    let slope = best_slope(samples, &all, start);
    eprintln!("slope {slope:.4}, error on held-out games before: {:.5}", error(samples, &held_out, start, slope));
    let mut best = (f64::INFINITY, 0.0);
    for decay in [3e-6, 1e-5, 3e-5, 1e-4, 3e-4] {
        let fitted = fit(samples, &training, start, slope, epochs / 2, decay);
        let held_out_error = error(samples, &held_out, &fitted, slope);
        let training_error = error(samples, &training, &fitted, slope);
        eprintln!("decay {decay}: error {training_error:.5} on training games, {held_out_error:.5} on held-out games");
        if held_out_error < best.0 {
            best = (held_out_error, decay);
        }
    }
    // All games are a quarter more than the training games for which it was chosen.
    fit(samples, &all, start, slope, epochs, best.1 * 0.8)
}

/// The weights as a source file.
fn source(pairs: &[(i16, i16)], command: &str) -> String {
    let mut text =
        String::from("//! The weights of the evaluation, middlegame and endgame, in centipawns. Made by\n//!\n");
    let _ = writeln!(text, "//! ```text\n//! {command}\n//! ```\n");
    text.push_str("use super::features::COUNT;\n\n/// One pair for each feature.\n#[rustfmt::skip]\n");
    text.push_str("pub(super) const TUNED: [(i16, i16); COUNT] = [\n");
    for (name, first, len) in groups() {
        let _ = writeln!(text, "    // {name}");
        let row = if name == "PIECE_SQUARE" { 4 } else { 8 };
        for pairs in pairs[first..first + len].chunks(row) {
            let cells: Vec<String> = pairs.iter().map(|(mg, eg)| format!("({mg}, {eg}),")).collect();
            let _ = writeln!(text, "    {}", cells.join(" "));
        }
    }
    text.push_str("];\n");
    text
}

fn main() {
    only(&["--games", "--depth", "--seed", "--epochs", "--threads", "--write"]);
    let rounds = option("--games", String::from("1200,2400"));
    let depth = option("--depth", 3);
    let seed: u64 = option("--seed", 1);
    let epochs = option("--epochs", 60);
    let threads = option("--threads", 1);
    let write = option("--write", String::new());
    let command = format!(
        "cargo xtask train chess --games {rounds} --depth {depth} --seed {seed} --epochs {epochs} --write {write}"
    );
    let start: Fit = Weights::handwritten().pairs().iter().map(|&(mg, eg)| [f32::from(mg), f32::from(eg)]).collect();
    let mut weights = Weights::handwritten().clone();
    let mut samples = Samples::default();
    for (round, games) in rounds.split(',').enumerate() {
        let Ok(games) = games.trim().parse::<usize>() else {
            eprintln!("--games is a number of games for each round, like 1200,2400, not {rounds:?}");
            std::process::exit(2);
        };
        let start_time = Instant::now();
        let played = in_parallel(games, threads, |done: &mut dyn FnMut(usize, Samples), next| {
            let mut player = Player::new(&weights, depth);
            while let Some(index) = take(next, games) {
                let seed = mix(seed ^ mix((round as u64) << 32 | index as u64));
                done(index, play(seed, &weights, &mut player));
                if index % 100 == 99 {
                    eprintln!(
                        "round {}: {} of {games} games, {:.0} s",
                        round + 1,
                        index + 1,
                        start_time.elapsed().as_secs_f64()
                    );
                }
            }
        });
        played.into_iter().for_each(|game| samples.append(game));
        let white: f32 = samples.samples.iter().map(|sample| sample.result).sum();
        eprintln!("{} positions, White's share {:.3}", samples.samples.len(), white / samples.samples.len() as f32);
        let fitted = fit_best(&samples, &start, epochs);
        let pairs: Vec<(i16, i16)> = fitted.iter().map(|[mg, eg]| (mg.round() as i16, eg.round() as i16)).collect();
        let pairs: [(i16, i16); COUNT] = pairs.try_into().expect("one for each feature");
        weights = Weights::new(&pairs);
        if write.is_empty() {
            println!("{}", source(&pairs, &command));
        } else if let Err(error) = std::fs::write(&write, source(&pairs, &command)) {
            eprintln!("cannot write {write}: {error}");
            std::process::exit(1);
        }
    }
}
