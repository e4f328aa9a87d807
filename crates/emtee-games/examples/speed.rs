//! Measures the speed of the three games, as ratios within one run:
//!
//! ```text
//! cargo xtask measure speed [chess] [othello] [checkers]
//! ```
//!
//! * chess: nodes per second of a search on the paper's positions, quiescence nodes included, against the moves per
//!   second of the bare rules crate;
//! * Othello: perft(11) against the `magpie` crate, both with bulk counting of the last ply;
//! * checkers: perft(11) with bulk counting of the last ply, against chess perft(6) without bulk counting.
//!
//! `magpie` uses the CPU features that it was compiled for; our Othello detects them at run time. For the best speed of
//! `magpie`, set `RUSTFLAGS=-Ctarget-cpu=native`.
//!
//! The two programs run in the order a, b, b, a (chess: a, b, a), so that a machine that slows down affects both.

use std::process::ExitCode;

use cpu_time::ThreadTime;
use emtee::{Budget, OwnEvaluation, player};
use emtee_games::{checkers, chess, othello};
use magpie::othello::{Board as MagpieBoard, Stone};

const ROUNDS: usize = 3;
const CHESS_DEPTH: u8 = 6;

fn main() -> ExitCode {
    let mut games: Vec<String> = std::env::args().skip(1).collect();
    if games.is_empty() {
        games = ["chess", "othello", "checkers"].map(String::from).into();
    }
    for game in games {
        match game.as_str() {
            "chess" => measure_chess(),
            "othello" => measure_othello(),
            "checkers" => measure_checkers(),
            other => {
                eprintln!("there is no speed measurement for {other:?}; choose chess, othello or checkers");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}

/// A count, and the CPU time in seconds that it took.
fn timed(count: impl FnOnce() -> u64) -> (u64, f64) {
    let start = ThreadTime::now();
    let counted = count();
    (counted, start.elapsed().as_secs_f64())
}

fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

fn measure_chess() {
    let start = cozy_chess::Board::default();
    let bare = || timed(|| chess_perft(&start, 5));
    let search = || {
        timed(|| {
            let mut search = player(OwnEvaluation).principal_variation(false).build().expect("the defaults work");
            let positions = chess::paper_set().iter().map(|position| position.text.parse::<chess::Board>());
            positions
                .map(|board| {
                    search.clear().expect("a table can be cleared");
                    let board = board.expect("the set is legal");
                    let counts = search.think(&board, Budget::depth(CHESS_DEPTH)).expect("it can be searched").counts;
                    counts.nodes() + counts.quiet_nodes
                })
                .sum()
        })
    };
    let speed = |(count, seconds): (u64, f64)| count as f64 / seconds / 1e6;
    let mut ratios = Vec::new();
    for round in 1..=ROUNDS {
        let (a, nodes, b) = (speed(bare()), speed(search()), speed(bare()));
        let moves = (a + b) / 2.0;
        println!(
            "chess, round {round}: {nodes:.2} million nodes per second at depth {CHESS_DEPTH}, bare rules {moves:.1} million moves"
        );
        ratios.push(nodes / moves);
    }
    let ratio = median(ratios);
    println!("chess: median ratio {ratio:.4}, {:.2} million nodes if the rules make 55 million moves", 55.0 * ratio);
}

fn measure_othello() {
    let ours = || timed(|| othello::perft(&othello::Board::default(), 11));
    let theirs = || timed(|| magpie_perft::<true, false>(&MagpieBoard::standard(), 11));
    compare("othello perft(11)", ours, "magpie", theirs);
}

fn measure_checkers() {
    let ours = || timed(|| checkers::Board::default().perft(11));
    let start = cozy_chess::Board::default();
    compare("checkers perft(11)", ours, "chess perft(6)", || timed(|| chess_perft(&start, 6)));
}

fn compare(name: &str, ours: impl Fn() -> (u64, f64), other: &str, theirs: impl Fn() -> (u64, f64)) {
    let mut ratios = Vec::new();
    for round in 1..=ROUNDS {
        let ((count, a), (_, b), (_, c), (_, d)) = (ours(), theirs(), theirs(), ours());
        let ratio = (a + d) / (b + c);
        println!(
            "{name} = {count}, round {round}: {a:.3} s and {d:.3} s, {other} {b:.3} s and {c:.3} s, ratio {ratio:.3}"
        );
        ratios.push(ratio);
    }
    println!("{name}: median ratio {:.3} to {other}", median(ratios));
}

/// Perft without bulk counting, with the bare rules crate: no hints, no move lists.
fn chess_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lines = 0;
    board.generate_moves(|moves| {
        for m in moves {
            let mut after = board.clone();
            after.play_unchecked(m);
            lines += chess_perft(&after, depth - 1);
        }
        false
    });
    lines
}

/// Perft with the board of magpie, at its lowest cost: unchecked `play`, boards copied on the stack, colours as
/// constants, and the last ply counted as the bits of the set of legal moves, without a recursive call.
fn magpie_perft<const BLACK: bool, const WHITE: bool>(board: &MagpieBoard, depth: u32) -> u64 {
    let (stone, other) = if BLACK { (Stone::Black, Stone::White) } else { (Stone::White, Stone::Black) };
    let moves = board.moves_for(stone);
    if moves.is_empty() {
        if depth == 1 || board.moves_for(other).is_empty() {
            return 1;
        }
        return magpie_perft::<WHITE, BLACK>(board, depth - 1);
    }
    if depth == 1 {
        return u64::from(moves.count_set());
    }
    let below = moves.hot_bits().map(|square| {
        let mut next = board.clone();
        next.play(stone, square);
        if depth == 2 {
            // Without a move, the pass is the only line.
            u64::from(next.moves_for(other).count_set().max(1))
        } else {
            magpie_perft::<WHITE, BLACK>(&next, depth - 1)
        }
    });
    below.sum()
}
