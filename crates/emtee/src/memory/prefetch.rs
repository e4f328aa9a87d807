//! Asking for memory before it is needed: the one place with `unsafe`.
//!
//! A look into a large table waits for memory longer than everything else a node does. So the entries of
//! children are asked for together, before the first of them is looked at.
#![allow(unsafe_code)]

/// Asks the processor to bring the cache line of a place near, where it knows how.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads and writes nothing, whatever the address; SSE is part of every x86-64.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(core::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
