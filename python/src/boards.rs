//! The built-in games, behind one trait object.

use std::any::Any;
use std::fmt::Display;
use std::sync::{Arc, LazyLock};

use emtee::{Game, Outcome, OwnEvaluation, laws, legal_moves};
use emtee_engine::{Playable, Position as EnginePosition, Registry};
use emtee_games::tree::Tree;
use emtee_games::{checkers, chess, connect4, kalah, othello, synthetic, tictactoe};
use pyo3::PyResult;

use crate::error::emtee_error;
use crate::search::{AnySearch, Setup, build};
use crate::tree::TreePosition;

/// The games by name, the same as in the program.
pub(crate) static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// Synthetic trees, which are searched only, not played.
static SYNTHETIC: LazyLock<Registry> = LazyLock::new(Registry::synthetic);

/// The start positions of all these games.
static STARTS: LazyLock<Vec<Box<dyn EnginePosition>>> =
    LazyLock::new(|| REGISTRY.iter().chain(SYNTHETIC.iter()).map(|game| game.start()).collect());

/// The name of explicit trees, which are positions of no game.
const TREE: &str = "tree";

/// A game whose positions have a class in Python: a search is built for it, and takes its positions as `dyn Any`.
pub(crate) trait Board: Game<Move: Display> + 'static {
    /// The position in Python, without moves before it.
    fn position(&self) -> Option<Arc<dyn AnyBoard>>;
}

/// A position of any built-in game.
pub(crate) trait AnyBoard: Any + Send + Sync {
    /// The name of the game.
    fn game(&self) -> &str;

    /// The position in one line of text that can be read again.
    fn text(&self) -> String;

    /// The legal moves.
    fn moves(&self) -> Vec<String>;

    /// The position after a move in any notation, or after several moves that players run together.
    fn play(&self, m: &str) -> PyResult<Arc<dyn AnyBoard>>;

    /// The side to move.
    fn turn(&self) -> usize;

    /// The outcome, by the position alone.
    fn outcome(&self) -> Option<Outcome>;

    fn evaluate(&self) -> i32;

    fn key(&self) -> u64;

    /// The moves that led here, and the position before them.
    fn line(&self) -> Vec<String>;

    fn start_text(&self) -> String;

    /// The position in the engine, which has endings, solvers, perft, drawings and notations. An error for a tree.
    fn in_engine(&self) -> PyResult<&dyn EnginePosition>;

    fn search(&self, setup: Setup) -> PyResult<Box<dyn AnySearch>>;

    /// Checks the laws, as long as `proceed`, which gets the number of finished games, returns true.
    fn check(
        &self,
        games: u32,
        seed: u64,
        proceed: &mut dyn FnMut(u32) -> bool,
    ) -> Result<laws::Checked, laws::Violation>;

    fn agree(&self, depth: u8) -> Result<(), laws::Violation>;

    fn as_any(&self) -> &dyn Any;

    /// The position of the game itself.
    fn board(&self) -> &dyn Any;
}

/// A position of a game of the registry: the engine's own position, which shares its history with those before and after it.
struct GameBoard<G: Playable> {
    board: G,
    position: Box<dyn EnginePosition>,
}

impl<G: Playable> Board for G {
    fn position(&self) -> Option<Arc<dyn AnyBoard>> {
        let start = STARTS.iter().find(|start| start.board::<G>().is_some())?;
        let position = start.with_board(self.clone())?;
        Some(Arc::new(GameBoard { board: self.clone(), position }))
    }
}

/// A position of the engine, if it is one of the game G.
fn typed<G: Playable>(position: Box<dyn EnginePosition>) -> Result<Arc<dyn AnyBoard>, Box<dyn EnginePosition>> {
    match position.board::<G>().cloned() {
        Some(board) => Ok(Arc::new(GameBoard { board, position })),
        None => Err(position),
    }
}

/// The position of Python for a position of the engine.
fn from_engine(position: Box<dyn EnginePosition>) -> PyResult<Arc<dyn AnyBoard>> {
    let found = typed::<chess::Board>(position)
        .or_else(typed::<othello::Board>)
        .or_else(typed::<checkers::Board>)
        .or_else(typed::<connect4::Board>)
        .or_else(typed::<kalah::Board>)
        .or_else(typed::<tictactoe::Board>)
        .or_else(typed::<synthetic::Position>);
    found.map_err(|other| emtee_error(format!("{} is not available in Python", other.game())))
}

/// A position of a game, by the name of the game; without a text, the start position.
pub(crate) fn position_of(game: &str, text: Option<&str>) -> PyResult<Arc<dyn AnyBoard>> {
    if game == TREE {
        let text = text.ok_or_else(|| {
            emtee_error("a tree has no start position; write it down: emtee.tree(\"((41 5) (12 90))\")")
        })?;
        let tree: Tree = text.parse().map_err(emtee_error)?;
        let tree = TreePosition::new(tree);
        return Ok(Arc::new(TreeBoard { start: tree.clone(), tree, line: Vec::new() }));
    }
    let registry = if game == Registry::SYNTHETIC { &SYNTHETIC } else { &REGISTRY };
    let entry = registry.get(game).map_err(emtee_error)?;
    let position = match text {
        // Written again: the text of a position is that of its board.
        Some(text) => entry.position(text).and_then(|position| position.after_all(&[])).map_err(emtee_error)?,
        None => entry.start(),
    };
    from_engine(position)
}

/// A position of a game of the registry and the positions before it, for a search.
pub(crate) fn board_of<G: Playable>(at: &dyn Any) -> Option<&G> {
    at.downcast_ref::<GameBoard<G>>().map(|at| &at.board)
}

/// The boards before it in the game, oldest first.
pub(crate) fn boards_before<G: Playable>(at: &dyn Any) -> Vec<G> {
    at.downcast_ref::<GameBoard<G>>().map(|at| at.position.boards_before()).unwrap_or_default()
}

impl<G: Playable> AnyBoard for GameBoard<G> {
    fn game(&self) -> &str {
        self.position.game()
    }

    fn text(&self) -> String {
        self.board.to_string()
    }

    fn moves(&self) -> Vec<String> {
        self.position.moves()
    }

    fn play(&self, m: &str) -> PyResult<Arc<dyn AnyBoard>> {
        let position = self.position.after(m).map_err(emtee_error)?;
        typed::<G>(position).map_err(|_| emtee_error("the move leads to another game"))
    }

    fn turn(&self) -> usize {
        self.board.turn().index()
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome(&self.board)
    }

    fn evaluate(&self) -> i32 {
        self.board.evaluate()
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn line(&self) -> Vec<String> {
        self.position.line()
    }

    fn start_text(&self) -> String {
        self.position.start_text()
    }

    fn in_engine(&self) -> PyResult<&dyn EnginePosition> {
        Ok(self.position.as_ref())
    }

    fn search(&self, setup: Setup) -> PyResult<Box<dyn AnySearch>> {
        build::<G>(setup, board_of::<G>, boards_before::<G>)
    }

    fn check(
        &self,
        games: u32,
        seed: u64,
        proceed: &mut dyn FnMut(u32) -> bool,
    ) -> Result<laws::Checked, laws::Violation> {
        laws::check_while(&self.board, &OwnEvaluation, games, seed, |done| proceed(done.games))
    }

    fn agree(&self, depth: u8) -> Result<(), laws::Violation> {
        laws::agree(&self.board, &OwnEvaluation, depth).map(|_| ())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn board(&self) -> &dyn Any {
        &self.board
    }
}

/// A node of an explicit tree.
struct TreeBoard {
    start: TreePosition,
    tree: TreePosition,
    line: Vec<u16>,
}

impl Board for TreePosition {
    fn position(&self) -> Option<Arc<dyn AnyBoard>> {
        Some(Arc::new(TreeBoard { start: self.clone(), tree: self.clone(), line: Vec::new() }))
    }
}

impl AnyBoard for TreeBoard {
    fn game(&self) -> &str {
        TREE
    }

    fn text(&self) -> String {
        self.tree.to_string()
    }

    fn moves(&self) -> Vec<String> {
        legal_moves(&self.tree).iter().map(u16::to_string).collect()
    }

    fn play(&self, m: &str) -> PyResult<Arc<dyn AnyBoard>> {
        let written = m.trim();
        let found = legal_moves(&self.tree).into_iter().find(|m| m.to_string() == written).ok_or_else(|| {
            let moves = self.moves().join(" ");
            emtee_error(format!("'{written}' is not a legal move; choose one of {moves}"))
        })?;
        let line = self.line.iter().copied().chain([found]).collect();
        Ok(Arc::new(TreeBoard { start: self.start.clone(), tree: self.tree.play(found), line }))
    }

    fn turn(&self) -> usize {
        self.tree.turn().index()
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome(&self.tree)
    }

    fn evaluate(&self) -> i32 {
        self.tree.evaluate()
    }

    fn key(&self) -> u64 {
        self.tree.key()
    }

    fn line(&self) -> Vec<String> {
        self.line.iter().map(u16::to_string).collect()
    }

    fn start_text(&self) -> String {
        self.start.to_string()
    }

    fn in_engine(&self) -> PyResult<&dyn EnginePosition> {
        Err(emtee_error("a tree is not a position of a game"))
    }

    fn search(&self, setup: Setup) -> PyResult<Box<dyn AnySearch>> {
        build(setup, |at| at.downcast_ref::<TreeBoard>().map(|at| &at.tree), |_| Vec::new())
    }

    fn check(
        &self,
        games: u32,
        seed: u64,
        proceed: &mut dyn FnMut(u32) -> bool,
    ) -> Result<laws::Checked, laws::Violation> {
        laws::check_while(&self.tree, &OwnEvaluation, games, seed, |done| proceed(done.games))
    }

    fn agree(&self, depth: u8) -> Result<(), laws::Violation> {
        laws::agree(&self.tree, &OwnEvaluation, depth).map(|_| ())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn board(&self) -> &dyn Any {
        &self.tree
    }
}

fn outcome<G: Game>(board: &G) -> Option<Outcome> {
    board.outcome().or_else(|| legal_moves(board).is_empty().then(|| board.stuck()))
}
