//! An audit as text.

use crate::figures::number;
use perft_gate_lab::quality::{Audit, AuditVerdict, DependencyCount, MAX_SIGNED, expected_smallest};
use perft_gate_zobrist::Combine;
use std::fmt::Write;

/// Maximum number of dependencies listed; a file has more.
const SHOWN: usize = 5;

/// Returns the report as text.
pub fn text(name: &str, audit: &Audit) -> String {
    let mut out = String::new();
    let entries = &audit.list.entries;
    let in_play = entries.iter().filter(|entry| entry.term.is_in_play()).count();
    let bits = audit.list.bits;
    let mut line = |text: String| writeln!(out, "{text}").expect("a string");
    line(format!(
        "{name}: {} entries of {bits} bits, {in_play} of them used in keys: {}",
        entries.len(),
        audit.verdict().name()
    ));
    for finding in audit.findings() {
        let what = if finding.verdict == AuditVerdict::Sound { "remark" } else { finding.verdict.name() };
        line(format!("  {what:<11} {}", finding.text));
    }
    line(String::new());
    let (rank, effective_bits) = (audit.rank, audit.effective_bits);
    line(match audit.list.combine {
        Combine::Xor => format!("rank {rank} of {bits}; the keys of positions differ in {effective_bits} bits"),
        Combine::Add => format!("sums differ in {rank} of {bits} bits, those of positions in {effective_bits}"),
    });
    if audit.list.combine == Combine::Add {
        line(format!(
            "dependent: added or subtracted they come to zero; subsets of more than {MAX_SIGNED} entries are not searched"
        ));
    }
    line(String::new());
    line("dependent subsets     found  expected for random entries".into());
    for size in &audit.dependencies.sizes {
        line(format!("{:>7} {}  {:>9}  {}", size.entries, plural(size.entries), found(size), number(size.expected)));
    }
    let smallest = expected_smallest(entries.len(), bits, audit.list.combine);
    line(format!("random entries usually have a smallest dependent subset of {smallest} {}", plural(smallest)));
    if audit.dependencies.interrupted {
        line("interrupted: larger subsets were not searched".into());
    }
    // Those that may occur in a game come first.
    let reached = audit.dependencies.subsets.iter().map(|subset| (subset, audit.obstacle(subset)));
    let mut reached: Vec<_> = reached.collect();
    reached.sort_by_key(|(_, obstacle)| obstacle.is_some());
    for (subset, obstacle) in reached.iter().take(SHOWN) {
        let names: Vec<String> = subset.iter().map(|&entry| entries[entry].term.to_string()).collect();
        line(format!("  {}", names.join(", ")));
        line(format!(
            "    {}",
            obstacle.map_or("may occur in a game".into(), |reason| format!("cannot occur in a game: {reason}"))
        ));
    }
    if reached.len() > SHOWN {
        let open = reached.iter().filter(|(_, obstacle)| obstacle.is_none()).count();
        line(format!("  and {} more; {open} of all may occur in a game", reached.len() - SHOWN));
    }
    line(String::new());
    line(format!("{:<8} {:>4} {:>4}  equal pairs (expected)   smallest dependency", "window", "bits", "rank"));
    for report in &audit.windows {
        let [equal, expected] = report
            .dependencies
            .sizes
            .get(1)
            .map_or(["-".into(), "-".into()], |size| [found(size), number(size.expected)]);
        let smallest = report.dependencies.smallest().map_or_else(
            || format!("none up to {}", report.dependencies.sizes.len()),
            |entries| format!("{entries} {}", plural(entries)),
        );
        let suspect = if report.suspect { "  !" } else { "" };
        let (window, bits, rank) = (report.window.name(), report.bits, report.rank);
        line(format!(
            "{window:<8} {bits:>4} {rank:>4}  {equal:>11} {:<12} {smallest}{suspect}",
            format!("({expected})")
        ));
    }
    line(String::new());
    if let Some(bias) = audit.bias {
        line(format!("most uneven bit: {}, set in {} entries, z = {:+.1}", bias.bit, bias.ones, bias.z));
    }
    if let Some(distances) = audit.distances {
        let (min, mean, max) = (distances.min, distances.mean, distances.max);
        line(format!("distances: {min} to {max} bits, mean {mean:.2}: not a measure of quality, see docs/keys.md"));
    }
    out
}

fn plural(entries: usize) -> &'static str {
    if entries == 1 { "entry  " } else { "entries" }
}

fn found(size: &DependencyCount) -> String {
    if size.more { format!(">{}", size.found) } else { size.found.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_lab::quality::{SearchControl, TableEntries};
    use perft_gate_zobrist::Scheme;

    fn audit(name: &str) -> Audit {
        let scheme = Scheme::parse(name, true).unwrap();
        let list = TableEntries::new(&scheme.axes.unwrap(), &scheme.key_tables(0).unwrap()).unwrap();
        Audit::of(list, 4, &SearchControl::default())
    }

    #[test]
    fn a_report_says_what_was_found() {
        let text = text("rotate", &audit("rotate"));
        for part in [
            "rotate: 793 entries of 64 bits, 761 of them used in keys: suspicious",
            "fold       32   32          384 (7.3e-5)",
            "  !",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.lines().all(|line| line.trim_end() == line && line.len() <= 140), "{text}");
    }
}
