//! Comparison of two builds, as text.

use crate::diff::text::cells;
use perft_gate_bench::PeerHello;
use perft_gate_bench::against::Against;
use std::fmt::Write;

/// Returns the comparison of this build with another, whose file is called `other`.
pub fn text(against: &Against, other: &str) -> String {
    let mut out = String::new();
    let mut line = |text: &str| writeln!(out, "{}", text.trim_end()).expect("a string");
    let [this_build, other_build] = &against.builds;
    let stopped = if against.interrupted { ", stopped" } else { "" };
    line(&format!("this build:  {}", build(this_build)));
    line(&format!("other build: {}, {other}", build(other_build)));
    line(&format!("alternating, both restarted in every round{stopped}"));
    line("");
    line(&format!(
        "{:<9} {:>7} {:>6}  {:>10} {:>10}  {:>28} {:>6} {:>12}  this build is",
        "workload", "threads", "rounds", "this M/s", "other M/s", "time of this build", "floor", "visible from"
    ));
    for row in &against.rows {
        let [_, threads, rounds, other, this, time, _, floor, visible, verdict] = cells(row);
        let name = &row.work.workload;
        line(&format!(
            "{name:<9} {threads:>7} {rounds:>6}  {this:>10} {other:>10}  {time:>28} {floor:>6} {visible:>12}  {verdict}"
        ));
    }
    out
}

fn build(hello: &PeerHello) -> String {
    format!("perft {} ({}), level {}", hello.version, hello.revision, hello.level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::diff::{PairedWork, WorkName};
    use perft_gate_lab::measure::{CostVerdict, Floor, Interval};

    #[test]
    fn a_row_says_what_was_seen_and_what_could_be() {
        let hello = |version: &str| PeerHello {
            protocol: String::new(),
            workloads_version: 1,
            version: version.into(),
            revision: "abc".into(),
            level: "v3".into(),
        };
        let row = |rounds, smallest_visible, verdict| PairedWork {
            work: WorkName { workload: "setwise".into(), threads: 1 },
            bound: "core".into(),
            rounds: [rounds; 2],
            rates: [5.25e9, 5e9],
            ratio: Interval { low: 1.04, median: 1.05, high: 1.06 },
            adjusted: None,
            floor: Floor::MIN,
            smallest_visible,
            verdict: Some(verdict),
        };
        let rows = vec![row(100, Some(0.015), CostVerdict::Slower), row(5, None, CostVerdict::Undecided)];
        let against = Against { builds: [hello("1"), hello("2")], rows, interrupted: true };
        let found = text(&against, "old/perft");
        for part in [
            "this build:  perft 1 (abc), level v3\nother build: perft 2 (abc), level v3, old/perft\n",
            "in every round, stopped\n",
            "5000.00    5250.00",
            "+5.0 % (+4.0 to +6.0 %)  0.5 %        1.5 %  slower\n",
            "nothing  undecided\n",
        ] {
            assert!(found.contains(part), "{part}: {found}");
        }
    }
}
