//! A position with its key, and a child as its parent sees it.

use crate::game::{Game, Ranked};
use crate::value::{Bounds, Gamma, Value, Window};

/// A position, and its key wherever a search may ask the table about it.
pub(crate) struct Place<G> {
    pub(crate) position: G,
    pub(crate) key: u64,
}

impl<G: Game> Place<G> {
    pub(crate) fn new(position: &G) -> Place<G> {
        Place { position: position.clone(), key: position.key() }
    }
}

/// A child of a node, with its place in the family.
pub(crate) struct Child<G: Game> {
    pub(crate) place: Place<G>,
    pub(crate) m: G::Move,
    pub(crate) code: u16,
    /// How early it is tried.
    pub(crate) rank: i32,
    /// Whether the same side moves again.
    again: bool,
}

impl<G: Game> Child<G> {
    /// The position after a move. A child that nobody looks up needs no key.
    #[inline(always)]
    pub(crate) fn new(n: &G, m: G::Move, code: u16, rank: i32, keyed: bool) -> Child<G> {
        let position = n.play(m);
        let key = if keyed { position.key() } else { 0 };
        let again = position.turn() == n.turn();
        Child { place: Place { position, key }, m, code, rank, again }
    }

    /// The move that led to it.
    pub(crate) fn ranked(&self) -> Ranked<G::Move> {
        Ranked { rank: self.rank, code: self.code, m: self.m }
    }

    /// The question γ at the parent, as the child must be asked it.
    #[inline(always)]
    pub(crate) fn ask(&self, gamma: Gamma) -> Gamma {
        asked(gamma, self.again)
    }

    /// The window at the parent, as the child sees it.
    #[inline(always)]
    pub(crate) fn ask_window(&self, window: Window) -> Window {
        let (low, high) = (self.ask(window.low), self.ask(window.high));
        if self.again { Window { low, high } } else { Window { low: high, high: low } }
    }

    /// The child's value, as the parent sees it.
    #[inline(always)]
    pub(crate) fn back(&self, value: Value) -> Value {
        seen_back(value, self.again)
    }

    /// The child's bounds, as the parent sees them.
    pub(crate) fn back_bounds(&self, f: Bounds) -> Bounds {
        let (lower, upper) = (self.back(f.lower), self.back(f.upper));
        if self.again { Bounds { lower, upper } } else { Bounds { lower: upper, upper: lower } }
    }
}

/// γ one ply on, where the same side moves `again` or the other one does.
#[inline(always)]
pub(crate) fn asked(gamma: Gamma, again: bool) -> Gamma {
    if again { gamma.pre() } else { -gamma.pre() }
}

/// A value one ply back.
#[inline(always)]
pub(crate) fn seen_back(value: Value, again: bool) -> Value {
    if again { value.age() } else { -value.age() }
}
