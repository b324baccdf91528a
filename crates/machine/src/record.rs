//! Records of benchmark runs, with the measurements, the machine and the build. `schema/record-1.schema.json` defines
//! the format of [`Record`].
//!
//! A record contains all rounds with every timed slice. Rates, intervals and charts are computed from these slices. New
//! fields may be added, but the meaning of a field never changes.

use crate::hardware::Machine;
use crate::watch::{Conditions, NEIGHBOURS_TOOK};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Display;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.record/1";

/// Nesting depth of the rounds in the JSON text. Each round takes one line.
const ROW_DEPTH: usize = 5;

/// Record of a run of the benchmark.
#[perft_gate_kernel::document(sparse, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Record {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Groups of workloads that were timed alternately.
    pub stages: Vec<Stage>,
    /// Times of identical tasks on every hardware thread.
    pub tasks: Vec<Tasks>,
    /// Rates over a long time. Empty if they were not requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sustained: Vec<Sustained>,
    /// The owner's name for the machine and its setup.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub label: Option<String>,
    /// The owner's remarks.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub note: Option<String>,
    /// Version of the set of workloads. Absent in records that are older than this field. See
    /// [`Record::workloads_version`].
    #[cfg_attr(feature = "schema", schemars(with = "u32", range(min = 1)))]
    pub workloads_version: Option<u32>,
    /// Start time in UTC, as in RFC 3339.
    pub started: String,
    /// Description of the order in which threads were placed on the hardware.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub placement: Option<String>,
    /// Conditions of the run; absent in records that are older than this field.
    #[cfg_attr(feature = "schema", schemars(with = "Conditions"))]
    pub conditions: Option<Conditions>,
    /// Settings of the run.
    pub settings: RecordSettings,
    /// Build of the program.
    pub build: Build,
    /// Machine and system.
    pub machine: Machine,
}

/// Settings of a run.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct RecordSettings {
    /// True if the run was a quick one, which does the same work in fewer rounds.
    pub quick: bool,
    /// SIMD level.
    pub level: String,
    /// Seed of the randomised slice order.
    pub seed: u64,
    /// True if the run was stopped before its end.
    pub interrupted: bool,
}

/// Workloads that were timed alternately, and the rounds in which they were timed.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Stage {
    /// Resource that limits the speed of the works.
    pub bound: String,
    /// The works.
    pub works: Vec<Work>,
    /// Rounds, in order.
    pub rounds: Vec<Round>,
}

/// A workload on a number of threads.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
// Unknown fields are rejected, because such a field may mean that the work is different.
#[serde(deny_unknown_fields)]
pub struct Work {
    /// Name of the workload.
    pub workload: String,
    /// Version of the workload's definition. Rates of different versions are not compared.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub version: u32,
    /// Unit that the workload counts.
    pub unit: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// Hardware threads to pin the workers to. Empty if the system does not number its hardware threads.
    pub cores: Vec<usize>,
    /// Number of workers that were pinned.
    pub pinned: usize,
    /// Number of units that a pass of the workload counts.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub nodes: u64,
}

/// A round. It runs every work once in some order, and then once more in the reverse order.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Indices of the works, in the order in which the first half of the round runs them.
    pub order: Vec<usize>,
    /// The two slices of each work, each with the number of units counted and the time taken in nanoseconds.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<[(std::num::NonZeroU64, std::num::NonZeroU64); 2]>"))]
    pub slices: Vec<[(u64, u64); 2]>,
}

/// Times of identical tasks on one hardware thread.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Tasks {
    /// Number of the hardware thread, if the system numbers its threads and the worker was pinned to it.
    pub core: Option<usize>,
    /// True if all other hardware threads were busy too.
    pub loaded: bool,
    /// Number of leaves of a task.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub nodes: u64,
    /// Longest time, exact, in nanoseconds.
    pub longest_ns: u64,
    /// Times in nanoseconds, rounded to two digits and in ascending order, each with the number of tasks that took that
    /// long.
    pub times: Vec<(u64, u64)>,
}

/// Rate of a workload over a long time, which shows the effect of heat.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Sustained {
    /// Name of the workload.
    pub workload: String,
    /// Version of the workload's definition.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub version: u32,
    /// Unit that the workload counts.
    pub unit: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// Consecutive timed stretches of the run, in order.
    pub stretches: Vec<Stretch>,
}

/// A timed stretch of a run over a long time.
#[perft_gate_kernel::document(sparse, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Stretch {
    /// Start of the stretch, in milliseconds since the start of the first stretch.
    pub at_ms: u64,
    /// Number of units counted.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub nodes: u64,
    /// Time taken in nanoseconds.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub ns: u64,
    /// Temperature of the processor at the end of the stretch, in degrees Celsius.
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub celsius: Option<f64>,
}

impl Stretch {
    /// Returns the rate in units per second.
    pub fn rate(&self) -> f64 {
        self.nodes as f64 * 1e9 / self.ns as f64
    }
}

/// Build of a program.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Build {
    /// Version of the package.
    pub version: String,
    /// Commit of its sources, if they were under version control.
    pub revision: Option<String>,
    /// True if the sources had uncommitted changes.
    pub dirty: Option<bool>,
    /// Compiler, as `rustc --version` prints it.
    pub compiler: String,
    /// Target triple.
    pub target: String,
    /// Optimisation level of the measured code: 0 to 3, s or z. If the levels of its crates differ, the level of each
    /// crate.
    pub opt_level: String,
    /// RUSTFLAGS of the build.
    pub flags: String,
    /// True if assertions are compiled in.
    pub debug_assertions: bool,
}

impl Build {
    /// Returns a name like `f685870a12`, followed by `-dirty` if the sources had been changed, or `unknown` if the
    /// commit is not known.
    pub fn name(&self) -> String {
        let dirty = if self.dirty == Some(true) { "-dirty" } else { "" };
        self.revision.as_ref().map_or("unknown".into(), |revision| format!("{revision}{dirty}"))
    }
}

impl Record {
    /// Returns true if the record has a warning that neighbours took too much of the processor time.
    pub fn is_disturbed(&self) -> bool {
        let mut warnings = self.conditions.iter().flat_map(|conditions| &conditions.warnings);
        warnings.any(|warning| warning.starts_with(NEIGHBOURS_TOOK))
    }

    /// Returns the version of the set of workloads. Records with different versions are never compared or shown
    /// together.
    ///
    /// The version of the set is raised whenever the version of any workload in it is raised. In the first set, every
    /// workload has version 1. So a record that lacks the version of the set gets the largest version among its works,
    /// which is 1 in every record of a released program.
    pub fn workloads_version(&self) -> u32 {
        let works = || self.stages.iter().flat_map(|stage| &stage.works);
        self.workloads_version.unwrap_or_else(|| works().map(|work| work.version).max().unwrap_or(1))
    }

    /// Returns true if nothing was measured, that is, if no stage has a round.
    pub fn is_empty(&self) -> bool {
        self.stages.iter().all(|stage| stage.rounds.is_empty())
    }

    /// Returns the record as the text of a JSON file, with one line for each round.
    pub fn text(&self) -> String {
        lines(self, ROW_DEPTH)
    }

    /// Checks the properties of a valid record that its types do not guarantee.
    pub fn check(&self) -> Result<(), String> {
        if self.is_empty() {
            return Err("found no round, expected a record of a complete run of `perft bench`".into());
        }
        for (number, stage) in self.stages.iter().enumerate() {
            let works = stage.works.len();
            for (round_number, round) in stage.rounds.iter().enumerate() {
                let at = |field: &str| format!("stages[{number}].rounds[{round_number}].{field}");
                let mut order = round.order.clone();
                order.sort_unstable();
                if !order.into_iter().eq(0..works) {
                    return wrong(&at("order"), format!("{:?}", round.order), format!("each of {works} works once"));
                }
                if round.slices.len() != works {
                    return wrong(&at("slices"), round.slices.len(), format!("one for each of {works} works"));
                }
                if round.slices.iter().flatten().any(|&(nodes, ns)| nodes == 0 || ns == 0) {
                    return wrong(&at("slices"), "a count or a time of 0", "more");
                }
            }
        }
        for (number, sustained) in self.sustained.iter().enumerate() {
            if sustained.stretches.iter().any(|stretch| stretch.nodes == 0 || stretch.ns == 0) {
                return wrong(&format!("sustained[{number}].stretches"), "a count or a time of 0", "more");
            }
        }
        match self.conditions.as_ref().and_then(Conditions::find_impossible) {
            Some((field, expected)) => wrong(&format!("conditions.{field}"), "impossible readings", expected),
            None => Ok(()),
        }
    }
}

fn wrong(path: &str, found: impl Display, expected: impl Display) -> Result<(), String> {
    Err(format!("{path}: found {found}, expected {expected}"))
}

/// Returns a document laid out for people and for line-by-line comparison. It is indented down to `row_depth`, has one
/// line for each value at that depth, and ends with a newline.
pub fn lines(document: &impl Serialize, row_depth: usize) -> String {
    let document = serde_json::to_value(document).expect("strings and numbers");
    let mut text = String::new();
    write(&document, row_depth - 1, "\n", &mut text);
    text + "\n"
}

/// Writes a value whose rows are `depth` levels below it. `newline` is a line break followed by the value's
/// indentation.
fn write(value: &Value, depth: usize, newline: &str, text: &mut String) {
    let (open, items, close): (_, Vec<(String, &Value)>, _) = match value {
        Value::Array(values) if depth > 0 && !values.is_empty() => {
            ("[", values.iter().map(|value| (String::new(), value)).collect(), "]")
        }
        Value::Object(fields) if depth > 0 && !fields.is_empty() => {
            ("{", fields.iter().map(|(name, value)| (format!("\"{name}\": "), value)).collect(), "}")
        }
        _ => return *text += &value.to_string(),
    };
    let inner = format!("{newline}  ");
    *text += open;
    for (number, (name, value)) in items.into_iter().enumerate() {
        *text += if number > 0 { "," } else { "" };
        *text += &inner;
        *text += &name;
        write(value, depth - 1, &inner, text);
    }
    *text += newline;
    *text += close;
}
