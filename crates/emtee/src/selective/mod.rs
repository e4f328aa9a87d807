//! Selective search, for play: unpromising lines are pruned or searched less deeply, forced ones more deeply.
//!
//! The other searches of this library look at every line to the same depth, and their values are proofs. Here the value is no
//! longer a function of position and depth: it depends on γ and on what was searched before. Wins and losses stay proofs,
//! because no move is pruned before one is known that does not lose, and no estimate cuts off with a win. The lab never uses
//! it.
//!
//! | file | technique |
//! |---|---|
//! | `search.rs` | the recursion, in the order of its steps |
//! | `prune.rs` | reverse futility, null move, futility, late-move pruning, losing exchanges |
//! | `probcut.rs` | ProbCut |
//! | `reduce.rs` | late-move reductions, internal iterative reduction |
//! | `extend.rs` | forced positions, singular moves |
//! | `switches.rs` | which of these a search uses |

mod extend;
mod probcut;
mod prune;
mod reduce;
mod search;
mod switches;

pub use probcut::ProbCut;
pub(crate) use reduce::Reductions;
pub use switches::Selective;
