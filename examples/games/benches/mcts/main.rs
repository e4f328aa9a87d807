//! Matches of emtee's Monte-Carlo tree search at equal time, on one thread: against MTD-f with an evaluation of 0, and against
//! the crates `minimax` and `treant`.
//!
//! ```text
//! cargo bench -p games --bench mcts [-- hex,gomoku|all [mtd-f|minimax|treant [GAMES [MS]]]]
//! ```
//!
//! Two games begin with each random opening, one with either side, so that both players have the same chances. All players
//! play random games by the rules of this folder. `minimax` and `treant` have their best settings of those tried: see their
//! files.

mod minimax_player;
mod players;
mod treant_player;

use std::fmt::Debug;

use emtee::{Game, Outcome, Side, legal_moves, mix};
use games::{amazons, ataxx, breakthrough, dots, gomoku, hex};

use minimax_player::MinimaxPlayer;
use players::{MctsPlayer, MtdFPlayer, Player};
use treant_player::TreantPlayer;

/// Random plies of an opening.
const PLIES: u64 = 4;

/// Plies after which a game is a draw.
const LONGEST: usize = 400;

const GAMES: [&str; 6] = ["breakthrough", "ataxx", "dots", "hex", "amazons", "gomoku"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let number =
        |index: usize, default: u64| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, ms) = (number(2, 40), number(3, 20));
    let chosen = arguments.first().map_or("all", String::as_str);
    let opponents = arguments.get(1).map_or(vec!["mtd-f", "minimax", "treant"], |name| vec![name]);
    for game in GAMES.into_iter().filter(|game| chosen == "all" || chosen.split(',').any(|name| name == *game)) {
        for opponent in &opponents {
            match game {
                "breakthrough" => play_match::<breakthrough::Board>(game, opponent, count, ms),
                "ataxx" => play_match::<ataxx::Board>(game, opponent, count, ms),
                "dots" => play_match::<dots::Board>(game, opponent, count, ms),
                "hex" => play_match::<hex::Board>(game, opponent, count, ms),
                "amazons" => play_match::<amazons::Board>(game, opponent, count, ms),
                _ => play_match::<gomoku::Board>(game, opponent, count, ms),
            }
        }
    }
}

/// Plays a match and prints its result with a 95 % interval.
fn play_match<G>(name: &str, opponent: &str, count: u64, ms: u64)
where
    G: Game + Default + 'static,
    G::Move: Debug + Eq + Send + Sync + 'static,
{
    let mut players: [Box<dyn Player<G>>; 2] = [
        Box::new(MctsPlayer::new(ms)),
        match opponent {
            "minimax" => Box::new(MinimaxPlayer::new(ms)),
            "treant" => Box::new(TreantPlayer::new(ms)),
            _ => Box::new(MtdFPlayer::new(ms)),
        },
    ];
    let mut points = [0_u64; 3];
    for number in 0..count {
        let opening = opening::<G>(number / 2);
        let own = if number % 2 == 0 { Side::First } else { Side::Second };
        points[play_game(opening, own, &mut players)] += 1;
    }
    let [lost, drawn, won] = points;
    let score = (won as f64 + drawn as f64 / 2.0) / count.max(1) as f64;
    let margin = 1.96 * (score * (1.0 - score) / count.max(1) as f64).sqrt();
    println!(
        "{name:<13} mcts against {opponent:<8} {ms} ms: +{won} ={drawn} -{lost}, {:.0} % ± {:.0}",
        100.0 * score,
        100.0 * margin
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
