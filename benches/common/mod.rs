//! Code that the benches share: medians, arguments and the yardstick.
#![allow(dead_code)]

use perft_gate_lab::timed::queens;
use std::time::Instant;

/// Returns the middle value.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns the first number among the arguments, or else `default`.
pub fn rounds(default: usize) -> usize {
    std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(default)
}

/// The yardstick's rate that normalised figures refer to, in million solutions a second.
pub const YARDSTICK_RATE: f64 = 2.5;

/// Returns the rate of the yardstick on this core now, in million solutions a second: the median of nine passes.
///
/// It is the frozen workload `queens` of `perft bench`: twelve queens on a board of twelve by twelve (OEIS A000170).
pub fn yardstick() -> f64 {
    let mut rates = [0; 9].map(|_| {
        let start = Instant::now();
        assert_eq!(queens(std::hint::black_box(12)), 14_200);
        0.0142 / start.elapsed().as_secs_f64()
    });
    median(&mut rates)
}
