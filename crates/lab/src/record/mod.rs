//! Records of the benchmark: what was measured, on which machine, by which build. `schema/record-1.schema.json` defines the
//! format, [`Record`] is it.
//!
//! The rows come first, every slice that was timed; rates, intervals and pictures are made from them again. Fields may be
//! added, meanings do not change.

mod build;
mod layout;
mod machine;

pub use build::Build;
pub use layout::lines;
pub use machine::Sysfs;
pub use machine::{Cache, Hardware, Machine, System};

use crate::measure::{self, Samples, Slice};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The name and version of the format.
pub const SCHEMA: &str = "perft.record/1";

/// A round stands in a line.
const ROW_DEPTH: usize = 5;

/// What a run of the benchmark measured.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: String,
    /// What was interleaved with what.
    pub stages: Vec<Stage>,
    /// How long equal tasks took on every hardware thread.
    pub tasks: Vec<Tasks>,
    /// When it began, UTC, RFC 3339.
    pub started: String,
    /// How it was run.
    pub settings: RecordSettings,
    /// By what.
    pub build: Build,
    /// On what.
    pub machine: Machine,
}

/// How a benchmark was run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct RecordSettings {
    /// A short run: the same work, fewer rounds.
    pub quick: bool,
    /// The instructions that were used.
    pub level: String,
    /// Of the orders.
    pub seed: u64,
    /// Was it stopped before its end?
    pub interrupted: bool,
}

/// Works that took turns, and their rounds.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Stage {
    /// What they are bound by.
    pub bound: String,
    /// The works.
    pub works: Vec<Work>,
    /// In order.
    pub rounds: Vec<Round>,
}

/// A workload on so many threads.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Work {
    /// The workload's name.
    pub workload: String,
    /// Of its definition: rates of different versions are not compared.
    pub version: u32,
    /// What is counted.
    pub unit: String,
    /// Worker threads.
    pub threads: usize,
    /// The hardware threads that they were to be pinned to; empty if the system names none.
    pub cores: Vec<usize>,
    /// How many of them were.
    pub pinned: usize,
    /// Units of a pass.
    pub nodes: u64,
}

/// A round: every work once in an order, once in the reverse order.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Works, in the order of the first half.
    pub order: Vec<usize>,
    /// By work, its two slices: units and nanoseconds.
    pub slices: Vec<[(u64, u64); 2]>,
}

/// How long equal tasks took on a hardware thread.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Tasks {
    /// The hardware thread, if the system names it and the worker was pinned to it.
    pub core: Option<usize>,
    /// Were all others busy too?
    pub loaded: bool,
    /// Leaves of a task.
    pub nodes: u64,
    /// The longest time, exactly, in nanoseconds.
    pub longest_ns: u64,
    /// Times in nanoseconds, to two digits, and how many tasks took so long; ascending.
    pub times: Vec<(u64, u64)>,
}

impl From<&measure::Round> for Round {
    fn from(round: &measure::Round) -> Round {
        let slice = |slice: &Slice| (slice.nodes, slice.time.as_nanos() as u64);
        let slices = round.slices.iter().map(|[first, last]| [slice(first), slice(last)]);
        Round { order: round.order.clone(), slices: slices.collect() }
    }
}

impl Stage {
    /// The rounds, to be evaluated.
    pub fn samples(&self) -> Samples {
        let slice = |&(nodes, ns): &(u64, u64)| Slice { nodes, time: Duration::from_nanos(ns) };
        let rounds = self.rounds.iter().map(|round| measure::Round {
            order: round.order.clone(),
            slices: round.slices.iter().map(|[first, last]| [slice(first), slice(last)]).collect(),
        });
        Samples { rounds: rounds.collect(), interrupted: false }
    }
}

/// Why a text is no record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError(String);

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// What is said of a record without a round.
    pub const EMPTY: &str = "found no round, expected a record of a `perft bench` that came to its end";

    /// Reads a record. **Errors**: it is cut short, of another format or version, or says what cannot be.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let record = match serde_json::from_str::<Record>(text) {
            Ok(record) if record.schema == SCHEMA => record,
            // Again, more slowly, to say what is wrong.
            _ => Record::read_through_value(text)?,
        };
        record.check()?;
        Ok(record)
    }

    /// Reads a record in steps, so that each can say what it expected.
    fn read_through_value(text: &str) -> Result<Record, RecordError> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|error| {
            let found = if error.is_eof() { "the end of the file" } else { "what is no JSON" };
            RecordError(format!(
                "line {}, column {}: found {found}, expected a whole {SCHEMA}",
                error.line(),
                error.column()
            ))
        })?;
        match value.get("schema").and_then(|schema| schema.as_str()) {
            Some(SCHEMA) => {}
            Some(other) => {
                let newer = if is_newer(other) { ", which a newer perft wrote" } else { "" };
                return Err(RecordError(format!("schema: found '{other}'{newer}, expected '{SCHEMA}'")));
            }
            None => return Err(RecordError(format!("schema: found none, expected '{SCHEMA}'"))),
        }
        serde_path_to_error::deserialize(value).map_err(|error| {
            RecordError(format!("{}: {}, expected what {SCHEMA} defines", error.path(), error.inner()))
        })
    }

    /// Returns true if nothing was measured: no stage has a round.
    pub fn is_empty(&self) -> bool {
        self.stages.iter().all(|stage| stage.rounds.is_empty())
    }

    /// As a file has it, with a line for each round.
    pub fn text(&self) -> String {
        lines(self, ROW_DEPTH)
    }

    /// What the types leave open.
    fn check(&self) -> Result<(), RecordError> {
        let wrong = |path: String, found: String, expected: String| {
            Err(RecordError(format!("{path}: found {found}, expected {expected}")))
        };
        for (number, stage) in self.stages.iter().enumerate() {
            for (round_number, round) in stage.rounds.iter().enumerate() {
                let at = |field: &str| format!("stages[{number}].rounds[{round_number}].{field}");
                let mut order = round.order.clone();
                order.sort_unstable();
                if !order.iter().copied().eq(0..stage.works.len()) {
                    return wrong(
                        at("order"),
                        format!("{:?}", round.order),
                        format!("each of {} works once", stage.works.len()),
                    );
                }
                if round.slices.len() != stage.works.len() {
                    return wrong(
                        at("slices"),
                        round.slices.len().to_string(),
                        format!("one for each of {} works", stage.works.len()),
                    );
                }
                if round.slices.iter().flatten().any(|&(nodes, ns)| nodes == 0 || ns == 0) {
                    return wrong(at("slices"), "a count or a time of 0".into(), "more".into());
                }
            }
        }
        Ok(())
    }
}

/// Is this a later version of our format?
fn is_newer(schema: &str) -> bool {
    let version = |schema: &str| schema.strip_prefix("perft.record/")?.parse::<u32>().ok();
    version(schema) > version(SCHEMA)
}
