//! The tuned evaluation against plain material, at equal fixed depth:
//! `cargo xtask match checkers --pairs 150 --depth 7`. `--against fine` plays the same evaluation without rounding.
//!
//! Each opening of random moves is played twice with colours swapped. A game is drawn by threefold repetition, or after
//! 40 moves of each side without a capture or a move of a man.

use std::collections::HashMap;

use emtee::{Budget, Evaluate, Game, Grain, OwnEvaluation, Search, Side, player};
use emtee_games::checkers::Board;

mod checkers_openings;
use checkers_openings::openings;
mod options;
use options::{only, option};

/// The plies of a tournament ballot, and some more for diversity.
const OPENING_PLIES: usize = 6;
const QUIET_PLIES: u32 = 80;

fn main() {
    only(&["--pairs", "--depth", "--seed", "--against"]);
    let (pairs, depth, seed): (usize, u8, u64) = (option("--pairs", 150), option("--depth", 7), option("--seed", 1));

    let mut tuned =
        player(Grain { grain: Board::TUNING.grain, evaluator: OwnEvaluation }).build().expect("the defaults work");
    let against: String = option("--against", String::from("plain"));
    let other = match against.as_str() {
        "plain" => Board::material,
        "fine" => Board::evaluate,
        _ => {
            eprintln!("--against is plain or fine, not {against:?}");
            std::process::exit(2)
        }
    };
    let mut other = player(other).build().expect("the defaults work");
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for opening in openings(seed, OPENING_PLIES).take(pairs) {
        for colour in [Side::First, Side::Second] {
            match play(opening, colour, depth, &mut tuned, &mut other) {
                Some(true) => wins += 1,
                Some(false) => losses += 1,
                None => draws += 1,
            }
        }
    }
    let games = wins + draws + losses;
    let net = wins - losses;
    let share = 100.0 * (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(games);
    println!(
        "depth {depth}, {games} games: {wins} won, {draws} drawn, {losses} lost: net {net:+}, {share:.1} % of the points"
    );
}

/// Whether the tuned side won. `None`: a draw.
fn play<E: Evaluate<Board>, F: Evaluate<Board>>(
    start: Board,
    tuned_side: Side,
    depth: u8,
    tuned: &mut Search<Board, E>,
    plain: &mut Search<Board, F>,
) -> Option<bool> {
    tuned.clear().expect("clearing works");
    plain.clear().expect("clearing works");
    let mut board = start;
    let mut seen: HashMap<Board, u32> = HashMap::new();
    let mut quiet_plies = 0;
    loop {
        let times = seen.entry(board).or_default();
        *times += 1;
        if *times == 3 || quiet_plies == QUIET_PLIES {
            return None;
        }
        let budget = Budget::depth(depth);
        let found = if board.turn() == tuned_side { tuned.think(&board, budget) } else { plain.think(&board, budget) };
        let Some(m) = found.expect("the position can be searched").best_move else {
            return Some(board.turn() != tuned_side);
        };
        let man = board.piece(m.from()).is_some_and(|piece| !piece.king);
        quiet_plies = if man || m.is_jump() { 0 } else { quiet_plies + 1 };
        board = board.play(m);
    }
}
