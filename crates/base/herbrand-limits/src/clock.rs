//! The clock by which budgets and engines measure time.
//!
//! On most platforms it is the standard library's [`Instant`]. On `wasm32-unknown-unknown`, the standard library has no
//! clock and panics. There the host program must `install` a clock, such as the browser's `performance.now()`. Without one,
//! the time is always zero, so no time limit is ever exceeded.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use self::brought::{Instant, install};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod brought {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Installs the clock of `wasm32-unknown-unknown`: a function that returns the time since a fixed moment and never
    /// decreases. Later calls have no effect. Call it before the first budget is created.
    pub fn install(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment in time, read from the installed clock.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// Returns the current time. It is 0 without an installed clock.
        #[must_use]
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// Returns the time since this moment. It is 0 without an installed clock.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Self::now() - *self
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, later: Duration) -> Self {
            Self(self.0.saturating_add(later))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}
