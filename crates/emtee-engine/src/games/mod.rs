//! The built-in games, one kit each. No other file contains their names.
//!
//! What a page without a server has is here; [`complete`] adds the rest.

#[cfg(feature = "std")]
mod complete;
mod illegal_moves;
mod othello_endgame;
mod setup;

use emtee::research::{Guess, Widen};
use emtee::{Game, Side};
use emtee_games::othello::notation::read_moves;
#[cfg(feature = "std")]
use emtee_games::synthetic;
use emtee_games::{checkers, chess, connect4, kalah, othello, small, tictactoe};

use crate::baseline::Windows;
use crate::kit::{Conventions, Kit, WinChances};
use crate::position::Playable;
use crate::protocol::Protocol;
use crate::record::RecordFormat;
use crate::registry::Registry;
use othello_endgame::OthelloEndgame;

// The names.
const CHESS: &str = "chess";
const OTHELLO: &str = "othello";
const CHECKERS: &str = "checkers";
const CONNECT4: &str = "connect4";
const KALAH: &str = "kalah";
const TICTACTOE: &str = "tictactoe";

impl Registry {
    /// All built-in games.
    #[cfg(feature = "std")]
    pub fn standard() -> Registry {
        Registry::default()
            .with(CHESS, complete::chess(chess()))
            .with(OTHELLO, complete::othello(othello()))
            .with(CHECKERS, complete::checkers(checkers()))
            .with(CONNECT4, complete::connect4(connect4()))
            .with(KALAH, complete::kalah(kalah()))
            .with(TICTACTOE, complete::plain(tictactoe()))
    }

    // A page without a server adds games one by one and contains only those, without their tools.

    /// Adds chess for a page without a server.
    #[inline]
    pub fn with_chess(self) -> Registry {
        self.with(CHESS, chess())
    }

    /// Adds Othello for a page without a server.
    #[inline]
    pub fn with_othello(self) -> Registry {
        self.with(OTHELLO, othello())
    }

    /// Adds checkers for a page without a server.
    #[inline]
    pub fn with_checkers(self) -> Registry {
        self.with(CHECKERS, checkers())
    }

    /// Adds the games without evaluation weights, Connect Four, Kalah and tic-tac-toe, for a page without a server.
    #[inline]
    pub fn with_small(self) -> Registry {
        self.with(CONNECT4, connect4()).with(KALAH, kalah()).with(TICTACTOE, tictactoe())
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
        self.with(CONNECT4, connect4).with(KALAH, kalah).with(TICTACTOE, tictactoe)
    }

    /// The name of synthetic trees.
    pub const SYNTHETIC: &str = "synthetic";

    /// The synthetic trees of simulations. They are not playable, so they are not among the standard games.
    #[cfg(feature = "std")]
    pub fn synthetic() -> Registry {
        Registry::default().with::<synthetic::Position>(Registry::SYNTHETIC, Kit::new())
    }
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
            sides: ["White", "Black"],
        },
        set_up: Some(setup::CHESS),
        paper: chess::paper_set(),
        tuning: chess::tuning_set(),
        windows: Windows { opened: 32, tuned: (16, Widen::Double), practice: 24 },
        guess: Guess::Previous,
        // UCI and SAN.
        read: Some(|board, text| board.read_move(text).map(|m| vec![m]).map_err(|error| error.to_string())),
        illegal_reason: Some(chess::Board::illegal_reason),
        write: Some(chess::Board::san),
        dead: Some(chess::Board::is_insufficient_material),
        mates: true,
        ..Kit::without_tools().drawn()
    }
}

fn othello() -> Kit<othello::Board> {
    Kit {
        conventions: Conventions {
            protocols: &[Protocol::NBoard, Protocol::Gtp],
            record: RecordFormat::GGF,
            clear_lead: 10,
            sides: ["Black", "White"],
            ..Conventions::PLAIN
        },
        set_up: Some(setup::OTHELLO),
        paper: othello::paper_set(),
        tuning: othello::tuning_set(),
        windows: Windows { opened: 2, tuned: (1, Widen::Double), practice: 2 },
        guess: Guess::TwoBack,
        book_key: Some(|board| (0..8).map(|symmetry| board.transformed(symmetry).key()).min().unwrap_or_default()),
        // Moves may run together, as in `f5d6c3`, and passes may be left out.
        read: Some(|board, text| read_moves(board, text).map_err(|error| error.to_string())),
        illegal_reason: Some(illegal_moves::othello),
        endgame_solver: Some(OthelloEndgame::boxed),
        ..Kit::without_tools().drawn()
    }
}

fn checkers() -> Kit<checkers::Board> {
    Kit {
        conventions: Conventions {
            protocols: &[Protocol::Hub],
            record: RecordFormat::PDN,
            clear_lead: 100,
            bottom: Some(Side::Second),
            sides: ["Black", "White"],
            ..Conventions::PLAIN
        },
        set_up: Some(setup::CHECKERS),
        paper: checkers::paper_set(),
        tuning: checkers::tuning_set(),
        windows: Windows { opened: 1, tuned: (1, Widen::Double), practice: 2 },
        // Jumps are written with their first and last square.
        read: Some(|board, text| board.parse_move(text).map(|m| vec![m]).map_err(|error| error.to_string())),
        illegal_reason: Some(illegal_moves::checkers),
        ..Kit::without_tools().drawn()
    }
}

fn connect4() -> Kit<connect4::Board> {
    Kit {
        conventions: Conventions { sides: ["Yellow", "Red"], ..Conventions::PLAIN },
        set_up: Some(setup::CONNECT4),
        windows: Windows { opened: 1, tuned: (1, Widen::Double), practice: 1 },
        illegal_reason: Some(illegal_moves::connect4),
        ..Kit::without_tools().drawn()
    }
}

fn kalah() -> Kit<kalah::Board> {
    Kit {
        conventions: Conventions {
            clear_lead: 10,
            bottom: Some(Side::First),
            sides: ["South", "North"],
            ..Conventions::PLAIN
        },
        set_up: Some(setup::KALAH),
        windows: Windows { opened: 1, tuned: (1, Widen::Double), practice: 1 },
        illegal_reason: Some(illegal_moves::kalah),
        ..Kit::without_tools().drawn()
    }
}

fn tictactoe() -> Kit<tictactoe::Board> {
    Kit {
        conventions: Conventions { sides: ["X", "O"], ..Conventions::PLAIN },
        set_up: Some(setup::TICTACTOE),
        illegal_reason: Some(illegal_moves::tictactoe),
        ..Kit::without_tools().drawn()
    }
}

impl<G: Playable> Kit<G> {
    /// The kit of a small game as one variant of [`small::Board`], without its start position and its parser.
    fn as_one(&self) -> Kit<small::Board> {
        Kit {
            conventions: self.conventions,
            set_up: self.set_up,
            windows: self.windows,
            guess: self.guess,
            ordering: Some(G::TUNING.ordering),
            illegal_reason: Some(illegal_moves::small),
            ..Kit::without_tools().drawn()
        }
    }
}

/// Reads a position of one of the small games.
fn read<G: Playable>(text: &str, of: fn(G) -> small::Board) -> Result<small::Board, String> {
    G::parse(text).map(of)
}
