//! The estimate of a run's time, which is printed before the run starts.

use crate::failure::{Result, Usage};
use crate::out::progress;
use perft_gate_chess::Board;
use perft_gate_judge::gate::Identities;
use perft_gate_simd::Level;
use perft_gate_suite::Row;
use perft_gate_walk::Control;
use std::io::IsTerminal;
use std::time::Duration;

/// Minimum estimated time for which the estimate is printed, in seconds.
const WORTH_SAYING: f64 = 3.0;
/// Approximate share of a run's nodes that is walked to measure the rate.
const PROBE_SHARE: f64 = 0.012;
/// Maximum number of nodes to walk for a measurement, so that it takes at most a second on one slow core.
const MAX_PROBE: f64 = 1e7;
/// Minimum number of nodes to walk for a measurement. Smaller trees give no useful rate.
const MIN_PROBE: f64 = 3e5;

/// Returns the estimated number of nodes of a tree. Counts that the row does not list are extrapolated.
fn nodes(row: &Row, depth: u32) -> f64 {
    let counts = row.counts.iter().map_while(|count| count.map(|count| count as f64)).collect();
    nodes_below(row.board(), counts, depth)
}

/// Returns the estimated number of nodes below a position, given its known counts.
pub fn nodes_below(board: &Board, mut counts: Vec<f64>, depth: u32) -> f64 {
    if counts.len() < 3.min(depth as usize) {
        let report = perft_gate_count::count(board, 3.min(depth), Level::detect(), &Control::default());
        counts = report.nodes[1..].iter().map(|&nodes| nodes as f64).collect();
    }
    extrapolate(&mut counts, depth as usize);
    counts[..(depth as usize).min(counts.len())].iter().sum()
}

/// Extends counts to `number` entries, assuming that they keep growing by the ratio of the last two counts.
pub fn extrapolate(counts: &mut Vec<f64>, number: usize) {
    while counts.len() < number {
        let [.., before, last] = counts[..] else { break };
        counts.push(last * last / before.max(1.0));
    }
}

/// Maximum number of rows in the sample for an estimate.
pub const SAMPLE: usize = 1000;

/// Measurements of a small run, from which the time of a large one is estimated.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// Number of nodes walked.
    pub walked: u128,
    /// Time of the walk, plus the time in which a second counter checked its counts.
    pub time: Duration,
    /// Time of the check on the deepest ply that keys are equal exactly if positions are (V5).
    pub identity_time: Duration,
}

/// Returns the number of leaves that the identity check visits. It checks the deepest ply with at most `MAX_LEAVES`.
fn identity_leaves(row: &Row, depth: u32) -> f64 {
    let leaves = |depth: u32| nodes(row, depth) - nodes(row, depth - 1);
    (1..=depth).rev().map(leaves).find(|&leaves| leaves <= Identities::MAX_LEAVES as f64).unwrap_or(0.0)
}

/// Prints to standard error the estimated time to walk each row to its depth, multiplied by `times`. `walk` measures
/// one tree.
pub fn announce(rows: &[(&Row, u32)], times: f64, walk: impl Fn(&Row, u32) -> Probe) {
    if !progress::is_wanted() {
        return;
    }
    let total: f64 = times * rows.iter().map(|(row, depth)| nodes(row, *depth)).sum::<f64>();
    // Measure on the largest tree within the limits, or else on the smallest tree that gives a useful rate.
    let trees = || rows.iter().flat_map(|(row, deepest)| (1..=*deepest).map(|depth| (*row, depth, nodes(row, depth))));
    let enough = || trees().filter(|tree| tree.2 >= MIN_PROBE);
    let small =
        enough().filter(|tree| tree.2 <= (total * PROBE_SHARE).min(MAX_PROBE)).max_by(|a, b| a.2.total_cmp(&b.2));
    let Some((row, depth, size)) = small.or_else(|| enough().min_by(|a, b| a.2.total_cmp(&b.2))) else { return };
    if size > total / 2.0 {
        return;
    }
    let Probe { walked, time, identity_time } = walk(row, depth);
    let identities: f64 = times * rows.iter().map(|(row, depth)| identity_leaves(row, *depth)).sum::<f64>();
    let seconds = total / walked as f64 * time.as_secs_f64()
        + identities / identity_leaves(row, depth).max(1.0) * identity_time.as_secs_f64();
    if seconds >= WORTH_SAYING {
        note!("estimate: {total:.2e} nodes, about {}", duration(seconds));
    }
}

const YEAR: f64 = 365.25 * 86_400.0;
/// A length of time that nobody would wait, in seconds.
const LIFETIME: f64 = 50.0 * YEAR;

/// Warns if a run would take longer than a lifetime. **Errors**: standard error is a terminal, so somebody is waiting,
/// and `is_confirmed` is false.
pub fn check_lifetime(seconds: f64, is_confirmed: bool) -> Result<()> {
    let Some(found) = outlasts_lifetime(seconds) else { return Ok(()) };
    if std::io::stderr().is_terminal() && !is_confirmed {
        return Err(Usage(format!("{found}: lower --depth, or add --yes to start it")));
    }
    note!("warning: {found}");
    Ok(())
}

fn outlasts_lifetime(seconds: f64) -> Option<String> {
    let years = seconds / YEAR;
    let text = if years < 1e4 { format!("{years:.0}") } else { format!("{years:.0e}") };
    (seconds >= LIFETIME).then(|| format!("this would take about {text} years"))
}

/// Formats a time: `40 s`, `12 min`, `3.5 h`.
fn duration(seconds: f64) -> String {
    match seconds {
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.1} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_suite as suite;

    #[test]
    fn only_a_count_that_nobody_will_see_is_questioned() {
        assert_eq!(outlasts_lifetime(49.0 * YEAR), None);
        assert_eq!(outlasts_lifetime(3e5 * YEAR).as_deref(), Some("this would take about 3e5 years"));
        assert_eq!(outlasts_lifetime(70.0 * YEAR).as_deref(), Some("this would take about 70 years"));
    }

    #[test]
    fn known_counts_are_summed_and_unknown_ones_extrapolated() {
        let known = &suite::parse(suite::EMBEDDED[0].2).unwrap()[0];
        assert_eq!(nodes(known, 3), 20.0 + 400.0 + 8902.0);
        // Depth 6 has too many leaves for the identity check.
        assert_eq!([1, 5, 6].map(|depth| identity_leaves(known, depth)), [20.0, 4_865_609.0, 4_865_609.0]);
        let unknown = Row { counts: Vec::new(), ..known.clone() };
        assert_eq!(nodes(&unknown, 3), nodes(known, 3));
        let ratio = nodes(&unknown, 6) / nodes(known, 6);
        assert!((0.5..2.0).contains(&ratio), "{ratio}");
        assert_eq!([duration(40.0), duration(720.0), duration(12600.0)], ["40 s", "12.0 min", "3.5 h"]);
    }
}
