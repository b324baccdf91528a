//! What an audit of keys says: for people, and as `perft.keys/1`.
//!
//! Counts are decimal strings in JSON, as everywhere; dependencies are lists of names.

use perft_gate_lab::quality::{Audit, AuditVerdict, MOST_SIGNED, Size, expected_smallest};
use perft_gate_walk::zobrist::Combine;
use serde_json::{Value, json};
use std::fmt::Write;

/// How many dependencies are listed for people; a file has [`LISTED`].
const SHOWN: usize = 5;
/// How many dependencies a file lists.
const LISTED: usize = 1000;
/// The name and version of the format.
pub const SCHEMA: &str = "perft.keys/1";

/// The report for people.
pub fn text(name: &str, audit: &Audit) -> String {
    let mut out = String::new();
    let words = &audit.list.words;
    let in_play = words.iter().filter(|word| word.term.is_in_play()).count();
    let bits = audit.list.bits;
    let mut line = |text: String| writeln!(out, "{text}").expect("a string");
    line(format!(
        "{name}: {} words of {bits} bits, {in_play} of them in keys: {}",
        words.len(),
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
        line(format!("dependent: added or subtracted they come to zero; more than {MOST_SIGNED} words are not sought"));
    }
    line(String::new());
    line("dependent subsets     found  expected of random words".into());
    for size in &audit.dependencies.sizes {
        line(format!("{:>9} {}  {:>9}  {}", size.words, plural(size.words), found(size), number(size.expected)));
    }
    let smallest = expected_smallest(words.len(), bits, audit.list.combine);
    line(format!("the smallest of random words has {smallest} {}, usually", plural(smallest)));
    if audit.dependencies.interrupted {
        line("interrupted: larger subsets were not sought".into());
    }
    // Those that matter come first.
    let reached = audit.dependencies.subsets.iter().map(|subset| (subset, audit.obstacle(subset)));
    let mut reached: Vec<_> = reached.collect();
    reached.sort_by_key(|(_, obstacle)| obstacle.is_some());
    for (subset, obstacle) in reached.iter().take(SHOWN) {
        let names: Vec<String> = subset.iter().map(|&word| words[word].term.to_string()).collect();
        line(format!("  {}", names.join(", ")));
        line(format!("    {}", obstacle.map_or("not out of reach".into(), |reason| format!("out of reach: {reason}"))));
    }
    if reached.len() > SHOWN {
        let open = reached.iter().filter(|(_, obstacle)| obstacle.is_none()).count();
        line(format!("  and {} more; {open} of all are not out of reach", reached.len() - SHOWN));
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
            |words| format!("{words} {}", plural(words)),
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
        line(format!("most uneven bit: {}, set in {} words, z = {:+.1}", bias.bit, bias.ones, bias.z));
    }
    if let Some(distances) = audit.distances {
        let (min, mean, max) = (distances.min, distances.mean, distances.max);
        line(format!("distances: {min} to {max} bits, mean {mean:.2}: no measure of quality, see docs/keys.md"));
    }
    out
}

fn plural(words: usize) -> &'static str {
    if words == 1 { "word " } else { "words" }
}

fn found(size: &Size) -> String {
    if size.more { format!(">{}", size.found) } else { size.found.to_string() }
}

/// A number that may be tiny.
pub(super) fn number(number: f64) -> String {
    match number {
        0.0 => "0".into(),
        _ if number >= 1e8 => format!("{number:.1e}"),
        _ if number >= 100.0 => format!("{number:.0}"),
        _ if number >= 0.01 => format!("{number:.2}"),
        _ => format!("{number:.1e}"),
    }
}

/// The document of an audit.
pub fn document(name: &str, seed: Option<u64>, audit: &Audit) -> String {
    let words = &audit.list.words;
    let sizes = |sizes: &[Size]| -> Value {
        let size = |size: &Size| {
            json!({
                "words": size.words,
                "found": size.found.to_string(),
                "at_least": size.more,
                "expected": size.expected,
            })
        };
        sizes.iter().map(size).collect()
    };
    let names = |subset: &Vec<usize>| subset.iter().map(|&word| words[word].term.to_string()).collect::<Vec<_>>();
    let dependency = |subset: &Vec<usize>| {
        json!({
            "words": names(subset),
            "obstacle": audit.obstacle(subset).map(|reason| reason.to_string()),
        })
    };
    let window = |report: &perft_gate_lab::quality::WindowReport| {
        json!({
            "window": report.window.name(),
            "bits": report.bits,
            "rank": report.rank,
            "dependencies": sizes(&report.dependencies.sizes),
            "suspicious": report.suspect,
        })
    };
    let finding = |finding: &perft_gate_lab::quality::AuditFinding| json!({ "verdict": finding.verdict.name(), "text": finding.text });
    let document = json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "scheme": name,
        "seed": seed.map(|seed| seed.to_string()),
        "verdict": audit.verdict().name(),
        "findings": audit.findings().iter().map(finding).collect::<Vec<_>>(),
        "combine": audit.list.combine.name(),
        "bits": audit.list.bits,
        "words": words.len(),
        "words_in_keys": words.iter().filter(|word| word.term.is_in_play()).count(),
        "rank": audit.rank,
        "effective_bits": audit.effective_bits,
        "left_out": names(&audit.left_out),
        "interrupted": audit.dependencies.interrupted,
        "sizes": sizes(&audit.dependencies.sizes),
        "dependencies": audit.dependencies.subsets.iter().take(LISTED).map(dependency).collect::<Vec<_>>(),
        "windows": audit.windows.iter().map(window).collect::<Vec<_>>(),
        "bias": audit.bias.map(|bias| json!({ "bit": bias.bit, "ones": bias.ones, "z": bias.z })),
        "distances": audit.distances.map(|bits| json!({ "min": bits.min, "mean": bits.mean, "max": bits.max })),
    });
    let mut text = serde_json::to_string_pretty(&document).expect("strings and numbers");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_lab::quality::{Watch, WordList};
    use perft_gate_walk::zobrist::Scheme;

    fn audit(name: &str) -> Audit {
        let scheme = Scheme::parse(name, true).unwrap();
        let list = WordList::new(&scheme.axes.unwrap(), &scheme.key_tables(0).unwrap()).unwrap();
        Audit::of(list, 4, &Watch::default())
    }

    #[test]
    fn a_report_says_what_was_found() {
        let text = text("rotate", &audit("rotate"));
        for part in [
            "rotate: 793 words of 64 bits, 761 of them in keys: suspicious",
            "fold       32   32          384 (7.3e-5)",
            "  !",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.lines().all(|line| line.trim_end() == line && line.len() <= 140), "{text}");
    }

    #[test]
    fn a_document_says_the_same() {
        let document: Value = serde_json::from_str(&document("rotate", Some(0), &audit("rotate"))).unwrap();
        assert_eq!(document["verdict"], "suspicious");
        assert_eq!(document["sizes"].as_array().unwrap().len(), 4);
        let fold = document["windows"].as_array().unwrap().iter().find(|w| w["window"] == "fold").unwrap();
        assert_eq!(fold["dependencies"][1]["found"], "384");
    }
}
