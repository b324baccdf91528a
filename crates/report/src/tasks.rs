//! Output of `perft tasks status`: text, and the JSON document `perft.tasks-status/1`.

use crate::text::{TextTable, line, names, numbers};
use serde::Serialize;

pub const SCHEMA: &str = "perft.tasks-status/1";

/// Progress of a count that is split into tasks.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct TasksStatus {
    /// Number of tasks.
    pub tasks: usize,
    /// Number of independent counts that each task needs.
    pub required: usize,
    /// Number of tasks that have at least `required` counts.
    pub counted: usize,
    /// Tasks with fewer than `required` counts, as ranges of task numbers from first to last.
    pub missing: Vec<[usize; 2]>,
    /// Tasks whose counts disagree with each other, as ranges of task numbers from first to last.
    pub different: Vec<[usize; 2]>,
    /// Who counted, sorted by name.
    pub counters: Vec<Counter>,
    /// Estimated time until every task has `required` counts, or `null` if the rate of counting is not known yet.
    pub seconds_left: Option<f64>,
}

/// A machine or another program that counted tasks, and its totals.
#[perft_gate_chess::document(Serialize, Clone, Default, Debug)]
pub struct Counter {
    /// Name of the host, or of the other program whose counts were added.
    pub name: String,
    /// Number of counts.
    pub tasks: usize,
    /// Number of leaves of these tasks, not multiplied by the number of paths to each task.
    pub nodes: u128,
    /// Time in seconds from the start of this counter's first file to the writing of its last file.
    pub seconds: f64,
}

impl TasksStatus {
    pub fn text(&self) -> String {
        let mut out = String::new();
        let of = if self.required > 1 { format!(" {} times independently", self.required) } else { String::new() };
        line(&mut out, 0, &format!("tasks {} of {} counted{of}", self.counted, self.tasks));
        for (name, ranges) in [("missing", &self.missing), ("different", &self.different)] {
            if !ranges.is_empty() {
                line(&mut out, 0, &format!("{name} {}: {}", number(ranges), list(ranges)));
            }
        }
        if self.counters.is_empty() {
            return out;
        }
        let longest = self.counters.iter().map(|counter| counter.name.chars().count()).max().unwrap_or_default();
        let columns = [
            names("counted by", longest),
            numbers("tasks", 9, 0),
            numbers("nodes", 22, 0),
            numbers("hours", 9, 0),
            numbers("tasks/h", 10, 0),
            numbers("nodes/h", 9, 0),
        ];
        let table = TextTable::new(&columns, None);
        line(&mut out, 0, &table.head());
        for counter in &self.counters {
            let hours = counter.seconds / 3600.0;
            let rate = |units: String| if counter.seconds > 0.0 { units } else { "-".into() };
            let cells = [
                counter.name.clone(),
                counter.tasks.to_string(),
                counter.nodes.to_string(),
                format!("{hours:.2}"),
                rate(format!("{:.0}", counter.tasks as f64 / hours)),
                rate(format!("{:.2e}", counter.nodes as f64 / hours)),
            ];
            line(&mut out, 0, &table.line(&cells));
        }
        if let Some(seconds) = self.seconds_left {
            line(&mut out, 0, &format!("{:.2} hours left at this rate", seconds / 3600.0));
        }
        out
    }
}

/// Joins ascending numbers into ranges.
pub fn ranges(numbers: impl IntoIterator<Item = usize>) -> Vec<[usize; 2]> {
    let numbers: Vec<usize> = numbers.into_iter().collect();
    numbers.chunk_by(|one, next| one + 1 == *next).map(|run| [run[0], run[run.len() - 1]]).collect()
}

pub fn number(ranges: &[[usize; 2]]) -> usize {
    ranges.iter().map(|[first, last]| last - first + 1).sum()
}

/// Maximum number of ranges in one line.
const MAX_LISTED: usize = 12;

/// Lists ranges in one line, such as `0-3, 7`.
pub fn list(ranges: &[[usize; 2]]) -> String {
    let text = |[first, last]: &[usize; 2]| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let mut listed: Vec<String> = ranges.iter().take(MAX_LISTED).map(text).collect();
    listed.extend((ranges.len() > MAX_LISTED).then(|| "…".into()));
    listed.join(", ")
}
