//! Plays the tuned evaluation against plain material and piece-square weights, both to the same fixed depth:
//!
//! ```text
//! cargo xtask match chess --pairs 100 --depth 4
//! ```
//!
//! Every opening is played twice with colours swapped. Other opponents: `--against handwritten`, the hand-written weights
//! from which tuning started; `--against fine`, the tuned weights without a grain; `--against FILE`, the weights of a
//! file that the tuner wrote.

use emtee::{Evaluate, Game, Grain, OwnEvaluation, Side, mix};
use emtee_games::chess::Board;
use emtee_games::chess::evaluate::{COUNT, Weights};

#[allow(dead_code)]
mod chess_games;
use chess_games::{Player, game, in_parallel, opening, take};
mod options;
use options::{only, option};

fn main() {
    only(&["--pairs", "--depth", "--seed", "--threads", "--against"]);
    let pairs: usize = option("--pairs", 100);
    let depth: u8 = option("--depth", 4);
    let seed: u64 = option("--seed", 1000);
    let threads = option("--threads", 1);
    let against: String = option("--against", String::from("plain"));
    let opponent = match against.as_str() {
        "plain" => Weights::plain().clone(),
        "handwritten" => Weights::handwritten().clone(),
        "fine" => Weights::tuned().clone(),
        file => read(file).unwrap_or_else(|why| {
            eprintln!("--against is plain, handwritten, fine or a file of weights, not {file:?}: {why}");
            std::process::exit(2)
        }),
    };
    // The tuned side's points in each pair, of 2.
    let points = in_parallel(pairs, threads, |done: &mut dyn FnMut(usize, [f32; 2]), next| {
        let mut tuned = Player::with_evaluation(Box::new(rounded), depth);
        let mut other = Player::new(&opponent, depth);
        while let Some(pair) = take(next, pairs) {
            let start = opening(mix(seed ^ mix(pair as u64)), &mut other);
            let points = [Side::First, Side::Second].map(|tuned_side| {
                tuned.clear();
                other.clear();
                let white = game(
                    &start,
                    |board| if board.turn() == tuned_side { tuned.think(board) } else { other.think(board) },
                    |_, _| {},
                );
                if tuned_side == Side::First { white } else { 1.0 - white }
            });
            done(pair, points);
            if pair % 10 == 9 {
                eprintln!("{} of {pairs} pairs", pair + 1);
            }
        }
    });
    let count = |wanted: f32| points.iter().flatten().filter(|&&points| points == wanted).count();
    let (won, drawn, lost) = (count(1.0), count(0.5), count(0.0));
    let games = 2.0 * pairs as f64;
    let share = (won as f64 + drawn as f64 / 2.0) / games;
    // The variance over pairs, because the two games of an opening are not independent.
    let variance: f64 =
        points.iter().map(|[a, b]| (f64::from(a + b) / 2.0 - share).powi(2)).sum::<f64>() / pairs as f64;
    let margin = 1.96 * (variance / pairs as f64).sqrt();
    println!("tuned against {against} at depth {depth}, {} games: +{won} ={drawn} -{lost}", 2 * pairs);
    println!("{:.1} % of the points, ± {:.1} (95 %)", share * 100.0, margin * 100.0);
}

/// The evaluation rounded to the grain of the game.
fn rounded(board: &Board) -> i32 {
    Grain { grain: Board::TUNING.grain, evaluator: OwnEvaluation }.evaluate(board)
}

/// Reads the weights of a file that the tuner wrote.
fn read(file: &str) -> Result<Weights, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let (_, table) = text.split_once("= [").ok_or("it has no table")?;
    let pair = |text: &str| {
        let (middlegame, rest) = text.split_once(", ")?;
        let (endgame, _) = rest.split_once(')')?;
        Some((middlegame.parse().ok()?, endgame.parse().ok()?))
    };
    let pairs: Option<Vec<(i16, i16)>> = table.split('(').skip(1).map(pair).collect();
    let pairs = pairs.ok_or("its table is not made of pairs of numbers")?;
    let count = pairs.len();
    let pairs = <[(i16, i16); COUNT]>::try_from(pairs).map_err(|_| format!("it has {count} pairs, not {COUNT}"))?;
    Ok(Weights::new(&pairs))
}
