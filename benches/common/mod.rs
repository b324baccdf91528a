//! Code that the benches share: medians, arguments, the yardstick, and another build of `perft` to take turns with.
#![allow(dead_code)]

use perft_gate_lab::timed::queens;
use std::ffi::OsString;
use std::process::Command;
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

/// Another build of `perft`, of another revision for instance, that takes turns with this one: the environment variable
/// `PERFT_PEER` names its binary.
pub struct Peer(OsString);

impl Peer {
    /// Returns the peer, if there is one.
    pub fn named() -> Option<Peer> {
        std::env::var_os("PERFT_PEER").map(Peer)
    }

    /// Returns the rate at which `perft count` of these arguments counts, in million leaves a second, by its own clock.
    ///
    /// **Panics** if it does not run, or counts something else than `leaves`.
    pub fn count(&self, arguments: &[&str], leaves: u128) -> f64 {
        let output = Command::new(&self.0).arg("count").args(arguments).output().expect("PERFT_PEER runs");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.starts_with(&format!("nodes {leaves}\n")), "PERFT_PEER counts {leaves} leaves: {text}");
        let rate = text.split(" million nodes/s").next().and_then(|before| before.rsplit(' ').next());
        rate.and_then(|rate| rate.parse().ok()).expect("PERFT_PEER prints a rate")
    }
}
