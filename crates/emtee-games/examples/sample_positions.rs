//! Draws positions for experiments, one from each of many games that were not used for training.
//!
//! ```text
//! cargo xtask sample othello DIR OUT
//! cargo xtask sample checkers DIR OUT
//! cargo xtask sample chess OUT
//! cargo xtask sample chess judging OUT
//! ```
//!
//! The games of Othello are from a folder of `.wtb` files, those of checkers from a folder of PDN files. Only games
//! that the trainers hold out are used. Chess positions are from self-play games with openings that the trainer does
//! not use. 240 games go to `OUT/GAME-tune.txt`, for choosing windows and rules, 240 to `OUT/GAME-held-out.txt`, for testing
//! them, and 600 others, or as many as there are, to `OUT/GAME-judging.txt`, for the main comparison. The same games give
//! the same files.

use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;

use emtee::{Game, Side, legal_moves, mix};
use emtee_games::chess::evaluate::Weights;
use emtee_games::{checkers, chess, othello};

mod checkers_games;
use checkers_games::{Excluded, is_held_out, read};
#[allow(dead_code)]
mod chess_games;
mod othello_games;

/// The sets, and the number of positions of each.
const SETS: [(&str, usize); 2] = [("tune", 240), ("held-out", 240)];
const JUDGING: (&str, usize) = ("judging", 600);
/// Othello: with fewer empty squares, a search of ten plies would reach the end of the game.
const MIN_EMPTIES: u32 = 16;
/// Checkers: positions with fewer pieces are endings.
const MIN_PIECES: u32 = 8;
/// The first plies of a game, which many games share.
const SKIPPED_PLIES: usize = 6;
/// Seeds of chess games; those of the trainer are small.
const CHESS_SEEDS: u64 = 0x5a3b_1e00_0000;
/// Seeds of the chess games of `judging`.
const JUDGING_SEEDS: u64 = CHESS_SEEDS + 0x1_0000;
/// The search depth of both sides in those games.
const CHESS_DEPTH: u8 = 4;
/// The plies from which positions of `judging` are drawn, as in the paper's sets: without them most positions of a
/// self-play game are endings, with far fewer moves than in games of chess.
const JUDGING_PLIES: std::ops::Range<usize> = SKIPPED_PLIES..50;

/// A game: its name, and the positions that can be drawn from it, as texts.
struct Played {
    name: String,
    positions: Vec<(usize, String)>,
}

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let drawn = match words.as_slice() {
        ["othello", folder, out] => {
            from_othello(Path::new(folder)).and_then(|games| write("othello", games, &[SETS[0], SETS[1], JUDGING], out))
        }
        ["checkers", folder, out] => from_checkers(Path::new(folder))
            .and_then(|games| write("checkers", games, &[SETS[0], SETS[1], JUDGING], out)),
        ["chess", "judging", out] => {
            write("chess", from_chess(JUDGING_SEEDS, JUDGING.1, JUDGING_PLIES), &[JUDGING], out)
        }
        ["chess", out] => {
            let games: usize = SETS.iter().map(|(_, positions)| positions).sum();
            write("chess", from_chess(CHESS_SEEDS, games, SKIPPED_PLIES..usize::MAX), &SETS, out)
        }
        _ => {
            eprintln!("usage: cargo xtask sample othello DIR OUT | checkers DIR OUT | chess [judging] OUT");
            return ExitCode::from(2);
        }
    };
    match drawn {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The positions after the first plies with more than one legal move, with their plies.
fn with_choice<G: Game + std::fmt::Display>(
    line: impl IntoIterator<Item = G>,
    mut fits: impl FnMut(&G) -> bool,
) -> Vec<(usize, String)> {
    let numbered = line.into_iter().enumerate().skip(SKIPPED_PLIES);
    let wanted = numbered.filter(|(_, board)| legal_moves(board).len() > 1 && fits(board));
    wanted.map(|(ply, board)| (ply, board.to_string())).collect()
}

fn from_othello(folder: &Path) -> Result<Vec<Played>, Failure> {
    let (mut number, mut games) = (0u64, Vec::new());
    for (file, records) in othello_games::read(folder)? {
        let year = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (index, record) in records.iter().enumerate() {
            number += 1;
            if !othello_games::is_held_out(number) {
                continue;
            }
            let Ok(line) = record.replay() else { continue };
            let boards = line.into_iter().map(|(board, _)| board);
            let positions = with_choice(boards, |board: &othello::Board| board.empties() >= MIN_EMPTIES);
            games.push(Played { name: format!("{year}, game {}", index + 1), positions });
        }
    }
    Ok(games)
}

fn from_checkers(folder: &Path) -> Result<Vec<Played>, Failure> {
    let (mut games, excluded) = (read(folder)?, Excluded::new());
    games.retain(|game| !excluded.contains(game));
    let held_out = games.iter().enumerate().filter(|&(index, _)| is_held_out(index));
    let pieces = |board: &checkers::Board| {
        let (counts, others) = (board.count(Side::First), board.count(Side::Second));
        counts.0 + counts.1 + others.0 + others.1
    };
    let played = held_out.map(|(_, game)| {
        let positions = with_choice(game.positions(), |board| pieces(board) >= MIN_PIECES);
        Played { name: game.tag("Event").unwrap_or("a game").to_owned(), positions }
    });
    Ok(played.collect())
}

/// Self-play games, a few more than needed: some are too short.
fn from_chess(seeds: u64, games: usize, plies: std::ops::Range<usize>) -> Vec<Played> {
    let mut player = chess_games::Player::new(Weights::tuned(), CHESS_DEPTH);
    let mut play = |number: u64| {
        let start = chess_games::opening(seeds + number, &mut player);
        player.clear();
        let mut line: Vec<chess::Board> = Vec::new();
        chess_games::game(&start, |board| player.think(board), |board, _| line.push(board.clone()));
        let set = if seeds == CHESS_SEEDS { "" } else { "second " };
        let mut positions = with_choice(line, |_| true);
        positions.retain(|(ply, _)| plies.contains(ply));
        Played { name: format!("{set}self-play, game {number}"), positions }
    };
    (1..=games as u64 + 60).map(&mut play).collect()
}

/// Draws a position of each game and writes the sets. Only the last may have fewer positions than planned.
fn write(game: &str, mut games: Vec<Played>, sets: &[(&str, usize)], out: &str) -> Result<(), Failure> {
    games.retain(|played| !played.positions.is_empty());
    let mut numbered: Vec<(u64, Played)> = (1u64..).map(mix).zip(games).collect();
    numbered.sort_by_key(|&(chance, _)| chance);
    let needed: usize = sets[..sets.len() - 1].iter().map(|(_, positions)| positions).sum();
    if numbered.len() <= needed {
        return Err(format!("there are {} games, and more than {needed} are needed", numbered.len()).into());
    }
    // The paper set and the tuning set are excluded.
    let excluded = match game {
        "othello" => [othello::paper_set(), othello::tuning_set()],
        "checkers" => [checkers::paper_set(), checkers::tuning_set()],
        _ => [chess::paper_set(), chess::tuning_set()],
    };
    let mut seen: HashSet<String> = excluded.iter().flat_map(|set| set.iter()).map(|at| at.text.to_owned()).collect();
    let mut lines = numbered.iter().filter_map(|(chance, played)| {
        let (ply, text) = &played.positions[(mix(*chance) % played.positions.len() as u64) as usize];
        seen.insert(text.clone()).then(|| format!("{text}  # {}, ply {ply}\n", played.name))
    });
    for (set, positions) in sets {
        let path = Path::new(out).join(format!("{game}-{set}.txt"));
        let text: String = lines.by_ref().take(*positions).collect();
        println!("{}: {} positions", path.display(), text.lines().count());
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
