//! Prefetching table entries. Besides this module only `huge_pages.rs` has `unsafe`.
//!
//! A probe of a large table waits for memory longer than all other work at a node takes. So the entries of all children are
//! prefetched before the first of them is read.
#![allow(unsafe_code)]

/// Prefetches the cache line of `target` into the cache, on processors where this is implemented.
#[inline(always)]
pub(crate) fn prefetch<T>(target: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads and writes nothing, whatever the address; SSE is part of every x86-64.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(core::ptr::from_ref(target).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}
