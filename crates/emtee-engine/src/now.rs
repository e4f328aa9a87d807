//! The clock: the system's, or an injected one on targets without a system clock.

#[cfg(feature = "std")]
pub(crate) use emtee::system_clock as now;

#[cfg(not(feature = "std"))]
pub(crate) use given::now;
#[cfg(not(feature = "std"))]
pub use given::set_clock;

#[cfg(not(feature = "std"))]
mod given {
    use std::sync::OnceLock;
    use std::time::Duration;

    use emtee::Clock;

    static CLOCK: OnceLock<Clock> = OnceLock::new();

    /// Sets the clock, once, before anything is timed. Until then no time passes.
    pub fn set_clock(clock: Clock) {
        let _ = CLOCK.set(clock);
    }

    pub(crate) fn now() -> Duration {
        CLOCK.get().map_or(Duration::ZERO, |clock| clock())
    }
}
