//! A position with its key, and the edge from a node to its child.

use crate::game::{Game, Ranked};
use crate::value::{Bounds, Gamma, Value, Window};

/// A position and its key; the key is 0 if the table is not probed for it.
pub(crate) struct Keyed<G> {
    pub(crate) position: G,
    pub(crate) key: u64,
}

impl<G: Game> Keyed<G> {
    pub(crate) fn new(position: &G) -> Keyed<G> {
        Keyed { position: position.clone(), key: position.key() }
    }
}

/// The edge from a node to a child: the move, and how γ, windows and values are converted between the two.
///
/// The child's position is a separate value. It is passed by address, and in one struct with it all these fields would be
/// kept in memory instead of registers.
#[derive(Clone, Copy)]
pub(crate) struct Edge<M> {
    pub(crate) m: M,
    pub(crate) code: u16,
    /// The rank of the move in the move ordering: higher is tried earlier.
    pub(crate) rank: i32,
    /// Whether the same side moves again in the child.
    again: bool,
}

/// A child, and the edge that leads to it.
pub(crate) type Child<G> = (Keyed<G>, Edge<<G as Game>::Move>);

/// The child after a move. Its key is computed only if `keyed`.
#[inline(always)]
pub(crate) fn child<G: Game>(n: &G, by: Ranked<G::Move>, keyed: bool) -> Child<G> {
    let position = n.play(by.m);
    let key = if keyed { position.key() } else { 0 };
    let again = position.turn() == n.turn();
    (Keyed { position, key }, Edge::new(by, again))
}

impl<M: Copy> Edge<M> {
    /// The edge of this move; `again` if it does not change the side to move.
    #[inline(always)]
    pub(crate) fn new(by: Ranked<M>, again: bool) -> Edge<M> {
        let Ranked { m, code, rank } = by;
        Edge { m, code, rank, again }
    }

    /// The move as an element of a move list.
    pub(crate) fn ranked(&self) -> Ranked<M> {
        Ranked { rank: self.rank, code: self.code, m: self.m }
    }

    /// The parent's γ as the child sees it: one ply nearer to any win, and negated if the side to move changes.
    #[inline(always)]
    pub(crate) fn to_child(self, gamma: Gamma) -> Gamma {
        if self.again { gamma.unage() } else { -gamma.unage() }
    }

    /// The parent's window as the child sees it.
    #[inline(always)]
    pub(crate) fn window_to_child(&self, window: Window) -> Window {
        let (low, high) = (self.to_child(window.low), self.to_child(window.high));
        if self.again { Window { low, high } } else { Window { low: high, high: low } }
    }

    /// The child's value as the parent sees it.
    #[inline(always)]
    pub(crate) fn to_parent(self, value: Value) -> Value {
        if self.again { value.age() } else { -value.age() }
    }

    /// The child's bounds as the parent sees them.
    pub(crate) fn bounds_to_parent(&self, f: Bounds) -> Bounds {
        let (lower, upper) = (self.to_parent(f.lower), self.to_parent(f.upper));
        if self.again { Bounds { lower, upper } } else { Bounds { lower: upper, upper: lower } }
    }
}
