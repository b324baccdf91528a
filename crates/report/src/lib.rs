//! Reports: pure functions from verdicts to bytes, one a format.
#![forbid(unsafe_code)]

pub mod against;
pub mod audit;
pub mod bench;
pub mod case;
pub mod check;
pub mod collisions;
pub mod compare;
mod conditions;
pub mod diff;
pub mod divide;
pub mod engine;
pub mod gate;
pub mod github;
pub mod json;
pub mod junit;
pub mod page;
mod rows;
pub mod schema;

use perft_gate_lab::measure::Interval;

/// Formats a ratio and its interval as differences from 1.
fn percent(ratio: Interval) -> String {
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    format!("{:+.1} % ({:+.1} to {:+.1} %)", percent(ratio.median), percent(ratio.low), percent(ratio.high))
}
