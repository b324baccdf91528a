//! Clock of a measurement: the system's, or a test's.

use std::time::{Duration, Instant};

/// A clock that never goes back.
pub trait TimeSource {
    /// Returns the time since some fixed moment.
    fn now(&self) -> Duration;
}

/// The system's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Monotonic(Instant);

impl Default for Monotonic {
    fn default() -> Monotonic {
        Monotonic(Instant::now())
    }
}

impl TimeSource for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
