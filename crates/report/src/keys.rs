//! Output of `perft keys audit`: an audit as text, and as `perft.keys/1`.

use crate::text::{json, number, paragraphs};
use perft_gate_lab::quality::{
    Audit, AuditFinding, AuditVerdict, Bias, DependencyCount, Distances, MAX_SIGNED, WindowReport, expected_smallest,
};
use perft_gate_zobrist::Combine;
use serde::Serialize;

/// Maximum number of dependencies listed in a file.
const LISTED: usize = 1000;
pub const SCHEMA: &str = "perft.keys/1";

/// The audit of a scheme's key tables.
#[perft_gate_chess::document(decimal, Serialize, Debug)]
pub struct KeysDocument<'a> {
    /// Name of the scheme.
    scheme: &'a str,
    /// Seed of the scheme's key tables, or null if the tables are published or come from a file.
    seed: Option<u64>,
    /// The worst verdict of all findings.
    verdict: AuditVerdict,
    /// Findings.
    findings: Vec<AuditFinding>,
    /// How entries combine into a key. With `add`, each entry of a dependency is either added or subtracted, and the
    /// search covers only dependencies of up to four entries.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["xor", "add"])))]
    combine: &'a str,
    /// Width of the keys.
    bits: u32,
    /// Number of entries.
    words: usize,
    /// Number of entries that are used in keys.
    words_in_keys: usize,
    /// Rank of all entries.
    rank: usize,
    /// Rank of all differences between keys.
    effective_bits: usize,
    /// Entries that the search leaves out, because no key uses them and they are zero or repeated.
    left_out: Vec<String>,
    /// True if the search was interrupted before it reached larger subsets.
    interrupted: bool,
    /// Dependent subsets by size.
    sizes: Vec<DependencyCount>,
    /// The first dependent subsets.
    #[cfg_attr(feature = "schema", schemars(length(max = LISTED)))]
    dependencies: Vec<DependentSubset>,
    /// Audits of windows, which are parts of a key.
    windows: Vec<WindowReport>,
    /// The most uneven bit.
    bias: Option<Bias>,
    /// Distances between entries. They are not a measure of quality.
    distances: Option<Distances>,
}

/// A dependent subset.
#[perft_gate_chess::document(Serialize, Debug)]
struct DependentSubset {
    /// Entries of the subset.
    words: Vec<String>,
    /// The reason why the subset cannot occur in a game, or null if it may occur.
    obstacle: Option<String>,
}

pub fn document(name: &str, seed: Option<u64>, audit: &Audit) -> String {
    json(SCHEMA, KeysDocument::new(name, seed, audit))
}

impl<'a> KeysDocument<'a> {
    /// Returns the document that describes an audit. It is used alone or inside another document.
    pub fn new(name: &'a str, seed: Option<u64>, audit: &Audit) -> KeysDocument<'a> {
        let entries = &audit.list.entries;
        let names = |subset: &Vec<usize>| subset.iter().map(|&entry| entries[entry].term.to_string()).collect();
        let dependency = |subset: &Vec<usize>| DependentSubset {
            words: names(subset),
            obstacle: audit.obstacle(subset).map(|reason| reason.to_string()),
        };
        KeysDocument {
            scheme: name,
            seed,
            verdict: audit.verdict(),
            findings: audit.findings(),
            combine: audit.list.axes.combine.name(),
            bits: audit.list.bits(),
            words: entries.len(),
            words_in_keys: entries.iter().filter(|entry| entry.term.is_in_play()).count(),
            rank: audit.rank,
            effective_bits: audit.effective_bits,
            left_out: names(&audit.left_out),
            interrupted: audit.dependencies.interrupted,
            sizes: audit.dependencies.sizes.clone(),
            dependencies: audit.dependencies.subsets.iter().take(LISTED).map(dependency).collect(),
            windows: audit.windows.clone(),
            bias: audit.bias,
            distances: audit.distances,
        }
    }
}

/// Maximum number of dependencies listed in the text output. A file lists more.
const SHOWN: usize = 5;

pub fn text(name: &str, audit: &Audit) -> String {
    paragraphs([verdict(name, audit), rank(audit), dependencies(audit), windows(audit), spread(audit)])
}

fn verdict(name: &str, audit: &Audit) -> Vec<String> {
    let entries = &audit.list.entries;
    let in_play = entries.iter().filter(|entry| entry.term.is_in_play()).count();
    let (number, bits, verdict) = (entries.len(), audit.list.bits(), audit.verdict());
    let head = format!("{name}: {number} entries of {bits} bits, {in_play} of them used in keys: {verdict}");
    let findings = audit.findings().into_iter().map(|finding| {
        let what = if finding.verdict == AuditVerdict::Sound { "remark" } else { finding.verdict.name() };
        format!("  {what:<11} {}", finding.text)
    });
    [head].into_iter().chain(findings).collect()
}

fn rank(audit: &Audit) -> Vec<String> {
    let (bits, rank, effective_bits) = (audit.list.bits(), audit.rank, audit.effective_bits);
    match audit.list.axes.combine {
        Combine::Xor => vec![format!("rank {rank} of {bits}; the keys of positions differ in {effective_bits} bits")],
        Combine::Add => vec![
            format!("sums differ in {rank} of {bits} bits; the keys of positions differ in {effective_bits}"),
            format!(
                "dependent: added or subtracted, they give zero; subsets of up to {MAX_SIGNED} entries are searched"
            ),
        ],
    }
}

fn dependencies(audit: &Audit) -> Vec<String> {
    let entries = &audit.list.entries;
    let mut lines = vec!["dependent subsets     found  expected for random entries".to_string()];
    lines.extend(audit.dependencies.sizes.iter().map(|size| {
        format!("{:>7} {}  {:>9}  {}", size.entries, plural(size.entries), number_text(size), number(size.expected))
    }));
    let smallest = expected_smallest(entries.len(), audit.list.bits(), audit.list.axes.combine);
    lines.push(format!("in random tables the smallest dependent subset usually has {smallest} {}", plural(smallest)));
    if audit.dependencies.interrupted {
        lines.push("interrupted: larger subsets were not searched".into());
    }
    // Subsets that may occur in a game come first.
    let reached = audit.dependencies.subsets.iter().map(|subset| (subset, audit.obstacle(subset)));
    let mut reached: Vec<_> = reached.collect();
    reached.sort_by_key(|(_, obstacle)| obstacle.is_some());
    for (subset, obstacle) in reached.iter().take(SHOWN) {
        let names: Vec<String> = subset.iter().map(|&entry| entries[entry].term.to_string()).collect();
        let occurs =
            obstacle.map_or("may occur in a game".into(), |reason| format!("cannot occur in a game: {reason}"));
        lines.extend([format!("  {}", names.join(", ")), format!("    {occurs}")]);
    }
    if reached.len() > SHOWN {
        let open = reached.iter().filter(|(_, obstacle)| obstacle.is_none()).count();
        lines.push(format!("  and {} more; in all, {open} may occur in a game", reached.len() - SHOWN));
    }
    lines
}

fn windows(audit: &Audit) -> Vec<String> {
    let head = format!("{:<8} {:>4} {:>4}  equal pairs (expected)   smallest dependency", "window", "bits", "rank");
    let rows = audit.windows.iter().map(|report| {
        let pairs = report.dependencies.sizes.get(1).map(|size| [number_text(size), number(size.expected)]);
        let [equal, expected] = pairs.unwrap_or(["-".into(), "-".into()]);
        let smallest = report.dependencies.smallest().map_or_else(
            || format!("none up to {}", report.dependencies.sizes.len()),
            |entries| format!("{entries} {}", plural(entries)),
        );
        let suspect = if report.suspect { "  !" } else { "" };
        let (window, bits, rank) = (report.window.name(), report.bits, report.rank);
        let expected = format!("({expected})");
        format!("{window:<8} {bits:>4} {rank:>4}  {equal:>11} {expected:<12} {smallest}{suspect}")
    });
    [head].into_iter().chain(rows).collect()
}

fn spread(audit: &Audit) -> Vec<String> {
    let bias = audit
        .bias
        .map(|Bias { bit, ones, z, .. }| format!("most uneven bit: {bit}, set in {ones} entries, z = {z:+.1}"));
    let distances = audit.distances.map(|distances| {
        let (min, mean, max) = (distances.min, distances.mean, distances.max);
        format!("distances: {min} to {max} bits, mean {mean:.2}; not a measure of quality, see docs/keys.md")
    });
    bias.into_iter().chain(distances).collect()
}

fn plural(entries: usize) -> &'static str {
    if entries == 1 { "entry  " } else { "entries" }
}

fn number_text(size: &DependencyCount) -> String {
    if size.more { format!(">{}", size.found) } else { size.found.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_lab::quality::TableEntries;
    use perft_gate_zobrist::Scheme;

    #[test]
    fn a_report_says_what_was_found() {
        let list = TableEntries::from_scheme(&Scheme::parse("rotate", true).unwrap(), 0).unwrap();
        let text = text("rotate", &Audit::run(list, 4, &perft_gate_walk::Control::default()));
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
