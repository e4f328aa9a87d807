//! The games that come with emtee, behind one face.

use std::any::Any;
use std::fmt::Display;
use std::sync::{Arc, LazyLock};

use emtee::{Game, Outcome, Side, laws, legal_moves};
use emtee_engine::{Ending, Registry};
use emtee_games::drawing::{Drawing, Drawn};
use emtee_games::tree::Tree;
use emtee_games::{checkers, chess, connect4, kalah, othello, synthetic, tictactoe};
use pyo3::PyResult;

use crate::error::refused;
use crate::search::{AnySearch, Setup, build};
use crate::tree::TreePosition;

/// The games by name, as the program has them.
pub(crate) static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// A game of ours.
pub(crate) trait Board: Game<Move: Display> + Display + 'static {
    /// Its name.
    const NAME: &'static str;

    /// Where it begins.
    fn start() -> Option<Self>;

    /// Reads a position.
    fn read(text: &str) -> PyResult<Self>;

    /// The board as cells.
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
                // The registry knows how to say what is wrong with a text.
                text.parse().map_err(|error| match REGISTRY.get($name).and_then(|game| game.position(text).map(|_| ())) {
                    Err(why) => refused(why),
                    Ok(()) => refused(error),
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
        text.parse().map_err(refused)
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
        let tree: Tree = text.parse().map_err(refused)?;
        Ok(TreePosition::new(tree))
    }

    fn cells(&self) -> Option<Drawing> {
        None
    }
}

/// A position of any of them.
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
    fn check(&self, games: u32, seed: u64) -> Result<laws::Checked, laws::Broken>;
    fn agree(&self, depth: u8) -> Result<(), laws::Broken>;
    fn as_any(&self) -> &dyn Any;
}

/// A position and those before it.
pub(crate) struct At<B: Board> {
    pub(crate) board: B,
    /// Oldest first.
    pub(crate) before: Vec<B>,
    /// The moves that led here.
    line: Vec<B::Move>,
}

/// The board that a text describes, or the start.
pub(crate) fn at<B: Board>(text: Option<&str>) -> PyResult<Arc<dyn AnyBoard>> {
    let board = match text {
        Some(text) => B::read(text)?,
        None => B::start().ok_or_else(|| refused("a tree is written down: emtee.tree(\"((41 5) (12 90))\")"))?,
    };
    Ok(alone(board))
}

/// A position that nothing came before.
pub(crate) fn alone<B: Board>(board: B) -> Arc<dyn AnyBoard> {
    Arc::new(At { board, before: Vec::new(), line: Vec::new() })
}

/// The position of a game by name.
pub(crate) fn named(game: &str, text: Option<&str>) -> PyResult<Arc<dyn AnyBoard>> {
    match REGISTRY.get(game).map(|entry| entry.name()) {
        Ok("chess") => at::<chess::Board>(text),
        Ok("othello") => at::<othello::Board>(text),
        Ok("checkers") => at::<checkers::Board>(text),
        Ok("connect4") => at::<connect4::Board>(text),
        Ok("kalah") => at::<kalah::Board>(text),
        Ok("tictactoe") => at::<tictactoe::Board>(text),
        Ok(name) => Err(refused(format!("{name} cannot be had from Python"))),
        Err(_) if game == synthetic::Position::NAME => at::<synthetic::Position>(text),
        Err(_) if game == TreePosition::NAME => at::<TreePosition>(text),
        Err(error) => Err(refused(error)),
    }
}

impl<B: Board> At<B> {
    fn after(&self, m: B::Move) -> At<B> {
        let (mut before, mut line) = (self.before.clone(), self.line.clone());
        before.push(self.board.clone());
        line.push(m);
        At { board: self.board.play(m), before, line }
    }

    /// How the registry sees this position, with the moves before it.
    fn registered(&self) -> PyResult<Box<dyn emtee_engine::Position>> {
        let line = AnyBoard::line(self);
        let moves: Vec<&str> = line.iter().map(String::as_str).collect();
        let position = REGISTRY.get(B::NAME).and_then(|game| game.position(&self.start_text()));
        position.and_then(|start| start.after_all(&moves)).map_err(refused)
    }
}

impl<B: Board> AnyBoard for At<B> {
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
            return Err(refused(format!("'{written}' is no legal move; choose one of {moves}")));
        }
        // Anything else that players write: SAN, jumps by their ends, several moves run together.
        let read = self.registered()?.after(written).map_err(refused)?;
        let mut at = At { board: self.board.clone(), before: self.before.clone(), line: self.line.clone() };
        for m in &read.line()[self.line.len()..] {
            let found = legal_moves(&at.board).into_iter().find(|legal| legal.to_string() == *m);
            at = at.after(found.ok_or_else(|| refused(format!("'{written}' cannot be played")))?);
        }
        Ok(Arc::new(at))
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

    fn check(&self, games: u32, seed: u64) -> Result<laws::Checked, laws::Broken> {
        laws::check(&self.board, &emtee::OwnEvaluation, games, seed)
    }

    fn agree(&self, depth: u8) -> Result<(), laws::Broken> {
        laws::agree(&self.board, &emtee::OwnEvaluation, depth).map(|_| ())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What the registry alone knows: endings with repetitions, solvers, perft, how players write a move.
pub(crate) fn registered(board: &dyn AnyBoard) -> PyResult<Box<dyn emtee_engine::Position>> {
    let line = board.line();
    let moves: Vec<&str> = line.iter().map(String::as_str).collect();
    let start = REGISTRY.get(board.game()).and_then(|game| game.position(&board.start_text()));
    start.and_then(|start| start.after_all(&moves)).map_err(refused)
}

/// How a game is over, repetitions and counted moves included.
pub(crate) fn ending(board: &dyn AnyBoard) -> PyResult<Option<Ending>> {
    Ok(registered(board)?.ending())
}
