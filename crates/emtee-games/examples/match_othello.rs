//! The trained evaluation against the plain one, or against other weights, at equal fixed depth: pairs of games from the same
//! opening, sides swapped.
//!
//! ```text
//! cargo xtask match othello --pairs 100 --depth 4 [--against WEIGHTS_FILE]
//! ```

use emtee::{Budget, Evaluate, Game, Search, Side, mix, player};
use emtee_games::othello::evaluate::{self, Patterns};
use emtee_games::othello::{Board, Move};

mod options;
use options::{only, option};

/// Discs placed at random before the game begins.
const OPENING: u64 = 8;

fn opening(number: u64) -> Board {
    let mut board = Board::default();
    for ply in 0..OPENING {
        let moves = emtee::legal_moves(&board);
        if moves.is_empty() {
            break;
        }
        board = board.play(moves[(mix(number * 64 + ply) % moves.len() as u64) as usize]);
    }
    board
}

fn choose<E: Evaluate<Board>>(search: &mut Search<Board, E>, board: &Board, depth: u8) -> Result<Move, emtee::Error> {
    let found = search.think(board, Budget::depth(depth))?;
    Ok(found.best_move.unwrap_or(Move::PASS))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    only(&["--pairs", "--depth", "--against"]);
    let (depth, pairs): (u8, u64) = (option("--depth", 4), option("--pairs", 200));
    let mut trained = player(Board::evaluate).principal_variation(false).build()?;
    let against: String = option("--against", String::from("plain"));
    let rival: Box<dyn Fn(&Board) -> i32 + Sync> = match against.as_str() {
        "plain" => Box::new(evaluate::plain),
        file => {
            let weights = Patterns::decode(&std::fs::read(file)?).ok_or_else(|| format!("{file} has no weights"))?;
            Box::new(move |board| weights.evaluate(board))
        }
    };
    let mut rival = player(rival).principal_variation(false).build()?;
    let (mut won, mut drawn, mut lost, mut discs) = (0, 0, 0, 0);
    for number in 0..pairs {
        for side in [Side::First, Side::Second] {
            let mut board = opening(number);
            while !board.is_over() {
                let m = if board.turn() == side {
                    choose(&mut trained, &board, depth)?
                } else {
                    choose(&mut rival, &board, depth)?
                };
                board = board.play(m);
            }
            let score = if board.turn() == side { board.final_score() } else { -board.final_score() };
            discs += score;
            match score.signum() {
                1 => won += 1,
                0 => drawn += 1,
                _ => lost += 1,
            }
        }
    }
    let games = won + drawn + lost;
    println!(
        "trained against {} at depth {depth}, {games} games in pairs: {won} won, {drawn} drawn, {lost} lost, {:.1} % of the points, {:+.1} discs a game",
        against,
        100.0 * (f64::from(won) + f64::from(drawn) / 2.0) / f64::from(games),
        f64::from(discs) / f64::from(games)
    );
    Ok(())
}
