//! Parts of `perft.compare/1` that a page needs; `report::compare` writes it.

use perft_gate_lab::measure::Interval;
use perft_gate_lab::record::{Build, Machine};
use serde::Deserialize;

/// A comparison of schemes.
#[derive(Deserialize, Clone, Debug)]
pub struct Compare {
    /// Rounds, each of which is skipped here: the tables have their results.
    pub rounds: Vec<serde::de::IgnoredAny>,
    /// SIMD level.
    pub level: String,
    /// Who took part.
    #[serde(rename = "contenders")]
    pub contestants: Vec<Contestant>,
    /// Tables, in order.
    pub tables: Vec<CompareTable>,
    /// Time of the start.
    pub started: String,
    /// Build of the program.
    pub build: Build,
    /// Machine and system.
    pub machine: Machine,
}

/// A contestant: a scheme.
#[derive(Deserialize, Clone, Debug)]
pub struct Contestant {
    /// Name.
    pub name: String,
    /// Size of its tables in bytes.
    pub table_bytes: u64,
    /// Time of a node that is made and unmade.
    pub ns_per_node: f64,
    /// Times of the full recompute, by level.
    pub recompute: Vec<Recompute>,
}

/// Times of a full recompute.
#[derive(Deserialize, Clone, Debug)]
pub struct Recompute {
    /// SIMD level.
    pub level: String,
    /// Time a board in a batch.
    pub batch_ns: f64,
    /// Time a board by the portable recompute, one by one.
    pub scalar_ns: f64,
}

/// Schemes compared with one of them.
#[derive(Deserialize, Clone, Debug)]
pub struct CompareTable {
    /// Property that is varied.
    pub title: String,
    /// Index of the contestant that the others are compared with.
    pub reference: usize,
    /// Noise floor that a difference must exceed, as a fraction of the time.
    pub floor: f64,
    /// Comparisons, in order.
    pub comparisons: Vec<Comparison>,
}

/// Comparison of a scheme with the reference.
#[derive(Deserialize, Clone, Debug)]
pub struct Comparison {
    /// Which one.
    #[serde(rename = "contender")]
    pub contestant: usize,
    /// Ratio of its time to the reference's.
    pub ratio: Interval,
    /// Its time less the reference's, in nanoseconds a node.
    pub difference_ns: Interval,
    /// Verdict.
    pub verdict: String,
}

impl Compare {
    /// Checks what the types do not guarantee.
    pub(super) fn check(&self) -> Result<(), String> {
        let most = self.contestants.len();
        for (number, table) in self.tables.iter().enumerate() {
            let others = table.comparisons.iter().map(|comparison| comparison.contestant);
            if let Some(found) = others.chain([table.reference]).find(|&contestant| contestant >= most) {
                return Err(format!("tables[{number}]: found contestant {found}, expected one of {most}"));
            }
        }
        Ok(())
    }
}
