//! Shared bench code: medians and arguments.
#![allow(dead_code)]

/// Returns the middle value.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns the first number among the arguments, or `default`.
pub fn rounds(default: usize) -> usize {
    std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(default)
}
