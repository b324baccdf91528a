//! How long a run may take, said before it starts.

use perft_gate_judge::suite::Row;
use perft_gate_simd::Level;
use perft_gate_walk::chess::Board;
use perft_gate_walk::walk::Control;
use std::time::Duration;

/// Below this no estimate is worth its line.
const WORTH_SAYING: f64 = 3.0;
/// The rate is measured on about this part of the nodes.
const PROBE_SHARE: f64 = 0.012;
/// An estimate is no run of its own.
const MOST_PROBE: f64 = 1e8;
/// Trees that are smaller tell no rate.
const LEAST_PROBE: f64 = 3e5;

/// The nodes of a tree, from its known counts, or else as the ratio of its first plies foretells.
fn nodes(row: &Row, depth: u32) -> f64 {
    let counts = row.counts.iter().map_while(|count| count.map(|count| count as f64)).collect();
    nodes_below(&row.board, counts, depth)
}

/// The same of a position of which so many counts are known.
pub fn nodes_below(board: &Board, mut counts: Vec<f64>, depth: u32) -> f64 {
    if counts.len() < 3.min(depth as usize) {
        let report = perft_gate_count::count(board, 3.min(depth), Level::detect(), &Control::default());
        counts = report.nodes[1..].iter().map(|&nodes| nodes as f64).collect();
    }
    while counts.len() < depth as usize {
        let [.., before, last] = counts[..] else { break };
        counts.push(last * last / before.max(1.0));
    }
    counts[..(depth as usize).min(counts.len())].iter().sum()
}

/// Rows that an estimate looks at.
pub const SAMPLE: usize = 1000;

/// Says on stderr what a walk of rows such as these to these depths will take, if there are so many times as many; `walk` is
/// how a position is walked, and yields nodes and time.
pub fn announce(rows: &[(&Row, u32)], times: f64, walk: impl Fn(&Row, u32) -> (u128, Duration)) {
    let total: f64 = times * rows.iter().map(|(row, depth)| nodes(row, *depth)).sum::<f64>();
    // The largest tree that is small enough, else the smallest that is large enough.
    let trees = || rows.iter().flat_map(|(row, deepest)| (1..=*deepest).map(|depth| (*row, depth, nodes(row, depth))));
    let enough = || trees().filter(|tree| tree.2 >= LEAST_PROBE);
    let small =
        enough().filter(|tree| tree.2 <= (total * PROBE_SHARE).min(MOST_PROBE)).max_by(|a, b| a.2.total_cmp(&b.2));
    let Some((row, depth, size)) = small.or_else(|| enough().min_by(|a, b| a.2.total_cmp(&b.2))) else { return };
    if size > total / 2.0 {
        return;
    }
    let (walked, time) = walk(row, depth);
    let seconds = total / walked as f64 * time.as_secs_f64();
    if seconds >= WORTH_SAYING {
        note!("estimate: {total:.2e} nodes, about {}", duration(seconds));
    }
}

/// `40 s`, `12 min`, `3.5 h`.
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
    use perft_gate_judge::suite;

    #[test]
    fn known_counts_are_summed_and_unknown_ones_extrapolated() {
        let known = &suite::parse(suite::EMBEDDED[0].2).unwrap()[0];
        assert_eq!(nodes(known, 3), 20.0 + 400.0 + 8902.0);
        let unknown = Row { counts: Vec::new(), ..known.clone() };
        assert_eq!(nodes(&unknown, 3), nodes(known, 3));
        let ratio = nodes(&unknown, 6) / nodes(known, 6);
        assert!((0.5..2.0).contains(&ratio), "{ratio}");
        assert_eq!([duration(40.0), duration(720.0), duration(12600.0)], ["40 s", "12.0 min", "3.5 h"]);
    }
}
