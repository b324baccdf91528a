//! Where the time comes from: the system, or a test.

use std::time::{Duration, Instant};

/// A clock that never goes back.
pub trait Clock {
    /// The time since some moment that stays the same.
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

impl Clock for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
