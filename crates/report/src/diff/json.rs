//! `perft.diff/1`: the comparison of two records of `perft bench`.

use perft_gate_bench::diff as records;
use perft_gate_lab::measure::{CostVerdict, Interval};
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.diff/1";

/// Result of a run of `perft diff`.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiffDocument {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// File of the old record.
    pub old: String,
    /// File of the new record.
    pub new: String,
    /// Differences of the hardware; empty on the same hardware.
    pub hardware: Vec<ChangedField>,
    /// Other differences that may matter.
    pub others: Vec<ChangedField>,
    /// Comparisons by workload and threads.
    pub pairs: Vec<WorkComparison>,
    /// Works that only one record has.
    pub unpaired: Vec<UnpairedWork>,
    /// Judgement of `--fail-slower`, if it was asked for.
    pub fail_slower: Option<FailSlower>,
}

/// A property that differs.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangedField {
    /// Name of the property.
    pub field: String,
    /// Value in the old record.
    pub old: String,
    /// Value in the new record.
    pub new: String,
}

/// A workload on a number of threads.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkName {
    /// Name of the workload.
    pub workload: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// Kind of core, on a machine with several.
    pub kind: Option<String>,
}

/// Comparison of the same work in both records.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkComparison {
    /// The work.
    #[serde(flatten)]
    pub work: WorkName,
    /// Name of its stage: `core` or `memory`.
    pub bound: String,
    /// Number of rounds of each record.
    pub rounds: [usize; 2],
    /// Rates of each record, in units a second.
    pub rates: [f64; 2],
    /// Ratio of the new time to the old.
    pub ratio: Interval,
    /// The same ratio, with times as multiples of the yardstick's; none on other hardware.
    pub adjusted: Option<Interval>,
    /// Noise floor, as a fraction.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub floor: f64,
    /// Smallest difference that would have been seen, as a fraction; none if there are too few rounds for any.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub smallest_visible: Option<f64>,
    /// Verdict; none for the yardstick on the same hardware.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["slower", "faster", "no difference seen", "undecided", null])))]
    pub verdict: Option<String>,
}

/// A work that only one record has.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnpairedWork {
    /// The work.
    #[serde(flatten)]
    pub work: WorkName,
    /// `old` or `new`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["old", "new"])))]
    pub record: String,
}

/// Judgement of `--fail-slower`.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailSlower {
    /// The limit, as a fraction.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub limit: f64,
    /// Works that are certainly slower by more.
    pub slower: Vec<WorkName>,
}

impl From<&perft_gate_machine::record::Work> for WorkName {
    fn from(work: &perft_gate_machine::record::Work) -> WorkName {
        WorkName { workload: work.workload.clone(), threads: work.threads, kind: work.kind.clone() }
    }
}

impl From<&records::FieldDifference> for ChangedField {
    fn from(difference: &records::FieldDifference) -> ChangedField {
        let records::FieldDifference { field, old, new } = difference.clone();
        ChangedField { field: field.into(), old, new }
    }
}

impl From<&records::PairedWork> for WorkComparison {
    fn from(pair: &records::PairedWork) -> WorkComparison {
        WorkComparison {
            work: (&pair.work).into(),
            bound: pair.bound.clone(),
            rounds: pair.rounds,
            rates: pair.rates,
            ratio: pair.ratio,
            adjusted: pair.adjusted,
            floor: pair.floor.part(),
            smallest_visible: pair.smallest_visible(),
            verdict: pair.verdict.as_ref().map(CostVerdict::to_string),
        }
    }
}

impl DiffDocument {
    /// Returns the document of a comparison; `limit` is that of `--fail-slower`.
    pub fn new([old, new]: [String; 2], diff: &records::Diff, limit: Option<f64>) -> DiffDocument {
        let unpaired = |unpaired: &records::Unpaired| UnpairedWork {
            work: (&unpaired.work).into(),
            record: if unpaired.new { "new" } else { "old" }.into(),
        };
        let slower = |limit| diff.pairs.iter().filter(move |pair| pair.is_slower_by(limit));
        let fail_slower = |limit| FailSlower { limit, slower: slower(limit).map(|pair| (&pair.work).into()).collect() };
        DiffDocument {
            schema: SCHEMA.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            old,
            new,
            hardware: diff.hardware.iter().map(ChangedField::from).collect(),
            others: diff.others.iter().map(ChangedField::from).collect(),
            pairs: diff.pairs.iter().map(WorkComparison::from).collect(),
            unpaired: diff.unpaired.iter().map(unpaired).collect(),
            fail_slower: limit.map(fail_slower),
        }
    }
}
