//! What the benches share.
#![allow(dead_code)]

use std::process::Command;

/// The middle value.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The rate of the feasibility study in M leaves/s, the median of its counts, if SPIKE names its binary.
pub fn spike(arguments: &[&str]) -> Option<f64> {
    let output = Command::new(std::env::var_os("SPIKE")?).arg("share").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split("Mnps").next()?.split_whitespace().last()?.split('/').next()?.parse().ok()
}

/// The first number among the arguments, or else `default`.
pub fn rounds(default: usize) -> usize {
    std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(default)
}
