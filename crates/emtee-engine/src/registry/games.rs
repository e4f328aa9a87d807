//! The built-in games, one kit each. No other file contains their names.

#[cfg(feature = "study")]
use emtee::OwnEvaluation;
use emtee::research::{Guess, Widen};
use emtee::{Algorithm, Game, Side};
#[cfg(feature = "study")]
use emtee_games::checkers::endings::EndingsEvaluator;
use emtee_games::othello::notation::read_moves;
#[cfg(feature = "std")]
use emtee_games::synthetic;
use emtee_games::{checkers, chess, connect4, kalah, othello, small, tictactoe};

use super::Registry;
#[cfg(feature = "study")]
use crate::arena::Agreement;
#[cfg(feature = "study")]
use crate::datagen::TrainingGames;
use crate::illegal_moves;
use crate::kit::{Conventions, Kit, WinChances};
#[cfg(feature = "study")]
use crate::kit::{Evaluator, Training};
use crate::position::Playable;
use crate::protocol::Protocol;
use crate::record::RecordFormat;
#[cfg(feature = "study")]
use crate::search::build;
use crate::session::OthelloEndgame;
#[cfg(feature = "study")]
use crate::settings::Settings;
#[cfg(feature = "study")]
use crate::solve;

/// The games that are registered in two ways.
const CONNECT4: &str = "connect4";
const KALAH: &str = "kalah";
const TICTACTOE: &str = "tictactoe";

impl Registry {
    /// All built-in games.
    #[cfg(feature = "std")]
    pub fn standard() -> Registry {
        Registry::default().with_chess().with_othello().with_checkers().with_small()
    }

    // A program that adds games one by one compiles only those.

    /// Adds chess.
    #[inline]
    pub fn with_chess(self) -> Registry {
        self.add::<chess::Board>("chess", chess())
    }

    /// Adds Othello.
    #[inline]
    pub fn with_othello(self) -> Registry {
        self.add::<othello::Board>("othello", othello())
    }

    /// Adds checkers.
    #[inline]
    pub fn with_checkers(self) -> Registry {
        self.add::<checkers::Board>("checkers", checkers())
    }

    /// Adds the games without evaluation weights: Connect Four, Kalah and tic-tac-toe.
    #[inline]
    pub fn with_small(self) -> Registry {
        self.add::<connect4::Board>(CONNECT4, connect4())
            .add::<kalah::Board>(KALAH, kalah())
            .add::<tictactoe::Board>(TICTACTOE, tictactoe())
    }

    /// Adds the same games as one type, so that one search is compiled for all of them. This keeps a WebAssembly file
    /// small.
    #[inline]
    pub fn with_small_as_one(self) -> Registry {
        use small::Board::{Connect4, Kalah, TicTacToe};
        let connect4 =
            Kit { start: || Connect4(Default::default()), parse: |text| read(text, Connect4), ..connect4().as_one() };
        let kalah = Kit { start: || Kalah(Default::default()), parse: |text| read(text, Kalah), ..kalah().as_one() };
        let tictactoe = Kit {
            start: || TicTacToe(Default::default()),
            parse: |text| read(text, TicTacToe),
            ..tictactoe().as_one()
        };
        self.add(CONNECT4, connect4).add(KALAH, kalah).add(TICTACTOE, tictactoe)
    }

    /// The name of synthetic trees.
    pub const SYNTHETIC: &str = "synthetic";

    /// The synthetic trees of simulations. They are not playable, so they are not among the standard games.
    #[cfg(feature = "std")]
    pub fn synthetic() -> Registry {
        Registry::default().add::<synthetic::Position>(Registry::SYNTHETIC, Kit::PLAIN)
    }
}

/// Two sets of positions, each position from a different game: `tune` to choose settings on, `held-out` to evaluate
/// them on. Made by `cargo xtask sample`.
#[cfg(feature = "study")]
macro_rules! samples {
    ($game:ident) => {
        &[
            ("tune", include_str!(concat!("../../positions/", stringify!($game), "-tune.txt"))),
            ("held-out", include_str!(concat!("../../positions/", stringify!($game), "-held-out.txt"))),
        ]
    };
}

/// Left out without `study`, so that a WebAssembly file stays small.
#[cfg(feature = "study")]
const CHESS_EVALUATORS: &[(&str, Evaluator<chess::Board>)] =
    &[("network", |settings| build(settings, chess::Endgames(chess::Network)))];

#[cfg(feature = "study")]
const OTHELLO_EVALUATORS: &[(&str, Evaluator<othello::Board>)] =
    &[("learnt", |settings| build(settings, othello::Learnt))];

#[cfg(feature = "study")]
const CHECKERS_EVALUATORS: &[(&str, Evaluator<checkers::Board>)] =
    &[("network", |settings| build(settings, judge(settings, checkers::Network)))];

#[cfg(feature = "study")]
fn judge<E>(settings: &Settings, others: E) -> EndingsEvaluator<E> {
    EndingsEvaluator::with_evaluator(settings.endings.clone(), others).with_chances(if settings.chances {
        EndingsEvaluator::CHANCES
    } else {
        0
    })
}

fn chess() -> Kit<chess::Board> {
    Kit {
        conventions: Conventions {
            protocols: &[Protocol::Uci],
            record: RecordFormat::PGN,
            alternate_moves: Some("UCI_Chess960"),
            clear_lead: 200,
            // Maximum-likelihood fit on 119 games of `emtee datagen chess`, 9,302 positions; 30 more games were held
            // out to check it.
            win_chances: Some(WinChances { even: 105.0, spread: 112.0 }),
            // From matches against an engine with adjustable strength; see `docs/book/match.md`.
            ratings: [1_000, 1_100, 1_200, 1_300, 1_420, 1_550, 1_650, 1_780, 1_860, 1_950],
            bottom: Some(Side::First),
        },
        paper: chess::paper_set(),
        tuning: chess::tuning_set(),
        baseline: Algorithm::AspirationNegaScout { width: 16, widen: Widen::Double },
        guess: Guess::Previous,
        #[cfg(feature = "study")]
        samples: samples!(chess),
        // UCI and SAN.
        read: Some(|board, text| board.read_move(text).map(|m| vec![m]).map_err(|error| error.to_string())),
        illegal_reason: Some(chess::Board::illegal_reason),
        write: Some(chess::Board::san),
        dead: Some(chess::Board::is_insufficient_material),
        #[cfg(feature = "study")]
        perft: Some(chess::Board::perft),
        #[cfg(feature = "study")]
        book: Some(include_str!("../../books/chess.txt")),
        #[cfg(feature = "study")]
        solve: solve::mates,
        mates: true,
        #[cfg(feature = "study")]
        evaluators: CHESS_EVALUATORS,
        #[cfg(feature = "study")]
        training: Some(Training::from(TrainingGames {
            opening: (8, 11),
            win_at: Some(Agreement { value: 1_000, moves: 4 }),
            draw_at: Some(Agreement { value: 7, moves: 8 }),
            longest: 300,
            solve: false,
        })),
        ..Kit::DRAWN
    }
}

fn othello() -> Kit<othello::Board> {
    Kit {
        conventions: Conventions {
            protocols: &[Protocol::NBoard, Protocol::Gtp],
            record: RecordFormat::GGF,
            clear_lead: 10,
            ..Conventions::PLAIN
        },
        paper: othello::paper_set(),
        tuning: othello::tuning_set(),
        baseline: Algorithm::AspirationNegaScout { width: 1, widen: Widen::Double },
        guess: Guess::TwoBack,
        #[cfg(feature = "study")]
        samples: samples!(othello),
        // Othello programs count lines that end early; those for other games do not.
        #[cfg(feature = "study")]
        perft: Some(othello::perft),
        book_key: Some(|board| (0..8).map(|symmetry| board.transformed(symmetry).key()).min().unwrap_or_default()),
        #[cfg(feature = "study")]
        book: Some(include_str!("../../books/othello.txt")),
        // Moves may run together, as in `f5d6c3`, and passes may be left out.
        read: Some(|board, text| read_moves(board, text).map_err(|error| error.to_string())),
        illegal_reason: Some(illegal_moves::othello),
        #[cfg(feature = "study")]
        solve: solve::othello,
        #[cfg(feature = "study")]
        evaluators: OTHELLO_EVALUATORS,
        endgame_solver: Some(OthelloEndgame::boxed),
        // Then 14 squares are empty, or a few more if there were passes.
        #[cfg(feature = "study")]
        training: Some(Training::from(TrainingGames {
            opening: (8, 15),
            win_at: None,
            draw_at: None,
            longest: 46,
            solve: true,
        })),
        ..Kit::DRAWN
    }
}

fn checkers() -> Kit<checkers::Board> {
    Kit {
        conventions: Conventions {
            protocols: &[Protocol::Hub],
            record: RecordFormat::PDN,
            clear_lead: 100,
            bottom: Some(Side::Second),
            ..Conventions::PLAIN
        },
        paper: checkers::paper_set(),
        tuning: checkers::tuning_set(),
        baseline: Algorithm::AspirationNegaScout { width: 4, widen: Widen::Double },
        #[cfg(feature = "study")]
        samples: samples!(checkers),
        // Jumps are written with their first and last square.
        read: Some(|board, text| board.parse_move(text).map(|m| vec![m]).map_err(|error| error.to_string())),
        illegal_reason: Some(illegal_moves::checkers),
        #[cfg(feature = "study")]
        perft: Some(checkers::Board::perft),
        #[cfg(feature = "study")]
        book: Some(include_str!("../../books/checkers.txt")),
        #[cfg(feature = "study")]
        solve: solve::checkers,
        #[cfg(feature = "study")]
        endings: Some(|settings| build(settings, judge(settings, OwnEvaluation))),
        #[cfg(feature = "study")]
        evaluators: CHECKERS_EVALUATORS,
        // Moves without progress are not counted here: a game that is not won by then is a draw.
        #[cfg(feature = "study")]
        training: Some(Training::from(TrainingGames {
            opening: (6, 11),
            win_at: Some(Agreement { value: 300, moves: 5 }),
            draw_at: Some(Agreement { value: 20, moves: 15 }),
            longest: 160,
            solve: false,
        })),
        ..Kit::DRAWN
    }
}

fn connect4() -> Kit<connect4::Board> {
    Kit {
        baseline: Algorithm::AspirationNegaScout { width: 1, widen: Widen::Double },
        illegal_reason: Some(illegal_moves::connect4),
        #[cfg(feature = "study")]
        solve: solve::connect4,
        ..Kit::DRAWN
    }
}

fn kalah() -> Kit<kalah::Board> {
    Kit {
        conventions: Conventions { clear_lead: 10, bottom: Some(Side::First), ..Conventions::PLAIN },
        baseline: Algorithm::AspirationNegaScout { width: 1, widen: Widen::Double },
        illegal_reason: Some(illegal_moves::kalah),
        #[cfg(feature = "study")]
        solve: solve::kalah,
        ..Kit::DRAWN
    }
}

fn tictactoe() -> Kit<tictactoe::Board> {
    Kit { illegal_reason: Some(illegal_moves::tictactoe), ..Kit::DRAWN }
}

impl<G: Playable> Kit<G> {
    /// The kit of a small game as one variant of [`small::Board`], without its start position and its parser.
    fn as_one(&self) -> Kit<small::Board> {
        Kit {
            conventions: self.conventions,
            baseline: self.baseline,
            guess: self.guess,
            ordering: Some(G::TUNING.ordering),
            illegal_reason: Some(illegal_moves::small),
            ..Kit::DRAWN
        }
    }
}

/// Reads a position of one of the small games.
fn read<G: Playable>(text: &str, of: fn(G) -> small::Board) -> Result<small::Board, String> {
    G::parse(text).map(of)
}
