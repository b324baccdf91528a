//! `perft divide`, and counts by root move.

use crate::common::perft;

#[test]
fn divide_is_sorted_and_totals() {
    let output = perft(&["divide", "--fen", "kiwipete", "--depth", "2"]);
    let lines = output.stdout;
    assert!(lines.starts_with("a1b1: 43\n") && lines.contains("e1g1: 43\n"), "{lines}");
    assert!(lines.ends_with("moves 48\ntotal 2039\n"), "{lines}");
    // The way of a split tree.
    let output = perft(&["count", "--fen", "kiwipete", "--depth", "5", "--divide"]);
    let lines = output.stdout;
    assert!(lines.contains("e1g1: 4119629\n"), "{lines}");
    assert!(lines.ends_with("moves 48\ntotal 193690690\n"), "{lines}");
}
