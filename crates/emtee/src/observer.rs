//! Observers: callbacks for every node, pass and iteration of a search.

use crate::game::Game;
use crate::stats::{Iteration, Pass};
use crate::value::{Bounds, Value, Window};

/// A callback interface for every node of a search. `()` is the observer that does nothing and costs nothing.
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
#[allow(unused_variables)] // Parameter names are part of the documentation.
pub trait Observer<G: Game> {
    /// Whether the observer does anything. If not, only the last iteration of a search to a depth proves its principal
    /// variation, which saves time.
    fn enabled(&self) -> bool {
        true
    }

    /// Called before a pass.
    fn pass(&mut self, window: Window) {}

    /// Called after a pass of the iteration of this depth.
    fn passed(&mut self, depth: u8, pass: &Pass<G::Move>) {}

    /// Called after an iteration.
    fn iteration(&mut self, iteration: &Iteration<G::Move>) {}

    /// Called before a pass of the iteration of this depth searches a root move, numbered from 1. Only by selective search.
    fn root_move(&mut self, depth: u8, m: G::Move, number: usize) {}

    /// Called before a visit to a node.
    fn enter(&mut self, position: &G, depth: u8, window: Window) {}

    /// Called after a visit to a node. Not called for nodes that a stop interrupts, and not for nodes that a thread abandons
    /// because another thread has answered them.
    fn leave(&mut self, position: &G, visit: &Visit) {}
}

impl<G: Game> Observer<G> for () {
    fn enabled(&self) -> bool {
        false
    }
}

/// An observer that forwards passes, iterations and root moves to another one, and no nodes.
///
/// A search is compiled separately for every type of observer. This type hides that of the inner observer, and
/// [`think`](crate::Search::think) uses it as well. So the program gets smaller, and the search is as fast as without.
pub struct Passes<'o, G>(pub &'o mut dyn Observer<G>);

impl<G: Game> Observer<G> for Passes<'_, G> {
    fn enabled(&self) -> bool {
        self.0.enabled()
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

/// A visit to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Visit {
    /// The plies left to the horizon.
    pub depth: u8,
    /// The window searched.
    pub window: Window,
    /// The value returned.
    pub g: Value,
    /// The bounds on the value of the node after the visit.
    pub f: Bounds,
    /// How the visit ended.
    pub end: End,
}

/// The ways in which a visit can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The node was expanded: its moves were searched.
    Expanded,
    /// The node was a leaf and was evaluated.
    Evaluated,
    /// The table answered: its bounds cut the node off.
    Answered,
}
