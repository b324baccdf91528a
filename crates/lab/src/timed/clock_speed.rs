//! Clock speed by a loop whose cycles are known.
//!
//! Each step is an exclusive or and an addition, both of which wait for the one before: two cycles on every x86-64 and
//! AArch64 processor, whatever else it can do at the same time. The fastest of many short stretches counts, because an
//! interruption can only make a stretch longer. This is the speed that the clock has, not the one that it is sold by.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Steps of a stretch: a few tens of microseconds.
const STEPS: u64 = 1 << 16;
/// Steps written out, so that the loop's own instructions run beside them.
const UNROLLED: u64 = 16;
const CYCLES_A_STEP: u64 = 2;
/// Stretches of a measurement: a few milliseconds.
const STRETCHES: u32 = 100;
/// Time in which a sleeping processor reaches its speed.
const WARM_UP: Duration = Duration::from_millis(20);

/// Returns true if the steps take so many cycles: where the compiler optimises, and on processors known to do so.
const fn is_calibrated() -> bool {
    !cfg!(debug_assertions) && cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
}

/// Returns the clock speed of this thread's processor in GHz; `None` where the loop is not calibrated.
pub fn gigahertz() -> Option<f64> {
    if !is_calibrated() {
        return None;
    }
    let begun = Instant::now();
    while begun.elapsed() < WARM_UP {
        black_box(steps(1));
    }
    let timed = (0..STRETCHES).map(|seed| {
        let start = Instant::now();
        black_box(steps(u64::from(seed)));
        start.elapsed()
    });
    let fastest = timed.min().filter(|time| !time.is_zero())?;
    Some((CYCLES_A_STEP * STEPS) as f64 / fastest.as_nanos() as f64)
}

fn steps(seed: u64) -> u64 {
    // Hidden from the compiler, which would otherwise take steps together.
    let [flipped, added] = black_box([0x5555_5555_5555_5555, 0x1234_5677]);
    let mut value = black_box(seed);
    for _ in 0..STEPS / UNROLLED {
        for _ in 0..UNROLLED {
            value = (value ^ flipped).wrapping_add(added);
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_one_that_processors_have() {
        match gigahertz() {
            Some(speed) => assert!((0.3..8.0).contains(&speed), "{speed} GHz"),
            None => assert!(!is_calibrated()),
        }
    }
}
