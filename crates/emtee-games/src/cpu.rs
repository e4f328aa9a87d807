//! Which instructions the CPU has.

/// Whether the CPU has AVX2 and the bit instructions of such CPUs. Detected once, then one load.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn available() -> bool {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    const UNKNOWN: u8 = 0;
    const NO: u8 = 1;
    const YES: u8 = 2;
    static DETECTED: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[cold]
    fn detect() -> bool {
        use std::arch::is_x86_feature_detected as has;
        let yes = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
        DETECTED.store(if yes { YES } else { NO }, Relaxed);
        yes
    }

    match DETECTED.load(Relaxed) {
        UNKNOWN => detect(),
        detected => detected == YES,
    }
}

/// Whether the CPU has AVX2 and the bit instructions of such CPUs.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) const fn available() -> bool {
    false
}
