//! Selective search, for play: unpromising lines are pruned or reduced, forced ones are extended.
//!
//! The other searches of this library search every line to the same depth, and their values are proofs. The value of a
//! selective search is no longer a function of position and depth: it depends on γ and on what was searched before. Wins and
//! losses stay proofs, because no move is pruned before one is known that does not lose, and no static evaluation cuts off
//! with a win. The lab never uses selective search.
//!
//! | file | technique |
//! |---|---|
//! | `search.rs` | the recursion, in the order of its steps |
//! | `prune.rs` | reverse futility, null move, futility, late-move pruning (LMP), SEE pruning |
//! | `probcut.rs` | ProbCut |
//! | `reduce.rs` | late-move reductions (LMR), internal iterative reduction (IIR) |
//! | `extend.rs` | forced extension, singular extension |
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
