//! Matches at equal time, on one thread: emtee's Monte-Carlo tree search, its MTD-f with several evaluations, and the
//! Monte-Carlo tree searches of the crates `minimax` and `treant`.
//!
//! ```text
//! cargo bench -p games --bench mcts [-- GAMES [PLAYER [OPPONENTS [COUNT [MS [FIRST]]]]]]
//! cargo bench -p games --bench mcts -- hex,gomoku mcts minimax,treant 200 50
//! cargo bench -p games --bench mcts -- all learned:FOLDER simple,mcts 200 50
//! ```
//!
//! GAMES is `all`, or names with commas between them. A player is `mcts`, `minimax`, `treant`, or MTD-f with an evaluation:
//! `zero`, `simple` (written by hand), or `learned:FOLDER` with the file `GAME.learned` of that folder. COUNT games are played
//! with MS milliseconds per move. Two games begin with each random opening, one with either side, so that both players have
//! the same chances; FIRST is the number of the first opening.
//!
//! All players play by the rules of this folder. `minimax` and `treant` have their best settings of those tried: see their
//! files.

mod minimax_player;
mod players;
mod treant_player;

use std::fmt::Debug;

use emtee::{Game, Outcome, OwnEvaluation, Side, legal_moves, mix};
use emtee_learn::Features;
use games::{amazons, ataxx, dots, gomoku, hex, simple};

use minimax_player::MinimaxPlayer;
use players::{MctsPlayer, Player, learned, mtd_f};
use treant_player::TreantPlayer;

/// Random plies of an opening.
const PLIES: u64 = 4;

/// Plies after which a game is a draw.
const LONGEST: usize = 400;

const GAMES: [&str; 6] = ["breakthrough", "ataxx", "dots", "hex", "amazons", "gomoku"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let text = |index: usize, default: &'static str| arguments.get(index).map_or(default, String::as_str);
    let number =
        |index: usize, default: u64| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(default);
    let chosen = text(0, "all");
    let rules = Rules { count: number(3, 40), ms: number(4, 20), first: number(5, 0) };
    for game in GAMES.into_iter().filter(|game| chosen == "all" || chosen.split(',').any(|name| name == *game)) {
        for opponent in text(2, "zero,minimax,treant").split(',') {
            let names = [text(1, "mcts"), opponent];
            match game {
                "breakthrough" => play_match(game, names, rules, games::breakthrough_features, None),
                "ataxx" => play_match(game, names, rules, ataxx::Board::features, Some(simple::ataxx)),
                "dots" => play_match(game, names, rules, dots::Board::features, None),
                "hex" => play_match(game, names, rules, hex::Board::features, Some(simple::hex)),
                "amazons" => play_match(game, names, rules, amazons::Board::features, Some(simple::amazons)),
                _ => play_match(game, names, rules, gomoku::Board::features, Some(simple::gomoku)),
            }
        }
    }
}

/// How a match is played.
#[derive(Clone, Copy)]
struct Rules {
    count: u64,
    ms: u64,
    /// The number of the first opening.
    first: u64,
}

/// Plays a match and prints its result with a 95 % interval: over pairs of games, since two games have the same opening.
/// `simple` is the evaluation written by hand, if it is not that of the rules.
fn play_match<G, F>(game: &str, names: [&str; 2], rules: Rules, features: F, simple: Option<fn(&G) -> i32>)
where
    G: Game + Default + 'static,
    G::Move: Debug + Eq + Send + Sync + 'static,
    F: Fn(&G, &mut Features) + Copy + Sync + 'static,
{
    let Rules { count, ms, first } = rules;
    let zero: fn(&G) -> i32 = |_| 0;
    let mut players = names.map(|name| -> Box<dyn Player<G>> {
        match (name, name.strip_prefix("learned:"), simple) {
            ("mcts", ..) => Box::new(MctsPlayer::new(ms)),
            ("minimax", ..) => Box::new(MinimaxPlayer::new(ms)),
            ("treant", ..) => Box::new(TreantPlayer::new(ms)),
            ("zero", ..) => mtd_f(zero, ms),
            ("simple", _, Some(simple)) => mtd_f(simple, ms),
            ("simple", ..) => mtd_f(OwnEvaluation, ms),
            (_, Some(folder), _) => learned(&format!("{folder}/{game}.learned"), features, ms),
            _ => panic!("unknown player {name}"),
        }
    });
    let mut points = [0_u64; 3];
    let mut pairs = Vec::new();
    for number in 0..count / 2 {
        let mut pair = 0;
        for own in [Side::First, Side::Second] {
            let found = play_game(opening::<G>(first + number), own, &mut players);
            points[found] += 1;
            pair += found;
        }
        pairs.push(pair as f64 / 4.0);
    }
    let [lost, drawn, won] = points;
    let n = pairs.len().max(1) as f64;
    let score = pairs.iter().sum::<f64>() / n;
    let variance = pairs.iter().map(|pair| (pair - score).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    println!(
        "{game:<13} {} against {:<8} {ms} ms: +{won} ={drawn} -{lost}, {:.1} % ± {:.1}",
        names[0],
        names[1],
        100.0 * score,
        196.0 * (variance / n).sqrt()
    );
}

/// The positions of an opening.
fn opening<G: Game + Default>(number: u64) -> Vec<G> {
    let mut seed = number;
    loop {
        let mut positions = vec![G::default()];
        while positions.len() <= PLIES as usize {
            seed = mix(seed + 1);
            let last = &positions[positions.len() - 1];
            let moves = legal_moves(last);
            let Some(&m) = moves.get((seed % moves.len().max(1) as u64) as usize) else { break };
            positions.push(last.play(m));
        }
        if positions.len() > PLIES as usize && !legal_moves(&positions[PLIES as usize]).is_empty() {
            return positions;
        }
    }
}

/// Plays a game in which `players[0]` has the side `own`. Returns 0, 1 or 2 if it loses, draws or wins.
fn play_game<G: Game>(mut positions: Vec<G>, own: Side, players: &mut [Box<dyn Player<G>>; 2]) -> usize {
    players.iter_mut().for_each(|player| player.new_game());
    loop {
        let (position, before) = positions.split_last().expect("a position");
        let moves = legal_moves(position);
        let outcome = match position.outcome() {
            None if moves.is_empty() => Some(position.stuck()),
            None if is_repeated(position, before) => Some(position.repeated()),
            None if positions.len() > LONGEST => Some(Outcome::Drawn),
            outcome => outcome,
        };
        if let Some(outcome) = outcome {
            let value = match outcome {
                Outcome::Won => 1,
                Outcome::Lost => -1,
                Outcome::Drawn => 0,
                Outcome::Points(points) => points.signum(),
            };
            return (if position.turn() == own { 1 + value } else { 1 - value }) as usize;
        }
        let player = &mut players[usize::from(position.turn() != own)];
        let m = player.choose(before, position);
        assert!(moves.contains(&m), "the move is legal");
        let next = position.play(m);
        positions.push(next);
    }
}

fn is_repeated<G: Game>(position: &G, before: &[G]) -> bool {
    position.halfmove_clock().is_some() && before.iter().any(|earlier| earlier.key() == position.key())
}
