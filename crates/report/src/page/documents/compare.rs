//! What a page needs of `perft.compare/1`, which `report::compare` writes.

use perft_gate_lab::measure::Interval;
use perft_gate_lab::record::{Build, Machine};
use serde::Deserialize;

/// A comparison of schemes.
#[derive(Deserialize, Clone, Debug)]
pub struct Compare {
    /// How many rounds there were, each of which is skipped here: the tables say what came of them.
    pub rounds: Vec<serde::de::IgnoredAny>,
    /// The instructions that were used.
    pub level: String,
    /// Who took part.
    #[serde(rename = "contenders")]
    pub contestants: Vec<Contestant>,
    /// In order.
    pub tables: Vec<CompareTable>,
    /// When it began.
    pub started: String,
    /// By what.
    pub build: Build,
    /// On what.
    pub machine: Machine,
}

/// A scheme.
#[derive(Deserialize, Clone, Debug)]
pub struct Contestant {
    /// Its name.
    pub name: String,
    /// Of its tables.
    pub table_bytes: u64,
    /// Of a node that is made and unmade.
    pub ns_per_node: f64,
    /// The full recompute, by level.
    pub recompute: Vec<Recompute>,
}

/// What a full recompute takes.
#[derive(Deserialize, Clone, Debug)]
pub struct Recompute {
    /// The instructions that were used.
    pub level: String,
    /// A board in a batch.
    pub batch_ns: f64,
    /// A board by itself, the portable way.
    pub scalar_ns: f64,
}

/// Schemes against one of them.
#[derive(Deserialize, Clone, Debug)]
pub struct CompareTable {
    /// What is varied.
    pub title: String,
    /// The contestant that the others are compared with.
    pub reference: usize,
    /// The part of the time that a difference must exceed.
    pub floor: f64,
    /// In order.
    pub comparisons: Vec<Comparison>,
}

/// A scheme against the reference.
#[derive(Deserialize, Clone, Debug)]
pub struct Comparison {
    /// Which one.
    #[serde(rename = "contender")]
    pub contestant: usize,
    /// Its time by the reference's.
    pub ratio: Interval,
    /// Its time less the reference's, a node.
    pub difference_ns: Interval,
    /// What can be said.
    pub verdict: String,
}

impl Compare {
    /// What the types leave open.
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
