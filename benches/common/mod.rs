//! Shared bench code: medians, arguments and the yardstick.
#![allow(dead_code)]

use perft_gate_lab::timed::queens;
use std::time::Instant;

/// Returns the middle value.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns the first number among the arguments, or `default`.
pub fn rounds(default: usize) -> usize {
    std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(default)
}

/// The yardstick's rate that normalised figures refer to, in million solutions per second.
pub const YARDSTICK_RATE: f64 = 2.5;

/// Returns the yardstick's current rate on this core, in million solutions per second: the median of nine passes.
///
/// The yardstick is the frozen workload `queens` of `perft bench`: twelve queens on a 12×12 board (OEIS A000170).
pub fn yardstick() -> f64 {
    let mut rates = [0; 9].map(|_| {
        let start = Instant::now();
        assert_eq!(queens(std::hint::black_box(12)), 14_200);
        0.0142 / start.elapsed().as_secs_f64()
    });
    median(&mut rates)
}
