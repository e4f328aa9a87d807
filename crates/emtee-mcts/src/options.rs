//! The options of a search.

use emtee::Size;

/// How a search works. The defaults were measured; see the chapter *MTD-f or MCTS?* of the book.
///
/// ```
/// use emtee_mcts::Options;
/// let options = Options { threads: 2, seed: 7, ..Options::default() };
/// assert!(options.exploration > 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The memory of the tree. It is allocated as the tree grows. A full tree drops the positions with few visits.
    pub size: Size,
    /// The number of threads, 0 for as many as the machine runs at once. Each has a tree of its own, with its part of the
    /// memory.
    pub threads: usize,
    /// The seed of the random numbers. On one thread, equal seeds give equal searches.
    pub seed: u64,
    /// The exploration constant of UCT: the greater, the more simulations go to moves with worse results.
    pub exploration: f32,
    /// How much the results of moves played later in a simulation (AMAF) count: as much as those of the move itself after
    /// about a third of this number of visits (RAVE). 0: not at all. `None`: 300 in games in which the sides alternate and
    /// a move takes one of the free cells, as in Hex and Gomoku, and 0 in other games.
    pub amaf: Option<f32>,
    /// The visits of a leaf before its children are added to the tree.
    pub expand_at: u32,
    /// Whether every new child is tested for the end of the game. Wins and losses are then found one ply earlier.
    pub look_ahead: bool,
    /// How the value of a new leaf is found.
    pub leaf: Leaf,
    /// The plies after which a game of random moves is abandoned as a draw, if it has not ended.
    pub longest: u32,
}

/// How the value of a new leaf is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// By the evaluator, or by random moves to the end of the game if the evaluator has the same value, 0, in all positions of
    /// some random games.
    Auto,
    /// By random moves to the end of the game.
    Rollout,
    /// By the evaluator, after this number of random moves.
    Evaluation {
        /// The random moves before the evaluation.
        plies: u32,
    },
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: Size::of_bytes(64 << 20),
            threads: 1,
            seed: 1,
            exploration: 0.5,
            amaf: None,
            expand_at: 1,
            look_ahead: true,
            leaf: Leaf::Auto,
            longest: 1_000,
        }
    }
}
