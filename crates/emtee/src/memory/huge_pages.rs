//! Huge pages: 2 MB instead of 4 KB, where the system provides them on request.
//!
//! The first access to a page enters the kernel, which zeroes the page. For a table of 64 MB this takes 38 ms with small pages
//! and 3 ms with huge ones (Linux in a virtual machine), and lookups miss the TLB less often.
#![allow(unsafe_code)]

/// The size of a huge page on most processors. It is a multiple of the size of a small page on all of them.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// Requests huge pages for large memory that has not been used yet, such as a table: for all of it from the first address that
/// is a multiple of 2 MB. Has no effect on the contents, and none at all except on Linux with the default feature `std`.
pub fn request_huge_pages<T>(memory: &[T]) {
    #[cfg(all(target_os = "linux", feature = "std"))]
    {
        use core::ffi::{c_int, c_void};
        // The C library is linked by the standard library.
        unsafe extern "C" {
            fn madvise(address: *mut c_void, bytes: usize, advice: c_int) -> c_int;
        }
        const MADV_HUGEPAGE: c_int = 14;
        let bytes = size_of_val(memory);
        let before = memory.as_ptr().cast::<u8>().align_offset(HUGE_PAGE);
        if bytes.saturating_sub(before) >= HUGE_PAGE {
            let first = memory.as_ptr().cast::<u8>().wrapping_add(before).cast_mut();
            // SAFETY: this advice changes no contents, only the size of the pages that the system provides later. The range is
            // part of `memory`, except that it ends with a whole page. A failure means small pages.
            let _ = unsafe { madvise(first.cast(), bytes - before, MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", feature = "std")))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn requests_change_no_contents() {
        for bytes in [0, 1, HUGE_PAGE - 1, 3 * HUGE_PAGE + 5] {
            let mut memory = vec![0_u8; bytes];
            request_huge_pages(&memory);
            memory.fill(7);
            request_huge_pages(&memory);
            assert!(memory.iter().all(|&byte| byte == 7), "{bytes}");
        }
        request_huge_pages::<()>(&[(); 1 << 30]);
    }
}
