//! An audit as `perft.keys/1`.
//!
//! Counts are numbers; the seed is text, because it may need 64 bits. Dependencies are lists of names.

use crate::formats::file;
use perft_gate_chess::json::OptionalDecimal;
use perft_gate_lab::quality::{Audit, AuditFinding, AuditVerdict, Bias, DependencyCount, Distances, WindowReport};
use serde::Serialize;

/// Maximum number of dependencies listed in a file.
const LISTED: usize = 1000;
/// Name and version of the format.
pub const SCHEMA: &str = "perft.keys/1";

/// The audit of a scheme's key tables.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeysDocument<'a> {
    /// Always [`SCHEMA`].
    schema: &'a str,
    /// Version of the program.
    version: &'a str,
    /// Name of the scheme.
    scheme: &'a str,
    /// Seed of its key tables; null: they are published or from a file.
    #[serde(with = "OptionalDecimal")]
    seed: Option<u64>,
    /// The worst verdict of all findings.
    verdict: AuditVerdict,
    /// Findings.
    findings: Vec<AuditFinding>,
    /// How entries make a key; `add`: a dependency is of entries each added or subtracted, and up to four are sought.
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
    /// Entries that no position has, zero or standing twice: not searched.
    left_out: Vec<String>,
    /// True if larger subsets were not searched.
    interrupted: bool,
    /// Dependent subsets by size.
    sizes: Vec<DependencyCount>,
    /// Dependent subsets, the first of them.
    #[cfg_attr(feature = "schema", schemars(length(max = LISTED)))]
    dependencies: Vec<DependentSubset>,
    /// Windows of the keys.
    windows: Vec<WindowReport>,
    /// The most uneven bit.
    bias: Option<Bias>,
    /// Distances between entries; no measure of quality.
    distances: Option<Distances>,
}

/// A dependent subset.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DependentSubset {
    /// Its entries.
    words: Vec<String>,
    /// Why no game reaches it; null: not excluded.
    obstacle: Option<String>,
}

/// Returns the document of an audit.
pub fn document(name: &str, seed: Option<u64>, audit: &Audit) -> String {
    file::text(&KeysDocument::of(name, seed, audit))
}

impl<'a> KeysDocument<'a> {
    /// Returns the document of an audit, perhaps as a part of another.
    pub fn of(name: &'a str, seed: Option<u64>, audit: &Audit) -> KeysDocument<'a> {
        let entries = &audit.list.entries;
        let names = |subset: &Vec<usize>| subset.iter().map(|&entry| entries[entry].term.to_string()).collect();
        let dependency = |subset: &Vec<usize>| DependentSubset {
            words: names(subset),
            obstacle: audit.obstacle(subset).map(|reason| reason.to_string()),
        };
        KeysDocument {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            scheme: name,
            seed,
            verdict: audit.verdict(),
            findings: audit.findings(),
            combine: audit.list.combine.name(),
            bits: audit.list.bits,
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

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_lab::quality::{SearchControl, TableEntries};
    use perft_gate_zobrist::Scheme;
    use serde_json::Value;

    fn audit(name: &str) -> Audit {
        let list = TableEntries::of(&Scheme::parse(name, true).unwrap(), 0).unwrap();
        Audit::of(list, 4, &SearchControl::default())
    }

    #[test]
    fn a_document_says_the_same() {
        let document: Value = serde_json::from_str(&document("rotate", Some(0), &audit("rotate"))).unwrap();
        assert_eq!(document["verdict"], "suspicious");
        assert_eq!(document["sizes"].as_array().unwrap().len(), 4);
        let fold = document["windows"].as_array().unwrap().iter().find(|w| w["window"] == "fold").unwrap();
        assert_eq!(fold["dependencies"]["sizes"][1]["found"], 384);
    }
}
