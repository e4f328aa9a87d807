//! The parts of the games that a page without a server does not have: tools, solvers, networks, books and sets of positions.

mod checkers;
mod chess;
mod connect4;
mod points;

use emtee::{Game, OwnEvaluation, Side, Size};
use emtee_games::checkers::endings::EndingsEvaluator;
use emtee_games::othello::mobility;
use emtee_games::{
    checkers as draughts, chess as chess_game, connect4 as connect_four, kalah as kalah_game, othello as reversi,
};
use emtee_learn::Features;

use crate::arena::Agreement;
use crate::datagen::TrainingGames;
use crate::games::CONNECT4;
use crate::kit::Kit;
use crate::position::Playable;
use crate::registry::Registry;
use crate::settings::Settings;
use crate::solve::{Solve, SolveError};

/// Three sets of positions, each position from a different game: `tune` to choose settings on, `held-out` to evaluate
/// them on, and `judging` for the main comparison of the report alone. Made by `cargo xtask sample`.
macro_rules! samples {
    ($game:ident) => {
        vec![
            ("tune", include_str!(concat!("../../../positions/", stringify!($game), "-tune.txt"))),
            ("held-out", include_str!(concat!("../../../positions/", stringify!($game), "-held-out.txt"))),
            ("judging", include_str!(concat!("../../../positions/", stringify!($game), "-judging.txt"))),
        ]
    };
}

impl Solve {
    /// The number of table entries of this many bytes, if there is enough memory. Solvers of their own abort the program if
    /// they cannot allocate.
    fn entries(&self, default: Size, bytes: usize) -> Result<usize, SolveError> {
        let size = self.hash.unwrap_or(default);
        let reserved = Vec::<u8>::new().try_reserve_exact(size.bytes());
        reserved.map_err(|_| emtee::Error::TableTooLarge { size: size.to_string() })?;
        Ok(size.bytes() / bytes)
    }

    /// The number of threads, with all cores counted.
    fn all_threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads,
        }
    }
}

/// A game without a solver of its own.
pub(super) fn plain<G: Playable>(kit: Kit<G>) -> Kit<G> {
    Kit { tools: Kit::new().tools, ..kit }
}

pub(super) fn chess(kit: Kit<chess_game::Board>) -> Kit<chess_game::Board> {
    let kit = Kit {
        sets: samples!(chess),
        perft: Some(chess_game::Board::perft),
        book: Some(include_str!("../../../books/chess.txt")),
        solve: Some(chess::mates),
        ..plain(kit)
    };
    let games = TrainingGames {
        opening: (8, 11),
        win_at: Some(Agreement { value: 1_000, moves: 4 }),
        draw_at: Some(Agreement { value: 7, moves: 8 }),
        longest: 300,
        solve: false,
    };
    kit.evaluator("network", chess_game::Endgames(chess_game::Network)).engine_evaluator("network").training(games)
}

pub(super) fn othello(kit: Kit<reversi::Board>) -> Kit<reversi::Board> {
    let kit = Kit {
        sets: samples!(othello),
        // Othello programs count lines that end early; those for other games do not.
        perft: Some(reversi::perft),
        book: Some(include_str!("../../../books/othello.txt")),
        solve: Some(points::othello),
        ..plain(kit)
    };
    // Then 14 squares are empty, or a few more if there were passes.
    let games = TrainingGames { opening: (8, 15), win_at: None, draw_at: None, longest: 46, solve: true };
    kit.evaluator("learnt", reversi::Learnt).engine_evaluator("learnt").training(games).features(othello_features)
}

/// The discs, and the number of moves.
fn othello_features(board: &reversi::Board, f: &mut Features) {
    f.board(8, 8);
    let (own, other, turn) = (board.own(), board.opponent(), board.turn());
    pieces(f, [(own, turn), (other, !turn)], |bit| bit);
    f.count(0, turn, mobility(own, other).count_ones() as i32);
    f.count(0, !turn, mobility(other, own).count_ones() as i32);
}

/// Lists the pieces of the two sides, which are sets of bits.
fn pieces(f: &mut Features, of: [(u64, Side); 2], cell: impl Fn(usize) -> usize) {
    for (mut bits, side) in of {
        while bits != 0 {
            f.piece(cell(bits.trailing_zeros() as usize), side, 0);
            bits &= bits - 1;
        }
    }
}

pub(super) fn checkers(kit: Kit<draughts::Board>) -> Kit<draughts::Board> {
    let kit = Kit {
        sets: samples!(checkers),
        perft: Some(draughts::Board::perft),
        book: Some(include_str!("../../../books/checkers.txt")),
        solve: Some(checkers::checkers),
        endings: Some(std::sync::Arc::new(|settings: &Settings| with_endings(settings, OwnEvaluation))),
        ..plain(kit)
    };
    // Moves without progress are not counted here: a game that is not won by then is a draw.
    let games = TrainingGames {
        opening: (6, 11),
        win_at: Some(Agreement { value: 300, moves: 5 }),
        draw_at: Some(Agreement { value: 20, moves: 15 }),
        longest: 160,
        solve: false,
    };
    kit.evaluator_by("network", |settings: &Settings| with_endings(settings, draughts::Network))
        .engine_evaluator("network")
        .training(games)
}

/// An evaluator that probes the endings database of the settings.
fn with_endings<E>(settings: &Settings, others: E) -> EndingsEvaluator<E> {
    let chances = if settings.chances { EndingsEvaluator::CHANCES } else { 0 };
    EndingsEvaluator::with_evaluator(settings.endings.clone(), others).with_chances(chances)
}

pub(super) fn connect4(kit: Kit<connect_four::Board>) -> Kit<connect_four::Board> {
    let kit = Kit { solve: Some(connect4::connect4), any_shape: Some(connect4_of_any_shape), ..plain(kit) };
    kit.features(connect4_features)
}

fn connect4_features(board: &connect_four::Board, f: &mut Features) {
    f.board(6, 7);
    let [x, o] = board.stones();
    // The rows are numbered from the bottom.
    pieces(f, [(x, Side::First), (o, Side::Second)], |bit| bit % 7 * 7 + bit / 7);
}

fn connect4_of_any_shape() -> Registry {
    let kit: Kit<connect_four::sized::Board> = Kit { solve: Some(connect4::connect4_of_any_shape), ..Kit::new() };
    Registry::default().with(CONNECT4, kit.drawn())
}

pub(super) fn kalah(kit: Kit<kalah_game::Board>) -> Kit<kalah_game::Board> {
    Kit { solve: Some(points::kalah), ..plain(kit) }
}
