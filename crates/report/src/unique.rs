//! Output of `perft unique`: the table of plies, and the JSON document `perft.unique/1`.

use crate::text::{TextTable, millions, numbers};
use perft_gate_unique::{By, Ply, UniqueOptions};
use serde::{Deserialize, Serialize};

pub const SCHEMA: &str = "perft.unique/1";

/// Result of a run of `perft unique`.
#[perft_gate_chess::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct UniqueDocument {
    /// FEN of the root.
    pub fen: String,
    /// How positions of the last ply are distinguished: `position`, or a scheme's name.
    pub by: String,
    /// Policy that decides when an e.p. square distinguishes two positions.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["legal", "pseudo", "always"])))]
    pub ep_policy: String,
    /// Plies, starting with the root's.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub plies: Vec<PlyCounts>,
}

/// Counts of one ply.
#[perft_gate_chess::document(nonnegative, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct PlyCounts {
    /// Number of the ply, which is 0 for the root.
    pub ply: u32,
    /// Number of distinct positions.
    pub distinct: u128,
    /// Number of leaves of a tree that ends at this ply.
    pub perft: u128,
    /// Number of positions that are reached in only one way.
    pub once: u128,
    /// Highest number of ways in which any one position is reached.
    pub highest: u128,
    /// Number of positions that are reached in `highest` ways.
    pub with_highest: u128,
    /// Number of different diagrams, if they were counted.
    pub diagrams: Option<u128>,
    /// Number of positions expected to be lost by key collisions, if the positions of the ply are distinguished by key.
    pub expected_lost: Option<f64>,
    /// Wall time.
    pub seconds: f64,
}

/// Describes the count in one line. `memory` is the memory limit of the run, as text.
pub fn head(options: &UniqueOptions<'_>, memory: &str) -> String {
    let by = match options.by {
        By::Key { scheme, .. } => format!("the keys of {}", scheme.name),
        By::Position => "position".into(),
    };
    format!("distinct positions, compared by {by}, e.p. {}; memory {memory}", options.policy.name())
}

/// Returns the layout of the table of plies, for a terminal `width` characters wide or for a file (`None`).
pub fn ply_table(width: Option<usize>, has_diagrams: bool) -> TextTable {
    let mut columns = vec![
        numbers("ply", 3, 0),
        numbers("distinct", 15, 0),
        numbers("diagrams", 14, 0),
        numbers("perft", 22, 0),
        numbers("reached once", 13, 2),
        numbers("max paths", 13, 5),
        numbers("at max", 13, 6),
        numbers("passes", 7, 3),
        numbers("load", 6, 4),
        numbers("memory", 9, 1),
        numbers("seconds", 9, 0),
        numbers("M/s", 7, 0),
    ];
    if !has_diagrams {
        columns.remove(DIAGRAMS);
    }
    TextTable::new(&columns, width)
}

/// Returns the line of a ply. `size` formats a number of bytes. A ply counted by an earlier run has no rate.
pub fn ply_line(table: &TextTable, ply: &Ply, size: fn(u64) -> String, is_resumed: bool) -> String {
    let Ply { positions, .. } = ply;
    let rate = if is_resumed { "-".into() } else { millions(positions.distinct.into(), ply.time, 2) };
    let lost = ply.expected_lost.map_or(String::new(), |lost| format!("  expected lost {lost:.2e}"));
    let mut cells = vec![
        ply.ply.to_string(),
        positions.distinct.to_string(),
        positions.total.to_string(),
        positions.once.to_string(),
        positions.highest.to_string(),
        positions.with_highest.to_string(),
        ply.passes.to_string(),
        format!("{:.2}", ply.load),
        size(ply.bytes as u64),
        format!("{:.3}", ply.time.as_secs_f64()),
        rate,
    ];
    if let Some(diagrams) = &ply.diagrams {
        cells.insert(DIAGRAMS, diagrams.distinct.to_string());
    }
    format!("{}{lost}", table.line(&cells))
}

/// Index of the diagrams column.
const DIAGRAMS: usize = 2;
