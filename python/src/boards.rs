//! The built-in games, behind one trait object.

use std::any::Any;
use std::fmt::Display;
use std::sync::{Arc, LazyLock};

use emtee::{Game, Outcome, Side, laws, legal_moves};
use emtee_engine::{Ending, Registry};
use emtee_games::drawing::{Drawing, Drawn};
use emtee_games::tree::Tree;
use emtee_games::{checkers, chess, connect4, kalah, othello, synthetic, tictactoe};
use pyo3::PyResult;

use crate::error::emtee_error;
use crate::search::{AnySearch, Setup, build};
use crate::tree::TreePosition;

/// The games by name, the same as in the program.
pub(crate) static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// A built-in game.
pub(crate) trait Board: Game<Move: Display> + Display + 'static {
    /// The name of the game.
    const NAME: &'static str;

    /// The start position, if the game has one.
    fn start() -> Option<Self>;

    /// Reads a position.
    fn read(text: &str) -> PyResult<Self>;

    /// The board as cells, if the game has a board.
    fn cells(&self) -> Option<Drawing>;
}

macro_rules! boards {
    ($($name:literal $board:ty),*) => {$(
        impl Board for $board {
            const NAME: &'static str = $name;

            fn start() -> Option<Self> {
                Some(<$board>::default())
            }

            fn read(text: &str) -> PyResult<Self> {
                // The registry has the more detailed message for a bad text.
                text.parse().map_err(|error| match REGISTRY.get($name).and_then(|game| game.position(text).map(|_| ())) {
                    Err(why) => emtee_error(why),
                    Ok(()) => emtee_error(error),
                })
            }

            fn cells(&self) -> Option<Drawing> {
                Some(self.drawing())
            }
        }
    )*};
}

boards! {
    "chess" chess::Board,
    "othello" othello::Board,
    "checkers" checkers::Board,
    "connect4" connect4::Board,
    "kalah" kalah::Board,
    "tictactoe" tictactoe::Board
}

impl Board for synthetic::Position {
    const NAME: &'static str = Registry::SYNTHETIC;

    fn start() -> Option<Self> {
        Some(synthetic::Position::default())
    }

    fn read(text: &str) -> PyResult<Self> {
        text.parse().map_err(emtee_error)
    }

    fn cells(&self) -> Option<Drawing> {
        None
    }
}

impl Board for TreePosition {
    const NAME: &'static str = "tree";

    fn start() -> Option<Self> {
        None
    }

    fn read(text: &str) -> PyResult<Self> {
        let tree: Tree = text.parse().map_err(emtee_error)?;
        Ok(TreePosition::new(tree))
    }

    fn cells(&self) -> Option<Drawing> {
        None
    }
}

/// A position of any built-in game.
pub(crate) trait AnyBoard: Any + Send + Sync {
    fn game(&self) -> &'static str;
    fn text(&self) -> String;
    fn plain_drawing(&self) -> String;
    fn drawing(&self) -> Option<Drawing>;
    fn turn(&self) -> Side;
    fn moves(&self) -> Vec<String>;
    fn play(&self, m: &str) -> PyResult<Arc<dyn AnyBoard>>;
    fn outcome(&self) -> Option<Outcome>;
    fn evaluate(&self) -> i32;
    fn key(&self) -> u64;
    fn start_text(&self) -> String;
    fn line(&self) -> Vec<String>;
    fn search(&self, setup: Setup) -> PyResult<Box<dyn AnySearch>>;
    fn check(&self, games: u32, seed: u64) -> Result<laws::Checked, laws::Violation>;
    fn agree(&self, depth: u8) -> Result<(), laws::Violation>;
    fn as_any(&self) -> &dyn Any;
}

/// A position and the positions before it.
pub(crate) struct BoardWithHistory<B: Board> {
    pub(crate) board: B,
    /// Oldest first.
    pub(crate) before: Vec<B>,
    /// The moves from the first of these positions to `board`.
    line: Vec<B::Move>,
}

/// Reads a position; without a text, the start position.
pub(crate) fn read_board<B: Board>(text: Option<&str>) -> PyResult<Arc<dyn AnyBoard>> {
    let board = match text {
        Some(text) => B::read(text)?,
        None => B::start().ok_or_else(|| {
            emtee_error("a tree has no start position; write it down: emtee.tree(\"((41 5) (12 90))\")")
        })?,
    };
    Ok(without_history(board))
}

/// A position without earlier positions.
pub(crate) fn without_history<B: Board>(board: B) -> Arc<dyn AnyBoard> {
    Arc::new(BoardWithHistory { board, before: Vec::new(), line: Vec::new() })
}

/// A position of a game, by the name of the game.
pub(crate) fn position_of(game: &str, text: Option<&str>) -> PyResult<Arc<dyn AnyBoard>> {
    match REGISTRY.get(game).map(|entry| entry.name()) {
        Ok("chess") => read_board::<chess::Board>(text),
        Ok("othello") => read_board::<othello::Board>(text),
        Ok("checkers") => read_board::<checkers::Board>(text),
        Ok("connect4") => read_board::<connect4::Board>(text),
        Ok("kalah") => read_board::<kalah::Board>(text),
        Ok("tictactoe") => read_board::<tictactoe::Board>(text),
        Ok(name) => Err(emtee_error(format!("{name} is not available in Python"))),
        Err(_) if game == synthetic::Position::NAME => read_board::<synthetic::Position>(text),
        Err(_) if game == TreePosition::NAME => read_board::<TreePosition>(text),
        Err(error) => Err(emtee_error(error)),
    }
}

impl<B: Board> BoardWithHistory<B> {
    fn after(&self, m: B::Move) -> BoardWithHistory<B> {
        let (mut before, mut line) = (self.before.clone(), self.line.clone());
        before.push(self.board.clone());
        line.push(m);
        BoardWithHistory { board: self.board.play(m), before, line }
    }

    /// This position in the form of the registry, with the moves before it.
    fn registry_position(&self) -> PyResult<Box<dyn emtee_engine::Position>> {
        let line = AnyBoard::line(self);
        let moves: Vec<&str> = line.iter().map(String::as_str).collect();
        let position = REGISTRY.get(B::NAME).and_then(|game| game.position(&self.start_text()));
        position.and_then(|start| start.after_all(&moves)).map_err(emtee_error)
    }
}

impl<B: Board> AnyBoard for BoardWithHistory<B> {
    fn game(&self) -> &'static str {
        B::NAME
    }

    fn text(&self) -> String {
        self.board.to_string()
    }

    fn plain_drawing(&self) -> String {
        format!("{:#}", self.board)
    }

    fn drawing(&self) -> Option<Drawing> {
        let drawing = self.board.cells()?;
        Some(match self.before.last().and_then(B::cells) {
            Some(before) => drawing.since(&before),
            None => drawing,
        })
    }

    fn turn(&self) -> Side {
        self.board.turn()
    }

    fn moves(&self) -> Vec<String> {
        legal_moves(&self.board).iter().map(B::Move::to_string).collect()
    }

    fn play(&self, text: &str) -> PyResult<Arc<dyn AnyBoard>> {
        let written = text.trim();
        if let Some(m) = legal_moves(&self.board).into_iter().find(|m| m.to_string() == written) {
            return Ok(Arc::new(self.after(m)));
        }
        if REGISTRY.get(B::NAME).is_err() {
            let moves = AnyBoard::moves(self).join(" ");
            return Err(emtee_error(format!("'{written}' is not a legal move; choose one of {moves}")));
        }
        // Other notations: SAN, jumps by their end squares, several moves without spaces.
        let read = self.registry_position()?.after(written).map_err(emtee_error)?;
        let mut current =
            BoardWithHistory { board: self.board.clone(), before: self.before.clone(), line: self.line.clone() };
        for m in &read.line()[self.line.len()..] {
            let found = legal_moves(&current.board).into_iter().find(|legal| legal.to_string() == *m);
            current = current.after(found.ok_or_else(|| emtee_error(format!("'{written}' cannot be played")))?);
        }
        Ok(Arc::new(current))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome().or_else(|| legal_moves(&self.board).is_empty().then(|| self.board.stuck()))
    }

    fn evaluate(&self) -> i32 {
        self.board.evaluate()
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn start_text(&self) -> String {
        self.before.first().unwrap_or(&self.board).to_string()
    }

    fn line(&self) -> Vec<String> {
        self.line.iter().map(B::Move::to_string).collect()
    }

    fn search(&self, setup: Setup) -> PyResult<Box<dyn AnySearch>> {
        build::<B>(setup)
    }

    fn check(&self, games: u32, seed: u64) -> Result<laws::Checked, laws::Violation> {
        laws::check(&self.board, &emtee::OwnEvaluation, games, seed)
    }

    fn agree(&self, depth: u8) -> Result<(), laws::Violation> {
        laws::agree(&self.board, &emtee::OwnEvaluation, depth).map(|_| ())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The position in the form of the registry, which alone has endings by repetition, solvers, perft and move notation.
pub(crate) fn registry_position(board: &dyn AnyBoard) -> PyResult<Box<dyn emtee_engine::Position>> {
    let line = board.line();
    let moves: Vec<&str> = line.iter().map(String::as_str).collect();
    let start = REGISTRY.get(board.game()).and_then(|game| game.position(&board.start_text()));
    start.and_then(|start| start.after_all(&moves)).map_err(emtee_error)
}

/// How the game has ended, including repetitions and move-count draws.
pub(crate) fn ending(board: &dyn AnyBoard) -> PyResult<Option<Ending>> {
    Ok(registry_position(board)?.ending())
}
