//! An audit as `perft.keys/1`.
//!
//! Counts are decimal strings, as everywhere; dependencies are lists of names.

use perft_gate_lab::quality::{Audit, DependencyCount};
use serde_json::{Value, json};

/// Maximum number of dependencies listed in a file.
const LISTED: usize = 1000;
/// Name and version of the format.
pub const SCHEMA: &str = "perft.keys/1";

/// Returns the document of an audit.
pub fn document(name: &str, seed: Option<u64>, audit: &Audit) -> String {
    let entries = &audit.list.entries;
    let sizes = |sizes: &[DependencyCount]| -> Value {
        let size = |size: &DependencyCount| {
            json!({
                "words": size.entries,
                "found": size.found.to_string(),
                "at_least": size.more,
                "expected": size.expected,
            })
        };
        sizes.iter().map(size).collect()
    };
    let names = |subset: &Vec<usize>| subset.iter().map(|&entry| entries[entry].term.to_string()).collect::<Vec<_>>();
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
        "words": entries.len(),
        "words_in_keys": entries.iter().filter(|entry| entry.term.is_in_play()).count(),
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
    use perft_gate_lab::quality::{SearchControl, TableEntries};
    use perft_gate_zobrist::Scheme;

    fn audit(name: &str) -> Audit {
        let scheme = Scheme::parse(name, true).unwrap();
        let list = TableEntries::new(&scheme.axes.unwrap(), &scheme.key_tables(0).unwrap()).unwrap();
        Audit::of(list, 4, &SearchControl::default())
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
