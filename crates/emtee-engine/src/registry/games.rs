//! The games that come with emtee: one kit each, and no other file has their names.

#[cfg(feature = "study")]
use emtee::OwnEvaluation;
use emtee::research::{Guess, Widen};
use emtee::{Algorithm, Game, Side};
#[cfg(feature = "study")]
use emtee_games::checkers::endings::Judge;
use emtee_games::othello::notation::read_moves;
#[cfg(feature = "std")]
use emtee_games::synthetic;
use emtee_games::{checkers, chess, connect4, kalah, othello, small, tictactoe};

use super::Registry;
#[cfg(feature = "study")]
use crate::arena::Agreement;
#[cfg(feature = "study")]
use crate::datagen::TrainingGames;
use crate::kit::{Conventions, Kit, WinChances};
#[cfg(feature = "study")]
use crate::kit::{Evaluator, Training};
use crate::objections;
use crate::position::Playable;
use crate::protocol::Protocol;
use crate::record::RecordFormat;
#[cfg(feature = "study")]
use crate::search::build;
use crate::session::OthelloEnd;
#[cfg(feature = "study")]
use crate::settings::Settings;
#[cfg(feature = "study")]
use crate::solve;

/// Those that can be had in two ways.
const CONNECT4: &str = "connect4";
const KALAH: &str = "kalah";
const TICTACTOE: &str = "tictactoe";

impl Registry {
    /// The games that come with emtee.
    #[cfg(feature = "std")]
    pub fn standard() -> Registry {
        Registry::default().with_chess().with_othello().with_checkers().with_small()
    }

    // Where games are added one by one, only those are compiled.

    /// And chess.
    #[inline]
    pub fn with_chess(self) -> Registry {
        self.add::<chess::Board>("chess", chess())
    }

    /// And Othello.
    #[inline]
    pub fn with_othello(self) -> Registry {
        self.add::<othello::Board>("othello", othello())
    }

    /// And checkers.
    #[inline]
    pub fn with_checkers(self) -> Registry {
        self.add::<checkers::Board>("checkers", checkers())
    }

    /// And the games without weights: Connect Four, Kalah and tic-tac-toe.
    #[inline]
    pub fn with_small(self) -> Registry {
        self.add::<connect4::Board>(CONNECT4, connect4())
            .add::<kalah::Board>(KALAH, kalah())
            .add::<tictactoe::Board>(TICTACTOE, tictactoe())
    }

    /// The same games, with one search compiled for all of them: for a page that is to be small.
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

    /// What made-up trees are called.
    pub const SYNTHETIC: &str = "synthetic";

    /// The made-up trees of simulations, and no game. Nobody plays them, so they are not among the standard games.
    #[cfg(feature = "std")]
    pub fn synthetic() -> Registry {
        Registry::default().add::<synthetic::Position>(Registry::SYNTHETIC, Kit::PLAIN)
    }
}

/// Two sets of positions, one from each of many games: `tune` to choose settings on, `held-out` to judge them on. Made by
/// `cargo xtask sample`.
#[cfg(feature = "study")]
macro_rules! samples {
    ($game:ident) => {
        &[
            ("tune", include_str!(concat!("../../positions/", stringify!($game), "-tune.txt"))),
            ("held-out", include_str!(concat!("../../positions/", stringify!($game), "-held-out.txt"))),
        ]
    };
}

/// A page that is to be small does without.
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
fn judge<E>(settings: &Settings, others: E) -> Judge<E> {
    Judge::beside(settings.endings.clone(), others).with_chances(if settings.chances { Judge::CHANCES } else { 0 })
}

fn chess() -> Kit<chess::Board> {
    Kit {
        conventions: Conventions {
            protocols: &[Protocol::Uci],
            record: RecordFormat::PGN,
            alternate_moves: Some("UCI_Chess960"),
            clear_lead: 200,
            // The likeliest for 119 games of `emtee datagen chess`, 9,302 positions; 30 games were held back to look at it.
            win_chances: Some(WinChances { even: 105.0, spread: 112.0 }),
            // From matches against an engine whose strength can be set; `docs/book/match.md` has them.
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
        objection: Some(chess::Board::objection),
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
        // The field counts Othello's lines that end early, and those of no other game.
        #[cfg(feature = "study")]
        perft: Some(othello::perft),
        book_key: Some(|board| (0..8).map(|symmetry| board.transformed(symmetry).key()).min().unwrap_or_default()),
        #[cfg(feature = "study")]
        book: Some(include_str!("../../books/othello.txt")),
        // Moves run together, `f5d6c3`, and passes left out.
        read: Some(|board, text| read_moves(board, text).map_err(|error| error.to_string())),
        objection: Some(objections::othello),
        #[cfg(feature = "study")]
        solve: solve::othello,
        #[cfg(feature = "study")]
        evaluators: OTHELLO_EVALUATORS,
        finisher: Some(OthelloEnd::boxed),
        // 14 squares are empty then, or a few more if somebody had to pass.
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
        // Jumps by their ends.
        read: Some(|board, text| board.parse_move(text).map(|m| vec![m]).map_err(|error| error.to_string())),
        objection: Some(objections::checkers),
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
        // Nobody counts moves without progress here: a game that is not won by then is a draw.
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
        objection: Some(objections::connect4),
        #[cfg(feature = "study")]
        solve: solve::connect4,
        ..Kit::DRAWN
    }
}

fn kalah() -> Kit<kalah::Board> {
    Kit {
        conventions: Conventions { clear_lead: 10, bottom: Some(Side::First), ..Conventions::PLAIN },
        baseline: Algorithm::AspirationNegaScout { width: 1, widen: Widen::Double },
        objection: Some(objections::kalah),
        #[cfg(feature = "study")]
        solve: solve::kalah,
        ..Kit::DRAWN
    }
}

fn tictactoe() -> Kit<tictactoe::Board> {
    Kit { objection: Some(objections::tictactoe), ..Kit::DRAWN }
}

impl<G: Playable> Kit<G> {
    /// That of a small game as one of several: all but where it begins and how it is read.
    fn as_one(&self) -> Kit<small::Board> {
        Kit {
            conventions: self.conventions,
            baseline: self.baseline,
            guess: self.guess,
            ordering: Some(G::TUNING.ordering),
            objection: Some(objections::small),
            ..Kit::DRAWN
        }
    }
}

/// Reads a position of one of the small games.
fn read<G: Playable>(text: &str, of: fn(G) -> small::Board) -> Result<small::Board, String> {
    G::parse(text).map(of)
}
