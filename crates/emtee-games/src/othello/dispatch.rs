//! Function multiversioning: the hot functions are compiled once for any CPU and once for CPUs with AVX2.
//!
//! Each hot function is written once, as a body that is inlined into a portable function and into one for AVX2 (in `simd`). So
//! the compiler uses the CPU's instructions in the surrounding code too: population counts, wide additions, shifts.
//! [`available`] selects the version at run time.

use super::endgame::Solver;
use super::evaluate::Patterns;
use super::moves::{flips_portable, mobility_portable};
use super::{endgame_few, endgame_node, endgame_shallow, last_moves, order};

pub(crate) use super::simd::Avx2;
pub(crate) use crate::cpu::available;

/// The hot functions of the game, for one kind of CPU.
pub(crate) trait Cpu {
    /// [`super::mobility`].
    fn mobility(own: u64, opponent: u64) -> u64;
    /// [`super::flips`].
    fn flips(own: u64, opponent: u64, square: u8) -> u64;
    /// [`Patterns::score_body`].
    fn score(patterns: &Patterns, own: u64, opponent: u64) -> i32;
    /// [`order::hint_body`].
    fn hint(own: u64, opponent: u64, square: u8) -> i16;
    /// [`last_moves::last_3_body`].
    fn last_3(own: u64, opponent: u64, alpha: i32, squares: [u8; 3], nodes: &mut u64) -> i32;
    /// [`endgame_few::few_body`].
    fn few(own: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32;
    /// [`endgame_node::node_body`].
    fn node(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32;
    /// [`endgame_node::low_node_body`].
    fn low_node(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32;
    /// [`endgame_shallow::shallow_body`].
    fn shallow(solver: &Solver, own: u64, opponent: u64, depth: u32, alpha: i32, beta: i32) -> i32;
}

/// Any CPU.
pub(crate) struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn mobility(own: u64, opponent: u64) -> u64 {
        mobility_portable(own, opponent)
    }
    #[inline(always)]
    fn flips(own: u64, opponent: u64, square: u8) -> u64 {
        flips_portable(own, opponent, square)
    }
    fn score(patterns: &Patterns, own: u64, opponent: u64) -> i32 {
        patterns.score_body::<Self>(own, opponent)
    }
    fn hint(own: u64, opponent: u64, square: u8) -> i16 {
        order::hint_body::<Self>(own, opponent, square)
    }
    fn last_3(own: u64, opponent: u64, alpha: i32, squares: [u8; 3], nodes: &mut u64) -> i32 {
        last_moves::last_3_body::<Self>(own, opponent, alpha, squares, nodes)
    }
    fn few(own: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32 {
        endgame_few::few_body::<Self>(own, opponent, alpha, nodes)
    }
    fn node(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
        endgame_node::node_body::<Self>(solver, own, opponent, alpha)
    }
    fn low_node(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
        endgame_node::low_node_body::<Self>(solver, own, opponent, alpha)
    }
    fn shallow(solver: &Solver, own: u64, opponent: u64, depth: u32, alpha: i32, beta: i32) -> i32 {
        endgame_shallow::shallow_body::<Self>(solver, own, opponent, depth, alpha, beta)
    }
}
