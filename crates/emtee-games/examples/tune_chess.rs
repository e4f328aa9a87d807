//! Finds the weights of the chess evaluation, from nothing but games of the program against itself:
//!
//! ```text
//! cargo xtask train chess --games 1200,2400 --depth 3 --seed 1 \
//!     --write crates/emtee-games/src/chess/weights.rs
//! ```
//!
//! Each round plays games with the weights of the round before (the first with rules of thumb), keeps the quiet
//! positions with the result of their game, and fits the weights to the results of all games so far by gradient descent
//! (Adam), as Texel's author did: the evaluation, squeezed through a logistic curve, is to predict the result. How far the
//! weights may go from where they began is chosen by games held back. The same options give the same weights, byte for byte, on
//! any number of threads, as long as the program is the same: the games come from its search, so that a change of the
//! search, of the horizon or of the features makes other games and other weights.
//!
//! The committed weights were made by the command above in two rounds: 1,200 games with the rules of thumb
//! (`Weights::sketch`), a fit, 2,400 games with what came of it, and a fit to all 3,600 from the rules of thumb again. Depth 3,
//! openings of 8 or 9 random plies, 60 epochs; five minutes of one core. The program has changed since. Whether weights made
//! anew are better is asked with `cargo xtask match chess --against FILE`.

use std::fmt::Write as _;
use std::time::Instant;

use emtee::mix;
use emtee_games::chess::evaluate::{COUNT, Weights, evaluate_with, groups, trace};

#[allow(dead_code)]
mod chess_games;
use chess_games::{Player, game, in_parallel, opening, settled, take};
mod options;
use options::{only, option};

/// A position to learn from.
struct Sample {
    /// Where its counts begin.
    first: u32,
    middlegame: f32,
    endgame: f32,
    /// White's points.
    result: f32,
    /// The game it comes from.
    game: u32,
}

/// All positions, their counts laid end to end.
#[derive(Default)]
struct Samples {
    samples: Vec<Sample>,
    counts: Vec<(u16, i8)>,
}

impl Samples {
    /// Adds those of one more game.
    fn append(&mut self, other: Samples) {
        let first = self.counts.len() as u32;
        let game = self.samples.last().map_or(0, |last| last.game + 1);
        let moved = |sample: Sample| Sample { first: sample.first + first, game, ..sample };
        self.samples.extend(other.samples.into_iter().map(moved));
        self.counts.extend(other.counts);
    }

    fn counts(&self, at: usize) -> &[(u16, i8)] {
        let end = self.samples.get(at + 1).map_or(self.counts.len(), |next| next.first as usize);
        &self.counts[self.samples[at].first as usize..end]
    }
}

/// Plays a game and keeps its quiet positions.
fn play(seed: u64, weights: &Weights, player: &mut Player) -> Samples {
    let start = opening(seed, player);
    player.forget();
    let mut kept = Vec::new();
    let result = game(
        &start,
        |board| player.think(board),
        |board, found| {
            let value = evaluate_with(weights, board);
            let decided = found.value.is_none_or(|value| value.is_proven());
            if !decided && !board.in_check() && settled(weights, board, -30_000, 30_000) == value {
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

/// Weights while they are being fitted: middlegame and endgame apart.
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
        let off = samples.samples[at].result - predict(value(samples, at, fit), slope);
        f64::from(off * off)
    });
    errors.sum::<f64>() / which.len().max(1) as f64
}

/// The slope of the logistic curve that fits the weights as they are: it sets the scale, so that a pawn stays a pawn.
fn best_slope(samples: &Samples, which: &[usize], fit: &Fit) -> f32 {
    let slopes = (4..30).map(|at| at as f32 * 0.0003);
    let errors = slopes.map(|slope| (error(samples, which, fit, slope), slope));
    errors.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.004, |(_, slope)| slope)
}

/// Adam, on batches, with a pull towards where the weights began: what is seen rarely stays where it was.
fn fit(samples: &Samples, which: &[usize], start: &Fit, slope: f32, epochs: usize, pull: f32) -> Fit {
    const BATCH: usize = 4096;
    let mut fit = start.clone();
    let (mut mean, mut spread) = (vec![[0.0f32; 2]; COUNT], vec![[0.0f32; 2]; COUNT]);
    // The positions of a game are alike: batches are drawn from all over.
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
                let push = (guess - sample.result) * guess * (1.0 - guess);
                for &(feature, count) in samples.counts(at) {
                    let slot = &mut gradient[usize::from(feature)];
                    slot[0] += push * f32::from(count) * sample.middlegame;
                    slot[1] += push * f32::from(count) * sample.endgame;
                }
            }
            steps += 1;
            let (warm_mean, warm_spread) = (1.0 - 0.9f32.powi(steps), 1.0 - 0.999f32.powi(steps));
            for at in 0..COUNT {
                for half in 0..2 {
                    let away = fit[at][half] - start[at][half];
                    let g = gradient[at][half] / batch.len() as f32 + pull * away;
                    let (m, v) = (&mut mean[at][half], &mut spread[at][half]);
                    *m = 0.9 * *m + 0.1 * g;
                    *v = 0.999 * *v + 0.001 * g * g;
                    fit[at][half] -= rate * (*m / warm_mean) / ((*v / warm_spread).sqrt() + 1e-8);
                }
            }
        }
    }
    fit
}

/// Fits with the pull that predicts games best that were not learned from, every fifth one, then with all games.
fn fit_best(samples: &Samples, start: &Fit, epochs: usize) -> Fit {
    let all: Vec<usize> = (0..samples.samples.len()).collect();
    let (unseen, seen): (Vec<usize>, Vec<usize>) =
        all.iter().partition(|&&at| samples.samples[at].game.is_multiple_of(5));
    let slope = best_slope(samples, &all, start);
    eprintln!("slope {slope:.4}, error on unseen games before: {:.5}", error(samples, &unseen, start, slope));
    let mut best = (f64::INFINITY, 0.0);
    for pull in [3e-6, 1e-5, 3e-5, 1e-4, 3e-4] {
        let fitted = fit(samples, &seen, start, slope, epochs / 2, pull);
        let off = error(samples, &unseen, &fitted, slope);
        eprintln!("pull {pull}: error {:.5} on seen games, {off:.5} on unseen", error(samples, &seen, &fitted, slope));
        if off < best.0 {
            best = (off, pull);
        }
    }
    // All games are a quarter more than those it was chosen on.
    fit(samples, &all, start, slope, epochs, best.1 * 0.8)
}

/// The file that holds the weights.
fn source(pairs: &[(i16, i16)], command: &str) -> String {
    let mut text =
        String::from("//! The weights of the evaluation, middlegame and endgame, in centipawns. Made by\n//!\n");
    let _ = writeln!(text, "//! ```text\n//! {command}\n//! ```\n");
    text.push_str("use super::features::COUNT;\n\n/// One pair for each feature.\n#[rustfmt::skip]\n");
    text.push_str("pub(super) const TUNED: [(i16, i16); COUNT] = [\n");
    for (name, first, len) in groups() {
        let _ = writeln!(text, "    // {name}");
        let row = if name == "SQUARES" { 4 } else { 8 };
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
    let start: Fit = Weights::sketch().pairs().iter().map(|&(mg, eg)| [f32::from(mg), f32::from(eg)]).collect();
    let mut weights = Weights::sketch().clone();
    let mut samples = Samples::default();
    for (round, games) in rounds.split(',').enumerate() {
        let Ok(games) = games.trim().parse::<usize>() else {
            eprintln!("--games is a number of games for each round, like 1200,2400, not {rounds:?}");
            std::process::exit(2);
        };
        let began = Instant::now();
        let played = in_parallel(games, threads, |done: &mut dyn FnMut(usize, Samples), next| {
            let mut player = Player::new(&weights, depth);
            while let Some(at) = take(next, games) {
                let seed = mix(seed ^ mix((round as u64) << 32 | at as u64));
                done(at, play(seed, &weights, &mut player));
                if at % 100 == 99 {
                    eprintln!(
                        "round {}: {} of {games} games, {:.0} s",
                        round + 1,
                        at + 1,
                        began.elapsed().as_secs_f64()
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
