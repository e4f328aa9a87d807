//! Watching a search, node by node.

use crate::game::Game;
use crate::stats::{Iteration, Pass};
use crate::value::{Bounds, Value, Window};

/// Sees every node of a search. `()` is the observer that sees nothing and costs nothing.
///
/// ```
/// use emtee::research::{End, Observer, Visit};
/// use emtee::{Budget, Game};
/// use emtee_games::tictactoe::Board;
///
/// #[derive(Default)]
/// struct Leaves(Vec<i32>);
/// impl<G: Game> Observer<G> for Leaves {
///     fn leave(&mut self, _: &G, visit: &Visit) {
///         if visit.end == End::Evaluated { self.0.push(visit.g.get()); }
///     }
/// }
///
/// let mut leaves = Leaves::default();
/// let mut ai = emtee::player(Board::evaluate).build()?;
/// let found = ai.think_observed(&Board::default(), Budget::depth(2), &mut leaves)?;
/// assert_eq!(leaves.0.len() as u64, found.counts.nbp);
/// # Ok::<(), emtee::Error>(())
/// ```
#[allow(unused_variables)] // They name what is shown.
pub trait Observer<G: Game> {
    /// Whether it wants to see anything. Where nobody looks, only the last iteration of a search to a depth proves its principal
    /// variation.
    fn looks(&self) -> bool {
        true
    }

    /// A pass begins.
    fn pass(&mut self, window: Window) {}

    /// A pass is finished, in the iteration of this depth.
    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {}

    /// An iteration is finished.
    fn iteration(&mut self, iteration: &Iteration<G::Move>) {}

    /// A pass of the iteration of this depth goes on to a move of the root, numbered from 1. Selective search alone says so.
    fn root_move(&mut self, depth: u8, m: G::Move, number: usize) {
        let _ = (depth, m, number);
    }

    /// A node is about to be visited.
    fn enter(&mut self, position: &G, depth: u8, window: Window) {}

    /// A node has been visited. Not called for the nodes that a stop interrupts, nor for those that one of several threads
    /// gives up because another has been faster.
    fn leave(&mut self, position: &G, visit: &Visit) {}
}

impl<G: Game> Observer<G> for () {
    fn looks(&self) -> bool {
        false
    }
}

/// Shows an observer passes, iterations and moves of the root, and no nodes.
///
/// A search is compiled for each kind of observer it is shown to. Behind this, all observers are of one kind, the one that
/// [`think`](crate::Search::think) has as well: programs get smaller, and the search loses nothing.
pub struct Passes<'o, G>(pub &'o mut dyn Observer<G>);

impl<G: Game> Observer<G> for Passes<'_, G> {
    fn looks(&self) -> bool {
        self.0.looks()
    }

    fn pass(&mut self, window: Window) {
        self.0.pass(window);
    }

    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {
        self.0.passed(depth, pass);
    }

    fn iteration(&mut self, iteration: &Iteration<G::Move>) {
        self.0.iteration(iteration);
    }

    fn root_move(&mut self, depth: u8, m: G::Move, number: usize) {
        self.0.root_move(depth, m, number);
    }
}

/// How a visit to a node went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Visit {
    /// Plies left to the horizon.
    pub depth: u8,
    /// What was asked.
    pub window: Window,
    /// What is returned.
    pub g: Value,
    /// What is now known of the node.
    pub f: Bounds,
    /// How the visit ended.
    pub end: End,
}

/// The ways a visit ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Its moves were looked at.
    Expanded,
    /// It was a leaf.
    Evaluated,
    /// The table knew enough.
    Answered,
}
