//! Numbers as text.

use perft_gate_lab::measure::Interval;
use std::time::Duration;

/// Formats a ratio and its interval as differences from 1.
pub(crate) fn percent(ratio: Interval) -> String {
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    format!("{:+.1} % ({:+.1} to {:+.1} %)", percent(ratio.median), percent(ratio.low), percent(ratio.high))
}

/// Formats a number that may be tiny.
pub(crate) fn number(number: f64) -> String {
    match number {
        0.0 => "0".into(),
        _ if number >= 1e8 => format!("{number:.1e}"),
        _ if number >= 100.0 => format!("{number:.0}"),
        _ if number >= 0.01 => format!("{number:.2}"),
        _ => format!("{number:.1e}"),
    }
}

/// Returns the rate in units a second, or `None` for a time that is printed as 0.00 s.
pub fn rate(units: u128, time: Duration) -> Option<f64> {
    const MIN_TIME: Duration = Duration::from_millis(5);
    (time >= MIN_TIME).then(|| units as f64 / time.as_secs_f64())
}
