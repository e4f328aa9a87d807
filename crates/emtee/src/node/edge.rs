//! A position with its key, and the edge from a node to its child.

use crate::game::{Game, Ranked};
use crate::value::{Bounds, Gamma, Value, Window};

/// A position, and its key wherever a search may ask the table about it.
pub(crate) struct Keyed<G> {
    pub(crate) position: G,
    pub(crate) key: u64,
}

impl<G: Game> Keyed<G> {
    pub(crate) fn new(position: &G) -> Keyed<G> {
        Keyed { position: position.clone(), key: position.key() }
    }
}

/// The way from a node to a child: which move, and how questions and values pass.
///
/// The child itself stands apart, because a search hands out its address: beside it, all this would have to stand in memory.
#[derive(Clone, Copy)]
pub(crate) struct Edge<M> {
    pub(crate) m: M,
    pub(crate) code: u16,
    /// How early it is tried.
    pub(crate) rank: i32,
    /// Whether the same side moves again.
    again: bool,
}

/// A child, and the edge that leads to it.
pub(crate) type Child<G> = (Keyed<G>, Edge<<G as Game>::Move>);

/// The child by a move. One that nobody looks up needs no key.
#[inline(always)]
pub(crate) fn child<G: Game>(n: &G, by: Ranked<G::Move>, keyed: bool) -> Child<G> {
    let Ranked { m, code, rank } = by;
    let position = n.play(m);
    let key = if keyed { position.key() } else { 0 };
    let again = position.turn() == n.turn();
    (Keyed { position, key }, Edge { m, code, rank, again })
}

impl<M: Copy> Edge<M> {
    /// The move, as it stands on a list.
    pub(crate) fn ranked(&self) -> Ranked<M> {
        Ranked { rank: self.rank, code: self.code, m: self.m }
    }

    /// The question γ at the parent, as the child must be asked it.
    #[inline(always)]
    pub(crate) fn to_child(&self, gamma: Gamma) -> Gamma {
        self.turned(gamma.unage())
    }

    /// A question one ply on, as the side that moves there sees it.
    #[inline(always)]
    pub(crate) fn turned(&self, gamma: Gamma) -> Gamma {
        if self.again { gamma } else { -gamma }
    }

    /// The window at the parent, as the child sees it.
    #[inline(always)]
    pub(crate) fn window_to_child(&self, window: Window) -> Window {
        let (low, high) = (self.to_child(window.low), self.to_child(window.high));
        if self.again { Window { low, high } } else { Window { low: high, high: low } }
    }

    /// The child's value, as the parent sees it.
    #[inline(always)]
    pub(crate) fn to_parent(&self, value: Value) -> Value {
        if self.again { value.age() } else { -value.age() }
    }

    /// The child's bounds, as the parent sees them.
    pub(crate) fn bounds_to_parent(&self, f: Bounds) -> Bounds {
        let (lower, upper) = (self.to_parent(f.lower), self.to_parent(f.upper));
        if self.again { Bounds { lower, upper } } else { Bounds { lower: upper, upper: lower } }
    }
}
