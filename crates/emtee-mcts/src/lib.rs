//! Monte-Carlo tree search for games written for [`emtee`]: UCT with proven values.
//!
//! The algorithms of `emtee` need an evaluation of positions. A game that has only its rules has none. This search plays
//! random moves to the end of the game instead, and grows a tree in which better moves are tried more often.
//!
//! ```
//! use emtee::{Budget, Game};
//! use emtee_games::connect4::Board;
//! use emtee_mcts::{Mcts, Options};
//!
//! let mut mcts = Mcts::new(Board::evaluate, Options::default())?;
//! let found = mcts.think(&"112233".parse::<Board>()?, Budget::nodes(2_000))?;
//! assert_eq!(found.best_move.unwrap().to_string(), "4");
//! assert_eq!(found.value.unwrap().wins_in(), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * **Proven values.** Every node has the bounds f⁻ and f⁺ that its subtree proves: wins and losses with their distance,
//!   draws, and games that end with points. The search ends when the root is proved. The distance of a win may be longer
//!   than necessary.
//! * **Value.** The value of a position that is not proved is the expected result in thousandths, from −1000, a loss, to
//!   1000, a win. It is [`expected`] from the share of wins.
//! * **Nodes.** One simulation is one node of a [`Budget`](emtee::Budget), and one leaf (`nbp`) of the counts.
//! * **Depth.** The depth is the length of the principal variation: the most visited move of each node.
//! * **Memory.** The tree takes at most [`Options::size`]. When it is full, it drops the positions with few visits.
//! * **Threads.** Each thread grows its own tree from its own random numbers (root parallelisation). Their results are added
//!   at the root. There is no `unsafe` code.
//! * **Reproducible.** On one thread, the same position, seed, budget of nodes and memory give the same search.

mod options;
mod search;
mod simulation;
mod tree;

pub use options::{Leaf, Options};
pub use search::{Mcts, expected, win_rate};
pub use simulation::simulations_end;
