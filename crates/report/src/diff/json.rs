//! `perft.diff/1`: the comparison of two records of `perft bench`.

use perft_gate_bench::diff::{Diff, WorkName};
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.diff/1";

/// Result of a run of `perft diff`.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiffDocument<'a> {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// File of the old record.
    pub old: String,
    /// File of the new record.
    pub new: String,
    /// The comparison.
    #[serde(flatten)]
    pub diff: &'a Diff,
    /// Judgement of `--fail-slower`, if it was asked for.
    pub fail_slower: Option<FailSlower<'a>>,
}

/// Judgement of `--fail-slower`.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailSlower<'a> {
    /// The limit, as a fraction.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub limit: f64,
    /// Works that are certainly slower by more.
    pub slower: Vec<&'a WorkName>,
}

impl<'a> FailSlower<'a> {
    /// Judges a comparison.
    pub fn of(diff: &'a Diff, limit: f64) -> FailSlower<'a> {
        let slower = diff.pairs.iter().filter(|pair| pair.is_slower_by(limit));
        FailSlower { limit, slower: slower.map(|pair| &pair.work).collect() }
    }
}
