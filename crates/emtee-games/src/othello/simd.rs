//! Mobility and flips with AVX2, one of four lines in each lane, and the other hot functions compiled for AVX2.
//!
//! This is the only unsafe code of the game: calls of functions that require AVX2. They are safe because [`Avx2`] is only used
//! if [`available`] returns true. Tests compare all of it with the portable code.
#![allow(unsafe_code)]

pub(crate) use imp::Avx2;

#[cfg(target_arch = "x86_64")]
mod imp {
    use core::arch::x86_64::*;

    use super::super::dispatch::Cpu;
    use super::super::endgame::Solver;
    use super::super::evaluate::Patterns;
    use super::super::moves::RAYS;
    use super::super::{endgame_few, endgame_node, endgame_shallow, last_moves, order};
    use crate::cpu::available;

    /// A CPU with AVX2. Its functions must only be called if [`available`] returns true.
    pub(crate) struct Avx2;

    // SAFETY of all calls: code that names this type has checked `available`.
    impl Cpu for Avx2 {
        #[inline(always)]
        fn mobility(own: u64, opponent: u64) -> u64 {
            debug_assert!(available());
            unsafe { mobility(own, opponent) }
        }
        #[inline(always)]
        fn flips(own: u64, opponent: u64, square: u8) -> u64 {
            debug_assert!(available());
            unsafe { flips(own, opponent, square) }
        }
        #[inline(always)]
        fn score(patterns: &Patterns, own: u64, opponent: u64) -> i32 {
            debug_assert!(available());
            unsafe { score(patterns, own, opponent) }
        }
        #[inline(always)]
        fn hint(own: u64, opponent: u64, square: u8) -> i16 {
            debug_assert!(available());
            unsafe { hint(own, opponent, square) }
        }
        #[inline(always)]
        fn last_3(own: u64, opponent: u64, alpha: i32, squares: [u8; 3], nodes: &mut u64) -> i32 {
            unsafe { last_3(own, opponent, alpha, squares, nodes) }
        }
        #[inline(always)]
        fn few(own: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32 {
            unsafe { few(own, opponent, alpha, nodes) }
        }
        #[inline(always)]
        fn node(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
            debug_assert!(available());
            unsafe { node(solver, own, opponent, alpha) }
        }
        #[inline(always)]
        fn low_node(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
            unsafe { low_node(solver, own, opponent, alpha) }
        }
        #[inline(always)]
        fn shallow(solver: &Solver, own: u64, opponent: u64, depth: u32, alpha: i32, beta: i32) -> i32 {
            debug_assert!(available());
            unsafe { shallow(solver, own, opponent, depth, alpha, beta) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn score(patterns: &Patterns, own: u64, opponent: u64) -> i32 {
        patterns.score_body::<Avx2>(own, opponent)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn hint(own: u64, opponent: u64, square: u8) -> i16 {
        order::hint_body::<Avx2>(own, opponent, square)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn last_3(own: u64, opponent: u64, alpha: i32, squares: [u8; 3], nodes: &mut u64) -> i32 {
        last_moves::last_3_body::<Avx2>(own, opponent, alpha, squares, nodes)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn few(own: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32 {
        endgame_few::few_body::<Avx2>(own, opponent, alpha, nodes)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn node(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
        endgame_node::node_body::<Avx2>(solver, own, opponent, alpha)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn low_node(solver: &mut Solver, own: u64, opponent: u64, alpha: i32) -> i32 {
        endgame_node::low_node_body::<Avx2>(solver, own, opponent, alpha)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn shallow(solver: &Solver, own: u64, opponent: u64, depth: u32, alpha: i32, beta: i32) -> i32 {
        endgame_shallow::shallow_body::<Avx2>(solver, own, opponent, depth, alpha, beta)
    }

    /// Like `mobility_portable`; rows, columns and both diagonals in one lane each.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn mobility(own: u64, opponent: u64) -> u64 {
        let step = _mm256_set_epi64x(9, 7, 8, 1);
        let two = _mm256_set_epi64x(18, 14, 16, 2);
        let inner = 0x7e7e_7e7e_7e7e_7e7e;
        let through = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), _mm256_set_epi64x(inner, inner, -1, inner));
        let discs = _mm256_set1_epi64x(own as i64);
        let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(discs, step));
        let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(discs, step));
        up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
        down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, step)));
        let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
        let pairs_down = _mm256_srlv_epi64(pairs_up, step);
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        let reach = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
        or_lanes(reach) & !(own | opponent)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn flips(own: u64, opponent: u64, square: u8) -> u64 {
        let rays = &RAYS[usize::from(square & 63)];
        // SAFETY: `rays` has eight words: two unaligned loads of four.
        let (higher, lower) =
            unsafe { (_mm256_loadu_si256(rays.as_ptr().cast()), _mm256_loadu_si256(rays.as_ptr().add(4).cast())) };
        let own = _mm256_set1_epi64x(own as i64);
        let opponent = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();
        // Towards higher bits: the lowest square of the ray that is not the opponent's.
        let open = _mm256_andnot_si256(opponent, higher);
        let first = _mm256_and_si256(open, _mm256_sub_epi64(zero, open));
        let outflank = _mm256_and_si256(first, own);
        let none = _mm256_cmpeq_epi64(outflank, zero);
        let below = _mm256_sub_epi64(_mm256_add_epi64(outflank, _mm256_set1_epi64x(-1)), none);
        let up = _mm256_and_si256(below, higher);
        // Towards lower bits: marks the first such square and everything beyond it, but not the run before it.
        let mut open = _mm256_andnot_si256(opponent, lower);
        open = _mm256_or_si256(open, _mm256_srlv_epi64(open, _mm256_set_epi64x(9, 7, 8, 1)));
        open = _mm256_or_si256(open, _mm256_srlv_epi64(open, _mm256_set_epi64x(18, 14, 16, 2)));
        open = _mm256_or_si256(open, _mm256_srlv_epi64(open, _mm256_set_epi64x(36, 28, 32, 4)));
        let first = _mm256_andnot_si256(_mm256_srlv_epi64(open, _mm256_set_epi64x(9, 7, 8, 1)), open);
        let none = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_and_si256(first, lower), own), zero);
        let down = _mm256_andnot_si256(none, _mm256_andnot_si256(open, lower));
        or_lanes(_mm256_or_si256(up, down))
    }

    /// The bitwise or of the four lanes.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn or_lanes(lanes: __m256i) -> u64 {
        let two = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
        let one = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
        _mm_cvtsi128_si64(one) as u64
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod imp {
    pub(crate) use super::super::dispatch::Portable as Avx2;
}
