//! The search compiled for the standard board and for any other, and for CPUs with AVX2 and for any other.
//!
//! The only unsafe code of the game: calls of functions that require AVX2, after [`available`] returned true.
#![allow(unsafe_code)]

use super::node::{Node, Thread, expand_body, node_body};
use crate::connect4::RIGHT;
use crate::connect4::shape::Shape;
#[cfg(target_arch = "x86_64")]
use crate::cpu::available;

/// A board and a CPU that the search is compiled for.
pub(super) trait Cpu {
    /// The distance in bits from a cell to its right neighbour.
    fn right(shape: Shape) -> u32;
    /// [`node_body`].
    fn node(thread: &mut Thread<'_, '_>, n: &Node, bound: i32) -> i32;
}

/// The most children of a node on the standard board, rounded up, and on any board.
const STANDARD: usize = 8;
const ANY: usize = 32;

/// Any CPU, and boards with at most this many columns; [`STANDARD`] is the standard board.
struct Portable<const COLUMNS: usize>;

impl<const COLUMNS: usize> Cpu for Portable<COLUMNS> {
    #[inline(always)]
    fn right(shape: Shape) -> u32 {
        if COLUMNS == STANDARD { RIGHT } else { shape.right() }
    }
    fn node(thread: &mut Thread<'_, '_>, n: &Node, bound: i32) -> i32 {
        node_body::<Self, COLUMNS>(thread, n, bound)
    }
}

/// Searches the children of the root. Returns g and its cell.
pub(super) fn expand_root(thread: &mut Thread<'_, '_>, n: &Node, bound: i32) -> (i32, u64) {
    #[cfg(target_arch = "x86_64")]
    if available() {
        return match thread.shared.geometry.shape == Shape::STANDARD {
            true => expand_body::<avx2::Avx2<STANDARD>, STANDARD>(thread, n, bound),
            false => expand_body::<avx2::Avx2<ANY>, ANY>(thread, n, bound),
        };
    }
    expand_portable(thread, n, bound)
}

/// The same for any CPU.
pub(super) fn expand_portable(thread: &mut Thread<'_, '_>, n: &Node, bound: i32) -> (i32, u64) {
    match thread.shared.geometry.shape == Shape::STANDARD {
        true => expand_body::<Portable<STANDARD>, STANDARD>(thread, n, bound),
        false => expand_body::<Portable<ANY>, ANY>(thread, n, bound),
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Cpu, Node, RIGHT, STANDARD, Shape, Thread, available, node_body};

    /// A CPU with AVX2, used only if [`available`] returns true.
    pub(super) struct Avx2<const COLUMNS: usize>;

    impl<const COLUMNS: usize> Cpu for Avx2<COLUMNS> {
        #[inline(always)]
        fn right(shape: Shape) -> u32 {
            if COLUMNS == STANDARD { RIGHT } else { shape.right() }
        }
        #[inline(always)]
        fn node(thread: &mut Thread<'_, '_>, n: &Node, bound: i32) -> i32 {
            debug_assert!(available());
            // SAFETY: code that names this type has checked `available`.
            unsafe { node::<COLUMNS>(thread, n, bound) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn node<const COLUMNS: usize>(thread: &mut Thread<'_, '_>, n: &Node, bound: i32) -> i32 {
        node_body::<Avx2<COLUMNS>, COLUMNS>(thread, n, bound)
    }
}
